"""Devin: one claim a test, on payloads written from the vendor's pages and published captures."""

from __future__ import annotations

from typing import Any

import pytest

from hookstream.core.event import Event
from hookstream.core.records import Record
from hookstream.normalizers import claimants, compiled, normalize, vendor_of
from hookstream.normalizers.devin.table import VENDOR

NOW = "2026-11-24T11:00:00.000Z"
UUID = "0f61c1b2-0d53-4f0b-8a4f-7f2e5f4b1c22"
ENV = {"DEVIN_PROJECT_DIR": "/home/dev/project"}
CLAUDE = {
    "session_id": UUID,
    "transcript_path": f"/home/dev/.claude/projects/-home-dev-project/{UUID}.jsonl",
    "cwd": "/home/dev/project",
    "permission_mode": "default",
}


def payload(name: str, session: str = "regal-name", **own: Any) -> dict[str, Any]:
    return {"hook_event_name": name, "session_id": session, "prompt_id": "p-1", **own}


def call(name: str, tool: str = "exec", session: str = "regal-name", **own: Any) -> dict[str, Any]:
    given = {"tool_name": tool, "tool_input": {"command": "ls"}, "tool_use_id": f"{tool}_0"}
    return payload(name, session, **given, **own)


def events(given: dict[str, Any], **record: Any) -> list[Event]:
    found = normalize(Record(given, "devin", received_at=NOW, **record), compiled("devin"), NOW)
    assert isinstance(found, list), found
    assert all(event.unmapped is None for event in found)
    return found


def response(success: bool = True, output: str = "", error: str | None = None) -> dict[str, Any]:
    return {"success": success, "output": output, "error": error}


@pytest.mark.parametrize(
    "given",
    [
        {"hook_event_name": "PostCompaction", "session_id": UUID, "summary": None},
        call("PreToolUse", session=UUID),
        call("PostToolUse", "some_new_tool", UUID, tool_response=response()),
        payload("UserPromptSubmit", prompt="x"),
        {"hook_event_name": "SessionStart", "session_id": "regal-name", "source": "startup"},
    ],
    ids=["event", "tool", "result", "turn", "session"],
)
def test_each_mark_of_its_own_is_enough(given: dict[str, Any]) -> None:
    assert claimants(given) == ["devin"]


@pytest.mark.parametrize(
    "given",
    [
        {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {}, **CLAUDE},
        {"hook_event_name": "PreToolUse", "tool_name": "exec", "tool_input": {}, **CLAUDE},
        payload("Stop", UUID),
        {**call("PreToolUse"), "timestamp": "2026-11-24T11:00:00Z"},
        {**call("PreToolUse"), "turn_id": "t"},
        call("PreToolUse", "read", "sess_1f0a"),
        {**call("PreToolUse"), "cwd": "/home/dev/project"},
        {"hook_event_name": ["Stop"], "session_id": "regal-name"},
    ],
)
def test_what_another_client_may_have_sent_is_not_claimed(given: dict[str, Any]) -> None:
    assert not VENDOR.claims(given)


@pytest.mark.parametrize("named", ["claude-code", "windsurf", None])
@pytest.mark.parametrize("name", ["UserPromptSubmit", "Stop", "SessionStart", "PermissionRequest"])
def test_the_hooks_environment_shows_it_in_any_registration(named: str | None, name: str) -> None:
    """Those events have no mark of their own where a session has an id of another form."""
    given = {"hook_event_name": name, "session_id": UUID}
    assert vendor_of(Record(given, named, name, env=ENV)) == "devin"
    assert vendor_of(Record(given, "claude-code", name)) == "claude-code"


def test_claude_code_started_by_devin_stays_claude_code() -> None:
    """The variable reaches what Devin's shell starts; Claude Code's own fields decide."""
    given = {"hook_event_name": "Stop", "last_assistant_message": "x", **CLAUDE}
    assert vendor_of(Record(given, "claude-code", "Stop", env=ENV)) == "claude-code"


def test_a_call_through_another_registration_is_the_same_event() -> None:
    through = Record(call("PreToolUse"), "claude-code", "PreToolUse", NOW, env=ENV)
    assert vendor_of(through) == "devin"
    (own,) = events(call("PreToolUse"), native_event="PreToolUse", env=ENV)
    (other,) = normalize(through, compiled("devin"), NOW)  # type: ignore[misc]
    assert own.facts == other.facts
    assert own.facts["cwd"] == "/home/dev/project"
    assert "cwd" in own.synthesized


@pytest.mark.parametrize(
    ("answer", "success", "code"),
    [
        (response(output="OK\n\nExit code: 0"), True, 0),
        (response(output="1 failed\n\nExit code: 1"), False, 1),
        (response(output="Exit code: 7\n\nExit code: 0"), True, 0),
        (response(output="Exit code: 7\nmore"), True, None),
        (response(False, error="timed out\nafter 30 s"), False, None),
    ],
)
def test_a_command_ends_as_its_last_line_or_the_flag_says(
    answer: dict[str, Any], success: bool, code: int | None
) -> None:
    after, *errors = events(call("PostToolUse", tool_response=answer))
    assert (after.facts["success"], after.facts.get("exit_code")) == (success, code)
    assert bool(errors) == (not success)
    if answer["error"]:
        assert after.facts["error_message"] == "timed out"


def test_only_a_command_has_an_exit_code() -> None:
    given = call("PostToolUse", "read", tool_response=response(output="a\n\nExit code: 3"))
    (after,) = events(given)
    assert "exit_code" not in after.facts
    assert after.facts["success"] is True


def test_a_compaction_has_its_summary() -> None:
    (event,) = events(payload("PostCompaction", summary="what was done"))
    assert (event.type, event.hook_point) == ("Context.Compaction", "PostCompact")
    assert event.facts["summary"] == "what was done"
