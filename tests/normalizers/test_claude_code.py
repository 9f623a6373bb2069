"""Claude Code: what a payload says of an outcome, beyond which event came."""

from __future__ import annotations

from typing import Any

import pytest

from hookstream.event import Event
from hookstream.normalizers import compiled, normalize
from hookstream.records import Record

NOW = "2026-01-01T00:00:00.000Z"


def after(response: Any) -> Event:
    payload = {
        "session_id": "s1",
        "hook_event_name": "PostToolUse",
        "cwd": "/w",
        "tool_name": "TaskUpdate",
        "tool_use_id": "t1",
        "tool_input": {"taskId": "1"},
        "tool_response": response,
    }
    record = Record(payload, "claude-code", "PostToolUse", NOW)
    taken = normalize(record, compiled("claude-code"), NOW)
    assert isinstance(taken, list), taken
    return taken[0]


@pytest.mark.parametrize(
    ("response", "success", "outcome"),
    [
        ({"success": True, "taskId": "1"}, True, "ok"),
        ({"success": False, "taskId": "1", "error": "no such task"}, False, "error"),
        ({"stdout": "half", "stderr": "", "interrupted": True}, False, "cancelled"),
        ({"stdout": "all", "stderr": "", "interrupted": False}, True, "ok"),
        ([{"type": "text", "text": "x"}], True, "ok"),
        ("text", True, "ok"),
        (None, True, "ok"),
    ],
)
def test_success_is_what_the_response_says(response: Any, success: bool, outcome: str) -> None:
    event = after(response)
    assert event.facts["success"] is success
    assert event.facts["outcome"] == outcome
