"""Auggie: how a call ended, by the words of its result, in hooks and session files alike.

Source: runs of 0.36.0 and the package's source. What the client says of a refusal begins the text
and names the tool; the client begins a command's result with other words, so no command can say it.
"""

from __future__ import annotations

import re

from hookstream.normalizers.wording import Ending, denied, failed

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
    match = RETURN_CODE.match(text)
    return int(match[1]) if match else None


def refuser(tool: object, text: str) -> str | None:
    """Return the party whose permission refused a call, None for any other result."""
    if text == f"Tool execution denied by user: {tool}":
        return "user"
    head = f"Tool execution denied: {tool}\n "
    rest = text.removeprefix(head) if text.startswith(head) else ""
    return next((who for words, who in DENIERS if rest.startswith(words)), None)


def rule_of(text: str) -> str | None:
    """The rule that a refusal names."""
    match = RULE.search(text[:4096])
    return match[1] if match else None


def is_withheld(text: str) -> bool:
    """Return whether the call ran and a rule about results kept its result back."""
    return 'event-type="tool-response"' in (rule_of(text) or "")


def reason_of(text: str) -> str:
    """The client's own lines without its advice to the model."""
    lines = [line.strip() for line in text.split("\n")]
    kept = [line for line in lines[1:] if line and not line.startswith("Do not attempt to run")]
    return "; ".join(kept) or lines[0]


def ended(tool: object, is_error: bool | None, error: str, output: str) -> Ending:
    """The end of a call; nothing is known of a result that was kept back."""
    who = refuser(tool, error)
    if who is not None:
        return failed(None, error) if is_withheld(error) else denied(who, reason_of(error))
    if is_error is None:
        return Ending(None)
    code = return_code(output) if tool == SHELL else None
    if is_error or code:
        return failed("error", f"return-code {code}" if code else error, code)
    return Ending("ok", exit_code=code)
