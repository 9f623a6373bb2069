"""Claude Agent SDK: what its hooks are given is recorded, and nothing is answered."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

pytest.importorskip("claude_agent_sdk", reason="claude-agent-sdk is not installed here")


def test_payloads_are_claude_codes_own(log: Any, told: Any) -> None:
    from hookstream.integrations.claude_agent_sdk import hooks

    given = hooks(str(log))
    common = {
        "session_id": "s-1",
        "transcript_path": "/home/dev/.claude/projects/p/s-1.jsonl",
        "cwd": "/home/dev/project",
        "tool_name": "Bash",
        "tool_input": {"command": "ls"},
        "tool_use_id": "toolu_1",
    }
    for event, more in (
        ("PreToolUse", {}),
        ("PostToolUse", {"tool_response": {"stdout": "", "interrupted": False}}),
    ):
        (matcher,) = given[event]
        (callback,) = matcher.hooks
        payload = {**common, **more, "hook_event_name": event}
        assert asyncio.run(callback(payload, "toolu_1", None)) == {}
    assert [(one[0], one[1]) for one in told()] == [
        ("Action.Before", "toolu_1"),
        ("Action.After", "toolu_1"),
    ]
