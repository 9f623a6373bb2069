"""Hyperscan: all rules in one pass over the bytes, from databases kept on disk.

Each pattern reports at most once (HS_FLAG_SINGLEMATCH): the question is which rules match. Rules of
one beginning share a loose prefilter in that pass, and only where it matches a second, small
database says which of them do: ten automata that begin alike cost an eighth of the pass.
"""

from __future__ import annotations

import hyperscan

from hookstream.redaction import cache
from hookstream.redaction.engines import prefilter, prefix_groups, relaxed, shared_prefilter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.redaction.rules import Rule


class HyperscanEngine:
    name = "hyperscan"

    def __init__(self, rules: tuple[Rule, ...]) -> None:
        prefilters: list[str] = []
        self._alone: list[int] = []  # the rule of each prefilter, -1 where several share it
        self._members: list[int] = []
        for numbers in prefix_groups(rules):
            if len(numbers) == 1:
                prefilters.append(prefilter(rules[numbers[0]]))
                self._alone.append(numbers[0])
            else:
                prefilters.append(shared_prefilter([rules[number] for number in numbers]))
                self._alone.append(-1)
                self._members += numbers
        self._first = Database(prefilters)
        members = [relaxed(rules[number].pattern) for number in self._members]
        self._second = Database(members) if members else None

    def candidates(self, text: str) -> list[int]:
        """The numbers of the rules that can match, ascending. Safe to call from several threads."""
        try:
            data = text.encode()
        except UnicodeEncodeError:  # lone surrogates stand in no pattern
            data = text.encode("utf-8", "replace")
        found = self._first.matches(data)
        if not found:
            return []
        numbers = {self._alone[at] for at in found}
        if -1 in numbers and self._second is not None:
            numbers.remove(-1)
            numbers.update(self._members[at] for at in self._second.matches(data))
        return sorted(numbers)


class Database:
    """Patterns compiled together. One scan needs space of its own, so units of it are lent."""

    def __init__(self, patterns: list[str]) -> None:
        encoded = [pattern.encode() for pattern in patterns]
        key = cache.key_of(encoded, getattr(hyperscan, "__version__", ""))
        self.compiled = load(key) or build(encoded, key)
        self._scan = self.compiled.scan
        self._units: list[tuple[list[int], Any, Any]] = [self._unit()]

    def _unit(self) -> tuple[list[int], Any, Any]:
        """What one scan needs for itself: its hits, the function that takes them, scratch space."""
        found: list[int] = []

        def take(number: int, start: int, end: int, flags: int, context: Any) -> None:
            found.append(number)

        return found, take, hyperscan.Scratch(self.compiled)

    def matches(self, data: bytes) -> list[int]:
        """The numbers of the patterns that match, in no order."""
        try:
            unit = self._units.pop()
        except IndexError:
            unit = self._unit()
        found, take, scratch = unit
        self._scan(data, take, scratch=scratch)
        hits = found[:]
        found.clear()
        self._units.append(unit)
        return hits


def build(patterns: list[bytes], key: str) -> Any:
    """Compile the database (a fifth of a second for all rules) and leaves it in the cache."""
    database = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
    database.compile(
        expressions=patterns,
        ids=list(range(len(patterns))),
        flags=[hyperscan.HS_FLAG_SINGLEMATCH] * len(patterns),
    )
    cache.store(key, hyperscan.dumpb(database))
    return database


def load(key: str) -> Any:
    """The database from the cache, or None where there is none that this machine can use."""
    data = cache.fetch(key)
    if data is None:
        return None
    try:
        return hyperscan.loadb(data, hyperscan.HS_MODE_BLOCK)
    except Exception:  # a database of another build: compile anew
        return None
