"""Answers in a terminal: as many columns as fit, one row per line, or a record per row.

Ids are shortened to the beginning that tells them apart, texts are cut in the middle, columns
without any value are left out, and the last line names what is not shown.
"""

from __future__ import annotations

import io
import re
import sys
from datetime import datetime
from typing import TYPE_CHECKING, Any

from hookstream.queries.errors import QueryError
from hookstream.queries.formats import FORMATS, as_csv, as_json, as_markdown, brief, visible

if TYPE_CHECKING:
    from rich.text import Text

    from hookstream.queries.runner import Result


# Widths of a column: of an id, of a text at first, and the least that a cut text may have.
ID, TEXT, LEAST = 8, 36, 18
GAP = 3
# What ids of a client may all begin with: `session_`, `toolu_`.
WORD = re.compile(r"[A-Za-z]{1,7}[_-]")
IDS = ("session_id", "event_id", "turn_id", "call_id", "agent_id", "about", "fingerprint")
PSEUDONYMS = ("machine_id", "user_id")
STYLES = {
    "deny": "bold red",
    "denied": "bold red",
    "critical": "bold red",
    "error": "red",
    "high": "red",
    "timeout": "yellow",
    "cancelled": "yellow",
    "ask": "yellow",
    "answered": "yellow",
    "medium": "yellow",
    "ok": "green",
    "allow": "green",
    "inferred": "italic",
}
# Where a column's words are about something else than an outcome.
OWN_STYLES = {
    "executed_afterwards": {"true": "bold red"},
    "resolution": {"approved": "green", "denied": "bold red", "asked_nobody": "yellow"},
    "held": {"held": "green", "ignored": "bold red", "asked_nobody": "bold red"},
}
STYLED = frozenset(
    "outcome decision certainty level severity merged_decision denied result".split()
) | set(OWN_STYLES)  # fmt: skip


def chosen(result: Result, columns: str | None) -> Result:
    """The result with the columns named in `a,b,c`, or with all of them. Raises QueryError."""
    if columns is None:
        return result
    if columns == "all":
        result.shows = result.columns
        return result
    names = [name.strip() for name in columns.split(",") if name.strip()]
    unknown = [name for name in names if name not in result.columns]
    if unknown or not names:
        wrong = f"no column {unknown[0]!r}" if unknown else "no column is named"
        raise QueryError(f"--columns: {wrong}; there are {', '.join(result.columns)}")
    result.shows = names
    return result


def narrowed(result: Result, columns: str | None) -> Result:
    """The result with these columns alone, in that order. Raises QueryError."""
    if columns in (None, "all"):
        return result
    names = chosen(result, columns).shows
    at = [result.columns.index(name) for name in names]
    rows = [tuple(row[place] for place in at) for row in result.rows]
    return type(result).of(names, rows, names)


def table(result: Result, width: int | None, *, color: bool = False, footer: bool = True) -> str:
    """A table, one row per line; `width` None has no bound (a pipe): then nothing is cut."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    if not result.rows:
        return "no rows\n"
    names = _with_values(result)
    cells = {name: _cells(result, name, short=width is not None) for name in names}
    widths = _fitted(names, cells, result, width)
    made = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for name in widths:
        made.add_column(_text(_cut(name, widths[name])), no_wrap=True, justify=_side(result, name))
    for number in range(len(result.rows)):
        made.add_row(*(_styled(name, _cut(cells[name][number], widths[name])) for name in widths))
    out = io.StringIO()
    total = sum(widths.values()) + GAP * len(widths)
    console = Console(
        file=out,
        width=max(total, width or 0),
        color_system="standard" if color else None,
        force_terminal=color,
    )
    console.print(made)
    ruled = out.getvalue().replace("\u2500", rule())
    lines = "".join(line.rstrip() + "\n" for line in ruled.splitlines())
    return lines + (_footer(result, len(widths)) if footer else "")


def rule() -> str:
    """The character of the line below a heading, such as the output can show."""
    return "\u2500" if (sys.stdout.encoding or "").lower().startswith("utf") else "-"


def records(result: Result, width: int | None, *, color: bool = False) -> str:
    """A record per row: `column  value`, one per line, with every column that has a value."""
    if not result.rows:
        return "no rows\n"
    names = result.shows if set(result.shows) == set(result.columns) else result.columns
    at = {name: result.columns.index(name) for name in names}
    wide = max(map(len, names))
    made = []
    for number, row in enumerate(result.rows, 1):
        if len(result.rows) > 1:
            made.append(f"-- row {number}\n")
        for name in names:
            value = brief(row[at[name]])
            if row[at[name]] is not None:
                style = style_of(name, value) if color else None
                indent = " " * (wide + GAP - 1)
                lines = [value] if width is None else _folded(value, width - len(indent))
                shown = f"\n{indent}".join(_ansi(line, style) for line in lines)
                made.append(f"{visible(name):{wide}}{' ' * (GAP - 1)}{shown}\n")
    return "".join(made) + _footer(result, len(names))


def _folded(text: str, width: int) -> list[str]:
    """A complete value in lines of a width; an empty one is a line, too."""
    from textwrap import wrap

    return wrap(text, max(width, LEAST), break_on_hyphens=False) or [""]


def _ansi(text: str, style: str | None) -> str:
    if style is None:
        return text
    from rich.console import Console
    from rich.text import Text

    out = io.StringIO()
    console = Console(file=out, width=len(text) + 1, color_system="standard", force_terminal=True)
    console.print(Text(text, style=style), end="")
    return out.getvalue()


class Layout:
    """Columns and their widths by the first rows of an answer that is written as it comes; `width`
    None has no bound: then a later cell may be wider, and nothing is cut."""

    def __init__(self, first: Result, width: int | None, *, color: bool = False) -> None:
        self.color = color
        names = list(first.shows or first.columns)
        cells = {n: [brief(row[first.columns.index(n)]) for row in first.rows] for n in names}
        self.widths = _fitted(names, cells, first, width)
        self.places = [first.columns.index(name) for name in self.widths]
        self.is_bounded = width is not None

    def heading(self) -> str:
        """The names of the columns, and a rule below them."""
        return self._line([visible(name) for name in self.widths]) + self._line(
            [rule() * width for width in self.widths.values()]
        )

    def line(self, row: tuple[Any, ...]) -> str:
        return self._line([brief(row[at]) for at in self.places], color=self.color)

    def _line(self, cells: list[str], *, color: bool = False) -> str:
        line = []
        for (name, wide), cell in zip(self.widths.items(), cells, strict=True):
            fitted = _cut(cell, wide) if self.is_bounded else cell
            style = style_of(name, cell) if color else None
            line.append(_ansi(fitted, style) + " " * (wide - len(fitted)))
        return (" " * GAP).join(line).rstrip() + "\n"


def _with_values(result: Result) -> list[str]:
    """The columns to show, the decisive ones first, without those that no row fills."""
    first = result.shows or result.columns
    at = {name: result.columns.index(name) for name in first}
    return [name for name in first if any(row[at[name]] is not None for row in result.rows)]


def _cells(result: Result, name: str, *, short: bool) -> list[str]:
    at = result.columns.index(name)
    cells = [brief(row[at]) for row in result.rows]
    if not short:
        return cells
    if name in IDS:
        return _shortened(
            cells, max((found.end() for found in map(WORD.match, cells) if found), default=0)
        )
    if name in PSEUDONYMS:
        return _shortened(cells, max((cell.find("-") + 1 for cell in cells), default=0))
    return cells


def _shortened(cells: list[str], prefix: int) -> list[str]:
    """Ids cut to the shortest beginning that keeps different ones apart."""
    distinct = set(cells)
    for length in range(ID + prefix, max(map(len, distinct)) + 1):
        if len({cell[:length] for cell in distinct}) == len(distinct):
            return [cell[:length] for cell in cells]
    return cells


def _fitted(
    names: list[str], cells: dict[str, list[str]], result: Result, width: int | None
) -> dict[str, int]:
    """Column -> its width, for the columns that fit, in order."""
    wanted = {name: max(len(name), *map(len, cells[name])) for name in names}
    if width is None:
        return wanted
    if not result.shows:
        wanted = {name: min(size, TEXT) for name, size in wanted.items()}
    least = {name: _least(result, name, size) for name, size in wanted.items()}
    widths: dict[str, int] = {}
    room = width + GAP
    for name in names:
        if least[name] + GAP > room and widths:
            continue
        widths[name] = min(least[name], max(room, LEAST))
        room -= widths[name] + GAP
    while room > 0 and (narrow := [n for n in widths if widths[n] < wanted[n]]):
        widths[min(narrow, key=widths.__getitem__)] += 1
        room -= 1
    return widths


def _least(result: Result, name: str, size: int) -> int:
    """The width below which a column says nothing: times, numbers, ids and words of a fixed set are
    never cut, but their heading may be; a text may be cut."""
    values = _values(result, name)
    if name in IDS or name in PSEUDONYMS or name in STYLED or name == "tool":
        return size
    if all(isinstance(value, datetime | int | float) for value in values):
        return min(size, max([ID, *(len(brief(value)) for value in values)]))
    body = max((len(brief(value)) for value in values), default=0)
    return min(size, LEAST, max(ID, body))


def _cut(text: str, width: int) -> str:
    """The text in the width, cut in the middle: both ends of a path or command say what it is."""
    if len(text) <= width:
        return text
    tail = (width - 1) // 3
    return f"{text[: width - 1 - tail]}…{text[len(text) - tail :] if tail else ''}"


def _values(result: Result, name: str) -> list[Any]:
    at = result.columns.index(name)
    return [row[at] for row in result.rows if row[at] is not None]


def _side(result: Result, name: str) -> Any:
    values = _values(result, name)
    numbers = all(isinstance(v, int | float) and not isinstance(v, bool) for v in values)
    return "right" if numbers else "left"


def _text(text: str) -> Text:
    from rich.text import Text

    return Text(visible(text))


def _styled(name: str, cell: str) -> Text:
    from rich.text import Text

    return Text(cell, style=style_of(name, cell) or "")


def style_of(column: str, cell: str) -> str | None:
    """The style of a cell by its column's words; None for a plain one."""
    if column not in STYLED:
        return None
    return OWN_STYLES.get(column, STYLES).get(cell)


def _footer(result: Result, shown: int) -> str:
    count = len(result.rows)
    more = " (--limit for more)" if result.truncated else ""
    filled = sum(
        any(row[at] is not None for row in result.rows) for at in range(len(result.columns))
    )
    rest = max(0, filled - shown)
    columns = f"; ... {rest} more column{'' if rest == 1 else 's'}" if rest else ""
    hint = " (--columns all, --vertical)" if rest else ""
    return f"{count:,} row{'' if count == 1 else 's'}{more}{columns}{hint}\n"


def render(result: Result, form: str, width: int | None = None) -> str:
    """The answer as text, with a newline at its end. `width` is the terminal's, for a table.

    Raises QueryError for a format that is not one of FORMATS.
    """
    if form == "json":
        return as_json(result)
    if form == "csv":
        return as_csv(result)
    if form == "markdown":
        return as_markdown(result.columns, result.rows)
    if form == "table":
        return table(result, width)
    raise QueryError(f"--format: {form!r} is not one of {', '.join(FORMATS)}")
