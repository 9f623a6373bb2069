"""An answer as text in one of the formats of a question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookstream.queries.errors import QueryError
from hookstream.queries.formats import FORMATS, as_csv, as_json, as_markdown
from hookstream.queries.terminal import table

if TYPE_CHECKING:
    from hookstream.queries.runner import Result


def render(result: Result, form: str, width: int | None = None) -> str:
    """The answer as text, with a newline at its end. `width` is the terminal's, for a table.

    Raises QueryError for a format that is not one of FORMATS.
    """
    if form == "json":
        return as_json(result)
    if form == "csv":
        return as_csv(result)
    if form == "markdown":
        return as_markdown(result.columns, result.rows)
    if form == "table":
        return table(result, width)
    raise QueryError(f"--format: {form!r} is not one of {', '.join(FORMATS)}")
