"""Refresh of tables: the touched sessions are derived, the files that hold them written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookstream.core.files import keep_private
from hookstream.tables import history
from hookstream.tables.files import Files, Made
from hookstream.tables.kin import KEY
from hookstream.tables.manifest import UNFINISHED, TablesManifest
from hookstream.tables.relations import TABLES
from hookstream.tables.rewrite import Rewrite
from hookstream.tables.stored import Merged
from hookstream.tables.touched import TooMany

if TYPE_CHECKING:
    import duckdb

    from hookstream.tables.lake import Lake


class Refresh:
    """One refresh over a separate connection."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, lake: Lake) -> None:
        self.connection = connection
        self.run = connection.execute
        self.lake = lake

    def touched(self, known: TablesManifest) -> Made | None:
        """Derive the touched sessions again; None if a build costs less."""
        import duckdb

        self.files = Files(self.connection, self.lake.tables, known)
        merged = Merged(self.connection, self.lake, known)
        if merged.is_current:
            return Made("current", 0, 0, len(self.lake.parts))
        try:
            merged.settle()
            (touched,) = self.run("select count(*) from touched").fetchone() or (0,)
        except (TooMany, duckdb.Error):
            return None
        several = known.several or self._is_of_several()
        dates = self.run(
            "select distinct date::varchar from ("
            f"select cast(began_at as date) as date from had semi join touched using ({KEY}) "
            "union all select cast(began_at as date) from whole.known "
            f"semi join touched using ({KEY})"
            ") where date is not null"
        ).fetchall()
        keep_private(self.lake.tables / UNFINISHED)
        rewrite = Rewrite(self.connection, self.files, merged.lost)
        for table in TABLES:
            rewrite.table(table, (date for (date,) in dates))
        repeats = self._repeats(known)
        ids = [
            row[0] for row in self.run("select distinct md5(session_id) from touched").fetchall()
        ]
        thresholds = (known.loop_failures, known.loop_unchanged)
        made = TablesManifest(self.lake.parts, {}, repeats, merged.alike, several, *thresholds)
        self.files.finish(made)
        if not merged.lost:
            history.note(self.lake.tables, known.parts, self.lake.parts, ids)
        return Made("refreshed", touched, len(dates), len(self.lake.parts))

    def _is_of_several(self) -> bool:
        """Return whether more than one kind of witness reports sessions, if one did until now."""
        (kinds,) = self.run(
            "select count(distinct case witness when 'mod' then 0 when 'transcript' then 1 "
            "when 'telemetry' then 3 else 2 end) from ("
            "select unnest(witnesses) as witness from stored.sessions "
            "union all select witness from loaded)"
        ).fetchone() or (0,)
        return bool(kinds > 1)

    def _repeats(self, known: TablesManifest) -> bool:
        """Refresh `repeated`: rows of touched sessions are checked again."""
        self.run(
            "create or replace table repeated as "
            f"from (select filename, file_row_number, {KEY} from repeated_touched) "
            "union all by name "
            f"from stored.repeated anti join touched using ({KEY})"
        )
        (count,) = self.run("select count(*) from repeated").fetchone() or (0,)
        return bool(count)
