"""The page of costs: a total, by day, and by client, model, project and user.

Its numbers are the rows of `usage_costs`, of which the report and a backfill are made too.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any

from hookstream.queries import costs
from hookstream.queries.runner import moment
from hookstream.ui.dense import dense
from hookstream.ui.filters import filled
from hookstream.ui.lake import ROWS

if TYPE_CHECKING:
    from hookstream.ui.filters import PageFilters
    from hookstream.ui.lake import Answer, BrowsedLake

    Row = dict[str, Any]

OVER = f"from {costs.NAME}"
# What costs are split by: column, and its title.
SPLITS = {
    "model_id": "Model", "tool": "Client", "project": "Project", "user_id": "User",
    "machine_id": "Machine",
}  # fmt: skip
FACETS = (*SPLITS, "date", "counted")
# What narrows the costs to a few people.
NARROW = ("user_id", "machine_id", "project")
MOST = 12
# Parts of a day's bar: the dearest values, the others as one.
PARTS = 5
OTHER = "other"
SUMS = """sum(cost_usd) as cost_usd, cast(sum(answers) as bigint) as answers,
    cast(sum("input") as bigint) as input_tokens, cast(sum("output") as bigint) as output_tokens,
    cast(sum(cache_read) as bigint) as cache_read_tokens,
    cast(sum(cache_write) as bigint) as cache_write_tokens"""
TOTALS = f"""select {SUMS}, count(distinct "date") as days, min("date") as first,
    max("date") as last, sum(cost_usd) filter (counted = 'side calls') as side_usd,
    cast(sum(answers) filter (cost_usd is null) as bigint) as unpriced,
    count(distinct user_id) as people,
    list(distinct why) filter (trust in ('partial', 'approximate')) as doubts,
    list(distinct coalesce(model_id, 'unknown'))
        filter (cost_usd is null and (answers > 0 or "input" > 0)) as unpriced_models
from {ROWS}"""


def cost_page(lake: BrowsedLake, filters: PageFilters, by: str = "model_id") -> Row:
    """The totals, the parts of each day by the column `by`, and the sums by every one of SPLITS."""
    where, values = conditions(filters)
    by = by if by in SPLITS else "model_id"
    (totals,) = lake.ask(f"{TOTALS} where {where}", values, over=OVER).dicts()
    together = lake.hides_people()
    if together and by == "user_id":
        by = "model_id"
    made: Row = {"totals": totals, "by": by, "splits": [], "sql": sql_of(filters)}
    is_narrow = any(column in NARROW for column, _ in filters.equal)
    made["is_of_few"] = together and is_narrow and totals["people"] < lake.smallest_group
    made["hidden"] = ("user_id",) if together else ()
    if totals["days"] and not made["is_of_few"]:
        made["series"] = series(lake, where, values, by)
        made["splits"] = [
            {"column": column, "title": title, "rows": split(lake, where, values, column)}
            for column, title in SPLITS.items()
            if column not in made["hidden"]
        ]
    return made


def cost_rows(lake: BrowsedLake, filters: PageFilters) -> Answer:
    """All rows of the page, for export."""
    return lake.ask(sql_of(filters))


def sql_of(filters: PageFilters) -> str:
    """The SQL of the rows that are added up, for a reader and for export."""
    where = filled(*conditions(filters))
    return f'from {costs.NAME}\nwhere {where}\norder by "date" desc, cost_usd desc nulls last'


def conditions(filters: PageFilters) -> tuple[str, list[Any]]:
    """The condition of the filters over `usage_costs`, whose days count whole."""
    since = _day(filters.since) if filters.since else None
    until = _day(filters.until, last=True) if filters.until else None
    whole = replace(
        filters, since=str(since or ""), until=str(until or ""), text="", sort="", page=1
    )
    return whole.where(costs.TYPES, "date")


def split(lake: BrowsedLake, where: str, values: list[Any], column: str) -> list[Row]:
    """The dearest values of a column."""
    sql = (
        f'select "{column}" as value, {SUMS} from {ROWS} where {where} group by 1'
        f" order by cost_usd desc nulls last, answers desc, 1 limit {MOST}"
    )
    return lake.ask(sql, values, over=OVER).dicts()


def series(lake: BrowsedLake, where: str, values: list[Any], by: str) -> Row:
    """The cost of every day from the first to the last of the dense part, in parts: `names` of the
    parts, `x` the days in epoch seconds, `parts` a list of costs for each, `left_out` the rest."""
    answer = lake.ask(
        f'select "date", coalesce("{by}", \'none\'), sum(cost_usd) from {ROWS}'
        f" where {where} and cost_usd is not null group by all order by all",
        values,
        over=OVER,
    )
    sums: dict[str, float] = {}
    for _, name, cost in answer.rows:
        sums[name] = sums.get(name, 0.0) + cost
    names = sorted(sums, key=lambda name: (-sums[name], name))
    if len(names) > PARTS + 1:
        names = [*names[:PARTS], OTHER]
    if not names:
        return {"names": [], "x": [], "parts": [], "left_out": {"days": 0, "cost_usd": 0.0}}
    by_day: dict[int, float] = {}
    for day, _, cost in answer.rows:
        by_day[_epoch(day)] = by_day.get(_epoch(day), 0.0) + cost
    bounds = dense(by_day)
    first, last = (datetime.fromtimestamp(second, UTC).date() for second in bounds)
    rest = [cost for second, cost in by_day.items() if not bounds[0] <= second <= bounds[1]]
    days = [first + timedelta(days=n) for n in range((last - first).days + 1)]
    parts = {name: dict.fromkeys(days, 0.0) for name in names}
    for day, name, cost in answer.rows:
        if first <= day <= last:
            parts[name if name in parts else OTHER][day] += cost
    return {
        "left_out": {"days": len(rest), "cost_usd": round(sum(rest), 4)},
        "names": names,
        "x": [_epoch(day) for day in days],
        "parts": [[round(parts[name][day], 4) for day in days] for name in names],
    }


def _epoch(day: date) -> int:
    return int(datetime.combine(day, time.min, UTC).timestamp())


def _day(bound: str, *, last: bool = False) -> date:
    """The day of a bound; for an exclusive end, the day after its last moment."""
    at = moment(bound)
    day = at.date()
    return day + timedelta(days=1) if last and at.time() != time.min else day
