"""Hits of the shipped rules over the lake: evaluated once for each state of the lake, again in the
background when parts have arrived, while pages show those of the state before."""

from __future__ import annotations

import threading
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from hookstream.errors import HookstreamError
from hookstream.ui.findings import Status, with_status
from hookstream.ui.hits import COLUMNS
from hookstream.ui.lake import signature_of

if TYPE_CHECKING:
    from hookstream.ui.lake import Lake

LEVELS = ("critical", "high", "medium", "low", "informational")


class RuleHits:
    """`as_of` is when the state that is shown was looked at, `is_stale` whether there is a newer
    one that is being evaluated."""

    def __init__(self, lake: Lake) -> None:
        self.lake = lake
        self.as_of: datetime | None = None
        self.is_stale = False
        self._lock = threading.Lock()
        self._signature: tuple[int, int] | None = None
        self._rows: list[dict[str, Any]] | None = None
        self._error: HookstreamError | None = None
        self._work: threading.Thread | None = None

    def start(self) -> None:
        """Begins to evaluate, where the lake has changed and nothing is at work."""
        with self._lock:
            signature = signature_of(self.lake.path)
            self.is_stale = signature != self._signature
            if self.is_stale and (self._work is None or not self._work.is_alive()):
                self._work = threading.Thread(
                    target=self._evaluate, args=(signature,), daemon=True, name="rules"
                )
                self._work.start()

    def rows(self, known: dict[str, Status]) -> list[dict[str, Any]]:
        """Every finding with its status, the worst and newest first. Waits only for the first
        evaluation; raises what that one raised."""
        self.start()
        work = self._work
        if self._rows is None and work is not None:
            work.join()
            self.is_stale = False
        if self._rows is None:
            raise self._error or HookstreamError("the rules could not be evaluated")
        return with_status(self._rows, known)

    def _evaluate(self, signature: tuple[int, int]) -> None:
        from hookstream.rules.ask import Asked, ask

        now = datetime.now(UTC).replace(tzinfo=None)
        try:
            found = [
                {name: getattr(one, name) for name in COLUMNS if hasattr(one, name)}
                for one in ask(self.lake.path, Asked()).findings
            ]
        except HookstreamError as error:
            self._error = error
            return
        found.sort(key=lambda row: str(row["timestamp"]), reverse=True)
        found.sort(key=lambda row: LEVELS.index(row["level"]) if row["level"] in LEVELS else 9)
        self._rows, self._signature, self.as_of = found, signature, now
