"""Auggie: how a call ended, by the words of its result, in hooks and session files alike.

Source: runs of 0.36.0 and the package's source. What the client says of a refusal begins the text
and names the tool; the client begins a command's result with other words, so no command can say it.
"""

from __future__ import annotations

import re

from hookstream.normalizers import table as t

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.records import Record

    Payload = dict[str, Any]

SHELL = "launch-process"
# What the client puts for a value that it does not have.
UNDEFINED = "[undefined]"
RETURN_CODE = re.compile(
    r"Here are the results from executing the command\.\n<return-code>\n(-?\d{1,10})\n"
)
RULE = re.compile(r'\n Denied by explicit rule: (tool-name="[^\n]*)')
# What follows in a refusal -> who decided. A webhook and a script are rules of the settings, too.
DENIERS = (
    ("Denied by explicit rule: ", "rule"),
    ("Denied by webhook policy", "rule"),
    ("Webhook response: ", "rule"),
    ("Webhook error: ", "rule"),
    ("Denied by script policy", "rule"),
    ("Script response: ", "rule"),
    ("Tool blocked by permission settings", "rule"),
    # No one could be asked, or what was to decide failed.
    ("User approval required", "client"),
    ("Webhook check failed", "client"),
    ("Script execution failed", "client"),
    ("Configuration error: ", "client"),
)


def return_code(text: str) -> int | None:
    """The exit status that a command's result begins with."""
    found = RETURN_CODE.match(text)
    return int(found[1]) if found else None


def refuser(tool: object, text: str) -> str | None:
    """Return the party whose permission refused a call, None for any other result."""
    if text == f"Tool execution denied by user: {tool}":
        return "user"
    head = f"Tool execution denied: {tool}\n "
    if not text.startswith(head):
        return None
    rest = text[len(head) :]
    return next((who for words, who in DENIERS if rest.startswith(words)), None)


def rule_of(text: str) -> str | None:
    """The rule that a refusal names."""
    found = RULE.search(text[:4096])
    return found[1] if found else None


def is_withheld(text: str) -> bool:
    """Return whether the call ran and a rule about results kept its result back."""
    return 'event-type="tool-response"' in (rule_of(text) or "")


def error_text(p: Payload) -> str:
    error = p.get("tool_error")
    return error if type(error) is str and error != UNDEFINED else ""


@t.reads("tool_error")
def is_refused(p: Payload, r: Record) -> bool:
    text = error_text(p)
    return refuser(p.get("tool_name"), text) is not None and not is_withheld(text)


is_ended = t.negate(is_refused)


@t.derived
@t.reads("tool_error")
def decided_by(p: Payload, r: Record) -> str | None:
    return refuser(p.get("tool_name"), error_text(p))


@t.reads("tool_error")
def reason(p: Payload, r: Record) -> str | None:
    """The client's own lines without its advice to the model."""
    return reason_of(error_text(p))


def reason_of(text: str) -> str | None:
    lines = [line.strip() for line in text.split("\n")]
    kept = [line for line in lines[1:] if line and not line.startswith("Do not attempt to run")]
    return "; ".join(kept) or lines[0] or None


@t.reads("tool_error")
def matched_rule(p: Payload, r: Record) -> str | None:
    return rule_of(error_text(p))


@t.derived
@t.reads("is_mcp_tool")
def certainty(p: Payload, r: Record) -> str:
    """An MCP server chooses the words of its results: they prove nothing."""
    return "inferred" if p.get("is_mcp_tool") is True else "observed"


@t.reads("tool_output")
def exit_code(p: Payload, r: Record) -> int | None:
    return return_code(t.text_at(p, "tool_output")) if p.get("tool_name") == SHELL else None


@t.reads("tool_error")
def success(p: Payload, r: Record) -> bool | None:
    """An error is null or a text; of a result that was kept back nothing is known."""
    if "tool_error" not in p or is_withheld(error_text(p)):
        return None
    return not error_text(p)


@t.reads("tool_error tool_output")
def error_line(p: Payload, r: Record) -> str | None:
    """The first line, but for a command, whose result begins with its exit status."""
    code = exit_code(p, r)
    if code is not None:
        return f"return-code {code}" if code else None
    return error_text(p).split("\n", 1)[0] or None


@t.reads("tool_output")
def output(p: Payload, r: Record) -> Any:
    shown = p.get("tool_output")
    return None if shown == UNDEFINED else shown


is_failed = t.has_failed(exit_code, success)
