"""Gemini CLI: the end of a call, by the sentences of 0.61.0 and the lines below a command's output.

A shell result is a text with labelled lines at its end; Qwen Code, a fork, writes the same.
"""

from __future__ import annotations

import re

from hookstream.normalizers.wording import Ending, denied, failed, refusals, refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.records import Payload

SHELL = "run_shell_command"
NUMBER = re.compile(r"-?\d{1,10}")
# The labelled lines that the shell tool writes below a command's output.
LABELS = frozenset(("Error", "Exit Code", "Signal", "Background PIDs", "Process Group PGID"))
REFUSALS = refusals(
    # The second one ends the run, too; what stops it after a call has no sentence.
    hook=r"(?:Tool execution blocked|Agent execution stopped by hook): (?P<reason>.*)",
    mode=r"Tool execution denied by policy\.\s*(?P<reason>You are in Plan Mode.*)",
    rule=(
        r"Tool execution denied by policy\.(?P<reason>.*)",
        r'Tool execution for "[^"]{1,200}" denied by policy\.',
    ),
    client=r"Tool execution for .{1,200} requires user confirmation",
    user=(
        r"Tool .{1,200} was canceled by the user",
        r"\[Operation Cancelled\] Reason: (?P<reason>User denied.*)",
    ),
)


def ended(
    tool: object, status: str = "", error: str = "", output: str | None = None, decision: str = ""
) -> Ending:
    """The end of a call. Without its `output` that of a command is unknown: a status of success
    tells that it was run."""
    refusal = refused(REFUSALS, error)
    if refusal is not None:
        return refusal
    if decision == "reject":
        return denied("user")
    if error or status in ("error", "cancelled"):
        message = error or (output or "" if status == "error" else "")
        return failed("cancelled" if status == "cancelled" else "error", message)
    if tool != SHELL:
        return Ending("ok")
    return Ending(None) if output is None else shell_ended(output, is_ok=status == "success")


def shell_ended(text: str, *, is_ok: bool) -> Ending:
    """The end of a command by its result. With exit code 0 that line is missing, and the text
    begins with `Output:`; one that was moved to the background has neither: `is_ok` says."""
    body = text.removeprefix("<untrusted_context>\n")
    end = trailer(text)
    code = exit_line(text)
    if body.startswith(("Command was cancelled by user", "Command was automatically cancelled")):
        outcome = "cancelled" if body.startswith("Command was cancelled") else "timeout"
        return failed(outcome, f"Exit Code: {code}" if code is not None else body, code)
    if code is not None:
        return failed("error", f"Exit Code: {code}", code) if code else Ending("ok", exit_code=0)
    signal = end.get("Signal", "(none)")
    if signal != "(none)":
        return failed("error", f"Signal: {signal}")
    return Ending("ok" if is_ok or body.startswith("Output:") else None)


def trailer(text: str) -> dict[str, str]:
    """The labelled lines at the end of a shell result, read upwards until the output begins.

    Only the end counts: the command's output may hold an `Exit Code:` line too.
    """
    lines: dict[str, str] = {}
    for line in reversed(text[-4000:].rstrip().rsplit("\n", 8)[-8:]):
        if line == "</untrusted_context>":
            continue
        label, _, value = line.partition(": ")
        if label not in LABELS:
            break
        lines.setdefault(label, value)
    return lines


def exit_line(text: str) -> int | None:
    """N of the `Exit Code: N` line below a command's output."""
    value = trailer(text).get("Exit Code", "")
    return int(value) if NUMBER.fullmatch(value) else None


def text_of(content: Any) -> str:
    """The text of a tool result: a string, one part or a list of parts."""
    if type(content) is str:
        return content
    if type(content) is dict:
        text = content.get("text")
        return text if type(text) is str else ""
    if type(content) is list:
        return "\n".join(part for part in map(text_of, content) if part)
    return ""


def mcp(name: str, payload: Payload) -> tuple[str, str] | None:
    """mcp_<server>_<tool>; where the name divides only the payload knows."""
    for path, server, tool in (
        ("mcp_context", "server_name", "tool_name"),
        ("details", "serverName", "toolName"),
    ):
        context = payload.get(path)
        if type(context) is dict and type(context.get(tool)) is str:
            return str(context.get(server) or ""), context[tool]
    for key in ("mcp_server", "mcp_server_name"):
        named = payload.get(key)
        if type(named) is str and name.startswith(f"mcp_{named}_"):
            return named, name.removeprefix(f"mcp_{named}_")
    return ("", name[4:]) if name.startswith("mcp_") and len(name) > 4 else None
