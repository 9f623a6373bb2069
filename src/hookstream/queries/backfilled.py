"""What a backfill's report says, asked of the lake it wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from hookstream.queries.runner import ask, ask_sql, read

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from hookstream.queries.stream import Stream

    Row = dict[str, Any]

    class Prices(Protocol):
        source: str

        def cost(
            self,
            client: str,
            model: str,
            tokens: tuple[int, int, int, int],
            at: datetime | None = None,
        ) -> float | None: ...


TOTALS = """
select
    tool, count(distinct session_id) as sessions,
    count(1) filter (event_type = 'Prompt.Submitted') as prompts,
    count(1) filter (event_type = 'Action.Before') as calls,
    count(1) filter (event_type = 'Action.After' and outcome = 'error') as failed,
    count(1) filter (event_type = 'Policy.Blocked') as denied,
    min("timestamp") as first_at, max("timestamp") as last_at
from stream where coalesce(derived, false) = false group by tool order by tool
"""
# Responses of the same size are priced once.
RESPONSES = """
select
    tool, coalesce(model_id, 'unknown') as model,
    coalesce(input_tokens, 0) as input, coalesce(output_tokens, 0) as output,
    coalesce(cache_read_tokens, 0) as cache_read, coalesce(cache_write_tokens, 0) as cache_write,
    count(1) as answers, max("timestamp") as at, sum(cost_usd) as said
from stream
where event_type = 'Model.Responded' and (input_tokens is not null or output_tokens is not null)
group by all
"""
# Claude Code's running totals without the responses of the session's own file: what is left are
# side calls and sub-agents, whose responses stand in files of their own.
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


def summary(lake: Path, prices: Prices) -> Summary:
    """What the lake says. Raises NothingToRead where it holds no stream."""
    return read(lake, lambda stream: _summary(stream, prices))


def _summary(stream: Stream, prices: Prices) -> Summary:
    made = Summary()
    made.clients = _rows(ask_sql(stream, TOTALS))
    made.denies = _rows(ask(stream, "denies"))
    made.loops = _rows(ask(stream, "retry_loops"))
    made.prices = prices.source
    made.models = _priced(_rows(ask_sql(stream, RESPONSES)), prices)
    side = [row for row in _rows(ask_sql(stream, SIDE_CALLS)) if row["input"] or row["output"]]
    for row in side:
        row |= {"answers": 0, "said": None, "model": f"{row['model']} (side calls)"}
    made.models += _priced(side, prices)
    made.models.sort(key=lambda row: (-(row["cost_usd"] or 0.0), row["tool"], row["model"]))
    return made


def _priced(rows: list[Row], prices: Prices) -> list[Row]:
    """Sums by client and model. A response's own cost, where its client says one, goes before a
    list price."""
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
        many = max(1, row["answers"])
        for name in ("input", "output", "cache_read", "cache_write"):
            total[name] += row[name] * many
        total["answers"] += row["answers"]
        cost = row["said"]
        if not cost:
            model = row["model"].removesuffix(" (side calls)")
            one = prices.cost(row["tool"], model, tokens, row["at"])
            cost = None if one is None else one * many
        if cost is not None:
            total["cost_usd"] = (total["cost_usd"] or 0.0) + cost
    return list(sums.values())


def _rows(result: Any) -> list[Row]:
    return [dict(zip(result.columns, row, strict=True)) for row in result.rows]
