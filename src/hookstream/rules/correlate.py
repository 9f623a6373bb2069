"""Correlation rules to SQL, with their time spans, order and groups.

Every base rule's rows are hits: (h_rule, h_time, h_place, h_event, keys, groups, h_value). A rule
gives one row when its condition comes to hold, not one per further event of the same run.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from hookstream.rules.backend import Unsupported
from hookstream.rules.load import RANGE
from hookstream.rules.schema import KEYS, RuleTable, identifier

OPERATORS = {"LT": "<", "LTE": "<=", "GT": ">", "GTE": ">=", "EQ": "=", "NEQ": "<>"}
HIT = ("h_time", "h_place", "h_event", "h_shown", *KEYS)
ORDER = "h_time, h_place nulls last, h_event, h_rule desc"
# What counts: at least one, at the event where it is counted.
COUNTS = ("event_count", "value_count", "temporal", "temporal_ordered")
# Ids kept as evidence of one finding.
EVIDENCE = 50


@dataclass
class Base:
    """The input of a correlation: a condition over a table, or the rows of a correlation."""

    table: RuleTable | None
    where: str
    rows: str = ""
    groups: dict[str, str] = field(default_factory=dict)


def single(base: Base) -> str:
    """The rows of a rule that needs no correlation."""
    if base.table is None:
        return base.rows
    return (
        f"select {base.table.hit()}, [cast({base.table.event} as varchar)] as h_events "
        f"from {base.table.relation} where {base.where}"
    )


def correlation(rule: Any, bases: list[Base], names: list[str]) -> str:
    """The SQL of a correlation rule over its base rules; `names` are what the rule calls them.

    Unsupported for an extended condition, and for a group or field that a base rule's table lacks.
    """
    from sigma.correlations import SigmaExtendedCorrelationCondition

    if isinstance(rule.condition, SigmaExtendedCorrelationCondition):
        raise Unsupported(
            "a condition with `and`, `or`, `not` over rules is not taken; list the rules"
        )
    groups = list(rule.group_by or [])
    kind = rule.type.name.lower()
    value = rule.condition.fieldref
    if isinstance(value, list):
        raise Unsupported("one field can be counted or summed, not several")
    _heeded(rule, kind, len(bases), value)
    hits = " union all ".join(
        _hits(number, base, names[number], groups, rule, value) for number, base in enumerate(bases)
    )
    made = {"temporal_ordered": _ordered, "temporal": _together}.get(kind, _counted)
    by = "partition by " + ", ".join(f"g{n}" for n in range(len(groups))) if groups else ""
    return f"with hits as materialized ({hits}) {made(rule, len(bases), by)}"


def _heeded(rule: Any, kind: str, count: int, value: str | None) -> None:
    """Refuse what a kind of correlation has no use for, and what can never hold."""
    if value is not None and not kind.startswith("value_"):
        raise Unsupported(f"{kind}: a field is not taken")
    share = rule.condition.percentile
    if (share is not None) != (kind == "value_percentile"):
        raise Unsupported(f"{kind}: {'needs a' if share is None else 'takes no'} percentile")
    bound, sign = float(rule.condition.count), rule.condition.op.name
    is_none = (sign == "LT" and bound <= 1) or (sign in ("LTE", "EQ") and bound < 1)
    is_many = (sign in ("GTE", "EQ") and bound > count) or (sign == "GT" and bound >= count)
    if kind in COUNTS and (is_none or (is_many and kind.startswith("temporal"))):
        raise Unsupported(f"{kind}: reports at an event, where this never holds")


def _hits(
    number: int, base: Base, name: str, groups: list[str], rule: Any, value: str | None
) -> str:
    """The rows of one base rule. A group of lists counts a row once for each element."""
    shown: list[str] = []
    outer: list[str] = []
    for at, group in enumerate(groups):
        column = _aliased(group, name, rule)
        shown.append(f"{_column(base, column, name)} as g{at}")
        if group not in KEYS:
            outer.append(f"g{at} is not null")
    counted = f"{_column(base, value, name)} as h_value" if value else "null as h_value"
    extra = "".join(f", {text}" for text in (*shown, counted))
    if base.table is None:
        inner = f"select *{extra} from ({base.rows})"
    else:
        event = f"[cast({base.table.event} as varchar)] as h_events"
        source = f"from {base.table.relation} where {base.where}"
        inner = f"select {base.table.hit()}, {event}{extra} {source}"
    columns = ", ".join([*HIT, "h_events", *(f"g{n}" for n in range(len(groups)))])
    where = f" where {' and '.join(outer)}" if outer else ""
    shown_value = (
        "cast(h_value as varchar) as h_value"
        if not _is_sum(rule)
        else "try_cast(h_value as double) as h_value"
    )
    return f"select {number} as h_rule, {columns}, {shown_value} from ({inner}){where}"


def _is_sum(rule: Any) -> bool:
    return rule.type.name.lower() in ("value_sum", "value_avg", "value_percentile", "value_median")


def _aliased(group: str, name: str, rule: Any) -> str:
    for alias in rule.aliases:
        if alias.alias == group:
            for reference, column in alias.mapping.items():
                if reference.reference == name:
                    return str(column)
            raise Unsupported(f"alias {group!r} names no field for {name!r}")
    return group


def _column(base: Base, column: str, name: str) -> str:
    if base.table is None:
        if column in KEYS:
            return identifier(column)
        if column in base.groups:
            return base.groups[column]
        raise Unsupported(f"{name}: a correlation has no field {column!r}")
    part = column.partition(".")
    if column in KEYS and column not in base.table.columns:
        return "null::varchar"
    if not base.table.has(part[0]):
        raise Unsupported(f"no field {column!r} in {base.table.name}{base.table.nearest(column)}")
    kind = base.table.kind(part[0])
    if kind == "list":
        return f"unnest(list_distinct({identifier(column)}))"
    if kind == "structs" and part[2]:
        text = f"list_distinct([x.{identifier(part[2])} for x in {identifier(part[0])}])"
        return f"unnest({text})"
    return identifier(column)


def _window(rule: Any, by: str) -> str:
    span = int(rule.timespan.seconds)
    return f"({by} order by h_time range between interval {span} second preceding and current row)"


def _counted(rule: Any, count: int, by: str) -> str:
    """event_count, value_count and sums: a window that ends at every hit."""
    kind = rule.type.name.lower()
    aggregates = {
        "event_count": "count(*)",
        "value_count": "count(distinct h_value)",
        "value_sum": "sum(h_value)",
        "value_avg": "avg(h_value)",
        "value_median": "median(h_value)",
        "value_percentile": f"quantile_cont(h_value, {(rule.condition.percentile or 0) / 100})",
    }
    return _first_of_runs(rule, by, aggregates[kind], _counts(rule))


def _counts(rule: Any) -> str:
    """The condition on the count: one bound, or both of a range."""
    bounds = {rule.condition.op.name: rule.condition.count}
    bounds |= {op.upper(): count for op, count in rule.custom_attributes.get(RANGE, {}).items()}
    tests = [f"h_count {OPERATORS[op]} {float(count)!r}" for op, count in bounds.items()]
    return " and ".join(tests)


def _together(rule: Any, count: int, by: str) -> str:
    """temporal: rows of N of the rules (all by default) within the span."""
    return _first_of_runs(rule, by, "count(distinct h_rule)", _counts(rule))


def _first_of_runs(rule: Any, by: str, aggregate: str, holds: str) -> str:
    """The rows where the window's aggregate begins to hold, with the events of their windows."""
    span = f"interval {int(rule.timespan.seconds)} second"
    groups = _groups(by)
    same = "".join(f" and h.{group} is not distinct from f.{group}" for group in groups)
    text = "".join(f", any_value(f.{group}) as {group}" for group in groups)
    shown = ", ".join(f"any_value(f.{name}) as {name}" for name in HIT)
    return (
        f", counted as (select *, {aggregate} over {_window(rule, by)} as h_count from hits "
        f"where h_time is not null), held as (select *, lag(h_time) over ({by} order by {ORDER}) "
        f"as h_before from counted where {holds}), "
        f"firsts as (select *, row_number() over (order by {ORDER}) as h_number from held "
        f"where h_before is null or h_time - h_before > {span}) "
        f"select {shown}, list(h.h_event order by h.h_time)[1:{EVIDENCE}] "
        f"as h_events{text} from firsts as f join hits as h on h.h_time <= f.h_time "
        f"and h.h_time >= f.h_time - {span}{same} group by f.h_number"
    )


def _ordered(rule: Any, count: int, by: str) -> str:
    """temporal_ordered: for each hit of a rule the latest start of a chain up to it, a step per
    rule. At the same time the sequence decides; one event cannot be two steps."""
    if rule.custom_attributes.get(RANGE):
        raise Unsupported("temporal_ordered: all of its rules must come, a range is not taken")
    if rule.condition.op.name not in ("GTE", "EQ") or int(rule.condition.count) != count:
        raise Unsupported("temporal_ordered: all of its rules must come, a count is not taken")
    span = int(rule.timespan.seconds)
    frame = f"({by} order by {ORDER} rows between unbounded preceding and 1 preceding)"
    steps = [
        ", step0 as (select *, case when h_rule = 0 then "
        "struct_pack(t := h_time, p := coalesce(h_place, 0), e := [h_event]) end as h_chain "
        "from hits where h_time is not null)"
    ]
    for number in range(1, count):
        before = f"max(h_chain) over {frame}"
        steps.append(
            f"step{number} as (select * exclude (h_chain, h_max), case when h_rule = {number} and "
            f"h_max is not null then struct_pack(t := h_max.t, p := h_max.p, "
            f"e := list_append(h_max.e, h_event)) end as h_chain "
            f"from (select *, {before} as h_max from step{number - 1}))"
        )
    order = f"({by} order by {ORDER})"
    return (
        ", ".join(steps) + f", ended as (select *, lag(h_chain.t) over {order} as h_before "
        f"from step{count - 1} where h_chain is not null "
        f"and h_time - h_chain.t <= interval {span} second) "
        f"select {', '.join(HIT)}, h_chain.e[1:{EVIDENCE}] "
        f"as h_events{_kept(by)} from ended "
        "where h_before is null or h_before <> h_chain.t"
    )


def _groups(by: str) -> list[str]:
    return by.removeprefix("partition by ").split(", ") if by else []


def _kept(by: str) -> str:
    """The group columns, kept for a correlation over this one."""
    return "".join(f", {group}" for group in _groups(by))
