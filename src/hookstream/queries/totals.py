"""The totals of a stream, counted once for the report, a backfill and the demo."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hookstream.queries.catalog import query
from hookstream.queries.runner import Filters, ask_sql, within_span

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
COUNTED = {
    "prompts": "count(1)",
    "calls": "count(1)",
    "denies": "count(1)",
}


def totals(stream: OpenStream, filters: Filters | None = None) -> Row:
    """Events, sessions, clients, users, machines, prompts, calls, failed calls and denies, and the
    times of the first and the last event."""
    filters = filters or Filters()
    found = _one(ask_sql(stream, TOTALS, filters))
    for name, count in COUNTED.items():
        found[name] = counted(stream, name, count, filters)
    failed = "count(1) filter (outcome = 'error')"
    found["failed"] = counted(stream, "calls", failed, filters)
    return found


def counted(stream: OpenStream, name: str, count: str, filters: Filters) -> int:
    """How many rows a question answers, or what else is counted of them."""
    asked = query(name)
    span = within_span(asked, filters)
    if span:
        filters = Filters(
            tool=filters.tool,
            session=filters.session,
            machine=filters.machine,
            user=filters.user,
        )
    where = f" where {span}" if span else ""
    return int(ask_sql(stream, f"select {count} from {name}{where}", filters).rows[0][0])  # noqa: S608


def _one(result: Any) -> Row:
    return dict(zip(result.columns, result.rows[0], strict=True))
