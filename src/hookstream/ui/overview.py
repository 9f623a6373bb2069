"""The first page: what happened, what was denied, what is new, and how far it can be trusted."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from hookstream.queries.catalog import queries

if TYPE_CHECKING:
    from hookstream.ui.filters import Filters
    from hookstream.ui.lake import Lake

BUCKETS = 120
TOP = 8
STEPS_S = (60, 300, 900, 3600, 3 * 3600, 6 * 3600, 86400, 7 * 86400)
NEW = (("destinations", "egress", "host"), ("mcp", "mcp_servers", "server"),
       ("packages", "packages", "package"))  # fmt: skip


def overview(lake: Lake, filters: Filters) -> dict[str, Any]:
    """Totals, a series of (time, events, denies), most frequent values, new things and gaps."""
    columns = {"timestamp": "TIMESTAMP"} | {column: "VARCHAR" for column, _ in filters.equal}
    where, values = filters.where(columns, "timestamp")
    row = lake.ask(
        'select min("timestamp"), max("timestamp"), count(*), count(distinct session_id),'
        f" count(distinct machine_id), count(distinct user_id) from events where {where}",
        values,
    ).rows[0]
    names = ("first", "last", "events", "sessions", "machines", "users")
    totals = dict(zip(names, row, strict=True))
    denies = f"denies where {where}"
    totals["denies"] = lake.one(f"select count(*) from {denies}", values)
    totals["executed"] = lake.one(f"select count(*) from {denies} and executed_afterwards", values)
    made: dict[str, Any] = {"totals": totals, "series": [], "step_s": 0}
    if totals["events"]:
        step_s = step_of(totals["first"], totals["last"])
        made["step_s"] = step_s
        made["series"] = series(lake, where, values, denies, step_s)
        made["tops"] = tops(lake, where, values, denies)
        made["new"] = news(lake, totals["last"])
        made["gaps"] = gaps(lake)
    return made


def step_of(first: datetime, last: datetime) -> int:
    """Seconds a bucket, so that the span has at most BUCKETS."""
    span_s = (last - first).total_seconds()
    return next((step for step in STEPS_S if span_s / step <= BUCKETS), 30 * 86400)


def series(
    lake: Lake, where: str, values: list[Any], denies: str, step_s: int
) -> list[tuple[int, int, int]]:
    """(epoch seconds, events, denies) a bucket, without holes."""
    bucket = f'cast(floor(epoch("timestamp") / {step_s}) as bigint) * {step_s}'
    counted: dict[int, list[int]] = {}
    for n, source in enumerate((f"events where {where}", denies)):
        for at, count in lake.ask(
            f"select {bucket}, count(*) from {source} group by 1", values
        ).rows:
            counted.setdefault(at, [0, 0])[n] = count
    return [(at, *counted.get(at, (0, 0))) for at in range(min(counted), max(counted) + 1, step_s)]


def tops(lake: Lake, where: str, values: list[Any], denies: str) -> list[dict[str, Any]]:
    """The most frequent values, each list with the filter its entries set."""
    made = []
    for title, column, source, page in (
        ("Clients", "tool", f"events where {where}", "sessions"),
        ("Denies by user", "user_id", denies, "denies"),
        ("Denies by machine", "machine_id", denies, "denies"),
        ("Denies by decider", "decided_by", denies, "denies"),
        ("Denied commands", "command", f"{denies} and command is not null", "denies"),
    ):
        rows = lake.ask(
            f'select "{column}", count(*) as n from {source} group by 1'
            f" order by n desc, 1 limit {TOP}",
            values,
        ).rows
        made.append({"title": title, "column": column, "page": page, "rows": rows})
    return made


def news(lake: Lake, last: datetime) -> list[dict[str, Any]]:
    """What was first seen in the last day of the lake, over the whole lake."""
    since = last - timedelta(days=1)
    made = []
    for key, name, column in NEW:
        if name not in queries():
            continue
        source = f"{name} where first_seen >= ?"
        rows = lake.ask(
            f'select "{column}", min(first_seen) from {source} group by 1 order by 2 desc limit 6',
            [since.isoformat(sep=" ")],
        ).rows
        made.append({"page": key, "column": column, "rows": rows})
    return made


def gaps(lake: Lake) -> list[dict[str, Any]]:
    """Each kind of gap with its count, the most frequent first."""
    sql = 'select gap, sum("count") as n, count(*) as places from gaps'
    return lake.ask(f"{sql} group by 1 order by n desc limit 12").dicts()
