"""The tables next to a lake, brought up to date while its pages are open."""

from __future__ import annotations

import sys
import threading
import time
from typing import TYPE_CHECKING

from hookstream.core.progress import heard
from hookstream.tables import manifest
from hookstream.tables.update import freshen

if TYPE_CHECKING:
    from hookstream.ui.lake import BrowsedLake

# A lake whose tables are soon current opens with them.
PATIENCE_S = 3.0


class TablesWork:
    """A build or refresh in the background. `is_first`: there are no tables that pages could read
    meanwhile; `progress` is what is done, of how much, and its unit."""

    def __init__(self, lake: BrowsedLake) -> None:
        self.lake = lake
        self.progress: tuple[int, int | None, str] = (0, None, "")
        self.is_first = False
        self._work = threading.Thread(target=self._freshen, daemon=True, name="tables")

    def start(self, patience_s: float = PATIENCE_S) -> None:
        """Begin, and wait so long for the end."""
        if self.lake.path.is_dir():
            self.is_first = manifest.read(manifest.folder_of(self.lake.path)) is None
            self._work.start()
            self._work.join(patience_s)

    @property
    def is_running(self) -> bool:
        return self._work.is_alive()

    def wait(self) -> None:
        if self._work.ident is not None:
            self._work.join()

    @property
    def blocks(self) -> bool:
        """Return whether pages have to wait for the first tables."""
        return self.is_first and self.is_running

    @property
    def share(self) -> str:
        """The progress in words, empty before the first batch."""
        done, total, unit = self.progress
        return f"{done} of {total} {unit or 'batches'}" if total else ""

    def _freshen(self) -> None:
        began = time.monotonic()
        with heard(self._hear):
            made = freshen(self.lake.path, at_once=False)
        if made is not None and made.how != "current":
            seconds = time.monotonic() - began
            print(f"hookstream: tables {made.how} in {seconds:.1f} s", file=sys.stderr)
            self.lake.open_again()

    def _hear(self, done: int, total: int | None, unit: str) -> None:
        self.progress = (done, total, unit)
