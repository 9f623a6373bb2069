"""Destinations of a hook's lines: the registered place, and one that the environment adds."""

from __future__ import annotations

import os

from hookstream.capture.log.place import VARIABLE, Destinations, destinations, target

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.capture.hook.request import HookRequest
    from hookstream.capture.log.append import LogFile
    from hookstream.capture.log.place import LogTarget
    from hookstream.capture.settings import CaptureSettings

LATE_WAIT_S = 0.1


def chosen(request: HookRequest, settings: CaptureSettings) -> Destinations:
    """The places to append this hook's events to. Raises FileNotFoundError without a home
    folder."""
    if not request.registered and not settings.is_log_locked:
        return Destinations(target(request.log, settings.log))
    may_replace = settings.environment == "replace"
    value = os.environ.get(VARIABLE)
    return destinations(request.log, value, settings.log, may_replace, settings.is_log_locked)


class Appender:
    """Writer of lines to every place. `wait_s` is the longest wait for another writer."""

    def __init__(self, places: list[LogTarget], settings: CaptureSettings, wait_s: float) -> None:
        self.places = places
        self.settings = settings
        self.wait_s = wait_s
        self.pending = b""
        self.unwritten: list[LogTarget] = []
        # the places that took nothing
        self.failed: list[LogTarget] = []
        self.log: LogFile | None = None

    def append(self, data: bytes) -> None:
        """Raise what the first place that took nothing raised; the others have the lines."""
        if data != self.pending:
            self.pending = data
            self.unwritten = list(self.places)
            self.failed = []
        self._go_on()

    def append_trace(self, data: bytes) -> None:
        """Append a note of the missing lines, in the place that lacks them."""
        missing = self.failed + self.unwritten if self.pending else self.places
        self.pending, self.unwritten, self.failed = data, list(missing), []
        self._go_on()

    def finish(self) -> bool:
        """Continue an append that a deadline has interrupted; return whether there is one."""
        self.wait_s = LATE_WAIT_S
        if self.unwritten and self.log is not None and self.log.written:
            self.unwritten.pop(0)
        self.log = None
        self._go_on()
        return bool(self.pending)

    @property
    def is_written(self) -> bool:
        """Return whether every place has the lines, synced or not."""
        return bool(self.pending) and not self.unwritten and not self.failed

    def _go_on(self) -> None:
        problem: Exception | None = None
        while self.unwritten:
            try:
                self._append_to(self.unwritten[0])
            except (ImportError, EOFError):  # bytecode cut short: it is tried again from source
                raise
            except Exception as error:
                problem = problem or error
                if self.log is None or not self.log.written:
                    self.failed.append(self.unwritten[0])
            self.unwritten.pop(0)
            self.log = None
        if problem is not None:
            raise problem

    def _append_to(self, place: LogTarget) -> None:
        from hookstream.capture.log.append import log_for

        self.log = log_for(place, self.settings)
        self.log.wait_s = min(self.log.wait_s, self.wait_s)
        self.log.append(self.pending)
