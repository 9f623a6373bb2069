"""Hyperscan: all rules in one pass over the bytes, from a database kept on disk.

Each rule reports at most once (HS_FLAG_SINGLEMATCH): the question is which rules match.
"""

from __future__ import annotations

import hyperscan

from hookstream.privacy import cache
from hookstream.privacy.engines import screen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.privacy.rules import Rule


class HyperscanEngine:
    name = "hyperscan"

    def __init__(self, rules: tuple[Rule, ...]) -> None:
        patterns = [screen(rule.pattern).encode() for rule in rules]
        key = cache.key_of(patterns, getattr(hyperscan, "__version__", ""))
        self.database = load(key) or build(patterns, key)
        self._scan = self.database.scan
        self._units: list[tuple[list[int], Any, Any]] = [self._unit()]

    def _unit(self) -> tuple[list[int], Any, Any]:
        """What one scan needs for itself: its hits, the function that takes them, scratch space."""
        found: list[int] = []

        def take(number: int, start: int, end: int, flags: int, context: Any) -> None:
            found.append(number)

        return found, take, hyperscan.Scratch(self.database)

    def candidates(self, text: str) -> list[int]:
        """The numbers of the rules that can match, ascending. Safe to call from several threads."""
        try:
            data = text.encode()
        except UnicodeEncodeError:  # lone surrogates stand in no pattern
            data = text.encode("utf-8", "replace")
        try:
            unit = self._units.pop()
        except IndexError:
            unit = self._unit()
        found, take, scratch = unit
        self._scan(data, take, scratch=scratch)
        if not found:
            self._units.append(unit)
            return []
        numbers = sorted(found)
        found.clear()
        self._units.append(unit)
        return numbers


def build(patterns: list[bytes], key: str) -> Any:
    """Compiles the database (a fifth of a second) and leaves it in the cache."""
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
