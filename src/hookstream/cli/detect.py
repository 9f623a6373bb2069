"""detect: Sigma rules over a lake."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hookstream.cli.places import local
from hookstream.cli.progress import bar
from hookstream.core.errors import invalid_choice

if TYPE_CHECKING:
    from hookstream.rules.findings import Finding

FORMATS = ("table", "json", "csv", "markdown", "agent-hooks", "ocsf")


def register(app: typer.Typer) -> None:
    app.command()(detect)


def detect(
    path: Annotated[
        Path, typer.Argument(help="Folder or file written by `hookstream run`, or a hook log.")
    ],
    rules: Annotated[
        list[Path] | None,
        typer.Option(help="Rule files or folders; the shipped pack, if none is named."),
    ] = None,
    tuning: Annotated[
        Path | None,
        typer.Option(help="TOML: levels, known noise, critical machines and users."),
    ] = None,
    format: Annotated[str, typer.Option("--format", help=" | ".join(FORMATS))] = "table",
    since: Annotated[
        str | None,
        typer.Option(help="Start of the range: 2026-11-21, RFC 3339, or 24h for the last day."),
    ] = None,
    until: Annotated[
        str | None, typer.Option(help="End of the range, exclusive; same formats as --since.")
    ] = None,
    level: Annotated[str, typer.Option(help="Minimum level.")] = "informational",
    summary: Annotated[bool, typer.Option(help="Count findings by rule instead.")] = False,
    list_rules: Annotated[bool, typer.Option("--list", help="The rules, and no findings.")] = False,
    fail_on_rows: Annotated[bool, typer.Option(help="Exit 4 if there is any finding.")] = False,
) -> None:
    """Run Sigma rules over a lake: the shipped pack, or your own."""
    from hookstream.queries.runner import moment
    from hookstream.rules.ask import DetectOptions, ask
    from hookstream.rules.load import LEVELS

    if format not in FORMATS:
        raise invalid_choice("--format", format, FORMATS)
    if level not in LEVELS:
        raise invalid_choice("--level", level, LEVELS)
    asked = DetectOptions(
        rules=tuple(rules or ()),
        tuning=tuning,
        since=moment(since) if since else None,
        until=moment(until) if until else None,
        level=level,
        listing=list_rules,
    )
    with bar("rules"):
        answer = ask(local(path), asked)
    if list_rules:
        _write(answer.listed(), answer.LISTED, format, [])
    elif summary:
        _write(answer.counted(), answer.COUNTED, format, [])
    else:
        _findings(answer.findings, format)
    for warning in answer.warnings:
        print(f"hookstream: {warning}", file=sys.stderr)
    if fail_on_rows and answer.findings:
        raise typer.Exit(4)


def _findings(found: list[Finding], format: str) -> None:
    from hookstream.rules.findings import COLUMNS

    if format in ("agent-hooks", "ocsf"):
        for one in found:
            line = one.agent_hooks() if format == "agent-hooks" else one.ocsf()
            print(json.dumps(line, ensure_ascii=True))
        return
    shows = ["level", "title", "timestamp", "machine_id", "user_id", "tool", "session_id", "shown"]
    _write([one.row() for one in found], COLUMNS, format, shows)


def _write(rows: list[tuple[Any, ...]], columns: Any, format: str, shows: list[str]) -> None:
    import shutil

    from hookstream.queries.answers import render
    from hookstream.queries.formats import on_terminal
    from hookstream.queries.runner import Result

    result = Result(list(columns), [])
    result.rows = rows
    result.shows = shows
    seen = sys.stdout.isatty()
    width = shutil.get_terminal_size((160, 40)).columns if seen else 200
    text = render(result, format if format in ("json", "csv", "markdown") else "table", width)
    sys.stdout.write(on_terminal(text) if seen and format == "csv" else text)
    sys.stdout.flush()
