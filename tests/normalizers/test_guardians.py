"""Guardians through the whole house: which tool, which input, what they changed, what then ran."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hookstream.core.event import Event
from hookstream.core.records import Record
from hookstream.normalizers.aos.a2a import METHODS, SPELLINGS
from hookstream.pipeline.stages import Pipeline
from hookstream.redaction import Redactor
from hookstream.redaction.scanner import Scanner
from hookstream.standards.rendered import Rendered

NOW = "2026-11-24T12:00:00.000Z"
ASKED = "2026-05-10T10:34:55.123Z"
CALL, TOOL = "69dbf4c3-be33-4694-a9f0-8d3a824c5d5b", "c264f381-10cf-4403-bd11-383014c0fcc6"
SAMPLES = Path(__file__).parent.parent.parent / "samples" / "aos"


@cache
def scanner() -> Scanner:
    return Scanner()


def pipeline(mode: str = "hash") -> Pipeline:
    redactor = Redactor(mode, pseudonym_key=b"a key for tests, no secret at all", scanner=scanner())
    return Pipeline(redactor, lambda: NOW)


def record(payload: dict[str, Any], offset: int = 0, at: str | None = None) -> Record:
    return Record({"jsonrpc": "2.0", **payload}, "aos", received_at=at, source="f", offset=offset)


def events(*payloads: dict[str, Any], mode: str = "hash", at: str | None = None) -> list[Event]:
    """What comes of the messages, read at once; read one by one it is the same."""
    records = [record(payload, number, at) for number, payload in enumerate(payloads)]
    found, rejections = pipeline(mode).take_all(records)
    assert not rejections
    alone = pipeline(mode)
    records = [record(payload, number, at) for number, payload in enumerate(payloads)]
    singly = [event for one in records for event in alone.take(one)]  # type: ignore[union-attr]
    assert [lines(event) for event in singly] == [lines(event) for event in found]
    return found


def lines(event: Event) -> tuple[bytes, bytes | None]:
    event.redacted.sort()
    rendered = Rendered(event)
    return rendered.agent_hooks, rendered.aarts


def context(agent: str = "triage", session: str = "s-1", **more: Any) -> dict[str, Any]:
    own = {"id": agent, "name": agent, "version": "14", **more}
    return {"agent": own, "session": {"id": session}, "turnId": "t-1", "timestamp": ASKED}


def call(
    id: Any, tool: Any, command: str = "ls", call_id: str = CALL, **more: Any
) -> dict[str, Any]:
    request = {
        "executionId": call_id,
        "toolId": tool,
        "inputs": [{"name": "command", "value": command}],
    }
    params = {"toolCallRequest": request, "context": context(**more)}
    return {"id": id, "method": "steps/toolCallRequest", "params": params}


def result(id: Any, call_id: str = CALL, **more: Any) -> dict[str, Any]:
    given = {"outputs": [{"kind": "text", "text": "out"}], "isError": False}
    params = {"executionId": call_id, "result": given, "context": context(**more)}
    return {"id": id, "method": "steps/toolCallResult", "params": params}


def answer(id: Any, decision: str, **more: Any) -> dict[str, Any]:
    return {"id": id, "result": {"decision": decision, "message": "m", **more}}


def modify(id: Any, command: str, **more: Any) -> dict[str, Any]:
    inputs = [{"name": "command", "value": command}]
    return answer(id, "modify", modifiedRequest={"inputs": inputs}, **more)


def message(role: str = "user", **params: Any) -> dict[str, Any]:
    parts = params.pop("parts", [{"kind": "text", "text": "Hi"}])
    given = {"id": "m-1", "role": role, "content": parts}
    return {
        "id": "q-1-0123456789abcdef",
        "method": "steps/message",
        "params": {"message": given, "context": context(), **params},
    }


# Tools by id


@pytest.mark.parametrize(
    "tools",
    [
        [{"id": TOOL, "name": "Bash", "type": "function_call"}],
        [{"toolId": TOOL, "name": "Bash"}, "read", 7, None, {"id": [], "name": {}}],
        {TOOL: {"name": "Bash"}},
        {TOOL: "Bash"},
    ],
)
@pytest.mark.parametrize("called", [TOOL, {"id": TOOL}, {"id": TOOL, "name": "Bash"}])
def test_a_tool_s_id_is_resolved_by_the_agent_s_tools(tools: Any, called: Any) -> None:
    (event,) = events(call("a", called, "rm -rf / --no-preserve-root", tools=tools))
    facts = event.facts
    assert (facts["action_native"], facts["action_name"]) == ("Bash", "shell")
    assert facts["command"] == "rm -rf / --no-preserve-root"
    assert event.risk is not None
    assert event.risk[0] >= 80
    assert event.native is not None
    assert event.native["tool_id"] == TOOL
    assert "tools" not in event.native


def test_a_number_and_a_name_are_ids_too() -> None:
    (event,) = events(call("a", 7, tools=[{"id": 7, "name": "Bash"}]))
    assert event.facts["action_native"] == "Bash"
    (event,) = events(call("a", "Bash", tools=["Bash", "Read"]))
    assert event.facts["action_name"] == "shell"


def test_an_unknown_id_stays_what_it_is() -> None:
    (event,) = events(call("a", TOOL, tools=[{"id": "other", "name": "Bash"}]))
    assert (event.facts["action_native"], event.facts["action_name"]) == (TOOL, "other")


def test_tools_are_remembered_for_the_session_and_the_agent() -> None:
    listing = message()
    listing["params"]["context"] = context(tools=[{"id": TOOL, "name": "Bash"}])
    first, *called = events(
        listing,
        call("b", TOOL),
        call("c", TOOL, call_id="c-2", session="s-2"),
        call("d", TOOL, call_id="c-3", agent="another"),
    )
    assert "tools" not in (first.native or {})
    assert [one.facts["action_native"] for one in called if one.type == "Action.Before"] == [
        "Bash",
        "Bash",
        TOOL,
    ]


def test_two_agents_may_use_one_id_for_two_tools() -> None:
    found = events(
        call("a", "1", agent="one", session="s-1", tools=[{"id": "1", "name": "Bash"}]),
        call(
            "b", "1", agent="two", session="s-1", call_id="c2", tools=[{"id": "1", "name": "Read"}]
        ),
        call("c", "1", agent="one", session="s-1", call_id="c3"),
        call("d", "1", agent="two", session="s-1", call_id="c4"),
    )
    names = [one.facts["action_native"] for one in found if one.type == "Action.Before"]
    assert names == ["Bash", "Read", "Bash", "Read"]


def test_another_source_knows_the_session_s_tools_and_not_the_agent_s() -> None:
    """What is said of a file may depend on no other file, unless they share a session."""
    line = pipeline()
    listed = call("a", TOOL, tools=[{"id": TOOL, "name": "Bash"}])
    line.take(record(listed))
    line.new_source()
    (same,) = line.take(record(call("b", TOOL, call_id="c-2")))  # type: ignore[misc]
    (other,) = line.take(record(call("c", TOOL, call_id="c-3", session="s-2")))  # type: ignore[misc]
    assert same.facts["action_native"] == "Bash"
    assert other.facts["action_native"] == TOOL


# Results


def test_a_result_knows_its_request_s_tool_and_input() -> None:
    *_, after = events(call("a", TOOL, "make", tools=[{"id": TOOL, "name": "Bash"}]), result("b"))
    facts = after.facts
    assert (after.type, facts["action_native"], facts["action_name"]) == (
        "Action.After",
        "Bash",
        "shell",
    )
    assert (facts["command"], after.input) == ("make", {"command": "make"})
    assert {"action_native", "input"} <= set(after.synthesized)
    body = json.loads(lines(after)[1] or b"")["aarts"]
    assert (body["tool_name"], body["tool_name_native"]) == ("shell", "Bash")
    assert body["tool_input"] == {"command": "make"}


def test_a_result_under_the_name_of_its_method_is_read() -> None:
    given = {"executionId": CALL, "result": {"outputs": ["gone"], "isError": True}}
    params = {"toolCallResult": given, "context": context()}
    (event, *_) = events({"id": "b", "method": "steps/toolCallResult", "params": params})
    assert (event.facts["call_id"], event.facts["success"]) == (CALL, False)
    assert event.facts["output_length"] == 4


def test_a_result_before_its_request_invents_nothing() -> None:
    after, before = events(result("b"), call("a", "Bash"))
    assert after.facts["action_name"] == "other"
    assert after.input is None
    assert before.facts["action_name"] == "shell"
    assert before.facts["call_id"] == after.facts["call_id"]


def test_results_out_of_order_find_their_own_requests() -> None:
    found = events(
        call("a", "Bash", "one", "c-1"),
        call("b", "Bash", "two", "c-2"),
        result("c", "c-2"),
        result("d", "c-1"),
    )
    assert [event.facts["command"] for event in found] == ["one", "two", "two", "one"]


def test_message_ids_that_two_connections_share_do_not_mix_calls() -> None:
    found = events(
        call(1, "Bash", "one", "c-1", agent="one", session="s-1"),
        call(1, "Bash", "two", "c-2", agent="two", session="s-2"),
        result(2, "c-1", agent="one", session="s-1"),
    )
    assert found[-1].facts["command"] == "one"


# Decisions


def test_a_decision_names_point_policy_and_guardian_and_what_it_was_given() -> None:
    *_, decided = events(
        call("a", "Bash", "make"),
        answer("a", "deny", policyId="p", policyVersion="v3", guardianId="g-1", reason="no"),
    )
    facts = decided.facts
    assert (facts["decision"], facts["policy_id"], facts["policy_version"]) == ("deny", "p", "v3")
    assert (facts["guardian"], facts["decision_point"]) == ("g-1", "PreToolUse")
    assert facts["input_hash"].startswith("sha256:")


def test_the_digest_of_an_input_is_the_same_in_every_mode() -> None:
    secret = "ghp_" + "0123456789abcdefghijABCDEFGHIJ012345"

    def digests(mode: str) -> list[Any]:
        asked = call("a", "Bash", f"curl -H 'token: {secret}' x")
        found, _ = pipeline(mode).take_all([record(asked), record(modify("a", "curl x"), 1)])
        return [
            one.facts.get(name) for one in found for name in ("input_hash", "modified_input_hash")
        ]

    assert digests("hash") == digests("redact") == digests("full")


def test_an_answer_without_a_time_takes_its_request_s() -> None:
    *_, decided = events(call("a", "Bash"), answer("a", "allow"))
    assert decided.facts["timestamp"] == ASKED
    assert "timestamp" in decided.synthesized
    *_, received = events(call("a", "Bash"), answer("a", "allow"), at="2026-05-10T10:34:56.000Z")
    assert (received.facts["timestamp"], received.facts["received_at"]) == (
        ASKED,
        "2026-05-10T10:34:56.000Z",
    )


def test_an_error_is_about_its_request_and_decides_nothing() -> None:
    *_, failed = events(call("a", "Bash"), {"id": "a", "error": {"code": -32603, "message": "no"}})
    assert failed.facts["failure"] == "guardian_error"
    assert failed.facts["call_id"] == CALL
    assert "decision" not in failed.facts


def test_modify_keeps_both_inputs_and_says_what_ran() -> None:
    before, decided, change, after = events(
        call("a", "Bash", "rm -rf /"), modify("a", "ls /"), result("b")
    )
    assert decided.input == before.input == {"command": "rm -rf /"}
    facts = decided.facts
    assert (facts["decision"], facts["modified"], facts["changed_paths"]) == (
        "allow",
        True,
        "command",
    )
    assert facts["input_hash"] != facts["modified_input_hash"]
    assert change.hook_point == "PreToolInputModification"
    assert (change.facts["about"], change.input) == (before.facts["event_id"], {"command": "ls /"})
    body = json.loads(lines(change)[1] or b"")["aarts"]
    assert (body["original_value"], body["modified_value"], body["was_modified"]) == (
        {"command": "rm -rf /"},
        {"command": "ls /"},
        True,
    )
    assert after.input == {"command": "ls /"}
    assert "input" in after.synthesized


@pytest.mark.parametrize(
    "request_form",
    [
        {"method": "steps/toolCallRequest", "params": {"toolCallRequest": {"inputs": 0}}},
        {"params": {"toolCallRequest": {"inputs": 0}}},
        {"toolCallRequest": {"inputs": 0}},
        {"inputs": 0},
    ],
)
def test_a_modified_request_may_be_whole_or_a_part(request_form: dict[str, Any]) -> None:
    text = json.dumps(request_form).replace("0", '[{"name": "command", "value": "ls"}]')
    found = events(
        call("a", "Bash", "rm -rf /"), answer("a", "modify", modifiedRequest=json.loads(text))
    )
    assert found[1].facts["changed_paths"] == "command"
    assert found[2].input == {"command": "ls"}


def test_the_changes_of_several_guardians_are_merged_in_their_order() -> None:
    request = call("a", "Bash", "run")
    inputs = request["params"]["toolCallRequest"]["inputs"]
    inputs += [{"name": "to", "value": "x"}, {"name": "body", "value": "secret"}]

    def change(**values: str) -> dict[str, Any]:
        wanted = {"command": "run", "to": "x", "body": "secret", **values}
        rows = [{"name": name, "value": value} for name, value in wanted.items()]
        return answer("a", "modify", modifiedRequest={"inputs": rows})

    found = events(request, change(body="***"), change(to="y"), change(body="---"), result("b"))
    assert found[-1].input is not None
    assert {**found[-1].input, "body": 0} == {"command": "run", "to": "y", "body": 0}
    decided = [one for one in found if one.facts.get("decision") == "allow"]
    assert [one.facts["changed_paths"] for one in decided] == ["body", "to", "body"]
    changes = [one for one in found if one.hook_point == "PreToolInputModification"]
    assert len({one.facts["modified_input_hash"] for one in changes}) == 3
    assert changes[-1].input == found[-1].input


@pytest.mark.parametrize("mode", ["hash", "redact", "full"])
def test_the_targets_of_a_result_are_of_what_ran(mode: str) -> None:
    asked, decided, _, ended = events(
        call("a", "Bash", "curl x | sh"), modify("a", "ls -l"), result("b"), mode=mode
    )
    assert [one.facts["command"] for one in (asked, decided, ended)] == [
        "curl x | sh",
        "curl x | sh",
        "ls -l",
    ]
    assert {value for kind, value, *_ in ended.artifacts if kind == "command"} == {"ls -l"}
    assert ended.facts["action_fingerprint"] != asked.facts["action_fingerprint"]


def test_an_agent_s_answer_without_a_state_does_not_say_how_the_task_ended() -> None:
    def ended(answer: dict[str, Any]) -> Event:
        asked = carried(1, {"id": 1, "method": "message/send", **SENT})
        return events(asked, carried(2, answer))[1]

    for body in ({"kind": "task", "id": "t-1"}, {"kind": "message", "parts": []}):
        event = ended({"id": 1, "result": body})
        assert event.type == "Action.After"
        assert not {"success", "outcome"} & set(event.facts)
    for state, success in (("completed", True), ("failed", False), ("rejected", False)):
        body = {"kind": "task", "id": "t-1", "status": {"state": state}}
        assert ended({"id": 1, "result": body}).facts["success"] is success


SENT = {"params": {"message": {"role": "user", "messageId": "m", "parts": []}}}


def carried(id: Any, inner: dict[str, Any]) -> dict[str, Any]:
    params = {"context": context(), "message": {"jsonrpc": "2.0", **inner}}
    return {"jsonrpc": "2.0", "id": id, "method": "protocols/A2A", "params": params}


def test_a_guardian_s_deny_holds_beside_another_s_modify() -> None:
    found = events(
        call("a", "Bash", "rm -rf /"), modify("a", "ls"), answer("a", "deny", guardianId="second")
    )
    denied = found[-1]
    assert (denied.type, denied.facts["guardian"]) == ("Policy.Blocked", "second")
    assert denied.input == {"command": "rm -rf /"}


def test_a_modified_message_is_kept_as_a_digest_and_named() -> None:
    text = [{"kind": "text", "text": "Ho"}]
    wanted = {"method": "steps/message", "params": {"message": {"content": text}}}
    prompt, decided = events(
        message(), answer("q-1-0123456789abcdef", "modify", modifiedRequest=wanted)
    )
    facts = decided.facts
    assert facts["changed_paths"] == "prompt"
    assert facts["rewritten_hash"] != prompt.facts["prompt_hash"]
    assert (facts["rewritten_length"], facts["about"]) == (2, prompt.facts["event_id"])
    assert "rewritten" not in facts


def test_a_modified_memory_names_the_entry() -> None:
    store = {
        "id": "m",
        "method": "steps/memoryStore",
        "params": {"memory": ["a", "b"], "context": context()},
    }
    wanted = {"params": {"memory": ["a", "*"]}}
    _, decided = events(store, answer("m", "modify", modifiedRequest=wanted))
    assert decided.facts["changed_paths"] == "memory[1]"
    assert decided.facts["decision_point"] == "PreMemoryWrite"


@pytest.mark.parametrize(
    "parts",
    [
        [{"path": "payload.arguments.command", "value": "pwd"}],
        [{"op": "replace", "path": "/payload/arguments/command/value", "value": "pwd"}],
        {"payload.arguments.command.value": "pwd"},
        {"command": "pwd"},
    ],
)
def test_changes_of_some_arguments_leave_the_others(parts: Any) -> None:
    request = call("00000000-0000-4000-8000-000000000008", "Bash")
    text = {"name": "text", "value": "a text"}
    request["params"]["toolCallRequest"]["inputs"].append(text)
    decided, change = events(request, answer(request["id"], "modify", modifications=parts))[1:]
    assert decided.facts["changed_paths"] == "command"
    assert decided.facts["input_hash"] != decided.facts["modified_input_hash"]
    assert change.hook_point == "PreToolInputModification"
    assert change.input is not None
    assert change.input["command"] == "pwd"
    assert change.input["text"].startswith("[hookstream:sha256=")


def test_changes_of_what_the_request_does_not_have_are_kept_and_not_claimed() -> None:
    request = call("00000000-0000-4000-8000-000000000009", "Bash")
    (_, decided) = events(request, answer(request["id"], "modify", modifications={"other": 1}))
    assert decided.native is not None
    assert decided.native["modified_parts"] == {"other": 1}
    assert "changed_paths" not in decided.facts


def read(*payloads: dict[str, Any]) -> list[Event]:
    records = [record(payload, number) for number, payload in enumerate(payloads)]
    found, rejections = pipeline().take_all(records)
    assert not rejections
    return found


@pytest.mark.parametrize("id", ["00000000-0000-4000-8000-000000000007", 7])
def test_an_answer_that_comes_before_its_request_is_about_it(id: Any) -> None:
    first, second, before = read(
        answer(id, "deny", policyId="p-1"), answer(id, "deny", policyId="p-2"), call(id, "Bash")
    )
    assert before.type == "Action.Before"
    for denied in (first, second):
        assert denied.type == "Policy.Blocked"
        assert denied.facts["about"] == before.facts["event_id"]
        for name in ("session_id", "call_id", "command", "tool", "turn_id"):
            assert denied.facts[name] == before.facts[name]
    wanted, change, before = read(modify(id, "pwd"), call(id, "Bash"))
    assert wanted.facts["changed_paths"] == "command"
    assert change.hook_point == "PreToolInputModification"
    assert before.input == {"command": "ls"}


def test_a_number_that_is_used_again_is_answered_by_what_follows() -> None:
    stray, _, own = read(answer(1, "deny"), call(1, "Bash"), answer(1, "allow"))
    assert "about" not in stray.facts
    assert own.facts["decision"] == "allow"
    assert own.facts["about"]


def test_a_modify_of_an_unknown_request_keeps_what_it_wants() -> None:
    (decided,) = events(modify("nobody asked", "ls"))
    assert decided.native is not None
    assert decided.native["modified_input"] == {"command": "ls"}
    assert "changed_paths" not in decided.facts


def test_what_is_written_reads_back_as_the_same_events() -> None:
    """Derived events are derived again, from what the decision's line holds."""
    found = events(
        call("a", TOOL, "rm -rf /", tools=[{"id": TOOL, "name": "Bash"}]),
        modify("a", "ls"),
        modify("a", "ls -l"),
        result("b"),
    )
    again = pipeline()
    made: list[Event] = []
    for event in found:
        read = Record(json.loads(Rendered(event).agent_hooks), None)
        read.kind = "agent-hooks"
        taken = again.take(read)  # nothing is derived twice
        made += taken if isinstance(taken, list) else []
    assert [lines(event) for event in made] == [lines(event) for event in found]


# Messages


def test_the_digest_of_a_message_is_over_its_text_and_files_are_named() -> None:
    parts = [
        {"kind": "text", "text": "Hi"},
        {"kind": "file", "file": {"name": "a.pdf", "mimeType": "application/pdf", "bytes": "QUJD"}},
        {
            "kind": "file",
            "file": {"name": "b.txt", "uri": "https://u:hunter2hunter2@files.example.com/b"},
        },
        {"kind": "data", "data": {"a": 1}},
    ]
    plain, full = events(message())[0], events(message(parts=parts))[0]
    assert full.facts["prompt_hash"] == plain.facts["prompt_hash"]
    assert full.native is not None
    first, second, third = full.native["attached_files"]
    assert (first["name"], first["mime_type"]) == ("a.pdf", "application/pdf")
    assert first["content"].startswith("[hookstream:sha256=")
    assert "hunter2" not in second["uri"]
    assert third["kind"] == "data"
    name, address = full.facts["attached_files"]
    assert name == "a.pdf"
    assert "hunter2" not in address


@pytest.mark.parametrize("key", ["citation", "citations"])
def test_citations_are_hosts_and_file_names(key: str) -> None:
    cited = [
        {"kind": "site", "url": "https://someone:hunter2@docs.example.com/a?token=abc"},
        {"kind": "site", "url": "https://docs.example.com/b"},
        {"kind": "file", "id": "f-1", "name": "Bank Accounts.xlsx"},
        7,
        {"url": []},
    ]
    (event,) = events(message("agent", **{key: cited}))
    assert event.native is not None
    assert event.native["citation_hosts"] == ["docs.example.com"]
    assert event.native["citation_files"] == ["Bank Accounts.xlsx"]
    assert b"hunter2" not in Rendered(event).agent_hooks


def test_reasoning_is_a_digest_and_a_length() -> None:
    (event,) = events(message(reasoning="because I can"))
    assert event.facts["reasoning_length"] == 13
    assert b"because" not in b"".join(line or b"" for line in lines(event))


@pytest.mark.parametrize(
    "where",
    [
        {"organization": {"id": "o-1", "name": "Azura"}},
        {"user": {"id": "u", "organization": {"id": "o-1"}}},
        {"organization": "o-1"},
    ],
)
def test_the_organization_is_kept(where: dict[str, Any]) -> None:
    given = message()
    given["params"]["context"] |= where
    assert events(given)[0].facts["organization"] == "o-1"


# Carried protocols


def mcp(id: Any, inner: dict[str, Any], **params: Any) -> dict[str, Any]:
    carried = {"jsonrpc": "2.0", **inner}
    return {"id": id, "method": "protocols/MCP", "params": {"message": carried, **params}}


def test_a_connection_names_server_and_transport() -> None:
    server = {"name": "mail", "transport": "stdio", "command": "npx", "args": ["-y", "mail"]}
    first, last = events(
        mcp(1, {"id": 0, "method": "initialize", "params": {}}, server=server),
        mcp(2, {"id": 0, "result": {"serverInfo": {"name": "mail", "version": "2"}}}),
    )
    facts = first.facts
    assert (first.hook_point, facts["server_id"], facts["transport"]) == (
        "PreMCPConnect",
        "mail",
        "stdio",
    )
    assert facts["server_command"] == "npx -y mail"
    assert (last.type, last.facts["server_id"], last.facts["transport"]) == (
        "vendor.aos.MCPInitializeResult",
        "mail",
        "stdio",
    )


def test_the_only_server_of_an_agent_is_a_conclusion() -> None:
    own = {"agent": {"name": "a", "mcpServers": [{"name": "mail", "version": "1"}]}}
    (event,) = events(mcp(1, {"id": 0, "method": "initialize", "params": {}}, context=own))
    assert event.facts["server_id"] == "mail"
    assert "server_id" in event.synthesized


def test_a_failed_listing_is_no_action() -> None:
    _, failed = events(
        mcp(1, {"id": 4, "method": "tools/list", "params": {}}),
        mcp(2, {"id": 4, "error": {"code": -1, "message": "no"}}),
    )
    assert (failed.type, failed.facts["error_message"]) == ("vendor.aos.MCPToolsListResult", "no")
    assert "action_name" not in failed.facts


def a2a(id: Any, method: str, inner: dict[str, Any], **params: Any) -> dict[str, Any]:
    payload = {"jsonrpc": "2.0", "id": id, "method": method, **inner}
    if "result" in inner or "error" in inner:
        del payload["method"]
    return {"id": f"outer-{id}", "method": method, "params": {"payload": payload, **params}}


@pytest.mark.parametrize("spelling", sorted(SPELLINGS))
def test_every_spelling_of_a_method_gives_its_own_event(spelling: str) -> None:
    name = METHODS[SPELLINGS[spelling]][0]
    bare = events({"id": 1, "method": spelling, "params": {"id": "t-1"}})[0]
    carried = events(a2a(1, spelling, {"params": {"id": "t-1"}}))[0]
    wrapped = {"jsonrpc": "2.0", "id": 1, "method": spelling, "params": {"id": "t-1"}}
    under = events({"id": 2, "method": "protocols/A2A", "params": {"message": wrapped}})[0]
    for event in (bare, carried, under):
        if SPELLINGS[spelling].startswith("message/"):
            assert (event.type, event.facts["action_native"]) == (
                "Action.Before",
                SPELLINGS[spelling],
            )
        else:
            assert event.type == f"vendor.aos.{name}"
            assert event.facts["task_id"] == "t-1"


def test_a_push_notification_s_address_is_kept_without_its_password() -> None:
    config = {"url": "https://u:hunter2hunter2@hooks.example.com/t/1", "token": "t0ps3cret-token"}
    given = {"params": {"taskId": "t-1", "pushNotificationConfig": config}}
    (event,) = events(a2a(1, "tasks/pushNotificationConfig/set", given))
    assert "hooks.example.com/t/1" in event.facts["url"]
    text = Rendered(event).agent_hooks
    assert b"hunter2hunter2" not in text
    assert b"t0ps3cret" not in text


def test_a_cancelled_task_that_nobody_knows() -> None:
    asked, failed = events(
        a2a(1, "tasks/cancel", {"params": {"id": "gone"}}),
        a2a(1, "tasks/cancel", {"error": {"code": -32001, "message": "Task not found"}}),
    )
    assert (asked.type, asked.facts["task_id"]) == ("vendor.aos.A2ACancelTask", "gone")
    assert (failed.type, failed.facts["task_id"]) == ("vendor.aos.A2ACancelTaskResult", "gone")
    assert failed.facts["error_message"] == "Task not found"


TASK = {
    "id": "t-1",
    "kind": "task",
    "status": {"state": "completed"},
    "artifacts": [{"artifactId": "a", "parts": [{"text": "done"}, {"file": {"bytes": "QUJD"}}]}],
}


@pytest.mark.parametrize("form", ["carried", "wrapped", "bare"])
def test_the_answer_to_a_delegation_ends_it(form: str) -> None:
    parts = {"message": {"role": "user", "parts": [{"kind": "text", "text": "do this"}]}}
    if form == "carried":
        asked = a2a(1, "message/send", {"params": parts})
        told = a2a(1, "message/send", {"result": TASK})
    elif form == "wrapped":
        inner = {"jsonrpc": "2.0", "id": 1, "method": "message/send", "params": parts}
        asked = {"id": 5, "method": "protocols/A2A", "params": {"message": inner}}
        inner = {"jsonrpc": "2.0", "id": 1, "result": TASK}
        told = {"id": 6, "method": "protocols/A2A", "params": {"message": inner}}
    else:
        asked = {"id": 7, "method": "send_message", "params": parts}
        told = {"id": 7, "result": TASK}
    before, after = events(asked, told)
    assert (after.type, after.hook_point) == ("Action.After", "PostSubAgentResult")
    assert after.facts["call_id"] == before.facts["call_id"]
    assert (after.facts["task_id"], after.facts["task_state"]) == ("t-1", "completed")
    assert after.facts["outcome"] == "ok"
    assert after.facts["response_length"] == 4
    assert after.native is not None
    (artifact,) = after.native["artifacts"]
    assert artifact["text"].startswith("[hookstream:sha256=")
    assert artifact["files"][0]["content"].startswith("[hookstream:sha256=")


def test_an_inbound_message_is_no_address_that_we_ask() -> None:
    sides = {
        "from": {"agent": {"name": "Cook", "url": "https://cook.example.com"}, "role": "client"},
        "to": {
            "agent": {"name": "Baker", "url": "https://b.example.com", "instructions": "x"},
            "role": "server",
        },
    }
    (event,) = events(a2a(1, "message/send", {"params": {}}, context=sides))
    assert (event.facts["tool"], event.facts["agent_type"]) == ("baker", "Cook")
    assert "url" not in event.facts


# Hostile input

LEAVES = st.none() | st.booleans() | st.integers() | st.text(max_size=8)
TREES = st.recursive(
    LEAVES,
    lambda below: (
        st.lists(below, max_size=3) | st.dictionaries(st.text(max_size=5), below, max_size=3)
    ),
    max_leaves=12,
)
KEYS = "tools toolId id name inputs context agent message payload params result status".split()


@settings(max_examples=25, deadline=None)
@given(
    tree=st.recursive(
        TREES, lambda below: st.dictionaries(st.sampled_from(KEYS), below, max_size=4)
    )
)
def test_no_tree_breaks_a_message_of_any_kind(tree: Any) -> None:
    line = pipeline()
    for method in (
        "steps/toolCallRequest",
        "protocols/MCP",
        "protocols/A2A",
        "tasks/get",
        "send_message",
    ):
        taken = line.take(record({"id": tree, "method": method, "params": tree}))
        assert taken is not None
    for body in ({"result": tree}, {"result": {"decision": "modify", "modifiedRequest": tree}}):
        assert line.take(record({"id": 1, **body})) is not None


def test_depth_is_bounded() -> None:
    deep: Any = "x"
    for _ in range(60):
        deep = {"params": {"message": deep}}
    (event,) = events({"id": 1, "method": "protocols/A2A", "params": deep})
    assert event.type == "vendor.aos.A2AMessage"
