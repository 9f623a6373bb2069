"""Rules over an open connection: tables found, commands read, every rule asked."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import resources
from typing import TYPE_CHECKING, Any

from hookstream.core.progress import step
from hookstream.rules import commands, files, urls
from hookstream.rules.findings import Finding
from hookstream.rules.load import RuleError
from hookstream.rules.schema import RuleTable
from hookstream.rules.tuning import Tuning
from hookstream.tables.relations import hosts_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    import duckdb

    from hookstream.rules.compile import Compiled
    from hookstream.rules.stored import StoredCommandFacts

# What rules see of calls, beyond its own columns.
CALLS = """
create or replace temp view rule_calls as
select c.*{without}, {words}{lists},
    {event} as rule_event
from {calls} as c left join command_facts as f on c.command = f.command
left join url_facts as u on c.url = u.url
left join file_facts as p on c.file_path = p.path
"""
LATER = tuple(
    (
        "machine_id user_id decision decided_by decision_reason matched_rule_id failure certainty "
        "permission_mode cwd repo tool_version model_id mcp_server action_fingerprint"
    ).split()
)
TYPED = {
    "evidence": "[]::varchar[]",
    "secrets": '[]::struct("rule" varchar, "path" varchar, fingerprint varchar)[]',
    "executed_afterwards": "null::boolean",
    "sequence": "null::bigint",
    "risk_score": "null::bigint",
}
OF_FIRST_SEEN = set(
    "outcome first_at machine_id user_id tool session_id sequence rule_event command mcp_server "
    "model_id command_packages command_hosts command_effects url".split()
)
FIND = """
select h_time, h_event, h_shown, machine_id, user_id, tool, session_id, h_events
from ({rows}) as found
{where}
order by h_time nulls first, machine_id nulls first, tool, session_id, h_event
"""


@dataclass(frozen=True)
class TimeSpan:
    """The findings wanted, by their own time; naive UTC, `until` excluded, None: unbounded."""

    since: datetime | None = None
    until: datetime | None = None

    def holds(self, when: datetime | None) -> bool:
        if when is None:
            return self.since is None and self.until is None
        return (self.since is None or when >= self.since) and (
            self.until is None or when < self.until
        )


class RuleTables:
    """The tables of a connection as rules see them. `views` gives the SQL of a named question, so
    that a rule can be about its rows; `stored` has facts of commands; `touched` are digests of the
    sessions whose rows are seen (None: all)."""

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        views: dict[str, str] | None = None,
        stored: StoredCommandFacts | None = None,
        touched: Iterable[str] | None = None,
    ) -> None:
        self.connection = connection
        self.is_narrow = touched is not None
        if touched is not None:
            self._narrow(touched)
        self.stored = stored
        self.views = {} if views is None else views
        self.known: dict[str, RuleTable | None] = {}
        self.used: dict[str, set[str]] = {}

    def _narrow(self, touched: Iterable[str]) -> None:
        import pyarrow as pa

        rows = pa.table({"digest": pa.array(list(touched), pa.string())})
        self.connection.register("touched_rows", rows)
        self.connection.execute("create or replace temp table rule_sessions as from touched_rows")
        self.connection.unregister("touched_rows")

    def forget(self) -> None:
        """Forget the tables after the rows have changed: they are found, and copied, again."""
        for table in self.known.values():
            if table is not None and table.relation.startswith('"rule_'):
                kind = "view" if self._is_view(table.relation) else "table"
                self.connection.execute(f"drop {kind} {table.relation}")
        self.known.clear()

    def table(self, name: str) -> RuleTable | None:
        """The table of a service, described; None if it does not exist."""
        if name not in self.known:
            self.known[name] = self._find(name)
        return self.known[name]

    def copy(self) -> None:
        """Make tables of the views that rules ask again and again, of the columns they name."""
        for name, table in self.known.items():
            if table is None or not table.relation.strip('"').startswith("rule_"):
                continue
            if not self._is_view(table.relation):
                continue
            kept = sorted(table.used | (OF_FIRST_SEEN if name == "calls" else set()))
            columns = ", ".join(f'"{column}"' for column in kept if column in table.columns)
            self.connection.execute(
                f"create or replace temp table rule_copy as select {columns} from {table.relation}"
            )
            self.connection.execute(f"drop view {table.relation}")
            self.connection.execute(f"alter table rule_copy rename to {table.relation}")

    def _find(self, name: str) -> RuleTable | None:
        if not name.isidentifier() or len(name) > 64:
            return None
        if name == "calls":
            return self._calls()
        if self._exists(name):
            return self._table(name, f'"{name}"')
        if name == "first_seen":
            if self.table("calls") is None:
                return None
            self.connection.register("found_hosts", hosts_of(self.connection, "rule_calls"))
            self.connection.execute(
                "create or replace temp table rule_url_hosts as from found_hosts"
            )
            self.connection.unregister("found_hosts")
            self.views[name] = (
                resources.files("hookstream.rules").joinpath("first_seen.sql").read_text("utf-8")
            )
        if name in self.views:
            relation = f'"rule_{name}"'
            text = self.views[name].rstrip().rstrip(";")
            self.connection.execute(f"create or replace temp view {relation} as {text}")
            return self._table(name, relation)
        return None

    def _calls(self) -> RuleTable | None:
        if not self._exists("calls"):
            return None
        held = self.columns_of("calls")
        commands.fill(self.connection, "calls", self.stored)
        urls.fill(self.connection, "calls")
        files.fill(self.connection, "calls")
        of_commands = (*commands.LISTS, commands.PROCESSES)
        of_urls = (*urls.TEXTS, *urls.LISTS)
        ours = ("command_words", *of_commands, *of_urls, *files.COLUMNS, "rule_event")
        without = [name for name in ours if name in held]
        # A lake that an older version derived lacks some of what rules name: null there.
        old = {**TYPED, "evidence": "[c.before_id]"} if "before_id" in held else TYPED
        if "denied" in held:
            old = {**old, "decision": "case when c.denied then 'deny' end"}
        more = [
            f"{made} as {name}"
            for name, made in {**dict.fromkeys(LATER, "null::varchar"), **old}.items()
            if name not in held
        ]
        exclude = f" exclude ({', '.join(without)})" if without else ""
        joined = [f"f.{name}" for name in of_commands]
        joined += [f"u.{name}" for name in of_urls]
        joined += [f"p.{name}" for name in files.COLUMNS]
        lists = "".join(f", {name}" for name in (*joined, *more))
        self.connection.execute(
            CALLS.format(
                without=exclude,
                words="f.command_words",
                lists=lists,
                calls="calls",
                event="c.evidence[1]" if "evidence" in held else "c.before_id",
            )
        )
        return self._table("calls", '"rule_calls"')

    def _is_view(self, relation: str) -> bool:
        row = self.connection.execute(
            "select count(*) from duckdb_views() where view_name = ?", [relation.strip('"')]
        ).fetchone()
        return bool(row and row[0])

    def _table(self, name: str, relation: str) -> RuleTable:
        used = self.used.setdefault(name, set())
        if self.is_narrow:
            narrow = f'"rule_narrow_{name}"'
            self.connection.execute(
                f"create or replace temp view {narrow} as select * from {relation} where "
                "session_id is null or md5(session_id) in (select digest from rule_sessions)"
            )
            relation = narrow
        return RuleTable(name, relation, self.columns_of(relation), used)

    def _exists(self, name: str) -> bool:
        row = self.connection.execute(
            "select count(*) from information_schema.tables "
            "where table_name = ? and table_schema = 'main'",
            [name],
        ).fetchone()
        return bool(row and row[0])

    def columns_of(self, relation: str) -> dict[str, str]:
        rows = self.connection.execute(f"describe select * from {relation}").fetchall()
        return {str(row[0]): str(row[1]) for row in rows}


def findings(
    lake: RuleTables,
    rules: Sequence[Compiled],
    tuning: Tuning | None = None,
    span: TimeSpan | None = None,
) -> list[Finding]:
    """The findings of the rules, by time, then by title. RuleError names a rule that cannot be
    asked."""
    import duckdb

    tuning = tuning or Tuning()
    lake.copy()
    made: list[Finding] = []
    for number, rule in enumerate(rules):
        step(number, len(rules))
        if tuning.level_of(rule) == "off":
            continue
        try:
            rows = lake.connection.execute(_asked(rule, span or TimeSpan())).fetchall()
        except duckdb.Error as error:
            first = str(error).splitlines()[0][:200]
            raise RuleError(f"{rule.file}: {rule.title!r} cannot be asked: {first}") from None
        # One event may complete a rule in several groups; it is one finding.
        once: dict[str, Finding] = {}
        for row in rows:
            finding = _finding(rule, row)
            once.setdefault(finding.finding_id if finding.event_id else str(len(once)), finding)
        made += filter(None, (tuning.apply(finding, rule) for finding in once.values()))
    return in_order(made)


def in_order(found: Iterable[Finding]) -> list[Finding]:
    return sorted(found, key=_order)


def _asked(rule: Compiled, span: TimeSpan) -> str:
    bounds = [
        f"h_time {sign} timestamp '{when.isoformat(sep=' ')}'"
        for sign, when in ((">=", span.since), ("<", span.until))
        if when is not None
    ]
    return FIND.format(rows=rule.rows, where=f"where {' and '.join(bounds)}" if bounds else "")


def _finding(rule: Compiled, row: tuple[Any, ...]) -> Finding:
    when, event, shown, machine, user, tool, session, events = row
    return Finding(
        rule.id, rule.title, rule.level, when, machine, user, tool, session, event, shown,
        tuple(one for one in events or () if one), rule.tags, rule.atlas, rule.owasp, rule.name,
    )  # fmt: skip


def _order(one: Finding) -> tuple[str, ...]:
    return (
        one.timestamp.isoformat(timespec="microseconds") if one.timestamp else "",
        one.title,
        one.machine_id or "",
        one.session_id or "",
        one.event_id or "",
    )
