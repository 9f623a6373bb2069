"""What a session adds up to: follow-up prompts, the usage of an end that no payload sums up."""

from __future__ import annotations

import json
from typing import Any

from hookstream.core.event import Event
from hookstream.core.records import Record, read_record
from hookstream.standards.aarts import aarts
from test_golden import pipeline


def claude(name: str, **fields: Any) -> dict[str, Any]:
    return {
        "vendor": "claude-code",
        "received_at": fields.pop("at", "2026-05-10T10:00:00Z"),
        "payload": {
            "hook_event_name": name,
            "session_id": "session-1",
            "transcript_path": "/home/dev/.claude/projects/p/session-1.jsonl",
            "cwd": "/srv/app",
            **fields,
        },
    }


def finished(*records: dict[str, Any]) -> list[Event]:
    line = pipeline()
    events: list[Event] = []
    for offset, record in enumerate(records):
        read = read_record(json.dumps(record).encode(), "s", offset)
        assert isinstance(read, Record)
        taken = line.take(read)
        assert isinstance(taken, list)
        events += taken
    return events


def of(events: list[Event], kind: str, fact: str) -> list[Any]:
    return [event.facts.get(fact) for event in events if event.type == kind]


START = claude("SessionStart", source="startup")
PROMPT = claude("UserPromptSubmit", prompt="one")
AGAIN = claude("UserPromptSubmit", prompt="two")
CALL = claude("PreToolUse", tool_name="Bash", tool_input={"command": "ls"}, tool_use_id="t1")
RAN = claude(
    "PostToolUse",
    tool_name="Bash",
    tool_input={"command": "ls"},
    tool_use_id="t1",
    tool_response={"stdout": "x"},
)
END = claude("SessionEnd", reason="other", at="2026-05-10T10:01:00Z")


def test_each_prompt_but_the_first_is_a_follow_up() -> None:
    events = finished(START, PROMPT, AGAIN)
    assert of(events, "Prompt.Submitted", "is_followup") == [False, True]
    assert all("is_followup" in e.synthesized for e in events if e.type == "Prompt.Submitted")


def test_of_a_stream_joined_late_the_first_prompt_is_not_said_to_be_the_first() -> None:
    events = finished(CALL, PROMPT, AGAIN)
    assert of(events, "Prompt.Submitted", "is_followup") == [None, True]


def test_the_end_of_a_session_sums_up_what_the_stream_shows() -> None:
    events = finished(START, PROMPT, CALL, RAN, END)
    end = events[-1]
    assert {name: end.facts[name] for name in ("total_actions", "duration_ms")} == {
        "total_actions": 1,
        "duration_ms": 60_000,
    }
    wrapper = aarts(end)
    assert wrapper is not None
    assert wrapper["aarts"]["summary"] == {
        "tool_calls": 1, "verdicts": 0, "denials": 0, "duration_ms": 60_000,
    }  # fmt: skip
    assert {"total_actions", "duration_ms", "total_denials"} <= set(end.synthesized)
    assert "summary" not in wrapper["hookstream"]["unavailable"]


def test_a_stream_joined_late_sums_up_nothing() -> None:
    end = finished(CALL, RAN, END)[-1]
    assert "total_actions" not in end.facts
    wrapper = aarts(end)
    assert wrapper is not None
    assert wrapper["hookstream"]["unavailable"] == ["summary"]


def test_names_as_the_documents_spell_them_are_read() -> None:
    record = {
        "agent_action_name": "PreRunCommand",
        "trajectory_id": "t",
        "execution_id": "e",
        "timestamp": "2026-05-10T10:00:00Z",
        "tool_info": {"command_line": "ls", "cwd": "/srv"},
    }
    (event,) = finished(record)
    assert (event.type, event.facts["command"]) == ("Action.Before", "ls")


def test_a_session_event_of_gemini_is_known_wherever_its_transcript_is() -> None:
    for name, key, word in (
        ("SessionStart", "source", "startup"),
        ("SessionEnd", "reason", "exit"),
        ("Notification", "notification_type", "ToolPermission"),
    ):
        record = {
            "hook_event_name": name,
            "session_id": "g",
            "transcript_path": "/tmp/g.json",
            "timestamp": "2026-05-10T10:00:00Z",
            "cwd": "/srv",
            key: word,
        }
        assert finished(record)[0].vendor == "gemini-cli"
