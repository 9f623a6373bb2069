"""Build of tables: the files of each batch, the manifest last.

A build goes through the lake by the date of a session's first event, some hundred thousand events
at a time, so that memory does not grow with the lake. What breaks off is done again: the manifest
names what is covered.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from hookstream.core.progress import step
from hookstream.tables import kin, manifest
from hookstream.tables.batches import SessionBatch, plan
from hookstream.tables.events import PartsScan
from hookstream.tables.files import Files, Made
from hookstream.tables.kin import KEY
from hookstream.tables.manifest import TablesManifest, date_of
from hookstream.tables.relations import (
    TABLES,
    Relations,
    columns_read,
    fill_capabilities,
    set_thresholds,
)
from hookstream.tables.touched import BESIDE, KIN, LOAD, NUMBERS
from hookstream.tables.witnesses import has_several, leave_alone

if TYPE_CHECKING:
    from pathlib import Path

    import duckdb

    from hookstream.tables.lake import Lake

NONE_TWICE = """
create or replace table repeated (
    filename varchar, file_row_number bigint, machine varchar, tool varchar, session_id varchar
)
"""
# Of each session when it began and ended, where witnesses are joined of each group of sessions.
RAW_SPANS = """
create or replace table raw_spans as
select
    coalesce(machine_id, '') as machine, tool, session_id,
    min("timestamp") as began_at, max("timestamp") as over_at, count(*) as told
from whole.events group by all
"""
SPANS = """
create or replace table spans as
select
    machine, tool, coalesce(root, session_id) as session_id,
    cast(min(began_at) as date) as date, max(over_at) as over_at, sum(told) as told
from raw_spans left join rooted using (machine, tool, session_id)
group by machine, tool, coalesce(root, session_id)
"""
SPANS_ALONE = """
create or replace table spans as
select machine, tool, session_id, cast(began_at as date) as date, over_at, told from whole.known
"""
DATED = f"""
create or replace table dated as select {KEY}, cast(began_at as date) as date from whole.known
"""


class Build:
    """One build over a separate connection."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, lake: Lake) -> None:
        self.connection = connection
        self.run = connection.execute
        self.lake = lake
        self.files = Files(connection, lake.tables)

    def whole(self, failures: int, unchanged: int) -> Made:
        """Build everything again."""
        with contextlib.suppress(OSError):
            (self.files.folder / manifest.NAME).unlink()
        self.scan = PartsScan(self.connection, self.lake.files())
        repeats = self.scan.has_repeats()
        if repeats:
            self.scan.find_repeats("coalesce(machine_id, '') as machine, tool, session_id")
        else:
            self.run(NONE_TWICE)
        self.run("create schema if not exists whole")
        events = self.scan.events(repeats=repeats, only=columns_read())
        self.run(f"create or replace view scanned as {events}")
        set_thresholds(self.connection, failures, unchanged)
        batches = self._know()
        (by_date,) = self.run("select count(*) > 0 from links").fetchone() or (False,)
        given = ("events", "kin", "roots", "known", "evidence", "capabilities", "numbers")
        made = Relations(self.connection, given)
        set_thresholds(self.connection, failures, unchanged)
        kept: set[Path] = set()
        for number, batch in enumerate(batches):
            step(number, len(batches), "batches")
            self._load(batch)
            kin.know_near(self.connection, "picked")
            made.ensure(TABLES)
            for table in TABLES:
                kept |= self.files.store(table, batch, by_date=by_date or batch.first < batch.last)
            made.forget()
            # Two batches at once take twice the memory.
            self.run("drop table loaded")
        self.files.sweep(kept)
        self.files.finish(
            TablesManifest(
                self.lake.parts, {}, repeats, self.scan.alike, self.several, failures, unchanged
            )
        )
        (sessions, dates) = self.run(
            "select count(*), count(distinct date) from dated"
        ).fetchone() or (0, 0)
        return Made("built", sessions, dates, len(self.lake.parts))

    def _know(self) -> list[SessionBatch]:
        """`whole.known` and `whole.evidence` of the whole lake, and what to derive at a time."""
        self.run("create or replace view whole.events as from scanned")
        lake = Relations(self.connection)
        lake.ensure(["roots"])
        self.several = has_several(self.connection)
        if self.several:
            self.run(RAW_SPANS)
            self.run(f"create or replace table links as {KIN.format(sessions='raw_spans')}")
            kin.fill_roots(self.connection)
            self.run(SPANS)
            batches = self._planned("spans")
            self.run("create or replace table known_so_far as from (select 1) limit 0")
            for batch in batches:
                self._load(batch)
                part = Relations(self.connection, ("events", "kin", "roots"))
                part.ensure(["known"])
                if batch.number:
                    self.run("insert into known_so_far by name from whole.known")
                else:
                    self.run("create or replace table known_so_far as from whole.known")
                part.forget()
                self.run("drop table loaded")
            self.run("create or replace table whole.known as from known_so_far")
            sessions = "raw_spans"
        else:
            leave_alone(self.connection)
            lake.made.add("merged")
            lake.ensure(["known"])
            self.run(kin.EMPTY)
            self.run(SPANS_ALONE)
            batches = self._planned("spans")
            sessions = "whole.known"
        self.run(BESIDE.format(sessions=sessions))
        self.run(DATED)
        self.scan.narrow(self.lake.files())
        self.run("create or replace view whole.events as from scanned")
        Relations(self.connection, ("events", "known")).ensure(["evidence"])
        fill_capabilities(self.connection, "whole.known")
        self.run("alter table whole.known rename to known_of_lake")
        return batches

    def _planned(self, spans: str) -> list[SessionBatch]:
        return plan(
            self.run(
                "select date::varchar, cast(sum(told) as bigint), "
                f"cast(max(over_at) as date)::varchar from {spans} group by date order by date"
            ).fetchall()
        )

    def _load(self, batch: SessionBatch) -> None:
        """`whole.events`: those of a batch's sessions."""
        self.scan.narrow(
            self.lake.files(
                part
                for part in self.lake.parts
                if not date_of(part) or batch.first <= date_of(part) <= batch.over
            )
        )
        self.run(
            f"create or replace table picked as select {KEY} from spans "
            f"where date between date '{batch.first}' and date '{batch.last}' "
            f"and hash({KEY}) % {batch.shares} = {batch.share}"
        )
        kin.close_over(self.connection, "picked")
        numbers = NUMBERS.format(keys="picked", after=0)
        self.run(f"create or replace table whole.numbers as {numbers}")
        load = LOAD.format(events="scanned", numbers="whole.numbers")
        self.run(f"create or replace table loaded as {load}")
        self.run("create or replace view whole.events as from loaded")
