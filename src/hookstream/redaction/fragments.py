"""Pieces of a secret where an event repeats it cut, sliced or respelt.

A tool's name is split at its dashes, a server's name is cut to a length, a host's name is made a
slug: what is left of a token has no format any more. Once the complete secret was found anywhere in
an event its pieces are known by what they share with it. An address or a number of a person is
looked for as a whole only: its parts are words that occur elsewhere.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from hookstream.core.event import Event

WINDOW = 12  # characters in a row that make a piece; a shorter secret counts as a whole
LEAST = 8
MOST = 4096
_NO_WORD = re.compile(r"[^a-z0-9]")


def plain(text: str) -> str:
    """Small letters and digits; a dash for every other character, so that places stay."""
    small = text.lower()
    if len(small) != len(text):  # some letters grow
        small = "".join(char.lower() if len(char.lower()) == 1 else "-" for char in text)
    return _NO_WORD.sub("-", small)


class Fragments:
    """The secrets of one event: (rule, value). `whole`: only the complete value is a piece."""

    def __init__(self, found: Iterable[tuple[str, str]], whole: bool = False) -> None:
        self.parts: dict[str, str] = {}
        self.sizes: set[int] = set()
        for rule, value in found:
            spelt = plain(value[:MOST])
            size = len(spelt) if whole else min(WINDOW, len(spelt))
            if size < LEAST or (size < WINDOW and not any(char.isdigit() for char in spelt)):
                continue  # a short one without digits may be a word that occurs elsewhere
            self.sizes.add(size)
            for at in range(len(spelt) - size + 1):
                part = spelt[at : at + size]
                if part.strip("-"):
                    self.parts.setdefault(part, rule)

    def without(self, text: str) -> str:
        """The text without pieces of the secrets; itself if it has none."""
        spelt = plain(text)
        runs: list[tuple[int, int, str]] = []
        for size in self.sizes:
            for at in range(len(spelt) - size + 1):
                rule = self.parts.get(spelt[at : at + size])
                if rule is not None:
                    runs.append((at, at + size, rule))
        if not runs:
            return text
        out: list[str] = []
        done = 0
        for start, end, rule in sorted(runs):
            if start > done or not out:
                out += [text[done:start], f"[REDACTED:{rule}]"]
            done = max(done, end)
        return "".join([*out, text[done:]])

    def drop(self, event: Event, spared: frozenset[str]) -> list[str]:
        """Take the pieces out of the string facts but the spared, out of whose the event is and an
        unknown event's type; the names of the facts that changed."""
        changed: list[str] = []
        facts = event.facts
        for name, value in facts.items():
            if type(value) is str and name not in spared:
                fresh = self.without(value)
                if fresh != value:
                    facts[name] = fresh
                    changed.append(name)
        event.vendor = self.without(event.vendor)
        if event.type.startswith("vendor."):
            event.type = self.without(event.type)
        return changed
