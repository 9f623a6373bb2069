"""Secrets in the clear in session files: the rule, the file, and since when. Never the value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookstream.sinks.base import DELIVERED

if TYPE_CHECKING:
    from hookstream.sinks.base import Receipt
    from hookstream.standards.rendered import Rendered

# Places and values that are counted separately at most.
LIMIT = 20_000
VALUES = 1000


class SecretPlace:
    """Findings of one rule in one file: distinct values, the facts they are in, first and last
    time."""

    __slots__ = ("facts", "first_at", "last_at", "values")

    def __init__(self) -> None:
        self.values: set[str] = set()
        self.facts: set[str] = set()
        self.first_at = ""
        self.last_at = ""


class SecretPlaces:
    """A sink that keeps of each Event only the place of its secrets."""

    uri = "secrets:"

    def __init__(self) -> None:
        self.file = ""
        self.places: dict[tuple[str, str], SecretPlace] = {}

    def write(self, batch: list[Rendered]) -> list[Receipt]:
        for item in batch:
            event = item.event
            for rule, path, mark in event.secrets:
                self._add(rule, path, mark, event.facts["timestamp"])
        return [DELIVERED] * len(batch)

    def _add(self, rule: str, fact: str, mark: str, at: str) -> None:
        place = self.places.get((rule, self.file))
        if place is None:
            if len(self.places) >= LIMIT:
                return
            place = self.places[rule, self.file] = SecretPlace()
        if len(place.values) < VALUES:
            place.values.add(mark)
        place.facts.add(fact.partition(".")[0].partition("[")[0])
        place.first_at = min(place.first_at or at, at)
        place.last_at = max(place.last_at, at)

    def reject(self, lines: list[bytes]) -> None:
        pass

    def flush(self) -> None:
        pass

    def close(self) -> None:
        pass
