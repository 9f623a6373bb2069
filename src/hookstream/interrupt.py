"""Defer Ctrl-C to the end of a batch, so that output and counters stay consistent."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator


class Shield:
    """While it is held, the first Ctrl-C waits for `release`; a second one breaks through."""

    def __init__(self) -> None:
        self.held = False
        self.asked = False

    def take(self, number: int, frame: Any) -> None:
        """The signal's handler."""
        if self.held and not self.asked:
            self.asked = True
            return
        raise KeyboardInterrupt

    def release(self) -> None:
        self.held = False
        if self.asked:
            self.asked = False
            raise KeyboardInterrupt


@contextmanager
def shielded() -> Iterator[Shield]:
    """A Shield in place of Python's own handler; another program's handler is left alone."""
    shield = Shield()
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield shield
        return
    signal.signal(signal.SIGINT, shield.take)
    try:
        yield shield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
