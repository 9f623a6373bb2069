"""Files of tables: written next to each other, renamed one by one, the manifest last."""

from __future__ import annotations

import contextlib
import os
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from hookstream.core.errors import HookstreamError
from hookstream.core.files import PRIVATE, make_private
from hookstream.tables.connection import run_step
from hookstream.tables.manifest import UNFINISHED, listed
from hookstream.tables.relations import TABLES

if TYPE_CHECKING:
    from collections.abc import Iterable

    import duckdb

    from hookstream.tables.manifest import TablesManifest


KEY = "machine, tool, session_id"


def fill_roots(connection: duckdb.DuckDBPyConnection) -> None:
    """Fill `group_roots`: each session in `links` with the one that its group is known by."""
    import pyarrow as pa

    rows = connection.execute(f"select {KEY}, parent from links").fetchall()
    above: dict[tuple[str, str, str], tuple[str, str, str]] = {}

    def top(one: tuple[str, str, str]) -> tuple[str, str, str]:
        while above.get(one, one) != one:
            above[one] = above.get(above[one], above[one])
            one = above[one]
        return one

    for machine, tool, session, parent in rows:
        a, b = sorted((top((machine, tool, session)), top((machine, tool, parent))))
        above[b] = a
        above.setdefault(a, a)
    made = [(*one, top(one)[2]) for one in above]
    names = ("machine", "tool", "session_id", "root")
    columns = {
        name: pa.array([row[n] for row in made], pa.string()) for n, name in enumerate(names)
    }
    connection.register("rows_in_memory", pa.table(columns))
    connection.execute("create or replace table group_roots as from rows_in_memory")
    connection.unregister("rows_in_memory")


def close_over(connection: duckdb.DuckDBPyConnection, table: str) -> None:
    """Add to a table of sessions all those that belong together with one of them."""
    while True:
        (added,) = run_step(connection, "linked_sessions", sessions=table).fetchone() or (0,)
        if not added:
            return


def select_known(connection: duckdb.DuckDBPyConnection, table: str) -> None:
    """Create `base.known` of a table of sessions and their parents out of `base.known_of_lake`:
    joining what is known of all sessions costs more than the rest."""
    run_step(connection, "known_of_sessions", sessions=table)


# This number takes about a gigabyte.
EVENTS = 500_000


@dataclass(frozen=True)
class SessionBatch:
    """Sessions that began from the date `first` to `last`, whose events end by `over`; of them the
    share number `share` of `shares`."""

    number: int
    first: str
    last: str
    over: str
    share: int = 0
    shares: int = 1


def plan(dates: Iterable[tuple[str, int, str]], limit: int | None = None) -> list[SessionBatch]:
    """Batches of about `limit` events (EVENTS) for rows in order: date, events, date of the last
    event."""
    limit = limit or EVENTS
    batches: list[SessionBatch] = []
    first, last, over, held = "", "", "", 0
    for date, events, until in dates:
        if held and held + events > limit:
            batches.append(SessionBatch(len(batches), first, last, over))
            held = 0
        shares = -(-events // limit)
        if shares > 1:
            batches += [
                SessionBatch(len(batches) + n, date, date, until, n, shares) for n in range(shares)
            ]
            continue
        if not held:
            first, over = date, until
        last, over, held = date, max(over, until), held + events
    if held:
        batches.append(SessionBatch(len(batches), first, last, over))
    return batches


HERE = "read_parquet(getvariable('here'), hive_partitioning = false)"
WRITE = "copy ({select}) to '{path}' (format parquet, compression zstd, compression_level 1{more})"
BY_DATE = ", partition_by (date), overwrite_or_ignore, filename_pattern 'part-{number}-{{i}}'"


@dataclass
class Made:
    """The result: `how` is built, refreshed or current; `sessions` were derived. `damaged` is what
    was wrong with the tables before, `left` the files of the lake that were left out."""

    how: str
    sessions: int
    dates: int
    parts: int
    damaged: str = ""
    left: list[str] = field(default_factory=list)


def counts(folder: Path) -> dict[str, int]:
    """table -> rows, by the footers of its files. Raises HookstreamError for a damaged one."""
    return {table: sum(map(_rows_of, listed(folder / table))) for table in TABLES}


def _rows_of(file: str) -> int:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return int(pq.read_metadata(file).num_rows)
    except (OSError, pa.ArrowException):
        raise HookstreamError(
            f"{file}: cannot be read; hookstream tables builds it again"
        ) from None


class Files:
    """The folder of a lake's tables, written over a connection; `known` is what they were."""

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        folder: Path,
        known: TablesManifest | None = None,
    ) -> None:
        self.run = connection.execute
        self.folder = folder
        self.known = known

    def store(self, table: str, batch: SessionBatch, *, by_date: bool) -> set[Path]:
        """Write the rows of a batch; the files."""
        if not by_date:
            return {self.write(table, batch.first, f"from base.{table}", batch.number)}
        made = set()
        with tempfile.TemporaryDirectory(dir=self.folder, prefix=".part-") as place:
            dated = f"from base.{table} join (select {KEY}, date from session_dates) using ({KEY})"
            more = BY_DATE.format(number=batch.number)
            self.run(WRITE.format(select=dated, path=_quoted(place), more=more))
            for file in Path(place).glob("date=*/*.parquet"):
                to = self.folder / table / file.parent.name / file.name
                make_private(to.parent)
                file.chmod(PRIVATE)  # DuckDB obeys the umask
                made.add(file.replace(to))
        # A table without rows has a file that says its columns.
        return made or self.store(table, batch, by_date=False)

    def of(self, table: str, date: str) -> list[Path]:
        """The existing files of a table and date."""
        return sorted((self.folder / table / f"date={date}").glob("*.parquet"))

    def write(self, table: str, date: str, select: str, share: int) -> Path:
        """Write the rows of a SELECT as one file of a date."""
        return self.write_to(self.folder / table / f"date={date}" / f"part-{share}.parquet", select)

    def write_to(self, path: Path, select: str) -> Path:
        """Write the rows of a SELECT as this file, at once."""
        make_private(path.parent)
        return self._file(path, select)

    def _file(self, path: Path, select: str) -> Path:
        temporary = path.with_name(f".{path.name}.{os.getpid()}")
        self.run(WRITE.format(select=select, path=_quoted(temporary), more=""))
        temporary.chmod(PRIVATE)
        temporary.replace(path)
        return path

    def sweep(self, kept: set[Path]) -> None:
        """Remove the files of an older build, and what broke off."""
        for table in TABLES:
            for path in (self.folder / table).glob("date=*/*"):
                if path not in kept:
                    path.unlink()
            for place in (self.folder / table).glob("date=*"):
                with contextlib.suppress(OSError):
                    place.rmdir()

    def finish(self, made: TablesManifest) -> None:
        """Write what is kept next to the tables, then the manifest."""
        for name, select in (
            ("evidence", "select * from base.evidence"),
            ("kin", "select * from kin_rows"),
            ("repeated", f"select filename, file_row_number, {KEY} from repeated"),
        ):
            self.write_to(self.folder / name / "part-0.parquet", select)
        made.name_files(self.folder, self.known)
        made.write(self.folder)
        (self.folder / UNFINISHED).unlink(missing_ok=True)


def _quoted(path: object) -> str:
    return str(path).replace("'", "''")
