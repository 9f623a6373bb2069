"""Values as cells show them: hostile characters visible, times short, links to what it names.

Jinja escapes the markup; this makes control and direction characters visible, so that a command
cannot hide in its own row.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime
from types import MappingProxyType
from typing import Any
from urllib.parse import quote, urlencode

from markupsafe import Markup, escape

from hookstream.core.jsons import canonical
from hookstream.queries.formats import visible
from hookstream.ui.words import GAPS

MOST = 400
# Characters of a cell of a list.
SHOWN = 260
NO_NAMES: Mapping[str, str] = MappingProxyType({})
EVENTS = ("event_id", "about", "denied_event_id")
# Columns whose values lead to the sessions of who, and to the events that name what.
# Columns that links of other cells are made of.
LINKING = (*EVENTS, "session_id", "machine_id", "tool", "call_id", "evidence")
CODES = ("gap", "finding", "reasons")
WHO = {"machine_id": "machine", "user_id": "user"}
SOUGHT = ("host", "server", "package")
# Ids that are names for people.
NAMED = ("model_id", "matched_rule_id", "policy_id", "rule_id")
MONO = tuple(
    (
        "command file_path path url fingerprint example denied_command what target shown host "
        "server_command"
    ).split()
)
TEXTS = ("decision_reason", "error_message", "reason", "detail", "example", "cwd")
TAGS = tuple(
    "outcome decision certainty risk_level level status result state resolution kind held".split()
)


def _event(value: Any) -> str:
    return f"/event/{quote(str(value), safe='')}"


def text_of(value: Any, names: Mapping[str, str] = NO_NAMES) -> str:
    """A cell's text: whole, with invisible characters written as `\\u202e`; a pseudonym of `names`
    by its plain name."""
    if isinstance(value, str):
        value = names.get(value, value)
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


def duration(ms: float) -> str:
    """A span of milliseconds as a person says it: 31 m 12 s, 1.9 s, 537 ms."""
    if ms < 1000:
        return f"{ms:.0f} ms"
    if ms < 10_000:
        return f"{ms / 1000:.1f} s"
    seconds = round(ms / 1000)
    parts = ((86400, "d"), (3600, "h"), (60, "m"), (1, "s"))
    words = []
    for size, unit in parts:
        number, seconds = divmod(seconds, size)
        words.append(f"{number} {unit}" if number else "")
    first = next(n for n, word in enumerate(words) if word)
    return " ".join(filter(None, words[first : first + 2]))


def in_column(value: Any, column: str, names: Mapping[str, str] = NO_NAMES) -> str:
    """A cell's text in a column: milliseconds as a duration, a code in words, else as `text_of`."""
    if column in CODES:
        codes = value if isinstance(value, list) else [value]
        return ", ".join(GAPS.get(one) or text_of(one, names).replace("_", " ") for one in codes)
    is_span = column.endswith("_ms") and type(value) in (int, float) and value >= 0
    return duration(value) if is_span else text_of(value, names)


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


def moment_of(value: datetime) -> str:
    """A time of the stream, which is UTC, for the `datetime` of an element."""
    return f"{value.isoformat(timespec='seconds')}Z"


def marked(text: str, sought: str) -> Markup:
    """A cell's text, escaped, with what was sought marked; a long text from just before that."""
    start = text.lower().find(sought.lower()) if sought else -1
    if start < 0 or len(text.lower()) != len(text):
        return escape(short(text, SHOWN))
    if start > SHOWN - len(sought):
        text = f"…{text[max(0, start - SHOWN // 3) :]}"
    return with_marks(short(text, SHOWN), sought)


def excerpt(text: str, sought: str) -> Markup:
    """A long text from just before what was sought, which is marked."""
    return marked(" ".join(text_of(text).split()), sought)


def with_marks(text: str, sought: str) -> Markup:
    """A text, escaped, with what was sought marked."""
    if not sought:
        return escape(text)
    pieces = re.split(f"({re.escape(sought)})", text, flags=re.IGNORECASE)
    return Markup("").join(
        Markup("<mark>{}</mark>").format(piece) if n % 2 else escape(piece)
        for n, piece in enumerate(pieces)
    )


def opened_by(row: dict[str, Any]) -> str | None:
    """The link that a row opens: its session at what the row is about, else its event."""
    events = [row[name] for name in ("event_id", "denied_event_id") if row.get(name)]
    events += list(row.get("evidence") or ())[:1]
    if not row.get("session_id"):
        return _event(events[0]) if events else None
    session = link_of("session_id", row) or ""
    at = str(events[0]) if events else str(row.get("call_id") or "")
    if not at:
        return session
    return f"{session}{'&' if '?' in session else '?'}{urlencode({'at': at})}#at"


def is_about(row: dict[str, Any], at: str) -> bool:
    """Return whether a row of a session is what an event or a call is about."""
    held = (row.get("event_id"), row.get("call_id"), *(row.get("evidence") or ()))
    return bool(at) and at in held


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
    if (column.endswith("_id") and column not in NAMED) or column == "about":
        return "id"
    if column in TAGS and isinstance(value, str):
        return f"tag tag-{value}" if value.isalnum() else "tag"
    if column in ("executed_afterwards", "is_new") and value is True:
        return "tag tag-warn"
    return "mono" if column in MONO else ""


def heading_class(column: str, rows: list[dict[str, Any]]) -> str:
    """The style of a column's heading, by the first value below it."""
    return class_of(column, next((row[column] for row in rows if row[column] is not None), None))


def has_few_values(column: str, kind: str) -> bool:
    """Return whether a column may be worth grouping by: words and yes or no, not ids, texts, times
    and numbers."""
    if kind == "BOOLEAN":
        return True
    is_id = column.endswith(("_id", "_hash")) or column in (*EVENTS, *MONO, *TEXTS)
    return kind == "VARCHAR" and not is_id
