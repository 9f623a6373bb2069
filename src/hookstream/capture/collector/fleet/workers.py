"""Several processes on one listening socket: the one that is free takes the next connection."""

from __future__ import annotations

import logging
import os
import signal
import sys
import time
from collections.abc import Callable

from hookstream.capture.hook.failures import describe
from hookstream.core.errors import HookstreamError

LOG = logging.getLogger("hookstream.collector")
# A worker that ends sooner is started again after a pause, and after this many of them no more.
SHORT_S, PAUSE_S, GIVE_UP = 2.0, 1.0, 5


class Workers:
    """Supervisor of `count` processes that run `work` until asked to stop. `work` gets the
    worker's number and a descriptor that ends when the parent is gone, however it ended."""

    def __init__(self, count: int, work: Callable[[int, int], None]) -> None:
        self.count = count
        self.work = work
        self.running: dict[int, tuple[int, float]] = {}
        self.stopping = False
        self.parent = os.pipe()
        self.short_lived = 0

    def run(self) -> int:
        """The exit code: 0 after a signal to stop, 1 if workers keep failing."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._stop)
        for slot in range(1, self.count + 1):
            self._start(slot)
        while self.running:
            try:
                pid, status = os.waitpid(-1, 0)
            except ChildProcessError:
                break
            except InterruptedError:
                continue
            self._ended(pid, status)
        return 1 if self.short_lived >= GIVE_UP else 0

    def _start(self, slot: int) -> None:
        pid = os.fork()
        if pid == 0:
            code = 1
            try:
                for number in (signal.SIGTERM, signal.SIGINT):
                    signal.signal(number, signal.SIG_DFL)
                os.close(self.parent[1])
                self.work(slot, self.parent[0])
                code = 0
            except HookstreamError as error:
                LOG.error("%s", error)
            except Exception as error:
                LOG.error("worker %d: %s", slot, describe(error))
            finally:
                sys.stderr.flush()
                os._exit(code)
        self.running[pid] = (slot, time.monotonic())

    def _ended(self, pid: int, status: int) -> None:
        if pid not in self.running:
            return
        slot, since = self.running.pop(pid)
        if self.stopping:
            return
        LOG.warning("worker %d ended (%s)", slot, said(status))
        is_short = time.monotonic() - since < SHORT_S
        self.short_lived = self.short_lived + 1 if is_short else 0
        if self.short_lived >= GIVE_UP:
            self._stop()
            return
        if is_short:
            time.sleep(PAUSE_S)
        if not self.stopping:
            self._start(slot)

    def _stop(self, *_: object) -> None:
        self.stopping = True
        for pid in self.running:
            try:
                os.kill(pid, signal.SIGTERM)
            except ProcessLookupError:
                continue


def said(status: int) -> str:
    """The signal or exit code that ended a process."""
    code = os.waitstatus_to_exitcode(status)
    return f"signal {-code}" if code < 0 else f"exit code {code}"
