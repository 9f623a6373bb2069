"""SQL of builds and refreshes: statements in `sql/steps/NAME.sql`, with `{words}` to fill in."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb


@cache
def steps() -> dict[str, str]:
    """step -> its statements"""
    folder = resources.files("hookstream.tables").joinpath("sql/steps")
    return {file.name.removesuffix(".sql"): file.read_text("utf-8") for file in folder.iterdir()}


def step_text(name: str, **words: object) -> str:
    """The SQL of a step, its words filled in."""
    return steps()[name].format(**words)


def run_step(
    connection: duckdb.DuckDBPyConnection, name: str, **words: object
) -> duckdb.DuckDBPyConnection:
    """Execute the statements of a step; the connection then has the rows of the last one."""
    return connection.execute(step_text(name, **words))
