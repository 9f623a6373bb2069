"""ui: the local web application over a lake."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hookstream.cli.places import local


def register(app: typer.Typer) -> None:
    app.command()(ui)


def ui(
    lake: Annotated[Path, typer.Argument(help="Folder written by `hookstream run`, or a log.")],
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free port.")] = 0,
    no_browser: Annotated[bool, typer.Option(help="Do not open a browser.")] = False,
) -> None:
    """Browse a lake in a web browser, served on loopback only."""
    from hookstream.cli.configured import expect_machines, rules_here
    from hookstream.ui.server import serve

    expect_machines()
    serve(local(lake), port, not no_browser, rules_here())
