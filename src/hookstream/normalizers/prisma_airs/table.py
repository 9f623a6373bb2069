"""Prisma AIRS plugin of OpenClaw: its log lines, one JSON object each, of both generations.

Lines about one scan: what the service answered (_scan, _audit) and what the plugin did (_block,
_mask, _rejected). They report sessions of OpenClaw, by its session key, and hold no call id.
Source: lines recorded from the plugin 2.1.1 and 1.1.0; the other names from its source.
"""

from __future__ import annotations

from hookstream.normalizers.openclaw.table import TOOLS
from hookstream.normalizers.table import Const, Row, Vendor, Words, derived, mcp_name, reads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from hookstream.core.records import Payload
    from hookstream.normalizers.table import Source

    Facts = Mapping[str, Source | None]

PREFIX = "prisma_airs_"
# Words that say nothing was found; the others name a detector or the plugin's own failure.
QUIET = frozenset(("safe", "benign"))
FAILURES = {
    "api_error": "api_error",
    "scan-failure": "scan_failure",
    "partial_scan": "partial_scan",
}
# native category, up to its suffix -> AARTS category
CATEGORIES = {
    "prompt_injection": "prompt_injection",
    "dlp": "data_exfiltration",
    "url_filtering": "network_egress",
    "malicious_url": "network_egress",
}
# The service's five steps on AARTS's three.
SEVERITIES = {
    "SAFE": "info",
    "LOW": "info",
    "MEDIUM": "warning",
    "HIGH": "critical",
    "CRITICAL": "critical",
}


def claims(p: Payload) -> bool:
    event = p.get("event")
    return type(event) is str and event.startswith(PREFIX)


def words(p: Payload) -> list[str]:
    categories = p.get("categories")
    return [one for one in categories if type(one) is str] if type(categories) is list else []


@reads("sessionKey")
def session_id(p: Payload) -> str | None:
    """`unknown` is what the plugin writes where it has none."""
    key = p.get("sessionKey")
    return key if type(key) is str and key != "unknown" else None


@reads("sessionKey")
def agent_id(p: Payload) -> str | None:
    key = session_id(p)
    return key if key and ":subagent:" in key else None


@reads("provider model")
def model_id(p: Payload) -> str | None:
    provider, model = p.get("provider"), p.get("model")
    return f"{provider}/{model}" if type(provider) is str and type(model) is str else None


@reads("categories hasError")
def failure(p: Payload) -> str | None:
    """The scan service did not answer, or not wholly: no detection, and no allow."""
    word = next((FAILURES[word] for word in words(p) if word in FAILURES), None)
    return word or ("api_error" if p.get("hasError") is True else None)


@reads("categories")
def category(p: Payload) -> str | None:
    for word in words(p):
        if word not in QUIET and word not in FAILURES:
            stem = word.removesuffix("_prompt").removesuffix("_response")
            return CATEGORIES.get(stem, stem)
    return None


@derived
@reads("categories")
def reason(p: Payload) -> str | None:
    return ", ".join(word for word in words(p) if word not in QUIET) or None


@reads("scanId")
def scan_key(p: Payload) -> str | None:
    """A blocked tool call is reported by the scan, with the severity, and by the block."""
    scan = p.get("scanId")
    return f"scan:{scan}" if type(scan) is str and scan else None


@reads("event")
def evidence(p: Payload) -> str:
    return str(p.get("event")).removeprefix(PREFIX)


@reads("action categories hasError")
def is_allowed(p: Payload) -> bool:
    return p.get("action") == "allow" and failure(p) is None


@reads("action categories hasError")
def is_flagged(p: Payload) -> bool:
    return p.get("action") in ("warn", "block") and failure(p) is None


@reads("action categories hasError")
def is_condemned(p: Payload) -> bool:
    return p.get("action") == "block" and failure(p) is None


@reads("action categories hasError")
def is_not_condemned(p: Payload) -> bool:
    return not is_condemned(p)


@reads("action categories hasError")
def is_warned(p: Payload) -> bool:
    return p.get("action") == "warn" and failure(p) is None


@reads("action categories hasError")
def is_undecided(p: Payload) -> bool:
    return not is_allowed(p) and not is_flagged(p)


@reads("action categories hasError")
def is_not_allowed(p: Payload) -> bool:
    return not is_allowed(p)


COMMON: Mapping[str, Source] = {
    "session_id": session_id,
    "agent_id": agent_id,
    "timestamp": "timestamp",
    "turn_id": "runId",
    "user_id": "senderId",
    "message_id": "messageId",
    "model_id": model_id,
    "policy_engine": Const("prisma-airs"),
    "category": category,
    "severity": Words("severity", SEVERITIES),
    "failure": failure,
    "error_message": "error",
}
KEEP = (
    "action scanAction cachedDlp categories channel contextLength durationMs latencyMs "
    "promptDetected responseDetected reportId scanId usage"
)
BY_HOOK: Facts = {"decided_by": Const("hook"), "decision_evidence": evidence}
ALLOW: Facts = {**BY_HOOK, "decision": Const("allow"), "certainty": Const("observed")}
DENY: Facts = {
    **BY_HOOK,
    "decision": Const("deny"),
    "decision_reason": reason,
    "certainty": Const("observed"),
}
ON_TOOL: Facts = {"action_native": "toolName", "call_id": "toolId"}
SCAN = "vendor.openclaw.GuardScan"
AUDITED = "vendor.openclaw.GuardAudit"
# An engine's verdict that nothing carries out.
CONDEMNED: Facts = {**DENY, "enforced": Const(False)}
AUDIT = (
    Row(AUDITED, CONDEMNED, when=is_condemned, keep="toolName"),
    Row(
        AUDITED,
        when=is_not_condemned,
        keep="toolName",
        note="looks at what has happened, a refusal's text too: no decision, and no run",
    ),
)
# A refusal is reported by the scan and by the block; the first of the two counts.
TOOL_SCAN = (
    Row("Policy.Blocked", {**DENY, **ON_TOOL, "same_as": scan_key}, when=is_flagged),
    Row(SCAN, {**ALLOW, **ON_TOOL}, when=is_allowed),
    Row(
        SCAN,
        ON_TOOL,
        when=is_undecided,
        note="whether the call was then blocked depends on the configuration",
    ),
)
TOOL_BLOCK = Row("Policy.Blocked", {**DENY, **ON_TOOL, "same_as": scan_key})
# A flagged answer is masked or blocked; the record of that follows.
RESPONSE_SCAN = (
    Row(SCAN, ALLOW, when=is_allowed),
    Row(SCAN, when=is_not_allowed),
)
MASK = Row(SCAN, {**ALLOW, "modified": Const(True), "decision_reason": reason}, keep="toolName")
BLOCK = Row("Policy.Blocked", DENY)
# These look at prompts and never stop one: a flag asks the model to be careful.
PROMPT_SCAN = (
    Row(SCAN, ALLOW, when=is_allowed),
    Row(SCAN, CONDEMNED, when=is_condemned),
    Row(SCAN, {**ALLOW, "decision_reason": reason}, when=is_warned),
    Row(SCAN, when=is_undecided),
)
ERROR = Row(
    "vendor.openclaw.GuardError",
    {"failure": Const("scan_error")},
    keep="toolName",
)

TOOL_ALLOW = Row(SCAN, {**ALLOW, **ON_TOOL}, ignore="note")
WARNED = Row(SCAN, {**ALLOW, "decision_reason": reason}, note="delivered, with a warning")

# The hooks of the plugin by its documentation: all but the last four are of the generation of
# twelve, which the last four replaced. Each with the AARTS hook point at which it looks, and the
# lines it logs. The reminder (`prisma-airs-guard`) logs none.
HOOKS: tuple[tuple[str, str, tuple[tuple[Row | tuple[Row, ...], str], ...]], ...] = (
    ("prisma-airs-guard", "PreLLMRequest", ()),
    (
        "prisma-airs-audit",
        "PreUserInput",
        ((PROMPT_SCAN, "inbound_scan"), (ERROR, "inbound_scan_error")),
    ),
    (
        "prisma-airs-context",
        "PreUserInput",
        ((PROMPT_SCAN, "context_fallback_scan"), (ERROR, "context_scan_error")),
    ),
    (
        "prisma-airs-prompt-scan",
        "PreLLMRequest",
        ((PROMPT_SCAN, "prompt_scan"), (ERROR, "prompt_scan_error")),
    ),
    (
        "prisma-airs-inbound-block",
        "PreUserInput",
        (
            (RESPONSE_SCAN, "inbound_block_scan"),
            (BLOCK, "inbound_block_rejected"),
            (ERROR, "inbound_block_error"),
        ),
    ),
    (
        "prisma-airs-outbound-block",
        "PreOutputDeliver",
        (
            (RESPONSE_SCAN, "outbound_block_scan"),
            (BLOCK, "outbound_block_rejected"),
            (ERROR, "outbound_block_error"),
        ),
    ),
    (
        "prisma-airs-outbound",
        "PreOutputDeliver",
        (
            (RESPONSE_SCAN, "outbound_scan"),
            (MASK, "outbound_mask"),
            (BLOCK, "outbound_block"),
            (WARNED, "outbound_warn"),
            (ERROR, "outbound_scan_error"),
        ),
    ),
    (
        "prisma-airs-tools",
        "PreToolUse",
        ((TOOL_BLOCK, "tool_block"), (TOOL_ALLOW, "tool_allow")),
    ),
    (
        "prisma-airs-tool-guard",
        "PreToolUse",
        (
            (TOOL_SCAN, "tool_guard_scan"),
            (TOOL_BLOCK, "tool_guard_block"),
            (ERROR, "tool_guard_error"),
        ),
    ),
    ("prisma-airs-tool-redact", "PostToolUse", ((MASK, "tool_redact"),)),
    (
        "prisma-airs-llm-audit",
        "PreLLMRequest",
        ((AUDIT, "llm_input_audit"), (ERROR, "llm_input_error llm_input_audit_error")),
    ),
    (
        "prisma-airs-llm-audit",
        "PostLLMResponse",
        ((AUDIT, "llm_output_audit"), (ERROR, "llm_output_error llm_output_audit_error")),
    ),
    (
        "prisma-airs-tool-audit",
        "PostToolUse",
        ((AUDIT, "tool_output_audit"), (ERROR, "tool_output_error tool_output_audit_error")),
    ),
    (
        "prompt-guard",
        "PreLLMRequest",
        ((PROMPT_SCAN, "prompt_guard_scan"), (ERROR, "prompt_guard_error")),
    ),
    (
        "tool-input-guard",
        "PreToolUse",
        (
            (TOOL_SCAN, "tool_input_guard_scan"),
            (TOOL_BLOCK, "tool_input_guard_block"),
            (ERROR, "tool_input_guard_error"),
        ),
    ),
    (
        "response-guard",
        "PreOutputDeliver",
        (
            (RESPONSE_SCAN, "response_guard_scan"),
            (MASK, "response_guard_mask"),
            (BLOCK, "response_guard_block"),
            (ERROR, "response_guard_error"),
        ),
    ),
)


def at_point(rows: Row | tuple[Row, ...], hook: str, point: str) -> Row | tuple[Row, ...]:
    """The rows of a line with the hook that logged it, and the hook point it looks at."""
    if isinstance(rows, tuple):
        return tuple(row.given(decision_point=Const(point), guardian=Const(hook)) for row in rows)
    return rows.given(decision_point=Const(point), guardian=Const(hook))


EVENTS: dict[str, Row | tuple[Row, ...]] = {
    f"{PREFIX}{name}": at_point(rows, hook, point)
    for hook, point, lines in HOOKS
    for rows, names in lines
    for name in names.split()
}


VENDOR = Vendor(
    "prisma-airs",
    tool="openclaw",
    claims=claims,
    event="event",
    common=COMMON,
    events=EVENTS,
    tools=TOOLS,
    mcp=mcp_name(""),
    keep=KEEP,
    ignore="senderName",
)
