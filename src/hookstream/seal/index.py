"""Which leaf is which event: the index for a proof of one event, without a search through the
stream.

Two files next to the hashes, with 8 bytes per leaf: `index-ids` holds the beginning of the SHA-256
of its event_id, `index-places` the byte where its line begins; in a lake, where the statement of
its part begins in the journal. Made when a proof is asked for, of what has come since the last
time. Nothing trusts it: a place counts only if the leaf is there.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any

from hookstream.core.files import PLAIN, write_all
from hookstream.core.jsons import loads_text
from hookstream.seal.journal import Journal
from hookstream.seal.layout import files_of, indices
from hookstream.seal.levels import HASH
from hookstream.seal.merkle import record_leaf
from hookstream.seal.parts import ids_of
from hookstream.seal.sealed import LAKE
from hookstream.seal.segments import first_leaf, line_at, lines, rotated

IDS, PLACES = "index-ids", "index-places"
WIDTH = 8
# Errors from reading at a wrong place.
WRONG = (OSError, EOFError, ValueError, LookupError, TypeError)


def mark_of(event_id: str) -> bytes:
    return sha256(event_id.encode("utf-8", "surrogateescape")).digest()[:WIDTH]


def event_id_of(line: bytes) -> str | None:
    """The id of an event in any of the forms that are written."""
    try:
        document: Any = loads_text(line.decode("utf-8"))
        for found in (document, document.get("hookstream"), document.get("agent_hooks")):
            if isinstance(found, dict) and (event_id := found.get("event_id") or found.get("id")):
                return str(event_id)
    except (ValueError, AttributeError):
        pass
    return None


class Index:
    """The index of one log, up to the last refresh."""

    def __init__(self, data: Path, log: Path) -> None:
        self.data = data
        self.log = log
        self._ids: bytearray | mmap = bytearray()
        self._places: array[int] | memoryview = array("Q")
        with suppress(OSError, ValueError, TypeError):  # empty, or cut off
            self._ids, self._places = (
                _mapped(log / IDS),
                memoryview(_mapped(log / PLACES)).cast("Q"),
            )
        self.known = min(len(self._ids) // WIDTH, len(self._places))

    def places_of(self, event_id: str) -> Iterator[tuple[int, int]]:
        """(leaf, place) of each record that may be it, the newest first."""
        mark, end = mark_of(event_id), self.known * WIDTH
        while (at := self._ids.rfind(mark, 0, end)) >= 0:
            if at % WIDTH == 0:
                yield at // WIDTH, self._places[at // WIDTH]
            end = at + WIDTH - 1

    def refresh(self, size: int, *, again: bool = False) -> None:
        """Take in the leaves up to `size`; with `again` all of them. SealError, OSError."""
        journal = Journal(self.log / "journal")
        journal.load()
        known = self.known
        if (
            again
            or known > size
            or any(
                statement.kind == "pruned" and known <= statement.index < size
                for statement in journal.statements
            )
        ):
            known = 0  # lines have moved
        elif known == size:
            return
        self._ids = bytearray(self._ids[: known * WIDTH]) + bytes((size - known) * WIDTH)
        self._places = array("Q", self._places[:known])
        self._places.frombytes(bytes((size - known) * WIDTH))
        self.known = size
        if self.log.name == LAKE:
            self._take_parts(journal, known, size)
        else:
            self._take_lines(journal, known, size)
        with suppress(OSError):  # who may only read makes it each time
            self._keep(known)

    def _put(self, leaf: int, event_id: str | None, place: int) -> None:
        if event_id is not None:
            assert isinstance(self._ids, bytearray)
            self._ids[leaf * WIDTH : (leaf + 1) * WIDTH] = mark_of(event_id)
            self._places[leaf] = place

    def _take_parts(self, journal: Journal, known: int, size: int) -> None:
        for one, place in zip(journal.statements, journal.begins(), strict=True):
            if one.kind == "part" and known <= one.index < size:
                with suppress(OSError):  # a compaction has put another in its place
                    for row, event_id in enumerate(ids_of(self.data / str(one.said["path"]))):
                        self._put(int(one.said["first"]) + row, event_id, place)

    def _take_lines(self, journal: Journal, known: int, size: int) -> None:
        leaves = (self.log / "level-0").read_bytes()
        files = [self.data, *rotated(self.data)]
        for runs in files_of(journal.statements, size):
            meant = list(indices(runs))
            if not meant or meant[-1] < known:
                continue
            first = leaves[meant[0] * HASH : (meant[0] + 1) * HASH]
            file = next((one for one in files if one.exists() and first_leaf(one) == first), None)
            if file is None:
                continue
            done = self._done(meant, known, file, leaves)
            place = self._places[meant[done - 1]] if done else 0
            for number, line in enumerate(lines(file, start=place), max(0, done - 1)):
                if number >= len(meant):
                    break
                if meant[number] >= known:
                    self._put(meant[number], event_id_of(line), place)
                place += len(line) + 1

    def _done(self, meant: list[int], known: int, file: Path, leaves: bytes) -> int:
        """Return how many lines of a file are known, if the last of them is still at its place."""
        done = sum(one < known for one in meant)
        if done and self._places[meant[done - 1]]:
            at = meant[done - 1]
            leaf = leaves[at * HASH : (at + 1) * HASH]
            with suppress(*WRONG):
                if record_leaf(line_at(file, self._places[at])) == leaf:
                    return done
        return 0

    def _keep(self, known: int) -> None:
        """Write what is new. Two at once write the same."""
        for name, data in ((PLACES, self._places.tobytes()), (IDS, bytes(self._ids))):
            fd = os.open(self.log / name, os.O_RDWR | os.O_CREAT | PLAIN, 0o600)
            try:
                os.ftruncate(fd, len(data))
                os.lseek(fd, known * WIDTH, os.SEEK_SET)
                write_all(fd, data[known * WIDTH :])
            finally:
                os.close(fd)


def _mapped(path: Path) -> mmap:
    with path.open("rb") as file:
        return mmap(file.fileno(), 0, access=ACCESS_READ)
