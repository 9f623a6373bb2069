"""query, queries, report: the analyst's side."""

from __future__ import annotations

import shutil
import sys
from contextlib import closing, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hookstream.cli.options import Columns, Pager, Since, Sort, Stream, Until, Vertical, takes
from hookstream.cli.places import stream_of
from hookstream.cli.progress import bar
from hookstream.core.errors import HookstreamError, invalid_choice
from hookstream.core.files import write_private
from hookstream.core.logs import folded, say
from hookstream.core.progress import step

if TYPE_CHECKING:
    from datetime import datetime

    from hookstream.queries.page import Section
    from hookstream.queries.runner import Damage, Filters

FORMATS = ("table", "json", "csv", "markdown")
# Of a table on a terminal, where no limit is given.
TERMINAL_ROWS = 200


@takes("expected_machines")
def query(
    question: Annotated[str, typer.Argument(help="A name from `hookstream queries`, or SQL.")],
    path: Stream = None,
    format: Annotated[str, typer.Option("--format", help=" | ".join(FORMATS))] = "table",
    since: Since = None,
    until: Until = None,
    tool: Annotated[str | None, typer.Option(help="Only this client.")] = None,
    session: Annotated[str | None, typer.Option(help="Only this session.")] = None,
    machine: Annotated[str | None, typer.Option(help="Only this machine (its pseudonym).")] = None,
    user: Annotated[str | None, typer.Option(help="Only this user (the pseudonym).")] = None,
    by: Annotated[
        str | None,
        typer.Option(help="machine | session: a row for each, where one counts the fleet."),
    ] = None,
    sort: Sort = None,
    new: Annotated[
        bool, typer.Option(help="Only what was first seen in the range (else on the last day).")
    ] = False,
    threshold: Annotated[
        int | None, typer.Option(min=2, help="Failed attempts that are a retry loop (default 3).")
    ] = None,
    limit: Annotated[
        int | None, typer.Option(min=1, help="Maximum number of rows (on a terminal 200).")
    ] = None,
    columns: Columns = None,
    vertical: Vertical = None,
    pager: Pager = True,
    timeout: Annotated[float, typer.Option(min=0.1, help="Seconds until it gives up.")] = 300.0,
    fail_on_rows: Annotated[bool, typer.Option(help="Exit 4 if there is any row.")] = False,
    **options: Any,
) -> None:
    """Answer a named question about a lake or log, or one SELECT."""
    from hookstream.cli.answers import Look, answer, write
    from hookstream.cli.configured import expect_machines, rules_here
    from hookstream.queries.bounds import within
    from hookstream.queries.catalog import query as of
    from hookstream.queries.errors import QueryError
    from hookstream.queries.runner import Filters, is_name, moment, read

    if format not in FORMATS:
        raise invalid_choice("--format", format, FORMATS)
    filters = Filters(
        since=moment(since) if since else None,
        until=moment(until) if until else None,
        tool=tool,
        session=session,
        machine=machine,
        user=user,
        sort=sort,
        new=new,
        threshold=threshold,
        by=by,
    )
    if filters.since and filters.until and filters.since >= filters.until:
        raise HookstreamError(
            f"--since {since} is not before --until {until}: no event can be in it"
        )
    named = is_name(question)
    if named and (full := of(question).name) != question:
        say(f"hookstream: {question}: {full}")
        question = full
    expect_machines(options["expected_machines"])
    rules = rules_here() if "permissions" in question.lower() else None
    place = stream_of(path)
    if named and limit is None and columns is None and not vertical and _passes(question, filters):
        rows = _as_it_passes(question, place, filters, format, timeout)
        if fail_on_rows and rows:
            raise typer.Exit(4)
        return
    if limit is None and format == "table" and sys.stdout.isatty():
        limit = TERMINAL_ROWS
    try:
        with bar("%"):
            result = within(
                lambda: read(
                    place,
                    lambda stream: answer(stream, question, filters, limit, rules),
                    None if named else question,
                ),
                timeout,
            )
    except QueryError as error:
        if error.hint:
            raise HookstreamError(f"{error}\n{error.hint}") from None
        raise
    write(result, Look(format, columns, vertical, pager))
    for warning in result.warnings:
        say(f"hookstream: {warning}")
    if fail_on_rows and result.rows:
        raise typer.Exit(4)


def _passes(question: str, filters: Filters) -> bool:
    """Return whether the answer can be written while it is asked."""
    from hookstream.queries.catalog import query as of

    narrowed = filters.session or filters.sort or filters.new or filters.threshold
    return of(question).passes and not narrowed


def _as_it_passes(
    question: str, path: Path, filters: Filters, format: str, timeout_s: float
) -> int:
    """Write an answer piece by piece, each within the timeout; how many rows there were. What turns
    out to be damaged before the first piece is left out."""
    from hookstream.queries.errors import QueryError
    from hookstream.queries.runner import Damage

    found = Damage()
    while True:
        try:
            return _in_pieces(question, path, filters, format, timeout_s, found)
        except QueryError as error:
            if not found.look(path, error, None):
                raise


def _in_pieces(
    question: str, path: Path, filters: Filters, format: str, timeout_s: float, found: Damage
) -> int:
    from hookstream.cli.answers import is_colored
    from hookstream.queries.bounds import within
    from hookstream.queries.formats import on_terminal
    from hookstream.queries.passing import Passing
    from hookstream.queries.runner import open_whole

    seen = sys.stdout.isatty()
    width = shutil.get_terminal_size((160, 40)).columns if seen else None
    # On a terminal the rows themselves show how far it is.
    counted = nullcontext() if seen else bar("rows")
    with open_whole(path, None, found) as stream, counted:
        passing = Passing(stream, question, filters)
        with closing(passing.written(format, width, color=is_colored())) as pieces:
            while (piece := within(lambda: next(pieces, None), timeout_s, quiet=True)) is not None:
                step(passing.count)
                found.is_late = True
                sys.stdout.write(on_terminal(piece) if seen and format == "csv" else piece)
                sys.stdout.flush()
        for warning in stream.warnings():
            say(f"hookstream: {warning}")
    return passing.count


def queries() -> None:
    """List the named questions, one line each."""
    from hookstream.queries.catalog import broken
    from hookstream.queries.catalog import queries as catalog

    known = catalog()
    width = max(map(len, known))
    for name, one in known.items():
        print(folded(f"{name:{width}}  {one.description}", sys.stdout, width + 2))
    for error in broken().values():
        say(f"hookstream: {error}")


def report(
    path: Stream = None,
    format: Annotated[
        str | None,
        typer.Option(
            "--format",
            help="table | markdown | html | json (default: table on a terminal, else markdown)",
        ),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Output file (default: stdout).")] = None,
    since: Since = None,
    until: Until = None,
    rules: Annotated[bool, typer.Option(help="Include findings of the shipped rules.")] = True,
    tuning: Annotated[Path | None, typer.Option(help="The rules' tuning file.")] = None,
) -> None:
    """Write a one-page report. It has denies, bypasses, loops, secrets, findings, gaps."""
    from hookstream.cli.answers import show, width_of
    from hookstream.cli.configured import expect_machines
    from hookstream.queries.report import FORMATS as OF_REPORT
    from hookstream.queries.report import report as page
    from hookstream.queries.runner import Filters, moment

    format = format or ("table" if out is None and sys.stdout.isatty() else "markdown")
    if format not in OF_REPORT:
        raise invalid_choice("--format", format, OF_REPORT)
    filters = Filters(moment(since) if since else None, moment(until) if until else None)
    if filters.since and filters.until and filters.since >= filters.until:
        raise HookstreamError(f"--since {since} is not before --until {until}: nothing is between")
    expect_machines()
    place = stream_of(path)
    first = []
    if rules:
        with bar("rules"):
            first = _found(place, filters.since, filters.until, tuning)
    with bar("questions"):
        text = page(place, format, filters, first, width_of(sys.stdout))
    if out is not None:
        write_private(out, text)
    elif format == "html":
        encoding = sys.stdout.encoding or "utf-8"
        sys.stdout.write(text.encode(encoding, "xmlcharrefreplace").decode(encoding))
    else:
        show(text)


def _found(
    path: Path, since: datetime | None, until: datetime | None, tuning: Path | None
) -> list[Section]:
    """Findings of the rules as sections of the report: the gravest and newest first."""
    from hookstream.queries.page import Section
    from hookstream.queries.sections import ROWS
    from hookstream.rules.ask import RuleAnswer, ask
    from hookstream.rules.load import LEVELS
    from hookstream.rules.tuning import DetectOptions

    answer = ask(path, DetectOptions(tuning=tuning, since=since, until=until, level="low"))
    counted = answer.counted()
    newest = sorted(answer.findings, key=lambda one: str(one.timestamp), reverse=True)
    gravest = sorted(newest, key=lambda one: -LEVELS.index(one.level))
    columns = "timestamp level title shown tool session_id user_id machine_id".split()
    rows = [tuple(getattr(one, name) for name in columns) for one in gravest[:ROWS]]
    return [
        Section(
            "Rules", "`hookstream detect` shows all.", list(RuleAnswer.COUNTED), counted, 0, None
        ),
        Section("Findings", "The gravest first, then the newest.", columns, rows, 0, None),
    ]
