"""Log lines of long-running commands: text, or one JSON object a line, with levels.

    {"ts": "2026-11-22T16:00:00.123Z", "level": "warning", "logger": "hookstream.delivery",
     "msg": "sink siem: no answer: Connection refused", "sink": "siem", "failures": 4}

No payload is ever logged. A failure that repeats is logged the 1st, 2nd, 4th, 8th ... time.
"""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime

from hookstream.core.errors import invalid_choice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO

FORMATS = ("text", "json")
LEVELS = ("debug", "info", "warning", "error")
# Attributes of every record; all others are added by a caller with `extra`.
OWN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime"}
LOG = logging.getLogger("hookstream")


class Json(logging.Formatter):
    """One object a line, ASCII."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC)
        fields = {
            "ts": at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "msg": without_secrets(record.getMessage()),
        }
        fields |= {key: value for key, value in vars(record).items() if key not in OWN}
        return json.dumps(fields, default=str)


class Stderr:
    """Standard error as it is when something is written to it."""

    def write(self, text: str) -> int:
        return sys.stderr.write(text)

    def flush(self) -> None:
        sys.stderr.flush()


class Text(logging.Formatter):
    """The message; what is wrong begins with the program's name."""

    def format(self, record: logging.LogRecord) -> str:
        message = without_secrets(record.getMessage())
        return f"hookstream: {message}" if record.levelno >= logging.WARNING else message


def set_up(format: str = "text", level: str = "info") -> None:
    """Send log lines to standard error from now on. HookstreamError for an unknown format or
    level.
    """
    if format not in FORMATS:
        raise invalid_choice("--log-format", format, FORMATS)
    if level not in LEVELS:
        raise invalid_choice("--log-level", level, LEVELS)
    handler = logging.StreamHandler(Stderr())
    handler.setFormatter(Json() if format == "json" else Text())
    # What libraries warn of looks the same.
    root = logging.getLogger()
    for other in (LOG, root):
        other.handlers = [one for one in other.handlers if not is_own(one)]
        other.addHandler(handler)
    LOG.setLevel(level.upper())
    LOG.propagate = False


def is_own(handler: logging.Handler) -> bool:
    """Return whether `set_up` made it."""
    return isinstance(handler.formatter, Json | Text)


def is_json() -> bool:
    """Return whether everything that this process says is to be JSON."""
    return any(isinstance(handler.formatter, Json) for handler in LOG.handlers)


def without_secrets(text: str) -> str:
    """A message with the addresses in it as people may see them."""
    if "://" not in text:
        return text
    from hookstream.core.shown import shown

    return shown(text)


def say(text: str) -> None:
    """Print a message to standard error, addresses in it without what opens them; on a terminal in
    lines that fit it, with no word cut."""
    print(folded(without_secrets(text), sys.stderr), file=sys.stderr)


def folded(text: str, output: TextIO, indent: int = 0) -> str:
    """A text as an output takes it: a terminal in lines that fit it, the second and later ones of
    each line indented; no word is cut."""
    if not (output and output.isatty()):  # none where it was closed
        return text
    from shutil import get_terminal_size
    from textwrap import fill

    width = get_terminal_size().columns
    return "\n".join(
        fill(
            line,
            width,
            subsequent_indent=" " * indent,
            break_long_words=False,
            break_on_hyphens=False,
        )
        for line in text.split("\n")
    )


def say_error(text: str) -> None:
    """Log the error that ends a command, in the format of its other log lines."""
    if is_json():
        LOG.error("%s", text)
    else:
        say(f"hookstream: {text}")
