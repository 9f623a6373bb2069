"""Values as cells show them: hostile characters visible, times short, links to what it names.

Jinja escapes the markup; this makes control and direction characters visible, so that a command
cannot hide in its own row.
"""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any
from urllib.parse import quote, urlencode

from hookstream.core.jsons import canonical
from hookstream.queries.formats import visible

MOST = 400
EVENTS = ("event_id", "about", "denied_event_id")
# Columns whose values lead to the sessions of who, and to the events that name what.
WHO = {"machine_id": "machine", "user_id": "user"}
SOUGHT = ("host", "server", "package")
MONO = (
    "command", "file_path", "url", "fingerprint", "example", "denied_command", "what", "target",
    "shown", "host", "server_command",
)  # fmt: skip
TAGS = (
    "outcome", "decision", "certainty", "risk_level", "level", "status", "result", "state",
    "resolution", "kind",
)  # fmt: skip


def _event(value: Any) -> str:
    return f"/event/{quote(str(value), safe='')}"


def text_of(value: Any) -> str:
    """A cell's text: whole, with invisible characters written as `\\u202e`."""
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.isoformat(sep=" ", timespec="seconds")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:,.4g}" if abs(value) < 1e4 else f"{value:,.0f}"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        value = ", ".join(value)
    if isinstance(value, list | dict):
        value = canonical(value).decode("utf-8", "replace")
    return str(visible(str(value)))


def at(seconds: int) -> str:
    """A time of the chart as text."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")


def dollars(value: float | None) -> str:
    """An amount in US dollars."""
    return "" if value is None else f"${value:,.2f}"


def held(columns: list[str], rows: list[dict[str, Any]]) -> list[str]:
    """The columns of which at least one row has a value."""
    return [name for name in columns if any(row.get(name) not in (None, "", []) for row in rows)]


def lines_of(text: str) -> str:
    """A text of several lines, as `text_of` except for the line ends."""
    return "\n".join(map(text_of, text.split("\n")))


def short(text: str, most: int = MOST) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def link_of(column: str, row: dict[str, Any]) -> str | None:
    """The link of a cell: its event, its session, or the same page with only that value."""
    value = row.get(column)
    if value is None:
        return None
    if column in EVENTS:
        return _event(value)
    if column == "certainty" and row.get("event_id"):
        return _event(row["event_id"])
    if column == "first_at" and row.get("evidence"):
        return _event(row["evidence"][0])
    if column in WHO:
        return f"/sessions?{urlencode({WHO[column]: str(value)})}"
    if column in SOUGHT:
        return f"/search?{urlencode({'q': str(value)})}"
    if column == "session_id":
        who = {"machine": row.get("machine_id"), "tool": row.get("tool")}
        query = urlencode({name: text for name, text in who.items() if text})
        return f"/session/{quote(str(value), safe='')}" + (f"?{query}" if query else "")
    return None


def class_of(column: str, value: Any) -> str:
    """The style of a cell, the column's first: numbers to the right, denies and failures marked."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return "number"
    if isinstance(value, datetime):
        return "time"
    if column.endswith("_id") or column in ("about", "tool"):
        return "id"
    if column in TAGS and isinstance(value, str):
        return f"tag tag-{value}" if value.isalnum() else "tag"
    if column in ("executed_afterwards", "is_new") and value is True:
        return "tag tag-warn"
    return "mono" if column in MONO else ""
