"""Tokens and what they cost, read once for the report, a backfill and the pages."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any

from hookstream.queries import guard
from hookstream.queries.cost_trust import reason_of, summary_of
from hookstream.queries.prices import read_prices, with_cache
from hookstream.queries.unmatched import text

if TYPE_CHECKING:
    import duckdb

    from hookstream.queries.prices import Prices
    from hookstream.queries.runner import Filters
    from hookstream.queries.stream import OpenStream

    Row = dict[str, Any]


TOKENS = ("input", "output", "cache_read", "cache_write")
# What the pages show costs by; the table of them that SQL names.
KEYS = tuple("date machine_id user_id tool model_id project repo counted".split())
NAME = "usage_costs"
TYPES = {
    **{name: "DATE" if name == "date" else "VARCHAR" for name in KEYS},
    **dict.fromkeys((*TOKENS, "answers"), "BIGINT"),
    "cost_usd": "DOUBLE",
    "cost_from": "VARCHAR",
    "trust": "VARCHAR",
    "why": "VARCHAR",
}
NAMED = re.compile(r"\b(usage|costs|usage_costs)\b", re.IGNORECASE)
# Whose sum a cost is: the client's own, one by list prices (an estimate), or some of each.
CLIENT, LISTED, BOTH = "client", "list price", "client and list price"
COUNTED = "spanned.token_counts"
MODELS = f"""
select distinct coalesce(model_id, 'unknown') as model from {COUNTED}
where counted <> 'running total'
"""  # noqa: S608
# Sums by the quarter of an hour, the finest by which list prices differ. An answer that is larger
# than the lowest price of its model allows is summed with those of its size alone.
RESPONSES = f"""
with limits (model, most) as (values {{limits}}),
told as (
    select
        cast("timestamp" as date) as "date", machine_id, user_id, tool, model_id, project, repo,
        counted, is_cut, input_tokens is null or output_tokens is null as lacks_tokens,
        coalesce(model_id, 'unknown') as model,
        coalesce(input_tokens, 0) as input, coalesce(output_tokens, 0) as output,
        coalesce(cache_read_tokens, 0) as cache_read,
        coalesce(cache_write_tokens, 0) as cache_write,
        coalesce(cache_write_1h_tokens, 0) as cache_hour,
        nullif(concat_ws(' ', nullif(speed, 'standard'),
            case inference_geo when 'us' then 'us' end), '') as speed, "timestamp" as answered_at,
        cost_usd as said
    from {COUNTED} where counted <> 'running total'
),
sized as (
    select
        told.*, case when tool in ({{with_cache}}) then greatest(input, cache_read + cache_write)
            else input + cache_read + cache_write end > most as is_large
    from told join limits using (model)
)
select
    "date", machine_id, user_id, tool, model_id, project, repo, counted, model, speed, is_large,
    is_cut, lacks_tokens, sum(input) as input, sum(output) as output, sum(cache_read) as cache_read,
    sum(cache_write) as cache_write, sum(cache_hour) as cache_hour,
    count(1) as answers, max(answered_at) as at, sum(said) as said
from sized
group by
    "date", machine_id, user_id, tool, model_id, project, repo, counted, model, speed, is_large,
    is_cut, lacks_tokens, time_bucket(interval 15 minutes, answered_at), said is null,
    case when is_large and said is null then input end,
    case when is_large and said is null then output end,
    case when is_large and said is null then cache_read end,
    case when is_large and said is null then cache_write end
"""  # noqa: S608
# Running totals of a session's models without the responses of the session's own file: what is left
# are side calls and sub-agents, whose responses are in separate files; where no response of the
# session counts, they are all that it took. Where telemetry's responses count, side calls are among
# them.
SIDE_CALLS = f"""
with last as (
    select
        machine_id, tool, session_id, coalesce(model_id, 'unknown') as model,
        max(user_id) as user_id, max(repo) as repo, max(project) as project,
        arg_max(input_tokens, place) as input, arg_max(output_tokens, place) as output,
        arg_max(cache_read_tokens, place) as cache_read,
        arg_max(cache_write_tokens, place) as cache_write, max("timestamp") as at
    from {COUNTED} where counted = 'running total'
    group by machine_id, tool, session_id, model_id
),
agents as (
    select
        machine_id, tool, session_id, coalesce(model_id, 'unknown') as model,
        sum(input_tokens) as input, sum(output_tokens) as output,
        sum(cache_read_tokens) as cache_read, sum(cache_write_tokens) as cache_write
    from {COUNTED} where is_response and agent_id is not null
    group by machine_id, tool, session_id, model_id
)
select
    cast(l.at as date) as "date", l.machine_id, l.user_id, l.tool, l.model as model_id,
    l.project, l.repo,
    case
        when exists (
            select 1 from {COUNTED} as t where t.counted = 'responses'
                and l.tool = t.tool and l.session_id = t.session_id
                and l.machine_id is not distinct from t.machine_id
        ) then 'side calls' else 'session totals'
    end as counted, l.model, false as is_large, false as is_cut,
    false as lacks_tokens,
    greatest(0, l.input - coalesce(a.input, 0)) as input,
    greatest(0, l.output - coalesce(a.output, 0)) as output,
    greatest(0, l.cache_read - coalesce(a.cache_read, 0)) as cache_read,
    greatest(0, l.cache_write - coalesce(a.cache_write, 0)) as cache_write,
    0 as cache_hour, null as speed,
    0 as answers, l.at, cast(null as double) as said
from last as l left join agents as a on l.tool = a.tool and l.session_id = a.session_id
    and l.model = a.model and l.machine_id is not distinct from a.machine_id
where not exists (
    select 1 from {COUNTED} as t where t.is_of_telemetry and t.counted = 'responses'
        and l.tool = t.tool and l.session_id = t.session_id
        and l.machine_id is not distinct from t.machine_id
)
"""  # noqa: S608


def costs(stream: OpenStream, prices: Prices, filters: Filters | None = None) -> list[Row]:
    """Sums of tokens by KEYS, with `answers`, `cost_usd` (None without a price), `trust` in it and
    `why`. An answer's own cost, if its client reports one, takes precedence over a list price."""
    models = [row["model"] for row in _rows(stream, MODELS, filters)] or ["unknown"]
    limits = ", ".join(f"({text(model)}, {prices.tier(model)})" for model in models)
    caching = ", ".join(map(text, sorted(with_cache())))
    rows = _rows(stream, RESPONSES.format(limits=limits, with_cache=caching), filters)
    side = _rows(stream, SIDE_CALLS, filters)
    rows += [row for row in side if row["input"] or row["output"]]
    return _summed([_priced(row, prices) for row in rows], KEYS)


def by_model(rows: list[Row]) -> list[Row]:
    """The sums of `costs` by client and model, the dearest first; side calls by themselves."""
    named = []
    for row in rows:
        is_side = row["counted"] == "side calls"
        model = f"{row['model']} (side calls)" if is_side else row["model"]
        named.append(row | {"model": model})
    sums = _summed(named, ("tool", "model"))
    return sorted(sums, key=lambda row: (-(row["cost_usd"] or 0.0), row["tool"], row["model"]))


def summed_by(rows: list[Row], column: str) -> list[Row]:
    """The sums of `costs` by one of KEYS: days newest first, else the dearest first."""
    sums = _summed(rows, (column,))
    if column == "date":
        return sorted(sums, key=lambda row: row["date"], reverse=True)
    return sorted(
        sums,
        key=lambda row: (-(row["cost_usd"] or 0.0), -row["input"], str(row[column] or "")),
    )


def total(rows: list[Row]) -> Row | None:
    """The sum of `costs`; None where no answer has tokens."""
    return next(iter(_summed(rows, ())), None)


def total_line(rows: list[Row], source: str) -> str:
    """The total in a sentence: the sum, its answers, and how far it can be trusted."""
    sum_ = total(rows)
    if sum_ is None:
        return "Total: no tokens are reported"
    cost = "unknown" if sum_["cost_usd"] is None else f"${sum_['cost_usd']:,.2f}"
    answers = "1 answer" if sum_["answers"] == 1 else f"{sum_['answers']:,} answers"
    why = "" if sum_["trust"] == "exact" else f" ({sum_['why']})"
    return f"Total: {cost} for {answers}; {sum_['trust']}{why}; {source}"


def create(connection: duckdb.DuckDBPyConnection) -> None:
    """Make the table `usage_costs`, empty."""
    columns = ", ".join(f'"{name}" {kind}' for name, kind in TYPES.items())
    connection.execute(f"create table {NAME} ({columns})")


def fill_named(stream: OpenStream, sql: str, filters: Filters) -> None:
    """Fill `usage_costs` if SQL names it, or the question that reads it."""
    if NAMED.search(sql) is not None:
        fill(stream, read_prices(None), filters)


def fill(stream: OpenStream, prices: Prices, filters: Filters | None = None) -> None:
    """Fill the table `usage_costs` again: KEYS, sums of tokens, answers, the cost and its source,
    of the events that the filters leave."""
    import pyarrow as pa

    rows = costs(stream, prices, filters)
    kinds = {"DATE": pa.date32(), "VARCHAR": pa.string(), "BIGINT": pa.int64()}
    made = pa.table(
        {
            name: pa.array([row[name] for row in rows], kinds.get(kind, pa.float64()))
            for name, kind in TYPES.items()
        }
    )
    run = stream.connection.execute
    run(f"delete from {NAME}")  # noqa: S608
    stream.connection.register("costs_now", made)
    run(f"insert into {NAME} by name from costs_now")
    stream.connection.unregister("costs_now")


def _priced(row: Row, prices: Prices) -> Row:
    """A row of answers with its cost, whose figure that is, and how far it can be trusted."""
    cost = row["said"] or _cost(row, prices)
    source = None if cost is None else CLIENT if row["said"] else LISTED
    reasons = Counter({reason_of(row, cost, prices): row["answers"]})
    return row | {"cost_usd": cost, "cost_from": source, "reasons": reasons}


def _summed(rows: list[Row], keys: tuple[str, ...]) -> list[Row]:
    sums: dict[tuple[Any, ...], Row] = {}
    for row in rows:
        key = tuple(row[name] for name in keys)
        sum_ = sums.setdefault(
            key,
            {"model": row["model"], **dict(zip(keys, key, strict=True))}
            | dict.fromkeys((*TOKENS, "answers"), 0)
            | {"cost_usd": None, "cost_from": None, "reasons": Counter()},
        )
        for name in (*TOKENS, "answers"):
            sum_[name] += row[name]
        sum_["reasons"].update(row["reasons"])
        if row["cost_usd"] is not None:
            sum_["cost_usd"] = (sum_["cost_usd"] or 0.0) + row["cost_usd"]
            source = row["cost_from"]
            sum_["cost_from"] = source if sum_["cost_from"] in (None, source) else BOTH
    for sum_ in sums.values():
        sum_["trust"], sum_["why"] = summary_of(sum_["reasons"])
    return list(sums.values())


def _cost(row: Row, prices: Prices) -> float | None:
    tokens = (row["input"], row["output"], row["cache_read"], row["cache_write"])
    if not row["is_large"]:
        cost = prices.cost_of_many(row["tool"], row["model"], tokens, row["at"])
    else:
        # Answers of one size.
        many = row["answers"]
        alone = (tokens[0] // many, tokens[1] // many, tokens[2] // many, tokens[3] // many)
        cost = prices.cost(row["tool"], row["model"], alone, row["at"])
        cost = None if cost is None else cost * many
    if cost is not None and row["cache_hour"]:
        cost += row["cache_hour"] * prices.hour(row["model"], row["at"])
    times = prices.times(row["model"], row["speed"])
    return None if cost is None or times is None else cost * times


def _rows(stream: OpenStream, sql: str, filters: Filters | None) -> list[Row]:
    stream.prepare(sql, of_span=bool(filters and (filters.since or filters.until)))
    if filters is None:
        stream.filter()
    else:
        stream.filter(
            filters.tool, filters.session, filters.since, filters.until, filters.machine,
            filters.user,
        )  # fmt: skip
    guard.execute(stream.connection, sql)
    try:
        names = [str(column[0]) for column in stream.connection.description or []]
        rows = guard.fetched(stream.connection)
    finally:
        stream.connection.execute("rollback")
    return [dict(zip(names, row, strict=True)) for row in rows]
