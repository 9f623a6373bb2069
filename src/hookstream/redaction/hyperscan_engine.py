"""Hyperscan: all rules in one pass over the bytes, from databases kept on disk.

Each pattern reports at most once (HS_FLAG_SINGLEMATCH): the question is which rules match. Rules of
one beginning share a loose prefilter in that pass, and only where it matches a second, small
database says which of them do: ten automata that begin alike cost an eighth of the pass. Those that
match often share another one, and where it matches all of them are looked at.
"""

from __future__ import annotations

import hyperscan

from hookstream.redaction import cache
from hookstream.redaction.escapes import as_utf8
from hookstream.redaction.prefilters import prefilter, prefix_groups, relaxed, shared_prefilter
from hookstream.redaction.starts import WordPass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.redaction.rules import Rule


class HyperscanEngine:
    name = "hyperscan"

    def __init__(self, rules: tuple[Rule, ...]) -> None:
        prefilters: list[str] = []
        self._rules_of: list[list[int]] = []  # of each prefilter; none if the second pass decides
        self._members: list[int] = []
        for numbers in prefix_groups(rules):
            if len(numbers) == 1:
                prefilters.append(prefilter(rules[numbers[0]]))
                self._rules_of.append(numbers)
            else:
                prefilters.append(shared_prefilter([rules[number] for number in numbers]))
                often = bool(rules[numbers[0]].prefilter)
                self._rules_of.append(numbers if often else [])
                self._members += [] if often else numbers
        self._first = Database(prefilters)
        members = [relaxed(rules[number].pattern) for number in self._members]
        self._second = Database(members) if members else None
        self.starts_in = WordPass({word for rule in rules for word in rule.starts}, Database)

    def candidates(self, text: str) -> list[int]:
        """The numbers of the rules that can match, ascending. Safe to call from several threads."""
        data = as_utf8(text)
        ids = self._first.matches(data)
        if not ids:
            return []
        rule_numbers = [self._rules_of[at] for at in ids]
        numbers = {number for several in rule_numbers for number in several}
        if [] in rule_numbers and self._second is not None:
            numbers.update(self._members[at] for at in self._second.matches(data))
        return sorted(numbers)


class Database:
    """Patterns compiled together. Each scan needs separate space, so units of it are lent."""

    def __init__(self, patterns: list[str], single: bool = True) -> None:
        encoded = [pattern.encode() for pattern in patterns]
        mark = getattr(hyperscan, "__version__", "") + ("" if single else " all")
        key = cache.key_of(encoded, mark)
        self.compiled = load(key) or build(encoded, key, single)
        self._scan = self.compiled.scan
        self._single = single
        self._units: list[tuple[list[Any], Any, Any]] = [self._unit()]

    def _unit(self) -> tuple[list[Any], Any, Any]:
        """The unit that one scan needs: its hits, the function that takes them, scratch space."""
        ids: list[Any] = []

        def take(number: int, start: int, end: int, flags: int, context: Any) -> None:
            ids.append(number)

        def take_place(number: int, start: int, end: int, flags: int, context: Any) -> None:
            ids.append((number, end))

        return ids, take if self._single else take_place, hyperscan.Scratch(self.compiled)

    def matches(self, data: bytes) -> list[Any]:
        """The numbers of the patterns that match, in no order; unless `single`, each time that
        one does as (number, where the match ends)."""
        try:
            unit = self._units.pop()
        except IndexError:
            unit = self._unit()
        ids, take, scratch = unit
        self._scan(data, take, scratch=scratch)
        hits = ids[:]
        ids.clear()
        self._units.append(unit)
        return hits


def build(patterns: list[bytes], key: str, single: bool = True) -> Any:
    """Compile the database and leave it in the cache: all rules take 3.5 s of CPU, once for
    each user and version."""
    database = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
    database.compile(
        expressions=patterns,
        ids=list(range(len(patterns))),
        flags=[hyperscan.HS_FLAG_SINGLEMATCH if single else 0] * len(patterns),
    )
    cache.store(key, hyperscan.dumpb(database))
    return database


def load(key: str) -> Any:
    """The database from the cache, or None if it does not hold one that this machine can use."""
    data = cache.fetch(key)
    if data is None:
        return None
    try:
        return hyperscan.loadb(data, hyperscan.HS_MODE_BLOCK)
    except Exception:  # a database of another build: compile again
        return None
