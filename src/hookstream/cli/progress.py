"""A bar with count and rate on stderr, for work that takes over a second on a terminal."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from hookstream.progress import heard

if TYPE_CHECKING:
    from collections.abc import Iterator

AFTER_S = 1.0


@contextmanager
def bar(unit: str) -> Iterator[None]:
    """Show the steps of the work within, counted in `unit` (records, rules ...); nothing where
    stderr is no terminal."""
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
    """Made at the first step that is AFTER_S late; gone when the work has ended."""

    def __init__(self, unit: str) -> None:
        self.unit = unit
        self.began = time.monotonic()
        self.progress: Any = None
        self.task: Any = None

    def step(self, done: int, total: int | None) -> None:
        seconds = time.monotonic() - self.began
        if self.progress is None:
            if seconds < AFTER_S:
                return
            self._start()
        rate = f"{done / seconds:,.0f} {self.unit}/s"
        count = f"{done:,} {self.unit}" if total is None else f"{done:,}/{total:,} {self.unit}"
        self.progress.update(self.task, completed=done, total=total, count=count, rate=rate)

    def _start(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn

        columns = (
            BarColumn(),
            TextColumn("{task.fields[count]}"),
            TextColumn("{task.fields[rate]}"),
        )
        console = Console(stderr=True)
        self.progress = Progress(*columns, console=console, transient=True)
        self.task = self.progress.add_task("", total=None, count="", rate="")
        self.progress.start()

    def end(self) -> None:
        if self.progress is not None:
            self.progress.stop()
