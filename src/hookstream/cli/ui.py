"""ui: the local web application over a lake."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from hookstream.cli.places import local


def register(app: typer.Typer) -> None:
    app.command()(ui)


def ui(
    lake: Annotated[
        Path | None,
        typer.Argument(help="Folder written by `hookstream run`, or a log; else this machine's."),
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free port.")] = 0,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Do not open a browser.")
    ] = False,
    rules: Annotated[
        list[Path] | None,
        typer.Option(help="Rule files or folders, or pack: the shipped ones (default: pack)."),
    ] = None,
    tuning: Annotated[Path | None, typer.Option(help="The rules' tuning file.")] = None,
) -> None:
    """Browse a lake in a web browser, served on loopback only.

    Without a lake it reads this machine's session files and capture log into a private one.
    """
    from hookstream.cli.configured import expect_machines, rules_here
    from hookstream.rules.options import DetectOptions
    from hookstream.ui.server import serve

    expect_machines()
    if lake is None:
        from hookstream.cli.own_lake import own_lake

        lake, line = own_lake()
        print(f"hookstream: {line}", file=sys.stderr)
    asked = DetectOptions(tuple(rules or ()), tuning) if rules or tuning else None
    serve(local(lake), port, not no_browser, rules_here(), asked)
