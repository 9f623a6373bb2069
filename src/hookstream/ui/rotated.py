"""Secrets marked as rotated: by fingerprint, in the file next to the lake."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

from hookstream.queries.errors import QueryError
from hookstream.ui.casebook import beside, opened

if TYPE_CHECKING:
    from pathlib import Path

    import duckdb

NAME = "rotated_secrets"
SCHEMA = """create table if not exists rotated (
    fingerprint text primary key, rotated_on text not null, said_at text not null)"""


class Rotated:
    """The table of rotated secrets; it holds no secret, only its keyed digest."""

    def __init__(self, lake: Path) -> None:
        self.path = beside(lake)

    def all(self) -> list[tuple[str, str]]:
        """(fingerprint, date) of each."""
        if not self.path.exists():
            return []
        with closing(self._connect()) as database:
            return database.execute("select fingerprint, rotated_on from rotated").fetchall()

    def set(self, fingerprint: str, on: str) -> None:
        """Says that a secret was rotated on a date; without one, that it was not. QueryError."""
        if not fingerprint.strip() or len(fingerprint) > 200:
            raise QueryError("say which secret: its fingerprint")
        try:
            day = date.fromisoformat(on).isoformat() if on else ""
        except ValueError:
            raise QueryError(f"invalid date {on!r}; use 2026-12-31") from None
        now = datetime.now(UTC).isoformat(timespec="seconds")
        with closing(self._connect()) as database, database:
            if day:
                row = (fingerprint.strip(), day, now)
                database.execute("insert or replace into rotated values (?, ?, ?)", row)
            else:
                database.execute("delete from rotated where fingerprint = ?", (fingerprint,))

    def fill(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Make the temporary table `rotated_secrets`: fingerprint, rotated_on."""
        connection.execute(
            f"create or replace temp table {NAME} (fingerprint varchar, rotated_on date)"
        )
        for row in self.all():
            connection.execute(f"insert into {NAME} values (?, cast(? as date))", list(row))

    def _connect(self) -> sqlite3.Connection:
        return opened(self.path, SCHEMA)
