"""Qwen Code's hooks: the end of a call, and the entries of a batch for refused ones."""

from __future__ import annotations

from hookstream.normalizers.gemini_cli.wording import SHELL, text_of
from hookstream.normalizers.qwen_code.wording import PLAN_MODE, ended, evidence_of
from hookstream.normalizers.table import at, parts_of, reads, text_at
from hookstream.normalizers.wording import Ending

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.records import Payload


def done(p: Payload) -> Ending:
    """PostToolUse states a success; the exit code of a shell command has the last word."""
    return ended(p.get("tool_name"), "success", "", text_of(at(p, "tool_response.llmContent")))


def stopped(p: Payload) -> Ending:
    """A shell error repeats command and output, only its end says what went wrong."""
    status = "cancelled" if p.get("is_interrupt") is True else "error"
    return ended(p.get("tool_name"), status, text_at(p, "error"))


@reads("tool_response.llmContent")
def failed(p: Payload) -> bool:
    """An interrupted command is not a failure of the tool."""
    return done(p).outcome in ("error", "timeout")


@reads("tool_response.llmContent tool_response.returnDisplay")
def output(p: Payload) -> Any:
    """The result as the model got it; of a shell command the bare output (no process id)."""
    shown = at(p, "tool_response.returnDisplay")
    if p.get("tool_name") == SHELL and type(shown) is str:
        return shown
    return at(p, "tool_response.llmContent")


@reads("error")
def failed_output(p: Payload) -> str | None:
    text = text_at(p, "error")
    return text if "\n" in text else None


# A batch repeats each call: its outcome counts only if no other event reported it.


def batch_response(p: Payload, key: str) -> str:
    parts = at(p, "tool_response.response_parts")
    for part in parts if type(parts) is list else ():
        text = at(part, f"functionResponse.response.{key}")
        if type(text) is str:
            return text
    return ""


def batch_end(p: Payload) -> Ending:
    """The end of a call by the entry's own status. A cancelled call has its error only in the
    response parts, plan mode's refusal only in what is shown."""
    status, kind = p.get("status"), at(p, "tool_response.error_type")
    if status not in ("success", "error", "cancelled"):
        return Ending(None)
    error = text_at(p, "tool_response.error") or batch_response(p, "error")
    if status == "error" and at(p, "tool_response.result_display") == PLAN_MODE:
        error, kind = PLAN_MODE, "execution_denied"
    return ended(
        p.get("tool_name"),
        status,
        error,
        batch_response(p, "output"),
        error_type=kind if status == "error" else None,
        unrun=at(p, "tool_response.execution_status") == "not_started",
    )


BATCH = (
    "status tool_response.error tool_response.error_type tool_response.result_display "
    "tool_response.response_parts"
)
batch = parts_of(batch_end, BATCH)


def batch_denied(p: Payload) -> bool:
    return batch_end(p).outcome == "denied"


@reads("status")
def batch_success(p: Payload) -> bool | None:
    return {"ok": True, "error": False, "cancelled": False}.get(batch_end(p).outcome or "")


def batch_decision(p: Payload) -> str | None:
    return "deny" if batch_denied(p) else None


def batch_certainty(p: Payload) -> str | None:
    return "observed" if batch_denied(p) else None


def batch_evidence(p: Payload) -> str | None:
    end = batch_end(p)
    if end.outcome != "denied":
        return None
    if p.get("status") == "cancelled":
        return "tool_calls.status"
    is_typed = at(p, "tool_response.error_type") == "execution_denied"
    return evidence_of(
        end, f"tool_calls.tool_response.{'error_type' if is_typed else 'result_display'}"
    )


@reads("tool_response.result_display tool_response.response_parts")
def batch_output(p: Payload) -> Any:
    """The output of the call; a refused one has none, its text is the reason."""
    if batch_denied(p):
        return None
    return at(p, "tool_response.result_display") or at(p, "tool_response.response_parts")
