"""Rules that can match a text, for a process that has neither Hyperscan nor RE2 nor time.

All keywords are one pattern, a trie under a look-ahead: one pass over the text instead of one per
word. It costs 50 ms to make, so the hook's snapshot keeps it.
"""

from __future__ import annotations

import re
import sys
from hashlib import sha256

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from hookstream.redaction.rules import Rule

    # the pattern; longest word at a place -> its rules and those of the words it begins with; words
    # of one character -> rules
    Table = tuple[str, dict[str, tuple[int, ...]], dict[str, tuple[int, ...]]]


class KeywordEngine:
    """Rules that can match, by whether one of their keywords occurs: the `python` engine's own
    answers."""

    name = "keywords"

    def __init__(self, rules: tuple[Rule, ...]) -> None:
        pattern, self.by_word, self.by_character = _table(rules)
        self.find = re.compile(pattern).findall

    def candidates(self, text: str) -> list[int]:
        """The numbers of the rules that may match, ascending."""
        lowered = text.lower()
        found: set[int] = set()
        for character, numbers in self.by_character.items():
            if character in lowered:
                found.update(numbers)
        for word in set(self.find(lowered)):
            found.update(self.by_word[word])
        return sorted(found)


def _table(rules: tuple[Rule, ...]) -> Table:
    light = sys.modules.get("hookstream.capture.startup.lazy_stdlib")
    snapshot: Any = getattr(light, "snapshot", None)
    if snapshot is None:
        return make_table(rules)
    stamp = getattr(rules[0], "stamp", None)  # of the hook's index, see rule_index
    key = ("keywords of", hash_of(rules) if stamp is None else stamp)
    table: Table | None = snapshot.recall(key)
    if table is None:
        table = make_table(rules)
        snapshot.keep(key, table)
    return table


def hash_of(rules: tuple[Rule, ...]) -> int:
    """A fingerprint (number) of the keywords of these rules in their order."""
    words = "\n".join(["\0".join(rule.keywords) for rule in rules])
    return int.from_bytes(sha256(words.encode()).digest()[:8], "big")


def make_table(rules: tuple[Rule, ...]) -> Table:
    """The pattern of all keywords and what a match of it says."""
    rules_of: dict[str, set[int]] = {}
    for number, rule in enumerate(rules):
        for word in rule.keywords:
            rules_of.setdefault(word, set()).add(number)
    long = [word for word in rules_of if len(word) > 1]
    by_word = {}
    for word in long:
        beginnings = (word[:end] for end in range(2, len(word) + 1))
        numbers = (rules_of[part] for part in beginnings if part in rules_of)
        by_word[word] = tuple(sorted(set().union(*numbers)))
    single = {word: tuple(sorted(rules_of[word])) for word in rules_of if len(word) == 1}
    return f"(?=({_trie(long)}))" if long else r"(\Z\A)", by_word, single


def _trie(words: Iterable[str]) -> str:
    """A pattern that matches the longest of the words at a place."""
    root: dict[str, Any] = {}
    for word in words:
        node = root
        for character in word:
            node = node.setdefault(character, {})
        node[""] = {}
    return _alternatives(root)


def _alternatives(node: dict[str, Any]) -> str:
    parts = [re.escape(mark) + _alternatives(node[mark]) for mark in sorted(node) if mark]
    if not parts:
        return ""
    if "" in node:
        return f"(?:{'|'.join(parts)})?"
    return parts[0] if len(parts) == 1 else f"(?:{'|'.join(parts)})"
