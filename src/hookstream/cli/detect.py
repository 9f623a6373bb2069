"""detect: Sigma rules over a lake."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from hookstream.cli.answers import Look, write
from hookstream.cli.options import Columns, Pager, Since, Sort, Stream, Until, Vertical
from hookstream.cli.places import stream_of
from hookstream.cli.progress import bar
from hookstream.core.errors import HookstreamError, NothingToRead, invalid_choice
from hookstream.core.logs import say

if TYPE_CHECKING:
    from hookstream.rules.findings import Finding
    from hookstream.rules.listing import ListedRule

FORMATS = ("table", "json", "csv", "markdown", "agent-hooks", "ocsf")


def detect(
    path: Stream = None,
    rules: Annotated[
        list[Path] | None,
        typer.Option(help="Rule files or folders, or pack: the shipped ones (default: pack)."),
    ] = None,
    tuning: Annotated[
        Path | None,
        typer.Option(help="TOML: levels, known noise, critical machines and users."),
    ] = None,
    format: Annotated[str, typer.Option("--format", help=" | ".join(FORMATS))] = "table",
    since: Since = None,
    until: Until = None,
    level: Annotated[str, typer.Option(help="Minimum level.")] = "informational",
    summary: Annotated[bool, typer.Option(help="Count findings by rule instead.")] = False,
    list_rules: Annotated[bool, typer.Option("--list", help="The rules, and no findings.")] = False,
    test: Annotated[
        bool, typer.Option("--test", help="Run the rules' NAME.cases.yml; needs no lake.")
    ] = False,
    new: Annotated[
        str | None,
        typer.Option(help="Write a rule of this name, with cases, to the folder of --rules."),
    ] = None,
    call: Annotated[
        str | None,
        typer.Option(help="With --new: the call_id or event id to begin with (default: newest)."),
    ] = None,
    sort: Sort = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Maximum number of rows.")] = None,
    columns: Columns = None,
    vertical: Vertical = None,
    pager: Pager = True,
    fail_on_rows: Annotated[bool, typer.Option(help="Exit 4 if there is any finding.")] = False,
) -> None:
    """Run Sigma rules over a lake: the shipped pack, or your own."""
    from hookstream.queries.runner import Result, moment
    from hookstream.rules.ask import ask
    from hookstream.rules.load import LEVELS
    from hookstream.rules.tuning import DetectOptions

    if test:
        _test(rules)
        return
    if format not in FORMATS:
        raise invalid_choice("--format", format, FORMATS)
    if level not in LEVELS:
        raise invalid_choice("--level", level, LEVELS)
    look = Look(format, columns, vertical, pager, sort, limit)
    if path is None and list_rules:
        _list(rules, tuning, look)
        return
    if new is not None:
        _new(stream_of(path), new, call, rules)
        return
    if call is not None:
        raise HookstreamError("--call goes with --new NAME")
    asked = DetectOptions(
        rules=tuple(rules or ()),
        tuning=tuning,
        since=moment(since) if since else None,
        until=moment(until) if until else None,
        level=level,
        listing=list_rules,
    )
    stream = stream_of(path)
    with bar("rules"):
        answer = ask(stream, asked)
    if list_rules:
        _write_listed(answer.listed(), look)
    elif summary:
        write(Result.of(answer.COUNTED, answer.counted()), look)
    else:
        _findings(answer.findings, look)
    for warning in answer.warnings:
        say(f"hookstream: {warning}")
    if fail_on_rows and answer.findings:
        raise typer.Exit(4)


def _list(rules: list[Path] | None, tuning: Path | None, look: Look) -> None:
    from hookstream.rules.listing import list_files

    _write_listed(list_files(rules or (), tuning), look)


def _write_listed(rules: list[ListedRule], look: Look) -> None:
    from hookstream.queries.runner import Result
    from hookstream.rules.listing import ListedRule as Listed

    shows = "rule level title origin status has_cases".split()
    write(Result.of(Listed.COLUMNS, [rule.row() for rule in rules], shows), look)


def _test(rules: list[Path] | None) -> None:
    """Run the cases of rules; exit 1 if one fails."""
    from hookstream.rules.cases import run_cases
    from hookstream.rules.load import PACK

    with bar("cases"):
        tested = run_cases(rules or [Path(PACK)])
    for line in tested.failures:
        print(line)
    if tested.without:
        names = ", ".join(tested.without)
        say(f"hookstream: without cases: {names}")
    cases = "1 case" if tested.cases == 1 else f"{tested.cases} cases"
    of = "1 rule file" if tested.files == 1 else f"{tested.files} rule files"
    say(f"{cases} of {of}, {len(tested.failures)} failed")
    if not tested.cases:
        raise NothingToRead("no NAME.cases.yml is next to these rules")
    if tested.failures:
        raise typer.Exit(1)


def _new(path: Path, name: str, call: str | None, rules: list[Path] | None) -> None:
    from hookstream.rules.draft import draft
    from hookstream.rules.load import PACK, cases_of

    folder = (rules or [Path()])[0]
    if len(rules or ()) > 1 or str(folder) == PACK or folder.is_file():
        raise HookstreamError("--new: name one folder of yours with --rules")
    file, given = draft(path, name, call, folder)
    shown = " ".join(next(iter(given.values()), "").split())[:100]
    say(f"hookstream: from a call of {given.get('tool', 'a client')}: {shown}")
    print(file)
    print(cases_of(file))
    _test([file])


def _findings(found: list[Finding], look: Look) -> None:
    """Write findings, the newest first; as events in their order."""
    from hookstream.queries.runner import Result
    from hookstream.rules.findings import COLUMNS

    if look.form in ("agent-hooks", "ocsf"):
        for one in found:
            line = one.agent_hooks() if look.form == "agent-hooks" else one.ocsf()
            print(json.dumps(line, ensure_ascii=True))
        return
    shows = "timestamp level title shown tool session_id user_id machine_id".split()
    newest = sorted(found, key=lambda one: str(one.timestamp or ""), reverse=True)
    write(Result.of(COLUMNS, [one.row() for one in newest], shows), look)
