"""Options of commands, made from the table of settings."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hookstream.configuration.catalog import OPTIONS, Setting

# Options that several commands have.
Stream = Annotated[
    Path | None,
    typer.Argument(
        help="Folder or file written by `hookstream run`, or a hook log; else this machine's."
    ),
]
Since = Annotated[
    str | None,
    typer.Option(help="Start of the range: 2026-11-21, RFC 3339, or 24h for the last day."),
]
Until = Annotated[
    str | None, typer.Option(help="End of the range, exclusive; same formats as --since.")
]
Sort = Annotated[
    str | None, typer.Option(help="Sort by this column, with a minus before it descending.")
]
Columns = Annotated[str | None, typer.Option(help="Columns, as a,b,c in that order, or all.")]
Vertical = Annotated[
    bool | None,
    typer.Option(help="A record per row, not a table (default: for one row on a terminal)."),
]
PricesFile = Annotated[
    Path | None,
    typer.Option(help="JSON of your prices by model (default: prices.json next to the settings)."),
]
Pager = Annotated[bool, typer.Option(help="Page what is longer than the terminal.")]

if TYPE_CHECKING:
    from collections.abc import Callable

    Command = Callable[..., None]

TYPES: dict[str, Any] = {
    "path": Path | None,
    "count": int | None,
    "flag": bool,
    "texts": list[str] | None,
    "tables": list[str] | None,
}


def takes(*names: str) -> Callable[[Command], Command]:
    """Give a command the options of these settings, in this order, after its own. The command
    declares them as `**options`: their values by the names of the settings."""

    def declare(command: Command) -> Command:
        signature = inspect.signature(command, eval_str=True)
        own = [one for one in signature.parameters.values() if one.kind is not one.VAR_KEYWORD]
        made = [_parameter(OPTIONS[name]) for name in names]
        command.__signature__ = signature.replace(parameters=[*own, *made])  # type: ignore[attr-defined]
        return command

    return declare


def _parameter(setting: Setting) -> inspect.Parameter:
    # A setting of files has no default here: an option that is not given says nothing.
    default = None if setting.readers and setting.kind != "flag" else setting.default
    least = setting.least or None
    declared = (
        typer.Option(setting.option, help=setting.help, min=least)
        if setting.option.startswith("--")
        else typer.Argument(help=setting.help)
    )
    annotation: Any = Annotated[TYPES.get(setting.kind, str | None), declared]
    kind = inspect.Parameter.KEYWORD_ONLY
    return inspect.Parameter(setting.name, kind, default=default, annotation=annotation)
