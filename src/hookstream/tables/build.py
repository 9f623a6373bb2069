"""Tables built and refreshed: files written beside each other, renamed one by one, manifest last.

A build goes through the lake by the date of a session's first event, some hundred thousand events
at a time, so that memory does not grow with the lake. A refresh derives the touched sessions alone
and writes the dates they belong to. What breaks off is done again: the manifest names what is
covered.
"""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hookstream.tables import manifest
from hookstream.tables.events import Parts
from hookstream.tables.manifest import Manifest, date_of
from hookstream.tables.relations import (
    TABLES,
    Relations,
    set_thresholds,
)
from hookstream.tables.stored import KEY, LIGHT, Merged
from hookstream.tables.witnesses import has_several

if TYPE_CHECKING:
    import duckdb

BATCH_EVENTS = 400_000
# A refresh that would derive more than this share of all sessions is a build.
MOST = 0.5
HERE = "read_parquet(getvariable('here'), hive_partitioning = false)"
WRITE = "copy ({select}) to '{path}' (format parquet, compression zstd)"


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
        scan = Parts(self.connection, [str(self.lake / part) for part in self.parts])
        repeats = scan.has_repeats()
        if repeats:
            scan.find_repeats("coalesce(machine_id, '') as machine, tool, session_id")
        else:
            self.run(
                "create or replace table repeated (filename varchar, file_row_number bigint, "
                "machine varchar, tool varchar, session_id varchar)"
            )
        self.run("create schema if not exists whole")
        self.run(f"create or replace view scanned as {scan.events(repeats=repeats)}")
        self.run(f"create or replace view whole.events as select {LIGHT} from scanned")
        several = has_several(self.connection)
        Relations(self.connection).ensure(["known", "evidence"])
        self.run(
            "create or replace table dated as "
            "select *, cast(began_at as date) as date from whole.known"
        )
        set_thresholds(self.connection, failures, unchanged)
        dates = self.run(
            "select date::varchar, sum(told), max(cast(over_at as date))::varchar from dated "
            "group by date order by date"
        ).fetchall()
        kept: set[Path] = set()
        if several:
            kept = self._at_once([date for date, _, _ in dates], failures, unchanged)
        else:
            for date, told, last in dates:
                shares = max(1, -(-int(told) // BATCH_EVENTS))
                for share in range(shares):
                    kept |= self._batch(scan, date, last, share, shares, failures, unchanged)
        self._sweep(kept)
        self._finish(Manifest(self.parts, repeats, failures, unchanged, several))
        (sessions,) = self.run("select count(*) from dated").fetchone() or (0,)
        return Made("built", sessions, len(dates), len(self.parts), self._counts())

    def _batch(
        self,
        scan: Parts,
        date: str,
        last: str,
        share: int,
        shares: int,
        failures: int,
        unchanged: int,
    ) -> set[Path]:
        wanted = [
            str(self.lake / part)
            for part in self.parts
            if not date_of(part) or date <= date_of(part) <= last
        ]
        scan.narrow(wanted)
        self.run(
            f"create or replace table picked as select {KEY} from dated "
            f"where date = cast('{date}' as date) and hash({KEY}) % {shares} = {share}"
        )
        self.run(
            f"create or replace table loaded as select {LIGHT} from scanned as e "
            "semi join picked as k on coalesce(e.machine_id, '') = k.machine "
            "and e.tool = k.tool and e.session_id = k.session_id"
        )
        self.run("create or replace view whole.events as from loaded")
        made = Relations(self.connection, ("events", "known", "evidence"))
        set_thresholds(self.connection, failures, unchanged)
        made.ensure(TABLES)
        written = {
            self._write(table, date, f"select * from whole.{table}", share) for table in TABLES
        }
        made.forget()
        return written

    def _at_once(self, dates: list[str], failures: int, unchanged: int) -> set[Path]:
        """Sessions of several witnesses go over into each other: one derivation of them all."""
        made = Relations(self.connection, ("events",))
        set_thresholds(self.connection, failures, unchanged)
        made.ensure([*TABLES, "evidence"])
        return {
            self._write(
                table,
                date,
                f"select * from whole.{table} semi join (from dated where "
                f"date = cast('{date}' as date)) using ({KEY})",
                0,
            )
            for table in TABLES
            for date in dates
        }

    def refresh(self, known: Manifest) -> Made | None:
        """The touched sessions anew; None where a build costs less."""
        import duckdb

        merged = Merged(self.connection, self.lake, self.folder, known, self.parts)
        if merged.is_current:
            return Made("current", 0, 0, len(self.parts), {})
        if known.several or merged.brings_another_witness():
            return None
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
        self._finish(Manifest(self.parts, repeats, known.loop_failures, known.loop_unchanged))
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
        quoted = str(temporary).replace("'", "''")
        self.run(WRITE.format(select=select, path=quoted))
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
