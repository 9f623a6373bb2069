"""How a value is shown: hostile characters visible, times short, links to what it names.

Jinja escapes the markup; this makes control and direction characters visible, so that a command
cannot hide in its own row.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Any
from urllib.parse import quote, urlencode

from hookstream.jsons import canonical
from hookstream.queries.formats import visible

MOST = 400


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
    if isinstance(value, list | dict):
        value = canonical(value).decode("utf-8", "replace")
    return str(visible(str(value)))


def short(text: str, most: int = MOST) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def link_of(column: str, row: dict[str, Any]) -> str | None:
    """Where a cell leads: its event, its session, or the same page with only that value."""
    value = row.get(column)
    if value is None:
        return None
    if column in ("event_id", "about", "deny_event_id"):
        return f"/event/{quote(str(value), safe='')}"
    if column == "session_id":
        who = {"machine": row.get("machine_id"), "tool": row.get("tool")}
        query = urlencode({name: text for name, text in who.items() if text})
        return f"/session/{quote(str(value), safe='')}" + (f"?{query}" if query else "")
    return None


def class_of(column: str, value: Any) -> str:
    """The style of a cell: numbers to the right, denies and failures marked."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return "number"
    if isinstance(value, datetime):
        return "time"
    if column.endswith("_id") or column in ("about", "tool"):
        return "id"
    if column in ("outcome", "decision", "certainty", "risk_level", "level", "status", "result"):
        return f"tag tag-{value}" if isinstance(value, str) and value.isalnum() else ""
    if column in ("executed_afterwards", "is_new") and value is True:
        return "tag tag-warn"
    return "mono" if column in ("command", "file_path", "url", "fingerprint", "example") else ""
