"""Findings of the shipped rules with an analyst's status and notes, kept in one file next to the
lake (`LAKE.findings.sqlite`)."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any

from hookstream.core.files import keep_private
from hookstream.queries.errors import QueryError

if TYPE_CHECKING:
    from pathlib import Path

STATUSES = ("open", "known", "suppressed")
SCHEMA = """create table if not exists status (
    finding_id text primary key, status text not null, reason text not null,
    expires text, changed_at text not null)"""


@dataclass(frozen=True)
class Status:
    """An analyst's status: `expires` is a date (ISO) or None; from then on it is open again."""

    status: str = "open"
    reason: str = ""
    expires: str | None = None

    def now(self, today: date) -> str:
        if self.expires is not None and self.expires <= today.isoformat():
            return "open"
        return self.status


def beside(lake: Path) -> Path:
    """The one file that the pages write: `LAKE.findings.sqlite`."""
    lake = lake.resolve()
    return lake.with_name(f"{lake.name}.findings.sqlite")


def opened(path: Path, schema: str) -> sqlite3.Connection:
    """The file next to the lake, made for this user alone, with a table in it."""
    database = sqlite3.connect(keep_private(path), timeout=5)
    database.execute(schema)
    return database


class Statuses:
    """The table of statuses. It is made at the first change and holds nothing of a finding but its
    id."""

    def __init__(self, lake: Path) -> None:
        self.path = beside(lake)

    def all(self) -> dict[str, Status]:
        if not self.path.exists():
            return {}
        with closing(self._connect()) as database:
            rows = database.execute("select finding_id, status, reason, expires from status")
            return {row[0]: Status(*row[1:]) for row in rows}

    def set(self, finding_id: str, status: str, reason: str, expires: str) -> None:
        """Raise QueryError for a status without a reason, or an invalid date."""
        if status not in STATUSES:
            raise QueryError(f"unknown status {status!r}; known: {', '.join(STATUSES)}")
        if status == "suppressed" and not reason.strip():
            raise QueryError("say why it is suppressed")
        if expires:
            try:
                date.fromisoformat(expires)
            except ValueError:
                raise QueryError(f"invalid date {expires!r}; use 2026-12-31") from None
        now = datetime.now(UTC).isoformat(timespec="seconds")
        with closing(self._connect()) as database, database:
            database.execute(
                "insert or replace into status values (?, ?, ?, ?, ?)",
                (finding_id, status, reason[:500], expires or None, now),
            )

    def _connect(self) -> sqlite3.Connection:
        return opened(self.path, SCHEMA)


def with_status(rows: list[dict[str, Any]], known: dict[str, Status]) -> list[dict[str, Any]]:
    """The findings with `status`, `reason` and `expires` of each."""
    today = datetime.now(UTC).date()
    made = []
    for row in rows:
        said = known.get(str(row["finding_id"]), Status())
        made.append(
            row | {"status": said.now(today), "reason": said.reason, "expires": said.expires}
        )
    return made
