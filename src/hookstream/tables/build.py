"""Tables built and refreshed: files written beside each other, renamed one by one, manifest last.

A build goes through the lake by the date of a session's first event, some hundred thousand events
at a time, so that memory does not grow with the lake. A refresh derives the touched sessions alone
and writes the dates they belong to. What breaks off is done again: the manifest names what is
covered.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hookstream.tables import kin, manifest
from hookstream.tables.batches import Batch, plan
from hookstream.tables.events import Parts
from hookstream.tables.manifest import Manifest, date_of
from hookstream.tables.relations import TABLES, Relations, columns_read, set_thresholds
from hookstream.tables.stored import BESIDE, KEY, KIN, Merged
from hookstream.tables.witnesses import has_several, leave_alone

if TYPE_CHECKING:
    import duckdb

# A refresh that would derive more than this share of all sessions is a build.
MOST = 0.5
HERE = "read_parquet(getvariable('here'), hive_partitioning = false)"
WRITE = "copy ({select}) to '{path}' (format parquet, compression zstd{more})"
BY_DATE = ", partition_by (date), overwrite_or_ignore, filename_pattern 'part-{number}-{{i}}'"
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
DATED = """
create or replace table dated as select *, cast(began_at as date) as date from whole.known
"""


@dataclass
class Made:
    """What was done: `how` is built, refreshed or current; `sessions` were derived."""

    how: str
    sessions: int
    dates: int
    parts: int
    rows: dict[str, int]


class Build:
    """One build or refresh over a connection of its own."""

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, lake: Path, folder: Path, parts: dict[str, int]
    ) -> None:
        self.connection = connection
        self.run = connection.execute
        self.lake = lake
        self.folder = folder
        self.parts = parts

    def whole(self, failures: int, unchanged: int) -> Made:
        """Everything anew."""
        with contextlib.suppress(OSError):
            (self.folder / manifest.NAME).unlink()
        self.scan = Parts(self.connection, [str(self.lake / part) for part in self.parts])
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
        (links,) = self.run("select count(*) from links").fetchone() or (0,)
        made = Relations(self.connection, ("events", "kin", "known", "evidence", "capabilities"))
        set_thresholds(self.connection, failures, unchanged)
        kept: set[Path] = set()
        for batch in batches:
            self._load(batch)
            made.ensure(TABLES)
            for table in TABLES:
                kept |= self._store(table, batch, by_date=bool(links) or batch.first < batch.last)
            made.forget()
        self._sweep(kept)
        self._finish(Manifest(self.parts, repeats, self.scan.alike, failures, unchanged))
        (sessions, dates) = self.run(
            "select count(*), count(distinct date) from dated"
        ).fetchone() or (0, 0)
        return Made("built", sessions, dates, len(self.parts), self._counts())

    def _know(self) -> list[Batch]:
        """`whole.known` and `whole.evidence` of the whole lake, and what to derive at a time."""
        self.run("create or replace view whole.events as from scanned")
        lake = Relations(self.connection)
        lake.ensure(["kin"])
        if has_several(self.connection):
            self.run(RAW_SPANS)
            self.run(f"create or replace table links as {KIN.format(sessions='raw_spans')}")
            kin.fill_roots(self.connection)
            self.run(SPANS)
            batches = self._planned("spans")
            self.run("create or replace table known_so_far as from (select 1) limit 0")
            for batch in batches:
                self._load(batch)
                part = Relations(self.connection, ("events", "kin"))
                part.ensure(["known"])
                if batch.number:
                    self.run("insert into known_so_far by name from whole.known")
                else:
                    self.run("create or replace table known_so_far as from whole.known")
                part.forget()
            self.run("create or replace table whole.known as from known_so_far")
            sessions = "raw_spans"
        else:
            leave_alone(self.connection)
            lake.made.add("merged")
            lake.ensure(["known"])
            self.run(kin.EMPTY)
            self.run(DATED.replace("table dated", "table spans"))
            batches = self._planned("spans")
            sessions = "whole.known"
        self.run(BESIDE.format(sessions=sessions))
        self.run(DATED)
        self.scan.narrow(str(self.lake / part) for part in self.parts)
        self.run("create or replace view whole.events as from scanned")
        Relations(self.connection, ("events", "known")).ensure(["evidence", "capabilities"])
        return batches

    def _planned(self, spans: str) -> list[Batch]:
        return plan(
            self.run(
                "select date::varchar, cast(sum(told) as bigint), "
                f"cast(max(over_at) as date)::varchar from {spans} group by date order by date"
            ).fetchall()
        )

    def _load(self, batch: Batch) -> None:
        """`whole.events`: those of a batch's sessions."""
        self.scan.narrow(
            str(self.lake / part)
            for part in self.parts
            if not date_of(part) or batch.first <= date_of(part) <= batch.over
        )
        self.run(
            f"create or replace table picked as select {KEY} from spans "
            f"where date between date '{batch.first}' and date '{batch.last}' "
            f"and hash({KEY}) % {batch.shares} = {batch.share}"
        )
        kin.close_over(self.connection, "picked")
        self.run(
            "create or replace table loaded as select e.* from scanned as e "
            "semi join picked as k on coalesce(e.machine_id, '') = k.machine "
            "and e.tool = k.tool and e.session_id = k.session_id"
        )
        self.run("create or replace view whole.events as from loaded")

    def _store(self, table: str, batch: Batch, *, by_date: bool) -> set[Path]:
        """Writes the rows of a batch; the files."""
        if not by_date:
            return {self._write(table, batch.first, f"from whole.{table}", batch.number)}
        made = set()
        with tempfile.TemporaryDirectory(dir=self.folder, prefix=".part-") as place:
            dated = f"from whole.{table} join (select {KEY}, date from dated) using ({KEY})"
            more = BY_DATE.format(number=batch.number)
            self.run(WRITE.format(select=dated, path=_quoted(place), more=more))
            for file in Path(place).glob("date=*/*.parquet"):
                to = self.folder / table / file.parent.name / file.name
                to.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                made.add(file.replace(to))
        # A table without rows has a file that says its columns.
        return made or self._store(table, batch, by_date=False)

    def refresh(self, known: Manifest) -> Made | None:
        """The touched sessions anew; None where a build costs less."""
        import duckdb

        merged = Merged(self.connection, self.lake, self.folder, known, self.parts)
        if merged.is_current:
            return Made("current", 0, 0, len(self.parts), {})
        try:
            merged.settle()
            (touched,) = self.run("select count(*) from touched").fetchone() or (0,)
            (held,) = self.run("select count(*) from had").fetchone() or (0,)
        except duckdb.Error:
            return None
        if touched > max(1000, MOST * held):
            return None
        dates = self.run(
            "select distinct date::varchar from ("
            f"select cast(began_at as date) as date from had semi join touched using ({KEY}) "
            "union all select cast(began_at as date) from whole.known "
            f"semi join touched using ({KEY})"
            ") where date is not null"
        ).fetchall()
        for (date,) in sorted(dates):
            self._rewrite(date)
        for date in merged.lost:
            self._rewrite(date)
        repeats = self._repeats(known)
        alike = known.alike and merged.alike
        self._finish(
            Manifest(self.parts, repeats, alike, known.loop_failures, known.loop_unchanged)
        )
        return Made("refreshed", touched, len(dates), len(self.parts), self._counts())

    def _rewrite(self, date: str) -> None:
        """All tables of a date: what stays of the stored rows, and what was derived."""
        for table in TABLES:
            files = sorted((self.folder / table / f"date={date}").glob("*.parquet"))
            dated = (
                f"semi join (from whole.known where cast(began_at as date) = date '{date}') "
                f"using ({KEY})"
            )
            self.run("set variable here = ?", [[str(file) for file in files]])
            stored = (
                (f"union all by name from {HERE} anti join touched using ({KEY})") if files else ""
            )
            written = self._write(
                table, date, f"select * from (from fresh_{table} {stored}) {dated}", 0
            )
            for file in files:
                if file != written:
                    file.unlink()

    def _repeats(self, known: Manifest) -> bool:
        """Brings `repeated` up to date: rows of touched sessions are looked at anew."""
        self.run(
            "create or replace table repeated as "
            f"from (select filename, file_row_number, {KEY} from repeated_touched) "
            "union all by name "
            f"from stored.repeated anti join touched using ({KEY})"
        )
        (count,) = self.run("select count(*) from repeated").fetchone() or (0,)
        return bool(count)

    def _write(self, table: str, date: str, select: str, share: int) -> Path:
        place = self.folder / table / f"date={date}"
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        return self._file(place / f"part-{share}.parquet", select)

    def _file(self, path: Path, select: str) -> Path:
        temporary = path.with_name(f".{path.name}.{os.getpid()}")
        self.run(WRITE.format(select=select, path=_quoted(temporary), more=""))
        temporary.replace(path)
        return path

    def _sweep(self, kept: set[Path]) -> None:
        """Removes the files of an older build, and what broke off."""
        for table in TABLES:
            for path in (self.folder / table).glob("date=*/*"):
                if path not in kept:
                    path.unlink()
            for place in (self.folder / table).glob("date=*"):
                with contextlib.suppress(OSError):
                    place.rmdir()

    def _finish(self, made: Manifest) -> None:
        for name, select in (
            ("evidence", "select * from whole.evidence"),
            ("kin", "select * from kin_beside"),
            ("repeated", f"select filename, file_row_number, {KEY} from repeated"),
        ):
            (self.folder / name).mkdir(mode=0o700, exist_ok=True)
            self._file(self.folder / name / "part-0.parquet", select)
        made.write(self.folder)

    def _counts(self) -> dict[str, int]:
        counts = {}
        for table in TABLES:
            files = [str(path) for path in (self.folder / table).glob("date=*/*.parquet")]
            self.run("set variable here = ?", [files])
            row = self.run(f"select count(*) from {HERE}").fetchone()
            counts[table] = row[0] if row else 0
        return counts


def _quoted(path: object) -> str:
    return str(path).replace("'", "''")
