"""Qwen Code: how it reads a policy hook's answer."""

from __future__ import annotations

from hookstream.normalizers.gemini_cli.answers import read as read_gemini
from hookstream.normalizers.guard_answers import HookVerdict, claude_like, object_of

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
