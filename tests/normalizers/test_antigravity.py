"""Antigravity: one claim a test, on payloads written from the guide and published captures."""

from __future__ import annotations

from typing import Any

import pytest

from hookstream.core.event import Event
from hookstream.core.records import Record
from hookstream.normalizers import claimants, compiled, normalize
from hookstream.normalizers.antigravity.table import VENDOR

NOW = "2026-11-24T12:00:00.000Z"
COMMON = {
    "conversationId": "c-1",
    "workspacePaths": ["/home/dev/project"],
    "transcriptPath": "/home/dev/.gemini/antigravity-cli/brain/c-1/transcript_full.jsonl",
    "artifactDirectoryPath": "/home/dev/.gemini/antigravity-cli/brain/c-1",
    "modelName": "gemini-3.7-flash",
}


def events(name: str | None, **own: Any) -> list[Event]:
    record = Record({**COMMON, **own}, "antigravity", name, NOW)
    found = normalize(record, compiled("antigravity"), NOW)
    assert isinstance(found, list), found
    return found


def call(tool: str = "run_command", **args: Any) -> dict[str, Any]:
    return {"toolCall": {"name": tool, "args": args}, "stepIdx": 7}


def test_its_fields_show_it() -> None:
    assert claimants(COMMON) == ["antigravity"]


@pytest.mark.parametrize(
    "given",
    [
        {**COMMON, "conversationId": 7},
        {name: value for name, value in COMMON.items() if name != "artifactDirectoryPath"},
        {"sessionId": "s", "timestamp": 1, "cwd": "/p", "toolName": "bash"},
    ],
)
def test_what_lacks_them_is_not_claimed(given: dict[str, Any]) -> None:
    assert not VENDOR.claims(given)


def test_the_registration_names_the_event() -> None:
    (before,) = events("PreToolUse", **call(CommandLine="ls", Cwd="/home/dev/project"))
    assert (before.type, before.facts["command"]) == ("Action.Before", "ls")
    assert before.facts["call_id"] == "step-7"
    (after,) = events("PostToolUse", **call(CommandLine="ls"), error="")
    assert (after.type, after.facts["success"]) == ("Action.After", True)
    assert "success" in after.synthesized


def test_a_payload_that_could_be_of_two_events_is_not_guessed() -> None:
    (event,) = events(None, **call(CommandLine="ls"))
    assert event.type == "vendor.antigravity.unknown"
    (stop, *_) = events(None, executionNum=1, terminationReason="model_stop", fullyIdle=True)
    assert stop.type == "Agent.Response"


def test_arguments_may_be_json_of_a_text() -> None:
    given = call("write_to_file", TargetFile='"/p/a.txt"', CodeContent='"say \\"hi\\""')
    (event,) = events("PreToolUse", **given)
    assert event.facts["file_path"] == "/p/a.txt"
    assert event.input == {"TargetFile": "/p/a.txt", "CodeContent": 'say "hi"'}
    (event,) = events("PreToolUse", **call(CommandLine='"echo" "x"'))
    assert event.facts["command"] == '"echo" "x"'


def test_a_step_that_failed_has_an_error() -> None:
    after, failed = events("PostToolUse", stepIdx=7, error="no such file\nx")
    assert (after.facts["success"], after.facts["error_message"]) == (False, "no such file")
    assert failed.type == "Agent.Error"


def test_a_stop_is_final_only_when_nothing_runs_on() -> None:
    for idle in (True, False):
        (event,) = events("Stop", executionNum=1, fullyIdle=idle, error="")
        assert event.facts["final"] is idle


def test_several_workspaces_name_no_folder() -> None:
    (event,) = events("SessionStart", workspacePaths=["/a", "/b"])
    assert "cwd" not in event.facts
