"""Windsurf Cascade: one claim a test, on payloads written from the vendor's hooks page."""

from __future__ import annotations

from typing import Any

import pytest

from hookstream.core.event import Event
from hookstream.core.records import Record
from hookstream.normalizers import compiled, normalize
from hookstream.normalizers.windsurf.table import EVENTS, VENDOR

NOW = "2026-11-21T03:13:34Z"


def payload(name: str, **info: Any) -> dict[str, Any]:
    return {
        "agent_action_name": name,
        "trajectory_id": "traj-1",
        "execution_id": "exec-1",
        "timestamp": "2026-07-01T10:00:00.5Z",
        "tool_info": info,
    }


def one(given: dict[str, Any]) -> Event:
    found = normalize(Record(given, "windsurf", received_at=NOW), compiled("windsurf"), NOW)
    assert isinstance(found, list), found
    (event,) = found
    assert event.unmapped is None
    return event


def test_all_12_events_have_a_row() -> None:
    assert len(EVENTS) == 12
    assert not VENDOR.absent


def test_the_claim_is_agent_action_name() -> None:
    given = payload("pre_run_command", command_line="ls")
    assert VENDOR.claims(given)
    assert not VENDOR.claims({"hook_event_name": "pre_run_command", "tool_info": {}})


def test_session_turn_and_time_are_native() -> None:
    event = one(payload("pre_user_prompt", user_prompt="hi"))
    assert (event.type, event.hook_point) == ("Prompt.Submitted", "PreUserInput")
    facts = event.facts
    assert (facts["session_id"], facts["turn_id"]) == ("traj-1", "exec-1")
    assert facts["timestamp"].startswith("2026-07-01T10:00:00")
    assert event.synthesized == []


def test_a_prompt_without_trajectory_id_gets_a_synthesized_session() -> None:
    given = payload("pre_user_prompt", user_prompt="hi")
    del given["trajectory_id"]
    assert "session_id" in one(given).synthesized


def test_a_finished_command_states_no_outcome() -> None:
    info = {"command_line": "npm install left-pad", "cwd": "/home/dev/project"}
    before, after = (one(payload(f"{when}_run_command", **info)) for when in ("pre", "post"))
    assert (before.type, after.type) == ("Action.Before", "Action.After")
    assert before.input == after.input == info
    assert before.facts["action_native"] == after.facts["action_native"] == "run_command"
    assert after.facts["command"] == "npm install left-pad"
    assert after.facts["action_category"] == "package_install"
    assert after.facts["cwd"] == "/home/dev/project"
    assert not {"success", "outcome", "exit_code", "call_id"} & set(after.facts)


def test_a_new_field_of_a_command_is_unmapped_and_no_argument() -> None:
    given = payload("post_run_command", command_line="ls", stdout="secret")
    found = normalize(Record(given, "windsurf", received_at=NOW), compiled("windsurf"), NOW)
    assert isinstance(found, list)
    assert found[0].input == {"command_line": "ls"}
    assert found[0].unmapped == {"tool_info": {"stdout": "secret"}}


def test_post_read_code_comes_after_a_successful_read_only() -> None:
    event = one(payload("post_read_code", file_path="/home/dev/project/a.py"))
    assert (event.facts["action_name"], event.facts["success"]) == ("read_file", True)
    assert event.facts["file_path"] == "/home/dev/project/a.py"


@pytest.mark.parametrize(
    ("edits", "category"),
    [
        ([{"old_string": "", "new_string": "x"}], "file_write"),
        ([{"old_string": "a", "new_string": "b"}], "file_edit"),
        ([{"old_string": "", "new_string": "x"}, {"old_string": "a"}], "file_edit"),
        ([], "file_edit"),
    ],
)
def test_edits_that_replace_nothing_are_a_new_file(edits: list[Any], category: str) -> None:
    event = one(payload("pre_write_code", file_path="/p/a.py", edits=edits))
    assert (event.facts["action_name"], event.facts["action_category"]) == ("write_file", category)


def test_an_mcp_call_names_server_and_tool() -> None:
    info = {
        "mcp_server_name": "github",
        "mcp_tool_name": "create_issue",
        "mcp_tool_arguments": {"title": "Bug"},
    }
    before = one(payload("pre_mcp_tool_use", **info))
    after = one(payload("post_mcp_tool_use", **info, mcp_result="done"))
    assert before.input == after.input == {"title": "Bug"}
    assert before.facts["action_name"] == "mcp:create_issue"
    assert before.facts["mcp_server"] == "github"
    assert (after.facts["success"], after.facts["output"]) == (True, "done")


def test_the_two_response_events_of_a_turn_are_one() -> None:
    text = one(payload("post_cascade_response", response="### Planner Response"))
    path = "/home/dev/.windsurf/transcripts/traj-1.jsonl"
    file = one(payload("post_cascade_response_with_transcript", transcript_path=path))
    assert text.type == file.type == "Agent.Response"
    assert text.facts["same_as"] == file.facts["same_as"]
    assert text.facts["response"] == "### Planner Response"
    assert file.facts["transcript_path"] == path
    later = {**payload("post_cascade_response", response="x"), "execution_id": "exec-2"}
    assert one(later).facts["same_as"] != text.facts["same_as"]


def test_responses_of_an_unnamed_turn_are_not_merged() -> None:
    given = payload("post_cascade_response", response="x")
    del given["execution_id"]
    assert "same_as" not in one(given).facts


def test_a_new_worktree_starts_a_session() -> None:
    tree = {"worktree_path": "/home/dev/.windsurf/w/1", "root_workspace_path": "/home/dev/project"}
    event = one(payload("post_setup_worktree", **tree))
    assert (event.type, event.hook_point) == ("Session.Start", "SessionStart")
    assert (event.facts["cwd"], event.facts["repo"]) == tuple(tree.values())
