"""Answers as a table, JSON, CSV or Markdown. Times are RFC 3339 in UTC, rows keep their order.

These answers hold text that an agent wrote: a terminal gets no control character of it, and
Markdown no mark.
"""

from __future__ import annotations

import csv
import io
import json
import math
import unicodedata
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hookstream.queries.runner import Result

FORMATS = ("table", "json", "csv", "markdown")
# How numbers with a point are shown in a table.
DECIMALS = 2
DIGITS = 3
LARGE = 1e15
SAFE_INTEGER = 2**53
# How a cell begins that a spreadsheet executes.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
MARKS = str.maketrans({char: f"\\{char}" for char in "\\`*_[]<>|#~"})


def plain(value: Any) -> Any:
    """A DuckDB value as JSON has it: times as text, integers beyond 2^53 as text."""
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return value if -SAFE_INTEGER <= value <= SAFE_INTEGER else str(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Decimal):
        return plain(int(value) if value == value.to_integral_value() else float(value))
    if isinstance(value, datetime):
        return instant(value)
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, dict):
        return {str(key): plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(value).hex()
    return str(value)


def instant(value: datetime) -> str:
    """RFC 3339 with a Z: to the millisecond, finer only where there is more."""
    if value.tzinfo is not None:
        from datetime import UTC

        value = value.astimezone(UTC).replace(tzinfo=None)
    fine = "microseconds" if value.microsecond % 1000 else "milliseconds"
    return value.isoformat(timespec=fine) + "Z"


def objects(result: Result) -> list[dict[str, Any]]:
    """The rows as JSON objects."""
    keys = distinct(result.columns)
    return [dict(zip(keys, map(plain, row), strict=True)) for row in result.rows]


def distinct(columns: list[str]) -> list[str]:
    """The names of columns, a repeated one with a number after it: a join may give two of one name,
    and an object holds a key once."""
    made: list[str] = []
    for name in columns:
        key, n = name, 0
        while key in made:
            n += 1
            key = f"{name}_{n}"
        made.append(key)
    return made


def as_json(result: Result) -> str:
    """An array of objects, one per line."""
    rows = [json.dumps(row, ensure_ascii=True, separators=(",", ":")) for row in objects(result)]
    return "[\n" + ",\n".join(rows) + "\n]\n" if rows else "[]\n"


def as_csv(result: Result) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(map(_cell, result.columns))
    for row in result.rows:
        writer.writerow(["" if value is None else _cell(value) for value in row])
    return out.getvalue()


def _cell(value: Any) -> str:
    """A value as a cell of CSV. Text that a spreadsheet would take for a formula gets an
    apostrophe before it, which the spreadsheet does not show."""
    made = text(value)
    is_formula = made.lstrip(" \u00a0\u200b\u3000\ufeff").startswith(FORMULA)
    return f"'{made}" if isinstance(value, str) and is_formula else made


def text(value: Any) -> str:
    """A value as one cell of text; lists and structs as JSON."""
    value = plain(value)
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return str(value)


def visible(value: Any) -> str:
    """A cell without control and formatting characters: each becomes its escape."""
    cell = text(value)
    if cell.isprintable():
        return cell
    return "".join(
        char if not unicodedata.category(char).startswith("C") else _escape(char) for char in cell
    )


def on_terminal(answer: str) -> str:
    """A whole answer as a terminal may have it: lines stay, every other control character becomes
    its escape. CSV for a file or a program keeps what there was."""
    return "\n".join(map(visible, answer.split("\n")))


def _escape(char: str) -> str:
    point = ord(char)
    return {"\n": "\\n", "\t": "\\t", "\r": "\\r"}.get(char) or (
        f"\\x{point:02x}" if point < 0x100 else f"\\u{point:04x}"
    )


def as_markdown(columns: list[str], rows: list[tuple[Any, ...]]) -> str:
    """A table of Markdown in which no cell can mark up anything."""
    lines = [columns, ["---"] * len(columns)]
    lines += [[visible(value).translate(MARKS) for value in row] for row in rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def number(value: float) -> str:
    """A number to two decimals, one below 1 to three digits that count: 2.59, 0.0123."""
    if value == 0 or abs(value) >= LARGE:
        return text(value)
    decimals = DECIMALS if abs(value) >= 1 else DIGITS - 1 - math.floor(math.log10(abs(value)))
    return f"{value:.{decimals}f}".rstrip("0").rstrip(".")


def brief(value: Any) -> str:
    """A cell of a terminal's table: times to the second, numbers as a person writes them."""
    if isinstance(value, float | Decimal) and math.isfinite(value):
        return number(float(value))
    if isinstance(value, datetime):
        return value.replace(tzinfo=None).isoformat(" ", "seconds")
    return visible(value)
