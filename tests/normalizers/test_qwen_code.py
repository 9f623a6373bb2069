"""Qwen Code: one claim a test, on payloads cut from recordings of 0.24.4."""

from __future__ import annotations

from typing import Any

import pytest

from hookstream.core.event import Event
from hookstream.core.records import Record
from hookstream.normalizers import claimants, compiled, normalize
from hookstream.normalizers.qwen_code.client import CLIENT
from hookstream.normalizers.qwen_code.table import EVENTS, VENDOR
from hookstream.normalizers.qwen_code.telemetry import is_command

SESSION = "51dd7f26-c5cf-4277-8b64-b7a466a1e614"
TURN = f"{SESSION}########0"
RM = {"command": "rm -rf build", "description": "Remove build output", "is_background": False}
FAILED = (
    "Command: cat missing-file.txt\nDirectory: (root)\n"
    "Output: cat: missing-file.txt: No such file or directory\nError: (none)\n"
    "Exit Code: 1\nSignal: (none)\nProcess Group PGID: (none)"
)


def payload(name: str, **own: Any) -> dict[str, Any]:
    return {
        "session_id": SESSION,
        "transcript_path": f"/home/dev/.qwen/projects/-home-dev-project/chats/{SESSION}.jsonl",
        "cwd": "/home/dev/project",
        "hook_event_name": name,
        "timestamp": "2026-11-21T02:09:19.085Z",
        "permission_mode": "yolo",
        "prompt_id": TURN,
        **own,
    }


def result(name: str, **own: Any) -> list[Event] | str:
    record = Record(payload(name, **own), "qwen-code", received_at="2026-11-21T02:09:19.250Z")
    return normalize(record, compiled("qwen-code"), "2026-11-21T02:10:00Z")


def events(name: str, **own: Any) -> list[Event]:
    found = result(name, **own)
    assert isinstance(found, list), found
    for event in found:
        assert event.unmapped is None
    return found


def one(name: str, **own: Any) -> Event:
    (event,) = events(name, **own)
    return event


def types(found: list[Event]) -> list[tuple[str, str | None]]:
    return [(event.type, event.hook_point) for event in found]


def batch(status: str, text: str = "", name: str = "run_shell_command", /, **own: Any) -> Event:
    response = {
        "response_parts": [
            {"functionResponse": {"id": "call_0002", "name": name, "response": {"error": text}}}
        ],
        "execution_status": "not_started",
        "content_length": len(text),
        **own,
    }
    call = {
        "tool_name": name,
        "tool_input": RM,
        "tool_use_id": "call_0002",
        "tool_call_id": "call_0002",
        "status": status,
        "tool_response": response,
    }
    return one("PostToolBatch", tool_calls=[call])


# Prompts.


def test_only_a_submitted_prompt_is_a_persons() -> None:
    event = one("UserPromptSubmit", prompt="<context>clean up", submitted_prompt="clean up")
    assert types([event]) == [("Prompt.Submitted", "PreUserInput")]
    assert event.facts["prompt"] == "clean up"


def test_a_blank_prompt_is_a_persons_though_it_is_left_out_of_its_field() -> None:
    event = one("UserPromptSubmit", prompt=" ")
    assert types([event]) == [("Prompt.Submitted", "PreUserInput")]


def test_the_continuation_after_a_tool_is_no_prompt() -> None:
    assert result("UserPromptSubmit", prompt="") == "continuation, no prompt"


def test_a_stop_hooks_reason_is_an_event_but_no_prompt() -> None:
    event = one("UserPromptSubmit", prompt="Run the tests first.")
    assert types([event]) == [("vendor.qwen-code.UserPromptSubmit", None)]


def test_the_turn_of_another_session_is_not_taken_over() -> None:
    """After /clear the first events of the new session still name the old one's turn."""
    cleared = one("SessionStart", source="clear", model="qwen3", prompt_id="399cb75d########3")
    assert "turn_id" not in cleared.facts
    assert one("PreToolUse", tool_name="edit", tool_input={}).facts["turn_id"] == TURN


# Calls.


def test_calls_are_paired_on_the_providers_id() -> None:
    """tool_use_id is invented in PreToolUse and is the provider's id in the batch."""
    before = one(
        "PreToolUse",
        tool_name="run_shell_command",
        tool_input=RM,
        tool_use_id="toolu_1795226959084_au9iq5s80",
        tool_call_id="call_0002",
    )
    assert before.facts["call_id"] == "call_0002"
    assert batch("error", "no", error_type="execution_denied").facts["call_id"] == "call_0002"


def test_a_success_has_the_exit_code_and_the_bare_output() -> None:
    after = one(
        "PostToolUse",
        tool_name="run_shell_command",
        tool_input={"command": "echo original"},
        tool_response={
            "llmContent": "Command: echo original\nDirectory: (root)\nOutput: original\n"
            "Error: (none)\nExit Code: 0\nSignal: (none)\nProcess Group PGID: 20105",
            "returnDisplay": "original",
        },
        tool_call_id="call_0008",
        duration_ms=13,
    )
    assert after.facts["success"] is True
    assert after.facts["exit_code"] == 0
    assert after.facts["output"] == "original"
    assert after.facts["duration_ms"] == 13


def test_an_exit_code_outweighs_the_name_of_the_event() -> None:
    text = FAILED.replace("cat missing-file.txt\n", "grep x y\n", 1)
    after, error = events(
        "PostToolUse",
        tool_name="run_shell_command",
        tool_input={"command": "grep x y"},
        tool_response={"llmContent": text, "returnDisplay": ""},
    )
    assert after.facts["success"] is False
    assert error.facts["error_message"] == "Exit Code: 1"


def test_a_failed_command_says_its_exit_code_in_one_line() -> None:
    after, error = events(
        "PostToolUseFailure",
        tool_name="run_shell_command",
        tool_input={"command": "cat missing-file.txt"},
        tool_call_id="call_0002",
        error=FAILED,
        is_interrupt=False,
        duration_ms=34,
    )
    assert after.facts["exit_code"] == 1
    assert after.facts["outcome"] == "error"
    assert after.facts["error_message"] == "Exit Code: 1"
    assert after.facts["output"] == FAILED
    assert error.facts["derived"] is True


def test_an_interrupt_is_no_failure_of_the_tool() -> None:
    (after,) = events(
        "PostToolUseFailure", tool_name="edit", tool_input={}, error="stopped", is_interrupt=True
    )
    assert after.facts["outcome"] == "cancelled"


def test_an_mcp_name_divides_at_its_double_underscores() -> None:
    before = one("PreToolUse", tool_name="mcp__tracker__lookup", tool_input={"id": "T-17"})
    assert before.facts["action_name"] == "mcp:lookup"
    assert before.facts["mcp_server"] == "tracker"


# Batches: the only trace of a refused call.


def test_a_denied_entry_proves_the_refusal_with_its_reason() -> None:
    entry = batch(
        "error",
        "Destructive command blocked by policy",
        error="Destructive command blocked by policy",
        error_type="execution_denied",
        result_display="Destructive command blocked by policy",
    )
    assert entry.facts["reported_by"] == "batch"
    assert entry.facts["outcome"] == "denied"
    assert entry.facts["decision"] == "deny"
    assert entry.facts["certainty"] == "observed"
    assert entry.facts["decision_reason"] == "Destructive command blocked by policy"
    assert entry.facts["decided_by"] == "hook", "no sentence of the client's, as in its files"
    assert entry.facts["decision_evidence"] == "tool_calls.tool_response.error_type, by exclusion"
    assert "output" not in entry.facts
    assert "success" not in entry.facts


def test_a_persons_refusal_shows_as_cancelled() -> None:
    entry = batch("cancelled", "[Operation Cancelled] Reason: User did not allow tool call")
    assert entry.facts["outcome"] == "denied"
    assert entry.facts["decided_by"] == "user"
    assert entry.facts["decision_reason"] == "User did not allow tool call"
    assert entry.facts["decision_evidence"] == "tool_calls.status"


def test_another_cancelled_entry_is_no_refusal() -> None:
    entry = batch("cancelled", "[Operation Cancelled] Reason: Tool call cancelled by user.")
    assert entry.facts["outcome"] == "cancelled"
    assert entry.facts["success"] is False
    assert "decision" not in entry.facts


PERMISSION = 'Qwen Code requires permission to use "write_file", but that permission was declined'


@pytest.mark.parametrize(
    ("error", "who"),
    [
        (f"{PERMISSION} (non-interactive mode cannot prompt for confirmation).", "client"),
        (f'{PERMISSION}. Matching deny rule: "write_file".', "client"),
        (f'{PERMISSION}. Matching deny rule: "Edit(*.env)".', "rule"),
        (
            'Tool "edit" requires permission, but background agents cannot prompt for'
            " confirmation. The tool call was denied.",
            "client",
        ),
        ('Permission denied by hook for "edit"', "hook"),
        (
            'This "edit" invocation was denied by permission rules. Matching deny rule: "edit".',
            "rule",
        ),
        ('Tool "edit" is not permitted by this agent\'s tool policy (blocklist).', "rule"),
        ('Tool blocked by plan mode: "edit" is not a read-only tool.', "mode"),
    ],
)
def test_the_clients_fixed_words_say_who_refused(error: str, who: str) -> None:
    entry = batch("error", error, error=error, error_type="execution_denied")
    assert entry.facts["decided_by"] == who
    assert "decided_by" in entry.synthesized


def test_plan_mode_refuses_without_an_error_type() -> None:
    entry = batch("error", result_display="Plan mode blocked a non-read-only tool call.")
    assert entry.facts["outcome"] == "denied"
    assert entry.facts["decided_by"] == "mode"
    assert entry.facts["decision_evidence"] == "tool_calls.tool_response.result_display"


def test_an_unknown_tool_is_an_error_and_no_refusal() -> None:
    text = 'Tool "no_such_tool" not found in registry.'
    entry = batch("error", text, "no_such_tool", error=text, error_type="tool_not_registered")
    assert entry.facts["outcome"] == "error"
    assert entry.facts["error_code"] == "tool_not_registered"
    assert entry.facts["error_message"] == text
    assert "decision" not in entry.facts


def test_a_successful_entry_says_so_itself() -> None:
    entry = batch("success", "", "read_file", result_display="", execution_status="success")
    assert entry.facts["outcome"] == "ok"
    assert "decision" not in entry.facts


def test_each_call_of_a_batch_is_an_event() -> None:
    calls = [{"tool_name": "edit", "tool_call_id": f"call_{n}", "status": "x"} for n in range(3)]
    found = events("PostToolBatch", tool_calls=calls)
    assert [event.facts["call_id"] for event in found] == ["call_0", "call_1", "call_2"]
    assert len({event.facts["event_id"] for event in found}) == 3


# Permissions.


def test_a_permission_request_is_a_question_about_the_action() -> None:
    event = one("PermissionRequest", tool_name="run_shell_command", tool_input=RM)
    assert types([event]) == [("Agent.Notification", None)]
    assert event.facts["notification_type"] == "ToolPermission"
    assert event.facts["command"] == "rm -rf build"
    assert "call_id" not in event.facts


@pytest.mark.parametrize(
    ("reason", "who"),
    [("classifier_blocked", "classifier"), ("classifier_unavailable", "client")],
)
def test_automatic_mode_refuses_by_its_classifier_or_for_want_of_it(reason: str, who: str) -> None:
    event = one(
        "PermissionDenied",
        tool_name="run_shell_command",
        tool_input=RM,
        tool_use_id="call_0002",
        reason=reason,
    )
    assert types([event]) == [("Policy.Blocked", None)]
    assert event.facts["decided_by"] == who
    assert event.facts["decision_reason"] == reason
    assert event.facts["call_id"] == "call_0002"


# Stops.


def test_a_stop_tells_the_size_of_the_context_and_no_tokens_of_the_turn() -> None:
    """input_tokens is the last request's: five calls of 1200 tokens end in a Stop with 1200."""
    response, context = events(
        "Stop",
        stop_hook_active=False,
        last_assistant_message="done",
        background_tasks=[{"id": "a", "description": "count files"}],
        crons=[],
        context_usage=0.0012,
        context_limit=1000000,
        input_tokens=1200,
    )
    assert types([response, context]) == [
        ("Agent.Response", "PreOutputDeliver"),
        ("Context.UntilCompaction", None),
    ]
    assert "input_tokens" not in response.facts
    assert context.facts["tokens_used"] == 1200
    assert context.facts["tokens_limit"] == 1000000
    assert context.facts["percentage_used"] == 0.12
    assert context.facts["tokens_remaining"] == 998800


def test_a_context_beyond_its_limit_is_full() -> None:
    _, context = events(
        "Stop", context_usage=1.2, context_limit=1000, input_tokens=1200, stop_hook_active=False
    )
    assert context.facts["percentage_used"] == 100.0
    assert context.facts["tokens_remaining"] == 0


def test_a_stop_without_numbers_says_nothing_of_the_context() -> None:
    found = events("Stop", stop_hook_active=False, last_assistant_message="ok")
    assert types(found) == [("Agent.Response", "PreOutputDeliver")]


def test_the_loop_guard_is_no_error_of_the_model() -> None:
    event = one(
        "StopFailure", error="loop_detected", error_details="consecutive_identical_tool_calls"
    )
    assert types([event]) == [("Retry.Loop.Detected", None)]
    assert event.facts["error_code"] == "loop_detected"
    assert "retry_iteration" not in event.facts


def test_another_stop_failure_is_one_of_the_model() -> None:
    found = events("StopFailure", error="rate_limit", error_details="429")
    assert types(found) == [("Model.Failed", None), ("Agent.Error", None)]
    assert found[1].facts["derived"] is True


def test_only_the_last_display_of_a_message_is_an_event() -> None:
    shown = {"message_id": "m1", "displayed_text": "Hello, "}
    assert result("MessageDisplay", **shown, is_final=False) == "stream chunk"
    event = one("MessageDisplay", **shown, is_final=True)
    assert types([event]) == [("vendor.qwen-code.MessageDisplay", None)]


# Sessions, sub-agents, compactions.


def test_a_start_after_a_compaction_is_no_new_session() -> None:
    event = one("SessionStart", source="compact", model="qwen3-coder-plus")
    assert types([event]) == [("Context.Compaction", None)]
    assert event.facts["context_phase"] == "restarted"


def test_before_and_after_of_a_compaction() -> None:
    before = one("PreCompact", trigger="manual", custom_instructions="")
    after = one("PostCompact", trigger="manual", compact_summary="<state_snapshot/>")
    assert types([before, after]) == [
        ("Context.Compaction", "PreCompact"),
        ("Context.Compaction", "PostCompact"),
    ]
    assert after.facts["summary"] == "<state_snapshot/>"


def test_a_sub_agent_has_its_id_and_type() -> None:
    agent = {"agent_id": "general-purpose-call_0002", "agent_type": "general-purpose"}
    start = one("SubagentStart", **agent)
    assert types([start]) == [("Agent.Plan.Start", "PreSubAgentSpawn")]
    assert start.facts["agent_id"] == "general-purpose-call_0002"
    end = one("SubagentStop", **agent, last_assistant_message="2 files", stop_hook_active=False)
    assert types([end]) == [("Agent.Plan.End", "PostSubAgentResult")]


def test_the_arguments_of_a_slash_command_are_not_kept_beside_its_prompt() -> None:
    event = one(
        "UserPromptExpansion", command_name="fix", command_args="the login", prompt="Fix the login"
    )
    assert event.native == {"command_name": "fix"}
    assert event.facts["prompt"] == "Fix the login"


# Whose payload.


@pytest.mark.parametrize("name", sorted(EVENTS))
def test_it_claims_each_of_its_events(name: str) -> None:
    assert VENDOR.claims(payload(name))


@pytest.mark.parametrize("without", ["timestamp", "session_id", "hook_event_name"])
def test_it_leaves_payloads_that_lack_what_it_always_has(without: str) -> None:
    given = payload("PreToolUse")
    del given[without]
    assert not VENDOR.claims(given)


def test_a_time_alone_is_not_enough() -> None:
    """Copilot's events of these names have a time and no approval mode."""
    given = payload("PreToolUse", transcript_path="/home/dev/.copilot/session-state/a/events.jsonl")
    del given["permission_mode"]
    assert not VENDOR.claims(given)


BOTH = (
    "PreToolUse PostToolUse PostToolUseFailure PermissionRequest PermissionDenied UserPromptSubmit "
    "SessionStart SessionEnd Stop StopFailure SubagentStart SubagentStop PreCompact PostCompact "
    "Notification InstructionsLoaded"
).split()
OF_THE_REFERENCE = (
    "QueryEnd ConfigChange TeammateIdle CwdChanged FileChanged WorktreeCreate WorktreeRemove "
    "Elicitation ElicitationResult TaskCreated TaskCompleted"
).split()
OF_THE_PACKAGE = (
    "PostToolBatch UserPromptExpansion SessionDelete MessageDisplay TodoCreated TodoCompleted"
).split()


def test_the_table_has_the_events_of_the_reference_and_of_the_package() -> None:
    assert set(VENDOR.events) == {*BOTH, *OF_THE_REFERENCE, *OF_THE_PACKAGE}
    assert len(BOTH) + len(OF_THE_REFERENCE) == 27
    assert not VENDOR.absent


def test_all_are_registered_but_the_one_whose_hook_replaces_the_action() -> None:
    assert {*CLIENT.events} == set(VENDOR.events) - {"WorktreeCreate"}
    assert set(CLIENT.left_out) == {"WorktreeCreate"}


def test_the_end_of_a_query_keeps_what_is_not_documented() -> None:
    (event,) = result("QueryEnd", status="done")  # type: ignore[misc]
    assert event.type == "vendor.qwen-code.QueryEnd"
    assert event.facts["turn_id"] == TURN
    assert event.unmapped == {"status": "done"}


@pytest.mark.parametrize("name", OF_THE_REFERENCE)
def test_an_event_of_the_reference_is_claimed_and_named_after_this_client(name: str) -> None:
    assert claimants(payload(name)) == ["qwen-code"]
    event = one(name)
    assert event.type in (f"vendor.qwen-code.{name}", "Agent.Notification")
    assert event.facts["session_id"] == SESSION


@pytest.mark.parametrize(
    ("prompt", "is_own"),
    [("/compress", True), ("/stats model", True), ("/init", False), ("/etc/hosts?", False)],
)
def test_a_command_that_the_client_carries_out_is_no_prompt(prompt: str, is_own: bool) -> None:
    assert is_command({"prompt": prompt}) is is_own
