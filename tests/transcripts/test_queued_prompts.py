"""Prompts that a person typed while a tool ran are prompts, in every form that clients write."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hookstream.core.records import Record
from hookstream.transcripts.files import SessionFile

AT = "2026-11-20T09:00:0{}.000Z"


def prompts(client: str, path: str, values: list[dict[str, Any]]) -> list[str]:
    file = SessionFile(Path(path), client, "s")
    steps = [one for n, v in enumerate(values) for one in file.take(json.dumps(v).encode(), n)]
    steps += list(file.finish(len(values)))
    return [
        one.payload["prompt"]
        for one in steps
        if isinstance(one, Record) and "prompt" in one.payload
    ]


def claude(kind: str, second: int, **more: Any) -> dict[str, Any]:
    place = {"sessionId": "s1", "timestamp": AT.format(second), "uuid": f"u{second}"}
    return {"type": kind, **place, **more}


def queued(operation: str, second: int, text: str | None = None) -> dict[str, Any]:
    more = {"operation": operation, **({"content": text} if text else {})}
    return claude("queue-operation", second, **more)


ATTACHED = claude(
    "attachment", 4, attachment={"type": "queued_command", "prompt": "also b"}, cwd="/p"
)
CLAUDE: dict[str, tuple[list[dict[str, Any]], list[str]]] = {
    "delivered within the turn": ([queued("enqueue", 2, "also b"), queued("remove", 3), ATTACHED],
                                  ["also b"]),
    "removed, and no attachment": ([queued("enqueue", 2, "also b"), queued("remove", 3, "also b")],
                                   ["also b"]),
    "sent after the turn": (
        [queued("enqueue", 2, "also b"), queued("dequeue", 3),
         claude("user", 4, message={"role": "user", "content": "also b"})], ["also b"]),
    "taken back": ([queued("enqueue", 2, "also b"), queued("popAll", 3, "also b")], []),
    "still waiting": ([queued("enqueue", 2, "also b")], []),
}  # fmt: skip


@pytest.mark.parametrize("form", CLAUDE)
def test_claude_code(form: str) -> None:
    values, expected = CLAUDE[form]
    first = claude("user", 1, message={"role": "user", "content": "do a"})
    assert prompts("claude-code", "/h/.claude/projects/p/s1.jsonl", [first, *values]) == [
        "do a",
        *expected,
    ]


def test_kimi_code() -> None:
    person = {"kind": "user"}
    values = [
        {"type": "turn.prompt", "time": 1, "origin": person, "input": [text("do a")]},
        {"type": "turn.steer", "time": 2, "origin": person, "input": [text("also b")]},
        {"type": "turn.steer", "time": 3, "input": [text("and c")]},
        {"type": "turn.steer", "time": 4, "origin": {"kind": "cron"}, "input": [text("tick")]},
    ]
    path = "/h/.kimi-code/sessions/p/session_1/agents/main/wire.jsonl"
    assert prompts("kimi-code", path, values) == ["do a", "also b", "and c"]


def text(said: str) -> dict[str, str]:
    return {"type": "text", "text": said}


def test_mistral_vibe() -> None:
    def command(method: str, message: str, injected: bool = False) -> dict[str, Any]:
        params = {"message": message, "injected": injected, "sessionId": "s1"}
        return {"type": "command_reserved", "payload": {"method": method, "params": params}}

    values = [
        command("turn/start", "do a"), command("turn/steer", "also b"),
        command("turn/steer", "of a plugin", True), command("session/rename", "a title"),
    ]  # fmt: skip
    path = "/h/.vibe/logs/session/unified/s1/journal/0000000000000001.jsonl"
    assert prompts("mistral-vibe", path, values) == ["do a", "also b"]


def test_qwen_code() -> None:
    def user(second: int, said: str, **more: Any) -> dict[str, Any]:
        place = {"sessionId": "s1", "timestamp": AT.format(second), "uuid": f"u{second}"}
        message = {"parts": [{"text": said}]}
        return {"type": "user", "parentUuid": None, **place, "message": message, **more}

    note = "\n[User message received during tool execution]: also b"
    values = [
        user(1, "do a"),
        user(2, note, subtype="mid_turn_user_message", systemPayload={"displayText": "also b"}),
        user(3, "tick", subtype="cron", systemPayload={"displayText": "tick"}),
        user(4, "go on", subtype="goal_runtime", provenance="goal_runtime"),
    ]
    path = "/h/.qwen/projects/p/chats/s1.jsonl"
    assert prompts("qwen-code", path, values) == ["do a", "also b"]


def test_codex_and_copilot_and_pi_write_them_as_any_prompt() -> None:
    def event(second: int, said: str) -> dict[str, Any]:
        payload = {"type": "user_message", "message": said, "turn_id": "t1"}
        return {"timestamp": AT.format(second), "type": "event_msg", "payload": payload}

    rollout = "/h/.codex/sessions/2026/11/20/rollout-2026-11-20T09-00-00-s1.jsonl"
    assert prompts("codex", rollout, [event(1, "do a"), event(2, "also b")]) == ["do a", "also b"]

    def message(second: int, said: str) -> dict[str, Any]:
        data = {"content": said, "interactionId": "i1"}
        return {"type": "user.message", "data": data, "id": f"e{second}", "parentId": None,
                "timestamp": AT.format(second)}  # fmt: skip

    state = "/h/.copilot/session-state/s1/events.jsonl"
    assert prompts("copilot", state, [message(1, "do a"), message(2, "also b")]) == [
        "do a",
        "also b",
    ]
