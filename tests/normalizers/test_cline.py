"""Cline: one claim a test, on payloads cut from recordings of CLI 3.0.65 and, for the extension,
written from its published protocol."""

from __future__ import annotations

import json
from typing import Any

import pytest

from hookstream.core.event import Event
from hookstream.core.records import Record
from hookstream.normalizers import compiled, normalize
from hookstream.normalizers.cline.table import EVENTS, NAMES, VENDOR

ROOT = "1795227251389_ut3f5"
CONVERSATION = "conv_1795227251907_ixkjmoz"
PARENT = "agent_1795227251762_ygmjf6"
CHILD = "agent_1795227252445_71nc4x"


def sdk(hook_name: str, **own: Any) -> dict[str, Any]:
    """What the CLI writes: ISO time, an empty version, its own names of the events."""
    return {
        "clineVersion": "",
        "timestamp": "2026-11-21T02:14:12.736Z",
        "taskId": CONVERSATION,
        "sessionContext": {"rootSessionId": ROOT},
        "workspaceRoots": ["/home/dev/project"],
        "workspaceInfo": {
            "rootPath": "/home/dev/project",
            "hint": "project",
            "latestGitCommitHash": "2bbb898b5882b23580636e65daf830df21da8e3f",
            "latestGitBranchName": "master",
        },
        "userId": "unknown",
        "agent_id": PARENT,
        "parent_agent_id": None,
        "hookName": hook_name,
        **own,
    }


def ext(hook_name: str, **own: Any) -> dict[str, Any]:
    """What the extension writes: milliseconds as text, the names of the hook files."""
    return {
        "clineVersion": "3.70.0",
        "hookName": hook_name,
        "timestamp": "1795227252736",
        "taskId": "1795227251389",
        "workspaceRoots": ["/home/dev/project"],
        "userId": "machine-1",
        "model": {"provider": "anthropic", "slug": "claude-sonnet-5"},
        **own,
    }


def events(given: dict[str, Any]) -> list[Event]:
    record = Record(given, "cline", received_at="2026-11-21T02:14:13Z", client_version="3.0.65")
    found = normalize(record, compiled("cline"), "2026-11-21T02:14:14Z")
    assert isinstance(found, list), found
    for event in found:
        assert event.unmapped is None
    return found


def one(given: dict[str, Any]) -> Event:
    (event,) = events(given)
    return event


def types(found: list[Event]) -> list[tuple[str, str | None]]:
    return [(event.type, event.hook_point) for event in found]


def done(name: str, given: Any, output: Any, **own: Any) -> list[Event]:
    """A tool_result, with the postToolUse beside it that says success whatever happened."""
    strings = {"toolName": name, "parameters": {}, "result": json.dumps(output), "success": True}
    return events(
        sdk(
            "tool_result",
            iteration=1,
            tool_result={
                "id": "call_tools_3_0_240263",
                "name": name,
                "input": given,
                "output": output,
                "durationMs": 17,
                "startedAt": "2026-11-21T02:14:00.346Z",
                "endedAt": "2026-11-21T02:14:00.363Z",
                **own,
            },
            postToolUse={**strings, "executionTimeMs": 17},
        )
    )


def ran(*results: dict[str, Any]) -> list[Event]:
    commands = [result["query"] for result in results]
    return done("run_commands", {"commands": commands}, list(results))


# How a call ended.


def test_a_failed_command_is_a_failure_although_post_tool_use_says_success() -> None:
    after, error = ran(
        {
            "query": "cat does-not-exist.txt; exit 3",
            "result": "[Command exited with code 3]\n\n[stderr]\ncat: does-not-exist.txt: No such",
            "error": "Command exited with code 3",
            "success": False,
        }
    )
    assert after.facts["success"] is False
    assert after.facts["exit_code"] == 3
    assert after.facts["error_message"] == "Command exited with code 3"
    assert after.facts["outcome"] == "error"
    assert types([error]) == [("Agent.Error", None)]


def test_one_failed_command_of_several_fails_the_call() -> None:
    after, _ = ran(
        {"query": "true", "result": "", "success": True},
        {"query": "exit 2", "error": "Command exited with code 2", "success": False},
    )
    assert after.facts["success"] is False
    assert after.facts["command"] == "true\nexit 2"


def test_a_success_needs_every_element() -> None:
    (after,) = ran({"query": "ls", "result": "hello.txt\n", "success": True})
    assert after.facts["success"] is True
    assert after.facts["duration_ms"] == 17
    assert "exit_code" not in after.facts


def test_an_aborted_command_is_cancelled_and_no_failure_of_the_tool() -> None:
    (after,) = ran(
        {
            "query": "sleep 40",
            "result": "",
            "error": "Command failed: Command was aborted",
            "success": False,
        }
    )
    assert after.facts["outcome"] == "cancelled"


def test_the_output_may_be_one_object() -> None:
    (after,) = done(
        "editor",
        {"path": "/home/dev/project/hello.txt", "new_text": "hello world\n"},
        {"query": "edit:/home/dev/project/hello.txt", "result": "File created", "success": True},
    )
    assert after.facts["success"] is True


@pytest.mark.parametrize(("is_error", "success"), [(None, True), (True, False)])
def test_an_mcp_result_is_an_error_only_where_it_says_so(
    is_error: bool | None, success: bool
) -> None:
    output = {"content": [{"type": "text", "text": "ticket T-42: open"}], "isError": is_error}
    after = done("fixture__lookup_ticket", {"ticket": "T-42"}, output)[0]
    assert after.facts["success"] is success
    assert after.facts["action_name"] == "mcp:lookup_ticket"
    assert after.facts["mcp_server"] == "fixture"


def test_an_output_that_says_nothing_is_no_success() -> None:
    (after,) = done("skills", {"name": "x"}, "some text")
    assert "success" not in after.facts


# Refusals.


def test_an_unattended_run_refuses_what_needs_approval() -> None:
    reason = 'Tool "run_commands" requires approval in a TTY session'
    (blocked,) = done(
        "run_commands", {"commands": ["rm -rf x"]}, {"error": reason}, error="[object Object]"
    )
    assert types([blocked]) == [("Policy.Blocked", None)]
    assert blocked.facts["decision"] == "deny"
    assert blocked.facts["decided_by"] == "client"
    assert blocked.facts["decision_reason"] == reason
    assert blocked.facts["decision_evidence"] == "tool_result.output.error"
    assert blocked.facts["certainty"] == "observed"
    assert blocked.facts["command"] == "rm -rf x"
    assert blocked.facts["call_id"] == "call_tools_3_0_240263"


def test_a_person_refuses() -> None:
    (blocked,) = done("editor", {"path": "a"}, {"error": 'Tool "editor" was denied by user'})
    assert blocked.facts["decided_by"] == "user"


def test_a_tools_own_error_about_an_approval_is_no_refusal() -> None:
    error = "the pull request requires approval"
    after, _ = ran({"query": "gh pr merge", "result": "", "error": error, "success": False})
    assert types([after]) == [("Action.After", "PostToolUse")]


def test_a_useless_error_text_is_not_taken() -> None:
    after, error = done("editor", {"path": "a"}, None, error="[object Object]")
    assert after.facts["success"] is False
    assert "error_message" not in after.facts
    assert "error_message" not in error.facts


# What a call aims at.


def before(name: str, given: Any) -> Event:
    strings = {"toolName": name, "parameters": {"commands": "[]"}}
    call = {"id": "call_1", "name": name, "input": given}
    return one(sdk("tool_call", iteration=1, tool_call=call, preToolUse=strings))


def test_the_typed_input_is_preferred_to_the_strings() -> None:
    event = before("run_commands", {"commands": ["ls -la"]})
    assert types([event]) == [("Action.Before", "PreToolUse")]
    assert event.facts["native_event"] == "PreToolUse"
    assert event.facts["command"] == "ls -la"
    assert event.input == {"commands": ["ls -la"]}


@pytest.mark.parametrize("given", ["ls -la", ["ls -la"], [{"command": "ls", "args": ["-la"]}]])
def test_commands_come_in_several_shapes(given: Any) -> None:
    assert before("run_commands", given).facts["command"] == "ls -la"


def test_the_first_file_and_the_first_address_stand_in_lists() -> None:
    event = before("read_files", {"files": [{"path": "/a"}, {"path": "/b"}]})
    assert event.facts["file_path"] == "/a"
    event = before("fetch_web_content", {"requests": [{"url": "http://x/", "prompt": "sum up"}]})
    assert event.facts["url"] == "http://x/"


def test_the_editor_writes_or_edits() -> None:
    writes = before("editor", {"path": "/a", "new_text": "x"})
    edits = before("editor", {"path": "/a", "new_text": "x", "old_text": "y"})
    assert writes.facts["action_category"] == "file_write"
    assert edits.facts["action_category"] == "file_edit"
    assert {"new_text", "old_text"} <= edits.content_arguments


# The extension.


def test_a_missing_success_is_false() -> None:
    """proto3 leaves out what has its default value."""
    call = {"toolName": "execute_command", "parameters": {"command": "false"}, "result": "x"}
    after, _ = events(ext("PostToolUse", postToolUse=call))
    assert after.facts["success"] is False
    (after,) = events(ext("PostToolUse", postToolUse={**call, "success": True}))
    assert after.facts["success"] is True
    assert after.facts["command"] == "false"
    assert after.facts["output"] == "x"


def test_the_arguments_of_an_mcp_call_are_json_text() -> None:
    parameters = {
        "server_name": "tracker",
        "tool_name": "lookup",
        "arguments": '{"id": "T-17"}',
    }
    call = {"toolName": "use_mcp_tool", "parameters": parameters}
    event = one(ext("PreToolUse", preToolUse=call))
    assert event.facts["action_name"] == "mcp:lookup"
    assert event.facts["mcp_server"] == "tracker"
    assert event.input is not None
    assert event.input["arguments"] == {"id": "T-17"}


def test_a_files_content_is_not_parsed_for_being_json() -> None:
    call = {"toolName": "write_to_file", "parameters": {"path": "a.json", "content": '{"a": 1}'}}
    event = one(ext("PreToolUse", preToolUse=call))
    assert event.input == {"path": "a.json", "content": '{"a": 1}'}


def test_a_person_refuses_in_the_extension() -> None:
    call = {"toolName": "read_file", "parameters": {"path": "a"}}
    text = "The user denied this operation."
    (blocked,) = events(ext("PostToolUse", postToolUse={**call, "result": text}))
    assert types([blocked]) == [("Policy.Blocked", None)]
    assert blocked.facts["decision_evidence"] == "postToolUse.result"


def test_the_time_is_milliseconds_as_text() -> None:
    event = one(ext("UserPromptSubmit", userPromptSubmit={"prompt": "hello", "attachments": []}))
    assert types([event]) == [("Prompt.Submitted", "PreUserInput")]
    assert event.facts["timestamp"] == "2026-11-21T02:14:12.736Z"
    assert event.facts["session_id"] == "1795227251389"
    assert event.facts["model_id"] == "anthropic/claude-sonnet-5"
    assert event.facts["tool_version"] == "3.70.0"
    assert event.facts["user_id"] == "machine-1"


def test_a_compaction_knows_its_strategy_and_about_its_size() -> None:
    event = one(
        ext(
            "PreCompact",
            preCompact={
                "taskId": "1795227251389",
                "contextSize": 42,
                "compactionStrategy": "standard-truncation-lasthalf",
                "tokensIn": "1200",
                "tokensInCache": 300,
                "contextJsonPath": "/tmp/a.json",
            },
        )
    )
    assert types([event]) == [("Context.Compaction", "PreCompact")]
    assert event.facts["context_trigger"] == "auto"
    assert event.facts["strategy"] == "standard-truncation-lasthalf"
    assert event.facts["message_count"] == 42
    assert event.facts["tokens_before"] == 1500
    assert {"context_trigger", "tokens_before"} <= set(event.synthesized)


def test_a_need_for_a_person_is_not_taken_for_a_permission_question() -> None:
    notification = {"event": "ask", "message": "Done?", "requiresUserAction": True}
    event = one(ext("Notification", notification=notification))
    assert event.facts["message"] == "Done?"
    assert "notification_type" not in event.facts


# Sessions and agents.


def test_the_session_is_the_root_and_the_conversation_an_alias() -> None:
    event = one(sdk("agent_start", taskStart={"taskMetadata": {}}))
    assert types([event]) == [("Session.Start", "SessionStart")]
    assert event.facts["session_id"] == ROOT
    assert event.facts["session_alias"] == CONVERSATION
    assert event.facts["cwd"] == "/home/dev/project"
    assert event.facts["tool_version"] == "3.0.65", "the CLI's own is empty"
    assert "user_id" not in event.facts, "the CLI writes the word unknown"


def test_the_sessions_own_agent_is_no_sub_agent() -> None:
    event = one(sdk("agent_start", taskStart={"taskMetadata": {}}))
    assert "agent_id" not in event.facts
    assert event.native is not None
    assert event.native["agent_id"] == PARENT


def test_a_child_starts_and_ends_within_the_session() -> None:
    child = {"agent_id": CHILD, "parent_agent_id": PARENT, "taskId": "conv_2"}
    start = one(sdk("agent_start", **child, taskStart={"taskMetadata": {}}))
    assert types([start]) == [("Agent.Plan.Start", "PreSubAgentSpawn")]
    assert (start.facts["agent_id"], start.facts["parent_agent_id"]) == (CHILD, PARENT)
    assert start.facts["session_id"] == ROOT
    turn = {"outputText": "two files", "status": "completed"}
    end = one(sdk("agent_end", **child, turn=turn, iteration=2))
    assert types([end]) == [("Agent.Plan.End", "PostSubAgentResult")]
    assert end.facts["response"] == "two files"


def test_a_childs_task_is_no_persons_prompt() -> None:
    prompt = {"prompt": "list the files", "attachments": []}
    event = one(sdk("prompt_submit", parent_agent_id=PARENT, userPromptSubmit=prompt))
    assert types([event]) == [("vendor.cline.UserPromptSubmit", None)]


def test_a_finished_task_is_the_answer_and_the_end() -> None:
    turn = {"outputText": "Hello.", "status": "completed"}
    answer, end = events(sdk("agent_end", iteration=1, turn=turn, taskComplete={}))
    assert types([answer, end]) == [
        ("Agent.Response", "PreOutputDeliver"),
        ("Session.End", "SessionEnd"),
    ]
    assert answer.facts["response"] == "Hello."
    assert end.facts["end_reason"] == "completed"


def test_a_shutdown_without_a_reason_has_none() -> None:
    event = one(sdk("session_shutdown"))
    assert types([event]) == [("Session.End", "SessionEnd")]
    assert "end_reason" not in event.facts


def test_an_agents_error_keeps_no_stack() -> None:
    error = {"name": "Error", "message": "Incorrect API key provided", "stack": "Error\n at x"}
    event = one(sdk("agent_error", iteration=1, error=error))
    assert types([event]) == [("Agent.Error", None)]
    assert event.facts["error_message"] == "Incorrect API key provided"
    assert event.native == {"iteration": 1}


# Whose payload.


@pytest.mark.parametrize("name", sorted({*EVENTS, *NAMES}))
def test_it_claims_both_vocabularies(name: str) -> None:
    assert VENDOR.claims(sdk(name))
    assert NAMES.get(name, name) in EVENTS


def test_it_leaves_a_payload_without_its_event() -> None:
    assert not VENDOR.claims(sdk("something_else"))
