"""Cline: the end of a call by the client's words, in hooks and session files alike.

Source: recordings of CLI 3.0.65. Only the elements of an output show how a call ended: the client's
own `success` is true for failed commands, missing files and aborted calls.
"""

from __future__ import annotations

import re

from hookstream.normalizers.wording import Ending, failed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# A call that was not approved; a tool's own error is a list.
REFUSALS = (
    (
        r'Tool "[^"\n]{1,200}" (?:requires approval|approval request failed: )'
        r"|Tool approval requires |Tool execution is disabled for provider ",
        "client",
    ),
    (r'Tool "[^"\n]{1,200}" is disabled by policy', "rule"),
    (r"Tool \S{1,200} was blocked by a runtime hook", "hook"),
    (r"[\s\S]{0,200}blocked in plan mode", "mode"),
    (
        r'Tool "[^"\n]{1,200}" was denied by user|User rejected the tool call'
        r"|The user denied this operation",
        "user",
    ),
)
EXITED = re.compile(r"exited with code (-?\d{1,10})\b")
# The SDK's text of an error that is an object.
USELESS = "[object Object]"


def refuser(text: object) -> str | None:
    """The one who refused a call, in the client's words."""
    if type(text) is not str:
        return None
    return next((who for wording, who in REFUSALS if re.match(wording, text)), None)


def ended(output: Any, error: Any = None) -> Ending:
    """The end of a call by its output and the error next to it; no outcome if neither says it."""
    text = output.get("error") if type(output) is dict else None
    who = refuser(text)
    if who is not None:
        return Ending("denied", who, text)
    elements = [e for e in (output if type(output) is list else [output]) if type(e) is dict]
    errors = [e["error"] for e in elements if type(e.get("error")) is str and e["error"]]
    if not errors:
        if not error:
            return Ending(outcome_of(elements))
        return failed("error", "" if error == USELESS else str(error))
    code = next((match for text in errors if (match := EXITED.search(text))), None)
    outcome = "cancelled" if any("was aborted" in text for text in errors) else "error"
    return failed(outcome, errors[0], int(code[1]) if code else None)


def outcome_of(elements: list[dict[str, Any]]) -> str | None:
    """The outcome of an output without errors."""
    flags = [element["success"] for element in elements if type(element.get("success")) is bool]
    if flags:
        return "ok" if all(flags) else "error"
    if len(elements) != 1:
        return None
    if type(elements[0].get("content")) is list:  # an MCP result
        return "error" if elements[0].get("isError") is True else "ok"
    # a sub-agent's
    return {"completed": "ok", "error": "error"}.get(str(elements[0].get("finishReason")))
