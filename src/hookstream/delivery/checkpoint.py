"""The reader's checkpoint: where it stands in every source and in the spool, and its state.

One file of frames. The first frame is whole and was written atomically; each commit appends one
that holds what changed. A frame that a crash cut off is dropped, and with it a commit that nobody
has seen. When the changes outweigh the whole, a new file replaces the old one atomically.

    frame = "hsc1", length of head (4), length of body (4), CRC-32 of head and body (4), head, body

The head is JSON and holds positions and counts; the body is the sealed state. A body that cannot
be opened (another key, another build) costs the state, never the positions.
"""

from __future__ import annotations

import json
import os
from struct import Struct
from typing import TYPE_CHECKING, Any
from zlib import crc32

from hookstream.delivery import durable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FRAME = Struct(">4sIII")
MAGIC = b"hsc1"
REWRITE_BYTES = 4 << 20


class Checkpoint:
    """Appends commits; `size` is the file's, `whole` the size of its first frame."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.size = 0
        self.whole = 0
        self._fd = -1

    def load(self) -> list[tuple[dict[str, Any], bytes]]:
        """The frames to apply in order; empty at a first start or where the file is damaged, which
        is then set aside. OSError where it cannot be read."""
        self.close()
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return []
        frames = list(_frames(data))
        if not frames:
            durable.set_aside(self.path)
            return []
        self._fd = durable.open_append(self.path)
        self.whole = frames[0][0]
        self.size = frames[-1][0]
        if self.size < len(data):
            os.ftruncate(self._fd, self.size)
        return [(head, body) for _, head, body in frames]

    @property
    def is_due(self) -> bool:
        """Whether the next commit should be a whole one."""
        return self._fd < 0 or self.size - self.whole > max(REWRITE_BYTES, self.whole)

    def begin(self, head: dict[str, Any], body: bytes) -> None:
        """A new file with one whole frame in the old one's place. OSError: the old one stands."""
        data = _frame(head, body)
        durable.write_atomic(self.path, data)
        self.close()
        self._fd = durable.open_append(self.path)
        self.size = self.whole = len(data)

    def add(self, head: dict[str, Any], body: bytes) -> None:
        """One more commit, on disk when this returns. OSError: it did not happen."""
        data = _frame(head, body)
        durable.append(self._fd, data)
        self.size += len(data)

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


def _frame(head: dict[str, Any], body: bytes) -> bytes:
    text = json.dumps(head, separators=(",", ":")).encode("ascii")
    return FRAME.pack(MAGIC, len(text), len(body), crc32(body, crc32(text))) + text + body


def _frames(data: bytes) -> Iterator[tuple[int, dict[str, Any], bytes]]:
    """(end, head, body) of every frame up to the first that is not whole."""
    at = 0
    while at + FRAME.size <= len(data):
        magic, head_size, body_size, checksum = FRAME.unpack_from(data, at)
        middle = at + FRAME.size + head_size
        end = middle + body_size
        head, body = data[at + FRAME.size : middle], data[middle:end]
        if magic != MAGIC or end > len(data) or crc32(body, crc32(head)) != checksum:
            return
        yield end, json.loads(head), body
        at = end


def read_heads(path: Path) -> list[dict[str, Any]]:
    """The heads of a checkpoint as it stands, for whoever only looks."""
    try:
        return [head for _, head, _ in _frames(path.read_bytes())]
    except OSError:
        return []
