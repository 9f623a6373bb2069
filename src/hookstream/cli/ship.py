"""ship: this machine's log to the collector of a fleet."""

from __future__ import annotations

from copy import copy
from typing import Any

import typer
from typer.core import TyperArgument, TyperOption

from hookstream.cli.examples import text_of


def register(app: typer.Typer) -> None:
    options = {"allow_extra_args": True, "ignore_unknown_options": True}
    app.command(context_settings=options, add_help_option=False)(ship)


def ship(ctx: typer.Context) -> None:
    """Send this machine's log to a fleet's collector. That is `hookstream serve --machines`."""
    # Its options are read by the module that a bundle without typer runs as well.
    from hookstream.delivery.ship import conclude, parser, read_arguments
    from hookstream.delivery.ship import ship as send

    if {"-h", "--help"} & set(ctx.args):
        print(f"{parser().format_help()}\n{text_of('ship')}")
        return
    shipping = read_arguments(ctx.args)
    conclude(send(shipping), shipping)


def described(command: Any) -> Any:
    """The command with the arguments and options of its parser, for completion and manuals."""
    from hookstream.delivery.ship import parser

    made = copy(command)
    made.params = []
    for action in parser()._actions:
        if action.dest == "help":
            continue
        if action.option_strings:
            names = [*action.option_strings, action.dest]
            is_flag = True if action.nargs == 0 else None
            made.params.append(
                TyperOption(
                    param_decls=names, default=action.default, help=action.help, is_flag=is_flag
                )
            )
        else:
            count = 1 if action.nargs is None else -1
            made.params.append(
                TyperArgument(
                    param_decls=[action.dest], required=count == 1, help=action.help, nargs=count
                )
            )
    return made
