"""The typer application: its commands by subject, each imported when it is asked for.

A user sees one line for an error, never a traceback.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperGroup

from hookstream.cli.examples import text_of
from hookstream.cli.failures import ended, fail, interrupted, typed
from hookstream.cli.help import Part
from hookstream.core.early import INTERRUPTED
from hookstream.core.errors import did_you_mean
from hookstream.core.logs import folded, say
from hookstream.version import __version__

if TYPE_CHECKING:
    from typer._click import Command as Parsed
    from typer._click import Context, HelpFormatter

# What typer raises for a wrong command line: BadParameter -> UsageError -> ClickException.
WrongUsage: type[Exception] = typer.BadParameter.__mro__[2]

# section -> command -> (module of hookstream.cli, the first sentence of the command's docstring).
# The sentences are repeated here so that --help imports no command; a test compares them.
COMMANDS: dict[str, dict[str, tuple[str, str]]] = {
    "Capture": {
        "install": ("capture", "Add observe-only hooks to your agents' settings."),
        "uninstall": ("capture", "Remove hookstream's hooks and restore each file."),
        "status": ("status", "Show registered hooks, when each was last seen, and gaps."),
        "wrap": ("serve", "Run a policy hook (after --) and record its decision."),
        "serve": ("serve", "Collect from hooks, plugins, agents and machines into a log."),
        "backfill": ("backfill", "Read the session files on this machine, and report."),
        "vendors": ("coverage", "Show what is captured of each vendor."),
    },
    "Run": {
        "run": ("stream", "Normalize payloads and write both standards to the sinks."),
        "validate": ("validate", "Validate every line against the strict schemas."),
        "replay": ("delivery", "Resend dead letters, the records that a sink did not take."),
        "demo": ("stream", "Show what it does on the shipped samples."),
        "config": ("config", "Show and check settings."),
        "completion": ("completion", "Print the completion of a shell."),
    },
    "Ask": {
        "query": ("query", "Answer a named question about a lake or log, or one SELECT."),
        "queries": ("query", "List the named questions, one line each."),
        "cost": ("cost", "Show what tokens cost, by project, client, model, user and day."),
        "report": ("query", "Write a one-page report."),
        "detect": ("detect", "Run Sigma rules over a lake: the shipped pack, or your own."),
        "alert": ("alert", "Send what rules and questions newly find: each finding once."),
        "ui": ("ui", "Browse a lake in a web browser, served on loopback only."),
        "share": ("export", "Write one session as one HTML file."),
        "mcp": ("mcp", "Serve the named questions to an assistant over MCP."),
        "export": ("export", "Write a lake as one DuckDB file."),
        "views": ("export", "Print the questions as SQL views over an exported file."),
        "digest": ("digest", "Find a known value (prompt, token, file) by its digest."),
        "resolve": ("resolve", "Name the user or machine of a pseudonym."),
    },
    "Fleet": {
        "bundle": ("capture", "Write one file for laptops, which needs only Python 3.11."),
        "ship": ("ship", "Send this machine's log to a fleet's collector."),
        "machines": ("machines", "Manage credentials of machines that may ship."),
    },
    "Keep": {
        "tables": ("tables", "Build or refresh a lake's derived tables."),
        "compact": ("delivery", "Merge small Parquet files."),
        "verify": ("verify", "Check a sealed stream."),
        "retain": ("retain", "Delete records by age or user, and content earlier."),
        "hold": ("retain", "Put records under legal hold; list and release holds."),
    },
}
MODULES = {name: module for section in COMMANDS.values() for name, (module, _) in section.items()}


class Commands(TyperGroup):
    """The commands of `COMMANDS`; the module of one is imported when it is used."""

    def list_commands(self, ctx: Context) -> list[str]:
        return list(MODULES)

    def get_command(self, ctx: Context, cmd_name: str) -> Parsed | None:
        if cmd_name not in self.commands and cmd_name in MODULES:
            self.commands.update(commands_of(MODULES[cmd_name]))
        return self.commands.get(cmd_name)

    def resolve_command(self, ctx: Context, args: list[str]) -> Any:
        if args and not args[0].startswith("-") and args[0] not in MODULES:
            ctx.fail(f"No such command {args[0]!r}{did_you_mean(args[0], MODULES)}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: Context, formatter: HelpFormatter) -> None:
        for section, commands in COMMANDS.items():
            with formatter.section(section):
                rows = [(name.ljust(9), summary) for name, (_, summary) in commands.items()]
                formatter.write_dl(rows)


def commands_of(module: str) -> dict[str, Parsed]:
    """The commands of a module, by name: its functions of these names, or what it registers."""
    part = Part(rich_markup_mode=None)
    code = import_module(f"hookstream.cli.{module}")
    if hasattr(code, "register"):
        code.register(part)
    else:
        for name in (name for name, own in MODULES.items() if own == module):
            part.command()(getattr(code, name))
    found = dict(typer.main.get_group(part).commands)
    for name, command in found.items():
        command.epilog = text_of(name)
        for inner, one in getattr(command, "commands", {}).items():
            one.epilog = text_of(f"{name} {inner}")
    return found


app = typer.Typer(
    name="hookstream",
    cls=Commands,
    help="One audit stream from every AI coding agent.",
    invoke_without_command=True,
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
    ctx: typer.Context,
    version: bool = typer.Option(
        False, "--version", callback=show_version, is_eager=True, help="Print the version and exit."
    ),
) -> None:
    if ctx.invoked_subcommand is None:
        from hookstream.cli.next_steps import start

        print(folded(start(), sys.stdout, 2))


def run_app() -> int:
    """Run the command line; every expected failure is one line on stderr and an exit code."""
    return ended(_run)


def _run() -> int:
    try:
        # What a command left with typer.Exit comes back as a number.
        code: Any = app(standalone_mode=False, prog_name="hookstream")
        if code == INTERRUPTED:  # how typer passes Ctrl-C on
            return fail(interrupted(), INTERRUPTED)
        return code if isinstance(code, int) else 0
    except typer.Exit as done:
        return done.exit_code
    except typer.Abort:
        return fail(interrupted(), INTERRUPTED)
    except WrongUsage as wrong:
        said = wrong.format_message()  # type: ignore[attr-defined]
        said = said.replace("valid int range", "whole number in its range")
        if said.startswith("Usage:"):  # a group without its command
            say(said)
            return 2
        return fail(typed(f"{said} (see --help)"), 2)
