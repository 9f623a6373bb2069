"""The totals of a stream, counted once for the report, a backfill and the demo."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hookstream.queries.catalog import query
from hookstream.queries.runner import Filters, ask_sql, heard_late, within_span

if TYPE_CHECKING:
    from hookstream.queries.stream import OpenStream

    Row = dict[str, Any]

# An event is one that `events` holds, reported twice or not; the rest is of what happened once.
TOTALS = """
select
    (select count(1) from events) as events,
    count(distinct (machine_id, tool, session_id)) as sessions,
    count(distinct tool) as clients, count(distinct user_id) as users,
    count(distinct machine_id) as machines, min("timestamp") as first_at,
    max("timestamp") as last_at
from stream
"""
FAILED = "count(1) filter (outcome = 'error')"
RISKY = "count(1) filter (risk_score >= 70)"
# Of the events of a span, by a key; the counts of calls and denies come from their own answers.
EVENTS = """
select
    {key} as key, count(distinct (machine_id, tool, session_id)) as sessions,
    max(risk_score) as max_risk, max("timestamp") as last_at
from stream
where {key} is not null
group by all
"""


def totals(stream: OpenStream, filters: Filters | None = None) -> Row:
    """Events, sessions, clients, users, machines, prompts, calls, failed calls and denies, and the
    times of the first and the last event."""
    filters = filters or Filters()
    found = _one(ask_sql(stream, TOTALS, filters))
    for name in ("prompts", "denies"):
        ((found[name],),) = counted(stream, name, "count(1)", filters)
    ((found["calls"], found["failed"]),) = counted(stream, "calls", f"count(1), {FAILED}", filters)
    return found


def by_key(stream: OpenStream, key: str, filters: Filters) -> list[Row]:
    """Sessions, calls, failed calls, denies and risks of each user or machine, riskiest first."""
    calls = _by(counted(stream, "calls", f"{key}, count(1), {FAILED}, {RISKY}", filters, key))
    denies = _by(counted(stream, "denies", f"{key}, count(1)", filters, key))
    rows = []
    for value, sessions, max_risk, last_at in ask_sql(stream, EVENTS.format(key=key), filters).rows:
        number, failed, risky = calls.get(value, (0, 0, 0))
        (denied,) = denies.get(value, (0,))
        rows.append(
            {key: value, "sessions": sessions, "calls": number, "failed": failed}
            | {"denies": denied, "risky": risky, "max_risk": max_risk, "last_at": last_at}
        )
    return sorted(
        rows,
        key=lambda row: (-(row["max_risk"] or -1), -row["risky"], -row["denies"], row[key]),
    )


def by_time(stream: OpenStream, unit: str, filters: Filters) -> list[Row]:
    """Calls, denies and risky calls by hour or day, newest first."""
    began = "date_trunc('{unit}', {time})"
    first, denied = (
        began.format(unit=unit, time=f'"{query(name).time}"') for name in ("calls", "denies")
    )
    calls = _by(counted(stream, "calls", f"{first}, count(1), {RISKY}", filters, first))
    denies = _by(counted(stream, "denies", f"{denied}, count(1)", filters, denied))
    return [
        {
            "began": at,
            "calls": calls.get(at, (0, 0))[0],
            "denies": denies.get(at, (0,))[0],
            "risky": calls.get(at, (0, 0))[1],
        }
        for at in sorted({*calls, *denies} - {None}, reverse=True)
    ]


def counted(
    stream: OpenStream, name: str, counts: str, filters: Filters, key: str = ""
) -> list[tuple[Any, ...]]:
    """The rows of counts over a question's answer, by a key if there is one. A span of time is
    about the time of its rows: what led to one may be older."""
    asked = query(name)
    span = within_span(asked, filters, heard_late(stream, asked, filters))
    if span:
        filters = Filters(
            tool=filters.tool,
            session=filters.session,
            machine=filters.machine,
            user=filters.user,
        )
    where = f" where {span}" if span else ""
    group = f" group by {key}" if key else ""
    return ask_sql(stream, f"select {counts} from {name}{where}{group}", filters).rows  # noqa: S608


def _by(rows: list[tuple[Any, ...]]) -> dict[Any, tuple[Any, ...]]:
    return {row[0]: row[1:] for row in rows}


def _one(result: Any) -> Row:
    return dict(zip(result.columns, result.rows[0], strict=True))
