"""Refresh of tables: the changed sessions are derived, the files that hold them written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookstream.core.files import keep_private
from hookstream.tables import history
from hookstream.tables.changed_sessions import TooMany
from hookstream.tables.connection import run_step
from hookstream.tables.files import Files, Made
from hookstream.tables.manifest import UNFINISHED, TablesManifest
from hookstream.tables.relations import TABLES, has_several
from hookstream.tables.rewrite import Rewrite
from hookstream.tables.stored import Merged

if TYPE_CHECKING:
    import duckdb

    from hookstream.tables.manifest import Lake


class Refresh:
    """One refresh over a separate connection."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, lake: Lake) -> None:
        self.connection = connection
        self.run = connection.execute
        self.lake = lake

    def refresh(self, known: TablesManifest) -> Made | None:
        """Derive the changed sessions again; None if a build costs less."""
        import duckdb

        self.files = Files(self.connection, self.lake.tables, known)
        merged = Merged(self.connection, self.lake, known)
        if merged.is_current:
            return Made("current", 0, 0, len(self.lake.parts))
        try:
            merged.settle()
            (changed,) = self.run("select count(*) from changed_sessions").fetchone() or (0,)
        except (TooMany, duckdb.Error):
            return None
        several = known.several or self._is_of_several()
        dates = run_step(self.connection, "changed_session_dates").fetchall()
        keep_private(self.lake.tables / UNFINISHED)
        rewrite = Rewrite(self.connection, self.files, merged.lost_dates)
        for table in TABLES:
            rewrite.table(table, (date for (date,) in dates))
        repeats = self._has_repeats()
        digests = self.run("select distinct md5(session_id) from changed_sessions").fetchall()
        thresholds = (known.loop_failures, known.loop_unchanged)
        manifest = TablesManifest(self.lake.parts, {}, repeats, merged.alike, several, *thresholds)
        self.files.finish(manifest)
        if not merged.lost_dates:
            history.note(
                self.lake.tables, known.parts, self.lake.parts, [digest for (digest,) in digests]
            )
        return Made("refreshed", changed, len(dates), len(self.lake.parts))

    def _is_of_several(self) -> bool:
        """Return whether more than one kind of witness reports sessions, if one did until now."""
        stored = "select unnest(witnesses) as witness from stored.sessions"
        return has_several(
            self.connection, f"({stored} union all select witness from changed_events)"
        )

    def _has_repeats(self) -> bool:
        """Refresh `repeated`; return whether it has rows."""
        run_step(self.connection, "repeated_rows")
        (count,) = self.run("select count(*) from repeated").fetchone() or (0,)
        return bool(count)
