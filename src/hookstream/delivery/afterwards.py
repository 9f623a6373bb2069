"""Events that follow from what a sink has stored: asked for whenever it has stored more, and put
after all that was read, for every sink.

Nothing is asked before all earlier answers are stored, so that what is stored says what was
answered, after a crash too.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hookstream.core.errors import HookstreamError
from hookstream.core.logs import LOG

if TYPE_CHECKING:
    from collections.abc import Callable

    from hookstream.core.event import Event
    from hookstream.delivery.sender import Sender

POLL_S = 0.1
AGAIN_S = 60.0
# Seconds until the next question, for a second that one took: a tenth of the time goes into them.
REST = 10.0


@dataclass(frozen=True)
class Later:
    """A question about stored events: `ask` it, `interrupt` it, and `uri`, the address of the sink
    whose progress triggers it."""

    uri: str
    ask: Callable[[], list[Event]]
    interrupt: Callable[[], None]


class Afterwards(threading.Thread):
    """Ask in a separate thread; the follower fetches `made` and says where it put it."""

    def __init__(self, later: Later, sender: Sender, end: int, rest: float = REST) -> None:
        super().__init__(name="afterwards", daemon=True)
        self.made: list[Event] = []
        self._later = later
        self._sender = sender
        self._rest = rest
        # Earlier answers are stored before this offset.
        self._answered = end
        self._asked = -1
        self._next = 0.0
        self._told = threading.Event()

    @property
    def is_settled(self) -> bool:
        """Return whether questions cover all that is stored, and nothing followed from it."""
        return not self.made and (self._asked == self._stored() or self._sender.is_stuck)

    def put(self, end: int) -> None:
        """Note that `made` is stored in the spool before this offset."""
        self._answered = end
        self.made = []

    def stop(self) -> None:
        self._told.set()
        self._later.interrupt()

    def run(self) -> None:
        while not self._told.wait(POLL_S):
            stored = self._stored()
            is_due = not self.made and self._answered <= stored != self._asked
            if is_due and time.monotonic() >= self._next:
                self._work(stored)

    def _stored(self) -> int:
        done = self._sender.cursor.done
        return done.offset if done else 0

    def _work(self, stored: int) -> None:
        began = time.monotonic()
        wait = AGAIN_S
        try:
            self.made = self._later.ask()
            wait = self._rest * (time.monotonic() - began)
        except HookstreamError as error:
            if not self._told.is_set():
                LOG.warning("rules over %s: %s", self._sender.label, error)
        except Exception as error:  # a fault here keeps no record from being delivered
            LOG.warning("rules over %s: %s: %s", self._sender.label, type(error).__name__, error)
        self._asked = stored
        self._next = time.monotonic() + wait
