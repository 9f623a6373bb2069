"""ui: the local web application over a lake."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hookstream.cli.places import local
from hookstream.core.errors import HookstreamError
from hookstream.core.logs import say


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
    prompts: Annotated[
        str | None,
        typer.Option(help="show | hide your own prompts, without a lake (default: as chosen)."),
    ] = None,
) -> None:
    """Browse a lake in a web browser, served on loopback only.

    Without a lake it reads this machine's session files and capture log into a private one.
    """
    from hookstream.cli.configured import expect_machines, own_names, rules_here, smallest_group
    from hookstream.rules.tuning import DetectOptions
    from hookstream.ui.server import serve

    expect_machines()
    sessions = renewal = None
    if lake is None:
        from hookstream.cli.own_lake import first_lake, own_conversations, own_files, own_renewal
        from hookstream.cli.prompts import prompts_shown

        own_files()
        shown = prompts_shown(prompts)
        lake, line, is_whole = first_lake()
        sessions = own_conversations if shown else None
        renewal = own_renewal(at_once=not is_whole)
        say(f"hookstream: {line}")
    elif prompts is not None:
        raise HookstreamError("--prompts is for your own lake: hookstream ui without a lake")
    asked = DetectOptions(tuple(rules or ()), tuning) if rules or tuning else None
    names, group = own_names(), smallest_group()
    serve(local(lake), port, not no_browser, rules_here(), asked, names, sessions, renewal, group)
