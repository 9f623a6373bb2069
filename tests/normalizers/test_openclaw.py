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
CHILD = "agent:main:subagent:31c83452-c1fe-4b7d-965c-5f9e2b9a8c16"
ANNOUNCE = f"announce:v1:{CHILD}:62951b43-2a58-4827-b492-9c3c08d129cc"
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


def call(tool: str, params: dict[str, Any], **own: Any) -> dict[str, Any]:
    return {
        "toolName": tool,
        "params": params,
        "runId": RUN,
        "toolCallId": "call_deny_0_0_896323",
        **own,
    }


def after(tool: str, params: dict[str, Any], details: dict[str, Any], **own: Any) -> Event:
    result = {"content": [{"type": "text", "text": "the output"}], "details": details}
    return only("after_tool_call", call(tool, params, result=result, durationMs=12, **own))


def shell(**details: Any) -> Event:
    return after(
        "exec", {"command": "make"}, {"status": "completed", "exitReason": "exit"} | details
    )


def test_every_hook_has_a_row_and_no_other_name_does() -> None:
    assert len(HOOKS) == 42
    assert set(EVENTS) == {*HOOKS, *OLD_HOOKS}


def test_the_session_key_is_the_session_and_the_session_id_its_alias() -> None:
    facts = only("session_start", {"sessionId": SESSION, "sessionKey": KEY}).facts
    assert (facts["session_id"], facts["session_alias"]) == (KEY, SESSION)
    assert facts["start_reason"] == "new"


def test_a_hook_without_a_session_id_names_the_same_session() -> None:
    ctx = {"sessionKey": KEY, "channelId": "webchat", "conversationId": KEY}
    (event,) = outcome_of("message_sending", {"to": "x", "content": "Hi", "metadata": {}}, ctx)
    assert event.facts["session_id"] == KEY
    assert "session_alias" not in event.facts


def test_without_a_key_the_session_id_stands_alone() -> None:
    facts = only("session_start", {"sessionId": SESSION}, sessionKey="").facts
    assert facts["session_id"] == SESSION
    assert "session_alias" not in facts


def test_after_a_reset_the_unchanged_id_is_a_restart() -> None:
    given = {"sessionId": SESSION, "sessionKey": KEY, "resumedFrom": SESSION}
    assert only("session_start", given).facts["start_reason"] == "restart"
    given["resumedFrom"] = "another"
    assert only("session_start", given).facts["start_reason"] == "resume"


@pytest.mark.parametrize(
    ("word", "reason"), [("new", "manual_reset"), ("idle", "idle_timeout"), ("shutdown", "exit")]
)
def test_session_end_reasons(word: str, reason: str) -> None:
    event = only("session_end", {"sessionId": SESSION, "messageCount": 0, "reason": word})
    assert (event.type, event.hook_point) == ("Session.End", "SessionEnd")
    assert event.facts["end_reason"] == reason
    assert "message_count" not in event.facts


def test_a_session_that_compacts_does_not_end() -> None:
    found = outcome_of("session_end", {"sessionId": SESSION, "reason": "compaction"}, context())
    assert found == "the session goes on after a compaction"


# Prompts


def test_a_prompt_is_human_once_a_run() -> None:
    first = only("before_model_resolve", {"prompt": "Please run"})
    again = only(
        "before_agent_run",
        {"prompt": "Please run", "systemPrompt": "secret", "messages": [1], "senderIsOwner": True},
    )
    assert [e.type for e in (first, again)] == ["Prompt.Submitted", "Prompt.Submitted"]
    assert first.facts["same_as"] == again.facts["same_as"] == f"prompt:{RUN}"
    assert first.facts["prompt"] == "Please run"
    assert first.facts["turn_id"] == RUN
    assert first.facts["model_id"] == "fake/fake-model"


def test_the_old_name_of_the_prompt_hook_is_read() -> None:
    assert only("before_agent_start", {"prompt": "Hi"}).type == "Prompt.Submitted"


@pytest.mark.parametrize(
    "ctx",
    [
        {"trigger": "heartbeat"},
        {"trigger": "cron"},
        {"runId": ANNOUNCE},
        {"sessionKey": CHILD},
        {"inputProvenance": {"kind": "inter_session", "sourceTool": "subagent_announce"}},
        {"inputProvenance": {"kind": "internal_system", "sourceTool": "heartbeat"}},
    ],
)
def test_what_no_person_sent_is_no_prompt(ctx: dict[str, Any]) -> None:
    event = only("before_agent_run", {"prompt": "A background task completed."}, **ctx)
    assert event.type == "vendor.openclaw.MachinePrompt"
    assert event.hook_point is None


def test_a_message_of_another_session_is_known_by_its_first_words() -> None:
    prompt = f"[Inter-session message] sourceSession={CHILD} sourceChannel=internal"
    assert only("before_model_resolve", {"prompt": prompt}).type.endswith("MachinePrompt")


@pytest.mark.parametrize(
    ("hook", "event"),
    [
        ("before_agent_reply", {"cleanedBody": "Please run"}),
        ("agent_turn_prepare", {"prompt": "Please run", "messages": []}),
        ("before_prompt_build", {"prompt": "Please run", "messages": []}),
        ("before_message_write", {"message": {"role": "user", "content": "Please run"}}),
        ("llm_input", {"prompt": "[Sat 2026-11-21 02:08 UTC] Please run", "systemPrompt": "x"}),
    ],
)
def test_repeats_of_the_prompt_are_ignored(hook: str, event: dict[str, Any]) -> None:
    assert isinstance(outcome_of(hook, event, context()), str)


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


def test_the_compact_command_is_the_only_sign_of_a_manual_compaction() -> None:
    event = only("message_received", {"content": "/compact keep file names", "senderId": "cli"})
    assert event.facts["context_trigger"] == "manual"
    assert "context_trigger" in event.synthesized


def test_a_prompt_that_a_hook_refused_is_told_twice_and_counts_once() -> None:
    text = "Your message could not be sent: blocked by policy (blocked by guard-plugin)"
    ended = only("agent_end", {"messages": [], "success": False, "error": text, "durationMs": 3})
    written = only(
        "before_message_write",
        {
            "message": {
                "role": "user",
                "content": [{"type": "text", "text": text}],
                "idempotencyKey": f"hook-block:before_agent_run:user:{RUN}",
                "__openclaw": {"beforeAgentRunBlocked": {"blockedBy": "guard-plugin"}},
            }
        },
    )
    for event in (ended, written):
        assert event.type == "Policy.Blocked"
        assert event.facts["decided_by"] == "hook"
        assert event.facts["policy_engine"] == "guard-plugin"
        assert event.facts["turn_id"] == RUN
    assert ended.facts["same_as"] == written.facts["same_as"]


# Model calls and the end of a run


def test_a_model_call_is_requested_and_answered_without_a_call_id() -> None:
    given = {"runId": RUN, "callId": f"{RUN}:model:1", "provider": "fake", "model": "fake-model"}
    asked = only("model_call_started", given)
    ended = only("model_call_ended", {**given, "outcome": "completed", "durationMs": 233})
    assert (asked.type, asked.hook_point) == ("Model.Requested", "PreLLMRequest")
    assert (ended.type, ended.hook_point) == ("Model.Responded", "PostLLMResponse")
    assert ended.facts["latency_ms"] == 233
    assert "call_id" not in ended.facts


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


def llm_output(stop: str, texts: list[str], **own: Any) -> Event:
    usage = {"input": 1144, "output": 57, "cacheRead": 256, "cacheWrite": 0}
    last = {"role": "assistant", "content": [], "stopReason": stop, "usage": usage, **own}
    given = {"runId": RUN, "resolvedRef": "fake/fake-model", "assistantTexts": texts}
    total = {"input": 2208, "output": 114, "cacheRead": 512, "total": 2834}
    given |= {"lastAssistant": last, "usage": total, "contextTokenBudget": 128000}
    return only("llm_output", given)


def test_tokens_of_a_run_stand_on_its_answer() -> None:
    event = llm_output("stop", ["All done."])
    assert (event.type, event.hook_point) == ("Agent.Response", "PreOutputDeliver")
    facts = event.facts
    assert (facts["response"], facts["final"]) == ("All done.", True)
    assert (facts["input_tokens"], facts["output_tokens"], facts["cache_read_tokens"]) == (
        2208,
        114,
        512,
    )
    assert (facts["tokens_used"], facts["tokens_limit"]) == (1400, 128000)
    assert "tokens_used" in event.synthesized


def test_an_attempt_whose_model_failed_is_no_answer() -> None:
    event = llm_output("error", [], errorMessage="429 Rate limit reached", errorCode="x")
    assert event.type == "vendor.openclaw.RunFailed"
    assert event.facts["error_message"] == "429 Rate limit reached"


def test_a_run_cut_off_in_a_tool_call_is_no_answer() -> None:
    event = llm_output("toolUse", [])
    assert event.type == "vendor.openclaw.RunStopped"
    assert event.facts["input_tokens"] == 2208


def test_agent_end_is_not_believed() -> None:
    event = only("agent_end", {"messages": ["m"], "success": True, "durationMs": 53, "runId": RUN})
    assert event.type == "vendor.openclaw.RunEnded"
    assert "success" not in event.facts
    assert "outcome" not in event.facts


# Tool calls


def test_before_tool_call() -> None:
    event = only(
        "before_tool_call",
        call("exec", {"command": "ls -la"}),
        requester={"channel": "webchat", "senderId": "cli", "senderIsOwner": False},
        toolName="exec",
    )
    facts = event.facts
    assert (event.type, event.hook_point) == ("Action.Before", "PreToolUse")
    assert (facts["action_name"], facts["command"]) == ("shell", "ls -la")
    assert facts["call_id"] == "call_deny_0_0_896323"
    assert facts["user_id"] == "cli"


def test_a_patch_names_the_path_that_the_client_read_out_of_it() -> None:
    given = call("apply_patch", {"input": "*** Begin Patch"}, derivedPaths=["/p/patched.txt"])
    facts = only("before_tool_call", given).facts
    assert (facts["file_path"], facts["action_category"]) == ("/p/patched.txt", "file_edit")


def test_an_exit_code_counts_although_the_status_says_completed() -> None:
    event = shell(exitCode=3)
    assert (event.facts["success"], event.facts["outcome"]) == (False, "error")
    assert event.facts["exit_code"] == 3
    assert shell(exitCode=0).facts["outcome"] == "ok"


def test_a_background_command_has_no_outcome_yet() -> None:
    facts = after("exec", {"command": "make"}, {"status": "running", "sessionId": "s"}).facts
    assert "success" not in facts
    assert "outcome" not in facts


@pytest.mark.parametrize(
    ("details", "error", "outcome"),
    [
        ({}, "Aborted", "cancelled"),
        ({"exitReason": "overall-timeout", "exitCode": 124}, None, "timeout"),
        ({"noOutputTimedOut": True, "exitCode": None}, "Command timed out", "timeout"),
        ({}, "Tool no_such_tool not found", "error"),
    ],
)
def test_outcomes(details: dict[str, Any], error: str | None, outcome: str) -> None:
    own = {"error": error} if error else {}
    facts = after("exec", {"command": "make"}, details, **own).facts
    assert (facts["success"], facts["outcome"]) == (False, outcome)


def test_a_tool_without_a_status_succeeds_unless_it_states_an_error() -> None:
    event = after("write", {"path": "hello.txt", "content": "x"}, {"changed": True})
    assert event.facts["success"] is True
    assert "success" in event.synthesized
    assert event.facts["output"] == "the output"


def test_a_server_is_known_after_the_call() -> None:
    details = {"mcpServer": "fixture", "mcpTool": "lookup_ticket"}
    facts = after("fixture__lookup_ticket", {"ticket": "T-42"}, details).facts
    assert facts["action_name"] == "mcp:lookup_ticket"
    assert facts["mcp_server"] == "fixture"


DENIED = [
    (
        {"status": "blocked", "deniedReason": "plugin-before-tool-call", "reason": "policy: no"},
        "policy: no",
        ("hook", None),
    ),
    (
        {"status": "blocked", "deniedReason": "tool-loop", "reason": "Loop"},
        "Loop",
        ("client", None),
    ),
    (
        {"status": "error", "tool": "exec"},
        "Tool call blocked because before_tool_call hook failed",
        ("hook", "hook_failed"),
    ),
    (
        {"status": "error", "tool": "exec"},
        "Plugin approval unavailable: non-interactive CLI runs have no approval-capable "
        "initiating surface.",
        ("client", "approval_unavailable"),
    ),
    ({"status": "error", "tool": "exec"}, "Denied by user", ("user", None)),
    (
        {"status": "error", "tool": "exec"},
        "Exec approval registration failed: GatewayTransportError: Gateway not reachable",
        ("client", "approval_unavailable"),
    ),
    (
        {"status": "blocked", "deniedReason": "user-denied", "reason": "no"},
        "no",
        ("user", None),
    ),
]


@pytest.mark.parametrize(("details", "error", "expected"), DENIED)
def test_refusals(details: dict[str, Any], error: str, expected: tuple[str, str | None]) -> None:
    event = after("exec", {"command": "rm -rf ./DENYME"}, details, error=error)
    facts = event.facts
    assert event.type == "Policy.Blocked"
    assert (facts["decision"], facts["certainty"]) == ("deny", "observed")
    assert (facts["decided_by"], facts.get("failure")) == expected
    assert facts["decision_reason"] == error
    assert facts["command"] == "rm -rf ./DENYME"


def test_a_server_cannot_pass_its_answer_off_as_a_refusal() -> None:
    details = {"status": "blocked", "deniedReason": "x", "mcpServer": "evil", "mcpTool": "t"}
    assert after("evil__t", {}, details, error="Denied by user").type == "Action.After"


def test_a_tool_that_reports_something_blocked_has_run() -> None:
    assert after("update_goal", {}, {"status": "blocked"}).type == "Action.After"


def test_a_pending_approval_is_a_question() -> None:
    details = {"status": "approval-pending", "approvalId": "a1", "host": "gateway"}
    event = after("exec", {"command": "make"}, details)
    assert event.type == "Agent.Notification"
    assert event.facts["notification_type"] == "ToolPermission"


@pytest.mark.parametrize("role", ["toolResult", "assistant"])
def test_the_transcript_repeats_what_hooks_have_told(role: str) -> None:
    found = outcome_of("before_message_write", {"message": {"role": role}}, context())
    assert isinstance(found, str)
    assert isinstance(outcome_of("tool_result_persist", {"message": {}}, context()), str)


# Compaction, sub-agents


def test_a_compaction_counts_its_tokens_and_names_no_trigger() -> None:
    before = only("before_compaction", {"messageCount": 393, "tokenCount": 4099})
    done = only("after_compaction", {"messageCount": 2, "tokenCount": 70, "compactedCount": 391})
    assert before.hook_point == "PreCompact"
    assert done.hook_point == "PostCompact"
    assert before.facts["tokens_before"] == 4099
    assert done.facts["tokens_after"] == 70
    assert "context_trigger" not in before.facts


def test_a_sub_agent_is_a_session_with_a_parent() -> None:
    ctx = {"runId": "r", "childSessionKey": CHILD, "requesterSessionKey": "agent:main:h1"}
    started = {"runId": "r", "childSessionKey": CHILD, "agentId": "main", "label": "lister"}
    ended = {"targetSessionKey": CHILD, "targetKind": "subagent", "outcome": "ok", "runId": "r"}
    (start,) = outcome_of("subagent_spawned", started, ctx)
    (end,) = outcome_of("subagent_ended", ended, ctx)
    for event in (start, end):
        assert event.facts["session_id"] == event.facts["agent_id"] == CHILD
        assert event.facts["parent_session_id"] == "agent:main:h1"
    assert (start.type, start.hook_point) == ("Agent.Plan.Start", "PreSubAgentSpawn")
    assert (end.type, end.facts["outcome"]) == ("Agent.Plan.End", "ok")
    assert end.facts["success"] is True


def test_the_old_spawn_hook_is_the_same_start() -> None:
    ctx = {"childSessionKey": CHILD, "requesterSessionKey": "agent:main:h1"}
    given = {"childSessionKey": CHILD, "agentId": "main", "mode": "run"}
    (old,) = outcome_of("subagent_spawning", given, ctx)
    assert old.facts["same_as"] == f"spawn:{CHILD}"


def test_an_ordinary_session_that_is_reset_is_no_sub_agent() -> None:
    given = {"targetSessionKey": KEY, "targetKind": "acp", "outcome": "reset"}
    assert isinstance(outcome_of("subagent_ended", given, {"childSessionKey": KEY}), str)


def test_what_a_sub_agent_does_carries_its_id() -> None:
    given = call("exec", {"command": "ls"})
    assert only("before_tool_call", given, sessionKey=CHILD).facts["agent_id"] == CHILD


# What must not leak


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


def test_a_scheduled_task_is_content() -> None:
    job = {"name": "dream", "payload": {"kind": "agentTurn", "message": "promote"}, "state": {}}
    event = only("cron_changed", {"action": "added", "jobId": "j", "job": job})
    assert event.facts["task"] == "promote"
    assert event.native is not None
    assert event.native["event.job.name"] == "dream"


@pytest.mark.parametrize(
    ("kind", "point"), [("skill", "PreSkillLoad"), ("plugin", "PrePluginLoad")]
)
def test_an_installation_is_a_load(kind: str, point: str) -> None:
    event = only(
        "before_install",
        {
            "targetType": kind,
            "targetName": "demo",
            "sourcePath": "/tmp/demo",
            "sourcePathKind": "directory",
            "request": {"kind": "plugin-npm", "mode": "install"},
            "builtinScan": {"status": "ok", "scannedFiles": 3, "critical": 0, "findings": []},
        },
        targetType=kind,
    )
    assert event.hook_point == point
    assert event.facts["file_path"] == "/tmp/demo"


# Claims


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
