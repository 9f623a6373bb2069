"""status: what is registered, seen and delivered on this machine."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from hookstream.cli.capture import Vendors, agent_named
from hookstream.core.errors import HookstreamError, Undelivered, invalid_choice
from hookstream.core.logs import folded


def status(
    vendors: Vendors = None,
    every: Annotated[
        bool, typer.Option("--all", help="Include clients that are not installed.")
    ] = False,
    format: Annotated[str, typer.Option(help="table | json")] = "table",
    config: Annotated[
        list[Path] | None,
        typer.Option(help="Only the deliveries of these files; exit 3 if one is stuck."),
    ] = None,
    stuck_after: Annotated[
        float, typer.Option(min=1, help="Seconds that a record may wait, with --config.")
    ] = 300.0,
) -> None:
    """Show registered hooks, when each was last seen, and gaps."""
    from hookstream.capture.install.homes import InstallFolders
    from hookstream.capture.install.registered import installable
    from hookstream.capture.install.status import report
    from hookstream.capture.install.status_text import table
    from hookstream.delivery.state import of_user

    if format not in ("table", "json"):
        raise invalid_choice("--format", format, ("table", "json"))
    if config:
        deliveries_of(config, stuck_after, format)
        return
    chosen = [agent_named(name) for name in vendors] if vendors else installable()
    found = report(chosen, InstallFolders())
    found["deliveries"] = of_user()
    if format == "json":
        print(json.dumps(found, indent=1))
        return
    text = table(found, events=bool(vendors), absent=every or bool(vendors))
    print(folded(text, sys.stdout, 4), end="")


def deliveries_of(files: list[Path], stuck_s: float, format: str) -> None:
    """The state of the files' deliveries, wherever it is kept. Undelivered (exit 3) with everything
    that is stuck."""
    from hookstream.capture.install.status_text import deliveries
    from hookstream.cli.configured import follower_job
    from hookstream.delivery.broker_lag import problems_of_stream
    from hookstream.delivery.figures import state_problems
    from hookstream.delivery.folders import is_stream, state_of

    found: list[dict[str, Any]] = []
    stuck: list[str] = []
    for file in files:
        job = follower_job({"config": file})
        folder = state_of(job)
        try:
            if any(map(is_stream, job.sources)):
                state, problems = problems_of_stream(folder, job.sources[0], job.kafka, stuck_s)
            elif (folder / "state.db").exists():
                state, problems = state_problems(folder, stuck_s)
            else:
                raise HookstreamError(f"has never run (no state in {folder})")
        except HookstreamError as error:
            stuck.append(f"{file}: {error}")
            continue
        found.append({"config": str(file), **state, "problems": problems})
        stuck += problems
    if format == "json":
        print(json.dumps({"deliveries": found, "problems": stuck}, indent=1))
    else:
        print(folded(deliveries(found), sys.stdout, 4), end="")
    if stuck:
        raise Undelivered("; ".join(stuck))
