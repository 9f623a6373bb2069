"""The spool: an append-only queue of finished records in numbered segment files.

One line a record: kind (E an event, R a rejection), offset, when it was written (milliseconds
since 1970), CRC-32 of the JSON, the JSON. A record's offset counts from the stream's beginning and
never changes. Senders see only what a commit of the reader has covered, so that a crash cannot
show them a record that is made again differently. Lines hold rendered events: privacy has passed.
"""

from __future__ import annotations

import os
import threading
from itertools import pairwise
from pathlib import Path

from hookstream.core.files import make_private, open_append, sync, sync_folder, write_all
from hookstream.delivery import checkpoint
from hookstream.delivery.spool_reader import Position, SpoolReader, prefixed

SEGMENT_BYTES = 32 << 20
SPOOL_BYTES = 4 << 30
ENDING = ".seg"


class Spool:
    """The writer's side, and what both sides share: the list of segments and the committed end."""

    def __init__(
        self,
        folder: Path,
        most: int = SPOOL_BYTES,
        segment_bytes: int = SEGMENT_BYTES,
        drops: bool = False,
    ) -> None:
        self.folder = folder
        self.most = most
        # Whether room is made by dropping the oldest records, and those before which are dropped.
        self.drops = drops
        self.dropped_before = 0
        # Full means several segments: the one being written to cannot be removed.
        self.segment_bytes = min(segment_bytes, most // 4)
        self.changed = threading.Condition()
        self.end = Position(0, 0, 0)
        self.segments: dict[int, int] = {}  # first offset -> bytes
        self._written = self.end
        self._held: list[bytes] = []
        self.held_bytes = 0
        self._next = 0
        self._fd = -1
        make_private(folder)

    def path(self, segment: int) -> Path:
        return self.folder / f"{segment:012x}{ENDING}"

    def recover(self, end: Position | None, least: int = 0) -> None:
        """Go back to the committed end. Without one all complete lines count, and ordinals continue
        at `least` or above."""
        self.segments = {}
        for path in self.folder.glob(f"*{ENDING}"):
            try:
                self.segments[int(path.stem, 16)] = path.stat().st_size
            except ValueError:
                checkpoint.set_aside(path)
        self.segments = dict(sorted(self.segments.items()))
        if end is None:
            end = self._found()
            if end.offset < least:
                end = Position(least, least, 0)
                self.segments.setdefault(least, 0)
        for segment in [one for one in self.segments if one > end.segment]:
            self.path(segment).unlink(missing_ok=True)
            del self.segments[segment]
        have = self.segments.get(end.segment)
        if have is None and end.offset == end.segment == end.byte == 0:
            self.segments[0] = 0
        elif have is None or have < end.byte:
            # Bytes that a commit covered are gone: what follows goes into a separate segment.
            end = Position(end.offset, end.offset, 0)
            if end.offset in self.segments:
                checkpoint.set_aside(self.path(end.offset))
            self.segments[end.offset] = 0
        elif have > end.byte:
            os.truncate(self.path(end.segment), end.byte)
            self.segments[end.segment] = end.byte
        self.end = self._written = end
        self._next = end.offset

    def _found(self) -> Position:
        """The end of the last complete line that is there."""
        if not self.segments:
            return Position(0, 0, 0)
        last = max(self.segments)
        data = self.path(last).read_bytes()
        end = data.rfind(b"\n") + 1
        line = data[data.rfind(b"\n", 0, max(0, end - 1)) + 1 : end]
        try:
            offset = int(line.split(b" ", 2)[1], 16) + 1
        except (ValueError, IndexError):
            offset = last + data.count(b"\n")
        return Position(offset, last, end)

    def locate(self, at: Position | None, offset: int) -> tuple[Position, int]:
        """Return the position of a reader at this offset, and how many of its records are gone.

        `at` is believed if it fits what is there.
        """
        if offset >= self.end.offset:
            return self.end, 0
        first = self.first()
        if offset < first.offset:
            return first, first.offset - offset
        if at is not None and at.offset == offset:
            size = self.segments.get(at.segment)
            if size is not None and at.segment <= offset and self._fits(at, size):
                return at, 0
        segment = max(one for one in self.segments if one <= offset)
        reading = SpoolReader(self, Position(segment, segment, 0))
        place = reading.at
        while place.offset < offset and (data := reading.read(1, 1)):
            if data[0].offset < offset:
                place = data[0].behind
            else:
                break
        reading.close()
        return place, 0

    def _fits(self, at: Position, size: int) -> bool:
        """Return whether a line begins there."""
        if at.byte == 0 or at.byte > size:
            return at.byte == 0
        with self.path(at.segment).open("rb") as file:
            file.seek(at.byte - 1)
            return file.read(1) == b"\n"

    @property
    def size(self) -> int:
        return sum(list(self.segments.values()))

    @property
    def is_full(self) -> bool:
        return self.size >= self.most

    def put(self, kind: str, line: bytes, at_ms: int) -> None:
        """Hold a record until `write`."""
        self._held.append(prefixed(kind, self._next, at_ms, line))
        self.held_bytes += len(self._held[-1])
        self._next += 1

    @property
    def next(self) -> int:
        """The offset of the next record, after all that is held."""
        return self._next

    @property
    def held(self) -> int:
        return len(self._held)

    @property
    def is_due(self) -> bool:
        """Return whether what is held fills a segment: it is written, however few its records."""
        return self.held_bytes >= self.segment_bytes

    def write(self) -> Position:
        """Write what is held to disk; return the position after it. OSError: it remains held."""
        if self._held:
            segment, byte = self._written.segment, self._written.byte
            if byte >= self.segment_bytes:
                self._close()
                segment, byte = self._written.offset, 0
            self._open(segment, byte)
            data = b"".join(self._held)
            write_all(self._fd, data)
            sync(self._fd)
            self.segments[segment] = byte + len(data)
            self._held, self.held_bytes = [], 0
            self._written = Position(self._next, segment, byte + len(data))
        return self._written

    def _open(self, segment: int, byte: int) -> None:
        """Open the segment and cut it to what is known to be complete."""
        if self._fd < 0 or self.segments.get(segment) is None:
            self._close()
            self._fd = open_append(self.path(segment))
            sync_folder(self.folder)
        os.ftruncate(self._fd, byte)

    def publish(self, position: Position) -> None:
        """Show senders the records before the position: a commit covers them."""
        with self.changed:
            self.end = position
            self.changed.notify_all()

    def wake(self) -> None:
        with self.changed:
            self.changed.notify_all()

    def trim(self, before: int) -> None:
        """Remove segments whose records are all before the offset."""
        firsts = list(self.segments)
        for segment, follower in pairwise(firsts):
            if follower > before or segment == self._written.segment:
                return
            self.path(segment).unlink(missing_ok=True)
            del self.segments[segment]

    def drop(self) -> None:
        """Make room by removing the oldest segment, delivered or not. Senders count what they
        missed."""
        firsts = list(self.segments)
        if len(firsts) > 1 and firsts[0] != self._written.segment:
            self.dropped_before = firsts[1]
            self.path(firsts[0]).unlink(missing_ok=True)
            del self.segments[firsts[0]]

    def first(self) -> Position:
        """The oldest record that is still there."""
        segment = min(list(self.segments), default=0)
        return Position(segment, segment, 0)

    def close(self) -> None:
        self._close()

    def _close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1
