"""Hits of the shipped rules over the lake, evaluated once for each state of the lake."""

from __future__ import annotations

import threading
from collections import Counter
from typing import TYPE_CHECKING, Any

from hookstream.ui.findings import Status, with_status
from hookstream.ui.lake import signature_of

if TYPE_CHECKING:
    from hookstream.ui.lake import Lake

COLUMNS = (
    "status", "level", "title", "timestamp", "machine_id", "user_id", "tool", "session_id",
    "shown", "rule_id", "event_id", "reason", "expires", "finding_id",
)  # fmt: skip
LEVELS = ("critical", "high", "medium", "low", "informational")


class RuleHits:
    def __init__(self, lake: Lake) -> None:
        self.lake = lake
        self._lock = threading.Lock()
        self._signature: tuple[int, int] | None = None
        self._rows: list[dict[str, Any]] = []

    def rows(self, known: dict[str, Status]) -> list[dict[str, Any]]:
        """Every finding with its status, the worst and newest first."""
        with self._lock:
            signature = signature_of(self.lake.path)
            if signature != self._signature:
                self._rows = self._evaluate()
                self._signature = signature
        return with_status(self._rows, known)

    def _evaluate(self) -> list[dict[str, Any]]:
        from hookstream.rules.ask import Asked, ask

        found = [
            {name: getattr(one, name) for name in COLUMNS if hasattr(one, name)}
            for one in ask(self.lake.path, Asked()).findings
        ]
        found.sort(key=lambda row: str(row["timestamp"]), reverse=True)
        found.sort(key=lambda row: LEVELS.index(row["level"]) if row["level"] in LEVELS else 9)
        return found

    def counts(self, rows: list[dict[str, Any]]) -> dict[str, list[tuple[str, int]]]:
        """How many findings have each status, level and title."""
        return {
            name: Counter(str(row[name]) for row in rows).most_common(12)
            for name in ("status", "level", "title")
        }
