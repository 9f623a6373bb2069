"""A newer lake in the place of the one whose pages are open.

One's own lake is made of files as they were. Those written since are counted, and read when that is
asked for: a process makes the lake again, then the pages show it.
"""

from __future__ import annotations

import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from hookstream.core.errors import HookstreamError
from hookstream.core.logs import say

# Between looks for newer files; with very many of them a look is a fiftieth of the time at most.
LOOK_S, LOOK_SHARE = 30.0, 50


class Renewal:
    """`count` says how many files are newer than the lake at a path, `command` makes it again and
    prints how far it is and the path of the new one, `show` shows that. `problem` says why that
    failed; `at_once`: the lake holds the newest sessions alone, and the rest is read right away."""

    def __init__(
        self, count: Callable[[Path], int], command: Sequence[str], *, at_once: bool = False
    ) -> None:
        self.count = count
        self.command = command
        self.at_once = at_once
        self.share = ""
        self.show: Callable[[Path], None] = lambda path: None
        self.problem = ""
        # Until when, of which lake, how many.
        self._known: tuple[float, Path, int] | None = None
        self._work: threading.Thread | None = None
        self._process: subprocess.Popen[str] | None = None
        self._lock = threading.Lock()

    def newer(self, lake: Path) -> int:
        """The number of newer files, looked for every LOOK_S."""
        known = self._known
        began = time.monotonic()
        if known is None or known[1] != lake or began > known[0]:
            count = self.count(lake)
            pause_s = max(LOOK_S, LOOK_SHARE * (time.monotonic() - began))
            known = self._known = (began + pause_s, lake, count)
        return known[2]

    def forget(self) -> None:
        """Look for newer files at the next request."""
        self._known = None

    @property
    def is_running(self) -> bool:
        return self._work is not None and self._work.is_alive()

    def start(self) -> None:
        """Begin to make the lake and then show it, unless that is being done."""
        with self._lock:
            if self.is_running:
                return
            self.problem = ""
            self._work = threading.Thread(target=self._make, daemon=True, name="renewal")
            self._work.start()

    def wait(self) -> None:
        if self._work is not None:
            self._work.join()

    def end(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.terminate()

    def _heard(self, process: subprocess.Popen[str]) -> str:
        """The last line of a process that is not about its progress."""
        last = ""
        for line in process.stdout or ():
            last = line.strip()
            done, _, total = last.partition(" ")
            if done.isdigit() and total.isdigit():
                self.share = f"{int(done) >> 20} of {int(total) >> 20} MB"
        return last

    def _make(self) -> None:
        with tempfile.TemporaryFile("w+") as errors:
            self._process = subprocess.Popen(
                self.command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
            )
            lake = self._heard(self._process)
            if self._process.wait():
                errors.seek(0)
                lines = errors.read().strip().splitlines()
                self.problem = lines[-1] if lines else "the process ended without a reason"
        self.at_once = False
        if not self.problem:
            try:
                self.show(Path(lake))
            except HookstreamError as error:
                self.problem = str(error)
        self.share = ""
        if self.problem:
            say(f"hookstream: newer files: {self.problem}")
