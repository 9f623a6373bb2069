"""alert: rules and questions on a schedule, new answers to people."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from hookstream.cli.places import local
from hookstream.core.errors import HookstreamError, Undelivered
from hookstream.core.logs import say

POLL_S = 1.0


def alert(
    path: Annotated[Path, typer.Argument(help="A folder or file that holds a stream.")],
    config: Annotated[Path, typer.Option(help="The TOML file with [[alert]] tables.")],
    once: Annotated[bool, typer.Option(help="Ask every alert now, send what is new, end.")] = False,
    state: Annotated[Path | None, typer.Option(help="File of what was sent.")] = None,
) -> None:
    """Send what rules and questions newly find: each finding once."""
    from hookstream.cli.configured import expect_machines
    from hookstream.delivery.job import state_folder
    from hookstream.integrations.alerts import AlertWatch, load_alerts

    alerts = load_alerts(config)
    place = local(path)
    if once and not place.exists():
        raise HookstreamError(f"{place}: no such file or folder")
    folder = state or state_folder() / "alerts"
    expect_machines()  # a roster that cannot be read is said before anything runs
    watch = AlertWatch(place, alerts, folder, lambda text: say(text), expect_machines)
    if once:
        sent, failed = watch.run(time.time(), all_of_them=True)
        say(f"{sent} sent, {failed} of {len(alerts)} alerts failed")
        if failed:
            raise Undelivered("what was not sent is tried again by the next run")
        return
    say(f"watching {place}: {len(alerts)} alerts; state in {folder}")
    while True:
        watch.run(time.time())
        time.sleep(POLL_S)
