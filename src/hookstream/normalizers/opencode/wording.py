"""OpenCode: the end of a call by the client's words, in hooks, database and telemetry alike.

Source: recordings of 1.18.33; the sentences are in its permission module. A plugin that throws
leaves its own text as a call's error, as a tool does: that does not prove a refusal.
"""

from __future__ import annotations

from hookstream.normalizers.wording import Ending, denied, failed

SHELL = "bash"
# What an unknown tool is turned into: it returns an explanation.
INVALID = "invalid"
REJECTED = "The user rejected permission"
# The list of all rules follows.
RULE = "The user has specified a rule which prevents you from using this specific tool call"
# The sentences at the end of the output of a command without an exit code.
CUT_SHORT = (("exceeding timeout", "timeout"), ("User aborted the command", "cancelled"))


def ended(tool: str, status: str, error: str, output: str, code: object) -> Ending:
    """The end of a call; no outcome where a command without an exit code was not cut short."""
    if error.startswith(RULE):
        return denied("rule", f"{RULE}.")
    if error.startswith(REJECTED):
        return denied("user", error)
    if status == "error":
        is_aborted = error.startswith("Tool execution aborted")
        return failed("cancelled" if is_aborted else "error", error)
    if type(code) is int:
        return failed("error", output, code) if code else Ending("ok", exit_code=code)
    if tool not in (SHELL, INVALID):
        return Ending("ok")
    return Ending(next((word for text, word in CUT_SHORT if text in output[-512:]), None))
