"""Which sessions a refresh derives again: those of parts that came or went, those that belong
together with one of them, and those whose evidence is another now."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from hookstream.tables import kin
from hookstream.tables.events import PartsScan, are_alike
from hookstream.tables.kin import KEY
from hookstream.tables.manifest import date_of
from hookstream.tables.relations import Relations, columns_read

if TYPE_CHECKING:
    import duckdb

    from hookstream.tables.lake import Lake

# `kin` as it is kept: whether the sub-agent has a separate session too, among {sessions}.
BESIDE = """
create or replace table kin_beside as
select k.*, s.session_id is not null as is_session
from whole.kin as k left join {sessions} as s using (machine, tool, session_id)
"""
KIN = "select k.* from whole.kin as k semi join {sessions} using (machine, tool, session_id)"
KIN_NOW = """
create or replace table kin_beside as
select
    machine, tool, session_id, min(parent) as parent, bool_or(is_alias) as is_alias,
    bool_and(is_separate) as is_separate,
    bool_or(is_session) or any_value(t.tool) is not null or any_value(h.tool) is not null
        as is_session
from (
    select * from whole.kin_fresh
    union all by name
    select machine, tool, session_id, parent, is_alias, is_separate, is_session
    from stored.kin {kept}
)
left join touched as t using (machine, tool, session_id)
left join had as h using (machine, tool, session_id)
group by machine, tool, session_id
"""
# A number for each session of a table, and all columns of their events with it.
NUMBERS = "select row_number() over () + {after} as session, machine, tool, session_id from {keys}"
LOAD = """
select e.*, n.session as told_session from {events} as e join {numbers} as n
    on coalesce(e.machine_id, '') = n.machine and e.tool = n.tool and e.session_id = n.session_id
"""
# The columns of `known` as sessions keep them.
KNOWN = """
select machine, tool, session_id, user_id, parent_session_id, has_after, has_ok, has_failed,
    has_batch, has_turns, has_before, after_natives, went_on, went_on_at, began_at, over_at, told,
    is_stray
from stored.sessions
"""
SHOWN = "select machine, user_id, tool, shows, action_native from"
# More touched sessions than these, and than this share of all, are not derived by themselves.
FEW = 1000
MOST = 0.5


class TooMany(Exception):
    """Most sessions are touched: deriving all of them is as fast."""


class Touched:
    """After `settle` the tables `touched` (sessions), `had` (all that were stored), `loaded` (the
    events of the touched ones), `whole.numbers` of these, `whole.evidence` and `whole.kin` of the
    whole lake, `whole.known` of the clients and machines of the touched sessions, or of the whole
    lake if dates are lost.

    `stored.NAME` must be there. `lost` are dates that are gone. `alike` says whether all parts of
    the lake have the same columns; given, whether those have that were there before.
    """

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        lake: Lake,
        fresh: list[str],
        gone: list[str],
        alike: bool,
    ) -> None:
        self.connection = connection
        self.run = connection.execute
        self.lake = lake
        self.fresh = fresh
        self.gone = gone
        self.alike = alike
        self.lost: list[str] = []

    def settle(self) -> None:
        """Make them. Raises TooMany, before any event is loaded."""
        self.run(
            "create or replace table touched (machine varchar, tool varchar, session_id varchar)"
        )
        self.run(
            "create or replace table had as select machine, tool, session_id, parent_session_id, "
            "user_id, open_calls, began_at, over_at from stored.sessions"
        )
        self._compare()
        if self.fresh:
            found = self._scan(self.fresh)
            self.run(f"create or replace view whole.events as {found}")
            self._add(
                "select distinct coalesce(machine_id, '') as machine, tool, session_id "
                "from whole.events"
            )
        self._relate()
        self._touch_gone()
        kin.close_over(self.connection, "touched")
        self._weigh()
        self._load("touched")
        self._know()
        # What a client shows on a machine may be more now, or less.
        self._add(
            f"select {KEY} from had where open_calls > 0 and exists (from changed as c where "
            "c.machine = had.machine and c.tool = had.tool "
            "and c.user_id is not distinct from had.user_id)",
            "more",
        )
        self._add(
            "select had.machine, had.tool, had.session_id from had join touched as p "
            "on had.machine = p.machine and had.tool = p.tool "
            "and had.parent_session_id = p.session_id where open_calls > 0",
            "more",
        )
        (count,) = self.run("select count(*) from more").fetchone() or (0,)
        if count:
            kin.close_over(self.connection, "more")
            self._load("more", into=True)
            self.run("insert into touched from more")

    def _weigh(self) -> None:
        """Raise TooMany if a build costs less."""
        (touched,) = self.run("select count(*) from touched").fetchone() or (0,)
        (held,) = self.run("select count(*) from had").fetchone() or (0,)
        if touched > max(FEW, MOST * held):
            raise TooMany

    def _compare(self) -> None:
        """See whether fresh parts have the columns of the others: one of these represents all."""
        if self.alike and self.fresh:
            others = (part for part in self.lake.parts if part not in set(self.fresh))
            sample = [*self.fresh, *islice(others, 1)]
            self.run("set variable parts = ?", [self.lake.files(sample)])
            self.alike = are_alike(self.connection)

    def _touch_gone(self) -> None:
        """Sessions of parts that went: put together with others, replaced, or deleted."""
        dates = {date_of(part) for part in self.lake.parts}
        gone = {date_of(part) for part in self.gone} - {""}
        self.lost = sorted(gone - dates)
        listed = ", ".join(f"date '{date}'" for date in sorted(dates - {""})) or "null"
        has_left = (
            f"len(list_filter([{listed}], lambda d: d between cast(began_at as date) "
            "and cast(over_at as date))) > 0"
        )
        for date in sorted(gone):
            # Of a date that is lost, the sessions that have others left.
            also = f" and {has_left}" if date in self.lost else ""
            self._add(
                f"select {KEY} from had where cast(began_at as date) <= date '{date}' "
                f"and cast(over_at as date) >= date '{date}'{also}"
            )

    def _relate(self) -> None:
        """`whole.kin` of the whole lake, and `links`."""
        if self.gone:
            # What named a sub-agent may be gone: all parts are asked again.
            found = self._scan(list(self.lake.parts))
            self.run(f"create or replace view whole.events as {found}")
        if self.fresh or self.gone:
            Relations(self.connection).ensure(["kin"])
            self.run(
                "create or replace table whole.kin_fresh as "
                "select k.*, s.session_id is not null as is_session from whole.kin as k left join "
                "(select distinct coalesce(machine_id, '') as machine, tool, session_id "
                f"from whole.events) as s using ({KEY})"
            )
        kept = "where false" if self.gone else ""
        self.run(KIN_NOW.format(kept=kept))
        self.run(
            "create or replace table whole.kin as select * exclude (is_session) from kin_beside"
        )
        self.run(
            "create or replace table links as select * exclude (is_session) "
            "from kin_beside where is_session"
        )

    def _add(self, query: str, table: str = "touched") -> None:
        self.run(
            f"create table if not exists {table} "
            "(machine varchar, tool varchar, session_id varchar)"
        )
        self.run(f"insert into {table} from ({query}) as q anti join touched using ({KEY})")
        self.run(f"create or replace table {table} as select distinct * from {table}")

    def _load(self, keys: str, *, into: bool = False) -> None:
        """The events of these sessions into `loaded`, each once."""
        spans = self.run(
            f"select distinct cast(began_at as date)::varchar, cast(over_at as date)::varchar "
            f"from had semi join {keys} using ({KEY})"
        ).fetchall()
        dates = {date_of(part) for part in self.fresh}
        wanted = [
            part
            for part in self.lake.parts
            if not date_of(part)
            or date_of(part) in dates
            or any(first <= date_of(part) <= last for first, last in spans)
        ]
        parts = self._parts(wanted or list(self.lake.parts))
        scan = parts.events(repeats=False, only=columns_read(), numbered=True)
        after = "(select count(*) from whole.numbers)" if into else "0"
        self.run(f"create or replace table own_numbers as {NUMBERS.format(keys=keys, after=after)}")
        load = LOAD.format(events=f"({scan})", numbers="own_numbers")
        more = "" if wanted else " where false"
        self.run(f"create or replace table numbered as {load}{more}")
        parts.find_repeats("coalesce(machine_id, '') as machine, tool, session_id", "numbered")
        if into:
            self.run(
                "insert into loaded from numbered "
                "anti join repeated using (filename, file_row_number)"
            )
            self.run("drop table numbered")
            self.run("insert into whole.numbers from own_numbers")
            self.run("insert into repeated_touched by name from repeated")
        else:
            self.run(
                "delete from numbered as n using repeated as r "
                "where n.filename = r.filename and n.file_row_number = r.file_row_number"
            )
            self.run("drop table if exists loaded")
            self.run("alter table numbered rename to loaded")
            self.run("create or replace table whole.numbers as from own_numbers")
            self.run("create or replace table repeated_touched as from repeated")

    def _scan(self, names: list[str]) -> str:
        """SELECT over parts, rows reported twice among them."""
        return self._parts(names).events(repeats=False, only=columns_read())

    def _parts(self, names: list[str]) -> PartsScan:
        # Some may be alike where not all are.
        alike = True if self.alike else None
        return PartsScan(self.connection, self.lake.files(names), alike)

    def _know(self) -> None:
        """`whole.known` and `whole.evidence`, and whose evidence has changed: what is known of a
        session shows what the hooks of its client do on its machine, and on no other."""
        self.run(
            "create or replace view whole.events as "
            "select * exclude (filename, file_row_number) from loaded"
        )
        fresh = Relations(self.connection, ("events", "kin"))
        fresh.ensure(["known"])
        self.run("create or replace table known_fresh as from whole.known")
        self.run("drop table whole.known")
        self.run("create or replace table places as select distinct machine, tool from touched")
        near = "" if self.lost else " semi join places using (machine, tool)"
        self.run(
            f"create or replace table whole.known as from known_fresh union all by name "
            f"from ({KNOWN}) as k{near} anti join touched using ({KEY})"
        )
        if self.lost:
            gone = ", ".join(f"date '{date}'" for date in self.lost)
            self.run(
                f"delete from whole.known where cast(began_at as date) in ({gone}) "
                f"and cast(over_at as date) in ({gone}) "
                f"and ({KEY}) not in (select ({KEY}) from touched)"
            )
        again = Relations(self.connection, ("events", "kin", "known"))
        again.ensure(["evidence"])
        if not self.lost:
            self.run(
                "insert into whole.evidence by name "
                "from stored.evidence anti join places using (machine, tool)"
            )
        self.run(
            "create or replace table changed as select distinct machine, user_id, tool from ("
            f"({SHOWN} whole.evidence{near} except {SHOWN} stored.evidence{near}) union all "
            f"({SHOWN} stored.evidence{near} except {SHOWN} whole.evidence{near}))"
        )
