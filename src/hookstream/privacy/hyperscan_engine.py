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
        key = cache.key_of(patterns, hyperscan.__version__)
        self.database = load(key) or build(patterns, key)
        self._found: list[int] = []
        self._scratch = hyperscan.Scratch(self.database)
        self.database.scratch = self._scratch

    def _on_match(self, number: int, start: int, end: int, flags: int, context: Any) -> None:
        context.append(number)

    def candidates(self, text: str) -> list[int]:
        try:
            data = text.encode()
        except UnicodeEncodeError:  # lone surrogates stand in no pattern
            data = text.encode("utf-8", "replace")
        found: list[int] = []
        self.database.scan(data, match_event_handler=self._on_match, context=found)
        if len(found) > 1:
            found.sort()
        return found


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
