"""Pi: how a call ended, by the words of its result, in hooks and session files alike.

No field holds an exit code, and none says that a call was blocked. The sentences are in the
client's source (0.73.1).
"""

from __future__ import annotations

import re

from hookstream.normalizers.wording import Ending

SHELL = "bash"
WRITES = ("write", "edit")
EXIT = re.compile(r"(?:\A|\n)Command exited with code (\d{1,10})\s*\Z")
# What keeps a call from running that no extension has seen, and that names the call's own tool.
INVALID = r'Tool {0} not found\Z|Validation failed for tool "{0}":'


def is_invalid(tool: str, text: str) -> bool:
    return re.match(INVALID.format(re.escape(tool)), text) is not None


def ended(tool: str, text: str) -> Ending:
    """The end of a call that failed: the last line of a command says how it ended, else the
    first says why."""
    match = EXIT.search(text) if tool == SHELL else None
    lines = text.strip().split("\n")
    outcome = "cancelled" if lines[-1] in ("Command aborted", "Operation aborted") else "error"
    if tool == SHELL and lines[-1].startswith("Command timed out after "):
        outcome = "timeout"
    message = lines[-1 if match else 0][:500] or None
    return Ending(outcome, exit_code=int(match[1]) if match else None, message=message)


def is_unsaid(tool: str, target: object, text: str) -> bool:
    """Return whether no built-in tool writes such a text: a command that failed says so at its end,
    a write names its file. What is left is the word of an extension that blocked it."""
    end = ended(tool, text)
    if not text or is_invalid(tool, text) or end.outcome != "error":
        return False
    if tool == SHELL:
        return end.exit_code is None
    return tool in WRITES and type(target) is str and target not in text
