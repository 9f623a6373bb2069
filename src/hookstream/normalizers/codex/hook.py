"""Codex's hooks. A closed schema: a stray key or an unsupported word makes the answer invalid.
Sources: the schemas in 0.169.0, trials with it."""

from __future__ import annotations

from hookstream.normalizers.guard_answers import HookVerdict, garbage, object_of, text_of, word_of
from hookstream.normalizers.hook_facts import Contract, HookFacts, kinds

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Any


UNIVERSAL = frozenset(("continue", "stopReason", "suppressOutput", "systemMessage"))
CODEX_OWN = {
    "PreToolUse": "hookEventName permissionDecision permissionDecisionReason updatedInput "
    "additionalContext",
    "PermissionRequest": "hookEventName decision",
    "PostToolUse": "hookEventName additionalContext updatedMCPToolOutput",
    "UserPromptSubmit": "hookEventName additionalContext",
    "SessionStart": "hookEventName additionalContext",
    "SubagentStart": "hookEventName additionalContext",
}
CODEX_DECIDES = frozenset(("PreToolUse", "PostToolUse", "UserPromptSubmit", "Stop", "SubagentStop"))


def _codex_keys(found: dict[str, Any], event: str) -> bool:
    allowed = {"systemMessage"} if event == "Interrupt" else set(UNIVERSAL)
    if event in CODEX_DECIDES:
        allowed |= {"decision", "reason"}
    if event in CODEX_OWN:
        allowed.add("hookSpecificOutput")
    own = found.get("hookSpecificOutput")
    if own is not None:
        if type(own) is not dict or own.get("hookEventName") != event:
            return False
        if not set(own) <= set(CODEX_OWN.get(event, "").split()):
            return False
    return set(found) <= allowed


def read(found: dict[str, Any], event: str) -> HookVerdict:
    """Codex: a closed schema; reserved words and refusals without a reason are invalid."""
    own = object_of(found.get("hookSpecificOutput"))
    if not _codex_keys(found, event):
        return garbage()
    if event == "PermissionRequest":
        choice = object_of(own.get("decision"))
        word = word_of(choice.get("behavior"), ("allow", "deny"))
        if word == "" or not set(choice) <= {"behavior", "message"}:
            return garbage()
        return HookVerdict(word, text_of(choice.get("message")))
    reserved = found.get("continue") is False or "stopReason" in found
    if event == "PreToolUse":
        if reserved or found.get("suppressOutput") is True:
            return garbage()
        if own.keys() & {"permissionDecision", "permissionDecisionReason", "updatedInput"}:
            return _codex_tool(own)
    word = word_of(found.get("decision"), ("block",))
    reason = text_of(found.get("reason"))
    if word == "" or (word == "deny" and reason is None):
        return garbage()
    if word is None and found.get("continue") is False:
        return HookVerdict("deny", text_of(found.get("stopReason")), stops=True)
    return HookVerdict(word, reason)


def _codex_tool(own: dict[str, Any]) -> HookVerdict:
    word = own.get("permissionDecision")
    reason = text_of(own.get("permissionDecisionReason"))
    rewritten = own.get("updatedInput")
    if word == "deny" and reason is not None and rewritten is None:
        return HookVerdict("deny", reason)
    if word == "allow" and type(rewritten) is dict:
        return HookVerdict("allow", reason, input=rewritten)
    return garbage()


HOOK = HookFacts(
    Contract(
        kinds(
            tool="PreToolUse PermissionRequest",
            gate="UserPromptSubmit",
            turn="Stop SubagentStop",
            after="PostToolUse",
        ),
        read,
        exits=(0,),
        requires_reason=True,
    ),
    folders="/.codex/ rollout-*",
    # The client ends them after a second.
    budgets_ms={"SessionEnd": 640, "Interrupt": 640},
    attended={"originator": {"codex_exec": False}, "source": {"exec": False, "cli": True}},
    unattended="codex exec e --yolo --full-auto --dangerously-bypass-approvals-and-sandbox",
)
