"""Tail one file: complete lines from the last offset, across renames and truncation.

A file is known by device, inode and the digest of its first bytes; the digest of the bytes just
read shows when it was cut off and rewritten. A line without its newline waits, unless it is a
complete JSON object that has not changed for a while.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import IO, Any
from zlib import crc32

from hookstream.core.files import PLAIN, read_at
from hookstream.core.limits import LINE_BYTES
from hookstream.core.records import Rejection
from hookstream.core.sources import open_bytes
from hookstream.delivery.content import Prefixes, digest, is_object, prefixes, skip

CHUNK = 256 << 10
HEAD = 1024
TRAIL = 64
NAME_BYTES = 65536
# A complete object without its newline is taken once the file is unchanged for this long.
SETTLED_S = 2.0
PACKED = (".gz", ".zst")

Line = tuple[int, "bytes | Rejection"]


class Tail:
    """A file and its read position. `offset` is the start of the first line that is not taken."""

    def __init__(self, path: Path, info: os.stat_result, number: int = 0) -> None:
        self.path = path
        self.number = number  # its name in checkpoints
        self.is_dirty = True  # no checkpoint has its current position
        self.key = (info.st_dev, info.st_ino)
        self.packed = path.name.endswith(PACKED)
        self.offset = 0
        self.crc = 0  # of everything before the offset
        self.head = (0, digest(b""))
        self.trail = (0, digest(b""))
        # of what was read, as in a copy of it: the packed bytes of a file say nothing of that
        self.prefixes: Prefixes = {}
        self.name = ""
        # Names what the sessions stage keeps of this source alone.
        self.source = str(number)
        self.skipped = False
        self.failed: str | None = None  # what went wrong when it was read last
        self.broken = False  # and that has been said
        self.renewed = False  # cut off, and nothing read since
        self.gone_at: float | None = None
        self.seen: tuple[int, int] | None = None
        self.touched = time.monotonic()
        self._ahead = b""
        self._long: tuple[Any, int, int] | None = None  # digest, length, crc of an overlong line
        self._fd = -1
        self._stream: IO[bytes] | None = None

    # what a checkpoint keeps

    def saved(self) -> dict[str, Any]:
        return {
            "number": self.number,
            "path": str(self.path),
            "key": list(self.key),
            "offset": self.offset,
            "crc": self.crc,
            "head": list(self.head),
            "trail": list(self.trail),
            "prefixes": sorted(self.prefixes.items()),
            "name": self.name,
            "source": self.source,
            "skipped": self.skipped,
            "broken": self.broken,
        }

    @classmethod
    def restored(cls, given: dict[str, Any]) -> Tail:
        """Restore a saved place. KeyError, TypeError or ValueError if it is not one."""
        tail = cls.__new__(cls)
        device, inode = given["key"]
        path = Path(given["path"])
        info = os.stat_result((0, inode, device, 0, 0, 0, 0, 0, 0, 0))
        Tail.__init__(tail, path, info, int(given["number"]))
        tail.is_dirty = False
        tail.offset, tail.crc = int(given["offset"]), int(given["crc"])
        tail.head = (int(given["head"][0]), str(given["head"][1]))
        tail.trail = (int(given["trail"][0]), str(given["trail"][1]))
        tail.prefixes = {int(size): str(mark) for size, mark in given.get("prefixes", ())}
        tail.name, tail.skipped = str(given["name"]), bool(given["skipped"])
        tail.broken = bool(given["broken"])
        tail.source = str(given.get("source", given["number"]))
        return tail

    # the file

    @property
    def is_open(self) -> bool:
        return self._fd >= 0

    def open(self) -> None:
        """Open the file at its path. OSError."""
        if self._fd < 0:
            self._fd = os.open(self.path, os.O_RDONLY | PLAIN | getattr(os, "O_NONBLOCK", 0))
            info = os.fstat(self._fd)
            if (info.st_dev, info.st_ino) != self.key:  # renamed between look and open
                self.close()
                raise FileNotFoundError(2, "replaced", str(self.path))

    def close(self) -> None:
        self._ahead, self._long = b"", None
        if self._stream is not None:
            self._stream.close()
            self._stream = None
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def stat(self) -> os.stat_result:
        return os.fstat(self._fd)

    def is_changed(self, info: os.stat_result) -> bool:
        return (info.st_size, info.st_mtime_ns) != self.seen

    def is_same(self, info: os.stat_result) -> bool:
        """Return whether what was read is still there before the offset."""
        if self.packed:
            return self._at(0, self.head[0]) == self.head[1]
        if info.st_size < self.offset or self._at(0, self.head[0]) != self.head[1]:
            return False
        length, mark = self.trail
        return self._at(self.offset - length, length) == mark

    def _at(self, offset: int, length: int) -> str:
        return digest(read_at(self._fd, length, offset) if length else b"")

    def restart(self) -> None:
        """Read from the beginning: the inode has other content."""
        self.offset = self.crc = 0
        self.head = self.trail = (0, digest(b""))
        self.prefixes = {}
        self.name = ""
        self.source += "'"
        self.seen = None
        self.is_dirty = self.renewed = True
        self._ahead, self._long = b"", None

    def take_over(self, other: Tail) -> None:
        """Continue from another file's position: this one holds its content."""
        self.offset, self.crc, self.name = other.offset, other.crc, other.name
        self.prefixes = other.prefixes
        self.source = other.source
        self.head = self.trail = (0, digest(b""))
        self.skipped = False
        self.seen = None
        self.is_dirty = True
        if not self.packed:
            self.open()
            self._mark()

    def _mark(self) -> None:
        """Remember the first bytes and the last ones before the offset."""
        known = self.head[0]
        if known < HEAD or (not self.packed and max(self.prefixes, default=0) < HEAD):
            data = read_at(self._fd, HEAD, 0)
            self.head = (len(data), digest(data))
            if not self.packed:
                self.prefixes = prefixes(data[: self.offset])
        if not self.packed:
            length = min(TRAIL, self.offset)
            self.trail = (length, self._at(self.offset - length, length))

    def _named(self) -> None:
        if not self.name:
            data = read_at(self._fd, NAME_BYTES, 0)
            self.name = sha256(data).hexdigest()[:16]

    # lines

    def chunks(self) -> Iterator[list[Line]]:
        """The lines there are now, chunk by chunk; `offset` is after each chunk's lines.

        OSError or EOFError if the file cannot be read.
        """
        info = self.stat()
        if not self.is_changed(info):
            return
        self.touched = time.monotonic()
        self.seen = (info.st_size, info.st_mtime_ns)
        self.failed = None
        self._named()
        if self.packed:
            yield from self._unpacked(info)
        else:
            if not self._is_ahead_there():
                self._ahead, self._long = b"", None
            while lines := self._chunk():
                # A caller that stops here comes back: only at the end the file counts as seen.
                self.seen = None
                yield lines
            self.seen = (info.st_size, info.st_mtime_ns)

    def _is_ahead_there(self) -> bool:
        """Return whether the half line is still there: it may have been rewritten."""
        if self._long is not None:
            return True
        end = self._ahead[-TRAIL:]
        place = self.offset + len(self._ahead) - len(end)
        return read_at(self._fd, len(end), place) == end

    def _chunk(self) -> list[Line]:
        while True:
            length = self._long[1] if self._long else len(self._ahead)
            data = read_at(self._fd, max(CHUNK, len(self._ahead)), self.offset + length)
            # Cut off between look and read, the bytes would be another line's middle.
            if not data or not self.is_same(self.stat()):
                return []
            lines = self._split(data)
            if lines:
                self._mark()
                return lines

    def _unpacked(self, info: os.stat_result) -> Iterator[list[Line]]:
        self._ahead, self._long = b"", None
        with open_bytes(self.path) as stream:
            skip(stream, self.offset)
            while data := stream.read(CHUNK):
                if lines := self._split(data):
                    self._mark()
                    self.seen = None
                    yield lines
                    self.seen = (info.st_size, info.st_mtime_ns)
        if last := self.last():
            yield [last]
        self._mark()

    def _split(self, data: bytes) -> list[Line]:
        found: list[Line] = []
        if self._long is not None:
            data = self._longer(data, found)
            if self._long is not None:
                return found
        is_first = not self.offset and not self._ahead
        *lines, self._ahead = (self._ahead + data).split(b"\n")
        for line in lines:
            found.append((self.offset, line))
            self.crc = crc32(b"\n", crc32(line, self.crc))
            self.offset += len(line) + 1
        if self.packed and is_first:
            self.prefixes = prefixes(data[: min(HEAD, self.offset)])
        if len(self._ahead) > LINE_BYTES:
            held = self._ahead
            self._long = (sha256(held), len(held), crc32(held, self.crc))
            self._ahead = b""
        return found

    def _longer(self, data: bytes, found: list[Line]) -> bytes:
        """Skip the rest of an overlong line without holding it; return what follows it."""
        assert self._long is not None
        mark, length, checksum = self._long
        cut = data.find(b"\n")
        part = data if cut < 0 else data[:cut]
        mark.update(part)
        length += len(part)
        checksum = crc32(part, checksum)
        if cut < 0:
            self._long = (mark, length, checksum)
            return b""
        reason = Rejection("too_long", length, mark.hexdigest(), self.name, self.offset)
        found.append((self.offset, reason))
        self.offset += length + 1
        self.crc = crc32(b"\n", checksum)
        self._long = None
        return data[cut + 1 :]

    @property
    def waits(self) -> bool:
        """Return whether half a line is waiting."""
        return bool(self._ahead) or self._long is not None

    @property
    def rests(self) -> bool:
        """Return whether the file has not changed for a while."""
        return time.monotonic() - self.touched >= SETTLED_S

    def settled(self) -> Line | None:
        """A last line without newline that is a complete object, or can no longer grow."""
        if not self._ahead or not self.rests:
            return None
        if os.fstat(self._fd).st_nlink == 0 or is_object(self._ahead):
            return self.last()
        return None

    def last(self) -> Line | None:
        if not self._ahead:
            return None
        line = (self.offset, self._ahead)
        self.crc = crc32(self._ahead, self.crc)
        self.offset += len(self._ahead)
        self._ahead = b""
        if not self.packed:
            self._mark()
        return line
