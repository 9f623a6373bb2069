"""Prisma AIRS: one claim a test, on lines cut from recordings of the plugin 2.1.1 and 1.1.0."""

from __future__ import annotations

from typing import Any

import pytest

from hookstream.core.event import Event
from hookstream.core.records import Record
from hookstream.normalizers import compiled, normalize
from hookstream.normalizers.prisma_airs.table import EVENTS, HOOKS, VENDOR
from hookstream.standards.aarts import aarts

NOW = "2026-11-21T03:15:51.146Z"
KEY = "agent:main:pr2"
SCAN = "00000011-0000-4000-8000-000000000011"
API_ERROR = {
    "action": "warn",
    "severity": "LOW",
    "categories": ["api_error"],
    "scanId": "",
    "hasError": True,
    "error": "AISEC_SERVER_SIDE_ERROR:internal error",
}


def line(name: str, **own: Any) -> Event:
    given = {"event": f"prisma_airs_{name}", "timestamp": NOW, "sessionKey": KEY, **own}
    found = normalize(Record(given, "prisma-airs", received_at=NOW), compiled("prisma-airs"), NOW)
    assert isinstance(found, list), found
    (event,) = found
    assert event.unmapped is None
    return event


def scan(name: str, action: str, *categories: str, **own: Any) -> Event:
    severity = {"allow": "SAFE", "warn": "HIGH", "block": "CRITICAL"}[action]
    given = {"action": action, "severity": severity, "categories": list(categories)}
    return line(name, **{"scanId": SCAN, "latencyMs": 9, **given, **own})


def test_lines_tell_of_openclaw_under_its_session_key() -> None:
    facts = scan("prompt_guard_scan", "allow", "safe").facts
    assert (facts["tool"], facts["session_id"]) == ("openclaw", KEY)
    assert facts["timestamp"] == NOW
    assert facts["policy_engine"] == "prisma-airs"


def test_unknown_is_no_session() -> None:
    event = scan("prompt_guard_scan", "allow", "safe", sessionKey="unknown")
    assert event.facts["session_id"] != "unknown"
    assert "session_id" in event.synthesized


def test_an_allowed_tool_call_is_an_allow() -> None:
    event = scan("tool_input_guard_scan", "allow", "safe", toolName="exec")
    assert event.type == "vendor.openclaw.GuardScan"
    assert (event.facts["decision"], event.facts["certainty"]) == ("allow", "observed")
    assert (event.facts["action_name"], event.facts["decided_by"]) == ("shell", "hook")


@pytest.mark.parametrize("name", ["tool_input_guard", "tool_guard"])
@pytest.mark.parametrize("action", ["block", "warn"])
def test_a_flagged_tool_call_is_refused_once(name: str, action: str) -> None:
    told = scan(f"{name}_scan", action, "prompt_injection", toolName="exec")
    done = line(
        f"{name}_block",
        toolName="exec",
        action=action,
        categories=["prompt_injection"],
        scanId=SCAN,
        reportId=f"R{SCAN}",
    )
    for event in (told, done):
        assert event.type == "Policy.Blocked"
        assert (event.facts["decision"], event.facts["decided_by"]) == ("deny", "hook")
        assert event.facts["category"] == "prompt_injection"
        assert event.facts["action_native"] == "exec"
    assert told.facts["same_as"] == done.facts["same_as"] == f"scan:{SCAN}"
    assert told.facts["severity"] == "critical"
    assert "severity" not in done.facts
    assert done.native is not None
    assert done.native["scanId"] == SCAN


def test_the_cached_gate_of_the_first_generation_refuses_too() -> None:
    given = {"toolName": "exec", "scanAction": "warn", "severity": "HIGH", "scanId": SCAN}
    assert line("tool_block", categories=["agent_threat"], **given).type == "Policy.Blocked"
    note = "Tool allowed despite active security warning"
    allowed = line("tool_allow", toolName="read", scanAction="warn", note=note)
    assert allowed.facts["decision"] == "allow"


@pytest.mark.parametrize("action", ["block", "warn"])
@pytest.mark.parametrize("name", ["prompt_guard_scan", "inbound_scan", "prompt_scan"])
def test_a_prompt_guard_never_blocks(name: str, action: str) -> None:
    event = scan(name, action, "prompt_injection")
    assert event.type == "vendor.openclaw.GuardScan"
    facts = event.facts
    # Nobody is asked: a block is a refusal that nothing carried out, a warning lets it pass.
    said = (facts["decision"], facts.get("enforced"))
    assert said == {"block": ("deny", False), "warn": ("allow", None)}[action]
    assert event.facts["category"] == "prompt_injection"


@pytest.mark.parametrize("name", ["tool_input_guard_scan", "prompt_guard_scan", "outbound_scan"])
def test_a_scan_that_failed_is_a_failure_and_no_allow(name: str) -> None:
    event = line(name, **API_ERROR)
    assert event.type == "vendor.openclaw.GuardScan"
    assert event.facts["failure"] == "api_error"
    assert "decision" not in event.facts
    assert "category" not in event.facts
    assert event.facts["error_message"] == "AISEC_SERVER_SIDE_ERROR:internal error"


def test_an_incomplete_scan_that_says_allow_is_no_allow() -> None:
    event = scan("prompt_guard_scan", "allow", "safe", "partial_scan")
    assert event.facts["failure"] == "partial_scan"
    assert "decision" not in event.facts


def test_a_call_refused_because_the_scan_failed_keeps_both() -> None:
    event = line("tool_guard_block", toolName="exec", **API_ERROR)
    assert event.type == "Policy.Blocked"
    assert (event.facts["decision"], event.facts["failure"]) == ("deny", "api_error")
    assert "same_as" not in event.facts


def test_a_flagged_answer_is_decided_by_what_follows() -> None:
    flagged = scan("response_guard_scan", "block", "dlp_response")
    assert "decision" not in flagged.facts
    assert (flagged.facts["category"], flagged.facts["severity"]) == (
        "data_exfiltration",
        "critical",
    )
    mask = line("response_guard_mask", categories=["dlp_response"], scanId=SCAN)
    assert (mask.facts["decision"], mask.facts["modified"]) == ("allow", True)
    block = scan("response_guard_block", "warn", "url_filtering_response")
    assert (block.type, block.facts["decision"]) == ("Policy.Blocked", "deny")
    assert "action_native" not in block.facts


def test_a_redacted_tool_result_is_a_modification() -> None:
    event = line("tool_redact", toolName="exec", action="regex", cachedDlp=False)
    assert (event.facts["decision"], event.facts["modified"]) == ("allow", True)


@pytest.mark.parametrize("action", ["allow", "block"])
def test_an_audit_proves_no_run_and_what_it_condemns_nobody_has_stopped(action: str) -> None:
    event = scan(
        "tool_output_audit", action, "agent_threat_response", toolName="exec", durationMs=8
    )
    assert event.type == "vendor.openclaw.GuardAudit"
    facts = event.facts
    assert not {"success", "outcome", "action_native"} & set(facts)
    said = (facts.get("decision"), facts.get("enforced"))
    assert said == {"allow": (None, None), "block": ("deny", False)}[action]


def test_tokens_of_an_audit_are_not_counted_again() -> None:
    usage = {"input": 2208, "output": 114, "total": 2322}
    own = {"runId": "k-1", "provider": "fake", "model": "fake-model", "usage": usage}
    event = scan("llm_output_audit", "allow", "safe", **own)
    assert "input_tokens" not in event.facts
    assert (event.facts["turn_id"], event.facts["model_id"]) == ("k-1", "fake/fake-model")


def test_a_sender_is_a_user_and_has_no_name() -> None:
    own = {"senderId": "cli", "senderName": "A Person", "channel": "webchat", "messageId": "k-1"}
    event = scan("inbound_scan", "allow", "safe", **own, provider="webchat")
    assert event.facts["user_id"] == "cli"
    assert "A Person" not in repr(event.facts) + repr(event.native)


def test_an_error_line_is_a_failure() -> None:
    event = line("tool_guard_error", toolName="exec", error="timeout")
    assert event.type == "vendor.openclaw.GuardError"
    assert event.facts["failure"] == "scan_error"
    assert "decision" not in event.facts


def test_both_generations_are_known() -> None:
    names = {name.removeprefix("prisma_airs_") for name in EVENTS}
    assert {
        "prompt_guard_scan",
        "prompt_guard_error",
        "response_guard_scan",
        "response_guard_mask",
        "response_guard_block",
        "tool_input_guard_scan",
        "tool_input_guard_block",
        "inbound_scan",
        "context_fallback_scan",
        "inbound_block_rejected",
        "outbound_block_rejected",
        "tool_allow",
        "llm_input_audit",
    } <= names


@pytest.mark.parametrize(
    ("name", "hook", "point"),
    [
        ("inbound_scan", "prisma-airs-audit", "PreUserInput"),
        ("context_fallback_scan", "prisma-airs-context", "PreUserInput"),
        ("prompt_scan", "prisma-airs-prompt-scan", "PreLLMRequest"),
        ("inbound_block_rejected", "prisma-airs-inbound-block", "PreUserInput"),
        ("outbound_block_rejected", "prisma-airs-outbound-block", "PreOutputDeliver"),
        ("outbound_block", "prisma-airs-outbound", "PreOutputDeliver"),
        ("outbound_warn", "prisma-airs-outbound", "PreOutputDeliver"),
        ("tool_block", "prisma-airs-tools", "PreToolUse"),
        ("tool_guard_block", "prisma-airs-tool-guard", "PreToolUse"),
        ("tool_redact", "prisma-airs-tool-redact", "PostToolUse"),
        ("llm_input_audit", "prisma-airs-llm-audit", "PreLLMRequest"),
        ("llm_output_audit", "prisma-airs-llm-audit", "PostLLMResponse"),
        ("tool_output_audit", "prisma-airs-tool-audit", "PostToolUse"),
    ],
)
def test_each_hook_names_itself_and_its_hook_point(name: str, hook: str, point: str) -> None:
    event = scan(name, "block", "malicious")
    assert (event.facts["guardian"], event.facts["decision_point"]) == (hook, point)
    wrapper = aarts(event)
    if "decision" in event.facts:
        assert wrapper is not None
        assert wrapper["hookstream"]["hook_point"] == point


def test_the_plugin_has_twelve_hooks_and_had_three_more() -> None:
    names = [name for name, _, _ in HOOKS]
    assert len({name for name in names if name.startswith("prisma-airs-")}) == 12
    assert len(set(names)) == 15


def test_claims_its_own_lines_only() -> None:
    assert VENDOR.claims({"event": "prisma_airs_prompt_guard_scan"})
    assert not VENDOR.claims({"event": {"type": "session.idle"}})
    assert not VENDOR.claims({"event": "tool_input_guard_scan"})


@pytest.mark.parametrize("value", [[], {}, [[]], 7, None, True, "x"])
def test_hostile_values_break_nothing(value: Any) -> None:
    keys = ("action", "categories", "scanId", "severity", "sessionKey", "toolName", "provider")
    for name in EVENTS:
        given = {"event": name, **dict.fromkeys(keys, value)}
        assert normalize(Record(given, "prisma-airs"), compiled("prisma-airs"), NOW)
