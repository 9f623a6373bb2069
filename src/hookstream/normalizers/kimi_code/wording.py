"""Kimi Code: how a failed call ended, and who refused it, by the words of its result, in hooks and
session files alike.

A refusal has no separate field: a hook's words alone are the result. The client's sentences are
in its source (2.1.0); a command that failed ends with one of them.
"""

from __future__ import annotations

import re

from hookstream.normalizers.wording import Ending, denied, failed

SHELL = "Bash"
WRITES = ("Write", "Edit")
EXIT = re.compile(r"Command failed with exit code: (-?\d{1,10})\.")
TIMEOUT = "Command killed by timeout"
# Anchored: a refusal is the whole result, and names the call's own tool.
BY_USER = r'Tool "{}" was not run because the user rejected'
BY_RULE = r'Tool "{}" was denied by permission (?:rule|policy)\.'
BY_MODE = re.compile(
    r"Plan mode is active\. You may only write|\w+ is not available in plan mode"
    r"|AskUserQuestion is disabled while auto permission mode is active"
)
CANCELLED = re.compile(
    r'The user manually interrupted "|Tool "[^"]+" (?:was aborted|aborted during)'
    # The turn was stopped, whether or not anybody had been asked by then.
    r'|Tool "[^"]+" was not run because the approval request was cancelled'
    r"|Interrupted by user|Session closed\Z|Aborted before|\w+ aborted\Z"
    r"|Tool skipped because a previous tool call stopped the turn"
)
# What the client itself says of a call that it did not run, or that failed.
BY_CLIENT = re.compile(
    r'Tool "|Invalid args for tool "|Runtime changed before|No changes to make'
    r"|Command cannot be empty|Background execution is|description is required"
    r"|onDidExecuteTool hook failed"
)
REMINDER = re.compile(r"\n\n<system-reminder>.*\Z", re.DOTALL)


def words_of(text: str) -> str:
    """The result without what the client appends for the model."""
    return REMINDER.sub("", text)


def ended(tool: str, text: str) -> Ending:
    """The end of a call that failed, by the client's own words. The last line of a command says
    how it ended, the first of another call why."""
    for wording, who in ((BY_USER, "user"), (BY_RULE, "rule")):
        if re.match(wording.format(re.escape(tool)), text):
            return denied(who, text)
    if BY_MODE.match(text):
        return denied("mode", text)
    codes = EXIT.findall(text[-2000:]) if tool == SHELL else ()
    outcome = "timeout" if tool == SHELL and TIMEOUT in text[-2000:] else "error"
    if CANCELLED.match(text) or text.endswith("Interrupted by user"):
        outcome = "cancelled"
    if not codes:
        return failed(outcome, text)
    return failed(outcome, text.strip().rpartition("\n")[2], int(codes[-1]))


def is_unsaid(tool: str, target: object, text: str) -> bool:
    """Return whether no tool writes such a text: a command that failed says so at its end, a write
    names its file. What is left is the word of a hook that refused it."""
    end = ended(tool, text)
    if not text or end.outcome != "error" or BY_CLIENT.match(text):
        return False
    if tool == SHELL:
        return end.exit_code is None
    return tool in WRITES and type(target) is str and target not in text
