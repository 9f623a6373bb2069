"""Derived tables of the lakes that a delivery writes: refreshed while it follows, and when a run
ends. A question derives what tables lack, so nothing of theirs keeps a row from being delivered."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from hookstream.sinks.base import Adopting, Receipt
    from hookstream.standards.rendered import Rendered

# How often a follower has the derived tables refreshed.
REFRESH_S = 300.0


class LakeSink:
    """The sink of a lake; `refresh` derives the tables next to its folder."""

    def __init__(
        self, inner: Adopting, lake: Path, refresh: Callable[[Path, bool], object]
    ) -> None:
        self.inner = inner
        self.uri = inner.uri
        self.lake = lake
        self._refreshed = refresh
        self._follows = False
        self._closed = False
        self._refreshed_at = time.monotonic()

    @property
    def notes(self) -> list[str]:
        return list(getattr(self.inner, "notes", ()))

    def write(self, batch: list[Rendered]) -> list[Receipt]:
        self._follows = self._follows or (bool(batch) and batch[0].position is not None)
        return self.inner.write(batch)

    def adopt(self, folder: str) -> Receipt:
        return self.inner.adopt(folder)

    def reject(self, lines: list[bytes]) -> None:
        self.inner.reject(lines)

    def flush(self) -> None:
        self.inner.flush()
        if self._follows and time.monotonic() - self._refreshed_at > REFRESH_S:
            self._refresh()

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        try:
            self.flush()
            if not self._follows:  # a follower ends within two seconds
                self._refresh()
        finally:
            self.inner.close()

    def _refresh(self) -> None:
        self._refreshed_at = time.monotonic()
        self._refreshed(self.lake, self._follows)
