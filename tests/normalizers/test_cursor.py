"""Cursor: one claim a test, on payloads cut from recordings of the SDK runtime 1.0.32."""

from __future__ import annotations

import json
from typing import Any

import pytest

from hookstream.core.event import Event
from hookstream.core.records import Record
from hookstream.normalizers import compiled, normalize
from hookstream.normalizers.cursor.table import EVENTS, VENDOR
from hookstream.standards.aarts import aarts

NOW = "2026-11-21T03:13:34Z"
CONVERSATION = "agent-2206e62f-0ba4-433f-8ff8-ab5f93595ced"
TURN = "5f0c0f5e-1111-4222-8333-944444444444"
CALL = "61b9df57-49a9-4b63-b8ec-4c9bdeebcfbd"
LS = {"command": "ls -la", "cwd": "/home/dev/project", "timeout": 10000}


def payload(name: str, **own: Any) -> dict[str, Any]:
    """What the SDK runtime writes for an event, with the fields of this one."""
    return {
        "conversation_id": CONVERSATION,
        "generation_id": CONVERSATION,
        "model": "unknown",
        "session_id": CONVERSATION,
        "hook_event_name": name,
        "cursor_version": "1.0.0",
        "workspace_roots": ["/home/dev/project"],
        "user_email": None,
        "transcript_path": None,
        **own,
    }


def events(given: dict[str, Any], **record: Any) -> list[Event]:
    found = normalize(Record(given, "cursor", received_at=NOW, **record), compiled("cursor"), NOW)
    assert isinstance(found, list), found
    for event in found:
        assert event.unmapped is None
    return found


def one(name: str, **own: Any) -> Event:
    (event,) = events(payload(name, **own))
    return event


def types(found: list[Event]) -> list[tuple[str, str | None]]:
    return [(event.type, event.hook_point) for event in found]


def tool(name: str, output: dict[str, Any] | str, **own: Any) -> list[Event]:
    text = output if isinstance(output, str) else json.dumps(output)
    return events(
        payload(
            "postToolUse",
            tool_name=name,
            tool_input={},
            tool_output=text,
            duration=1.5,
            tool_use_id=CALL,
            **own,
        )
    )


def failure(name: str, message: str, kind: str = "error", **own: Any) -> list[Event]:
    given = {"tool_input": {}, "duration": 2.1, "is_interrupt": False, **own}
    return events(
        payload(
            "postToolUseFailure",
            tool_name=name,
            error_message=message,
            failure_type=kind,
            tool_use_id=CALL,
            **given,
        )
    )


def test_all_21_events_have_a_row() -> None:
    assert len(EVENTS) == 21
    assert not VENDOR.absent


# claims


def test_cursor_version_is_the_claim() -> None:
    assert VENDOR.claims({"hook_event_name": "workspaceOpen", "cursor_version": "1.0.0"})
    assert not VENDOR.claims({"hook_event_name": "preToolUse", "session_id": "s", "cwd": "/p"})


def test_the_first_builds_are_claimed_by_their_two_ids() -> None:
    ids = {"conversation_id": "c", "generation_id": "g", "workspace_roots": ["/p"]}
    assert VENDOR.claims({**ids, "hook_event_name": "stop"})
    assert not VENDOR.claims({**ids, "hook_event_name": "Stop"})
    assert not VENDOR.claims({**ids, "hook_event_name": ["stop"]})


# common facts


def test_generation_id_equal_to_conversation_id_is_no_turn() -> None:
    assert "turn_id" not in one("beforeSubmitPrompt", prompt="hi").facts
    assert one("beforeSubmitPrompt", prompt="hi", generation_id=TURN).facts["turn_id"] == TURN


def test_unknown_model_is_absent_and_the_id_goes_before_the_display_name() -> None:
    assert "model_id" not in one("preToolUse", tool_name="Shell").facts
    named = one("beforeSubmitPrompt", prompt="hi", model="Fake Model", model_id="fake-model")
    assert named.facts["model_id"] == "fake-model"
    assert one("beforeSubmitPrompt", prompt="hi", model="gpt-5").facts["model_id"] == "gpt-5"


def test_conversation_id_is_the_session_of_builds_without_session_id() -> None:
    given = payload("beforeSubmitPrompt", prompt="hi")
    del given["session_id"]
    (event,) = events(given)
    assert event.facts["session_id"] == CONVERSATION
    assert "session_id" not in event.synthesized


def test_the_known_client_version_goes_before_the_runtime_s_1_0_0() -> None:
    given = payload("sessionStart", is_background_agent=False)
    assert events(given, client_version="1.0.32")[0].facts["tool_version"] == "1.0.32"
    assert events(given)[0].facts["tool_version"] == "1.0.0"


def test_one_workspace_root_is_the_cwd_and_of_several_none() -> None:
    assert one("sessionStart").facts["cwd"] == "/home/dev/project"
    roots = ["/home/dev/a", "/home/dev/b"]
    (event,) = events(payload("sessionStart", workspace_roots=roots))
    assert "cwd" not in event.facts
    assert event.native is not None and event.native["workspace_roots"] == roots
    env = {"CURSOR_PROJECT_DIR": "/home/dev/a"}
    (event,) = events(payload("sessionStart", workspace_roots=roots), env=env)
    assert event.facts["cwd"] == "/home/dev/a"


def test_after_shell_execution_names_no_cwd_so_none_is_given() -> None:
    event = one("afterShellExecution", command="ls", output="", duration=1.0, sandbox=False)
    assert "cwd" not in event.facts


# sessions and turns


def test_session_events_fire_at_every_send_so_no_start_reason_is_claimed() -> None:
    start = one("sessionStart", is_background_agent=False)
    assert (start.type, start.hook_point) == ("Session.Start", "SessionStart")
    assert "start_reason" not in start.facts


@pytest.mark.parametrize(
    ("reason", "kind", "fact", "word"),
    [
        ("completed", "Session.End", "end_reason", "completed"),
        ("error", "Session.End", "end_reason", "error"),
        ("user_close", "Session.End", "end_reason", "exit"),
        ("aborted", "Session.Abort", "abort_reason", "aborted"),
    ],
)
def test_session_end_reason(reason: str, kind: str, fact: str, word: str) -> None:
    event = one("sessionEnd", reason=reason, duration_ms=1035, final_status=reason)
    assert (event.type, event.hook_point) == (kind, "SessionEnd")
    assert event.facts[fact] == word
    assert event.facts["duration_ms"] == 1035


def test_stop_with_a_session_id_ends_a_turn() -> None:
    event = one("stop", status="completed", loop_count=1, input_tokens=1200, output_tokens=57)
    assert (event.type, event.hook_point) == ("Agent.Response", None)
    assert event.facts["final"] is True
    assert (event.facts["input_tokens"], event.facts["output_tokens"]) == (1200, 57)


def test_stop_without_a_session_id_ends_the_session() -> None:
    given = payload("stop", status="completed", loop_count=0)
    del given["session_id"]
    assert types(events(given)) == [("Session.End", "SessionEnd")]


def test_stop_with_empty_ids_still_ends_a_turn() -> None:
    ids = {"conversation_id": "", "generation_id": "", "session_id": "", "model": ""}
    event = one("stop", status="aborted", loop_count=0, **ids)
    assert event.type == "Agent.Response"
    assert "session_id" in event.synthesized
    assert "turn_id" not in event.facts


def test_the_turn_s_tokens_count_once_on_stop() -> None:
    tokens = {"input_tokens": 1200, "output_tokens": 57, "cache_read_tokens": 256}
    event = one("afterAgentResponse", text="All done.", **tokens)
    assert (event.type, event.hook_point) == ("Agent.Response", "PreOutputDeliver")
    assert event.facts["response"] == "All done."
    assert not set(tokens) & set(event.facts)
    assert event.native is not None and event.native["input_tokens"] == 1200


def test_workspace_open_names_no_conversation() -> None:
    given = payload("workspaceOpen")
    for key in ("conversation_id", "generation_id", "session_id", "transcript_path", "model"):
        del given[key]
    (event,) = events(given)
    assert event.type == "vendor.cursor.WorkspaceOpen"
    assert "session_id" in event.synthesized


# tool calls


def test_an_exit_code_in_the_output_decides() -> None:
    (event,) = tool("Shell", {"output": "total 16\n", "exitCode": 0})
    assert event.facts["success"] is True
    assert event.facts["exit_code"] == 0
    assert event.facts["output"] == "total 16\n"
    found = tool("Shell", {"output": "", "exitCode": 1})
    assert types(found) == [("Action.After", "PostToolUse"), ("Agent.Error", None)]
    assert found[0].facts["outcome"] == "error"


def test_a_background_command_has_no_outcome_yet() -> None:
    (event,) = tool("Shell", {"shell_id": 3, "pid": 4711})
    assert not {"success", "outcome", "exit_code"} & set(event.facts)


def test_an_mcp_result_with_is_error_failed_though_post_tool_use_came() -> None:
    text = {"content": [{"type": "text", "text": "no such ticket"}], "isError": True}
    found = tool("MCP:lookup_ticket", text)
    assert types(found) == [("Action.After", "PostToolUse"), ("Agent.Error", None)]
    assert found[0].facts["success"] is False
    assert found[0].facts["action_name"] == "mcp:lookup_ticket"
    assert found[1].facts["derived"] is True


def test_an_unknown_mcp_tool_gives_an_empty_result_and_no_success() -> None:
    (event,) = tool("MCP:no_such", "{}")
    assert not {"success", "outcome"} & set(event.facts)


@pytest.mark.parametrize(
    ("result", "by", "reason"),
    [
        ({"rejected": True, "reason": "User rejected MCP: x"}, "user", "User rejected MCP: x"),
        ({"permissionDenied": True, "error": "MCP blocked: x"}, "rule", "MCP blocked: x"),
    ],
)
def test_a_refused_mcp_call_is_a_deny_though_it_is_reported_as_done(
    result: dict[str, Any], by: str, reason: str
) -> None:
    (event,) = tool("MCP:x", result)
    assert (event.type, event.facts["decision"]) == ("Policy.Blocked", "deny")
    assert (event.facts["decided_by"], event.facts["decision_reason"]) == (by, reason)
    assert "decided_by" in event.synthesized
    (specific,) = events(
        payload("afterMCPExecution", tool_name="x", result_json=json.dumps(result), duration=1)
    )
    assert (specific.type, specific.facts["reported_by"]) == ("Policy.Blocked", "specific")


def test_an_mcp_server_cannot_forge_a_deny_by_its_error_text() -> None:
    found = tool("MCP:x", {"error": "User rejected MCP: x"})
    assert found[0].type == "Action.After"
    assert found[0].facts["success"] is False


def test_a_tool_without_a_result_flag_succeeded_as_the_event_says() -> None:
    (event,) = tool("Read", {"file_path": "/home/dev/project/hello.txt", "content_length": 21})
    assert event.facts["success"] is True
    (event,) = tool("Delete", {"file_path": "/p/a", "deleted": False})[:1]
    assert event.facts["success"] is False


def test_a_failed_command_is_a_failure_and_its_message_is_its_output() -> None:
    found = failure("Shell", "line one\nline two", tool_input=LS)
    assert types(found) == [("Action.After", "PostToolUse"), ("Agent.Error", None)]
    after = found[0].facts
    assert (after["success"], after["outcome"]) == (False, "error")
    assert after["output"] == "line one\nline two"
    assert "error_message" not in after
    assert "exit_code" not in after
    assert found[1].facts["error_type"] == "ToolFailed"
    assert found[1].facts["origin_event"] == "Action.After"


def test_a_silent_failed_command_states_its_exit_code() -> None:
    after = failure("Shell", "Command failed with exit code 3", tool_input=LS)[0].facts
    assert after["exit_code"] == 3
    assert "output" not in after


def test_other_tools_fail_with_the_first_line_as_message() -> None:
    after = failure("Grep", "rg: regex parse error:\n    (?:**/*.txt)\n")[0].facts
    assert after["error_message"] == "rg: regex parse error:"


def test_a_timeout_and_a_cancel_look_alike_so_neither_is_claimed() -> None:
    found = failure("Shell", "Command was aborted", is_interrupt=True, duration=506.116)
    assert found[0].facts["outcome"] == "error"
    assert found[0].native is not None and found[0].native["is_interrupt"] is True
    stated = failure("Shell", "Command timed out after 500ms", "timeout")
    assert stated[0].facts["outcome"] == "timeout"


# denies


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("policy: not allowed", "policy: not allowed"),
        ("Hook blocked with message: exit 2", "Hook blocked with message: exit 2"),
        (
            "Command execution was blocked by a hook: policy: no\n\nTo view or modify configured "
            "hooks, go to Cursor Settings > Hooks.\n\nAgent note: Do not suggest workarounds.",
            "Command execution was blocked by a hook: policy: no",
        ),
    ],
)
def test_permission_denied_is_a_deny_and_no_failure(message: str, reason: str) -> None:
    (event,) = failure("Shell", message, "permission_denied", tool_input=LS, duration=0)
    assert (event.type, event.hook_point) == ("Policy.Blocked", None)
    facts = event.facts
    assert facts["decision"] == "deny"
    assert facts["decided_by"] == "hook"
    assert facts["decision_reason"] == reason
    assert facts["decision_evidence"] == "failure_type"
    assert facts["certainty"] == "observed"
    assert facts["command"] == "ls -la"
    assert facts["call_id"] == CALL
    assert not {"success", "outcome", "failure"} & set(facts)


def test_a_deny_for_an_unreadable_answer_is_a_failed_hook() -> None:
    message = 'Hook "python3 /home/dev/rec.py" returned invalid JSON. The command was blocked'
    (event,) = failure("Shell", message, "permission_denied", duration=0)
    assert event.facts["failure"] == "garbage"
    assert "failure" in event.synthesized


def test_a_hook_that_fails_closed_is_a_deny_though_the_type_says_error() -> None:
    closed = "Tool blocked because this hook is configured to fail closed (block when it fails). x"
    (event,) = failure("Write", closed, duration=0)
    assert (event.type, event.facts["failure"]) == ("Policy.Blocked", "hook-failed")
    assert event.facts["decision_evidence"] == "error_message"
    # The same words in a command's output prove nothing.
    assert failure("Shell", closed, duration=39.3)[0].type == "Action.After"


# the specific events repeat the generic ones


def test_a_shell_call_is_told_twice_under_the_same_tool_and_command() -> None:
    generic = one("preToolUse", tool_name="Shell", tool_input=LS, tool_use_id=CALL, cwd=LS["cwd"])
    specific = one("beforeShellExecution", command="ls -la", cwd=LS["cwd"], sandbox=False)
    assert specific.facts["reported_by"] == "specific"
    assert "call_id" not in specific.facts
    for fact in ("action_native", "action_name", "action_category", "command"):
        assert specific.facts[fact] == generic.facts[fact]
    assert specific.input == {"command": "ls -la", "cwd": LS["cwd"]}
    assert generic.input == {**specific.input, "timeout": 10000}


def test_after_shell_execution_has_no_exit_code_so_no_success() -> None:
    event = one("afterShellExecution", command="ls", output="a\n", duration=99.17, sandbox=False)
    assert (event.facts["reported_by"], event.facts["output"]) == ("specific", "a\n")
    assert not {"success", "outcome", "exit_code"} & set(event.facts)


def test_an_mcp_call_is_told_twice_under_the_same_tool_and_input() -> None:
    generic = one("preToolUse", tool_name="MCP:find", tool_input={"id": 1}, tool_use_id=CALL)
    specific = one(
        "beforeMCPExecution",
        tool_name="find",
        tool_input='{"id":1}',
        mcp_server_name="fixture",
        command="python3 /home/dev/mcp/fixture.py",
    )
    assert specific.input == generic.input == {"id": 1}
    assert specific.facts["action_native"] == generic.facts["action_native"] == "MCP:find"
    assert specific.facts["mcp_server"] == "fixture"
    # The launch line of the server is not the command of the call.
    assert specific.facts["server_command"] == "python3 /home/dev/mcp/fixture.py"
    assert "command" not in specific.facts


def test_a_read_is_told_twice_under_the_same_tool_and_input() -> None:
    given = {"file_path": "/home/dev/project/hello.txt"}
    generic = one("preToolUse", tool_name="Read", tool_input=given, tool_use_id=CALL)
    specific = one("beforeReadFile", content="hello\n", attachments=[], **given)
    assert specific.input == generic.input == given
    assert specific.facts["output"] == "hello\n"
    assert (specific.type, specific.facts["reported_by"]) == ("Action.Before", "specific")


def test_after_file_edit_shows_whether_a_write_created_or_changed_the_file() -> None:
    path = "/home/dev/project/hello.txt"
    new = one("afterFileEdit", file_path=path, edits=[{"old_string": "", "new_string": "a"}])
    assert (new.facts["action_native"], new.facts["action_category"]) == ("Write", "file_write")
    changed = one("afterFileEdit", file_path=path, edits=[{"old_string": "a", "new_string": "b"}])
    assert changed.facts["action_category"] == "file_edit"
    assert "action_category" in changed.synthesized


def test_tab_events_are_actions_that_no_other_event_tells() -> None:
    path = "/home/dev/project/app.py"
    before = one("beforeTabFileRead", file_path=path, content="import os\n")
    after = one("afterTabFileEdit", file_path=path, edits=[{"old_string": "a", "new_string": "b"}])
    assert (before.type, before.facts["action_name"]) == ("Action.Before", "read_file")
    assert (after.type, after.facts["action_name"]) == ("Action.After", "code_edit")
    assert "reported_by" not in before.facts
    assert "reported_by" not in after.facts


# sub-agents, context


def test_a_sub_agent_stands_in_its_parent_s_conversation() -> None:
    own = {
        "subagent_id": "sub-1",
        "subagent_type": "explore",
        "task": "List the files",
        "parent_conversation_id": CONVERSATION,
        "tool_call_id": "toolu_task_1",
        "subagent_model": "inherit",
        "is_parallel_worker": False,
    }
    event = one("subagentStart", **own)
    assert (event.type, event.hook_point) == ("Agent.Plan.Start", "PreSubAgentSpawn")
    assert (event.facts["agent_id"], event.facts["plan_type"]) == ("sub-1", "explore")
    assert event.facts["parent_call_id"] == "toolu_task_1"
    assert not {"parent_session_id", "model_id"} & set(event.facts)
    other = one("subagentStart", **{**own, "parent_conversation_id": "agent-other"})
    assert other.facts["parent_session_id"] == "agent-other"


def test_a_sub_agent_s_end_carries_summary_and_status() -> None:
    event = one("subagentStop", subagent_id="s", status="aborted", summary="two files", task="t")
    assert (event.type, event.hook_point) == ("Agent.Plan.End", "PostSubAgentResult")
    assert (event.facts["response"], event.facts["stop_reason"]) == ("two files", "aborted")
    assert event.facts["plan_type"] == "default"


def test_a_child_s_transcript_names_the_parent_session() -> None:
    path = "/home/dev/.cursor/projects/p/agent-transcripts/parent-1/subagents/child-1.jsonl"
    event = one("preToolUse", tool_name="Read", tool_input={}, transcript_path=path)
    assert event.facts["parent_session_id"] == "parent-1"
    assert "parent_session_id" in event.synthesized


def test_pre_compact_is_a_fill_level_and_a_compaction_about_to_start() -> None:
    found = events(
        payload(
            "preCompact",
            trigger="auto",
            context_usage_percent=91.5,
            context_tokens=183000,
            context_window_size=200000,
            message_count=64,
            messages_to_compact=58,
            is_first_compaction=True,
        )
    )
    assert types(found) == [("Context.UntilCompaction", None), ("Context.Compaction", "PreCompact")]
    level, compaction = found[0].facts, found[1].facts
    assert (level["tokens_used"], level["tokens_limit"]) == (183000, 200000)
    assert level["percentage_used"] == 91.5
    assert (compaction["context_phase"], compaction["context_trigger"]) == ("before", "auto")
    assert compaction["tokens_before"] == 183000
    assert not {"tokens_after", "tokens_removed"} & set(compaction)


def test_a_thought_is_a_model_response_whose_duration_is_not_the_call_s() -> None:
    event = one("afterAgentThought", text="thinking", duration_ms=1250)
    assert (event.type, event.facts["duration_ms"]) == ("Model.Responded", 1250)
    assert "latency_ms" not in event.facts


@pytest.mark.parametrize(
    ("attachments", "paths"),
    [
        (
            [{"type": "file", "file_path": "/w/a.py"}, {"type": "rule", "filePath": "/w/r.mdc"}],
            ["/w/a.py", "/w/r.mdc"],
        ),
        ([{"type": "file"}, "text", None], None),
        ([], None),
        ("none", None),
    ],
)
def test_files_attached_to_a_prompt_are_named(attachments: Any, paths: list[str] | None) -> None:
    event = one("beforeSubmitPrompt", prompt="Look.", attachments=attachments)
    assert event.facts.get("attached_files") == paths
    wrapper = aarts(event)
    assert wrapper is not None
    assert wrapper["aarts"].get("attached_files") == paths
