"""OpenClaw: the end of a call, by the details and the error of its result, in hooks and session
files alike.

Source: recordings of 2026.9.6 and the typings of its plugin SDK. A tool's own failure is in the
same fields as a refusal, so nothing shorter than the client's sentence counts.
"""

from __future__ import annotations

import re

from hookstream.normalizers.table import text_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# The client's own sentences for a call that it did not let run -> (who, failure).
REFUSALS = (
    (r"Tool call blocked because before_tool_call hook failed\Z", "hook", "hook_failed"),
    (r"Approval timed out\Z", "client", "approval_timeout"),
    (r"Denied by user\Z", "user", None),
    (r"Plugin approval required(?:\Z| \(gateway unavailable\))", "client", "approval_unavailable"),
    (r"Plugin approval (?:unavailable|request failed)", "client", "approval_unavailable"),
    (r"Exec approval registration failed: ", "client", "approval_unavailable"),
    (r"Exec denied \(|exec denied: ", "rule", None),
)
# What a session file has of them within the text of a result that failed.
WITHIN = (
    (r"exec denied: allowlist miss", "rule"),
    (r"Exec approval registration failed|exec denied: approval", "client"),
    (r"exec denied: .{0,80}user|Denied by user", "user"),
)
# details.deniedReason of a structured refusal -> who refused
DENIERS = {
    "plugin-before-tool-call": "hook",
    "plugin-approval": "user",
    "user-denied": "user",
    "tool-loop": "client",
}


class Refusal:
    """A call that the client did not let run: who refused it, what failed if no one decided, and
    the field that shows it."""

    __slots__ = ("evidence", "failure", "who")

    def __init__(self, who: str, failure: str | None, evidence: str) -> None:
        self.who = who
        self.failure = failure
        self.evidence = evidence


def refusal(details: Any, error: str) -> Refusal | None:
    """The refusal of a call, None if it ran. A server's answer is not one, whatever it says."""
    if text_at(details, "mcpServer"):
        return None
    status, reason = text_at(details, "status"), text_at(details, "deniedReason")
    if status == "blocked" and reason:
        return Refusal(DENIERS.get(reason, "client"), None, "result.details.status")
    if status == "approval-unavailable":
        return Refusal("client", "approval_unavailable", "result.details.status")
    for wording, who, failure in REFUSALS:
        if re.match(wording, error.strip()):
            return Refusal(who, failure, "error")
    return None


def refusal_within(text: str) -> Refusal | None:
    for wording, who in WITHIN:
        if re.search(wording, text[:2000]):
            return Refusal(who, None, "text of the result")
    return None


def is_asked(details: Any) -> bool:
    """The shell tool returns at once when a person must be asked; nothing has run yet."""
    return text_at(details, "status") == "approval-pending"


def success(details: Any, error: str, is_error: object) -> bool | None:
    """Error, then exit code, then status: a command that exits with 3 has status `completed` and
    no error. Tools without a status state their failure in `error`, so that others succeeded."""
    if error or is_error is True:
        return False
    code = details.get("exitCode") if type(details) is dict else None
    if type(code) is int:
        return code == 0
    status = text_at(details, "status")
    return None if status == "running" else status not in ("error", "failed")


def cut_short(details: Any, error: str) -> str | None:
    """The outcome that success does not show: a cancelled call, a timeout."""
    if error == "Aborted":
        return "cancelled"
    reason = text_at(details, "exitReason")
    if "timeout" in reason or (type(details) is dict and details.get("noOutputTimedOut") is True):
        return "timeout"
    return "cancelled" if reason == "manual-cancel" else None
