"""The first page: what happened, what was denied, what is new, and how far it can be trusted."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from hookstream.core.jsons import JsonObject
from hookstream.queries.catalog import queries
from hookstream.queries.runner import moment
from hookstream.ui.attention import Attention
from hookstream.ui.dense import dense
from hookstream.ui.filters import PageFilters, filled
from hookstream.ui.lake import ROWS, BrowsedLake
from hookstream.ui.listing import Relation
from hookstream.ui.pages import PAGES

BUCKETS = 120
TOP = 8
STEPS_S = (60, 300, 900, 3600, 3 * 3600, 6 * 3600, 86400, 7 * 86400)
DENIES = PAGES["denies"].sql
MINUTES = """select date_trunc('minute', "timestamp") as "timestamp", tool, machine_id, user_id,
    session_id, count(*) as n, min("timestamp") as first, max("timestamp") as last
from events group by all"""
FINDINGS = PAGES["findings"].sql
# Page, condition, column, title and words of what may be new.
NEW = (
    ("destinations", "not internal", "host", "Destinations", "host"),
    ("mcp", "true", "server", "MCP servers", "server"),
    ("packages", "true", "package", "Packages", "package"),
    (
        "inventory",
        "kind = 'client'",
        "version",
        "Versions of clients",
        "concat_ws(' ', name, version)",
    ),
    ("inventory", "kind = 'model'", "name", "Models", "name"),
)
NEWEST = 6
SERIES_SQL = """with counted as (
    select {bucket} as began, count(*) as events, 0 as denies from events where {where} group by 1
    union all
    select {bucket}, 0, count(*) from denies where {where} group by 1
)
select make_timestamp(began * 1000000) as "from", cast(sum(events) as bigint) as events,
    cast(sum(denies) as bigint) as denies
from counted where began is not null group by 1 order by 1"""


def overview(lake: BrowsedLake, filters: PageFilters, *, with_findings: bool = False) -> JsonObject:
    """The first things to look at, totals, a series of (time, events, denies) and its SQL, most
    frequent values, new things and gaps, open findings where they are known. Bounds are taken at
    whole minutes."""
    since, until = minute(filters.since), minute(filters.until)
    filters = replace(filters, since=since, until=until, text="")
    columns = {"timestamp": "TIMESTAMP"} | {column: "VARCHAR" for column, _ in filters.equal}
    where, values = filters.where(columns, "timestamp")
    row = lake.ask(
        "select min(first), max(last), cast(sum(n) as bigint),"
        f" count(distinct machine_id), count(distinct user_id) from {ROWS} where {where}",
        values,
        over=MINUTES,
    ).rows[0]
    names = ("first", "last", "events", "machines", "users")
    totals = dict(zip(names, row, strict=True))
    # As its page counts them: an event may have the id of a sub-agent's session.
    totals["sessions"] = Relation(lake, PAGES["sessions"], filters.span()).count()
    totals["denies"], totals["executed"] = lake.ask(
        f"select count(*), count(*) filter (executed_afterwards) from {ROWS} where {where}",
        values,
        over=DENIES,
    ).rows[0]
    made: JsonObject = {"totals": totals, "series": [], "step_s": 0}
    if totals["events"]:
        made["leads"] = Attention(lake, filters).leads(with_findings=with_findings)
        step_s = step_of(totals["first"], totals["last"])
        made["step_s"] = step_s
        made["series"] = series(lake, where, values, step_s)
        drawn = made["series"]
        made["left_out"] = totals["events"] - sum(events for _, events, _ in drawn)
        if made["left_out"]:
            # Of a shorter span with finer steps.
            first, last = (
                datetime.fromtimestamp(at, UTC).replace(tzinfo=None)
                for at in (drawn[0][0], drawn[-1][0] + step_s)
            )
            step_s = made["step_s"] = step_of(first, last)
            inside = f'{where} and "timestamp" >= ? and "timestamp" < ?'
            made["series"] = series(lake, inside, [*values, str(first), str(last)], step_s)
        made["tops"] = tops(lake, where, values)
        made["new"] = news(lake)
        made["gaps"] = gaps(lake)
        made["findings"] = findings(lake, where, values) if with_findings else None
        bucket = bucket_of(step_s)
        made["sql"] = SERIES_SQL.format(bucket=bucket, where=filled(where, values))
    return made


def findings(lake: BrowsedLake, where: str, values: list[Any]) -> JsonObject:
    """Return how many findings are open, how many of them grave, and the rules that found most."""
    where = f"{where} and status = 'open'"
    total, grave = lake.ask(
        "select count(*), count(*) filter (level in ('critical', 'high'))"
        f" from {ROWS} where {where}",
        values,
        over=FINDINGS,
    ).rows[0]
    by_rule = lake.ask(
        f"select level, title, count(*) as n from {ROWS} where {where} group by level, title"
        " order by list_position(['critical', 'high', 'medium', 'low'], level) nulls last,"
        f" n desc, title limit {TOP}",
        values,
        over=FINDINGS,
    ).rows
    return {"total": total, "grave": grave, "by_rule": by_rule}


def minute(bound: str) -> str:
    """A bound as the begin of its minute."""
    return moment(bound).isoformat(sep=" ", timespec="minutes") if bound else ""


def step_of(first: datetime, last: datetime) -> int:
    """Seconds a bucket, so that the span has at most BUCKETS."""
    span_s = (last - first).total_seconds()
    return next((step for step in STEPS_S if span_s / step <= BUCKETS), 30 * 86400)


def series(
    lake: BrowsedLake, where: str, values: list[Any], step_s: int
) -> list[tuple[int, int, int]]:
    """(epoch seconds, events, denies) a bucket of the dense part, without holes."""
    bucket = bucket_of(step_s)
    counted: dict[int, list[int]] = {}
    for n, (over, count) in enumerate(((MINUTES, "cast(sum(n) as bigint)"), (DENIES, "count(*)"))):
        sql = f"select {bucket}, {count} from {ROWS} where {where} group by 1"
        for at, number in lake.ask(sql, values, over=over).rows:
            if at is not None:
                counted.setdefault(at, [0, 0])[n] = number
    first, last = dense({at: events + denies for at, (events, denies) in counted.items()})
    return [(at, *counted.get(at, (0, 0))) for at in range(first, last + 1, step_s)]


def bucket_of(step_s: int) -> str:
    return f'cast(floor(epoch("timestamp") / {step_s}) as bigint) * {step_s}'


def tops(lake: BrowsedLake, where: str, values: list[Any]) -> list[JsonObject]:
    """The most frequent values, each list with the filter its entries set."""
    made = []
    events = "cast(sum(n) as bigint)"
    is_hidden = lake.hides_people()
    for title, column, over, page in (
        ("Clients", "tool", MINUTES, "sessions"),
        ("Users", "user_id", MINUTES, "sessions"),
        ("Machines", "machine_id", MINUTES, "sessions"),
        ("Denies by user", "user_id", DENIES, "denies"),
        ("Denies by machine", "machine_id", DENIES, "denies"),
        ("Denies by decider", "decided_by", DENIES, "denies"),
        ("Denies by rule", "matched_rule_id", DENIES, "denies"),
        ("Denied commands", "command", DENIES, "denies"),
    ):
        if column == "user_id" and is_hidden:
            continue
        count = events if over == MINUTES else "count(*)"
        known = f' and "{column}" is not null' if column in ("command", "matched_rule_id") else ""
        sql = (
            f'select "{column}", {count} as n from {ROWS} where {where}{known} group by 1'
            f" order by n desc, 1 limit {TOP}"
        )
        rows = lake.ask(sql, values, over=over).rows
        if rows:
            made.append({"title": title, "column": column, "page": page, "rows": rows})
    return made


def news(lake: BrowsedLake) -> list[JsonObject]:
    """Values first seen on any machine in the last week of the lake, with how many have them."""
    made = []
    for key, condition, column, title, shown in NEW:
        page = PAGES[key]
        if page.question not in queries():
            continue
        answer = lake.ask(
            f'select "{column}", {shown} as shown, machines, first_seen,'
            f" count(*) over () as total from {ROWS}"
            f" where is_new and {condition} order by first_seen desc, 1 limit {NEWEST}",
            over=page.sql,
        )
        total = answer.rows[0][-1] if answer.rows else 0
        rows = [row[:-1] for row in answer.rows]
        made.append({"page": key, "column": column, "rows": rows, "title": title, "total": total})
    return made


def gaps(lake: BrowsedLake) -> list[JsonObject]:
    """Each kind of gap with its count, the most frequent first."""
    # What a silent machine counts is hours: here it is a machine.
    count = """sum(case when gap = 'silent_machine' then machines else "count" end)"""
    sql = f"select gap, cast({count} as bigint) as n, count(*) as places from {ROWS}"
    return lake.ask(f"{sql} group by 1 order by n desc limit 12", over="from gaps").dicts()
