"""A bar with count and rate on stderr, for work that takes over a second on a terminal."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from hookstream.core.progress import heard

AFTER_S = 1.0


@contextmanager
def bar(unit: str) -> Iterator[None]:
    """Show the steps of the work within, counted in `unit` (records, rules, MB of bytes ...) where
    a step names no other; nothing if stderr is not a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    shown = _Bar(unit)
    try:
        with heard(shown.step):
            yield
    finally:
        shown.end()


class _Bar:
    """Shown when AFTER_S have passed, whether or not there was a step; gone when the work ended."""

    def __init__(self, unit: str) -> None:
        self.unit = unit
        self.began = time.monotonic()
        self.done = -1  # no step yet
        self.total: int | None = None
        self.progress: Any = None
        self.task: Any = None
        self.lock = threading.Lock()
        self.timer: threading.Timer | None = threading.Timer(AFTER_S, self._start)
        self.timer.daemon = True
        self.timer.start()

    def step(self, done: int, total: int | None, unit: str) -> None:
        if done < self.done or unit not in ("", self.unit):  # the next of several counts
            self.began = time.monotonic()
            self.unit = unit or self.unit
        self.done, self.total = done, total
        with self.lock:
            self._show()

    def _show(self) -> None:
        if self.progress is None:
            return
        count, rate = texts(self.done, self.total, self.unit, time.monotonic() - self.began)
        self.progress.update(
            self.task, completed=max(self.done, 0), total=self.total, count=count, rate=rate
        )

    def _start(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn

        columns = (
            BarColumn(),
            TextColumn("{task.fields[count]}"),
            TextColumn("{task.fields[rate]}"),
        )
        with self.lock:
            if self.timer is None:
                return
            progress = Progress(*columns, console=Console(stderr=True), transient=True)
            self.task = progress.add_task("", total=None, count="", rate="")
            progress.start()
            self.progress = progress
            self._show()

    def end(self) -> None:
        with self.lock:
            if self.timer is not None:
                self.timer.cancel()
            self.timer = None
            if self.progress is not None:
                self.progress.stop()


def texts(done: int, total: int | None, unit: str, elapsed_s: float) -> tuple[str, str]:
    """The count, and the rate with the time that is left; of a share the time that has passed."""
    if unit == "%":
        return f"{done} %", f"{elapsed_s:,.0f} s"
    size = 1e6 if unit == "MB" else 1
    digits = 1 if unit == "MB" else 0
    of = "" if total is None else f"/{total / size:,.{digits}f}"
    if done <= 0:
        return ("" if done < 0 else f"0{of} {unit}"), ""
    rate = done / max(elapsed_s, 0.001)
    left = "" if total is None else f", {max(total - done, 0) / rate:,.0f} s left"
    speed = rate / size
    shown = f"{speed:,.0f}" if speed >= 10 else f"{speed:.1f}"
    return f"{done / size:,.{digits}f}{of} {unit}", f"{shown} {unit}/s{left}"
