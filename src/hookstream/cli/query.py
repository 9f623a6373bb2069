"""query, queries, report: the analyst's side."""

from __future__ import annotations

import typer


def register(app: typer.Typer) -> None:
    pass
