"""Mistral Vibe: what hooks leave out and the journal says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hookstream.core.event import Event
from hookstream.core.records import Record
from hookstream.normalizers import claimants, compiled, normalize
from hookstream.normalizers.mistral_vibe.transcript import VibeReader, ended_by

FILES = Path(__file__).parents[1] / "transcripts/data/mistral-vibe"
NOW = "2026-11-24T17:00:00.000Z"
JOURNAL = "/h/.vibe/logs/session/unified/s1/journal/0000000000000001.jsonl"
BASE = {"session_id": "s1", "parent_session_id": None, "transcript_path": "/t", "cwd": "/p"}


def events(name: str, **own: Any) -> list[Event]:
    payload = {**BASE, "hook_event_name": name, "tool_call_id": "c1", **own}
    found = normalize(Record(payload, "mistral-vibe"), compiled("mistral-vibe"), NOW)
    assert isinstance(found, list)
    return found


def test_its_event_names_are_its_mark() -> None:
    assert claimants({**BASE, "hook_event_name": "post_agent"}) == ["mistral-vibe"]
    assert claimants({"session_id": "s1", "hook_event_name": "post_agent"}) == []


@pytest.mark.parametrize(
    ("status", "output", "outcome"),
    [
        ("success", {"returncode": 0, "timed_out": False}, "ok"),
        ("success", {"returncode": 3, "timed_out": False}, "error"),
        ("success", {"returncode": -9, "timed_out": True}, "timeout"),
        ("failure", None, "error"),
        ("cancelled", None, "cancelled"),
    ],
)
def test_a_command_ends_as_its_exit_code_says(status: str, output: Any, outcome: str) -> None:
    after, *rest = events(
        "post_tool",
        tool_name="file_system.bash",
        tool_input={"command": "x"},
        tool_status=status,
        tool_output=output,
        duration_ms=0,
    )
    assert after.facts["outcome"] == outcome
    assert "duration_ms" not in after.facts
    assert bool(rest) == (outcome in ("error", "timeout"))


def test_a_call_of_a_script_names_the_script() -> None:
    (before,) = events(
        "pre_tool",
        tool_name="mcp_demo.echo",
        tool_input={},
        tool_call_id="typescript:3:call_9:0:tool:0",
    )
    assert before.facts["parent_call_id"] == "call_9"
    assert (before.facts["mcp_server"], before.facts["action_name"]) == ("demo", "mcp:echo")


def records(scenario: str) -> list[dict[str, Any]]:
    path = sorted((FILES / scenario).rglob("journal/*.jsonl"))[0]
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def ends(rows: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    reader = VibeReader(JOURNAL)
    steps = [step for row in rows for step in reader.read(row)] + list(reader.finish())
    return {given["call_id"]: given for name, given in steps if name == "call.end" and given}


@pytest.mark.parametrize(
    ("source", "who"),
    [("user", "user"), ("smart", "classifier"), ("never", "rule"), ("config", "rule")],
)
def test_the_journal_names_the_one_who_did_not_allow_a_call(source: str, who: str) -> None:
    rows = records("flaky")
    for row in rows:
        result = row["payload"].get("result", {})
        if result.get("type") == "tool_succeeded":
            approval = {"decision": "skip", "approvalType": "ask", "approvalSource": source}
            error = {"code": "tool_skipped", "message": "not now", "retryable": False}
            result["type"] = "tool_failed"
            result["result"] = {
                "type": "failure", "content": [], "error": error, "_meta": {"approval": approval}
            }  # fmt: skip
    found = ends(rows)
    assert {(one["outcome"], one["decided_by"]) for one in found.values()} == {("denied", who)}
    assert {one["decision_reason"] for one in found.values()} == {"not now"}


def test_a_denied_command_has_the_pattern_of_the_denylist() -> None:
    message = "Command denied: 'rm it's' matches denylist pattern 'rm'. Do not attempt to run it."
    result = {"_meta": {"approval": {"approvalSource": "never", "decision": "skip"}}}
    end = ended_by({**result, "error": {"message": message}})
    assert (end["decided_by"], end["matched_rule_id"]) == ("rule", "rm")


def test_each_record_has_the_time_of_the_next_one_that_names_one() -> None:
    rows = records("flaky")
    reader = VibeReader(JOURNAL)
    steps = [step for row in rows for step in reader.read(row)] + list(reader.finish())
    times = [given["timestamp"] for _, given in steps if given is not None]
    assert times == sorted(times)
    # A journal that was cut off before the next time keeps what it said.
    cut = next(n for n, row in enumerate(rows) if row["type"] == "action_result") + 1
    reader = VibeReader(JOURNAL)
    told = [step for row in rows[:cut] for step in reader.read(row)]
    assert "completion" not in {name for name, _ in told}
    assert "completion" in {name for name, _ in reader.finish()}


@pytest.mark.parametrize(("waited_ms", "who"), [(0, "client"), (99, "client"), (2400, "user")])
def test_an_answer_at_once_is_the_clients_own(waited_ms: int, who: str) -> None:
    """Without a terminal the client answers its own question and names a user all the same."""
    approval = {"decision": "skip", "approvalType": "ask", "approvalSource": "user"}
    error = {"code": "tool_denied", "message": "denied by approval callback"}
    denied = {"type": "failure", "content": [], "error": error, "_meta": {"approval": approval}}
    asked = {"callbackId": "approval-c9", "createdAt": 1000, "detail": {}}
    rows: list[dict[str, Any]] = [
        {"type": "callback_registered", "payload": {"kind": "approval", "routing": asked}},
        {
            "type": "action_result",
            "payload": {"result": {"type": "tool_failed", "call_id": "c9", "result": denied}},
        },
        {
            "type": "projection_delta",
            "payload": {"delta": [{"entry": {"updatedAt": 1000 + waited_ms}}]},
        },
    ]
    assert ends(rows)["c9"]["decided_by"] == who


@pytest.mark.parametrize(
    ("error", "who"),
    [
        ("Tool execution denied by approval callback", None),
        ("Command denied: 'rm x' matches denylist pattern 'rm'. Do not attempt it.", "rule"),
    ],
)
def test_a_hook_after_a_call_that_nobody_allowed_is_no_run(error: str, who: str | None) -> None:
    told = {"tool_status": "failure", "tool_output": None, "tool_error": error}
    call = {"tool_name": "file_system.bash", "tool_input": {"command": "rm x"}}
    (refused,) = events("post_tool", **call, **told)
    assert refused.type == "Policy.Blocked"
    assert refused.facts.get("decided_by") == who
    quoted = events("post_tool", **call, **{**told, "tool_error": f"demo: {error}"})
    assert quoted[0].type == "Action.After"
