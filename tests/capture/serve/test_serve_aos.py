"""The AOS and ACS endpoint: it always allows, and it speaks JSON-RPC correctly."""

import os
import sys

import pytest

sys.path.insert(0, os.path.dirname(__file__))
from collector_runner import Collector, log_of

CONTEXT = {
    "agent": {"name": "Ledger Agent", "id": "a-1", "version": "1.2", "instructions": "count"},
    "session": {"id": "s-1"},
    "turnId": "t-1",
    "stepId": "st-1",
    "timestamp": "2026-11-21T02:10:10Z",
}
CALL = {
    "context": CONTEXT,
    "toolCallRequest": {
        "executionId": "e-1",
        "toolId": "shell",
        "inputs": [{"name": "command", "value": "ls"}],
    },
}
ACS = {
    "acs_version": "0.1.0",
    "request_id": "0b0e7a52-5f0e-4a54-8f63-0a3c5a1c9d10",
    "timestamp": "2026-11-21T02:10:10.000Z",
    "metadata": {"agent_id": "claude-code", "session_id": "7b0e7a52-5f0e-4a54-8f63-0a3c5a1c9d10"},
    "payload": {"tool": {"name": "Bash"}, "arguments": {"command": {"value": "ls"}}},
}


@pytest.fixture
def collector(home):
    with Collector(home) as running:
        yield running


def call(method: str, params: object, about: object = 1) -> dict:
    return {"jsonrpc": "2.0", "id": about, "method": method, "params": params}


def test_a_step_is_allowed_and_recorded(home, collector):
    reply = collector.aos(call("steps/toolCallRequest", CALL, "x"))
    assert reply["jsonrpc"] == "2.0"
    assert reply["id"] == "x"
    assert reply["result"]["decision"] == "allow"
    assert reply["result"]["message"]
    events = log_of(home.log)
    assert [event["event_type"] for event in events] == ["Action.Before"]
    assert "decision" not in events[0]["data"]


def test_acs_is_answered_in_its_own_words(home, collector):
    reply = collector.aos(call("steps/toolCallRequest", ACS))
    result = reply["result"]
    assert result["type"] == "final"
    assert result["decision"] == "allow"
    assert result["request_id"] == ACS["request_id"]
    assert len(log_of(home.log)) == 1


def test_a_repeated_request_of_acs_is_a_replay(home, collector):
    collector.aos(call("steps/toolCallRequest", ACS))
    assert collector.aos(call("steps/toolCallRequest", ACS, 2))["error"]["code"] == -32005
    assert len(log_of(home.log)) == 1
    # AOS 0.1.0 has no request ids: the same step twice is two steps
    for _ in range(2):
        assert "result" in collector.aos(call("steps/toolCallRequest", CALL))


@pytest.mark.parametrize("method", ["ping", "system/ping"])
def test_ping(home, collector, method):
    result = collector.aos(call(method, {"timestamp": "2026-11-21T02:10:10Z"}))["result"]
    assert result["status"] == "connected"
    assert result["version"]
    assert result["timestamp"].endswith("Z")
    assert not home.log.exists()


# message, code of the error, id of the answer
WRONG = [
    (b"", -32700, None),
    (b"{broken", -32700, None),
    (b'{"a": nan}', -32700, None),
    (b"\xff\xfe", -32700, None),
    (b"{} {}", -32700, None),
    (b'{}, "x": {}', -32700, None),
    (b"[]", -32600, None),
    (b"1", -32600, None),
    (b'"text"', -32600, None),
    (b"null", -32600, None),
    ({}, -32600, None),
    ({"jsonrpc": "1.0", "id": 1, "method": "ping"}, -32600, 1),
    ({"jsonrpc": "2.0", "id": {}, "method": "ping"}, -32600, None),
    ({"jsonrpc": "2.0", "id": True, "method": "ping"}, -32600, None),
    ({"jsonrpc": "2.0", "id": 4, "method": 5}, -32600, 4),
    ({"jsonrpc": "2.0", "id": 5, "method": "steps/unheard"}, -32601, 5),
    ({"jsonrpc": "2.0", "id": 6, "method": "result"}, -32601, 6),
    ({"jsonrpc": "2.0", "id": 7, "method": "steps/toolCallRequest"}, -32602, 7),
    ({"jsonrpc": "2.0", "id": 8, "method": "steps/toolCallRequest", "params": [1]}, -32602, 8),
    (call("steps/message", {"acs_version": "0.1.0"}, 9), -32602, 9),
]


def test_errors_have_the_codes_of_json_rpc(home, collector):
    for message, code, about in WRONG:
        reply = collector.aos(message)
        assert (reply["error"]["code"], reply["id"]) == (code, about), message
        assert reply["error"]["message"]
        assert "result" not in reply
    assert not home.log.exists()


def test_a_batch_and_its_notifications(home, collector):
    silent = {"jsonrpc": "2.0", "method": "steps/toolCallRequest", "params": CALL}
    replies = collector.aos([call("ping", {}), silent, call("nope", {}, 3), 7])
    assert [reply.get("id") for reply in replies] == [1, 3, None]
    assert [reply.get("error", {}).get("code") for reply in replies] == [None, -32601, -32600]
    assert collector.aos(silent) is None
    assert len(log_of(home.log)) == 2


def test_a_log_that_takes_nothing_does_not_stop_the_agent(home):
    with Collector(home, log="/proc/nope/log.jsonl") as running:
        assert running.aos(call("steps/toolCallRequest", CALL))["result"]["decision"] == "allow"
