"""Claude Agent SDK: its hooks, whose payloads are Claude Code's own.

options = ClaudeAgentOptions(hooks=hooks())
"""

from __future__ import annotations

from typing import Any

from claude_agent_sdk import HookMatcher

from hookstream.integrations.recorder import Recorder, plain

EVENTS = (
    "PreToolUse PostToolUse PostToolUseFailure UserPromptSubmit Stop SubagentStart SubagentStop "
    "PreCompact Notification PermissionRequest"
).split()


def hooks(log: str | None = None, events: tuple[str, ...] = tuple(EVENTS)) -> dict[str, Any]:
    """The `hooks` of ClaudeAgentOptions: each event is recorded and nothing is answered."""
    recorder = Recorder("claude-code", log)

    async def record(payload: Any, tool_use_id: str | None, context: Any) -> dict[str, Any]:
        fields = plain(payload)
        if isinstance(fields, dict):
            recorder.append(fields, "claude-code", fields.get("hook_event_name"))
        return {}

    return {event: [HookMatcher(hooks=[record])] for event in events}
