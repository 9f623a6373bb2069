"""What a sequence of Events means. Detectors use only facts that every privacy mode keeps, so
that scores, loops and decisions are the same in all of them."""

from __future__ import annotations

from hookstream.detect.context import ContextPressure
from hookstream.detect.decisions import Decisions
from hookstream.detect.errors import errors
from hookstream.detect.loops import Loops
from hookstream.detect.risk import assess

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.event import Event

__all__ = ["Detectors"]


class Detectors:
    """All detectors over one stream, in a fixed order; state is bounded in each."""

    def __init__(self) -> None:
        self.loops = Loops()
        self.decisions = Decisions()
        self.context = ContextPressure()

    def forget(self, place: tuple[str, str]) -> None:
        """Drops what is known of the session of a tool."""
        for detector in (self.loops, self.decisions, self.context):
            detector.sessions.pop(place, None)

    def see(self, event: Event) -> list[Event]:
        """Completes the Event (category, severity, risk) and gives the Events derived from it."""
        self.decisions.fill(event)
        derived: list[Event] = []
        if "duplicate_of" not in event.facts:
            derived = [
                *errors(event),
                *self.decisions.see(event),
                *self.loops.see(event),
                *self.context.see(event),
            ]
        assess(event)
        for more in derived:
            assess(more)
        return derived
