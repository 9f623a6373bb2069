"""Findings grouped by rule and by what they are about: equal ones are one decision."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hookstream.queries.errors import QueryError
from hookstream.ui.filters import PAGE_ROWS, ColumnCondition, PageFilters, filter_name
from hookstream.ui.lake import ROWS, BrowsedLake
from hookstream.ui.listing import Relation
from hookstream.ui.pages import PAGES
from hookstream.ui.rulehits import NAME

# What findings of one group have in common, and how the groups are ordered.
GROUP = ("rule", "level", "title", "shown", "status")
ORDER = """list_position(['critical', 'high', 'medium', 'low', 'informational'], "level"),
    count(*) desc, max("timestamp") desc, "title", "shown\""""
COUNTS = """count(*) as findings, count(distinct machine_id) as machines,
    count(distinct user_id) as users, count(distinct (machine_id, tool, session_id)) as sessions,
    string_agg(distinct tool, ', ' order by tool) as tool, min("timestamp") as first_seen,
    max("timestamp") as last_seen, arg_max(reason, "timestamp") as reason,
    max(expires) as expires, arg_max(session_id, "timestamp") as session_id,
    arg_max(event_id, "timestamp") as event_id, count(*) over () as groups"""


def groups_of(lake: BrowsedLake, filters: PageFilters) -> list[dict[str, Any]]:
    """One page of the groups of the findings that filters let through, the gravest first; `groups`
    is how many there are."""
    relation = Relation(lake, PAGES[NAME], filters)
    named = ", ".join(f'"{name}"' for name in GROUP)
    sql = (
        f"select {named}, {COUNTS} from {ROWS} where {relation.condition} group by {named}"
        f" order by {ORDER} limit {PAGE_ROWS} offset {(filters.page - 1) * PAGE_ROWS}"
    )
    return lake.ask(sql, relation.values, over=relation.over).dicts()


def query_of(filters: PageFilters, group: Mapping[str, Any]) -> str:
    """The query that shows each finding of a group."""
    changes = {
        filter_name(name, "is" if group[name] else "empty"): str(group[name] or "1")
        for name in GROUP
    }
    return filters.query(by="finding", **changes)


def ids_of(lake: BrowsedLake, filters: PageFilters, form: Mapping[str, str]) -> list[str]:
    """The ids of the findings of a group that the filters let through. Raises QueryError where the
    form does not name a group."""
    if not all(name in form for name in (*GROUP, "was")):
        raise QueryError(f"a group of findings is named by {', '.join(GROUP)}")
    # The status of the form is the new one; `was` is that of the group.
    wanted = {name: form[name] for name in GROUP if name != "status"} | {"status": form["was"]}
    empty = [ColumnCondition(name, "empty", "") for name, value in wanted.items() if not value]
    equal = dict(filters.equal) | {name: value for name, value in wanted.items() if value}
    narrowed = PageFilters(
        filters.since,
        filters.until,
        tuple(equal.items()),
        filters.text,
        conditions=(*filters.conditions, *empty),
    )
    relation = Relation(lake, PAGES[NAME], narrowed)
    sql = f"select finding_id from {ROWS} where {relation.condition}"
    rows = lake.ask(sql, relation.values, over=relation.over).rows
    return [str(row[0]) for row in rows]
