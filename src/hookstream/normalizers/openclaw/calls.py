"""Tool calls of OpenClaw that a row of its table cannot express: did it run, how did it end.

Source: payloads recorded from OpenClaw 2026.9.6 and the typings of its plugin SDK.
"""

from __future__ import annotations

from hookstream.normalizers.openclaw.runs import joined_text
from hookstream.normalizers.table import at, derived, reads, text_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.records import Record

    Payload = dict[str, Any]

DETAILS = "event.result.details"
# The client's own sentences for a call that it did not let run, whole text -> (who, failure).
# A tool's own failure is in the same fields, so nothing shorter than the sentence counts.
REFUSALS = {
    "Tool call blocked because before_tool_call hook failed": ("hook", "hook_failed"),
    "Approval timed out": ("client", "approval_timeout"),
    "Plugin approval required": ("client", "approval_unavailable"),
    "Denied by user": ("user", None),
}
# The same for sentences that continue with a cause.
REFUSED_WITH = (
    ("Plugin approval unavailable", "client", "approval_unavailable"),
    ("Plugin approval request failed", "client", "approval_unavailable"),
    ("Plugin approval required (gateway unavailable)", "client", "approval_unavailable"),
    ("Exec approval registration failed: ", "client", "approval_unavailable"),
    ("Exec denied (", "rule", None),
    ("exec denied: ", "rule", None),
)
# details.deniedReason of a structured refusal -> who refused
DENIERS = {
    "plugin-before-tool-call": "hook",
    "plugin-approval": "user",
    "user-denied": "user",
    "tool-loop": "client",
}


def refusal(p: Payload) -> tuple[str, str | None, str] | None:
    """(who refused, failure, the field that shows it) of a call that did not run, else None.

    A server's answer is not a refusal by the client, whatever it says.
    """
    if text_at(p, f"{DETAILS}.mcpServer"):
        return None
    status, denied = text_at(p, f"{DETAILS}.status"), text_at(p, f"{DETAILS}.deniedReason")
    if status == "blocked" and denied:
        return DENIERS.get(denied, "client"), None, "result.details.status"
    if status == "approval-unavailable":
        return "client", "approval_unavailable", "result.details.status"
    error = text_at(p, "event.error", f"{DETAILS}.error").strip()
    if error in REFUSALS:
        return *REFUSALS[error], "error"
    for begin, who, failure in REFUSED_WITH:
        if error.startswith(begin):
            return who, failure, "error"
    return None


@reads(f"{DETAILS} event.error")
def is_refused(p: Payload, r: Record) -> bool:
    return refusal(p) is not None


@reads(DETAILS)
def is_asked(p: Payload, r: Record) -> bool:
    """The shell tool returns at once when a person must be asked; nothing has run yet."""
    return text_at(p, f"{DETAILS}.status") == "approval-pending"


@reads(f"{DETAILS} event.error")
def has_run(p: Payload, r: Record) -> bool:
    return not is_refused(p, r) and not is_asked(p, r)


@reads(f"{DETAILS} event.error")
def decided_by(p: Payload, r: Record) -> str | None:
    found = refusal(p)
    return found[0] if found else None


@reads(f"{DETAILS} event.error")
def decision_failure(p: Payload, r: Record) -> str | None:
    found = refusal(p)
    return found[1] if found else None


@reads(f"{DETAILS} event.error")
def decision_evidence(p: Payload, r: Record) -> str | None:
    found = refusal(p)
    return found[2] if found else None


@derived
@reads(f"{DETAILS} event.error event.result")
def success(p: Payload, r: Record) -> bool | None:
    """Exit code, then the error field, then the status.

    A command that exits with 3 has status `completed` and no error. Tools without a status
    state their failure in `error`, so a result without it succeeded.
    """
    if text_at(p, "event.error") or at(p, "event.result.isError") is True:
        return False
    code = at(p, f"{DETAILS}.exitCode")
    if type(code) is int:
        return code == 0
    status = text_at(p, f"{DETAILS}.status")
    if status in ("error", "failed"):
        return False
    if status == "running":
        return None
    return True if type(at(p, "event.result")) is dict else None


@reads(f"{DETAILS} event.error")
def outcome(p: Payload, r: Record) -> str | None:
    """Only what success does not show: a cancelled call, a timeout."""
    if text_at(p, "event.error") == "Aborted":
        return "cancelled"
    reason = text_at(p, f"{DETAILS}.exitReason")
    if "timeout" in reason or at(p, f"{DETAILS}.noOutputTimedOut") is True:
        return "timeout"
    return "cancelled" if reason == "manual-cancel" else None


@reads(f"event.error {DETAILS}.error")
def error_line(p: Payload, r: Record) -> str | None:
    """The first line: a fetched page or a command's output may follow."""
    return text_at(p, "event.error", f"{DETAILS}.error").split("\n", 1)[0] or None


@reads("event.result.content")
def output(p: Payload, r: Record) -> Any:
    return joined_text(at(p, "event.result.content"))


@reads("event.derivedPaths")
def derived_path(p: Payload, r: Record) -> str | None:
    """The first path that the client reads out of a patch."""
    paths = at(p, "event.derivedPaths")
    return paths[0] if type(paths) is list and paths and type(paths[0]) is str else None


@reads(f"{DETAILS}.mcpServer")
def mcp_server(p: Payload, r: Record) -> str | None:
    return text_at(p, f"{DETAILS}.mcpServer") or None


def mcp(name: str, p: Payload) -> tuple[str, str] | None:
    """<server>__<tool>; only the after event names both apart."""
    server, tool = text_at(p, f"{DETAILS}.mcpServer"), text_at(p, f"{DETAILS}.mcpTool")
    if server and tool:
        return server, tool
    server, _, tool = name.partition("__")
    return (server, tool) if server and tool else None
