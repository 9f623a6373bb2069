"""Auggie's hooks, which run side by side. Standard output is JSON or nothing, read at status 0 and
2; status 2 blocks before a tool alone. Source: the package's source and runs of 0.36.0."""

from __future__ import annotations

from hookstream.normalizers.guard_answers import HookVerdict, garbage, object_of, text_of, word_of
from hookstream.normalizers.hook_facts import Contract, HookFacts, kinds

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Any


def read(found: dict[str, Any], event: str) -> HookVerdict:
    """Auggie: hookSpecificOutput alone, and `continue`; an `ask` is not put to anyone."""
    own = object_of(found.get("hookSpecificOutput"))
    if event != "PreToolUse":
        word = word_of(own.get("decision"), ("block",))
        return garbage() if word == "" else HookVerdict(word, text_of(own.get("reason")))
    word = word_of(own.get("permissionDecision"), ("allow", "deny", "ask"))
    reason = text_of(own.get("permissionDecisionReason"))
    if word == "":
        return garbage()
    if found.get("continue") is False:
        return HookVerdict("deny", text_of(found.get("stopReason"), reason))
    answer = HookVerdict(None if word == "ask" else word, reason)
    if type(own.get("updatedInput")) is dict and word != "deny":
        answer.input = own["updatedInput"]
        answer.decision = "allow"
    return answer


HOOK = HookFacts(
    Contract(
        kinds(tool="PreToolUse", turn="Stop", after="PostToolUse"),
        read,
        exits=(0, 2),
    ),
    unattended="auggie -p --print",
)
