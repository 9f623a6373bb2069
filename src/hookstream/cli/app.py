"""The typer application: one module a group of commands. A user sees one line, no traceback."""

from __future__ import annotations

import sys

import typer

from hookstream.cli import (
    alert,
    backfill,
    capture,
    config,
    coverage,
    delivery,
    detect,
    digest,
    export,
    machines,
    mcp,
    query,
    resolve,
    retain,
    serve,
    ship,
    status,
    stream,
    tables,
    ui,
    verify,
)
from hookstream.cli.failures import INTERRUPTED, ended, fail, interrupted, typed
from hookstream.version import __version__

# What typer raises for a wrong command line. Newer versions carry click inside them, older ones
# import it; BadParameter -> UsageError -> ClickException in both.
WrongUsage: type[Exception] = typer.BadParameter.__mro__[2]

app = typer.Typer(
    name="hookstream",
    help="One audit stream from every AI coding agent.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def show_version(value: bool) -> None:
    if value:
        print(f"hookstream {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: bool = typer.Option(
        False, "--version", callback=show_version, is_eager=True, help="Print the version and exit."
    ),
) -> None:
    pass


COMMANDS = (
    stream,
    backfill,
    tables,
    query,
    detect,
    alert,
    ui,
    export,
    mcp,
    digest,
    resolve,
    config,
    coverage,
    capture,
    status,
    serve,
    ship,
    machines,
    delivery,
    verify,
    retain,
)
for module in COMMANDS:
    module.register(app)


def run_app() -> int:
    """Run the command line; every expected failure is one line on stderr and an exit code."""
    return ended(_run)


def _run() -> int:
    try:
        # What a command left with typer.Exit comes back as a number.
        code = app(standalone_mode=False, prog_name="hookstream")
        if code == INTERRUPTED:  # how typer passes Ctrl-C on
            return fail(interrupted(), INTERRUPTED)
        return code if isinstance(code, int) else 0
    except typer.Exit as done:
        return done.exit_code
    except typer.Abort:
        return fail(interrupted(), INTERRUPTED)
    except WrongUsage as wrong:
        said = wrong.format_message()  # type: ignore[attr-defined]
        if said.startswith("Usage:"):  # a group without its command
            print(said, file=sys.stderr)
            return 2
        return fail(typed(f"{said} (see --help)"), 2)
