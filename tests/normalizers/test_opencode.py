"""OpenCode: one claim a test, on payloads cut from recordings of 1.18.33."""

from __future__ import annotations

from typing import Any

import pytest

from hookstream.core.event import Event
from hookstream.core.records import Record
from hookstream.normalizers import compiled, normalize
from hookstream.normalizers.opencode.table import EVENTS, VENDOR

NOW = "2026-11-21T02:09:16Z"
SESSION = "ses_e04229ac5ffeTZ27guTMrH3D88"
PARENT = "ses_e04220f3cffe5FpZbtBnNzxNn9"
MESSAGE = "msg_1fbdd661b001OKBn2vnqbF6Znb"
CALL = "call_deny_0_0_956400"
RULE = (
    "The user has specified a rule which prevents you from using this specific tool call. Here are "
    'some of the relevant rules [{"permission":"bash","action":"deny","pattern":"rm *"}]'
)
REJECTED = "The user rejected permission to use this specific tool call."


def outcome_of(name: str | None, given: dict[str, Any]) -> list[Event] | str:
    record = Record(given, "opencode", name, received_at=NOW)
    found = normalize(record, compiled("opencode"), NOW)
    if isinstance(found, list):
        for one in found:
            assert one.unmapped is None
    return found


def events(name: str, given: dict[str, Any]) -> list[Event]:
    found = outcome_of(name, given)
    assert isinstance(found, list), found
    return found


def on_bus(name: str, **properties: Any) -> list[Event] | str:
    event = {"id": "evt_1", "type": name, "properties": {"sessionID": SESSION, **properties}}
    return outcome_of(name, {"event": event})


def only(found: list[Event] | str) -> Event:
    assert isinstance(found, list), found
    (event,) = found
    return event


def before(tool: str, **args: Any) -> Event:
    given = {"tool": tool, "sessionID": SESSION, "callID": CALL}
    return only(outcome_of("tool.execute.before", {"input": given, "output": {"args": args}}))


def after(tool: str, args: dict[str, Any], **output: Any) -> list[Event]:
    given = {"tool": tool, "sessionID": SESSION, "callID": CALL, "args": args}
    return events("tool.execute.after", {"input": given, "output": output})


def shell(code: int | None, text: str = "") -> Event:
    metadata = {"output": text, "exit": code, "truncated": False}
    (event,) = after("bash", {"command": "make"}, title="make", metadata=metadata, output=text)
    return event


def part(**own: Any) -> list[Event] | str:
    given = {"id": "prt_1", "messageID": "msg_2", "sessionID": SESSION, **own}
    return on_bus("message.part.updated", part=given, time=1795226956433)


def tool_part(status: str, **state: Any) -> list[Event] | str:
    given = {"status": status, "input": {"command": "rm -rf build"}, **state}
    return part(type="tool", tool="bash", callID=CALL, state=given)


def chat(text: str, agent: str = "build", **given: Any) -> Event:
    message = {
        "id": MESSAGE,
        "role": "user",
        "sessionID": SESSION,
        "time": {"created": 1795226953243},
        "agent": agent,
        "model": {"providerID": "fake", "modelID": "fake-model"},
    }
    parts = [{"type": "text", "text": text, "messageID": MESSAGE, "id": "prt_1"}]
    own = {"input": {"sessionID": SESSION, **given}, "output": {"message": message, "parts": parts}}
    return only(outcome_of("chat.message", own))


# Prompts


def test_the_quotes_that_run_adds_are_stripped() -> None:
    event = chat('"Please run"')
    assert (event.type, event.hook_point) == ("Prompt.Submitted", "PreUserInput")
    assert event.facts["prompt"] == "Please run"
    assert event.facts["turn_id"] == MESSAGE
    assert event.facts["model_id"] == "fake/fake-model"
    assert event.facts["timestamp"] == "2026-11-21T02:09:13.243Z"


def test_quotes_that_a_person_typed_stay() -> None:
    given = {"sessionID": SESSION, "agent": "build"}
    message = {"id": MESSAGE, "agent": "build"}
    parts = [{"type": "text", "text": '"quoted"'}]
    own = {"input": given, "output": {"message": message, "parts": parts}}
    assert only(outcome_of("chat.message", own)).facts["prompt"] == '"quoted"'


def test_the_first_message_of_a_child_session_is_a_task() -> None:
    event = chat("list the files", agent="general", messageID=MESSAGE)
    assert event.type == "vendor.opencode.TaskPrompt"
    assert event.hook_point is None


def test_a_text_that_the_client_made_is_no_prompt() -> None:
    message = {"id": MESSAGE, "agent": "build"}
    parts = [{"type": "text", "text": "go on", "synthetic": True}]
    own = {"input": {"sessionID": SESSION}, "output": {"message": message, "parts": parts}}
    assert only(outcome_of("chat.message", own)).type == "vendor.opencode.TaskPrompt"


# Sessions


def created(**own: Any) -> list[Event] | str:
    info = {
        "id": SESSION,
        "slug": "happy-mountain",
        "version": "1.18.33",
        "projectID": "p",
        "directory": "/home/dev/project",
        "path": "",
        "title": "New session",
        "permission": [{"permission": "question", "pattern": "*", "action": "deny"}],
        "cost": 0,
        "tokens": {"input": 0},
        "time": {"created": 1795226953019, "updated": 1795226953019},
        **own,
    }
    return on_bus("session.created", info=info)


def test_a_session_starts() -> None:
    event = only(created())
    assert (event.type, event.hook_point) == ("Session.Start", "SessionStart")
    assert event.facts["tool_version"] == "1.18.33"
    assert event.facts["cwd"] == "/home/dev/project"
    assert "parent_session_id" not in event.facts


def test_a_child_session_is_a_sub_agent() -> None:
    found = created(parentID=PARENT, agent="general")
    assert [(e.type, e.hook_point) for e in found if isinstance(e, Event)] == [
        ("Session.Start", None),
        ("Agent.Plan.Start", "PreSubAgentSpawn"),
    ]
    for event in found:
        assert isinstance(event, Event)
        assert event.facts["parent_session_id"] == PARENT
        assert event.facts["agent_type"] == "general"


def test_the_task_tool_tells_when_its_child_has_ended() -> None:
    metadata = {"parentSessionId": PARENT, "sessionId": SESSION, "truncated": False}
    args = {"description": "List", "prompt": "list", "subagent_type": "explore"}
    done, end = after("task", args, title="List", metadata=metadata, output="two files")
    assert done.type == "Action.After"
    assert (end.type, end.hook_point) == ("Agent.Plan.End", "PostSubAgentResult")
    assert (end.facts["session_id"], end.facts["parent_session_id"]) == (SESSION, PARENT)
    assert end.facts["plan_type"] == "explore"
    assert end.facts["response"] == "two files"


def test_deleting_a_session_ends_it_and_being_idle_does_not() -> None:
    deleted = only(on_bus("session.deleted", info={"id": SESSION, "version": "1.18.33"}))
    assert deleted.type == "Session.End"
    assert only(on_bus("session.idle")).type == "vendor.opencode.SessionIdle"


# Tool calls


def test_a_call_before_the_permission_check() -> None:
    event = before("bash", command="echo DENYME", description="run")
    assert (event.type, event.hook_point) == ("Action.Before", "PreToolUse")
    assert (event.facts["action_name"], event.facts["command"]) == ("shell", "echo DENYME")
    assert event.facts["call_id"] == CALL


def test_the_exit_code_decides() -> None:
    assert shell(0).facts["outcome"] == "ok"
    failed = shell(3)
    assert (failed.facts["success"], failed.facts["exit_code"]) == (False, 3)


def test_a_command_without_an_exit_code_has_no_outcome_unless_the_client_says_why() -> None:
    assert "outcome" not in shell(None, "half").facts
    timed_out = "bash tool terminated command after exceeding timeout 1000 ms"
    assert shell(None, timed_out).facts["outcome"] == "timeout"
    assert shell(None, "User aborted the command").facts["outcome"] == "cancelled"


def test_the_tool_invalid_is_an_error() -> None:
    args = {"tool": "no_such_tool", "error": "Model tried to call unavailable tool"}
    (event,) = after("invalid", args, title="Invalid Tool", output="The arguments are invalid")
    assert (event.facts["success"], event.facts["outcome"]) == (False, "error")


def test_a_server_s_tool_is_guessed_from_its_name_and_says_so() -> None:
    content = [{"type": "text", "text": "ticket T-42: open"}]
    (event,) = after("fixture_lookup_ticket", {"ticket": "T-42"}, content=content)
    assert event.facts["action_name"] == "mcp:lookup_ticket"
    assert event.facts["mcp_server"] == "fixture"
    assert "mcp_server" in event.synthesized
    assert event.facts["output"] == "ticket T-42: open"
    assert event.facts["success"] is True


def test_a_built_in_tool_with_an_underscore_is_no_server_s() -> None:
    facts = before("plan_exit").facts
    assert facts["action_name"] == "plan"
    assert "mcp_server" not in facts


def test_the_bus_repeats_a_call_that_returned() -> None:
    event = only(
        tool_part(
            "completed",
            output="done",
            metadata={"exit": 0},
            title="rm",
            time={"start": 1795226956429, "end": 1795226956433},
        )
    )
    assert (event.type, event.hook_point) == ("Action.After", None)
    assert event.facts["reported_by"] == "bus"
    assert (event.facts["call_id"], event.facts["duration_ms"]) == (CALL, 4)


@pytest.mark.parametrize("status", ["pending", "running"])
def test_a_call_that_has_not_ended_is_no_event(status: str) -> None:
    assert isinstance(tool_part(status), str)


def test_a_failed_tool_is_told_by_the_bus_alone() -> None:
    event = only(tool_part("error", error="File not found: /home/dev/project/missing.txt"))
    assert (event.type, event.hook_point) == ("Action.After", "PostToolUse")
    assert "reported_by" not in event.facts
    assert (event.facts["success"], event.facts["outcome"]) == (False, "error")


def test_a_plugin_that_throws_is_an_error_and_no_proof_of_a_refusal() -> None:
    event = only(tool_part("error", error="policy: destructive command"))
    assert event.type == "Action.After"
    assert "decision" not in event.facts


def test_an_aborted_call_is_cancelled() -> None:
    event = only(tool_part("error", error="Tool execution aborted"))
    assert event.facts["outcome"] == "cancelled"


@pytest.mark.parametrize(
    ("error", "who"),
    [
        (RULE, "rule"),
        (REJECTED, "user"),
        (REJECTED[:-1] + " with the following feedback: no", "user"),
    ],
)
def test_the_client_s_own_refusals(error: str, who: str) -> None:
    event = only(tool_part("error", error=error))
    facts = event.facts
    assert event.type == "Policy.Blocked"
    assert (facts["decision"], facts["certainty"]) == ("deny", "observed")
    assert (facts["decided_by"], facts["command"]) == (who, "rm -rf build")
    assert "relevant rules" not in facts["decision_reason"]


# Permissions


def asked() -> Event:
    return only(
        on_bus(
            "permission.asked",
            id="per_1",
            permission="bash",
            patterns=["touch a.txt"],
            metadata={"command": "touch a.txt"},
            always=["touch *"],
            tool={"messageID": "msg_2", "callID": CALL},
        )
    )


def test_a_question_names_the_call() -> None:
    event = asked()
    assert event.type == "Agent.Notification"
    assert event.facts["notification_type"] == "ToolPermission"
    assert (event.facts["call_id"], event.facts["command"]) == (CALL, "touch a.txt")


def test_a_permission_that_is_no_tool_names_no_action() -> None:
    found = on_bus("permission.asked", id="per_2", permission="doom_loop", patterns=["x"])
    assert "action_native" not in only(found).facts


def test_no_is_a_refusal_by_a_person() -> None:
    event = only(on_bus("permission.replied", requestID="per_1", reply="reject"))
    assert (event.type, event.hook_point) == ("Policy.Blocked", "PostAskResolution")
    assert (event.facts["decided_by"], event.facts["resolution"]) == ("user", "denied")
    assert event.facts["message_id"] == asked().facts["message_id"]


@pytest.mark.parametrize("given", [{"reply": "once"}, {"reply": "always"}, {"response": "once"}])
def test_yes_is_an_override(given: dict[str, str]) -> None:
    event = only(on_bus("permission.replied", requestID="per_1", **given))
    assert (event.type, event.hook_point) == ("Policy.Override", "PostAskResolution")
    assert (event.facts["decision"], event.facts["resolution"]) == ("allow", "approved")


def test_the_old_names_of_a_permission_are_read() -> None:
    old = only(on_bus("permission.updated", id="per_1", type="bash", callID=CALL, title="t"))
    assert (old.facts["call_id"], old.facts["action_name"]) == (CALL, "shell")
    reply = on_bus("permission.replied", permissionID="per_1", response="reject")
    assert only(reply).facts["message_id"] == "per_1"


# Model calls


def updated(**own: Any) -> list[Event] | str:
    info = {
        "id": "msg_2",
        "parentID": MESSAGE,
        "role": "assistant",
        "mode": "build",
        "agent": "build",
        "path": {"cwd": "/home/dev/project", "root": "/home/dev/project"},
        "cost": 0.001138,
        "tokens": {"input": 1024, "output": 57, "cache": {"read": 256, "write": 0}},
        "modelID": "fake-model",
        "providerID": "fake",
        "sessionID": SESSION,
        **own,
    }
    return on_bus("message.updated", info=info)


DONE = {"created": 1795226954148, "completed": 1795226956635}


def test_tokens_stand_on_the_complete_message_once() -> None:
    event = only(updated(time=DONE, finish="tool-calls"))
    assert (event.type, event.hook_point) == ("Model.Responded", "PostLLMResponse")
    facts = event.facts
    assert (facts["input_tokens"], facts["output_tokens"], facts["cache_read_tokens"]) == (
        1024,
        57,
        256,
    )
    assert facts["same_as"] == "message:msg_2"
    assert facts["turn_id"] == MESSAGE


def test_a_message_that_is_not_complete_is_no_event() -> None:
    assert isinstance(updated(time={"created": 1}), str)
    assert isinstance(updated(role="user", time={"created": 1}), str)


def test_a_message_with_an_error_is_no_answer() -> None:
    error = {"name": "APIError", "data": {"message": "Incorrect API key", "statusCode": 401}}
    event = only(updated(time=DONE, error=error))
    assert event.type == "vendor.opencode.MessageFailed"
    assert event.facts["error_code"] == "401"


def test_a_retry_is_a_failed_model_call() -> None:
    status = {"type": "retry", "attempt": 2, "message": "Incorrect API key", "next": 1}
    event = only(on_bus("session.status", status=status))
    assert (event.type, event.facts["retry_count"]) == ("Model.Failed", 2)
    assert isinstance(on_bus("session.status", status={"type": "busy"}), str)


def test_the_final_error_leaves_the_server_s_headers_out() -> None:
    data = {
        "message": "Incorrect API key",
        "statusCode": 401,
        "isRetryable": False,
        "responseHeaders": {"set-cookie": "c"},
        "responseBody": "{}",
    }
    event = only(on_bus("session.error", error={"name": "APIError", "data": data}))
    assert event.type == "Model.Failed"
    assert event.facts["error_message"] == "Incorrect API key"
    assert "set-cookie" not in repr(event.native)


def test_an_abort_is_no_error() -> None:
    error = {"name": "MessageAbortedError", "data": {"message": "Aborted"}}
    event = only(on_bus("session.error", error=error))
    assert (event.type, event.facts["abort_reason"]) == ("Session.Abort", "MessageAbortedError")


def test_a_refusal_that_ends_the_turn_is_no_error() -> None:
    error = {"name": "UnknownError", "data": {"message": REJECTED}}
    event = only(on_bus("session.error", error=error))
    assert (event.type, event.facts["abort_reason"]) == ("Session.Abort", "permission_rejected")


def test_an_error_that_no_model_made() -> None:
    event = only(on_bus("session.error", error={"name": "UnknownError", "data": {"message": "x"}}))
    assert (event.type, event.facts["error_type"]) == ("Agent.Error", "UnhandledException")


def test_an_answer_is_told_by_the_callback_and_by_the_bus() -> None:
    given = {"sessionID": SESSION, "messageID": "msg_2", "partID": "prt_1"}
    own = {"input": given, "output": {"text": "Cleaning."}}
    heard = only(outcome_of("experimental.text.complete", own))
    text = part(type="text", text="Cleaning.", time={"start": 1, "end": 2})
    for event in (heard, only(text)):
        assert (event.type, event.facts["response"]) == ("Agent.Response", "Cleaning.")
        assert event.facts["same_as"] == "text:prt_1"


def test_a_prompt_and_a_half_text_on_the_bus_are_no_answer() -> None:
    assert isinstance(part(type="text", text="Please run"), str)
    assert isinstance(part(type="text", text="Clea", time={"start": 1}), str)


# Compaction


def test_the_compaction_part_names_the_trigger() -> None:
    event = only(part(type="compaction", auto=True, overflow=False))
    assert (event.type, event.hook_point) == ("Context.Compaction", "PreCompact")
    assert event.facts["context_trigger"] == "auto"
    assert only(part(type="compaction", auto=False)).facts["context_trigger"] == "manual"
    assert only(on_bus("session.compacted")).hook_point == "PostCompact"


def test_one_compaction_is_announced_once() -> None:
    given = {"input": {"sessionID": SESSION}, "output": {"context": []}}
    assert isinstance(outcome_of("experimental.session.compacting", given), str)


# What must not leak


@pytest.mark.parametrize(
    "name", ["chat.params", "chat.headers", "config", "experimental.compaction.autocontinue"]
)
def test_hooks_that_hold_the_key_are_no_events(name: str) -> None:
    provider = {"options": {"apiKey": "k"}}
    given = {"input": {"sessionID": SESSION, "provider": provider}, "output": {"options": {}}}
    assert outcome_of(name, given) == "holds the provider's key in clear"


def test_the_environment_of_a_command_is_left_out() -> None:
    given = {"input": {"cwd": "/p", "sessionID": SESSION}, "output": {"env": {"TOKEN": "t"}}}
    assert isinstance(outcome_of("shell.env", given), str)


# Names and claims


def test_a_callback_without_a_name_is_known_by_its_shape() -> None:
    given = {"tool": "bash", "sessionID": SESSION, "callID": CALL}
    own = {"input": given, "output": {"args": {"command": "ls"}}}
    assert only(outcome_of(None, own)).facts["native_event"] == "tool.execute.before"


def test_the_flat_lines_of_a_bridge_are_read() -> None:
    flat = {"session_id": SESSION, "call_id": CALL, "tool": "read", "cwd": "/p"}
    result = {"title": "Read", "output": "text", "metadata": {}}
    own = {"hook_type": "tool.execute.after", "result": result, **flat}
    event = only(outcome_of(None, own))
    assert (event.type, event.facts["output"], event.facts["cwd"]) == ("Action.After", "text", "/p")
    child = {"hook_type": "chat.message", "parent_session_id": PARENT, "prompt": "x"}
    task = only(outcome_of(None, {**child, "session_id": SESSION}))
    assert task.type == "vendor.opencode.TaskPrompt"
    assert VENDOR.claims(own)


def test_claims_its_own_shapes_only() -> None:
    assert VENDOR.claims({"event": {"id": "e", "type": "session.idle", "properties": {}}})
    assert VENDOR.claims({"input": {"sessionID": SESSION}, "output": {"context": []}})
    assert not VENDOR.claims({"hook": "x", "event": {"type": "t", "properties": {}}, "ctx": {}})
    assert not VENDOR.claims({"input": {"command": "ls"}, "output": {"text": "x"}})
    assert not VENDOR.claims({"event": "prisma_airs_prompt_scan"})
    assert not VENDOR.claims({"hook_type": ["tool.execute.after"], "session_id": "s"})


@pytest.mark.parametrize("value", [[], {}, [[]], 7, None, True, "x"])
def test_hostile_values_break_nothing(value: Any) -> None:
    ready = compiled("opencode")
    for name in EVENTS:
        properties = {"part": value, "info": value, "error": value, "reply": value, "auto": value}
        for given in (
            {"input": value, "output": value, "event": value, "hook_type": value},
            {"event": {"type": name, "properties": properties}},
            {"event": {"type": name, "properties": value}},
        ):
            assert normalize(Record(given, "opencode", name), ready, NOW)
            VENDOR.claims(given)
