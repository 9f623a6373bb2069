"""GitHub Copilot: one claim a test, on payloads cut from recordings (CLI 1.0.102, chat 0.42.0)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from hookstream.core.event import Event
from hookstream.core.records import Record
from hookstream.normalizers import compiled, normalize
from hookstream.normalizers.copilot import wording
from hookstream.normalizers.copilot.dialects import PASCAL
from hookstream.normalizers.copilot.table import EVENTS, VENDOR
from hookstream.normalizers.copilot.wording import ended
from hookstream.sessions import Sessions

NOW = "2026-11-21T02:30:00Z"
ROOT = "022a6002-f684-428b-8f72-1fa6f0615523"
CHILD = "bfacc0b1-d613-41e6-a0e9-bd700f1aab6e"
MS, ISO = 1795227152586, "2026-11-21T02:12:32.586Z"
LS = {"command": "ls", "description": "run it"}
FAILED = "cat: /nonexistent: No such file or directory\n<shellId: 1 completed with exit code 1>"
TRANSCRIPTS = "/home/dev/.config/Code/User/workspaceStorage/0f1e/GitHub.copilot-chat/transcripts"


def camel(session: str = ROOT, **own: Any) -> dict[str, Any]:
    """What an event registered in camelCase gets: no event name."""
    return {"sessionId": session, "timestamp": MS, "cwd": "/home/dev/project", **own}


def pascal(name: str, session: str = ROOT, **own: Any) -> dict[str, Any]:
    """What an event registered in PascalCase gets."""
    given = {"hook_event_name": name, "session_id": session, "timestamp": ISO}
    return {**given, "cwd": "/home/dev/project", **own}


def vscode(name: str, **own: Any) -> dict[str, Any]:
    """What VS Code chat writes where the hook entry sets no working directory."""
    path = f"{TRANSCRIPTS}/{ROOT}.jsonl"
    given = {"timestamp": ISO, "hook_event_name": name, "session_id": ROOT}
    return {**given, "transcript_path": path, **own}


def in_agent(given: dict[str, Any]) -> dict[str, Any]:
    """The same payload inside a sub-agent, in the spelling of its dialect."""
    names = ("agentId", "agentType", "parentAgentId")
    if "session_id" in given:
        names = ("agent_id", "agent_type", "parent_agent_id")
    return {**given, **dict(zip(names, (CHILD, "general-purpose", ROOT), strict=True))}


def done(text: str, kind: str = "success") -> dict[str, Any]:
    return {"toolResult": {"resultType": kind, "textResultForLlm": text}}


def events(given: dict[str, Any], name: str | None = None, **record: Any) -> list[Event]:
    found = normalize(Record(given, "copilot", name, **record), compiled("copilot"), NOW)
    assert isinstance(found, list), found
    for event in found:
        assert event.unmapped is None
    return found


def one(given: dict[str, Any], name: str | None = None, **record: Any) -> Event:
    (event,) = events(given, name, **record)
    return event


# Which event, which dialect


def test_the_record_names_an_event_that_the_payload_does_not() -> None:
    event = one(camel(toolName="bash", toolArgs=LS), "preToolUse")
    assert (event.type, event.facts["native_event"]) == ("Action.Before", "preToolUse")
    assert event.facts["dialect"] == "camel"
    assert event.facts["timestamp"] == ISO


def test_the_command_line_names_it_where_the_record_does_not() -> None:
    event = one(camel(reason="complete"), argv=["/home/dev/hooks/rec.py", "sessionEnd"])
    assert event.type == "Session.End"


@pytest.mark.parametrize(
    ("own", "name"),
    [
        ({"source": "new", "initialPrompt": "x"}, "sessionStart"),
        ({"prompt": "x"}, "userPromptSubmitted"),
        ({"prompt": "x", "transformedPrompt": "y"}, "userPromptTransformed"),
        ({"toolName": "bash", "toolArgs": LS}, "preToolUse"),
        ({"toolName": "bash", "toolArgs": LS, **done("x")}, "postToolUse"),
        ({"toolName": "bash", "toolArgs": LS, "error": "x"}, "postToolUseFailure"),
        ({"serverName": "demo", "toolName": "echo", "arguments": {}}, "preMcpToolCall"),
        ({"hookName": "permissionRequest", "toolName": "bash"}, "permissionRequest"),
        ({"stopReason": "end_turn", "stop_hook_active": False}, "agentStop"),
        ({"agentName": "explore", "agentId": CHILD}, "subagentStart"),
        ({"agentName": "explore", "agentId": CHILD, "stopReason": "end_turn"}, "subagentStop"),
        ({"trigger": "auto", "customInstructions": ""}, "preCompact"),
        ({"errorContext": "system", "recoverable": True}, "errorOccurred"),
        ({"reason": "user_exit"}, "sessionEnd"),
    ],
)
def test_a_bare_camel_payload_is_known_by_its_shape(own: dict[str, Any], name: str) -> None:
    assert events(camel(**own))[0].facts["native_event"] == name


def test_a_new_event_is_not_taken_for_one_of_similar_shape() -> None:
    (event,) = normalize(
        Record(camel(reason="x"), "copilot", "worktreeRemoved"), compiled("copilot"), NOW
    )
    assert isinstance(event, Event)
    assert event.type == "vendor.copilot.worktreeRemoved"


def test_the_dialect_goes_by_the_registered_spelling_not_by_the_keys() -> None:
    asked = camel(hookName="permissionRequest", toolName="bash", toolInput={"command": "ls"})
    assert one(asked, "PermissionRequest").facts["dialect"] == "pascal"
    assert one(asked, "permissionRequest").facts["dialect"] == "camel"
    noted = camel(hook_event_name="Notification", notification_type="agent_idle", message="x")
    assert one(noted, "notification").facts["dialect"] == "camel"
    assert one(noted, "Notification").facts["dialect"] == "pascal"


def test_vs_code_is_a_dialect_of_its_own() -> None:
    assert one(vscode("Stop", stop_hook_active=False)).facts["dialect"] == "vscode"
    given = vscode("SessionStart", source="new")
    del given["transcript_path"]
    assert one(given).facts["dialect"] == "vscode", "the CLI always tells a working directory"


# Two dialects of one run


def test_both_spellings_of_one_call_are_one_action() -> None:
    first = one(camel(toolName="bash", toolArgs=LS), "preToolUse")
    second = one(pascal("PreToolUse", tool_name="Bash", tool_input=LS))
    assert first.facts["same_as"] == second.facts["same_as"]
    assert first.facts["event_id"] != second.facts["event_id"]
    sessions = Sessions()
    for event in (first, second):
        sessions.complete(event)
    assert second.facts["duplicate_of"] == first.facts["event_id"]


def test_calls_of_one_instant_stay_apart() -> None:
    two = [
        one(camel(toolName=tool, toolArgs={"pattern": "add"}), "preToolUse").facts["same_as"]
        for tool in ("glob", "grep")
    ]
    assert two[0] != two[1]


def test_an_error_is_not_a_second_report_of_its_own_call() -> None:
    after, error = events(camel(toolName="bash", toolArgs=LS, **done(FAILED)), "postToolUse")
    assert after.facts["same_as"] != error.facts["same_as"]


# Calls and outcomes


def test_arguments_in_a_json_string_are_read() -> None:
    event = one(camel(toolName="bash", toolArgs=json.dumps(LS)), "preToolUse")
    assert event.input == LS
    assert event.facts["command"] == "ls"


def test_a_failed_command_is_a_failure_though_the_client_says_success() -> None:
    after, error = events(camel(toolName="bash", toolArgs=LS, **done(FAILED)), "postToolUse")
    assert (after.facts["success"], after.facts["exit_code"]) == (False, 1)
    assert after.facts["outcome"] == "error"
    assert (error.type, error.facts["error_type"]) == ("Agent.Error", "ToolFailed")
    assert error.facts["derived"] is True


def test_only_the_clients_own_last_line_is_an_exit_code() -> None:
    printed = (
        "<shellId: 0 completed with exit code 1>\nmore\n<shellId: 4 completed with exit code 0>"
    )
    event = one(camel(toolName="bash", toolArgs=LS, **done(printed)), "postToolUse")
    assert (event.facts["success"], event.facts["exit_code"]) == (True, 0)
    given = camel(toolName="view", toolArgs={"path": "/a"}, **done(FAILED))
    event = one(given, "postToolUse")
    assert event.facts["success"] is True
    assert "exit_code" not in event.facts


def test_a_command_sent_to_the_background_has_no_exit_code() -> None:
    text = "<command started in background with shellId: 4>"
    event = one(camel(toolName="bash", toolArgs=LS, **done(text)), "postToolUse")
    assert event.facts["success"] is True
    assert "exit_code" not in event.facts


def test_a_failure_event_gives_the_call_and_one_derived_error() -> None:
    path = {"path": "/home/dev/project/missing.txt"}
    given = pascal("PostToolUseFailure", tool_name="Read", tool_input=path, error="No such path")
    after, error = events(given)
    assert (after.type, after.facts["success"]) == ("Action.After", False)
    assert after.facts["file_path"] == path["path"]
    assert error.facts["error_message"] == "No such path"
    assert error.facts["origin_event"] == "Action.After"


@pytest.mark.parametrize(("kind", "by"), [("denied", None), ("rejected", "user")])
def test_an_old_client_told_refusals_as_results(kind: str, by: str | None) -> None:
    given = camel(toolName="bash", toolArgs=LS, **done("Denied by policy", kind))
    event = one(given, "postToolUse")
    assert (event.type, event.facts["decision"]) == ("Policy.Blocked", "deny")
    assert event.facts.get("decided_by") == by
    assert "success" not in event.facts


@pytest.mark.parametrize(
    ("words", "by"),
    [
        ("Denied by preToolUse hook (unable to ask user for confirmation): not today", "client"),
        ("Denied by preToolUse hook: (unable to ask user for confirmation)", "hook"),
    ],
)
def test_a_question_that_the_client_answers_itself_is_no_hooks_refusal(words: str, by: str) -> None:
    assert ended("bash", "denied", words).decided_by == by


def test_vs_code_states_no_outcome() -> None:
    given = vscode(
        "PostToolUse",
        tool_name="run_in_terminal",
        tool_input={"command": "false", "isBackground": False},
        tool_response="command failed",
        tool_use_id="call_YONCkc_NS5Xnj79Q__vscode-1795220000001",
    )
    event = one(given)
    assert event.facts["call_id"] == "call_YONCkc_NS5Xnj79Q"
    assert event.facts["command"] == "false"
    assert "success" not in event.facts
    assert "outcome" not in event.facts


def test_the_file_of_a_patch_and_of_replacements_is_found() -> None:
    patch = {"input": "*** Begin Patch\n*** Update File: /a/b.txt\n@@\n-x\n+y\n*** End Patch"}
    event = one(vscode("PreToolUse", tool_name="apply_patch", tool_input=patch))
    assert event.facts["file_path"] == "/a/b.txt"
    assert "input" in event.content_arguments
    parts = {"replacements": [{"filePath": "/a/c.txt", "oldString": "x", "newString": "y"}]}
    event = one(vscode("PreToolUse", tool_name="multi_replace_string_in_file", tool_input=parts))
    assert event.facts["file_path"] == "/a/c.txt"


# MCP


def test_an_mcp_tool_has_three_names_and_is_one() -> None:
    text = {"text": "hi"}
    names = [
        one(camel(toolName="demo-echo", toolArgs=text), "preToolUse"),
        one(camel(hookName="permissionRequest", toolName="demo/echo", toolInput=text)),
        one(camel(toolCallId="call_9", serverName="demo", toolName="echo", arguments=text)),
    ]
    for event in names:
        assert event.facts["action_name"] == "mcp:echo"
        assert event.facts["mcp_server"] == "demo"
        assert event.input == text
        assert "mcp_server" not in event.synthesized


def test_pre_mcp_tool_call_repeats_the_call_and_its_id_pairs_with_nothing() -> None:
    text = {"text": "hi"}
    before = one(camel(toolName="demo-echo", toolArgs=text), "preToolUse")
    again = one(
        camel(toolCallId="call_9", serverName="demo", toolName="echo", arguments=text),
        "preMcpToolCall",
    )
    assert again.facts["reported_by"] == "specific"
    assert "call_id" not in again.facts
    assert again.native == {"toolCallId": "call_9"}
    sessions = Sessions()
    for event in (before, again):
        sessions.complete(event)
    assert again.facts["duplicate_of"] == before.facts["event_id"]


@pytest.mark.parametrize(
    ("native", "server", "tool"),
    [
        ("github-mcp-server-list_issues", "github-mcp-server", "list_issues"),
        ("azure-devops-list_items", "azure-devops", "list_items"),
        ("context7-resolve-library-id", "context7", "resolve-library-id"),
        ("mcp_fixture_lookup_ticket", "fixture", "lookup_ticket"),
    ],
)
def test_a_guessed_border_of_an_mcp_name_is_marked(native: str, server: str, tool: str) -> None:
    event = one(camel(toolName=native, toolArgs={}), "preToolUse")
    assert (event.facts["mcp_server"], event.facts["action_name"]) == (server, f"mcp:{tool}")
    assert "mcp_server" in event.synthesized


# Questions


def test_a_permission_request_is_a_question_about_a_call() -> None:
    given = camel(hookName="permissionRequest", toolName="bash", toolInput={"command": "ls"})
    event = one({**given, "permissionSuggestions": []})
    assert event.type == "Agent.Notification"
    assert event.facts["notification_type"] == "ToolPermission"
    assert event.facts["command"] == "ls"
    assert "decision" not in event.facts


def test_the_notification_of_the_same_question_does_not_ask_twice() -> None:
    given = camel(
        hook_event_name="Notification",
        notification_type="permission_prompt",
        title="Permission needed",
        message="Run command: touch one.txt",
    )
    event = one(given, "notification")
    assert "notification_type" not in event.facts
    assert event.native is not None
    assert event.native["notification_type"] == "permission_prompt"


# Prompts, sub-agents, sessions


@pytest.mark.parametrize("given", [camel(CHILD, prompt="x"), pascal("UserPromptSubmit", CHILD)])
def test_a_delegated_prompt_is_not_human(given: dict[str, Any]) -> None:
    event = one(in_agent({**given, "prompt": "look around"}))
    assert event.type == "vendor.copilot.AgentPrompt"
    assert event.facts["task"] == "look around"
    assert event.facts["parent_session_id"] == ROOT


def test_a_question_inside_a_sub_agent_belongs_to_the_session_of_its_calls() -> None:
    asked = camel(hookName="permissionRequest", toolName="bash", toolInput={"command": "ls"})
    event = one(in_agent(asked))
    assert event.facts["session_id"] == CHILD
    assert event.facts["parent_session_id"] == ROOT
    assert "session_id" in event.synthesized
    call = one(in_agent(camel(CHILD, toolName="bash", toolArgs=LS)), "preToolUse")
    assert call.facts["session_id"] == CHILD
    assert "session_id" not in call.synthesized


def test_a_sub_agent_starts_and_ends_in_its_parents_session() -> None:
    start = one(in_agent(camel(agentName="explore")), "subagentStart")
    assert (start.type, start.hook_point) == ("Agent.Plan.Start", "PreSubAgentSpawn")
    assert (start.facts["session_id"], start.facts["agent_id"]) == (ROOT, CHILD)
    assert start.facts["plan_type"] == "explore"
    assert "parent_session_id" not in start.facts
    stop = one(
        in_agent(pascal("SubagentStop", agent_name="explore", last_assistant_message="explored"))
    )
    assert stop.facts["response"] == "explored"


def test_a_sub_agents_own_stop_delivers_nothing_to_a_person() -> None:
    given = in_agent(pascal("Stop", CHILD, stop_reason="end_turn", stop_hook_active=False))
    event = one(given)
    assert (event.type, event.hook_point) == ("vendor.copilot.AgentStop", None)
    event = one(pascal("Stop", stop_reason="end_turn", stop_hook_active=False))
    assert (event.type, event.facts["final"]) == ("Agent.Response", True)


@pytest.mark.parametrize(
    ("reason", "kind", "end"),
    [
        ("complete", "Session.End", "completed"),
        ("error", "Session.End", "error"),
        ("user_exit", "Session.End", "exit"),
        ("abort", "Session.Abort", None),
    ],
)
def test_how_a_session_ended(reason: str, kind: str, end: str | None) -> None:
    event = one(camel(reason=reason), "sessionEnd")
    assert (event.type, event.facts.get("end_reason")) == (kind, end)


# Errors, compaction


def model_error(context: str = "model_call") -> dict[str, Any]:
    message = json.dumps({"type": "rate_limit_error", "message": "scripted 429"})
    error = {"message": message, "name": "Error", "stack": f"Error: {message}\n   0: <unknown>"}
    return camel(errorContext=context, recoverable=True, error=error)


def test_a_failed_attempt_is_a_failed_model_call_and_no_end() -> None:
    failed, error = events(model_error(), "errorOccurred")
    assert failed.type == "Model.Failed"
    assert failed.facts["error_code"] == "rate_limit_error"
    assert failed.facts["error_message"] == "scripted 429"
    assert (error.type, error.facts["derived"]) == ("Agent.Error", True)
    assert "end_reason" not in failed.facts


def test_another_error_is_no_failed_model_call() -> None:
    event = one(model_error("system"), "errorOccurred")
    assert (event.type, event.facts["error_type"]) == ("Agent.Error", "UnhandledException")
    assert "derived" not in event.facts


def test_a_compaction_is_told_before_and_confirmed_by_nothing() -> None:
    event = one(camel(trigger="auto", customInstructions=""), "preCompact")
    assert event.facts["context_phase"] == "before"
    assert not [name for name in EVENTS if name.lower().startswith("postcompact")]


# Claims


@pytest.mark.parametrize(
    "given",
    [
        camel(reason="complete"),
        camel(hookName="permissionRequest", toolName="bash"),
        camel(hook_event_name="Notification", notification_type="agent_idle"),
        pascal("SessionStart", source="new", initial_prompt="x"),
        pascal("Stop", transcript_path="/home/dev/.copilot/session-state/1/events.jsonl"),
        vscode("PreToolUse", tool_name="read_file", tool_input={}, tool_use_id="call_1"),
    ],
)
def test_its_own_payloads_are_claimed(given: dict[str, Any]) -> None:
    assert VENDOR.claims(given)


@pytest.mark.parametrize(
    "mark",
    [
        {"cursor_version": "1.0.0"},
        {"agent_action_name": "pre_run_command"},
        {"clineVersion": "3.0.65"},
        {"jsonrpc": "2.0"},
        {"spec_version": "0.1.0"},
        {"hook": "x", "event": {}, "ctx": {}},
        {"permission_mode": "yolo"},
        {"transcript_path": "/home/dev/.gemini/tmp/1/chats/2.json"},
        {"hook_event_name": "BeforeTool"},
        {"hook_event_name": ["Stop"]},
        {"timestamp": None},
    ],
)
def test_another_vendors_mark_is_respected(mark: dict[str, Any]) -> None:
    assert not VENDOR.claims({**pascal("SessionStart", source="startup"), **mark})


def test_every_native_event_has_a_row_or_a_reason() -> None:
    for spelled in (*PASCAL, *PASCAL.values()):
        assert (spelled in EVENTS) != (spelled in VENDOR.absent), spelled


def test_an_answer_tells_that_a_hook_made_the_turn_go_on() -> None:
    stop = camel(stopReason="end_turn")
    assert one({**stop, "stop_hook_active": True}, "agentStop").facts["is_followup"] is True
    assert "is_followup" not in one({**stop, "stop_hook_active": False}, "agentStop").facts


def test_a_call_that_the_client_died_in_was_cut_off() -> None:
    """What the next start writes of it is no error of the command."""
    text = "Tool execution was interrupted before a result was recorded. Check the current state."
    assert wording.ended("bash", "failure", text).outcome == "cancelled"
