"""cost: the bill of a lake, or of this machine's session files."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hookstream.cli.answers import Look, show, table_text, write
from hookstream.cli.options import Columns, Pager, PricesFile, Since, Sort, Stream, Until
from hookstream.cli.places import stream_of
from hookstream.cli.progress import bar
from hookstream.core.errors import HookstreamError, invalid_choice
from hookstream.core.logs import folded, say

if TYPE_CHECKING:
    from hookstream.queries.runner import Result
    from hookstream.queries.stream import OpenStream

    Row = dict[str, Any]

# What a bill is split by -> its column.
SPLITS = {
    "project": "project", "client": "tool", "model": "model_id", "user": "user_id", "day": "date",
}  # fmt: skip
FORMATS = ("table", "json", "csv", "markdown")
TOKENS = ("input", "output", "cache_read", "cache_write")
# Rows of one split where all are shown.
ROWS = 10
# Clients that a line names.
CLIENTS = 4
# Tokens that count nowhere: sessions of which no record says them.
SILENT = "select tool, cast(sum(sessions) as bigint) from usage where counted = 'none' group by 1"


def cost(
    path: Stream = None,
    by: Annotated[str | None, typer.Option(help=f"One table only: {' | '.join(SPLITS)}.")] = None,
    since: Since = None,
    until: Until = None,
    tool: Annotated[str | None, typer.Option(help="Only this client.")] = None,
    prices: PricesFile = None,
    format: Annotated[str, typer.Option("--format", help=" | ".join(FORMATS))] = "table",
    sort: Sort = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Maximum number of rows.")] = None,
    columns: Columns = None,
    pager: Pager = True,
) -> None:
    """Show what tokens cost, by project, client, model, user and day."""
    from hookstream.queries.costs import costs, total_line
    from hookstream.queries.prices import read_prices
    from hookstream.queries.runner import Filters, ask_sql, moment, read

    if format not in FORMATS:
        raise invalid_choice("--format", format, FORMATS)
    if by is not None and by not in SPLITS:
        raise invalid_choice("--by", by, tuple(SPLITS))
    if by is None and (format != "table" or sort or columns or limit):
        raise HookstreamError("--format, --sort, --limit and --columns need one table: add --by")
    filters = Filters(
        since=moment(since) if since else None, until=moment(until) if until else None, tool=tool
    )
    table = read_prices(prices)

    def bill(stream: OpenStream) -> tuple[list[Row], Result]:
        return costs(stream, table, filters), ask_sql(stream, SILENT, filters)

    place = stream_of(path)
    with bar("costs"):
        rows, silent = read(place, bill)
    total = folded(total_line(rows, table.source), sys.stdout)
    if by is None:
        show("\n".join([total, *_tables(rows)]), pages=pager)
    else:
        write(result_by(rows, by), Look(format, columns, None, pager, sort, limit))
        if format == "table":
            print(total)
    lines = [silent_line(silent.rows)] if silent.rows else []
    for line in (*lines, *silent.warnings):
        say(f"hookstream: {line}")


def silent_line(silent: list[tuple[Any, ...]]) -> str:
    """The sessions of which no record has tokens, by client."""
    number = sum(sessions for _, sessions in silent)
    most = sorted(silent, key=lambda row: (-row[1], row[0]))
    which = ", ".join(f"{tool} {sessions}" for tool, sessions in most[:CLIENTS])
    more = f", {len(most) - CLIENTS} more clients" if len(most) > CLIENTS else ""
    verb = "session reports" if number == 1 else "sessions report"
    return f"{number} {verb} no tokens and are not in the sum: {which}{more}"


def result_by(rows: list[Row], by: str) -> Result:
    """The sums by one split, as an answer."""
    from hookstream.queries.costs import summed_by
    from hookstream.queries.runner import Result

    column = SPLITS[by]
    names = (column, "cost_usd", "answers", *(f"{kind}_tokens" for kind in TOKENS), "trust", "why")
    cells = [
        (
            row[column],
            None if row["cost_usd"] is None else round(row["cost_usd"], 6),
            row["answers"],
            *(row[kind] for kind in TOKENS),
            row["trust"],
            row["why"],
        )
        for row in summed_by(rows, column)
    ]
    return Result.of(names, cells, names)


def _tables(rows: list[Row]) -> list[str]:
    if not rows:
        return []
    texts = []
    for by in SPLITS:
        result = result_by(rows, by)
        result.truncated = len(result.rows) > ROWS
        result.rows = result.rows[:ROWS]
        texts += ["", f"By {by}", table_text(result, Look(vertical=False)).rstrip("\n")]
    return [*texts, ""]
