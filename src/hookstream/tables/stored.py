"""The tables as they are stored, and what of a lake they do not cover yet.

`Merged` puts both together: rows of untouched sessions as stored, those of touched ones derived
from their events. A refresh writes what a question reads, all at once; a question derives, in a
database next to its own, what it names. A session is touched by a part that came
or went, by its parent, or where it has open calls and its client shows more on its machine now.
"""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from functools import partial
from typing import TYPE_CHECKING

from hookstream.tables.kin import KEY, close_over, know_near
from hookstream.tables.manifest import BESIDE, TablesManifest, date_of, listed, tool_of
from hookstream.tables.relations import TABLES, Relations, set_thresholds
from hookstream.tables.touched import KNOWN, NUMBERS, TooMany, Touched
from hookstream.tables.witnesses import leave_alone

if TYPE_CHECKING:
    import duckdb

    from hookstream.tables.lake import Lake

MOMENT = timedelta(microseconds=1)
REST = "rest"
SPAN = "tool, strftime(began_at, '%Y-%m-%d'), strftime(over_at, '%Y-%m-%d')"


class Merged:
    """Stored tables of a lake over a connection, brought up to date in memory.

    After `settle`, `whole.NAME` holds every table, and the table `touched` the sessions that were
    derived again. What is not derived at once is derived over `rest`, a second connection to the
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
        self.fresh = sorted(p for p, size in lake.parts.items() if manifest.parts.get(p) != size)
        self.gone = sorted(p for p in manifest.parts if p not in lake.parts)
        self.repeats = manifest.repeats
        self.alike = manifest.alike
        self.lost: list[str] = []
        self.run = connection.execute

    @property
    def is_current(self) -> bool:
        return not self.fresh and not self.gone

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
        self.run(
            f"create or replace temp table links as select {KEY}, parent from stored.kin "
            "where is_session"
        )
        self.run(
            f"create or replace temp table near as select distinct {KEY} from stored.sessions "
            "where ($1 is null or session_id = $1) and ($2 is null or over_at >= $2) "
            "and ($3 is null or began_at <= $3)",
            [session, since, until],
        )
        close_over(self.connection, "near")
        return self.run(
            f"select distinct {SPAN} from stored.sessions semi join near using ({KEY})"
        ).fetchall()

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
        self.run(
            f"create or replace view stored.{table} as "
            f"from read_parquet(getvariable('files_{table}'), hive_partitioning = false)"
        )

    def settle(self) -> Relations:
        """`whole.NAME` of all tables, made at need where nothing has to be derived, or there is a
        connection for that."""
        self.run("create schema if not exists whole")
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
            self._touch()
            self._derive()
            relations = Relations(self.connection, {"known", "evidence", *TABLES})
        set_thresholds(self.connection, self.manifest.loop_failures, self.manifest.loop_unchanged)
        return relations

    def _touch(self) -> None:
        touched = Touched(self.connection, self.lake, self.fresh, self.gone, self.alike)
        touched.settle()
        self.alike = touched.alike
        self.lost = touched.lost

    def _settle_rest(self, relations: Relations, rest: duckdb.DuckDBPyConnection) -> None:
        """The touched sessions, in a database where `whole` is made of their events alone."""
        rest.execute(f"attach ':memory:' as {REST}")
        rest.execute(f"use {REST}")
        rest.execute("create schema whole")
        inner = Merged(rest, self.lake, self.manifest)
        for table in ("sessions", *BESIDE):
            inner.show(table)
        inner._touch()
        self.alike, self.lost = inner.alike, inner.lost
        made = inner._near()
        for table in TABLES:
            relations.ready[table] = partial(self._show_with_rest, made, table)
        relations.ready["evidence"] = self._show_evidence
        relations.ready["known"] = self._show_known_with_rest

    def _show_evidence(self) -> None:
        self.run(f"create or replace view whole.evidence as from {REST}.whole.evidence")

    def _show_known_with_rest(self) -> None:
        self.show("sessions")
        self.run(
            f"create or replace view whole.known as from {REST}.known_fresh union all by name "
            f"from ({KNOWN}) as k anti join {REST}.touched using ({KEY}){self._kept}"
        )

    @property
    def _kept(self) -> str:
        """Of the stored rows, those whose sessions are still there."""
        return f" semi join {REST}.whole.known_of_lake using ({KEY})" if self.lost else ""

    def _show_with_rest(self, made: Relations, table: str) -> None:
        made.ensure([table])
        made.connection.execute(f"create or replace table fresh_{table} as from whole.{table}")
        self.show(table)
        stored = f"stored.{table} anti join {REST}.touched using ({KEY}){self._kept}"
        self.run(
            f"create or replace view whole.{table} as from {REST}.fresh_{table} "
            f"union all by name from {stored}"
        )

    def _show_as_it_is(self, table: str) -> None:
        self.show(table)
        self.run(f"create or replace view whole.{table} as from stored.{table}")

    def _show_known(self) -> None:
        self.show("sessions")
        self.run(f"create or replace view whole.known as {KNOWN}")

    def _show_kin(self) -> None:
        self.show("kin")
        self.run(
            "create or replace view whole.kin as select * exclude (is_session) from stored.kin"
        )

    def _show_moved(self) -> None:
        self.show("capture")
        self.run(
            "create or replace view whole.moved as select machine, tool, told_as as session_id, "
            "session_id as root from stored.capture where told_as <> session_id"
        )

    def _number(self) -> None:
        self.show("capture")
        told = "(select machine, tool, told_as as session_id from stored.capture)"
        self.run(f"create or replace table whole.numbers as {NUMBERS.format(keys=told, after=0)}")

    def _show_merged(self, relations: Relations) -> None:
        """Without asking each event which witness reported it: one kind reported all."""
        relations.ensure(["events"])
        leave_alone(self.connection)

    def _near(self) -> Relations:
        """The relations over the events of touched sessions."""
        self.run("alter table whole.known rename to known_of_lake")
        know_near(self.connection, "touched")
        made = Relations(self.connection, ("events", "kin", "known", "evidence", "numbers"))
        set_thresholds(self.connection, self.manifest.loop_failures, self.manifest.loop_unchanged)
        return made

    def _derive(self) -> None:
        """All tables: stored rows of untouched sessions, derived ones of touched."""
        made = self._near()
        made.ensure(TABLES)
        for table in TABLES:
            self.run(f"create or replace table fresh_{table} as from whole.{table}")
        made.forget()
        self.run("drop table whole.known")
        self.run("alter table whole.known_of_lake rename to known")
        kept = ""
        if self.lost:
            kept = f" semi join whole.known using ({KEY})"
        for table in TABLES:
            self.run(
                f"create or replace view whole.{table} as from fresh_{table} union all by name "
                f"from stored.{table} anti join touched using ({KEY}){kept}"
            )

    def leave(self) -> None:
        """Drop what was made, if it broke off."""
        if self.rest is not None:
            self.rest.execute("use memory")
            self.run(f"detach database if exists {REST}")
        self.run("drop schema if exists whole cascade")
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
