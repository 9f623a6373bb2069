"""Kilo: the end of a call by the client's words and its `approval`, in all witnesses alike.

Source: recordings and program of 7.7.9. The words are OpenCode's; who spoke them is not: in
a headless run the client rejects in a person's words, and refuses a sub-agent's question in those
of a rule, with a list of rules of which one is invented. `approval` is on every call that the
permission rules let run or refused. A plug-in that throws leaves its own text, before that.
"""

from __future__ import annotations

from hookstream.normalizers.opencode import wording as opencode
from hookstream.normalizers.opencode.wording import REJECTED, RULE
from hookstream.normalizers.wording import Ending, denied

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Value = dict[str, Any]

FEEDBACK = " with the following feedback: "
# The list of rules; one rule, which matched, is an object.
LIST = ". Here are some of the relevant rules ["
# `manual` is an answer: a person's, or the client's own.
SOURCES = {
    "global": "rule",
    "project": "rule",
    "agent": "rule",
    "session": "rule",
    "yolo": "mode",
    "default": "client",
}
# Tools that do nothing before the permission is asked for, and what else may end them before.
ASKING_FIRST = frozenset(("bash", "write"))
UNASKED = ("Tool execution", "Model tried to call", "The bash tool", "The write tool", "Invalid")


def ended(
    tool: str,
    status: str,
    error: str,
    output: str,
    code: object,
    approval: Value | None = None,
    rejected_by: str | None = None,
) -> Ending:
    """The end of a call. `approval` is empty where a part has none, None of a witness that never
    has it; `rejected_by` is who answers where no words were added."""
    if error.startswith(RULE):
        is_question = error.startswith(RULE + LIST)
        matched = None if is_question else rule_of(approval or {})
        return denied("client" if is_question else "rule", f"{RULE}.", matched)
    if error.startswith(REJECTED):
        words = error.partition(FEEDBACK)[2]
        return denied("user" if words else rejected_by, words or error)
    is_unasked = approval == {} and tool in ASKING_FIRST
    if status == "error" and is_unasked and not error.startswith(UNASKED):
        return denied("hook", error)
    return opencode.ended(tool, status, error, output, code)


def is_concluded(end: Ending) -> bool:
    """Return whether a refusal is concluded: a plug-in's has no mark."""
    return end.outcome == "denied" and end.decided_by == "hook"


def allowed_by(approval: Value, answered_by: str | None = None) -> str | None:
    """The one who let a call run, None where that is not said."""
    source = approval.get("source")
    return answered_by if source == "manual" else SOURCES.get(str(source))


def file_of(approval: Value) -> str | None:
    """Where the rule that matched is from: the settings of the user (global) or of the project, an
    agent's file, an answer that was kept for the session."""
    source = approval.get("source")
    is_told = rule_of(approval) is not None and SOURCES.get(str(source)) == "rule"
    return str(source) if is_told else None


def rule_of(approval: Value) -> str | None:
    """The rule that matched, as OpenCode's are named: its permission and its pattern."""
    rule = approval.get("rule")
    if type(rule) is not dict:
        return None
    words = (rule.get("permission"), rule.get("pattern"))
    return " ".join(word for word in words if type(word) is str) or None
