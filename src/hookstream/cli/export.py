"""export, views: the lake for any tool that reads DuckDB."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from hookstream.cli.places import local
from hookstream.cli.progress import bar
from hookstream.core.logs import say


def register(app: typer.Typer) -> None:
    app.command()(export)
    app.command()(views)


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
