"""The findings page: hits of the rules, narrowed by the filters of its address."""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from typing import TYPE_CHECKING, Any

from hookstream.queries.runner import moment

if TYPE_CHECKING:
    from hookstream.ui.filters import Filters

COLUMNS = (
    "status", "level", "title", "timestamp", "machine_id", "user_id", "tool", "session_id",
    "shown", "rule_id", "event_id", "reason", "expires", "finding_id",
)  # fmt: skip
# What can be filtered by beside time, tool, machine, user and session.
FACETS = ("status", "level", "title", "rule_id", "finding_id", "event_id")
GROUPS = ("status", "level", "title", "tool", "machine_id", "user_id")
SEARCHED = ("title", "shown", "machine_id", "user_id", "session_id", "reason")
TOP = 12


def chosen(rows: list[dict[str, Any]], filters: Filters) -> list[dict[str, Any]]:
    """The rows that the filters let through, in their order."""
    since = moment(filters.since) if filters.since else None
    until = moment(filters.until) if filters.until else None
    text = filters.text.lower()

    def fits(row: dict[str, Any]) -> bool:
        if any(str(row.get(column)) != value for column, value in filters.equal):
            return False
        return within(row["timestamp"], since, until) and (
            not text or any(text in str(row[name] or "").lower() for name in SEARCHED)
        )

    found = [row for row in rows if fits(row)]
    name = filters.sort.removeprefix("-")
    if name in COLUMNS:
        found.sort(key=lambda row: str(row[name] or ""), reverse=filters.sort.startswith("-"))
    return found


def within(when: datetime | None, since: datetime | None, until: datetime | None) -> bool:
    if when is None:
        return since is None and until is None
    return (since is None or when >= since) and (until is None or when < until)


def counts(rows: list[dict[str, Any]]) -> dict[str, list[tuple[Any, int]]]:
    """The most frequent values of each of GROUPS."""
    return {name: Counter(row[name] for row in rows).most_common(TOP) for name in GROUPS}
