"""ship: this machine's log to the collector of a fleet."""

from __future__ import annotations

import typer

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
