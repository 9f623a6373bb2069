"""Parts of a lake by name. A name says which records of its source a part holds, so that a run
that broke off and comes again makes the same files and not the same rows a second time.

part-FIRST-LAST-IDS     of a follower: places in its spool (12 digits each), digest of the ids
part-N-START-CONTENT    of a single run: digests of the first id, and of all ids and all that the
                        file holds: rows in another form have another name. N counts the
                        partition's parts, and is the old one's if a part has that first id

A partition's part holds every row of that partition between its first and its last.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterator
from hashlib import sha256
from typing import Protocol

RANGE = re.compile(r"part-(\d{12,})-(\d{12,})-[0-9a-f]{12}\.parquet\Z")
RUN = re.compile(r"part-(\d{5,11})-([0-9a-f]{12})-[0-9a-f]{12}\.parquet\Z")
HELD = 16


class Stored(Protocol):
    """The storage of parts. OSError (FileNotFoundError if a part is gone)."""

    def names(self, key: str) -> list[str]: ...

    def ids(self, key: str, name: str) -> list[str]: ...


def digest(ids: list[str]) -> str:
    return sha256("\n".join(ids).encode()).hexdigest()[:12]


def range_name(first: int, last: int, ids: list[str]) -> str:
    return f"part-{first:012d}-{last:012d}-{digest(ids)}.parquet"


def run_name(number: int, ids: list[str], content: str) -> str:
    """`content` is a digest of the file."""
    return f"part-{number:05d}-{digest(ids[:1])}-{digest([*ids, content])}.parquet"


def same_start(ids: list[str], names: list[str]) -> Iterator[tuple[int, str]]:
    """The parts of single runs that begin with the same row: number, name."""
    start = digest(ids[:1])
    for name in names:
        if (match := RUN.match(name)) and match[2] == start:
            yield int(match[1]), name


def next_number(names: list[str]) -> int:
    return 1 + max((int(match[1]) for name in names if (match := RUN.match(name))), default=-1)


class Written:
    """Which rows earlier followers have written: by their place, and surely by their id."""

    def __init__(self, store: Stored, keys: list[str]) -> None:
        self._store = store
        self._ranges: dict[str, list[tuple[int, int, str]]] = {}
        self._ids: OrderedDict[tuple[str, str], frozenset[str]] = OrderedDict()
        self.last = -1
        for key in keys:
            self._look(key)

    def _look(self, key: str) -> None:
        found = [
            (int(match[1]), int(match[2]), name)
            for name in self._store.names(key)
            if (match := RANGE.match(name))
        ]
        self._ranges[key] = found
        self.last = max([self.last, *(last for _, last, _ in found)])

    def has(self, key: str, place: int, event_id: str) -> bool:
        try:
            return self._has(key, place, event_id)
        except FileNotFoundError:  # a compaction has put parts together
            self._look(key)
            return self._has(key, place, event_id)

    def _has(self, key: str, place: int, event_id: str) -> bool:
        return any(
            first <= place <= last and event_id in self._known(key, name)
            for first, last, name in self._ranges.get(key, ())
        )

    def _known(self, key: str, name: str) -> frozenset[str]:
        value = self._ids.get((key, name))
        if value is None:
            value = self._ids[key, name] = frozenset(self._store.ids(key, name))
            while len(self._ids) > HELD:
                self._ids.popitem(last=False)
        return value
