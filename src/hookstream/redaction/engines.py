"""The three engines. Each answers one question: which rules can match this text?"""

from __future__ import annotations

from hookstream.redaction.escapes import as_utf8
from hookstream.redaction.prefilters import prefilter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    from hookstream.redaction.rules import Rule

    class Engine(Protocol):
        name: str

        def candidates(self, text: str) -> list[int]: ...


class PythonEngine:
    """A rule can match if one of its keywords is in the text. Needs nothing, compiles nothing."""

    name = "python"

    def __init__(self, rules: tuple[Rule, ...]) -> None:
        words: dict[str, list[int]] = {}
        for number, rule in enumerate(rules):
            for word in rule.keywords:
                words.setdefault(word, []).append(number)
        self.words = tuple(words.items())

    def candidates(self, text: str) -> list[int]:
        lowered = text.lower()
        rule_numbers: set[int] = set()
        for word, numbers in self.words:
            if word in lowered:
                rule_numbers.update(numbers)
        return sorted(rule_numbers)


class RE2Engine:
    """A set of patterns that RE2 runs through once."""

    name = "re2"

    def __init__(self, rules: tuple[Rule, ...]) -> None:
        import re2

        options = re2.Options()
        options.max_mem = 1 << 28
        options.log_errors = False
        self.set = re2.Set.SearchSet(options)
        for rule in rules:
            self.set.Add(prefilter(rule))
        self.set.Compile()

    def candidates(self, text: str) -> list[int]:
        return sorted(self.set.Match(as_utf8(text)) or ())


def _hyperscan(rules: tuple[Rule, ...]) -> Engine:
    from hookstream.redaction.hyperscan_engine import HyperscanEngine

    return HyperscanEngine(rules)


# The fastest first.
ENGINES: dict[str, Callable[[tuple[Rule, ...]], Engine]] = {
    "hyperscan": _hyperscan,
    "re2": RE2Engine,
    "python": PythonEngine,
}


def choose(name: str, rules: tuple[Rule, ...]) -> Engine:
    """The engine of that name; for `auto` the fastest that is installed."""
    for engine, make in ENGINES.items():
        if name in ("auto", engine):
            try:
                return make(rules)
            except ImportError:
                if name == engine:
                    raise
    raise ValueError(f"{name}: no such engine ({', '.join(ENGINES)}, auto)")
