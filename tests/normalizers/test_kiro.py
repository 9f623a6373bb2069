"""Kiro: one claim a test, on payloads written from the vendor's pages and published probes."""

from __future__ import annotations

from typing import Any

import pytest

from hookstream.core.event import Event
from hookstream.core.records import Record
from hookstream.normalizers import compiled, normalize
from hookstream.normalizers.kiro.table import VENDOR

NOW = "2026-11-21T03:13:34Z"


def cli(name: str, **own: Any) -> dict[str, Any]:
    """CLI 2.x"""
    return {"hook_event_name": name, "cwd": "/home/dev/project", **own}


def ide(name: str, **own: Any) -> dict[str, Any]:
    """CLI 3 and IDE 1.x"""
    return {**cli(name, **own), "session_id": "sess_1f0a"}


def events(given: dict[str, Any], **record: Any) -> list[Event]:
    found = normalize(Record(given, "kiro", received_at=NOW, **record), compiled("kiro"), NOW)
    assert isinstance(found, list), found
    for event in found:
        assert event.unmapped is None
    return found


def one(given: dict[str, Any], **record: Any) -> Event:
    (event,) = events(given, **record)
    return event


@pytest.mark.parametrize(
    "given",
    [
        cli("agentSpawn"),
        cli("preToolUse", tool_name="fs_read", tool_input={}),
        ide("PreToolUse", tool_name="fs_write", tool_input={}),
        ide("Stop"),
        cli("PostFileSave"),
        {"toolName": "fs_write", "toolArgs": {}, "toolResult": "", "toolSuccess": True},
    ],
)
def test_claimed(given: dict[str, Any]) -> None:
    assert VENDOR.claims(given)


@pytest.mark.parametrize(
    "given",
    [
        # Claude Code's shape with an id that is not Kiro's
        {**cli("PreToolUse"), "session_id": "6c2f"},
        {**ide("Stop"), "transcript_path": "/home/dev/.claude/projects/p/s.jsonl"},
        # Cursor, Codex, Copilot
        {**cli("stop"), "conversation_id": "c", "generation_id": "g"},
        {**ide("PreToolUse"), "turn_id": "t"},
        {**cli("preToolUse"), "timestamp": 1783000000000, "sessionId": "s"},
        {"toolName": "bash", "toolSuccess": True, "sessionId": "s", "timestamp": 1},
        {"hook_event_name": ["stop"], "cwd": "/p"},
    ],
)
def test_not_claimed(given: dict[str, Any]) -> None:
    assert not VENDOR.claims(given)


def test_a_missing_session_id_is_synthesized_from_the_directory() -> None:
    first, second = one(cli("agentSpawn")), one(cli("stop"))
    assert (first.type, first.hook_point) == ("Session.Start", "SessionStart")
    assert "session_id" in first.synthesized
    assert first.facts["session_id"] == second.facts["session_id"]
    assert "start_reason" not in first.facts


@pytest.mark.parametrize("given", [cli("userPromptSubmit"), ide("UserPromptSubmit")])
def test_a_prompt_is_submitted(given: dict[str, Any]) -> None:
    event = one({**given, "prompt": "fix it"})
    assert (event.type, event.facts["prompt"]) == ("Prompt.Submitted", "fix it")


def test_a_prompt_of_the_ide_s_own_workflow_is_no_human_prompt() -> None:
    event = one(ide("UserPromptSubmit", prompt="A workflow you launched (build) completed. ok"))
    assert event.type == "vendor.kiro.WorkflowPrompt"


def test_ide_0_gives_the_prompt_in_the_environment() -> None:
    event = one({}, native_event="promptSubmit", env={"USER_PROMPT": "fix it"})
    assert (event.type, event.facts["prompt"]) == ("Prompt.Submitted", "fix it")
    no_text = one({}, native_event="promptSubmit", env={"USER_PROMPT": '{"toolArgs":{}}'})
    assert "prompt" not in no_text.facts


def test_ide_0_call_is_recognised_without_an_event_name() -> None:
    given = {"toolName": "fs_write", "toolArgs": {}, "toolResult": "x", "toolSuccess": False}
    found = events(given)
    assert [event.type for event in found] == ["Action.After", "Agent.Error"]
    assert found[0].facts["success"] is False
    assert found[0].facts["native_event"] == "postToolUse"


def test_the_cli_s_success_flag_and_exit_status() -> None:
    answer: dict[str, Any] = {"success": True, "result": ["text"]}
    event = one(cli("postToolUse", tool_name="fs_read", tool_input={}, tool_response=answer))
    assert event.facts["success"] is True
    answer = {"success": True, "result": [{"exit_status": "2", "stdout": "", "stderr": "no"}]}
    call = {"tool_name": "execute_bash", "tool_input": {"command": "make"}}
    found = events(cli("postToolUse", **call, tool_response=answer))
    assert [event.type for event in found] == ["Action.After", "Agent.Error"]
    assert (found[0].facts["exit_code"], found[0].facts["success"]) == (2, False)


def test_ide_1_states_a_shell_exit_code_in_the_last_line_only() -> None:
    call = {"tool_name": "execute_bash", "tool_input": {}}
    text = "Output:\nExit Code: 7\n\nExit Code: 0"
    event = one(ide("PostToolUse", **call, tool_response=text))
    assert (event.facts["exit_code"], event.facts["success"]) == (0, True)
    event = one(ide("PostToolUse", tool_name="fs_read", tool_input={}, tool_response=text))
    assert not {"exit_code", "success", "outcome"} & set(event.facts)


def test_ide_1_has_no_success_flag_for_files() -> None:
    call = {"tool_name": "fs_write", "tool_input": {}}
    event = one(ide("PostToolUse", **call, tool_response="Created the a.py file."))
    assert not {"success", "outcome"} & set(event.facts)


@pytest.mark.parametrize(
    ("given", "category"),
    [
        ({"command": "create", "path": "a.py", "file_text": "x"}, "file_write"),
        ({"command": "str_replace", "path": "a.py", "old_str": "x"}, "file_edit"),
        ({"path": "a.py", "text": "x"}, "file_write"),
    ],
)
def test_the_command_of_fs_write_is_an_edit_verb(given: dict[str, Any], category: str) -> None:
    event = one(cli("preToolUse", tool_name="fs_write", tool_input=given))
    assert (event.facts["action_name"], event.facts["action_category"]) == ("write_file", category)
    assert event.facts["file_path"] == "a.py"
    assert "command" not in event.facts


def test_fs_read_names_its_file_in_a_list_of_operations() -> None:
    given = {"operations": [{"mode": "Line", "path": "/home/dev/project/.env"}]}
    event = one(cli("preToolUse", tool_name="fs_read", tool_input=given))
    assert event.facts["file_path"] == "/home/dev/project/.env"


def test_an_mcp_tool_is_written_server_slash_tool() -> None:
    event = one(cli("preToolUse", tool_name="@github/create_issue", tool_input={"title": "Bug"}))
    assert event.facts["action_name"] == "mcp:create_issue"
    assert event.facts["mcp_server"] == "github"


def test_a_sub_agent_is_dispatched_by_a_tool_of_its_name() -> None:
    event = one(ide("PreToolUse", tool_name="subagent_reviewer", tool_input={"prompt": "look"}))
    assert event.facts["action_category"] == "delegate"


def test_an_editor_s_file_event_is_no_action() -> None:
    assert one(ide("PostFileSave")).type == "vendor.kiro.PostFileSave"
    assert one({}, native_event="fileEdited").type == "vendor.kiro.PostFileSave"


def test_stop_is_the_final_response() -> None:
    event = one(cli("stop", assistant_response="done"))
    assert (event.type, event.facts["response"]) == ("Agent.Response", "done")
    assert event.facts["final"] is True
