"""Cursor's hooks. No text counts as a failed hook, other text than JSON blocks the action. A
permission event refuses what it cannot read; a crash does not, unless failClosed is set. The SDK
runtime takes `continue: false` of a prompt and continues. Sources: the SDK 1.0.32,
documentation."""

from __future__ import annotations

from hookstream.normalizers import hook_facts
from hookstream.normalizers.guard_answers import HookVerdict, claude_like, garbage, text_of, word_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def read(found: dict[str, Any], event: str) -> HookVerdict:
    """Cursor: permission on permission events, continue on prompts and session starts."""
    reason = text_of(
        found.get("agent_message"),
        found.get("user_message"),
        found.get("agentMessage"),
        found.get("userMessage"),
    )
    if event in ("beforeSubmitPrompt", "sessionStart"):
        return HookVerdict("deny" if found.get("continue") is False else None, reason)
    if event in ("stop", "subagentStop"):
        followup = text_of(found.get("followup_message"))
        return HookVerdict("deny" if followup else None, followup)
    file_read = event in ("beforeReadFile", "beforeTabFileRead")
    allowed = ("allow", "deny") if file_read else ("allow", "deny", "ask")
    word = word_of(found.get("permission"), allowed)
    if word == "":
        return garbage()
    answer = HookVerdict(word, reason)
    rewritten = found.get("updated_input")
    if type(rewritten) is dict and event == "preToolUse" and word != "deny":
        answer.input = rewritten
        answer.decision = word or "allow"
    return answer


def read_compat(found: dict[str, Any], event: str) -> HookVerdict:
    """Cursor running a hook of Claude Code's configuration: it takes that client's words too."""
    if "hookSpecificOutput" in found and "permission" not in found:
        answer = claude_like(found, "PreToolUse")
        if answer.failure is None:
            return answer
    return read(found, event)


PERMISSION = frozenset(
    "beforeShellExecution beforeMCPExecution beforeReadFile beforeTabFileRead subagentStart "
    "preToolUse".split()
)
EVENTS = {
    **dict.fromkeys(PERMISSION, hook_facts.TOOL),
    "subagentStart": hook_facts.GATE,
    "beforeSubmitPrompt": hook_facts.NOTED,
    "sessionStart": hook_facts.NOTED,
    "stop": hook_facts.TURN,
    "subagentStop": hook_facts.TURN,
    "postToolUse": hook_facts.AFTER,
    "postToolUseFailure": hook_facts.AFTER,
}


def contract(reader: hook_facts.Reader) -> hook_facts.Contract:
    return hook_facts.Contract(
        EVENTS,
        reader,
        "last_or_garbage",
        exits=(0,),
        deny_on_bad_output=PERMISSION,
        empty_is_failure=True,
        fails=hook_facts.CONFIGURED,
    )


HOOK = hook_facts.HookFacts(
    contract(read),
    # Claude Code's settings, which Cursor loads as well.
    {"claude-code": contract(read_compat)},
    answer=b"{}",
    marks="cursor_version",
    environment=("CURSOR_PROJECT_DIR", "CURSOR_VERSION"),
    attended={"is_background_agent": {True: False}},
    unattended="cursor-agent -p --print --force",
)
