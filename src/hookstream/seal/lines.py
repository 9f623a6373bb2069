"""Sealing of a file of lines: what was written is read back, a leaf per line.

What comes after the last checkpoint when a writer starts was never sealed and may have been put
there by anyone: it is set aside in the seal's folder, and the writer's own offset brings the
records again.
"""

from __future__ import annotations

import gzip
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

from hookstream.core.files import PLAIN, create, read_at, sync, sync_folder, write_all, write_atomic
from hookstream.core.sources import UNREADABLE
from hookstream.seal import SealError
from hookstream.seal.layout import LeafRun, files_of, indices
from hookstream.seal.log import SealedStore, SealLog
from hookstream.seal.merkle import record_leaf, record_leaves
from hookstream.seal.parts import finish_pruning
from hookstream.seal.segments import PACKED, first_leaf, lines, rotated


def open_to_write(path: Path, name: str) -> Any:
    """A file for bytes, packed as `name` says."""
    if name.endswith(".gz"):
        return gzip.open(path, "wb", 6)
    if name.endswith(".zst"):
        import pyarrow as pa

        return pa.output_stream(str(path), compression="zstd")
    return path.open("wb")


def tail_of(path: Path, count: int, leaf: bytes) -> list[bytes]:
    """The lines after the first `count`, the last of which has this leaf; none if it has another,
    or the file cannot be read: verify reports it."""
    rest = lines(path)
    try:
        last = next(islice(rest, count - 1, count), None)
        return list(rest) if last is not None and record_leaf(last) == leaf else []
    except UNREADABLE:
        return []


def cut(path: Path, count: int) -> None:
    """Leave the first `count` lines; a crash leaves the file complete, old or new. OSError."""
    made = path.with_name(f".{path.name}.cut")
    made.unlink(missing_ok=True)  # left by a crash
    os.close(create(made))
    with open_to_write(made, path.name) as file:
        for line in islice(lines(path), count):
            file.write(line + b"\n")
    with made.open("rb") as file:
        sync(file.fileno())
    shutil.copymode(path, made)
    made.replace(path)
    sync_folder(path.parent)


CHUNK = 4 << 20
# The position is noted every N bytes; after a crash at most that much is counted again.
NOTED_BYTES = 64 << 20
POSITION = "position"


class SealedFile(SealedStore):
    """One file of lines and its log."""

    def __init__(self, path: Path, log: SealLog) -> None:
        super().__init__(path, log)
        self._fd = -1
        self._end = 0  # bytes of the file that are sealed
        self._noted = 0  # bytes that the note of the position covers
        self._records = 0  # leaves of records in the entire log

    def recover(self) -> None:
        """Set aside what follows the last sealed line."""
        size = self.path.stat().st_size if self.path.exists() else 0
        self.log.open(self._leaves, stream="lines", found=size)
        if self.log.is_new:
            return
        if finish_pruning(self.log, self.path.parent):
            size = self.path.stat().st_size if self.path.exists() else 0
        self._records = self.log.size - len(self.log.journal.statements)
        count = sum(run.size for run in self.files()[-1])
        end = self._sealed_end(self.path, count)
        if end is None:
            self._state_rotated(count)
            return
        self._end = end
        if size > end:
            self._set_aside(self.path, end)
        elif count == 0 and not size:
            self._set_aside_unsealed()
        self.log.checkpoint()

    def _state_rotated(self, count: int) -> None:
        """State that the file was renamed or removed: verify looks for the file that has these
        records. Lines after them came after the last checkpoint."""
        for file in rotated(self.path):
            if file.suffix in PACKED:
                self._cut_packed(file, count)
                continue
            end = self._sealed_end(file, count)
            if end is not None and file.stat().st_size > end:
                self._set_aside(file, end)
        self.log.state("rotated", records=self._records)
        self.log.checkpoint()

    def _cut_packed(self, file: Path, count: int) -> None:
        last = self.files()[-1][-1]
        (leaf,) = self.log.levels.read(0, last.first + last.size - 1, 1)
        tail = tail_of(file, count, leaf)
        if tail:
            data = b"".join(line + b"\n" for line in tail)
            self._keep(data)
            cut(file, count)
            self._state_cut(data)

    def _set_aside_unsealed(self) -> None:
        """Set aside a file that was renamed before any of its records was sealed."""
        closed = [next(iter(indices(runs)), -1) for runs in self.files()[:-1]]
        known = {tuple(self.log.levels.read(0, index, 1)) for index in closed if index >= 0}
        for file in rotated(self.path):
            if (first_leaf(file),) not in known:
                self._set_aside(file, 0)
                file.unlink()

    def files(self) -> list[list[LeafRun]]:
        """The leaves of each file that the log covers, the open one last. SealError."""
        try:
            return files_of(self.log.journal.statements, self.log.size)
        except (ValueError, KeyError, TypeError) as error:
            raise SealError(
                f"{self.log.folder}: changed ({error}); see hookstream verify"
            ) from None

    def _leaves(self) -> Iterator[bytes]:
        """The leaves of the file's lines, if it is the only one of its log."""
        with suppress(OSError), self.path.open("rb") as file:
            for line in file:
                yield record_leaf(line.rstrip(b"\n"))

    def _sealed_end(self, path: Path, lines: int) -> int | None:
        """The end of a file's sealed lines; None if it does not hold them."""
        if lines == 0:
            return 0
        end, known = self._kept_position(lines)
        try:
            with path.open("rb") as file:
                file.seek(end)
                for _ in range(lines - known):
                    line = file.readline()
                    if not line.endswith(b"\n"):
                        return None
                    end += len(line)
        except OSError:
            return None
        return end if self._ends_in_sealed(path, end) else None

    def _kept_position(self, lines: int) -> tuple[int, int]:
        """(byte, lines before it) as noted some time ago; what follows is counted again. A wrong
        note shows: the last line must be the last record."""
        try:
            document = json.loads((self.log.folder / POSITION).read_bytes())
            end, known = int(document["end"]), lines - self._records + int(document["records"])
            size = int(document.get("size", 0))
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return 0, 0
        statements = self.log.journal.statements
        if any(statement.kind == "pruned" and statement.index >= size for statement in statements):
            return 0, 0  # lines have gone since
        return (end, known) if 0 < known <= lines else (0, 0)  # 0: of the file before

    def _ends_in_sealed(self, path: Path, end: int) -> bool:
        """Return whether the line that ends there is the last record of the log."""
        last = self.files()[-1][-1]
        index = last.first + last.size - 1
        try:
            with path.open("rb") as file:
                start = end
                while start > 0:
                    start = max(0, start - (1 << 16))
                    file.seek(start)
                    data = file.read(end - start)
                    if not data.endswith(b"\n") or len(data) < end - start:
                        return False
                    cut = data.rfind(b"\n", 0, -1)
                    if cut >= 0 or start == 0:
                        leaf = record_leaf(data[cut + 1 : -1])
                        return [leaf] == self.log.levels.read(0, index, 1)
        except OSError:
            pass
        return False

    def _set_aside(self, path: Path, end: int) -> None:
        """Move what a file holds after `end` into the folder of the seal."""
        with path.open("rb") as file:
            file.seek(end)
            data = file.read()
        self._keep(data)
        os.truncate(path, end)
        self._state_cut(data)

    def _keep(self, data: bytes) -> None:
        fd = create(self.log.aside("cut-"))
        try:
            write_all(fd, data)
            sync(fd)
        finally:
            os.close(fd)

    def _state_cut(self, data: bytes) -> None:
        self.log.state("cut", bytes=len(data), sha256=sha256(data).hexdigest())
        self.log.checkpoint()

    def seal(self) -> None:
        """Seal what the file has grown by; it must be on disk."""
        if self._fd < 0:
            try:
                self._fd = os.open(self.path, os.O_RDONLY | PLAIN)
            except FileNotFoundError:
                return
        if os.fstat(self._fd).st_size < self._end:  # copied and truncated
            self.log.state("rotated", records=self._records)
            self._end = 0
        grown = self._hash_new_lines()
        self.log.checkpoint()
        if grown and self._end - self._noted > NOTED_BYTES:
            self._note()

    def _note(self) -> None:
        fields = {"records": self._records, "end": self._end, "size": self.log.size}
        write_atomic(self.log.folder / POSITION, json.dumps(fields).encode("ascii"))
        self._noted = self._end

    def _hash_new_lines(self) -> bool:
        rest = b""
        offset = self._end
        while data := read_at(self._fd, CHUNK, offset):
            offset += len(data)
            *lines, rest = (rest + data).split(b"\n")
            if lines:
                self.log.add(record_leaves(lines))
                self._records += len(lines)
        grown = offset - len(rest) > self._end
        self._end = offset - len(rest)
        return grown

    def close(self) -> None:
        self.log.close()
        self._note()
        self.release()

    def release(self) -> None:
        super().release()
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1
