"""Gemini CLI: one claim a test, on payloads cut from recordings of 0.61.0."""

from __future__ import annotations

from typing import Any

import pytest

from hookstream.core.event import Event
from hookstream.core.records import Record
from hookstream.normalizers import compiled, normalize
from hookstream.normalizers.gemini_cli.table import EVENTS, VENDOR

SESSION = "4a28bd1e-134d-410d-b036-b3d30c3e6f4f"
NATIVE_TIME = "2026-11-21T01:52:28.360Z"
TRACKER = {
    "server_name": "tracker",
    "tool_name": "lookup",
    "command": "python3",
    "args": ["/home/dev/hooks/mcp_echo.py"],
}


def payload(name: str, **own: Any) -> dict[str, Any]:
    return {
        "session_id": SESSION,
        "transcript_path": "/home/dev/.gemini/tmp/project/chats/session-4a28bd1e.jsonl",
        "cwd": "/home/dev/project",
        "hook_event_name": name,
        "timestamp": NATIVE_TIME,
        **own,
    }


def result(name: str, **own: Any) -> list[Event] | str:
    record = Record(payload(name, **own), "gemini-cli", received_at="2026-11-21T01:52:28.400Z")
    return normalize(record, compiled("gemini-cli"), "2026-11-21T01:52:29Z")


def events(name: str, **own: Any) -> list[Event]:
    found = result(name, **own)
    assert isinstance(found, list), found
    for event in found:
        assert event.unmapped is None
    return found


def one(name: str, **own: Any) -> Event:
    (event,) = events(name, **own)
    return event


def shell(text: str, shown: str = "", **own: Any) -> list[Event]:
    return events(
        "AfterTool",
        tool_name="run_shell_command",
        tool_input={"command": "cat missing-file.txt", "description": "Read a missing file"},
        tool_response={
            "llmContent": f"<untrusted_context>\n{text}\n</untrusted_context>",
            "returnDisplay": shown,
            **own,
        },
    )


def types(found: list[Event]) -> list[tuple[str, str | None]]:
    return [(event.type, event.hook_point) for event in found]


# How a call ended.


def test_an_exit_code_line_is_a_failure_although_no_error_field_says_so() -> None:
    shown = "cat: missing-file.txt: No such file or directory"
    after, error = shell(f"Output: {shown}\nExit Code: 1\nProcess Group PGID: 15548", shown)
    assert after.facts["success"] is False
    assert after.facts["outcome"] == "error"
    assert after.facts["exit_code"] == 1
    assert after.facts["error_message"] == "Exit Code: 1"
    assert types([error]) == [("Agent.Error", None)]
    assert error.facts["derived"] is True


def test_a_shell_result_without_the_line_is_a_success_and_no_exit_code_is_invented() -> None:
    (after,) = shell("Output: rewritten\nProcess Group PGID: 16337", "rewritten")
    assert after.facts["success"] is True
    assert "exit_code" not in after.facts


def test_an_exit_code_line_inside_the_output_is_the_commands_own() -> None:
    text = "Output: job 1 said\nExit Code: 7\nand went on\nProcess Group PGID: 16337"
    (after,) = shell(text, "...")
    assert after.facts["success"] is True


def test_a_signal_ends_a_command_without_success_or_exit_code() -> None:
    after, _ = shell("Output: (empty)\nSignal: 9\nProcess Group PGID: 16337")
    assert after.facts["success"] is False
    assert "exit_code" not in after.facts


def test_a_command_moved_to_the_background_has_no_known_end() -> None:
    (after,) = shell("Command moved to background (PID: 7). Output hidden.", "moved")
    assert "success" not in after.facts
    assert "outcome" not in after.facts


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("Command was cancelled by user before it could complete.", "cancelled"),
        ("Command was automatically cancelled because it exceeded the timeout", "timeout"),
    ],
)
def test_a_cancelled_command_and_a_timeout_are_told_apart(text: str, outcome: str) -> None:
    after, *errors = shell(text)
    assert after.facts["outcome"] == outcome
    assert bool(errors) is (outcome == "timeout")


def test_the_output_of_a_command_has_no_process_id() -> None:
    """Else two equal outputs would have two digests."""
    first, second = (
        shell(f"Output: allowed\nProcess Group PGID: {pid}", "allowed")[0].facts["output"]
        for pid in (1, 2)
    )
    assert first == second == "allowed"


def test_an_error_field_is_a_failure_with_its_code() -> None:
    after, error = events(
        "AfterTool",
        tool_name="read_file",
        tool_input={"file_path": "no/such/file.py"},
        tool_response={
            "llmContent": "Could not read file because no file was found.",
            "returnDisplay": "File not found.",
            "error": {"message": "File not found: no/such/file.py", "type": "file_not_found"},
        },
    )
    assert after.facts["success"] is False
    assert after.facts["error_code"] == "file_not_found"
    assert error.facts["error_type"] == "ToolFailed"
    assert error.facts["error_message"] == "File not found: no/such/file.py"


def test_the_contents_of_an_edit_are_not_kept_beside_the_output() -> None:
    after = one(
        "AfterTool",
        tool_name="write_file",
        tool_input={"file_path": "notes.txt", "content": "line one\n"},
        tool_response={
            "llmContent": "Successfully created and wrote to new file: notes.txt.",
            "returnDisplay": {"fileDiff": "+line one", "newContent": "line one\n"},
        },
    )
    assert after.facts["success"] is True
    assert after.facts["output"].startswith("Successfully")
    assert after.native is None


# Calls.


def test_a_call_has_no_id_and_none_is_made_up() -> None:
    before = one("BeforeTool", tool_name="glob", tool_input={"pattern": "**/*.py"})
    assert "call_id" not in before.facts
    assert before.facts["query"] == "**/*.py"


def test_an_mcp_call_is_named_by_the_payload_not_by_dividing_the_name() -> None:
    context = {**TRACKER, "server_name": "issue_tracker"}
    before = one(
        "BeforeTool",
        tool_name="mcp_issue_tracker_lookup",
        tool_input={"id": "T-17"},
        mcp_context=context,
    )
    assert before.facts["action_name"] == "mcp:lookup"
    assert before.facts["mcp_server"] == "issue_tracker"
    assert before.facts["server_command"] == "python3 /home/dev/hooks/mcp_echo.py"


def test_the_address_of_web_fetch_is_found_in_its_prompt_and_marked_as_derived() -> None:
    before = one(
        "BeforeTool",
        tool_name="web_fetch",
        tool_input={"prompt": "Summarise http://127.0.0.1:8099/page.html."},
    )
    assert before.facts["query"] == "http://127.0.0.1:8099/page.html"
    assert "query" in before.synthesized


def test_an_invoked_agent_is_a_call_and_a_bracket() -> None:
    given = {"agent_name": "generalist", "prompt": "count the python files"}
    before, start = events("BeforeTool", tool_name="invoke_agent", tool_input=given)
    assert types([before, start]) == [
        ("Action.Before", "PreToolUse"),
        ("Agent.Plan.Start", "PreSubAgentSpawn"),
    ]
    assert start.facts["agent_type"] == "generalist"
    assert start.facts["task"] == "count the python files"
    assert "derived" not in start.facts
    after, end = events(
        "AfterTool",
        tool_name="invoke_agent",
        tool_input=given,
        tool_response={
            "llmContent": [{"text": "Subagent 'generalist' finished."}],
            "returnDisplay": {"result": "2 files", "terminateReason": "GOAL"},
        },
    )
    assert types([after, end]) == [
        ("Action.After", "PostToolUse"),
        ("Agent.Plan.End", "PostSubAgentResult"),
    ]
    assert end.facts["response"] == "2 files"
    assert end.facts["stop_reason"] == "GOAL"


# Questions.


def ask(**details: Any) -> Event:
    return one(
        "Notification",
        notification_type="ToolPermission",
        message="Tool Confirm requires execution",
        details=details,
    )


def test_a_permission_question_carries_the_action() -> None:
    asked = ask(
        type="exec",
        title="Confirm Shell Command",
        command="git push origin main",
        rootCommand="git",
    )
    assert asked.facts["notification_type"] == "ToolPermission"
    assert asked.facts["action_native"] == "run_shell_command"
    assert asked.facts["command"] == "git push origin main"
    assert "action_native" in asked.synthesized


@pytest.mark.parametrize(
    ("title", "tool"), [("Confirm Write: notes.txt", "write_file"), ("Confirm Edit: a", "replace")]
)
def test_a_question_about_an_edit_keeps_no_content(title: str, tool: str) -> None:
    asked = ask(
        type="edit",
        title=title,
        fileName="notes.txt",
        filePath="/home/dev/project/notes.txt",
        fileDiff="+one",
        originalContent="",
        newContent="one\n",
    )
    assert asked.facts["action_native"] == tool
    assert asked.facts["file_path"] == "/home/dev/project/notes.txt"
    assert asked.native == {"details.type": "edit", "details.title": title}
    assert asked.input is None


def test_a_question_about_an_mcp_tool_names_server_and_tool() -> None:
    asked = ask(
        type="mcp",
        title="Confirm MCP Tool Execution",
        serverName="tracker",
        toolName="lookup",
        toolDisplayName="lookup (tracker MCP Server)",
    )
    assert asked.facts["action_native"] == "mcp_tracker_lookup"
    assert asked.facts["action_name"] == "mcp:lookup"


def test_a_question_of_an_unknown_kind_names_no_tool() -> None:
    assert "action_name" not in ask(type="ask_user", title="A question").facts


# Models.

REQUEST = {
    "model": "gemini-2.5-flash",
    "messages": [{"role": "user", "content": "hello"}, {"role": "model", "content": "hi"}],
    "config": {"temperature": 1},
}


def test_a_request_counts_its_messages() -> None:
    requested = one("BeforeModel", llm_request=REQUEST)
    assert types([requested]) == [("Model.Requested", "PreLLMRequest")]
    assert requested.facts["message_count"] == 2
    assert requested.facts["model_id"] == "gemini-2.5-flash"


def test_tool_selection_repeats_the_request_and_is_no_event() -> None:
    assert result("BeforeToolSelection", llm_request=REQUEST) == (
        "repeats the BeforeModel of the same request"
    )


def chunk(text: str, **end: Any) -> dict[str, Any]:
    parts = {"role": "model", "parts": ["**Planning**", text]}
    response = {"text": text, "candidates": [{"content": parts, "index": 0, **end}]}
    if end:
        response["usageMetadata"] = {
            "promptTokenCount": 5210,
            "candidatesTokenCount": 31,
            "totalTokenCount": 5253,
        }
    return response


def test_only_the_chunk_with_a_finish_reason_is_a_response() -> None:
    first = result("AfterModel", llm_request=REQUEST, llm_response=chunk("It has "))
    assert first == "stream chunk"
    last = one("AfterModel", llm_request=REQUEST, llm_response=chunk("two.", finishReason="STOP"))
    assert types([last]) == [("Model.Responded", "PostLLMResponse")]
    assert (last.facts["input_tokens"], last.facts["output_tokens"]) == (5210, 31)
    assert last.facts["stop_reason"] == "STOP"
    assert last.facts["response"] == "two.", "a thought is no part of the text"
    assert last.native == {"llm_response.usageMetadata.totalTokenCount": 5253}


# Turns, sessions, compactions.


def test_before_agent_is_a_prompt_and_after_agent_the_answer() -> None:
    assert types(events("BeforeAgent", prompt="say hello")) == [
        ("Prompt.Submitted", "PreUserInput")
    ]
    answer = one("AfterAgent", prompt="say hello", prompt_response="hi", stop_hook_active=True)
    assert types([answer]) == [("Agent.Response", "PreOutputDeliver")]
    assert answer.native == {"stop_hook_active": True}
    # The person's prompt, though a hook's reason may have come as one since.
    assert answer.facts["prompt"] == "say hello"


def test_nobody_typed_an_empty_prompt() -> None:
    assert types(events("BeforeAgent", prompt="")) == [("vendor.gemini-cli.BeforeAgent", None)]


def test_an_automatic_precompress_is_no_compaction() -> None:
    event = one("PreCompress", trigger="auto")
    assert types([event]) == [("vendor.gemini-cli.PreCompress", None)]
    assert event.facts["context_trigger"] == "auto"


def test_a_manual_precompress_is_the_start_of_a_compaction() -> None:
    event = one("PreCompress", trigger="manual")
    assert types([event]) == [("Context.Compaction", "PreCompact")]
    assert event.facts["context_phase"] == "before"


@pytest.mark.parametrize(
    ("source", "reason"), [("startup", "new"), ("resume", "resume"), ("clear", "restart")]
)
def test_a_start_has_the_standards_word(source: str, reason: str) -> None:
    assert one("SessionStart", source=source).facts["start_reason"] == reason


def test_a_clear_ends_a_session_as_a_reset() -> None:
    event = one("SessionEnd", reason="clear")
    assert event.facts["end_reason"] == "manual_reset"
    assert event.native == {"reason": "clear"}


def test_the_time_is_the_payloads() -> None:
    event = one("SessionEnd", reason="exit")
    assert event.facts["timestamp"] == NATIVE_TIME
    assert "timestamp" not in event.synthesized


def test_an_empty_transcript_path_is_none() -> None:
    assert "transcript_path" not in one("SessionEnd", reason="exit", transcript_path="").facts


# Whose payload.


@pytest.mark.parametrize("name", sorted(EVENTS))
def test_it_claims_each_of_its_events(name: str) -> None:
    assert VENDOR.claims(payload(name))


def test_it_leaves_a_session_start_of_its_fork_and_of_claude() -> None:
    assert not VENDOR.claims({**payload("SessionStart"), "permission_mode": "yolo"})
    claude = "/home/dev/.claude/projects/-home-dev--gemini/4a28bd1e.jsonl"
    assert not VENDOR.claims({**payload("SessionStart"), "transcript_path": claude})
