"""export, views, share: the lake for any tool that reads DuckDB, one session for a browser."""

from __future__ import annotations

import sys
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer

from hookstream.cli.options import Stream
from hookstream.cli.places import local, stream_of
from hookstream.cli.progress import bar
from hookstream.core.errors import HookstreamError
from hookstream.core.files import write_private
from hookstream.core.logs import say


def export(
    path: Annotated[Path, typer.Argument(help="A folder or file that holds a stream.")],
    target: Annotated[Path, typer.Argument(help="The DuckDB file to write.")],
    force: Annotated[bool, typer.Option(help="Replace an existing file.")] = False,
) -> None:
    """Write a lake as one DuckDB file. It has tables, and every question as a view, described."""
    from hookstream.queries.export import export as write

    with bar("tables"):
        counts = write(local(path), target, force)
    said = ", ".join(f"{number} {name}" for name, number in counts.items() if number)
    say(f"{target}: {said or 'no event'}")


def views() -> None:
    """Print the questions as SQL views over an exported file."""
    from hookstream.queries.export import views as text

    sys.stdout.write(text())


def share(
    session: Annotated[str, typer.Argument(help="The session's id, or how it begins.")],
    file: Annotated[Path, typer.Argument(help="The HTML file to write.")],
    path: Stream = None,
    tool: Annotated[str, typer.Option(help="Only of this client.")] = "",
    machine: Annotated[str, typer.Option(help="Only of this machine (its pseudonym).")] = "",
) -> None:
    """Write one session as one HTML file.

    It has the timeline, what became of each call, the events that show it, and the seal's proof. It
    needs no network, and holds what the lake holds: no contents, no secrets, pseudonyms.
    """
    from hookstream.ui.lake import BrowsedLake
    from hookstream.ui.share import share as page

    with closing(BrowsedLake(stream_of(path), readers=1)) as lake:
        text = page(lake, session, machine, tool)
    try:
        write_private(file, text)
    except OSError as error:
        raise HookstreamError(f"{file}: {error.strerror}") from None
    say(f"hookstream: {file}: {len(text.encode()) >> 10} KB, readable by you alone")
