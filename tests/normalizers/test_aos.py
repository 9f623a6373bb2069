"""AOS, Joch's answers and ACS: one claim a test, on the public documents' own examples."""

from __future__ import annotations

from typing import Any

import pytest

from hookstream.core.event import Event
from hookstream.core.records import Record
from hookstream.normalizers import compiled, normalize
from hookstream.normalizers.aos.envelopes import tool
from hookstream.normalizers.aos.table import EVENTS, VENDOR

NOW = "2026-05-10T10:34:55.123Z"
ID = "13fa8d6f-8f9f-4d01-ba6b-db99d84d77de"
SESSION = "84c36ebb-83aa-4bc9-8670-7aba4cedc70f"
TURN = "69ef57b8-3993-440d-9493-523914f3f149"
EXECUTION = "69dbf4c3-be33-4694-a9f0-8d3a824c5d5b"
SYSTEM_PROMPT = "You are a support agent with a secret recipe."
# Every method of AOS 0.1.0 and of ACS.
METHODS = """
steps/agentTrigger steps/message steps/toolCallRequest steps/toolCallResult
steps/memoryContextRetrieval steps/memoryStore steps/knowledgeRetrieval ping protocols/MCP
protocols/A2A message/send message/stream tasks/cancel tasks/resubscribe task/get
task/pushNotificationConfig/get task/pushNotificationConfig/set
steps/sessionStart steps/sessionEnd steps/turnStart steps/turnEnd steps/userMessage
steps/agentResponse steps/preCompact steps/postCompact steps/subagentStart steps/subagentStop
steps/skillRegister steps/skillLoad steps/skillUnload system/ping handshake/hello
agbom/snapshot agbom/changed
""".split()


def outcome_of(given: dict[str, Any]) -> list[Event] | str:
    record = Record({"jsonrpc": "2.0", "id": ID, **given}, "aos", received_at=NOW)
    found = normalize(record, compiled("aos"), NOW)
    if isinstance(found, list):
        for one in found:
            assert one.unmapped is None
    return found


def only(given: dict[str, Any]) -> Event:
    found = outcome_of(given)
    assert isinstance(found, list), found
    (event,) = found
    return event


def step(method: str, **params: Any) -> Event:
    """A request of AOS 0.1.0."""
    context = {
        "agent": {
            "id": "support-triage",
            "name": "Support Triage",
            "version": "14",
            "instructions": SYSTEM_PROMPT,
            "provider": {"name": "OpenAI", "url": "https://openai.com/"},
        },
        "session": {"id": SESSION},
        "turnId": TURN,
        "stepId": "9263448a",
        "timestamp": NOW,
        "user": {"id": "u-1", "name": "A Person", "email": "a@example.com"},
    }
    return only({"method": f"steps/{method}", "params": {**params, "context": context}})


def acs(method: str, payload: dict[str, Any], **metadata: Any) -> Event:
    """A request of ACS."""
    known = {"agent_id": "claude-code:1a2b3c4d", "session_id": SESSION, "platform": "claude-code"}
    params = {
        "acs_version": "0.1.0",
        "request_id": EXECUTION,
        "timestamp": NOW,
        "metadata": {**known, **metadata},
        "payload": payload,
        "signature": {"algorithm": "HMAC-SHA256", "value": "s"},
    }
    return only({"method": method, "params": params})


def answer(**result: Any) -> Event:
    return only({"result": result})


def test_every_method_has_a_row() -> None:
    assert set(METHODS) <= set(EVENTS)


# Requests


def test_a_tool_call_of_aos() -> None:
    inputs = [
        {"name": "subject", "value": "Refund"},
        {"name": "to", "value": "a"},
        {"name": "to", "value": "b"},
    ]
    request = {"executionId": EXECUTION, "toolId": "c264f381", "inputs": inputs}
    event = step("toolCallRequest", toolCallRequest=request, reasoning="I will refund")
    facts = event.facts
    assert (event.type, event.hook_point) == ("Action.Before", "PreToolUse")
    assert (facts["call_id"], facts["message_id"]) == (EXECUTION, ID)
    assert (facts["session_id"], facts["turn_id"], facts["timestamp"]) == (SESSION, TURN, NOW)
    assert (facts["action_name"], facts["action_native"]) == ("other", "c264f381")
    assert event.input == {"subject": "Refund", "to": ["a", "b"]}


def test_what_a_request_says_of_agent_and_user_is_left_out() -> None:
    message = {"id": "m", "role": "user", "content": [{"kind": "text", "text": "Hi"}]}
    event = step("message", message=message, citation=[], reasoning="chain of thought")
    said = repr(event.facts) + repr(event.native)
    for secret in (SYSTEM_PROMPT, "A Person", "a@example.com"):
        assert secret not in said
    assert event.facts["reasoning"] == "chain of thought"
    assert event.facts["user_id"] == "u-1"
    assert event.native is not None
    assert event.native["params.context.agent.name"] == "Support Triage"


@pytest.mark.parametrize(
    ("role", "kind", "point"),
    [
        ("user", "Prompt.Submitted", "PreUserInput"),
        ("agent", "Agent.Response", "PreOutputDeliver"),
        ("system", "Agent.Notification", None),
    ],
)
def test_messages_by_role(role: str, kind: str, point: str | None) -> None:
    parts = [{"kind": "text", "text": "one"}, {"kind": "text", "text": "two"}]
    event = step("message", message={"id": "m", "role": role, "content": parts}, citation=[])
    assert (event.type, event.hook_point) == (kind, point)
    assert "one\ntwo" in event.facts.values()


def test_a_result_inverts_is_error() -> None:
    outputs = [{"kind": "text", "text": "done"}]
    good = step("toolCallResult", executionId=EXECUTION, result={"outputs": outputs})
    assert "success" not in good.facts
    result = {"outputs": outputs, "isError": True}
    bad = step("toolCallResult", executionId=EXECUTION, result=result)
    assert (bad.type, bad.facts["success"], bad.facts["output"]) == ("Action.After", False, "done")
    assert bad.facts["call_id"] == EXECUTION


def test_an_autonomous_start_is_by_the_system() -> None:
    trigger = {"type": "autonomous", "event": {"type": "email", "id": "e"}, "content": []}
    event = step("agentTrigger", trigger={**trigger, "content": [{"text": "new mail"}]})
    assert (event.type, event.facts["actor_type"]) == ("Session.Start", "system")
    assert event.facts["task"] == "new mail"


def test_memory_and_knowledge() -> None:
    stored = step("memoryStore", memory=["likes tea"])
    assert (stored.type, stored.hook_point) == ("vendor.aos.MemoryStore", "PreMemoryWrite")
    read = step("memoryContextRetrieval", memory=["likes tea"])
    assert (read.type, read.hook_point) == ("vendor.aos.MemoryRetrieval", "PreMemoryRead")
    found = step("knowledgeRetrieval", knowledgeStep={"query": "tea", "results": []})
    assert (found.type, found.facts["query"]) == ("vendor.aos.KnowledgeRetrieval", "tea")


# ACS


def test_acs_arguments_are_unwrapped() -> None:
    payload = {"tool": {"name": "Bash"}, "arguments": {"command": {"value": "rm -rf /"}}}
    event = acs("steps/toolCallRequest", payload, cwd="/p", turn_id=TURN)
    assert event.input == {"command": "rm -rf /"}
    facts = event.facts
    assert (facts["action_name"], facts["command"]) == ("shell", "rm -rf /")
    assert (facts["call_id"], facts["session_id"], facts["cwd"]) == (EXECUTION, SESSION, "/p")
    assert facts["turn_id"] == TURN


@pytest.mark.parametrize(
    ("status", "outcome"), [("success", "ok"), ("failure", "error"), ("timeout", "timeout")]
)
def test_acs_exit_status(status: str, outcome: str) -> None:
    payload = {
        "tool": {"name": "Bash"},
        "exit_status": status,
        "outputs": [{"value": "out"}],
        "request_id_ref": EXECUTION,
        "duration_ms": 12,
    }
    event = acs("steps/toolCallResult", payload)
    assert (event.type, event.facts["outcome"]) == ("Action.After", outcome)
    assert (event.facts["call_id"], event.facts["output"]) == (EXECUTION, "out")


def test_an_acs_result_that_was_blocked_did_not_run() -> None:
    event = acs("steps/toolCallResult", {"tool": {"name": "Bash"}, "exit_status": "blocked"})
    assert (event.type, event.facts["decision"]) == ("Policy.Blocked", "deny")
    assert "decided_by" not in event.facts


def test_acs_messages_and_session() -> None:
    parts = {"content": [{"type": "text", "value": "Hi"}]}
    assert acs("steps/userMessage", parts).facts["prompt"] == "Hi"
    assert acs("steps/agentResponse", parts).facts["response"] == "Hi"
    started = acs("steps/sessionStart", {"platform_context": {"source": "startup", "model": "m"}})
    assert (started.type, started.facts["model_id"]) == ("Session.Start", "m")
    ended = acs("steps/sessionEnd", {"reason": "completed"})
    assert (ended.type, ended.facts["end_reason"]) == ("Session.End", "completed")


def test_acs_compaction() -> None:
    before = acs(
        "steps/preCompact", {"triggered_by": "size_threshold", "entries_to_compact": ["s"]}
    )
    assert (before.hook_point, before.facts["context_trigger"]) == ("PreCompact", "auto")
    after = acs("steps/postCompact", {"summary": {"content": "short"}, "entries_compacted": ["s"]})
    assert (after.hook_point, after.facts["summary"]) == ("PostCompact", "short")


def test_acs_sub_agent() -> None:
    payload = {
        "subagent_session_id": "child",
        "parent_session_id": SESSION,
        "parent_step_id": "s",
        "intent_derivation": "derived_from_parent",
        "subagent_descriptor": {"agent_name": "Explore"},
    }
    start = acs("steps/subagentStart", payload)
    assert (start.type, start.hook_point) == ("Agent.Plan.Start", "PreSubAgentSpawn")
    assert (start.facts["session_id"], start.facts["parent_session_id"]) == ("child", SESSION)
    stop = acs("steps/subagentStop", {"subagent_session_id": "child", "outcome": "failed"})
    assert (stop.type, stop.facts["outcome"]) == ("Agent.Plan.End", "error")


def test_acs_skills() -> None:
    body = {"ref": "/skills/demo/SKILL.md", "digest": {"value": "ab"}, "body": "do harm"}
    vetted = acs("steps/skillRegister", {"skill_id": "demo", "definition": body})
    assert (vetted.hook_point, vetted.facts["file_path"]) == ("PreSkillLoad", body["ref"])
    assert "do harm" not in repr(vetted.native)
    loaded = acs("steps/skillLoad", {"skill_id": "demo", "load_trigger": "user"})
    assert (loaded.hook_point, loaded.facts["load_context"]) == ("PreSkillLoad", "user")


# Whose agent


@pytest.mark.parametrize(
    ("params", "slug"),
    [
        ({"context": {"agent": {"name": "Support Triage (EU)"}}}, "support-triage-eu"),
        ({"metadata": {"agent_id": "claude-code:1a2b3c4d"}}, "claude-code"),
        ({"metadata": {"agent_id": "x:1", "platform": "nat"}}, "nat"),
        ({"context": {"agent": {"name": "../.. \n"}}}, None),
        ({"context": {"agent": {"name": "A" * 500}}}, "a" * 64),
        ({}, None),
    ],
)
def test_the_agent_s_name_becomes_a_bounded_slug(params: dict[str, Any], slug: str | None) -> None:
    given = {"jsonrpc": "2.0", "method": "steps/message", "params": params}
    assert tool(given) == slug


# Wrapped protocols


@pytest.mark.parametrize("where", ["message", "payload", None])
def test_a_wrapped_mcp_call_is_an_action_wherever_the_message_lies(where: str | None) -> None:
    inner = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "read", "arguments": {"city": "Barcelona"}},
    }
    method = "protocols/MCP" if where else "protocols/MCP/tools/call"
    event = only({"method": method, "params": {where: inner} if where else inner})
    assert (event.type, event.hook_point) == ("Action.Before", "PreToolUse")
    assert event.facts["action_name"] == "mcp:read"
    assert event.facts["action_category"] == "mcp_call"
    assert event.input == {"city": "Barcelona"}
    assert "call_id" not in event.facts


def test_a_wrapped_mcp_result() -> None:
    result = {"content": [{"type": "text", "text": "sunny"}], "isError": True}
    inner = {"jsonrpc": "2.0", "id": 1, "result": result}
    event = only({"method": "protocols/MCP", "params": {"message": inner}})
    assert (event.type, event.facts["success"], event.facts["output"]) == (
        "Action.After",
        False,
        "sunny",
    )


def test_mcp_initialize_is_a_connection_and_a_notification_is_nothing() -> None:
    def inner(method: str) -> dict[str, Any]:
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {}}
        return {"method": "protocols/MCP", "params": {"message": message}}

    assert only(inner("initialize")).hook_point == "PreMCPConnect"
    assert isinstance(outcome_of(inner("notifications/cancelled")), str)


def test_a_message_to_another_agent_is_a_delegation() -> None:
    parts = [{"kind": "text", "text": "do this"}]
    given = {"method": "message/send", "params": {"message": {"role": "user", "parts": parts}}}
    event = only(given)
    assert (event.type, event.hook_point) == ("Action.Before", "PreSubAgentSpawn")
    assert (event.facts["action_name"], event.facts["task"]) == ("delegate", "do this")
    assert event.facts["action_native"] == "message/send"


@pytest.mark.parametrize("method", ["ping", "system/ping", "handshake/hello"])
def test_liveness_is_no_event(method: str) -> None:
    assert isinstance(outcome_of({"method": method, "params": {"timestamp": NOW}}), str)


# Answers


def test_a_deny_of_aos() -> None:
    event = answer(
        decision="deny",
        message="Deny.",
        reasoning="disallowed content",
        reasonCode=["data_leak", "other"],
    )
    facts = event.facts
    assert event.type == "Policy.Blocked"
    assert (facts["decision"], facts["certainty"]) == ("deny", "observed")
    assert (facts["decision_reason"], facts["matched_rule_id"]) == ("Deny.", "data_leak")
    assert event.native is not None
    assert event.native["reasons"] == ["disallowed content"]
    assert facts["message_id"] == ID
    assert "session_id" in event.synthesized


def test_joch_names_its_policy() -> None:
    facts = answer(
        decision="deny",
        reason="external_write requires approval",
        policyId="external-send-requires-approval",
        policyVersion="v3",
    ).facts
    assert facts["decision_reason"] == "external_write requires approval"
    assert facts["policy_id"] == "external-send-requires-approval"
    assert facts["policy_version"] == "v3"


def test_acs_cites_its_policies() -> None:
    facts = answer(
        type="final",
        acs_version="0.1.0",
        request_id=EXECUTION,
        decision="deny",
        reasoning="no",
        reason_codes=["destructive"],
        policy_references=[{"policy_id": "p", "policy_version": "1", "rule_id": "r-7"}],
        chain_hash="c" * 64,
    ).facts
    assert (facts["policy_id"], facts["policy_version"]) == ("p", "1")
    assert facts["matched_rule_id"] == "r-7"


@pytest.mark.parametrize(
    ("word", "decision", "modified"),
    [("allow", "allow", None), ("modify", "allow", True), ("ask", "ask", None)],
)
def test_other_decisions(word: str, decision: str, modified: bool | None) -> None:
    event = answer(decision=word, message="m")
    assert event.type == "vendor.aos.Decision"
    assert event.facts["decision"] == decision
    assert event.facts.get("modified") is modified


def test_a_deferred_decision_is_none() -> None:
    event = answer(decision="defer", reasoning="r", defer_details={"timeout_decision": "deny"})
    assert event.type == "vendor.aos.Decision"
    assert "decision" not in event.facts
    assert event.native is not None
    assert event.native["result.defer_details.timeout_decision"] == "deny"


def test_a_modified_request_names_the_call_and_the_input_to_be_used() -> None:
    request = {"executionId": EXECUTION, "toolId": "t", "inputs": [{"name": "b", "value": "[X]"}]}
    wanted = {"params": {"toolCallRequest": request}}
    event = answer(decision="modify", message="m", modifiedRequest=wanted)
    assert event.facts["call_id"] == EXECUTION
    assert event.native is not None
    assert event.native["modified_input"] == {"b": "[X]"}


@pytest.mark.parametrize(
    ("code", "failure"), [(-32005, "replay_detected"), (-32603, "guardian_error")]
)
def test_an_error_is_a_failure_and_no_decision(code: int, failure: str) -> None:
    event = only({"error": {"code": code, "message": "no"}})
    assert event.type == "vendor.aos.GuardianError"
    assert (event.facts["failure"], event.facts["error_code"]) == (failure, str(code))
    assert "decision" not in event.facts


def test_an_answer_without_a_decision_is_no_event() -> None:
    assert isinstance(outcome_of({"result": {"status": "connected", "version": "0.1.0"}}), str)


# Claims


def test_claims_json_rpc_only() -> None:
    assert VENDOR.claims({"jsonrpc": "2.0", "id": 1, "method": "ping"})
    assert VENDOR.claims({"jsonrpc": "2.0", "id": 1, "result": {}})
    assert not VENDOR.claims({"jsonrpc": "1.0", "method": "ping"})
    assert not VENDOR.claims({"method": "ping"})


@pytest.mark.parametrize("value", [[], {}, [[]], 7, None, True, "x", [{"name": 3}]])
def test_hostile_values_break_nothing(value: Any) -> None:
    ready = compiled("aos")
    for method in [*EVENTS, value]:
        bodies = [
            {"params": value},
            {"params": {"message": value, "context": value, "metadata": value, "payload": value}},
            {"params": {"toolCallRequest": {"inputs": value}, "payload": {"arguments": value}}},
            {"result": value},
            {"result": {"decision": value, "policy_references": value, "reason_codes": value}},
            {"error": {"code": value, "message": value}},
        ]
        for body in bodies:
            given = {"jsonrpc": "2.0", "id": value, "method": method, **body}
            assert normalize(Record(given, "aos"), ready, NOW)


@pytest.mark.parametrize("method", ["tasks/get", "tasks/cancel", "tasks/resubscribe"])
def test_a_method_of_a2a_may_carry_its_parameters_alone(method: str) -> None:
    whole = {"jsonrpc": "2.0", "id": 50, "method": method, "params": {"id": "task-7"}}
    for payload in (whole, {"id": "task-7"}):
        request = {"jsonrpc": "2.0", "id": "1", "method": method}
        events = outcome_of({**request, "params": {"payload": payload}})
        assert [event.facts.get("task_id") for event in events if isinstance(event, Event)] == [
            "task-7"
        ], payload
