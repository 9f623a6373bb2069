"""Auggie: one claim a test, on payloads cut from recordings of 0.36.0."""

from __future__ import annotations

from typing import Any

import pytest

from hookstream.core.event import Event
from hookstream.core.records import Record
from hookstream.normalizers import claimants, compiled, normalize
from hookstream.normalizers.auggie.table import VENDOR
from hookstream.normalizers.auggie.wording import refuser

NOW = "2026-11-25T22:26:43.000Z"
DENIED = "Tool execution denied: launch-process\n "
ADVICE = "\n Do not attempt to run variations of this command, instead use a different approach."
RULE = 'tool-name="launch-process", shell-input-regex="rm"'


def payload(name: str, **own: Any) -> dict[str, Any]:
    return {
        "hook_event_name": name,
        "conversation_id": "5b276cd5-9e15-4f93-9cfa-701de1424dbb",
        "workspace_roots": ["/home/dev/project"],
        **own,
    }


def call(name: str, tool: str = "launch-process", **own: Any) -> dict[str, Any]:
    given = {"tool_name": tool, "tool_input": {"command": "ls"}, "is_mcp_tool": False}
    return payload(name, **{**given, "tool_output": "[undefined]", "tool_error": None, **own})


def events(given: dict[str, Any]) -> list[Event]:
    found = normalize(Record(given, "auggie", received_at=NOW), compiled("auggie"), NOW)
    assert isinstance(found, list), found
    assert all(event.unmapped is None for event in found)
    return found


def result(text: str, error: bool = False, tool: str = "launch-process", **own: Any) -> list[Event]:
    said = {"tool_output": text, "tool_error": text if error else None}
    return events(call("PostToolUse", tool, **said, **own))


def ran(code: int, output: str = "") -> str:
    head = "Here are the results from executing the command.\n<return-code>\n"
    return f"{head}{code}\n</return-code>\n<output>\n{output}\n</output>"


def test_a_conversation_with_its_workspaces_is_claimed() -> None:
    assert claimants(payload("SessionStart")) == ["auggie"]
    for mark in ("generation_id", "session_id"):
        assert not VENDOR.claims({**payload("PreToolUse"), mark: "x"})
    assert not VENDOR.claims(payload("beforeShellExecution"))


def test_what_the_client_has_no_value_for_is_not_a_value() -> None:
    (before,) = events(call("PreToolUse"))
    assert not {"output", "error_message", "success"} & set(before.facts)
    assert before.facts["cwd"] == "/home/dev/project"


def test_a_command_s_exit_status_is_what_its_result_begins_with() -> None:
    (after,) = result(ran(0, "<return-code>\n9\n</return-code>"))
    assert (after.facts["exit_code"], after.facts["success"]) == (0, True)
    after, failed = result(ran(3), error=True)
    assert (after.facts["exit_code"], after.facts["success"]) == (3, False)
    assert failed.facts["error_message"] == "return-code 3"
    (after,) = result(ran(3), tool="view")
    assert "exit_code" not in after.facts


def test_a_command_that_runs_on_has_no_exit_status() -> None:
    (after,) = result("Process launched with terminal ID 53098")
    assert "exit_code" not in after.facts


@pytest.mark.parametrize(
    ("rest", "who", "rule"),
    [
        (f"Denied by explicit rule: {RULE}", "rule", RULE),
        ("Denied by webhook policy", "rule", None),
        ("Script response: no", "rule", None),
        ("User approval required\n This tool requires manual approval", "client", None),
        ("Webhook check failed\n Error: refused", "client", None),
    ],
)
def test_a_permission_s_refusal_is_a_deny(rest: str, who: str, rule: str | None) -> None:
    (event,) = result(DENIED + rest + ADVICE, error=True)
    assert (event.type, event.facts["decided_by"]) == ("Policy.Blocked", who)
    assert event.facts["certainty"] == "observed"
    assert event.facts.get("matched_rule_id") == rule
    assert "Do not attempt" not in event.facts["decision_reason"]


def test_a_person_s_refusal_is_the_user_s() -> None:
    (event,) = result("Tool execution denied by user: launch-process", error=True)
    assert (event.type, event.facts["decided_by"]) == ("Policy.Blocked", "user")


def test_a_refusal_that_names_another_tool_or_is_no_error_is_none() -> None:
    text = f"{DENIED}Denied by explicit rule: {RULE}"
    assert refuser("view", text) is None
    assert result(text)[0].type == "Action.After"
    assert result(ran(1, text), error=True)[0].type == "Action.After"


def test_the_words_of_an_mcp_server_prove_nothing() -> None:
    text = "Tool execution denied: echo_echo\n User approval required"
    (event,) = result(text, True, "echo_echo", is_mcp_tool=True)
    assert (event.type, event.facts["certainty"]) == ("Policy.Blocked", "inferred")


def test_a_result_that_was_kept_back_is_of_a_call_that_ran() -> None:
    rule = 'tool-name="launch-process", event-type="tool-response"'
    (event,) = result(f"{DENIED}Denied by explicit rule: {rule}{ADVICE}", error=True)
    assert event.type == "Action.After"
    assert not {"success", "outcome", "decided_by"} & set(event.facts)


def test_metadata_tells_a_tool_s_server() -> None:
    given = {"mcpExecutedToolName": "echo", "mcpExecutedToolServerName": "demo"}
    own = {"is_mcp_tool": True, "mcp_metadata": given}
    (event,) = events(call("PreToolUse", "echo_demo", **own))
    assert (event.facts["action_name"], event.facts["mcp_server"]) == ("mcp:echo", "demo")
    (event,) = events(call("PreToolUse", "echo_demo", is_mcp_tool=True))
    assert event.facts["action_name"] == "mcp:echo_demo"
    assert "mcp_server" not in event.facts


def test_a_sub_agent_is_a_tool_of_its_name() -> None:
    (event,) = events(call("PreToolUse", "sub-agent-looker"))
    assert event.facts["action_category"] == "delegate"


def test_the_time_asked_for_is_too_coarse_to_be_the_event_s() -> None:
    """A command repeated within one second would be one event."""
    context = {"timestamp": "2026-11-25T22:26:42Z", "userEmail": "dev@example.com"}
    context |= {"modelName": "m", "toolVersion": "0.36.0 (commit 7c61e5bb)"}
    (event,) = events(call("PreToolUse", context=context))
    assert event.facts["timestamp"] == NOW
    assert (event.facts["model_id"], event.facts["tool_version"]) == ("m", "0.36.0")


def test_the_last_exchange_has_the_answer() -> None:
    exchange = {"exchange": {"response_text": "All done."}}
    (event,) = events(payload("Stop", agent_stop_cause="end_turn", _exchange=exchange))
    assert event.facts["response"] == "All done."
    assert event.facts["stop_reason"] == "end_turn"
