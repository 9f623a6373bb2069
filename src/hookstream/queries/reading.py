"""Parts of a lake that a question reads.

If one kind of witness reported all events, any parts can be read alone. What several kinds reported
is joined by session: parts are read that hold complete sessions, with those of their sub-agents,
and the relations that join are made of these, again if a question reads others.
"""

from __future__ import annotations

import os
from datetime import UTC, datetime, time, timedelta
from typing import TYPE_CHECKING

from hookstream.tables.events import PartsScan
from hookstream.tables.manifest import date_of, tool_of

if TYPE_CHECKING:
    from datetime import date

    import duckdb

    from hookstream.tables.relations import Relations
    from hookstream.tables.stored import Merged


class StreamScan:
    """The scan over `files`; `stored` is what tables hold of them, if there are any."""

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        files: list[str],
        stored: Merged | None,
        relations: Relations,
    ) -> None:
        self.connection = connection
        self.files = files
        self.stored = stored
        self.relations = relations
        self.parts: PartsScan | None = None
        self._joins = stored is not None and stored.is_current and stored.manifest.several
        # Views are bound over one part where all have its columns: every view looks at each.
        few = stored is not None and stored.is_current and (stored.alike or self._joins)
        self._bound = files[:1] if few else files
        self._now = self._bound

    def show_events(self) -> None:
        """`base.events`: each event once."""
        stored = self.stored
        self.parts = PartsScan(
            self.connection, self.files, None if stored is None else stored.alike
        )
        if stored is not None and stored.is_current:
            repeats = stored.repeats
            if repeats:
                stored.show("repeated")
                self.connection.execute("create or replace view repeated as from stored.repeated")
        else:
            repeats = self.parts.has_repeats()
            if repeats:
                self.parts.find_repeats()
        found = self.parts.events(repeats=repeats)
        self._scan(self._now)
        self.connection.execute(f"create or replace view base.events as {found}")

    def begin(self) -> None:
        """Before the relations of a question are made: of the parts that were read before, and of
        as few as there can be until `narrow` says which matter."""
        self._scan(self._bound)

    def events_alone(self) -> None:
        """Make `base.events` over all parts, for what asks nothing else."""
        self.relations.ensure(["events"])
        self._scan(self.files)

    def narrow(self, files: list[str] | None = None) -> None:
        """Read these parts only, all by default, until the next question begins."""
        wanted = self.files if files is None else files
        self._scan(wanted)
        if not set(wanted) <= set(self._bound):
            self._bound = wanted
            self.relations.make_again(joined=self._joins)

    def parts_of(
        self, session: str | None, since: datetime | None, until: datetime | None
    ) -> list[str]:
        """The parts that can hold events of a session and of a time."""
        if self.stored is None or not (session or since or until):
            return self.files
        return self.stored.parts_of(session, since, until) or self.files[:1]

    def parts_heard(self, parts: list[str], since: datetime) -> list[str]:
        """Further parts, written since then, that hold events received since then: their own times,
        by which they are in other folders, are of who wrote them."""
        import duckdb

        begin, known = since.replace(tzinfo=UTC).timestamp(), set(parts)
        files = [one for one in self.files if one not in known and _written(one) >= begin]
        if not files:
            return []
        late = (
            "select distinct filename from read_parquet(?, filename = true, union_by_name = true) "
            'where "timestamp" < ? and received_at >= ?'
        )
        try:
            rows = self.connection.execute(late, [files, since, since]).fetchall()
        except duckdb.BinderException:
            return []  # parts of before there was a receipt
        return [str(row[0]) for row in rows]

    def parts_of_dates(
        self, dates: tuple[date, date] | None, session: str | None, client: str | None
    ) -> list[str]:
        """The parts of a first to a last date, of a session or of a client, and those of none."""
        if self._joins:
            if session is not None or dates is None:
                return self.parts_of(session, None, None)
            first, last = (datetime.combine(day, time()) for day in dates)
            return self.parts_of(None, first, last + timedelta(days=1))
        wanted = self.files
        if dates is not None:
            begin, end = map(str, dates)
            wanted = [file for file in wanted if not (day := date_of(file)) or begin <= day <= end]
        if client is not None:
            wanted = [file for file in wanted if tool_of(file) in (None, client)]
        return wanted or self.files

    def _scan(self, files: list[str]) -> None:
        self._now = files
        if self.parts is not None:
            self.parts.narrow(files)


def _written(file: str) -> float:
    try:
        return os.stat(file).st_mtime  # noqa: PTH116
    except OSError:
        return float("inf")  # of a store that says no time
