"""All detectors over one stream."""

from __future__ import annotations

from hookstream.core.event import place_of
from hookstream.detect.attempts import DEFAULT, Thresholds
from hookstream.detect.context import ContextPressure
from hookstream.detect.decisions import Decisions
from hookstream.detect.errors import errors
from hookstream.detect.loops import Loops
from hookstream.detect.risk import assess

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.event import Event

__all__ = ["Detectors"]


class Detectors:
    """All detectors over one stream, in a fixed order; state is bounded in each."""

    def __init__(self, thresholds: Thresholds = DEFAULT) -> None:
        self.loops = Loops(thresholds)
        self.decisions = Decisions()
        self.context = ContextPressure()

    def forget(self, place: tuple[str, str]) -> None:
        """Drop what is known of the session of a tool."""
        self.park([place])

    def park(self, places: list[tuple[str, str]]) -> list[dict[tuple[str, str], Any]]:
        """Remove and return the state of each detector for these sessions."""
        return [
            {place: table.pop(place) for place in places if place in table}
            for table in self._tables()
        ]

    def unpark(self, parked: list[dict[tuple[str, str], Any]]) -> None:
        for table, kept in zip(self._tables(), parked, strict=False):
            for place, value in kept.items():
                table[place] = value

    def _tables(self) -> tuple[dict[Any, Any], ...]:
        return (self.loops.sessions, self.decisions.sessions, self.context.sessions)

    def see(self, event: Event) -> list[Event]:
        """Complete the Event (category, severity, risk) and gives the Events derived from it."""
        self.decisions.fill(event)
        place = place_of(event.facts)
        derived: list[Event] = []
        if "duplicate_of" not in event.facts:
            derived = [
                *errors(event),
                *self.decisions.see(event, place),
                *self.loops.see(event, place),
                *self.context.see(event, place),
            ]
        assess(event)
        for more in derived:
            assess(more)
        return derived
