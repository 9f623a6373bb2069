"""The texts of an Event in one pass of the engine, without those known to be clean.

Names, ids and paths repeat with every event of a session: nine in ten texts of an event, and half
of its characters, were scanned with one before it.
"""

from __future__ import annotations

from hookstream.redaction.homes import may_name
from hookstream.redaction.scanner import SEPARATOR

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.core.event import Event
    from hookstream.redaction.scanner import Scanner

# How many clean texts are known, and how long they may be.
TEXTS, LENGTH = 4096, 256
# What is made here whenever an Event is, and holds nothing of its record.
MADE = ("event_id", "timestamp", "received_at")


class EventScan:
    """Asks a scanner about Events, one after the other."""

    def __init__(self, scanner: Scanner) -> None:
        self.scanner = scanner
        self._candidates = scanner.candidates
        self._home = scanner.home
        # Texts in which no rule finds anything: whoever gathers texts leaves these out.
        self.clean: set[str] = set()

    def found(self, event: Event, texts: list[str]) -> tuple[list[int], bool]:
        """The numbers of the rules that find something in the texts of an Event, and whether one
        may hold a user's home folder."""
        unknown = self._unknown(event, texts)
        if not unknown:
            return [], False
        joined = SEPARATOR.join(unknown)
        numbers = self._candidates(joined)
        has_home = bool(numbers) and numbers[-1] == self._home
        if has_home:
            numbers.pop()
        if numbers:
            return self.scanner.confirm(joined, numbers), has_home
        self._learn(unknown, has_home)
        return [], has_home

    def _unknown(self, event: Event, texts: list[str]) -> list[str]:
        if event.read_back:  # anybody may have written its line
            return [text for text in texts if text not in self.clean]
        get = event.facts.get
        made = [get(name) for name in MADE]
        return [text for text in texts if text not in made]

    def _learn(self, texts: list[str], has_home: bool) -> None:
        """No rule can match any of these texts."""
        if len(self.clean) > TEXTS:
            self.clean.clear()
        short = [text for text in texts if len(text) <= LENGTH]
        if has_home:
            short = [text for text in short if not may_name(text)]
        self.clean.update(short)
