"""Qwen Code: the end of a call, and the entries of a batch for refused ones."""

from __future__ import annotations

import re

from hookstream.normalizers.gemini_cli.calls import SHELL, exit_line, shell_end, text_of, trailer
from hookstream.normalizers.table import at, derived, reads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.records import Record

    Payload = dict[str, Any]

REFUSED_BY_USER = "User did not allow tool call"
CANCELLED = "[Operation Cancelled] Reason: "
PLAN_MODE = "Plan mode blocked a non-read-only tool call."
# The client's own sentences in a refusal: a hook's reason is its own, without any of these.
DISABLED = r'Tool "[^"]+" is (?:denied|disabled|not permitted by)'
PLANNING = r'Tool blocked by plan mode: "|Plan mode is active\.'
UNATTENDED = r"requires permission, but background agents cannot prompt"
DENIERS = (
    (re.compile(r"Permission denied by hook"), "hook"),
    (re.compile(r'This "[^"]+" invocation was denied by permission rules'), "rule"),
    (re.compile(DISABLED), "rule"),
    (re.compile(PLANNING), "mode"),
    (re.compile(rf"[^\n]* {UNATTENDED}"), "client"),
)
# The same in the records of its session file and its telemetry.
RULE = re.compile(
    rf'denied by permission rules(?:\. Matching deny rule: "(?P<rule>.+?)")?|{DISABLED}'
)
BY_CLIENT = re.compile(
    r"requires permission to use .{1,400}(?:not available|declined)|requires (?:user )?approval"
    rf"|{UNATTENDED}"
)
BY_MODE = re.compile(rf"{PLANNING}|{re.escape(PLAN_MODE)}")
BY_EXCLUSION = "tool_call, by exclusion"


def refuser(error: str, cancelled: bool) -> str | None:
    """The one who refused a call. A hook leaves only its reason: it is what remains."""
    for words, who in ((RULE, "rule"), (BY_CLIENT, "client"), (BY_MODE, "mode")):
        if words.search(error):
            return who
    return "user" if cancelled else "hook" if error else None


def shell_text(p: Payload) -> str:
    """The result of a shell call, "" for any other tool."""
    if p.get("tool_name") != SHELL:
        return ""
    return text_of(at(p, "tool_response.llmContent"))


@reads("tool_name", "tool_response.llmContent")
def exit_code(p: Payload, r: Record) -> int | None:
    return exit_line(shell_text(p))


@reads("tool_response.llmContent")
def success(p: Payload, r: Record) -> bool:
    """PostToolUse states a success; the exit code of a shell command has the last word."""
    return shell_end(shell_text(p))[0] is not False


@reads("tool_response.llmContent")
def outcome(p: Payload, r: Record) -> str | None:
    return shell_end(shell_text(p))[1]


def failed(p: Payload, r: Record) -> bool:
    """An interrupted command is not a failure of the tool."""
    return not success(p, r) and outcome(p, r) != "cancelled"


@reads("tool_response.llmContent")
def exit_message(p: Payload, r: Record) -> str | None:
    return exit_words(shell_text(p))


@reads("tool_response.llmContent", "tool_response.returnDisplay")
def output(p: Payload, r: Record) -> Any:
    """The result as the model got it; of a shell command the bare output (no process id)."""
    shown = at(p, "tool_response.returnDisplay")
    if p.get("tool_name") == SHELL and type(shown) is str:
        return shown
    return at(p, "tool_response.llmContent")


def exit_words(text: str) -> str | None:
    """`Exit Code: N` or `Signal: X` of a shell result that failed."""
    end = trailer(text)
    label = next((one for one in ("Exit Code", "Signal") if end.get(one) not in NOTHING), None)
    return f"{label}: {end[label]}" if label else None


NOTHING = (None, "0", "(none)")


def error_text(p: Payload) -> str:
    error = p.get("error")
    return error if type(error) is str else ""


@reads("error")
def failed_exit_code(p: Payload, r: Record) -> int | None:
    return exit_line(error_text(p)) if p.get("tool_name") == SHELL else None


@reads("error")
def failed_message(p: Payload, r: Record) -> str:
    """One line: a shell error repeats command and output, only its end says what went wrong."""
    text = error_text(p)
    words = exit_words(text) if p.get("tool_name") == SHELL else None
    return words or text.split("\n", 1)[0]


@reads("error")
def failed_output(p: Payload, r: Record) -> str | None:
    text = error_text(p)
    return text if "\n" in text else None


@reads("is_interrupt")
def failed_outcome(p: Payload, r: Record) -> str:
    return "cancelled" if p.get("is_interrupt") is True else "error"


# A batch repeats each call: its outcome counts only if no other event reported it.


def batch_error(p: Payload) -> str:
    """The error text of a batch entry; a cancelled call has it only in its response parts."""
    error = at(p, "tool_response.error")
    if type(error) is str and error:
        return error
    return batch_response(p, "error")


def batch_response(p: Payload, key: str) -> str:
    parts = at(p, "tool_response.response_parts")
    for part in parts if type(parts) is list else ():
        text = at(part, f"functionResponse.response.{key}")
        if type(text) is str:
            return text
    return ""


@reads("status", "tool_response.error_type", "tool_response.result_display")
def batch_outcome(p: Payload, r: Record) -> str | None:
    """ok, denied, error or cancelled, as the entry's own status says."""
    status = p.get("status")
    if status == "cancelled":
        return "denied" if REFUSED_BY_USER in batch_error(p) else "cancelled"
    if status == "success":
        # The exit code of a shell command has the last word.
        text = batch_response(p, "output") if p.get("tool_name") == SHELL else ""
        return "error" if shell_end(text)[0] is False else "ok"
    if status != "error":
        return None
    if at(p, "tool_response.error_type") == "execution_denied":
        return "denied"
    return "denied" if at(p, "tool_response.result_display") == PLAN_MODE else "error"


def batch_denied(p: Payload, r: Record) -> bool:
    return batch_outcome(p, r) == "denied"


@reads("status")
def batch_success(p: Payload, r: Record) -> bool | None:
    return {"ok": True, "error": False, "cancelled": False}.get(batch_outcome(p, r) or "")


def batch_decision(p: Payload, r: Record) -> str | None:
    return "deny" if batch_denied(p, r) else None


def batch_certainty(p: Payload, r: Record) -> str | None:
    return "observed" if batch_denied(p, r) else None


@derived
@reads("tool_response.error", "tool_response.result_display")
def batch_decided_by(p: Payload, r: Record) -> str | None:
    """The one who refused, by the client's fixed text; a hook's or rule's reason does not say."""
    if not batch_denied(p, r):
        return None
    if p.get("status") == "cancelled":
        return "user"
    if at(p, "tool_response.result_display") == PLAN_MODE:
        return "mode"
    text = batch_error(p)
    if text.startswith("Qwen Code requires permission to use"):
        return "client" if "non-interactive mode" in text else "rule"
    return next((who for words, who in DENIERS if words.match(text)), None)


@reads("tool_response.error", "tool_response.response_parts", "tool_response.result_display")
def batch_reason(p: Payload, r: Record) -> str | None:
    if not batch_denied(p, r):
        return None
    shown = at(p, "tool_response.result_display")
    if shown == PLAN_MODE:
        return PLAN_MODE
    return batch_error(p).removeprefix(CANCELLED) or None


def batch_evidence(p: Payload, r: Record) -> str | None:
    if not batch_denied(p, r):
        return None
    if p.get("status") == "cancelled":
        return "tool_calls.status"
    if at(p, "tool_response.error_type") == "execution_denied":
        return "tool_calls.tool_response.error_type"
    return "tool_calls.tool_response.result_display"


@reads("tool_response.error")
def batch_message(p: Payload, r: Record) -> str | None:
    if batch_outcome(p, r) not in ("error", "cancelled"):
        return None
    text = batch_error(p)
    words = exit_words(text) if p.get("tool_name") == SHELL else None
    return words or text.split("\n", 1)[0] or None


@reads("tool_response.error", "tool_response.response_parts")
def batch_exit_code(p: Payload, r: Record) -> int | None:
    if p.get("tool_name") != SHELL:
        return None
    return exit_line(batch_error(p) or batch_response(p, "output"))


@reads("tool_response.result_display", "tool_response.response_parts")
def batch_output(p: Payload, r: Record) -> Any:
    """The output of the call; a refused one has none, its text is the reason."""
    if batch_denied(p, r):
        return None
    return at(p, "tool_response.result_display") or at(p, "tool_response.response_parts")
