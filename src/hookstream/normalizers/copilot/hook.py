"""Copilot's hooks. Any status but 0 denies a tool call, a crash too, and so does an error of an
http hook; in VS Code 2 blocks and anything else continues. Sources: the hooks reference, trials
with 1.0.102, VS Code's documentation."""

from __future__ import annotations

from hookstream.normalizers.guard_answers import (
    HookVerdict,
    claude_like,
    garbage,
    object_of,
    text_of,
    word_of,
)
from hookstream.normalizers.hook_facts import Contract, HookFacts, kinds

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


CLOSED = frozenset("preToolUse permissionRequest PreToolUse PermissionRequest".split())
EVENTS = kinds(
    tool="preToolUse permissionRequest PreToolUse PermissionRequest",
    gate="userPromptSubmitted UserPromptSubmit",
    turn="agentStop Stop subagentStop SubagentStop",
    after="postToolUse PostToolUse postToolUseFailure PostToolUseFailure",
)
HOOK = HookFacts(
    Contract(EVENTS, read, exits=(0,), blocks=(), deny_on_other_exit=CLOSED),
    {"vscode": Contract(EVENTS, claude_like, exits=(0,))},
    marks="hook_event_name+traceparent hook_event_name+tool_result",
    variables="COPILOT_CLI",
    folders="/.copilot/ /session-state/ copilot-chat",
    runs_hooks_of="claude-code",
    version="COPILOT_CLI_BINARY_VERSION",
    fails_closed=True,
    attended={"reason": {"user_exit": True}},
    unattended="copilot -p --prompt --allow-all-tools",
)
