"""Answers on a terminal, fitted, coloured and paged, or complete in a pipe."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

from hookstream.core.errors import HookstreamError

if TYPE_CHECKING:
    from hookstream.queries.runner import Filters, Result
    from hookstream.queries.stream import OpenStream
    from hookstream.queries.unmatched import RulesHere


def answer(
    stream: OpenStream,
    question: str,
    filters: Filters,
    limit: int | None,
    rules: RulesHere | None,
) -> Result:
    """Ask a named question or SQL. A session may be named by the beginning of its id; of an empty
    answer the warnings say why it is empty."""
    from hookstream.queries.nearest import explain, full_session
    from hookstream.queries.runner import ask, ask_sql, is_name

    if filters.session:
        filters.session = full_session(stream, filters.session)
    asks = ask if is_name(question) else ask_sql
    result = asks(stream, question, filters, limit=limit, rules=rules)
    explain(result, stream, question, filters)
    return result


@dataclass(frozen=True)
class Look:
    """The form of an answer: its format, order and limit, and the columns of a table or records."""

    form: str = "table"
    columns: str | None = None
    vertical: bool | None = None
    pages: bool = True
    sort: str | None = None
    limit: int | None = None


def width_of(output: TextIO) -> int | None:
    """Return the columns of a terminal; None for a pipe or file."""
    return shutil.get_terminal_size((160, 40)).columns if output.isatty() else None


def is_colored() -> bool:
    """Return whether standard output takes colours."""
    is_plain = "NO_COLOR" in os.environ or os.environ.get("TERM") == "dumb"
    return sys.stdout.isatty() and not is_plain


def write(result: Result, look: Look) -> None:
    """Write an answer to stdout. Raises HookstreamError for options that do not fit together."""
    from hookstream.queries.formats import on_terminal
    from hookstream.queries.terminal import narrowed, render

    if look.sort is not None:
        sort_rows(result, look.sort)
    if look.limit is not None and len(result.rows) > look.limit:
        result.rows, result.truncated = result.rows[: look.limit], True
    if look.form == "table":
        show(table_text(result, look), pages=look.pages)
        return
    if look.vertical:
        raise HookstreamError("--vertical is for --format table")
    text = render(narrowed(result, look.columns), look.form)
    sys.stdout.write(on_terminal(text) if sys.stdout.isatty() and look.form == "csv" else text)
    sys.stdout.flush()


def table_text(result: Result, look: Look = Look()) -> str:
    """A table, or records, as the terminal or the pipe of standard output takes it."""
    from hookstream.queries.terminal import chosen, records, table

    width = width_of(sys.stdout)
    chosen(result, look.columns)
    vertical = look.vertical
    if vertical is None:
        vertical = width is not None and len(result.rows) == 1
    return (records if vertical else table)(result, width, color=is_colored())


def sort_rows(result: Result, sort: str) -> None:
    """Sort rows by a column, with a minus before it descending; rows without a value are last.
    Raises QueryError."""
    from hookstream.queries.errors import QueryError
    from hookstream.queries.formats import text

    column = sort.removeprefix("-")
    if column not in result.columns:
        known = ", ".join(result.columns)
        raise QueryError(f"--sort: no column {column!r}; there are {known}")
    at = result.columns.index(column)
    valued = [row for row in result.rows if row[at] is not None]
    if any(isinstance(row[at], list | tuple | dict) for row in valued):
        valued.sort(key=lambda row: text(row[at]), reverse=sort.startswith("-"))
    else:
        valued.sort(key=lambda row: row[at], reverse=sort.startswith("-"))
    result.rows = [*valued, *(row for row in result.rows if row[at] is None)]


def show(text: str, *, pages: bool = True) -> None:
    """Write a text to stdout, in a pager if it is longer than the terminal."""
    lines = shutil.get_terminal_size((160, 40)).lines
    if pages and sys.stdout.isatty() and sys.stdin.isatty() and text.count("\n") > lines:
        page(text)
    else:
        sys.stdout.write(text)
        sys.stdout.flush()


def page(text: str) -> None:
    """Show a text in the user's pager ($PAGER, else less); as it is where there is none."""
    import shlex
    import subprocess

    command = shlex.split(os.environ.get("PAGER", "less"))
    if not command or shutil.which(command[0]) is None or command == ["cat"]:
        sys.stdout.write(text)
        return
    # Quit at once if it fits, keep colours and long lines as they are, leave the screen.
    env = {**os.environ, "LESS": os.environ.get("LESS", "FRSX")}
    try:
        subprocess.run(command, input=text.encode(), env=env, check=False)
    except OSError:
        sys.stdout.write(text)
