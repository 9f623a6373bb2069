"""The payload says whose it is, not the door that it came through."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from hookstream.core.records import Record
from hookstream.normalizers import VENDORS, vendor_of
from hookstream.pipeline.stages import Pipeline
from hookstream.redaction import Redactor

SAMPLES = Path(__file__).parent.parent / "samples"
NOW = "2026-11-21T12:00:00.000Z"
GROK = {
    "hookEventName": "pre_tool_use",
    "sessionId": "0199f000",
    "cwd": "/home/dev/project",
    "workspaceRoot": "/home/dev/project/",
    "timestamp": "2026-11-28T15:36:00.135Z",
    "toolName": "run_terminal_command",
    "toolUseId": "call_1",
    "toolInput": {"command": "git push --force"},
}
TWICE = {
    **GROK,
    "hook_event_name": "PreToolUse",
    "session_id": "0199f000",
    "tool_name": "run_terminal_command",
    "tool_input": {"command": "git push --force"},
    "transcript_path": "/home/dev/.grok/sessions/p/0199f000/updates.jsonl",
}
# Payloads that a door takes for its own client's, over all doors of others: nothing in those of
# a fork without a mark is otherwise than its parent's. They only become fewer.
TAKEN_FOR_ANOTHERS = {"kilo": 44}


def recorded() -> list[dict[str, Any]]:
    """Records of hooks; the folder says whose they are, whatever door they came through."""
    return [
        {**record, "vendor": path.parent.name}
        for path in sorted(SAMPLES.glob("*/*.jsonl"))
        if not path.name.endswith(".expected.jsonl")
        for record in map(json.loads, path.read_text("utf-8").splitlines())
        if record.get("vendor") in VENDORS
        and type(record.get("payload")) is dict
        and record.get("witness") in (None, "hook", "wrap")
    ]


def through(door: str, payload: dict[str, Any], name: str | None = None, env: Any = None) -> Record:
    record = Record(payload, vendor=door, native_event=name, env=env)
    record.vendor = vendor_of(record)
    return record


def test_any_payload_through_any_other_door_is_its_clients() -> None:
    wrong: Counter[str] = Counter()
    for given in recorded():
        own = given["vendor"]
        for door in VENDORS:
            record = through(door, given["payload"], given.get("native_event"), given.get("env"))
            if record.vendor != own and "tool" not in record.made:
                wrong[own] += 1
    assert wrong == TAKEN_FOR_ANOTHERS


def told(records: list[dict[str, Any]], door: str | None = None) -> set[str]:
    """The sessions of records, as they came or through another door."""
    pipeline = Pipeline(Redactor("hash", pseudonym_key=b"a key for tests, no secret"), lambda: NOW)
    lines = [
        (json.dumps({**record, "vendor": door or record["vendor"]}).encode(), "source", number)
        for number, record in enumerate(records)
    ]
    return {event.facts["session_id"] for event in pipeline.take_all(lines)[0]}


@pytest.mark.long
def test_no_session_is_lost_or_made_through_another_door() -> None:
    by_client: dict[str, list[dict[str, Any]]] = {}
    for record in recorded():
        by_client.setdefault(record["vendor"], []).append(record)
    for client, records in by_client.items():
        own = told(records[:40])
        assert own
        for door in VENDORS:
            assert own <= told(records[:40], door), (client, door)


@pytest.mark.parametrize("door", VENDORS)
@pytest.mark.parametrize(("payload", "client"), [(GROK, "grok-build"), (TWICE, "grok-build")])
def test_a_client_keeps_its_session_and_command_through_any_door(
    payload: dict[str, Any], client: str, door: str
) -> None:
    line = json.dumps({"vendor": door, "native_event": "PreToolUse", "payload": payload}).encode()
    pipeline = Pipeline(Redactor("full", pseudonym_key=b"a key for tests, no secret"), lambda: NOW)
    (event,), _ = pipeline.take_all([(line, "source", 0)])
    facts = event.facts
    assert (facts["tool"], facts["action_name"]) == (client, "shell")
    assert facts["session_id"] == payload.get("sessionId", payload.get("session_id"))
    assert facts["command"] == "git push --force"


def test_a_session_file_says_whose_a_payload_is_whatever_the_door() -> None:
    payload = {
        "hook_event_name": "PreToolUse",
        "session_id": "s-1",
        "transcript_path": "/home/dev/.qoder/projects/-p/s-1.jsonl",
        "cwd": "/p",
        "model": "m",
        "tool_name": "Bash",
        "tool_input": {"command": "git push --force"},
        "tool_use_id": "c-1",
    }
    line = json.dumps({"vendor": "claude-code", "payload": payload}).encode()
    pipeline = Pipeline(Redactor("full", pseudonym_key=b"a key for tests, no secret"), lambda: NOW)
    (event,), _ = pipeline.take_all([(line, "source", 0)])
    assert (event.facts["tool"], event.facts["session_id"]) == ("qoder", "s-1")
    assert event.facts["command"] == "git push --force"


def test_the_door_decides_where_a_payload_has_nothing_of_its_own() -> None:
    bare = {"hook_event_name": "Stop", "session_id": "s", "cwd": "/p", "stop_hook_active": False}
    line = json.dumps({"vendor": "claude-code", "payload": bare}).encode()
    pipeline = Pipeline(Redactor("full", pseudonym_key=b"a key for tests, no secret"), lambda: NOW)
    (event,), _ = pipeline.take_all([(line, "source", 0)])
    assert event.facts["tool"] == "claude-code"
    assert "tool" in event.synthesized
    whole = {**bare, "transcript_path": "/home/dev/.claude/projects/p/s.jsonl"}
    assert through("claude-code", whole).made == ()


@pytest.mark.parametrize(
    "mark", [{"transcript_path": "/home/dev/.acme/sessions/s.jsonl"}, {"acme_version": "1"}]
)
def test_an_unknown_client_keeps_its_session_and_command(mark: dict[str, str]) -> None:
    call = {"tool_name": "Execute", "tool_input": {"command": "git push --force"}}
    payload = {"hook_event_name": "PreToolUse", "session_id": "s", "cwd": "/p", **call, **mark}
    line = json.dumps({"vendor": "claude-code", "payload": payload}).encode()
    pipeline = Pipeline(Redactor("full", pseudonym_key=b"a key for tests, no secret"), lambda: NOW)
    (event,), _ = pipeline.take_all([(line, "source", 0)])
    facts = event.facts
    assert (facts["session_id"], facts["action_name"]) == ("s", "shell")
    assert facts["command"] == "git push --force"
    assert {"tool", "action_name"} <= set(event.synthesized)
