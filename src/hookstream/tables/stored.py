"""The tables as they are stored, and what of a lake they do not cover yet.

`Merged` puts both together: rows of untouched sessions as stored, those of touched ones derived
from their events. A refresh writes what a question reads. A session is touched by a part that came
or went, by its parent, or where it has open calls and its client shows more on its machine now.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from hookstream.tables import kin
from hookstream.tables.events import Parts
from hookstream.tables.manifest import Manifest, date_of
from hookstream.tables.relations import TABLES, Relations, columns_read, set_thresholds

if TYPE_CHECKING:
    from pathlib import Path

    import duckdb

KEY = "machine, tool, session_id"
BESIDE_TABLES = ("evidence", "kin", "repeated")
# `kin` as it is kept: whether the sub-agent has a session of its own too, among {sessions}.
BESIDE = """
create or replace table kin_beside as
select k.*, s.session_id is not null as is_session
from whole.kin as k left join {sessions} as s using (machine, tool, session_id)
"""
KIN = "select k.* from whole.kin as k semi join {sessions} using (machine, tool, session_id)"
KIN_NOW = """
create or replace table kin_beside as
select
    machine, tool, session_id, min(parent) as parent,
    bool_or(is_session) or any_value(t.tool) is not null or any_value(h.tool) is not null
        as is_session
from (
    select * from whole.kin_fresh
    union all by name select machine, tool, session_id, parent, is_session from stored.kin {kept}
)
left join touched as t using (machine, tool, session_id)
left join had as h using (machine, tool, session_id)
group by machine, tool, session_id
"""
# The columns of `known` as sessions keep them.
KNOWN = """
select machine, tool, session_id, user_id, parent_session_id, has_after, has_ok, has_failed,
    has_batch, has_turns, has_before, after_natives, went_on, went_on_at, began_at, over_at, told
from stored.sessions
"""
SHOWN = "select machine, user_id, tool, shows, action_native from"


class Merged:
    """Stored tables of a lake over a connection, brought up to date in memory.

    `parts` are those that are there. After `settle`, `whole.NAME` holds every table, and the table
    `touched` the sessions that were derived again.
    """

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        lake: Path,
        folder: Path,
        manifest: Manifest,
        parts: dict[str, int],
    ) -> None:
        self.connection = connection
        self.lake = lake
        self.folder = folder
        self.manifest = manifest
        self.parts = parts
        self.fresh = sorted(p for p, size in parts.items() if manifest.parts.get(p) != size)
        self.gone = sorted(p for p in manifest.parts if p not in parts)
        self.repeats = manifest.repeats
        self.alike = True
        self.lost: list[str] = []
        self.run = connection.execute

    @property
    def is_current(self) -> bool:
        return not self.fresh and not self.gone

    def files(self, table: str) -> list[str]:
        return sorted(str(path) for path in self.folder.glob(f"{table}/**/*.parquet"))

    def all_files(self) -> list[str]:
        """Every stored file a question may read."""
        return sorted(str(path) for path in self.folder.rglob("*.parquet"))

    def open(self) -> None:
        """`stored.NAME` of all tables."""
        for table in (*TABLES, *BESIDE_TABLES):
            self.show(table)

    def show(self, table: str) -> None:
        """`stored.NAME` over what is stored of a table; raises duckdb.Error for a damaged file."""
        self.run("create schema if not exists stored")
        self.run(f"set variable files_{table} = ?", [self.files(table)])
        self.run(
            f"create or replace view stored.{table} as "
            f"from read_parquet(getvariable('files_{table}'), hive_partitioning = false)"
        )

    def settle(self) -> Relations:
        """`whole.NAME` of all tables, made at need where nothing has to be derived."""
        self.run("create schema if not exists whole")
        if self.is_current:
            relations = Relations(self.connection, ())
            for table in (*TABLES, "evidence"):
                relations.ready[table] = partial(self._show_as_it_is, table)
            relations.ready["known"] = self._show_known
        else:
            self.run(
                "create or replace table touched "
                "(machine varchar, tool varchar, session_id varchar)"
            )
            self.open()
            self._touch()
            self._derive()
            relations = Relations(self.connection, {"known", "evidence", *TABLES})
        set_thresholds(self.connection, self.manifest.loop_failures, self.manifest.loop_unchanged)
        return relations

    def _show_as_it_is(self, table: str) -> None:
        self.show(table)
        self.run(f"create or replace view whole.{table} as from stored.{table}")

    def _show_known(self) -> None:
        self.show("sessions")
        self.run(f"create or replace view whole.known as {KNOWN}")

    # What is touched

    def _touch(self) -> None:
        self.run(
            "create or replace table had as select machine, tool, session_id, parent_session_id, "
            "user_id, open_calls, began_at, over_at from stored.sessions"
        )
        if self.fresh:
            found = self._scan(self.fresh, repeats=False)
            self.run(f"create or replace view whole.events as {found}")
            self._add(
                "select distinct coalesce(machine_id, '') as machine, tool, session_id "
                "from whole.events"
            )
        self._relate()
        for date in {date_of(part) for part in self.gone} & {date_of(part) for part in self.parts}:
            # Put together with others, or replaced: its sessions are derived again.
            tools = {
                part.split("/")[1] for part in self.gone if date_of(part) == date and "/" in part
            }
            if {
                p for p in self.fresh if date_of(p) == date and p.split("/")[1] in tools
            } or not date:
                continue
            self._add(
                f"select {KEY} from had where cast(began_at as date) <= cast('{date}' as date) "
                f"and cast(over_at as date) >= cast('{date}' as date)"
            )
        dates = {date_of(part) for part in self.parts}
        lost = sorted({date_of(part) for part in self.gone} - dates)
        self.lost = [date for date in lost if date]
        for date in self.lost:
            # What is left of sessions that went on is derived of what is left.
            self._add(
                f"select {KEY} from had where cast(began_at as date) <= date '{date}' "
                f"and cast(over_at as date) >= date '{date}' and {self._is_left()}"
            )
        kin.close_over(self.connection, "touched")
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
        kin.close_over(self.connection, "more")
        self._load("more", into=True)
        self.run("insert into touched from more")

    def _is_left(self) -> str:
        """Whether a session of `had` has dates that are still there."""
        dates = {date_of(part) for part in self.parts} - {""}
        listed = ", ".join(f"date '{date}'" for date in sorted(dates)) or "null"
        return (
            f"len(list_filter([{listed}], lambda d: d between cast(began_at as date) "
            "and cast(over_at as date))) > 0"
        )

    def _relate(self) -> None:
        """`whole.kin` of the whole lake, and `links`."""
        if self.gone:
            # What named a sub-agent may be gone: all parts are asked again.
            found = self._scan(list(self.parts), repeats=False)
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
            for part in self.parts
            if not date_of(part)
            or date_of(part) in dates
            or any(first <= date_of(part) <= last for first, last in spans)
        ]
        select = (
            (
                f"select e.* from ({self._scan(wanted, repeats=True, keys=keys)}) as e "
                f"semi join {keys} as k on coalesce(e.machine_id, '') = k.machine "
                "and e.tool = k.tool and e.session_id = k.session_id"
            )
            if wanted
            else f"select * from ({self._scan(list(self.parts), repeats=False)}) where false"
        )
        if not wanted:
            self.run("create or replace table repeated as from stored.repeated where false")
        if into:
            self.run(f"insert into loaded {select}")
            self.run("insert into repeated_touched by name from repeated")
        else:
            self.run(f"create or replace table loaded as {select}")
            self.run("create or replace table repeated_touched as from repeated")

    def _scan(self, names: list[str], *, repeats: bool, keys: str = "") -> str:
        """SELECT over parts; rows told twice are found among those of the sessions `keys`."""
        parts = Parts(self.connection, [str(self.lake / name) for name in names])
        self.alike = self.alike and parts.alike
        if not repeats:
            return parts.events(repeats=False, only=columns_read())
        parts.find_repeats(
            "coalesce(machine_id, '') as machine, tool, session_id",
            f"semi join {keys} as k on coalesce(row.machine_id, '') = k.machine "
            "and row.tool = k.tool and row.session_id = k.session_id",
        )
        return parts.events(repeats=True, only=columns_read())

    def _know(self) -> None:
        """`whole.known` and `whole.evidence` of all sessions, and whose evidence has changed."""
        self.run("create or replace view whole.events as from loaded")
        fresh = Relations(self.connection, ("events", "kin"))
        fresh.ensure(["known"])
        self.run("create or replace table known_fresh as from whole.known")
        self.run("drop table whole.known")
        self.run(
            f"create or replace table whole.known as from known_fresh union all by name "
            f"from ({KNOWN}) as k anti join touched using ({KEY})"
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
        if self.lost:
            # What a machine has shown stays known when its events are deleted.
            self.run(
                "insert into whole.evidence by name "
                "from stored.evidence anti join whole.evidence using (machine, tool, shows)"
            )
        self.run(
            "create or replace table changed as select distinct machine, user_id, tool from ("
            f"({SHOWN} whole.evidence except {SHOWN} stored.evidence) union all "
            f"({SHOWN} stored.evidence except {SHOWN} whole.evidence))"
        )

    def _derive(self) -> None:
        """All tables: stored rows of untouched sessions, derived ones of touched."""
        made = Relations(self.connection, ("events", "kin", "known", "evidence"))
        set_thresholds(self.connection, self.manifest.loop_failures, self.manifest.loop_unchanged)
        made.ensure(TABLES)
        for table in TABLES:
            self.run(f"create or replace table fresh_{table} as from whole.{table}")
        made.forget()
        kept = ""
        if self.lost:
            kept = f" semi join whole.known using ({KEY})"
        for table in TABLES:
            self.run(
                f"create or replace view whole.{table} as from fresh_{table} union all by name "
                f"from stored.{table} anti join touched using ({KEY}){kept}"
            )
