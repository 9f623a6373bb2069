"""Build of tables: the files of each batch, the manifest last.

A build goes through the lake by the date of a session's first event, some hundred thousand events
at a time, so that memory does not grow with the lake. What breaks off is done again: the manifest
names what is covered.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from hookstream.core.progress import step
from hookstream.tables import files, manifest
from hookstream.tables.connection import run_step
from hookstream.tables.events import PartsScan
from hookstream.tables.files import KEY, Files, Made, SessionBatch, plan
from hookstream.tables.manifest import TablesManifest, date_of
from hookstream.tables.relations import (
    TABLES,
    Relations,
    columns_read,
    fill_capabilities,
    has_several,
    leave_alone,
    set_thresholds,
)

if TYPE_CHECKING:
    from pathlib import Path

    import duckdb

    from hookstream.tables.manifest import Lake


class Build:
    """One build over a separate connection."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, lake: Lake) -> None:
        self.connection = connection
        self.run = connection.execute
        self.lake = lake
        self.files = Files(connection, lake.tables)

    def _step(self, name: str, **words: object) -> duckdb.DuckDBPyConnection:
        return run_step(self.connection, name, **words)

    def rebuild(self, failures: int, unchanged: int) -> Made:
        """Build everything again."""
        with contextlib.suppress(OSError):
            (self.files.folder / manifest.NAME).unlink()
        self.scan = PartsScan(self.connection, self.lake.files())
        repeats = self.scan.has_repeats()
        if repeats:
            self.scan.find_repeats(f"coalesce(machine_id, '') as {KEY}")
        else:
            self._step("no_repeats")
        self.run("create schema if not exists base")
        events = self.scan.events(repeats=repeats, only=columns_read())
        self.run(f"create or replace view scanned as {events}")
        set_thresholds(self.connection, failures, unchanged)
        batches = self._know()
        (by_date,) = self.run("select count(*) > 0 from links").fetchone() or (False,)
        given = ("events", "kin", "roots", "known", "evidence", "capabilities", "numbers")
        relations = Relations(self.connection, given)
        set_thresholds(self.connection, failures, unchanged)
        paths: set[Path] = set()
        for number, batch in enumerate(batches):
            step(number, len(batches), "batches")
            self._load(batch)
            files.select_known(self.connection, "batch_sessions")
            relations.ensure(TABLES)
            for table in TABLES:
                paths |= self.files.store(table, batch, by_date=by_date or batch.first < batch.last)
            relations.forget()
            # Two batches at once take twice the memory.
            self.run("drop table batch_events")
        self.files.sweep(paths)
        self.files.finish(
            TablesManifest(
                self.lake.parts, {}, repeats, self.scan.alike, self.several, failures, unchanged
            )
        )
        (sessions, dates) = self.run(
            "select count(*), count(distinct date) from session_dates"
        ).fetchone() or (0, 0)
        return Made("built", sessions, dates, len(self.lake.parts))

    def _know(self) -> list[SessionBatch]:
        """`base.known` and `base.evidence` of the whole lake, and what to derive at a time."""
        self.run("create or replace view base.events as from scanned")
        lake = Relations(self.connection)
        lake.ensure(["roots"])
        self.several = has_several(self.connection)
        if self.several:
            self._step("session_spans")
            self._step("kin_links", sessions="session_spans")
            files.fill_roots(self.connection)
            self._step("group_spans")
            batches = self._batches()
            self.run("create or replace table known_so_far as from (select 1) limit 0")
            for batch in batches:
                self._load(batch)
                part = Relations(self.connection, ("events", "kin", "roots"))
                part.ensure(["known"])
                if batch.number:
                    self.run("insert into known_so_far by name from base.known")
                else:
                    self.run("create or replace table known_so_far as from base.known")
                part.forget()
                self.run("drop table batch_events")
            self.run("create or replace table base.known as from known_so_far")
            sessions = "session_spans"
        else:
            leave_alone(self.connection)
            lake.made.add("merged")
            lake.ensure(["known"])
            self._step("no_links")
            self._step("known_spans")
            batches = self._batches()
            sessions = "base.known"
        self._step("kin_rows", sessions=sessions)
        self._step("session_dates")
        self.scan.narrow(self.lake.files())
        self.run("create or replace view base.events as from scanned")
        Relations(self.connection, ("events", "known")).ensure(["evidence"])
        fill_capabilities(self.connection, "base.known")
        self.run("alter table base.known rename to known_of_lake")
        return batches

    def _batches(self) -> list[SessionBatch]:
        return plan(self._step("span_dates").fetchall())

    def _load(self, batch: SessionBatch) -> None:
        """`base.events`: those of a batch's sessions."""
        self.scan.narrow(
            self.lake.files(
                part
                for part in self.lake.parts
                if not date_of(part) or batch.first <= date_of(part) <= batch.over
            )
        )
        self._step("batch_sessions", **vars(batch))
        files.close_over(self.connection, "batch_sessions")
        self._step("session_numbers", target="base.numbers", sessions="batch_sessions", after=0)
        self._step(
            "numbered_events",
            target="batch_events",
            events="scanned",
            numbers="base.numbers",
            condition="",
        )
        self.run("create or replace view base.events as from batch_events")
