"""The end of a command: every expected failure is one line on stderr and an exit code."""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Callable

from hookstream.core.early import INTERRUPTED
from hookstream.core.errors import HookstreamError, SinkError
from hookstream.core.interrupt import was_interrupted

# Words of letters and punctuation, none of them a value: they hold no secret, and the rules that
# would say so take longer to load than a wrong command line takes to be refused.
PLAIN = re.compile(r"(?:[A-Za-z ().,'-]|: (?=--))+")


def ended(call: Callable[[], int]) -> int:
    """The exit code of a command, whatever it raises except what ends the process."""
    speak_any_text()
    try:
        code = call()
        if sys.stdout is not None and not sys.stdout.closed:
            sys.stdout.flush()  # a full disk is a failure of the command
        return code
    except HookstreamError as error:
        if was_interrupted(error) and error.code != INTERRUPTED:
            return fail(interrupted(), INTERRUPTED)
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
    except Exception as error:
        if was_interrupted(error):
            return fail(interrupted(), INTERRUPTED)
        # its message may hold a payload, so only its kind and place show
        return fail(f"internal error: {type(error).__name__} in {place_of(error)}", 70)


def speak_any_text() -> None:
    """Write what the encoding of an output lacks as its escape: a name in a stream, a file's name
    or a line of a table must not end a command halfway."""
    for output in (sys.stdout, sys.stderr):
        if isinstance(output, io.TextIOWrapper):
            output.reconfigure(errors="backslashreplace")


def interrupted() -> str:
    """The message after Ctrl-C: only a run writes as it reads."""
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
    """A text that repeats what the user typed, without any secret in it."""
    if PLAIN.fullmatch(text):
        return text
    from hookstream.redaction import Redactor
    from hookstream.redaction.scanner import Scanner

    return Redactor("full", pseudonym_key=bytes(16), scanner=Scanner("python")).redact_text(text)


def fail(text: str, code: int) -> int:
    from hookstream.core.logs import say_error

    say_error(text)
    return code
