"""Pi: how a call ended, by the words of its result.

No field holds an exit code, and none says that a call was blocked. The sentences are in the
client's source (0.73.1).
"""

from __future__ import annotations

import re

SHELL = "bash"
WRITES = ("write", "edit")
EXIT = re.compile(r"(?:\A|\n)Command exited with code (\d{1,10})\s*\Z")
# What keeps a call from running that no extension has seen, and that names the call's own tool.
INVALID = r'Tool {0} not found\Z|Validation failed for tool "{0}":'


def is_invalid(tool: str, text: str) -> bool:
    return re.match(INVALID.format(re.escape(tool)), text) is not None


def exit_code(tool: str, text: str) -> int | None:
    found = EXIT.search(text) if tool == SHELL else None
    return int(found[1]) if found else None


def outcome(tool: str, text: str) -> str:
    """The outcome of a call that failed."""
    end = text.rstrip().rsplit("\n", 1)[-1]
    if tool == SHELL and end.startswith("Command timed out after "):
        return "timeout"
    return "cancelled" if end in ("Command aborted", "Operation aborted") else "error"


def message(tool: str, text: str) -> str | None:
    """The last line of a failed command, which says how it ended; else the first."""
    lines = text.strip().split("\n")
    return (lines[-1] if exit_code(tool, text) is not None else lines[0])[:500] or None


def is_unsaid(tool: str, target: object, text: str) -> bool:
    """Return whether no built-in tool writes such a text: a command that failed says so at its end,
    a write names its file. What is left is the word of an extension that blocked it."""
    if not text or is_invalid(tool, text) or outcome(tool, text) != "error":
        return False
    if tool == SHELL:
        return exit_code(tool, text) is None
    return tool in WRITES and type(target) is str and target not in text
