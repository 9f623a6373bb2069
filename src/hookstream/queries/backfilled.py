"""Figures of a backfill's report, queried from the lake it wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hookstream.queries.costs import by_model, costs
from hookstream.queries.runner import ask, ask_sql, read, rows_of
from hookstream.queries.totals import totals
from hookstream.queries.unmatched import projects, unmatched

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from hookstream.queries.prices import Prices
    from hookstream.queries.stream import OpenStream

    Row = dict[str, Any]
    Settings = Callable[[list[tuple[str, str]]], Any]

# A client's part of `totals`.
CLIENTS = """
select
    s.tool, s.sessions, coalesce(p.prompts, 0) as prompts, coalesce(c.calls, 0) as calls,
    coalesce(c.failed, 0) as failed, coalesce(d.denied, 0) as denied, s.first_at, s.last_at
from (
    select tool, count(distinct (machine_id, session_id)) as sessions,
        min("timestamp") as first_at, max("timestamp") as last_at
    from stream group by tool
) as s
left join (select tool, count(1) as prompts from prompts group by tool) as p using (tool)
left join (
    select tool, count(1) as calls, count(1) filter (outcome = 'error') as failed
    from calls group by tool
) as c using (tool)
left join (select tool, count(1) as denied from denies group by tool) as d using (tool)
order by s.tool
"""


class Summary:
    """The report's tables as rows; `prices` says where the costs come from."""

    def __init__(self) -> None:
        self.totals: Row = {}
        self.clients: list[Row] = []
        self.denies: list[Row] = []
        self.bypasses: list[Row] = []
        self.loops: list[Row] = []
        self.models: list[Row] = []
        self.costs: list[Row] = []
        self.prices = ""
        self.settings: Any = None
        self.unmatched: list[Row] = []


def summary(lake: Path, prices: Prices, settings: Settings | None = None) -> Summary:
    """Query the lake; `settings` gives the permission rules of (client, project folder) pairs.
    Raises NothingToRead if it holds no stream."""
    return read(lake, lambda stream: _summary(stream, prices, settings))


def _summary(stream: OpenStream, prices: Prices, settings: Settings | None) -> Summary:
    made = Summary()
    if settings is not None:
        made.settings = settings(projects(stream))
        made.unmatched = unmatched(stream, made.settings.rules)
    made.totals = totals(stream)
    made.clients = rows_of(ask_sql(stream, CLIENTS))
    made.denies = rows_of(ask(stream, "denies"))
    made.bypasses = rows_of(ask(stream, "bypasses"))
    made.loops = rows_of(ask(stream, "retry_loops"))
    made.prices = prices.source
    made.costs = costs(stream, prices)
    made.models = by_model(made.costs)
    return made
