"""Replace stored rows of touched sessions: only the files that have some are written.

A session's rows stay in their file, which is renamed into place at once: a reader meanwhile finds
them before or after, never twice or not at all. Sessions that a table has no rows of yet go to a
small file of their date, so that deliveries of one day leave its large files alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookstream.tables.files import HERE
from hookstream.tables.kin import KEY

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    import duckdb

    from hookstream.tables.files import Files

# A file of up to N bytes is written again for a few rows more; next to a larger one a second is
# begun, once.
SMALL_BYTES = 1 << 20
MOST_FILES = 2

BELONG = f"""
create or replace table belong as
select {KEY}, cast(began_at as date)::varchar as date
from whole.known semi join touched using ({KEY})
"""
# The files that hold a touched session's rows of a table; one, unless a refresh broke off.
LIE = f"""
create or replace table lie as
select distinct {KEY}, filename
from read_parquet(getvariable('here'), hive_partitioning = false, filename = true)
semi join touched using ({KEY})
"""
HOMES = f"""
create or replace table homes as
select {KEY}, date, min(filename) filter (contains(filename, 'date=' || date)) as filename
from (from belong semi join fresh_{{table}} using ({KEY})) left join lie using ({KEY})
group by all
"""


class Rewrite:
    """Over the tables `touched`, `fresh_NAME` and `whole.known`; `lost` are dates that were
    removed.
    """

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, files: Files, lost: Iterable[str]
    ) -> None:
        self.run = connection.execute
        self.files = files
        self.lost = frozenset(lost)
        self.run(BELONG)

    def table(self, table: str, dates: Iterable[str]) -> None:
        """Write what was derived of a table in place of what was stored of these dates."""
        held = {date: self.files.of(table, date) for date in sorted(self.lost.union(dates))}
        self._find(table, [str(path) for paths in held.values() for path in paths])
        for date, paths in held.items():
            self._settle_new(date, paths, table)
        stood = {row[0] for row in self.run("select filename from lie").fetchall()}
        gains = {row[0] for row in self.run("select filename from homes").fetchall()}
        for date, paths in held.items():
            for path in sorted({*paths, self._more(table, date)}):
                if str(path) in stood | gains or (date in self.lost and path in paths):
                    self._replace(path, table, date, is_there=path in paths)

    def _find(self, table: str, paths: list[str]) -> None:
        """`lie` and `homes` of a table."""
        if paths:
            self.run("set variable here = ?", [paths])
            self.run(LIE)
        else:
            self.run(
                f"create or replace table lie as select {KEY}, '' as filename from touched "
                "where false"
            )
        self.run(HOMES.format(table=table))

    def _settle_new(self, date: str, paths: list[Path], table: str) -> None:
        """Say which file takes the sessions of a date that the table has no rows of."""
        smallest = min(paths, key=lambda path: path.stat().st_size, default=None)
        if smallest is None or (len(paths) < MOST_FILES and smallest.stat().st_size > SMALL_BYTES):
            smallest = self._more(table, date)
        self.run(
            "update homes set filename = ? where filename is null and date = ?",
            [str(smallest), date],
        )

    def _more(self, table: str, date: str) -> Path:
        """The file that is begun next to those of a build."""
        return self.files.folder / table / f"date={date}" / "part-new.parquet"

    def _replace(self, path: Path, table: str, date: str, *, is_there: bool) -> None:
        """One file: what stays of its rows, and what was derived of the sessions it holds."""
        self.run("set variable home = ?", [str(path)])
        select = (
            f"from fresh_{table} semi join "
            f"(from homes where filename = getvariable('home')) using ({KEY})"
        )
        if is_there:
            self.run("set variable here = ?", [[str(path)]])
            kept = f"semi join whole.known using ({KEY})" if date in self.lost else ""
            select += f" union all by name (from {HERE} anti join touched using ({KEY}) {kept})"
        self.files.write_to(path, select)
