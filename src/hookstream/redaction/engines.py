"""The three engines. Each answers one question: which rules can match this text?"""

from __future__ import annotations

import re

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

    Node = dict[str, "Node"]


# So many characters are read word by word; making the trie costs as much.
TRIE_FROM = 40_000
# Characters of a text that has fewer parts than there are words, as a field's name.
NAME = 40
DIGITS = str.maketrans("0123456789", "#" * 10)


class PythonEngine:
    """A rule can match if one of its keywords is in the text. Needs nothing; after TRIE_FROM
    characters it makes one pattern of all words."""

    name = "python"

    def __init__(self, rules: tuple[Rule, ...]) -> None:
        words: dict[str, list[int]] = {}
        for number, rule in enumerate(rules):
            for word in rule.keywords:
                words.setdefault(word, []).append(number)
        # Words in which `#` is a digit.
        self.shapes = {word: words.pop(word) for word in list(words) if "#" in word}
        self.words = words
        self.read = 0
        self.trie: Callable[[str], list[str]] | None = None

    def candidates(self, text: str) -> list[int]:
        lowered = text.lower()
        rule_numbers: set[int] = set()
        outline = lowered.translate(DIGITS)
        for shape, numbers in self.shapes.items():
            if shape in outline:
                rule_numbers.update(numbers)
        self.read += len(lowered)
        if self.read > TRIE_FROM:
            self.trie = self.trie or re.compile(self._make_trie()).findall
            for word in {*self.trie(lowered), *(mark for mark in self.single if mark in lowered)}:
                rule_numbers.update(self.words[word])
            return sorted(rule_numbers)
        if len(lowered) <= NAME:
            ends = range(1, len(lowered) + 1)
            parts = {lowered[start:end] for end in ends for start in range(end)}
            for word in parts & self.words.keys():
                rule_numbers.update(self.words[word])
            return sorted(rule_numbers)
        for word, numbers in self.words.items():
            if word in lowered:
                rule_numbers.update(numbers)
        return sorted(rule_numbers)

    def _make_trie(self) -> str:
        """The pattern of the longest word at a place. From then on a word has the rules of the
        words it begins with; `single` has the words of one character."""
        self.single = [word for word in self.words if len(word) == 1]
        long = [word for word in self.words if len(word) > 1]
        self.words |= {
            word: sorted(
                {
                    number
                    for end in range(2, len(word) + 1)
                    for number in self.words.get(word[:end], ())
                }
            )
            for word in long
        }
        root: Node = {}
        for word in long:
            node = root
            for character in word:
                node = node.setdefault(character, {})
            node[""] = {}
        return f"(?=({alternatives(root)}))" if long else r"(\Z\A)"


def alternatives(node: Node) -> str:
    """The pattern of what follows a node of a trie: character -> node, "" at a word's end."""
    parts = [re.escape(mark) + alternatives(node[mark]) for mark in sorted(node) if mark]
    if not parts:
        return ""
    if "" in node:
        return f"(?:{'|'.join(parts)})?"
    return parts[0] if len(parts) == 1 else f"(?:{'|'.join(parts)})"


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
