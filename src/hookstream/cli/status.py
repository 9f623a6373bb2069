"""status: what is registered, seen and delivered on this machine."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Annotated, Any

import typer

from hookstream.cli.capture import Vendors, agent_named
from hookstream.errors import invalid_choice


def register(app: typer.Typer) -> None:
    app.command()(status)


def status(
    vendors: Vendors = None,
    every: Annotated[
        bool, typer.Option("--all", help="Include clients that are not installed.")
    ] = False,
    format: Annotated[str, typer.Option(help="table | json")] = "table",
) -> None:
    """Show registered hooks, when each was last seen, and gaps."""
    from hookstream.capture.install.agents import agents
    from hookstream.capture.install.homes import Homes
    from hookstream.capture.install.status import report
    from hookstream.capture.install.status_text import table

    if format not in ("table", "json"):
        raise invalid_choice("--format", format, ("table", "json"))
    chosen = [agent_named(name) for name in vendors] if vendors else agents()
    found = report(chosen, Homes())
    found["deliveries"] = _deliveries()
    if format == "json":
        print(json.dumps(found, indent=1))
        return
    print(table(found, events=bool(vendors), absent=every or bool(vendors)), end="")


def _deliveries() -> list[dict[str, Any]]:
    """What each follower has delivered and still has to."""
    from hookstream.capture.log import place
    from hookstream.delivery.state import read

    state = place.state_folder()
    folders = sorted(Path(state, "delivery").glob("*")) if state is not None else []
    found = []
    for folder in folders:
        with contextlib.suppress(OSError, ValueError):
            found.append(read(folder))
    return found
