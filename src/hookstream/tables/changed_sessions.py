"""Sessions that a refresh derives again: those of parts that came or went, those that belong
together with one of them, and those whose evidence changed."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from hookstream.tables import files
from hookstream.tables.connection import run_step, step_text
from hookstream.tables.events import PartsScan, are_alike
from hookstream.tables.files import KEY
from hookstream.tables.manifest import date_of
from hookstream.tables.relations import Relations, columns_read

if TYPE_CHECKING:
    import duckdb

    from hookstream.tables.manifest import Lake

# More changed sessions than these, and than this share of all, are not derived by themselves.
FEW = 1000
MOST = 0.5


class TooMany(Exception):
    """Most sessions changed: deriving all of them is as fast."""


class ChangedSessions:
    """After `derive` there are the tables `changed_sessions`, `stored_sessions` (all that were
    stored), `changed_events` (those of changed sessions), `base.numbers` of these,
    `base.evidence` and `base.kin` of the lake, and `base.known` of the clients and machines of
    changed sessions, or of the lake if dates are lost.

    `stored.NAME` must exist. `lost_dates` have no part any more. `alike` says whether all parts of
    the lake have the same columns; as a parameter, whether those have that were covered before.
    """

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        lake: Lake,
        new_parts: list[str],
        removed_parts: list[str],
        alike: bool,
    ) -> None:
        self.connection = connection
        self.run = connection.execute
        self.lake = lake
        self.new_parts = new_parts
        self.removed_parts = removed_parts
        self.alike = alike
        self.lost_dates: list[str] = []

    def _step(self, name: str, **words: object) -> duckdb.DuckDBPyConnection:
        return run_step(self.connection, name, **words)

    def derive(self) -> None:
        """Derive the tables. Raises TooMany, before any event is loaded."""
        self._step("changed_sessions")
        self._step("stored_known")
        self._compare()
        if self.new_parts:
            self.run(f"create or replace view base.events as {self._scan(self.new_parts)}")
            self._add(step_text("sessions_of_events"))
        self._relate()
        self._add_removed()
        files.close_over(self.connection, "changed_sessions")
        self._weigh()
        self._load("changed_sessions")
        self._refresh_evidence()
        for sessions in ("sessions_of_evidence", "sessions_of_parents"):
            self._add(step_text(sessions), "further_sessions")
        (count,) = self.run("select count(*) from further_sessions").fetchone() or (0,)
        if count:
            files.close_over(self.connection, "further_sessions")
            self._load("further_sessions", into=True)
            self.run("insert into changed_sessions from further_sessions")

    def _weigh(self) -> None:
        """Raise TooMany if a build costs less."""
        (changed,) = self.run("select count(*) from changed_sessions").fetchone() or (0,)
        (stored,) = self.run("select count(*) from stored_sessions").fetchone() or (0,)
        if changed > max(FEW, MOST * stored):
            raise TooMany

    def _compare(self) -> None:
        """See whether new parts have the columns of the others: one of these represents all."""
        if self.alike and self.new_parts:
            others = (part for part in self.lake.parts if part not in set(self.new_parts))
            sample = [*self.new_parts, *islice(others, 1)]
            self.run("set variable parts = ?", [self.lake.files(sample)])
            self.alike = are_alike(self.connection)

    def _add_removed(self) -> None:
        """Add the sessions of parts that went: put together with others, replaced, or deleted."""
        dates = {date_of(part) for part in self.lake.parts}
        removed = {date_of(part) for part in self.removed_parts} - {""}
        self.lost_dates = sorted(removed - dates)
        listed = ", ".join(f"date '{date}'" for date in sorted(dates - {""})) or "null"
        has_left = (
            f"and len(list_filter([{listed}], lambda d: d between cast(began_at as date) "
            "and cast(over_at as date))) > 0"
        )
        for date in sorted(removed):
            # Of a date that is lost, the sessions that have others left.
            condition = has_left if date in self.lost_dates else ""
            self._add(step_text("sessions_of_date", date=date, condition=condition))

    def _relate(self) -> None:
        """Derive `base.kin` of the lake, and `links`."""
        if self.removed_parts:
            # What named a sub-agent may be gone: all parts are asked again.
            events = self._scan(list(self.lake.parts))
            self.run(f"create or replace view base.events as {events}")
        if self.new_parts or self.removed_parts:
            Relations(self.connection).ensure(["kin"])
            self._step("fresh_kin")
        self._step("merged_kin", condition="where false" if self.removed_parts else "")

    def _add(self, sessions: str, table: str = "changed_sessions") -> None:
        """Add the sessions that a SELECT gives to a table, each once."""
        self._step("session_keys", target=table, sessions=sessions)

    def _load(self, sessions: str, *, into: bool = False) -> None:
        """Load the events of these sessions, each once, as `changed_events`, or `into` it."""
        spans = self._step("stored_dates", sessions=sessions).fetchall()
        dates = {date_of(part) for part in self.new_parts}
        wanted = [
            part
            for part in self.lake.parts
            if not date_of(part)
            or date_of(part) in dates
            or any(first <= date_of(part) <= last for first, last in spans)
        ]
        parts = self._parts(wanted or list(self.lake.parts))
        scan = parts.events(repeats=False, only=columns_read(), numbered=True)
        after = "(select count(*) from base.numbers)" if into else "0"
        self._step("session_numbers", target="session_numbers", sessions=sessions, after=after)
        self._step(
            "numbered_events",
            target="numbered_events",
            events=f"({scan})",
            numbers="session_numbers",
            condition="" if wanted else "where false",
        )
        parts.find_repeats(f"coalesce(machine_id, '') as {KEY}", "numbered_events")
        self._step("further_events" if into else "changed_events")

    def _scan(self, names: list[str]) -> str:
        """SELECT over parts, rows reported twice among them."""
        return self._parts(names).events(repeats=False, only=columns_read())

    def _parts(self, names: list[str]) -> PartsScan:
        # Some may be alike where not all are.
        alike = True if self.alike else None
        return PartsScan(self.connection, self.lake.files(names), alike)

    def _refresh_evidence(self) -> None:
        """Derive what hooks show of the clients and machines of changed sessions, and list those
        where it changed: what is known of a session says nothing of another machine."""
        scope = "" if self.lost_dates else "semi join changed_clients using (machine, tool)"
        self._step("unplaced_events")
        Relations(self.connection, ("events", "kin")).ensure(["known"])
        self._step("known_sessions", scope=scope)
        if self.lost_dates:
            dates = ", ".join(f"date '{date}'" for date in self.lost_dates)
            self._step("forgotten_sessions", dates=dates)
        Relations(self.connection, ("events", "kin", "known")).ensure(["evidence"])
        if not self.lost_dates:
            self._step("stored_evidence")
        self._step("changed_evidence", scope=scope)
