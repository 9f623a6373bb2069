"""Codex: one claim a test, on payloads cut from recordings of 0.169.0."""

from __future__ import annotations

import json
from typing import Any

import pytest

from hookstream.core.event import Event
from hookstream.core.records import Record
from hookstream.normalizers import compiled, normalize
from hookstream.normalizers.codex.table import VENDOR
from hookstream.sessions import Sessions

NOW = "2026-11-21T02:03:26Z"
THREAD = "01a1fbd8-1715-7072-94a6-79685b674388"
TURN = "01a1fbd8-1736-75c0-a503-00d412fbfec1"
CHILD = "01a1fbd9-a509-7b00-a749-7dac3a79f20d"
ROLLOUT = f"/home/dev/.codex/sessions/2026/11/21/rollout-2026-11-21T02-03-25-{THREAD}.jsonl"
PATCH = (
    "*** Begin Patch\n*** Update File: app.py\n@@\n-a\n+b\n*** Add File: n.txt\n+x\n*** End Patch\n"
)
TITLE_PROMPT = (
    "Generate a concise, single-line task title of at most 36 characters and under five words "
    "where possible. Do not answer the request.\n\nUser prompt:\nplease touch the outside file"
)


def hook(name: str, **own: Any) -> dict[str, Any]:
    """What the client writes for a hook event inside a turn."""
    return {
        "session_id": THREAD,
        "turn_id": TURN,
        "transcript_path": ROLLOUT,
        "cwd": "/home/dev/project",
        "hook_event_name": name,
        "model": "gpt-5.5",
        "permission_mode": "bypassPermissions",
        **own,
    }


def call(name: str, tool: str, given: Any, response: Any = None, **own: Any) -> dict[str, Any]:
    payload = hook(name, tool_name=tool, tool_input=given, tool_use_id="call_0004", **own)
    return payload if response is None else {**payload, "tool_response": response}


def notify(*messages: str, answer: str | None = "done", **own: Any) -> dict[str, Any]:
    """The JSON that notify gets as its last argument."""
    return {
        "type": "agent-turn-complete",
        "thread-id": THREAD,
        "turn-id": TURN,
        "cwd": "/home/dev/project",
        "client": "codex-tui",
        "input-messages": list(messages),
        "last-assistant-message": answer,
        **own,
    }


def events(given: dict[str, Any], **record: Any) -> list[Event]:
    found = normalize(Record(given, "codex", received_at=NOW, **record), compiled("codex"), NOW)
    assert isinstance(found, list), found
    for event in found:
        assert event.unmapped is None
    return found


def one(given: dict[str, Any], **record: Any) -> Event:
    (event,) = events(given, **record)
    return event


# Calls


def test_a_commands_outcome_is_unknown() -> None:
    response = "cat: missing-file.txt: No such file or directory\n"
    event = one(call("PostToolUse", "Bash", {"command": "cat missing-file.txt"}, response))
    assert event.type == "Action.After"
    assert event.facts["output"] == response
    assert not {"success", "outcome", "exit_code"} & set(event.facts)


def test_a_commands_output_that_speaks_of_an_exit_code_proves_nothing() -> None:
    event = one(call("PostToolUse", "Bash", {"command": "cat log"}, "Exit code: 1\n"))
    assert not {"success", "exit_code"} & set(event.facts)


def test_a_patch_states_its_exit_code() -> None:
    response = "Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated: M app.py\n"
    event = one(call("PostToolUse", "apply_patch", {"command": PATCH}, response))
    assert (event.facts["exit_code"], event.facts["success"]) == (0, True)
    assert "success" not in event.synthesized


def test_a_patch_that_failed_is_one_failure_and_one_derived_error() -> None:
    after, error = events(
        call("PostToolUse", "apply_patch", {"command": PATCH}, "Exit code: 1\nOutput:\nno\n")
    )
    assert (after.facts["success"], after.facts["outcome"]) == (False, "error")
    assert (error.type, error.facts["derived"]) == ("Agent.Error", True)
    assert error.facts["call_id"] == after.facts["call_id"]


def test_a_patch_is_content_and_its_file_is_not() -> None:
    event = one(call("PreToolUse", "apply_patch", {"command": PATCH}))
    assert "command" in event.content_arguments
    assert "command" not in event.facts
    assert event.facts["file_path"] == "app.py"
    assert event.facts["action_category"] == "file_edit"


@pytest.mark.parametrize("failed", [True, False])
def test_an_mcp_result_states_its_outcome(failed: bool) -> None:
    response = {"content": [{"type": "text", "text": "ticket"}], "isError": failed}
    after = events(call("PostToolUse", "mcp__tracker__lookup", {"id": "T-17"}, response))[0]
    assert after.facts["success"] is not failed
    assert after.facts["mcp_server"] == "tracker"
    assert after.facts["action_name"] == "mcp:lookup"


def test_another_tools_success_is_a_conclusion_and_says_so() -> None:
    event = one(call("PostToolUse", "list_mcp_resources", {}, '{"resources":[]}'))
    assert event.facts["success"] is True
    assert "success" in event.synthesized
    assert event.facts["action_category"] == "mcp_call"


@pytest.mark.parametrize("tool", ["spawn_agent", "multi_agent_v1wait_agent", "wait"])
def test_agent_tools_delegate(tool: str) -> None:
    event = one(call("PreToolUse", tool, {"message": "count the python files"}))
    assert event.facts["action_category"] == "delegate"


def test_a_permission_request_is_a_question_without_a_call_id() -> None:
    asked = {"command": "git push origin main", "description": "Publish the branch?"}
    given = hook("PermissionRequest", tool_name="Bash", tool_input=asked)
    event = one(given)
    assert event.type == "Agent.Notification"
    assert event.facts["notification_type"] == "ToolPermission"
    assert event.facts["command"] == "git push origin main"
    assert "call_id" not in event.facts
    assert "decision" not in event.facts


# Models


def test_tokens_stand_on_the_model_call() -> None:
    usage = {
        "input_tokens": 5210,
        "cached_input_tokens": 2048,
        "cache_write_input_tokens": 0,
        "output_tokens": 31,
        "reasoning_output_tokens": 12,
        "total_tokens": 5241,
    }
    event = one(hook("PostModelRequest", status="completed", error=None, token_usage=usage))
    assert event.type == "Model.Responded"
    assert event.facts["input_tokens"] == 5210
    assert event.facts["cache_read_tokens"] == 2048
    assert event.facts["output_tokens"] == 31
    assert event.native is not None
    assert event.native["token_usage.total_tokens"] == 5241
    stop = one(hook("Stop", stop_hook_active=False, last_assistant_message="x"))
    assert "input_tokens" not in stop.facts


def test_a_failed_request_names_its_error() -> None:
    error = {"type": "error", "error": {"type": "invalid_request_error", "message": "bad request"}}
    failed, derived = events(
        hook("PostModelRequest", status="failed", error=json.dumps(error), token_usage=None)
    )
    assert failed.type == "Model.Failed"
    assert failed.facts["error_code"] == "invalid_request_error"
    assert failed.facts["error_message"] == "bad request"
    assert (derived.type, derived.facts["error_type"]) == ("Agent.Error", "ModelError")
    assert derived.facts["derived"] is True


def test_an_error_in_plain_words_is_kept_to_its_first_line() -> None:
    failed, _ = events(
        hook("PostModelRequest", status="failed", error="stream closed\ntrace", token_usage=None)
    )
    assert failed.facts["error_message"] == "stream closed"
    assert "error_code" not in failed.facts


# Turns


def test_notify_repeats_the_stop_of_its_turn() -> None:
    stop = one(hook("Stop", stop_hook_active=False, last_assistant_message="done"))
    told = one(notify("say hello"))
    assert told.facts["session_id"] == stop.facts["session_id"]
    assert told.facts["turn_id"] == stop.facts["turn_id"]
    assert told.facts["reported_by"] == "notify"
    sessions = Sessions()
    for event in (stop, told):
        sessions.complete(event)
    assert told.facts["duplicate_of"] == stop.facts["event_id"]
    assert "duplicate_of" not in stop.facts


def test_notify_alone_is_the_answer_of_a_turn() -> None:
    told = one(notify("say hello"))
    Sessions().complete(told)
    assert (told.type, told.facts["final"]) == ("Agent.Response", True)
    assert "duplicate_of" not in told.facts


def test_an_answer_after_one_that_a_hook_sent_back_is_no_duplicate() -> None:
    first = one(hook("Stop", stop_hook_active=False, last_assistant_message="a"))
    second = one(hook("Stop", stop_hook_active=True, last_assistant_message="b"))
    sessions = Sessions()
    for event in (first, second):
        sessions.complete(event)
    assert "duplicate_of" not in second.facts


def test_a_title_thread_is_no_turn() -> None:
    event = one(notify(TITLE_PROMPT, answer='{"title":"Touch a file"}'))
    assert event.type == "vendor.codex.TitleThread"
    assert event.hook_point is None


def test_a_title_thread_is_known_by_its_answer_where_the_vendors_words_change() -> None:
    prompt = "Name this task.\n\nUser prompt:\nfix it"
    assert one(notify(prompt, answer='{"title":"Fix it"}')).type == "vendor.codex.TitleThread"
    assert one(notify(prompt, answer="Fixed it.")).type == "Agent.Response"
    given = notify(prompt, answer='{"title":"Fix it"}', client="codex_exec")
    assert one(given).type == "Agent.Response"


def test_a_sub_agents_prompt_is_not_human() -> None:
    event = one(hook("UserPromptSubmit", prompt="count", agent_id=CHILD, agent_type="default"))
    assert event.type == "vendor.codex.AgentPrompt"
    assert event.facts["task"] == "count"
    assert one(hook("UserPromptSubmit", prompt="hello")).type == "Prompt.Submitted"


def test_a_sub_agent_ends_with_its_answer() -> None:
    event = one(
        hook(
            "SubagentStop",
            agent_id=CHILD,
            agent_type="default",
            agent_transcript_path=ROLLOUT,
            stop_hook_active=False,
            last_assistant_message="There are 2 python files.",
        )
    )
    assert (event.type, event.hook_point) == ("Agent.Plan.End", "PostSubAgentResult")
    assert event.facts["response"] == "There are 2 python files."


def test_an_interrupt_ends_a_turn_and_no_session() -> None:
    event = one(hook("Interrupt"))
    assert (event.type, event.hook_point) == ("vendor.codex.Interrupt", None)
    assert event.facts["turn_id"] == TURN


# Sessions, compaction


@pytest.mark.parametrize(
    ("source", "reason"),
    [("startup", "new"), ("fork", "new"), ("resume", "resume"), ("clear", "restart")],
)
def test_how_a_session_started(source: str, reason: str) -> None:
    event = one(hook("SessionStart", source=source))
    assert (event.type, event.facts["start_reason"]) == ("Session.Start", reason)


def test_a_start_after_a_compaction_is_no_session() -> None:
    phases = [
        one(hook("PreCompact", trigger="auto")),
        one(hook("PostCompact", trigger="auto")),
        one(hook("SessionStart", source="compact")),
    ]
    assert {event.type for event in phases} == {"Context.Compaction"}
    assert [event.facts["context_phase"] for event in phases] == ["before", "after", "restarted"]


# Claims


@pytest.mark.parametrize(
    "given",
    [
        hook("Stop"),
        hook("PreToolUse", transcript_path=None),
        {"session_id": THREAD, "transcript_path": ROLLOUT, "hook_event_name": "SessionEnd"},
        notify("say hello"),
    ],
)
def test_its_own_payloads_are_claimed(given: dict[str, Any]) -> None:
    assert VENDOR.claims(given)


@pytest.mark.parametrize(
    "mark",
    [
        {"timestamp": "2026-11-21T02:03:26Z"},
        {"hook_event_name": "MessageDisplay"},
        {"hook_event_name": ["Stop"]},
        {"turn_id": None, "transcript_path": "/home/dev/.claude/projects/p/1.jsonl"},
    ],
)
def test_another_vendors_mark_is_respected(mark: dict[str, Any]) -> None:
    assert not VENDOR.claims({**hook("Stop"), **mark})


def test_every_native_event_has_a_row_or_a_reason() -> None:
    documented = (
        "SessionStart SessionEnd UserPromptSubmit PreToolUse PermissionRequest PostToolUse Stop "
        "Interrupt SubagentStart SubagentStop PreCompact PostCompact PreModelRequest "
        "PostModelRequest notify StopFailure UserInstructions"
    ).split()
    for name in documented:
        assert (name in VENDOR.events) != (name in VENDOR.absent), name
