"""The casebook: what analysts write, in the one file that the pages write, next to the lake.

Statuses of findings, secrets that were rotated, the last questions of the SQL page, and saved
searches: pages with their filters under a name. `/saved/NAME` leads to the page, so a search is an
address that can be shared.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from hookstream.core.errors import HookstreamError
from hookstream.core.files import keep_private
from hookstream.queries.errors import QueryError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    import duckdb

STATUSES = ("open", "known", "suppressed")
# The temporary table of rotated secrets that SQL names.
ROTATED = "rotated_secrets"
SCHEMA = """
create table if not exists status (
    finding_id text primary key, status text not null, reason text not null,
    expires text, changed_at text not null);
create table if not exists rotated (
    fingerprint text primary key, rotated_on text not null, said_at text not null);
create table if not exists search (
    name text primary key, address text not null, saved_at text not null);
create table if not exists decision (
    number integer primary key autoincrement, status text not null, reason text not null,
    about text not null, findings integer not null, before text not null, said_at text not null);
create table if not exists question (sql text primary key, asked_at text not null);
"""
# Decisions that can be undone.
MOST_DECISIONS = 100
MOST_NAME = 100
MOST_ADDRESS = 8000
MOST_QUESTIONS, MOST_SQL = 40, 8000
# What belongs to one visit, not to the search.
PASSING = ("token", "page", "export")


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


@dataclass(frozen=True)
class Decision:
    """A status that was given to `findings` findings at once; `about` says in words to which."""

    number: int
    status: str
    reason: str
    about: str
    findings: int
    said_at: str


class Casebook:
    """`LAKE.findings.sqlite`, made at the first change. It holds nothing of a finding but its id,
    and of a secret its keyed digest."""

    def __init__(self, lake: Path) -> None:
        lake = lake.resolve()
        self.path = lake.with_name(f"{lake.name}.findings.sqlite")

    def statuses(self) -> dict[str, Status]:
        """The status of each finding that has one, by its id."""
        rows = self._rows("select finding_id, status, reason, expires from status")
        return {row[0]: Status(*row[1:]) for row in rows}

    def decide(
        self, ids: list[str], status: str, reason: str, expires: str = "", about: str = ""
    ) -> None:
        """Set the status of several findings as one decision, which can be undone. Raises
        QueryError for a status without a reason, or an invalid date."""
        if status not in STATUSES:
            raise QueryError(f"unknown status {status!r}; known: {', '.join(STATUSES)}")
        if status == "suppressed" and not reason.strip():
            raise QueryError("say why it is suppressed")
        until = _day(expires) or None
        reason = reason[:500]
        with closing(self._connect()) as database, database:
            before = {one: _status_row(database, one) for one in ids}
            database.executemany(
                "insert or replace into status values (?, ?, ?, ?, ?)",
                [(one, status, reason, until, _now()) for one in ids],
            )
            database.execute(
                "insert into decision (status, reason, about, findings, before, said_at)"
                " values (?, ?, ?, ?, ?, ?)",
                (status, reason, about[:500], len(ids), json.dumps(before), _now()),
            )
            database.execute(
                "delete from decision where number not in"
                f" (select number from decision order by number desc limit {MOST_DECISIONS})"
            )

    def decisions(self, limit: int) -> list[Decision]:
        """The last decisions that can be undone, the newest first."""
        rows = self._rows(
            "select number, status, reason, about, findings, said_at from decision"
            f" order by number desc limit {limit}"
        )
        return [Decision(*row) for row in rows]

    def undo(self, number: str) -> None:
        """Take a decision back, as if it had never been taken; later ones stay. Raises
        QueryError."""
        with closing(self._connect()) as database, database:
            rows = database.execute(
                "select number, before from decision where number >= cast(? as integer)"
                " order by number",
                (number,),
            ).fetchall()
            if not rows or str(rows[0][0]) != number:
                raise QueryError(f"no decision {number!r} to undo")
            later = [(one, json.loads(before)) for one, before in rows[1:]]
            for finding, status in json.loads(rows[0][1]).items():
                _restore(database, finding, status, [b for _, b in later if finding in b])
            database.executemany(
                "update decision set before = ? where number = ?",
                [(json.dumps(before), one) for one, before in later],
            )
            database.execute("delete from decision where number = ?", (rows[0][0],))

    def rotated(self) -> list[tuple[str, str]]:
        """(fingerprint, date) of each secret that was rotated."""
        return self._rows("select fingerprint, rotated_on from rotated")

    def set_rotated(self, fingerprint: str, on: str) -> None:
        """Note that a secret was rotated on a date; without one, that it was not. QueryError."""
        fingerprint = fingerprint.strip()
        if not fingerprint or len(fingerprint) > 200:
            raise QueryError("say which secret: its fingerprint")
        if day := _day(on):
            self._write("insert or replace into rotated values (?, ?, ?)", fingerprint, day, _now())
        else:
            self._write("delete from rotated where fingerprint = ?", fingerprint)

    def fill_rotated(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Make the temporary table `rotated_secrets`: fingerprint, rotated_on."""
        connection.execute(
            f"create or replace temp table {ROTATED} (fingerprint varchar, rotated_on date)"
        )
        for row in self.rotated():
            connection.execute(f"insert into {ROTATED} values (?, cast(? as date))", list(row))

    def searches(self) -> list[tuple[str, str, str]]:
        """(name, address, when saved) of each search, by name."""
        return self._rows("select name, address, saved_at from search order by name")

    def address(self, name: str) -> str | None:
        """The address of a saved search."""
        return next((address for one, address, _ in self.searches() if one == name), None)

    def save_search(self, name: str, address: str) -> None:
        """Save under a new name, or in place of what it named. Raises QueryError."""
        name = " ".join(name.split())
        if not name or len(name) > MOST_NAME:
            raise QueryError(f"a search needs a name of at most {MOST_NAME} characters")
        self._write("insert or replace into search values (?, ?, ?)", name, local(address), _now())

    def remove_search(self, name: str) -> None:
        self._write("delete from search where name = ?", name)

    def questions(self) -> list[tuple[str, str]]:
        """(SQL, when asked) of the last questions that were answered, the newest first."""
        return self._rows("select sql, asked_at from question order by asked_at desc, rowid desc")

    def remember(self, sql: str) -> None:
        """Remember a question of the SQL page. Where nothing can be written, nothing is."""
        if len(sql) > MOST_SQL:
            return
        with suppress(OSError, sqlite3.Error, HookstreamError):
            self._write("delete from question where sql = ?", sql)
            self._write("insert into question values (?, ?)", sql, _now())
            self._write(
                "delete from question where sql not in (select sql from question"
                f" order by asked_at desc, rowid desc limit {MOST_QUESTIONS})"
            )

    def forget_questions(self) -> None:
        self._write("delete from question")

    def continue_first_of(self, others: Iterable[Casebook]) -> None:
        """Begin with what the first of these that exists holds, unless this one exists."""
        other = next((one for one in others if one.path.exists()), None)
        if other is None or self.path.exists():
            return
        with closing(other._connect()) as theirs, closing(self._connect()) as ours:
            theirs.backup(ours)

    def _rows(self, sql: str) -> list[Any]:
        if not self.path.exists():
            return []
        with closing(self._connect()) as database:
            return database.execute(sql).fetchall()

    def _write(self, sql: str, *values: str | None) -> None:
        with closing(self._connect()) as database, database:
            database.execute(sql, values)

    def _connect(self) -> sqlite3.Connection:
        database = sqlite3.connect(keep_private(self.path), timeout=5)
        database.executescript(SCHEMA)
        return database


def _status_row(database: sqlite3.Connection, finding_id: str) -> list[Any] | None:
    """The row of a finding's status; None if it has none."""
    row = database.execute("select * from status where finding_id = ?", (finding_id,)).fetchone()
    return list(row) if row else None


def _restore(
    database: sqlite3.Connection, finding: str, status: list[Any] | None, later: list[Any]
) -> None:
    """Give a finding back its row from before a decision; what a later one has before it is that
    row then."""
    if later:
        later[0][finding] = status
        return
    database.execute("delete from status where finding_id = ?", (finding,))
    if status is not None:
        database.execute("insert into status values (?, ?, ?, ?, ?)", status)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _day(text: str) -> str:
    """A date as it is written, empty for none. QueryError."""
    try:
        return date.fromisoformat(text).isoformat() if text else ""
    except ValueError:
        raise QueryError(f"invalid date {text!r}; use 2026-12-31") from None


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


def local(address: str) -> str:
    """The address without what belongs to one visit. QueryError unless it is a page of ours."""
    try:
        parts = urlsplit(address)
    except ValueError:
        raise QueryError("that is not a page of this application") from None
    path = parts.path
    is_page = path.startswith("/") and not path.startswith(("//", "/\\", "/saved"))
    if parts.scheme or parts.netloc or not is_page or len(address) > MOST_ADDRESS:
        raise QueryError("that is not a page of this application")
    pairs = [(name, value) for name, value in parse_qsl(parts.query) if name not in PASSING]
    return f"{path}?{urlencode(pairs)}" if pairs else path
