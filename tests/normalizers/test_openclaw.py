"""OpenClaw: one claim a test, on payloads cut from recordings of 2026.9.6."""

from __future__ import annotations

from typing import Any

import pytest

from hookstream.core.event import Event
from hookstream.core.records import Record
from hookstream.normalizers import compiled, normalize
from hookstream.normalizers.openclaw.table import EVENTS, VENDOR

NOW = "2026-11-21T02:08:16Z"
KEY = "agent:main:scn-deny"
SESSION = "b2f1ca84-cf45-4957-bc86-a7360f1df067"
RUN = "3ca6f7b4-71f8-4e42-a2a6-8d12ef1f02ad"
# The 42 hooks of this version and the names that older ones had.
HOOKS = """
before_model_resolve agent_turn_prepare before_prompt_build before_agent_reply model_call_started
model_call_ended llm_input llm_output before_agent_finalize agent_end before_compaction
after_compaction before_reset inbound_claim channel_pairing_requested message_received
message_sending reply_payload_sending message_sent before_tool_call after_tool_call
tool_result_persist before_message_write session_start session_end subagent_delivery_target
subagent_spawned subagent_progress subagent_ended gateway_start gateway_stop
heartbeat_prompt_contribution cron_reconciled cron_changed skill_proposal_evaluate
skill_proposal_changed skill_changed before_dispatch reply_dispatch before_install before_agent_run
resolve_exec_env
""".split()
OLD_HOOKS = ["before_agent_start", "subagent_spawning", "deactivate"]


def context(**own: Any) -> dict[str, Any]:
    return {
        "runId": RUN,
        "agentId": "main",
        "sessionKey": KEY,
        "sessionId": SESSION,
        "workspaceDir": "/home/dev/project",
        "activeProjectKeys": ["path:/home/dev/project"],
        "modelProviderId": "fake",
        "modelId": "fake-model",
        "trigger": "user",
        **own,
    }


def outcome_of(hook: str, event: dict[str, Any], ctx: dict[str, Any]) -> list[Event] | str:
    given = {"hook": hook, "event": event, "ctx": ctx}
    found = normalize(Record(given, "openclaw", received_at=NOW), compiled("openclaw"), NOW)
    if isinstance(found, list):
        for one in found:
            assert one.unmapped is None
    return found


def events(hook: str, event: dict[str, Any], **ctx: Any) -> list[Event]:
    found = outcome_of(hook, event, context(**ctx))
    assert isinstance(found, list), found
    return found


def only(hook: str, event: dict[str, Any], **ctx: Any) -> Event:
    (one,) = events(hook, event, **ctx)
    return one


def test_every_hook_has_a_row_and_no_other_name_does() -> None:
    assert len(HOOKS) == 42
    assert set(EVENTS) == {*HOOKS, *OLD_HOOKS}


def test_a_channel_message_is_no_prompt_and_names_its_sender_only_as_user() -> None:
    event = only(
        "message_received",
        {
            "from": "cli",
            "content": "Please run",
            "messageId": "k-1",
            "senderId": "cli",
            "metadata": {"senderName": "A Person", "provider": "webchat"},
        },
        channelId="webchat",
    )
    assert event.type == "vendor.openclaw.MessageReceived"
    assert event.facts["user_id"] == "cli"
    assert "A Person" not in repr(event.facts) + repr(event.native)
    assert "context_trigger" not in event.facts


def test_two_calls_of_retried_attempts_stay_two_events() -> None:
    given = {"runId": RUN, "callId": f"{RUN}:model:1", "outcome": "error", "errorCategory": "Error"}
    payloads = [{"hook": "model_call_ended", "event": given, "ctx": context(n=n)} for n in (1, 2)]
    ready = compiled("openclaw")
    ids = set()
    for number, one in enumerate(payloads):
        stamp = f"2026-11-21T02:08:1{number}Z"
        (event,) = normalize(Record(one, "openclaw", received_at=stamp), ready, NOW)
        assert event.type == "Model.Failed"
        ids.add(event.facts["event_id"])
    assert len(ids) == 2


def test_a_pairing_code_is_left_out() -> None:
    event = only(
        "channel_pairing_requested",
        {"channel": "discord", "senderId": "u1", "code": "PAIR-4711", "metadata": {"name": "A"}},
    )
    assert event.facts["user_id"] == "u1"
    assert "4711" not in repr(event.native)


def test_the_configuration_is_left_out() -> None:
    ctx = {"config": {"apiKey": "k"}, "getCron": "[function]", "workspaceDir": "/p", "port": 1}
    (event,) = outcome_of("gateway_start", {"port": 18799}, ctx)
    assert event.type == "vendor.openclaw.GatewayStart"
    assert "apiKey" not in repr(event.native)


def test_claims_its_own_shape_only() -> None:
    assert VENDOR.claims({"hook": "agent_end", "event": {}, "ctx": {}})
    assert not VENDOR.claims({"hook": "agent_end", "event": {}})
    assert not VENDOR.claims({"event": {"type": "session.idle", "properties": {}}})
    assert not VENDOR.claims({"event": "prisma_airs_prompt_scan", "sessionKey": KEY})


@pytest.mark.parametrize("value", [[], {}, [[]], 7, None, True, "x"])
def test_hostile_values_break_nothing(value: Any) -> None:
    ready = compiled("openclaw")
    for hook in EVENTS:
        event = {"message": value, "result": value, "lastAssistant": value, "error": value}
        event |= {"assistantTexts": value, "content": value, "prompt": value, "derivedPaths": value}
        details = {"status": value, "exitCode": value, "deniedReason": value}
        for given in (event, {"result": {"content": [value], "details": details}}, value):
            payload = {"hook": hook, "event": given, "ctx": {"sessionKey": value, "runId": value}}
            assert normalize(Record(payload, "openclaw", hook), ready, NOW)
