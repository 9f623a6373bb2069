"""Answers on a terminal, fitted, coloured and paged, or complete in a pipe."""

from __future__ import annotations

import os
import shutil
import sys
from typing import TYPE_CHECKING

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
    from hookstream.queries.nearest import doubts, full_session, reasons
    from hookstream.queries.runner import ask, ask_sql, is_name

    if filters.session:
        filters.session = full_session(stream, filters.session)
    asks = ask if is_name(question) else ask_sql
    result = asks(stream, question, filters, limit=limit, rules=rules)
    if not result.rows:
        found = reasons(stream, filters)
        result.warnings += found
        if not found and question != "gaps" and is_name(question) and (kinds := doubts(stream)):
            count = "1 kind of gap" if kinds == 1 else f"{kinds} kinds of gaps"
            result.warnings.append(f"{count} in this stream: see query gaps before trusting a zero")
    return result


def write(
    result: Result, form: str, columns: str | None, vertical: bool | None, *, pages: bool
) -> None:
    """Write an answer to stdout. Raises HookstreamError for options that do not fit together."""
    from hookstream.queries.answers import render
    from hookstream.queries.formats import on_terminal
    from hookstream.queries.terminal import chosen, records, table

    is_seen = sys.stdout.isatty()
    if form != "table":
        if columns is not None or vertical:
            option = "--columns" if columns is not None else "--vertical"
            raise HookstreamError(f"{option} is for --format table: SQL selects columns for others")
        text = render(result, form)
        sys.stdout.write(on_terminal(text) if is_seen and form == "csv" else text)
        sys.stdout.flush()
        return
    size = shutil.get_terminal_size((160, 40))
    width = size.columns if is_seen else None
    colored = is_seen and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    chosen(result, columns)
    if vertical is None:
        vertical = is_seen and len(result.rows) == 1
    text = (records if vertical else table)(result, width, color=colored)
    if pages and is_seen and sys.stdin.isatty() and text.count("\n") > size.lines:
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
