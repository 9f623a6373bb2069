"""The hashes of a log on disk: `level-0` the leaves, `level-L` the roots of full tiles below.

Tile N of a level is bytes 8192 * N onwards, so the files are the tiles of C2SP tlog-tiles put
together. They are append-only.
"""

from __future__ import annotations

import os
from pathlib import Path

from hookstream.core.files import open_append, read_at, sync, write_all
from hookstream.seal.merkle import TILE, Tree, range_root, split

HASH = 32
DEPTH = 8


def path_of(folder: Path, level: int) -> Path:
    return folder / f"level-{level}"


class Levels:
    """Read and append hashes; `size` leaves are meant, whatever the files hold beyond."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._files: dict[int, int] = {}

    def _fd(self, level: int) -> int:
        if level not in self._files:
            self._files[level] = open_append(path_of(self.folder, level))
        return self._files[level]

    def stored(self, level: int = 0) -> int:
        """Return how many hashes a level's file holds."""
        try:
            return path_of(self.folder, level).stat().st_size // HASH
        except FileNotFoundError:
            return 0

    def cut(self, size: int) -> None:
        """Cut back to `size` leaves; what is missing of them stays so. OSError."""
        for level in range(DEPTH):
            count = size // TILE**level
            if self.stored(level) * HASH > count * HASH:
                os.ftruncate(self._fd(level), count * HASH)

    def append(self, leaves: list[bytes], tree: Tree) -> None:
        """Append the leaves, and what the tree has completed above them. They can be made again
        from the records: `sync` is for the end of an epoch. OSError."""
        fields = {0: leaves, **tree.levels}
        tree.levels = {}
        for level, hashes in fields.items():
            if hashes:
                write_all(self._fd(level), b"".join(hashes))

    def sync(self) -> None:
        """Sync what was appended to disk. OSError."""
        for fd in self._files.values():
            sync(fd)

    def read(self, level: int, first: int, count: int) -> list[bytes]:
        data = read_at(self._fd(level), count * HASH, first * HASH)
        return [data[at : at + HASH] for at in range(0, len(data), HASH)]

    def root_of(self, first: int, end: int) -> bytes:
        """The root of the subtree over leaves `first` to `end`."""
        count = end - first
        if count & (count - 1) == 0 and first % count == 0:
            level = (count.bit_length() - 1) // 8
            step = TILE**level
            return range_root(self.read(level, first // step, count // step))
        from hookstream.seal.merkle import node_hash

        middle = first + split(count)
        return node_hash(self.root_of(first, middle), self.root_of(middle, end))

    def tree(self, size: int) -> Tree:
        """The tree of the first `size` leaves, ready to grow."""
        roots = []
        first = 0
        for height in range(size.bit_length() - 1, -1, -1):
            if size >> height & 1:
                roots.append(self.root_of(first, first + (1 << height)))
                first += 1 << height
        return Tree(size, roots)

    def close(self) -> None:
        for fd in self._files.values():
            os.close(fd)
        self._files = {}
