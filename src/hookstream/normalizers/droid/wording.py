"""Droid: how a call ended, by the words of its result and by what its hooks answered.

Sources: recordings of 0.225.2. A refusal by a hook is its reason alone: the hook's own record, with
the id of the call, proves it.
"""

from __future__ import annotations

import re

from hookstream.core.jsons import loads_text
from hookstream.normalizers.wording import Ending, denied, failed, refusals, refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SHELL = "Execute"
REFUSALS = refusals(
    rule=(
        r"This command is blocked by your organization's security policy(?P<reason>.*?"
        r'\(matched blocked-command rule "(?P<rule>[^"]*)"\))?',
    ),
    mode=(
        r"Exec ended early: insufficient permission to proceed",
        r"Tool \S+ is not permitted in this exec session",
    ),
    user=(r"Tool execution cancelled by user",),
    client=(r"Error executing command: Droid-Shield\b",),
)
SIGNAL = re.compile(r"Command terminated by signal: ")
EXIT = re.compile(r"\[Process exited with code (-?\d{1,10})\]\s*\Z")


def exit_code(tool: object, text: str) -> int | None:
    """The exit code that the result of a command ends with."""
    match = EXIT.search(text[-80:]) if tool == SHELL else None
    return int(match[1]) if match else None


def ended(tool: object, is_error: bool, text: str) -> Ending:
    """The end of a call by its result."""
    code = exit_code(tool, text)
    if not is_error:
        return Ending("ok", exit_code=code)
    text = text.removeprefix("Error: ")
    end = refused(REFUSALS, text)
    if end is not None:
        return end
    return failed("cancelled" if SIGNAL.match(text) else "error", text, code)


def answer_of(exit_code: object, output: object, errors: object) -> str | None:
    """The reason of a hook that refused a call or ended the run; None of one that did not."""
    if exit_code in (2, 3):
        return errors if type(errors) is str else ""
    document: Any = loads_text(output) if type(output) is str and "{" in output else None
    if exit_code != 0 or type(document) is not dict:
        return None
    own = document.get("hookSpecificOutput")
    own = own if type(own) is dict else {}
    if own.get("permissionDecision") == "deny":
        reason = own.get("permissionDecisionReason")
    elif document.get("continue") is False:
        reason = document.get("stopReason")
    else:
        return None
    return reason if type(reason) is str else ""


def by_hook(reason: str, command: object = None) -> Ending:
    return denied("hook", reason, engine=command if type(command) is str else None)
