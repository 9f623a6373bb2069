"""mcp: the named questions for an assistant."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hookstream.cli.places import local
from hookstream.errors import HookstreamError


def register(app: typer.Typer) -> None:
    app.command()(mcp)


def mcp(
    path: Annotated[Path, typer.Argument(help="A folder or file that holds a stream.")],
) -> None:
    """Serve the named questions to an assistant over MCP.

    It speaks on standard input and output, and only reads.
    """
    from hookstream.cli.configured import expect_machines
    from hookstream.mcp import server

    place = local(path)
    if not place.exists():
        raise HookstreamError(f"{place}: no such file or folder")
    expect_machines()
    server(place, expect_machines).run("stdio")
