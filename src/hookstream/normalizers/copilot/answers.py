"""Copilot: how it reads a policy hook's answer."""

from __future__ import annotations

from hookstream.normalizers.guard_answers import HookVerdict, garbage, object_of, text_of, word_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def read(found: dict[str, Any], event: str) -> HookVerdict:
    """Copilot CLI: permissionDecision at the top (nested also), behavior for a permission."""
    if event in ("permissionRequest", "PermissionRequest"):
        word = word_of(found.get("behavior"), ("allow", "deny"))
        return garbage() if word == "" else HookVerdict(word, text_of(found.get("message")))
    if event in ("preToolUse", "PreToolUse"):
        own = object_of(found.get("hookSpecificOutput"))
        fields = {**own, **found}
        word = word_of(fields.get("permissionDecision"), ("allow", "deny", "ask"))
        if word == "":
            return garbage()
        answer = HookVerdict(word, text_of(fields.get("permissionDecisionReason")))
        rewritten = fields.get("modifiedArgs", fields.get("updatedInput"))
        if type(rewritten) is dict and word != "deny":
            answer.input = rewritten
            answer.decision = word or "allow"
        return answer
    word = word_of(found.get("decision"), ("block", "allow", "approve"))
    return garbage() if word == "" else HookVerdict(word, text_of(found.get("reason")))
