"""The tables as they are stored, and what of a lake they do not cover yet.

`Merged` puts both together: rows of changed sessions are derived from their events, others are read
as stored. A refresh writes what a question reads, all at once; a question derives, in a database
next to its own, what it names. A session changes by a part that came or went, by its parent, or
where it has open calls and its client shows more on its machine now.
"""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from functools import partial
from typing import TYPE_CHECKING

from hookstream.tables.changed_sessions import ChangedSessions, TooMany
from hookstream.tables.connection import run_step, step_text
from hookstream.tables.files import KEY, close_over, select_known
from hookstream.tables.manifest import BESIDE, TablesManifest, date_of, listed, tool_of
from hookstream.tables.relations import TABLES, Relations, leave_alone, set_thresholds

if TYPE_CHECKING:
    import duckdb

    from hookstream.tables.manifest import Lake

MOMENT = timedelta(microseconds=1)
REST = "rest"
SPAN = "tool, strftime(began_at, '%Y-%m-%d'), strftime(over_at, '%Y-%m-%d')"


class Merged:
    """Stored tables of a lake over a connection, brought up to date in memory.

    After `settle`, `base.NAME` holds every table, and `changed_sessions` those that were derived
    again. What is not derived at once is derived over `rest`, a second connection to the
    same database.
    """

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        lake: Lake,
        manifest: TablesManifest,
        rest: duckdb.DuckDBPyConnection | None = None,
    ) -> None:
        self.connection = connection
        self.rest = rest
        self.lake = lake
        self.manifest = manifest
        self.new_parts = sorted(
            part for part, size in lake.parts.items() if manifest.parts.get(part) != size
        )
        self.removed_parts = sorted(part for part in manifest.parts if part not in lake.parts)
        self.repeats = manifest.repeats
        self.alike = manifest.alike
        self.lost_dates: list[str] = []
        self.run = connection.execute

    def _step(self, name: str, **words: object) -> duckdb.DuckDBPyConnection:
        return run_step(self.connection, name, **words)

    @property
    def is_current(self) -> bool:
        return not self.new_parts and not self.removed_parts

    def parts_of(
        self, session: str | None, since: datetime | None, until: datetime | None
    ) -> list[str]:
        """The files that can hold events of a session and of a time, by their paths; if several
        kinds of witness reported them, all of the sessions that have such an event."""
        first, last = since, until and until - MOMENT  # the bound itself is left out
        spans: list[tuple[str, str, str]] | None = None
        if self.manifest.several:
            spans, first, last = self._spans_of_kin(session, first, last), None, None
        elif session is not None:
            self.show("sessions")
            where = "where session_id = ?"
            spans = self.run(f"select {SPAN} from stored.sessions {where}", [session]).fetchall()
        begin, end = str(first or "")[:10], str(last or "9999-12-31")[:10]
        made = []
        for part in self.lake.parts:
            date, tool = date_of(part), tool_of(part)
            if date and not begin <= date <= end:
                continue
            if spans is None or any(
                (not date or start <= date <= over) and tool in (None, of)
                for of, start, over in spans
            ):
                made.append(part)
        return self.lake.files(made)

    def _spans_of_kin(
        self, session: str | None, since: datetime | None, until: datetime | None
    ) -> list[tuple[str, str, str]]:
        """Client, first and last date of a session, or of those of a time, and of all sessions that
        belong together with one of them."""
        self.show("sessions")
        self.show("kin")
        self._step("stored_links")
        self.run(step_text("selected_sessions"), [session, since, until])
        close_over(self.connection, "selected_sessions")
        selected = f"stored.sessions semi join selected_sessions using ({KEY})"
        return self.run(f"select distinct {SPAN} from {selected}").fetchall()

    def end_of_first_date(self, since: datetime | None) -> datetime | None:
        """When the first date of the parts ends, of those from a moment on; None if a part has
        no date, or is not covered."""
        if not self.is_current:
            return None
        try:
            dates = sorted({date.fromisoformat(date_of(part)) for part in self.lake.parts})
        except ValueError:
            return None
        left = [one for one in dates if since is None or one >= since.date()]
        return datetime.combine(left[0] + timedelta(days=1), time()) if left else None

    def open(self) -> None:
        """`stored.NAME` of all tables."""
        for table in (*TABLES, *BESIDE):
            self.show(table)

    def show(self, table: str) -> None:
        """`stored.NAME` over what is stored of a table; raises duckdb.Error for a damaged file."""
        self.run("create schema if not exists stored")
        self.run(f"set variable files_{table} = ?", [listed(self.lake.tables / table)])
        self._step("stored_table", table=table)

    def settle(self) -> Relations:
        """`base.NAME` of all tables, made at need where nothing has to be derived, or there is a
        connection for that."""
        self.run("create schema if not exists base")
        relations = Relations(self.connection, ())
        if self.is_current:
            for table in (*TABLES, "evidence"):
                relations.ready[table] = partial(self._show_as_it_is, table)
            relations.ready["known"] = self._show_known
            relations.ready["kin"] = self._show_kin
            relations.ready["numbers"] = self._number
            relations.ready["moved"] = self._show_moved
            if not self.manifest.several:
                relations.ready["merged"] = partial(self._show_merged, relations)
        elif self.rest is not None:
            self._settle_rest(relations, self.rest)
        else:
            self.open()
            self._find_changed()
            self._derive()
            relations = Relations(self.connection, {"known", "evidence", *TABLES})
        set_thresholds(self.connection, self.manifest.loop_failures, self.manifest.loop_unchanged)
        return relations

    def _find_changed(self) -> None:
        changed = ChangedSessions(
            self.connection, self.lake, self.new_parts, self.removed_parts, self.alike
        )
        changed.derive()
        self.alike, self.lost_dates = changed.alike, changed.lost_dates

    def _settle_rest(self, relations: Relations, rest: duckdb.DuckDBPyConnection) -> None:
        """Derive the changed sessions in a database whose `base` is made of their events alone."""
        rest.execute(f"attach ':memory:' as {REST}")
        rest.execute(f"use {REST}")
        rest.execute("create schema base")
        inner = Merged(rest, self.lake, self.manifest)
        for table in ("sessions", *BESIDE):
            inner.show(table)
        inner._find_changed()
        self.alike, self.lost_dates = inner.alike, inner.lost_dates
        derived = inner._over_changed()
        for table in TABLES:
            relations.ready[table] = partial(self._show_with_rest, derived, table)
        relations.ready["evidence"] = self._show_evidence
        relations.ready["known"] = self._show_known_with_rest

    def _show_evidence(self) -> None:
        self.run(f"create or replace view base.evidence as from {REST}.base.evidence")

    def _show_known_with_rest(self) -> None:
        self.show("sessions")
        self._step("stored_known")
        self._merge_rest("known")

    def _merge_rest(self, table: str) -> None:
        """Create `base.TABLE` of rows derived in the other database and of stored ones."""
        condition = f"semi join {REST}.base.known_of_lake using ({KEY})" if self.lost_dates else ""
        self._step("merged_rows", table=table, database=f"{REST}.", condition=condition)

    def _show_with_rest(self, derived: Relations, table: str) -> None:
        derived.ensure([table])
        derived.connection.execute(f"create or replace table fresh_{table} as from base.{table}")
        self.show(table)
        self._merge_rest(table)

    def _show_as_it_is(self, table: str) -> None:
        self.show(table)
        self.run(f"create or replace view base.{table} as from stored.{table}")

    def _show_known(self) -> None:
        self.show("sessions")
        self._step("stored_known")
        self.run("create or replace view base.known as from stored.known")

    def _show_kin(self) -> None:
        self.show("kin")
        self.run("create or replace view base.kin as select * exclude (is_session) from stored.kin")

    def _show_moved(self) -> None:
        self.show("capture")
        self._step("stored_moved")

    def _number(self) -> None:
        self.show("capture")
        sessions = "(select machine, tool, told_as as session_id from stored.capture)"
        self._step("session_numbers", target="base.numbers", sessions=sessions, after=0)

    def _show_merged(self, relations: Relations) -> None:
        """Without asking each event which witness reported it: one kind reported all."""
        relations.ensure(["events"])
        leave_alone(self.connection)

    def _over_changed(self) -> Relations:
        """The relations over the events of changed sessions."""
        self.run("alter table base.known rename to known_of_lake")
        select_known(self.connection, "changed_sessions")
        relations = Relations(self.connection, ("events", "kin", "known", "evidence", "numbers"))
        set_thresholds(self.connection, self.manifest.loop_failures, self.manifest.loop_unchanged)
        return relations

    def _derive(self) -> None:
        """Create all tables of derived rows of changed sessions, and stored ones of others."""
        derived = self._over_changed()
        derived.ensure(TABLES)
        for table in TABLES:
            self.run(f"create or replace table fresh_{table} as from base.{table}")
        derived.forget()
        self.run("drop table base.known")
        self.run("alter table base.known_of_lake rename to known")
        condition = f"semi join base.known using ({KEY})" if self.lost_dates else ""
        for table in TABLES:
            self._step("merged_rows", table=table, database="", condition=condition)

    def leave(self) -> None:
        """Drop what was made, if it broke off."""
        if self.rest is not None:
            self.rest.execute("use memory")
            self.run(f"detach database if exists {REST}")
        self.run("drop schema if exists base cascade")
        made = "select table_name from duckdb_tables() where schema_name = 'main'"
        for (name,) in self.run(made).fetchall():
            self.run(f'drop table "{name}"')


def relations_of(
    connection: duckdb.DuckDBPyConnection, merged: Merged | None
) -> tuple[Relations, Merged | None]:
    """The relations over a lake, and what they are read from: nothing if the tables do not exist,
    one of them cannot be read, or most sessions would have to be derived."""
    import duckdb

    if merged is not None:
        try:
            return merged.settle(), merged
        except (TooMany, duckdb.Error):
            merged.leave()
    return Relations(connection, ()), None
