"""The end of the hook's time: whatever it is doing, the client gets its answer and status 0."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

IGNORED = ("SIGINT", "SIGTERM", "SIGHUP", "SIGPIPE", "SIGXFSZ")


# For the last action of a hook whose `at_end` did not end either.
LAST_S = 0.15


class Deadline:
    """A time limit: runs `at_end`, for at most another quarter of the time, and ends the process
    with status 0 once the time is over, unless `cancel`ed. If `at_end` does not end in that time,
    `at_last` has a moment.

    Signals that ask the hook to stop are ignored until then: it is about to stop, and half an
    append is useless.
    """

    def __init__(
        self, seconds: float, at_end: Callable[[], None], at_last: Callable[[], None]
    ) -> None:
        self.at_end = at_end
        self.at_last = at_last
        self.is_last = False
        self.grace_s = seconds / 4
        self.before: list[tuple[Any, Any]] = []
        self.over = False
        try:
            import _signal as signal
        except ImportError:
            self.signal: Any = None
            return
        self.signal = signal
        try:
            for name in IGNORED:
                number = getattr(signal, name, None)
                if number is not None:
                    self.before.append((number, signal.signal(number, signal.SIG_IGN)))
            if hasattr(signal, "setitimer"):
                self.before.append((signal.SIGALRM, signal.signal(signal.SIGALRM, self._alarm)))
                signal.setitimer(signal.ITIMER_REAL, seconds)
                return
        except ValueError:  # not the main thread: a caller in a larger program
            return
        self._watch(seconds)

    def _alarm(self, number: int, frame: Any) -> None:
        if self.is_last:
            os._exit(0)
        if self.over:
            self.is_last = True
            self.signal.setitimer(self.signal.ITIMER_REAL, LAST_S)
            try:
                self.at_last()
            finally:
                os._exit(0)
        self.over = True
        # The last action can hang in the same call as the work.
        self.signal.setitimer(self.signal.ITIMER_REAL, self.grace_s)
        self._end()

    def _watch(self, seconds: float) -> None:
        import _thread
        import time

        def wait() -> None:
            time.sleep(seconds)
            if not self.over:
                self.over = True
                self._end()

        _thread.start_new_thread(wait, ())

    def _end(self) -> None:
        try:
            self.at_end()
        finally:
            os._exit(0)

    def cancel(self) -> None:
        """The work is done; signals are as they were before."""
        if hasattr(self.signal, "setitimer"):
            self.signal.setitimer(self.signal.ITIMER_REAL, 0)
        self.over = True
        for number, handler in reversed(self.before):
            if handler is not None:  # one that Python did not set
                self.signal.signal(number, handler)
        self.before = []
