"""Files that may hold the same lines: rotated copies of each other, found by their names and by
their first bytes, so that a new file is compared with its own copies and not with all files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress

from hookstream.delivery.content import Prefixes, prefixes_of
from hookstream.delivery.tail import PACKED, Tail

_ROTATED = re.compile(r"[._-]\d[\dTZ:_-]*\Z")

Name = tuple[str, str]  # folder and name
Mark = tuple[int, str]  # length of a prefix and its digest


def original_names(name: str) -> set[str]:
    """The names a rotated file may have had: `a.jsonl.1.gz` and `a.1.jsonl` were `a.jsonl`."""
    names = set()
    for ending in PACKED:
        if name.endswith(ending):
            name = name.removesuffix(ending)
            names.add(name)
    if cut := _ROTATED.search(name):
        names.add(name[: cut.start()])
    stem, dot, ending = name.rpartition(".")
    if dot and (cut := _ROTATED.search(stem)):
        names.add(f"{stem[: cut.start()]}.{ending}")
    return names


class Relatives:
    """The followed files by the names that they have or had; valid for one look at the folders."""

    def __init__(self, tails: Iterable[Tail]) -> None:
        self._named: dict[Name, list[Tail]] = {}
        # what has been read of them, and what they hold now, by prefixes; made when asked for
        self._read: dict[Name, dict[Mark, dict[Mark, Tail]]] = {}
        self._there: dict[Name, dict[Mark, list[Tail]]] = {}
        for tail in tails:
            self.add(tail)

    def add(self, tail: Tail) -> None:
        """Take in one more file."""
        folder = str(tail.path.parent)
        for word in {tail.path.name, *original_names(tail.path.name)}:
            name = (folder, word)
            self._named.setdefault(name, []).append(tail)
            if name in self._there:
                _put(self._there[name], tail)

    def copies_of(self, tail: Tail) -> list[Tail]:
        """The files that are this one's copies by their names."""
        name = tail.path.name
        named = self._named.get((str(tail.path.parent), name), ())
        return [other for other in named if name in original_names(other.path.name)]

    def read_like(self, tail: Tail) -> list[Tail]:
        """The files of which what has been read may be this one's beginning, the newest first, one
        for each content. OSError or EOFError."""
        found: dict[int, Tail] = {}
        own: Prefixes | None = None
        for name in self._names(tail):
            index = self._read_index(name)
            if index and own is None:
                own = prefixes_of(tail.path)
            for mark in ((0, ""), *(own or {}).items()):
                for other in index.get(mark, {}).values():
                    found[other.number] = other
        found.pop(tail.number, None)
        return [found[number] for number in sorted(found, reverse=True)]

    def beginning_like(self, tail: Tail) -> Iterator[Tail]:
        """The plain files that may begin with everything this one has, the newest first. OSError
        or EOFError."""
        own: Prefixes | None = None
        for name in self._names(tail):
            index = self._there.get(name)
            if index is None:
                index = self._there[name] = {}
                for other in self._named[name]:
                    _put(index, other)
            if index and own is None:
                own = prefixes_of(tail.path)
            mark = max((own or {}).items(), default=(0, ""))
            yield from reversed(index.get(mark, []))

    def _names(self, tail: Tail) -> list[Name]:
        folder = str(tail.path.parent)
        names = [(folder, word) for word in original_names(tail.path.name)]
        return [name for name in names if name in self._named]

    def _read_index(self, name: Name) -> dict[Mark, dict[Mark, Tail]]:
        index = self._read.get(name)
        if index is None:
            index = self._read[name] = {}
            for tail in self._named[name]:
                if tail.offset:
                    # One that was saved by a version that kept no prefixes may be anything.
                    mark = max(tail.prefixes.items(), default=(0, ""))
                    index.setdefault(mark, {})[tail.offset, str(tail.crc)] = tail
        return index


def _put(index: dict[Mark, list[Tail]], tail: Tail) -> None:
    """Index a plain file by the prefixes of what it holds now."""
    if tail.packed or tail.gone_at is not None:
        return
    with suppress(OSError, EOFError):
        for mark in ((0, ""), *prefixes_of(tail.path).items()):
            index.setdefault(mark, []).append(tail)
