"""Replace stored rows of changed sessions: only the files that have some are written.

A session's rows stay in their file, which is renamed into place at once: a reader meanwhile finds
them before or after, never twice or not at all. Sessions that a table has no rows of yet go to a
small file of their date, so that deliveries of one day leave its large files alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookstream.tables.connection import run_step
from hookstream.tables.files import HERE, KEY

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    import duckdb

    from hookstream.tables.files import Files

# A file of up to N bytes is written again for a few rows more; next to a larger one a second is
# begun, once.
SMALL_BYTES = 1 << 20
MOST_FILES = 2


class Rewrite:
    """Over `changed_sessions`, `fresh_NAME` and `base.known`; `lost_dates` were removed."""

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, files: Files, lost_dates: Iterable[str]
    ) -> None:
        self.connection = connection
        self.run = connection.execute
        self.files = files
        self.lost_dates = frozenset(lost_dates)
        run_step(connection, "changed_dates")

    def table(self, table: str, dates: Iterable[str]) -> None:
        """Write what was derived of a table in place of what was stored of these dates."""
        held = {date: self.files.of(table, date) for date in sorted(self.lost_dates.union(dates))}
        self._find(table, [str(path) for paths in held.values() for path in paths])
        for date, paths in held.items():
            self._settle_new(date, paths, table)
        stored = {row[0] for row in self.run("select filename from row_files").fetchall()}
        gains = {row[0] for row in self.run("select filename from target_files").fetchall()}
        for date, paths in held.items():
            for path in sorted({*paths, self._more(table, date)}):
                if str(path) in stored | gains or (date in self.lost_dates and path in paths):
                    self._replace(path, table, date, is_there=path in paths)

    def _find(self, table: str, paths: list[str]) -> None:
        """Fill `row_files` and `target_files` of a table."""
        if paths:
            self.run("set variable here = ?", [paths])
            run_step(self.connection, "row_files")
        else:
            run_step(self.connection, "no_row_files")
        run_step(self.connection, "target_files", table=table)

    def _settle_new(self, date: str, paths: list[Path], table: str) -> None:
        """Say which file takes the sessions of a date that the table has no rows of."""
        smallest = min(paths, key=lambda path: path.stat().st_size, default=None)
        if smallest is None or (len(paths) < MOST_FILES and smallest.stat().st_size > SMALL_BYTES):
            smallest = self._more(table, date)
        self.run(
            "update target_files set filename = ? where filename is null and date = ?",
            [str(smallest), date],
        )

    def _more(self, table: str, date: str) -> Path:
        """The file that is begun next to those of a build."""
        return self.files.folder / table / f"date={date}" / "part-new.parquet"

    def _replace(self, path: Path, table: str, date: str, *, is_there: bool) -> None:
        """One file: what stays of its rows, and what was derived of the sessions it holds."""
        self.run("set variable target = ?", [str(path)])
        select = (
            f"from fresh_{table} semi join "
            f"(from target_files where filename = getvariable('target')) using ({KEY})"
        )
        if is_there:
            self.run("set variable here = ?", [[str(path)]])
            text = f"semi join base.known using ({KEY})" if date in self.lost_dates else ""
            select += (
                f" union all by name (from {HERE} anti join changed_sessions using ({KEY}) {text})"
            )
        self.files.write_to(path, select)
