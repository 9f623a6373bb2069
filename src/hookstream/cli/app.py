"""The typer application: one module a group of commands. A user sees one line, no traceback."""

from __future__ import annotations

import io
import os
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
    mcp,
    query,
    resolve,
    serve,
    status,
    stream,
    tables,
    ui,
    verify,
)
from hookstream.errors import HookstreamError
from hookstream.sinks.base import SinkError
from hookstream.version import __version__

# What typer raises for a wrong command line. Newer versions carry click inside them, older ones
# import it; BadParameter -> UsageError -> ClickException in both.
WrongUsage: type[Exception] = typer.BadParameter.__mro__[2]

# The exit code of a program that Ctrl-C ended.
INTERRUPTED = 130

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
    delivery,
    verify,
)
for module in COMMANDS:
    module.register(app)


def run_app() -> int:
    """Runs the command line; every expected failure is one line on stderr and an exit code."""
    speak_any_text()
    try:
        # What a command left with typer.Exit comes back as a number.
        code = app(standalone_mode=False)
        if code == INTERRUPTED:  # how typer passes Ctrl-C on
            return fail(interrupted(), INTERRUPTED)
        return code if isinstance(code, int) else 0
    except typer.Exit as done:
        return done.exit_code
    except typer.Abort:
        return fail(interrupted(), INTERRUPTED)
    except WrongUsage as wrong:
        return fail(typed(f"{wrong.format_message()} (see --help)"), 2)  # type: ignore[attr-defined]
    except HookstreamError as error:
        return fail(typed(str(error)), error.code)
    except SinkError as error:
        return fail(typed(str(error)), 2)
    except KeyboardInterrupt:
        return fail(interrupted(), INTERRUPTED)
    except BrokenPipeError:
        # The reader of our output has gone; nothing more can be said to it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except SystemExit as left:
        # How rich says that the reader has gone.
        if isinstance(left.__context__, BrokenPipeError):
            return 0
        raise
    except MemoryError:
        return fail("out of memory; use smaller batches or fewer workers", 2)
    except OSError as error:
        where = f": {error.filename}" if error.filename else ""
        return fail(typed(f"{error.strerror or type(error).__name__}{where}"), 2)
    except Exception as error:  # its message may hold a payload, so only its kind and place show
        return fail(f"internal error: {type(error).__name__} in {place_of(error)}", 70)


def speak_any_text() -> None:
    """What the encoding of an output lacks is written as its escape: a name in a stream, a file's
    name or a line of a table must not end a command halfway."""
    for output in (sys.stdout, sys.stderr):
        if isinstance(output, io.TextIOWrapper):
            output.reconfigure(errors="backslashreplace")


def interrupted() -> str:
    """What Ctrl-C left behind: only a run writes as it reads."""
    written = "; what was read until then is written" if sys.argv[1:2] == ["run"] else ""
    return f"interrupted{written}"


def place_of(error: Exception) -> str:
    """The innermost frames of an exception as `file:line`, without its message or any value."""
    import traceback

    frames = traceback.extract_tb(error.__traceback__)[-6:]
    return " < ".join(
        f"{frame.filename.rpartition('hookstream/')[2]}:{frame.lineno}" for frame in frames[::-1]
    )


def typed(text: str) -> str:
    """A text that repeats what the user typed, which may hold a secret, without it."""
    from hookstream.redaction import Redactor
    from hookstream.redaction.scanner import Scanner

    return Redactor("full", pseudonym_key=bytes(16), scanner=Scanner("python")).redact_text(text)


def fail(text: str, code: int) -> int:
    print(f"hookstream: {text}", file=sys.stderr)
    return code
