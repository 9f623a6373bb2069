"""Read records from the spool, starting at an offset."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from hookstream.core.files import PLAIN, read_at
from hookstream.core.jsons import loads
from hookstream.standards.agent_hooks_reader import read_agent_hooks
from hookstream.standards.grammar import flaw
from hookstream.standards.rendered import Rendered

if TYPE_CHECKING:
    from hookstream.core.event import Event
    from hookstream.delivery.spool import Spool

READ_BYTES = 1 << 20


class Position(NamedTuple):
    """The position before a record: its offset, the segment by its first offset, the byte in it."""

    offset: int
    segment: int
    byte: int


class SpoolEntry(NamedTuple):
    kind: str
    offset: int
    at_ms: int
    line: bytes
    behind: Position


def prefixed(kind: str, offset: int, at_ms: int, line: bytes) -> bytes:
    return b"%s %012x %012x %08x %s\n" % (
        kind.encode(),
        offset,
        max(0, at_ms),
        crc32(line),
        line,
    )


class SpoolRecord(Rendered):
    """A record of the spool: the raw line, and the Event read back when it is asked for."""

    __slots__ = ("_event", "behind")
    flaw = staticmethod(flaw)

    def __init__(self, item: SpoolEntry) -> None:
        self._agent_hooks = item.line
        self._aarts = False
        self.position = item.offset
        self.sampled_rate = None
        self.behind = item.behind
        self._event: Event | None = None

    @property
    def event(self) -> Event:  # type: ignore[override]
        if self._event is None:
            self._event = read_agent_hooks(loads(self.agent_hooks))
        return self._event


class SpoolReader:
    """A sender's side. `at` is the next record's position; `damaged` counts lines left out, `gone`
    records that a full spool dropped."""

    def __init__(self, spool: Spool, at: Position) -> None:
        self.spool = spool
        self.at = at
        self.damaged = 0
        self.gone = 0
        self._fd = -1
        self._open_segment = -1

    def read(self, most: int, most_bytes: int, end: Position | None = None) -> list[SpoolEntry]:
        """The next records before `end` (else the committed end), at most `most`."""
        end = end or self.spool.end
        entries: list[SpoolEntry] = []
        held = 0
        while not entries and self.at.offset < end.offset:
            data = self._bytes(end)
            if not data:
                if not self._next_segment(end):
                    self.damaged += end.offset - self.at.offset
                    self.at = end
                continue
            before = self.at
            for line in data.splitlines(keepends=True):
                if not line.endswith(b"\n") or len(entries) >= most or held >= most_bytes:
                    break
                held += len(line)
                self._take(line, entries)
            else:
                continue
            if self.at == before:  # one line longer than what was read
                self._skip(end)
        return entries

    def _bytes(self, end: Position) -> bytes:
        if self._open_segment != self.at.segment:
            self.close()
            try:
                self._fd = os.open(self.spool.path(self.at.segment), os.O_RDONLY | PLAIN)
            except FileNotFoundError:
                return b""
            self._open_segment = self.at.segment
        room = end.byte - self.at.byte if end.segment == self.at.segment else 1 << 40
        size = READ_BYTES
        while True:
            data = read_at(self._fd, min(size, room), self.at.byte)
            if b"\n" in data or len(data) < size or size >= room:
                return data
            size *= 4

    def _skip(self, end: Position) -> None:
        """Skip the rest of a segment that does not hold lines."""
        self.damaged += 1
        if not self._next_segment(end):
            self.at = end

    def _next_segment(self, end: Position) -> bool:
        later = [segment for segment in list(self.spool.segments) if segment > self.at.segment]
        if not later or self.at.segment >= end.segment:
            return False
        # Records in between were dropped, or are gone with a damaged segment.
        missed = max(0, later[0] - self.at.offset)
        if later[0] <= self.spool.dropped_before:
            self.gone += missed
        else:
            self.damaged += missed
        self.at = Position(later[0], later[0], 0)
        return True

    def _take(self, line: bytes, found: list[SpoolEntry]) -> None:
        byte = self.at.byte + len(line)
        try:
            kind, offset, at_ms, checksum, rest = line[:-1].split(b" ", 4)
            number = int(offset, 16)
            whole = crc32(rest) == int(checksum, 16) and kind in (b"E", b"R")
            when = int(at_ms, 16)
        except ValueError:
            whole, number, when = False, self.at.offset, 0
        if not whole:
            self.damaged += 1
            self.at = Position(self.at.offset + 1, self.at.segment, byte)
            return
        self.at = Position(number + 1, self.at.segment, byte)
        found.append(SpoolEntry(kind.decode(), number, when, rest, self.at))

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1
            self._open_segment = -1
