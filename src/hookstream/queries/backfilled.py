"""Figures of a backfill's report, queried from the lake it wrote."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, Protocol

from hookstream.queries.runner import ask, ask_sql, read
from hookstream.queries.unmatched import projects, unmatched

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from hookstream.queries.stream import OpenStream

    Row = dict[str, Any]
    Settings = Callable[[list[tuple[str, str]]], Any]

    class Prices(Protocol):
        source: str
        with_cache: frozenset[str]

        def cost(
            self,
            client: str,
            model: str,
            tokens: tuple[int, int, int, int],
            at: datetime | None = None,
        ) -> float | None: ...

        def cost_of_many(
            self,
            client: str,
            model: str,
            tokens: tuple[int, int, int, int],
            at: datetime | None = None,
        ) -> float | None: ...

        def tier(self, model: str) -> int: ...


TOTALS = """
select
    tool, count(distinct session_id) as sessions,
    count(1) filter (event_type = 'Prompt.Submitted') as prompts,
    count(1) filter (event_type = 'Action.Before') as calls,
    count(1) filter (event_type = 'Action.After' and outcome = 'error') as failed,
    min("timestamp") as first_at, max("timestamp") as last_at
from stream where coalesce(derived, false) = false group by tool order by tool
"""
MODELS = """
select distinct coalesce(model_id, 'unknown') as model from stream
where event_type = 'Model.Responded' and (input_tokens is not null or output_tokens is not null)
"""
# Sums by the quarter of an hour, the finest by which list prices differ. A response that is larger
# than the lowest price of its model allows is summed with those of its size alone.
RESPONSES = """
with limits (model, most) as (values {limits}),
told as (
    select
        tool, coalesce(model_id, 'unknown') as model,
        coalesce(input_tokens, 0) as input, coalesce(output_tokens, 0) as output,
        coalesce(cache_read_tokens, 0) as cache_read,
        coalesce(cache_write_tokens, 0) as cache_write, "timestamp" as answered_at,
        nullif(cost_usd, 0) as said
    from stream
    where event_type = 'Model.Responded' and (input_tokens is not null or output_tokens is not null)
),
sized as (
    select
        told.*, case when tool in ({with_cache}) then greatest(input, cache_read) + cache_write
            else input + cache_read + cache_write end > most as is_large
    from told join limits using (model)
)
select
    tool, model, is_large, sum(input) as input, sum(output) as output,
    sum(cache_read) as cache_read, sum(cache_write) as cache_write, count(1) as answers,
    max(answered_at) as at, sum(said) as said
from sized
group by
    tool, model, is_large, time_bucket(interval 15 minutes, answered_at), said is null,
    case when is_large and said is null then input end,
    case when is_large and said is null then output end,
    case when is_large and said is null then cache_read end,
    case when is_large and said is null then cache_write end
"""
# Claude Code's running totals without the responses of the session's own file: what is left are
# side calls and sub-agents, whose responses are in separate files.
SIDE_CALLS = """
with last as (
    select
        tool, session_id, coalesce(model_id, 'unknown') as model,
        arg_max(input_tokens, place) as input, arg_max(output_tokens, place) as output,
        arg_max(cache_read_tokens, place) as cache_read,
        arg_max(cache_write_tokens, place) as cache_write, max("timestamp") as at
    from stream where event_type = 'vendor.claude-code.UsageTotals' group by all
),
agents as (
    select
        tool, session_id, coalesce(model_id, 'unknown') as model, sum(input_tokens) as input,
        sum(output_tokens) as output, sum(cache_read_tokens) as cache_read,
        sum(cache_write_tokens) as cache_write
    from stream
    where event_type = 'Model.Responded' and tool = 'claude-code' and agent_id is not null
    group by all
)
select
    l.tool, l.model, greatest(0, l.input - coalesce(a.input, 0)) as input,
    greatest(0, l.output - coalesce(a.output, 0)) as output,
    greatest(0, l.cache_read - coalesce(a.cache_read, 0)) as cache_read,
    greatest(0, l.cache_write - coalesce(a.cache_write, 0)) as cache_write, l.at
from last as l left join agents as a using (tool, session_id, model)
"""


class Summary:
    """The report's tables as rows; `prices` says where the costs come from."""

    def __init__(self) -> None:
        self.clients: list[Row] = []
        self.denies: list[Row] = []
        self.loops: list[Row] = []
        self.models: list[Row] = []
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
    made.clients = _rows(ask_sql(stream, TOTALS))
    made.denies = _rows(ask(stream, "denies"))
    denied = Counter(row["tool"] for row in made.denies)
    for row in made.clients:
        row["denied"] = denied[row["tool"]]
    made.loops = _rows(ask(stream, "retry_loops"))
    made.prices = prices.source
    made.models = _priced(_rows(ask_sql(stream, _responses(stream, prices))), prices)
    side = [row for row in _rows(ask_sql(stream, SIDE_CALLS)) if row["input"] or row["output"]]
    for row in side:
        row |= {"answers": 0, "said": None, "model": f"{row['model']} (side calls)"}
        row["is_large"] = False
    made.models += _priced(side, prices)
    made.models.sort(key=lambda row: (-(row["cost_usd"] or 0.0), row["tool"], row["model"]))
    return made


def _priced(rows: list[Row], prices: Prices) -> list[Row]:
    """Sums by client and model. A response's own cost, if its client reports one, takes precedence
    over a list price."""
    sums: dict[tuple[str, str], Row] = {}
    for row in rows:
        total = sums.setdefault(
            (row["tool"], row["model"]),
            {
                "tool": row["tool"],
                "model": row["model"],
                "answers": 0,
                "input": 0,
                "output": 0,
                "cache_read": 0,
                "cache_write": 0,
                "cost_usd": None,
            },
        )
        tokens = (row["input"], row["output"], row["cache_read"], row["cache_write"])
        for name in ("input", "output", "cache_read", "cache_write"):
            total[name] += row[name]
        total["answers"] += row["answers"]
        cost = row["said"]
        if not cost:
            cost = _cost(row, tokens, prices)
        if cost is not None:
            total["cost_usd"] = (total["cost_usd"] or 0.0) + cost
    return list(sums.values())


def _cost(row: Row, tokens: tuple[int, int, int, int], prices: Prices) -> float | None:
    model = row["model"].removesuffix(" (side calls)")
    if not row["is_large"]:
        return prices.cost_of_many(row["tool"], model, tokens, row["at"])
    # Responses of one size.
    many = row["answers"]
    alone = (tokens[0] // many, tokens[1] // many, tokens[2] // many, tokens[3] // many)
    one = prices.cost(row["tool"], model, alone, row["at"])
    return None if one is None else one * many


def _responses(stream: OpenStream, prices: Prices) -> str:
    """The query for sums of responses, with the models' limits."""
    models = [row["model"] for row in _rows(ask_sql(stream, MODELS))] or ["unknown"]
    limits = ", ".join(f"({_text(model)}, {prices.tier(model)})" for model in models)
    return RESPONSES.format(
        limits=limits, with_cache=", ".join(map(_text, sorted(prices.with_cache)))
    )


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def _rows(result: Any) -> list[Row]:
    return [dict(zip(result.columns, row, strict=True)) for row in result.rows]
