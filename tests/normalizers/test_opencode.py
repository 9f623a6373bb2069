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
CALL = "call_deny_0_0_956400"


def outcome_of(name: str | None, given: dict[str, Any]) -> list[Event] | str:
    record = Record(given, "opencode", name, received_at=NOW)
    found = normalize(record, compiled("opencode"), NOW)
    if isinstance(found, list):
        for one in found:
            assert one.unmapped is None
    return found


def on_bus(name: str, **properties: Any) -> list[Event] | str:
    event = {"id": "evt_1", "type": name, "properties": {"sessionID": SESSION, **properties}}
    return outcome_of(name, {"event": event})


def only(found: list[Event] | str) -> Event:
    assert isinstance(found, list), found
    (event,) = found
    return event


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
