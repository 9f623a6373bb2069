"""Qwen Code's hooks: Claude Code's events except those it does not have; standard error replaces
an empty standard output. Sources: the documentation in 0.24.4, trials with it."""

from __future__ import annotations

from hookstream.normalizers.gemini_cli.hook import read as read_gemini
from hookstream.normalizers.guard_answers import HookVerdict, claude_like, object_of
from hookstream.normalizers.hook_facts import Contract, HookFacts, kinds

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Any


def read(found: dict[str, Any], event: str) -> HookVerdict:
    """Qwen Code: Claude Code's words, and Gemini's too."""
    own = object_of(found.get("hookSpecificOutput"))
    if "permissionDecision" in own or event == "PermissionRequest":
        return claude_like(found, event)
    answer = read_gemini({**found, "hookSpecificOutput": {}}, event)
    rewritten = own.get("updatedInput", own.get("tool_input"))
    if type(rewritten) is dict and answer.failure is None and answer.decision != "deny":
        answer.input = rewritten
        answer.decision = answer.decision or "allow"
    return answer


HOOK = HookFacts(
    Contract(
        kinds(
            tool="PreToolUse PermissionRequest",
            gate="UserPromptSubmit UserPromptExpansion PreCompact TodoCreated",
            turn="Stop SubagentStop TeammateIdle TodoCompleted",
            after="PostToolUse PostToolUseFailure PostToolBatch",
        ),
        read,
        exits=(0,),
        stderr=True,
    ),
    folders="/.qwen/",
    attended={"reason": {"prompt_input_exit": True}},
    unattended="qwen -p --prompt --yolo -y",
)
