"""The Trace profile of ACS, the successor of AOS: steps as spans, decisions as events on them.

Source: trace/otel-mapping.json of the published specification 0.1.0; no emitter was recorded. A
span holds no content: no arguments, no result, no prompt. The span of a call names no id, so a
result belongs to a call by its order; only `acs.request_id_ref` of a result is kept.
"""

from __future__ import annotations

import re

from hookstream.normalizers.aos.envelopes import END_REASONS, NOT_SLUG, SLUG_LENGTH
from hookstream.normalizers.aos.table import TOOLS
from hookstream.normalizers.exported import TIME, event_of
from hookstream.normalizers.table import Const, Ignore, Row, Vendor, Words, at, derived, reads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.records import Payload
    from hookstream.normalizers.table import Events, Facts, Source

# Other programs use the prefix acs. too, so each span is named.
SPANS = re.compile(
    r"(?:gen_ai\.tool\.(?:call|result)|acs\.(?:session|session\.end|agent\.trigger|message\.user"
    r"|message\.agent|knowledge\.retrieval|memory\.store|memory\.retrieval|turn|turn\.end|compact"
    r"|compact\.complete|subagent|subagent\.end|skill\.register|skill\.load|skill\.unload"
    r"|agbom))\Z"
)
SPAN_EVENTS = re.compile(r"acs\.decision\Z")


@derived
@reads("acs_agent_id")
def tool(p: Payload) -> str | None:
    """The agent as a slug: its id, else the service that sends."""
    name = p.get("acs_agent_id")
    name = name if type(name) is str else str(at(p, "otlp.service") or "")
    return NOT_SLUG.sub("-", name.split(":", 1)[0].lower()).strip("-")[:SLUG_LENGTH] or "aos"


@reads("acs_session_id")
def session(p: Payload) -> Any:
    return p.get("acs_session_id") or at(p, "otlp.trace_session") or at(p, "otlp.trace")


@reads("acs_exit_status")
def success(p: Payload) -> bool | None:
    return {"success": True, "failure": False, "timeout": False}.get(str(p.get("acs_exit_status")))


@reads("acs_exit_status")
def outcome(p: Payload) -> str | None:
    return "timeout" if p.get("acs_exit_status") == "timeout" else None


@reads("acs_exit_status")
def was_blocked(p: Payload) -> bool:
    return p.get("acs_exit_status") == "blocked"


def was_not_blocked(p: Payload) -> bool:
    return not was_blocked(p)


@reads("acs_session_reason")
def end_reason(p: Payload) -> str | None:
    return END_REASONS.get(str(p.get("acs_session_reason")))


@derived
@reads()
def default_plan(p: Payload) -> str:
    return "default"


def decides(*words: str) -> Any:
    """Predicate: the decision is one of these."""

    @reads("acs_decision")
    def test(p: Payload) -> bool:
        return str(p.get("acs_decision")).lower() in words

    return test


COMMON: Facts = {**TIME, "tool": tool, "session_id": session, "turn_id": "acs_turn_id"}
CALL: Facts = {"action_native": "gen_ai_tool_name"}
DECIDED: Facts = {
    **CALL,
    "decided_by": Const("hook"),
    "decision_reason": "acs_reasoning",
    "decision_evidence": Const("acs.decision"),
    "certainty": Const("observed"),
}
DECIDED_KEEP = "acs_decision acs_evaluator acs_evaluator_version acs_confidence"
CHILD: Facts = {
    "session_id": "acs_subagent_session_id",
    "parent_session_id": ("acs_subagent_parent_session_id", "acs_session_id"),
    "agent_id": "acs_subagent_session_id",
    "plan_type": default_plan,
}
SKILL_KEEP = (
    "acs_skill_id acs_skill_digest_algorithm acs_skill_digest_value "
    "acs_skill_declared_capabilities acs_skill_load_trigger acs_skill_load_path "
    "acs_skill_digest_verified acs_skill_registration_ref acs_skill_reason "
    "acs_skill_replaced_by"
)
NO_CONTENT = "the span holds no content"


def decision(word: str, type: str, decision: str | None, **facts: Source) -> Row:
    known: dict[str, Source] = {**DECIDED, **facts}
    if decision:
        known["decision"] = Const(decision)
    return Row(type, known, when=decides(word), keep=DECIDED_KEEP)


STEPS: dict[str, Row | tuple[Row | Ignore, ...]] = {
    "acs.session": Row(
        "Session.Start",
        {"start_reason": Const("new"), "user_id": "acs_user_id"},
        keep="acs_tenant_id acs_policy_mode",
    ),
    "acs.session.end": Row("Session.End", {"end_reason": end_reason}),
    "acs.agent.trigger": Row("vendor.aos.AgentTrigger", keep="acs_trigger_type"),
    "acs.message.user": Row("Prompt.Submitted", note=NO_CONTENT),
    "acs.message.agent": Row("Agent.Response", note=NO_CONTENT),
    "acs.knowledge.retrieval": Row(
        "vendor.aos.KnowledgeRetrieval", keep="acs_source_type acs_results_count"
    ),
    "acs.memory.store": Row(
        "vendor.aos.MemoryStore",
        {"memory_store": "acs_memory_store_name"},
        hook_point="PreMemoryWrite",
        keep="acs_operation",
    ),
    "acs.memory.retrieval": Row(
        "vendor.aos.MemoryRetrieval",
        {"memory_store": "acs_memory_store_name"},
        hook_point="PreMemoryRead",
        keep="acs_results_count",
    ),
    "acs.turn": Row("vendor.aos.TurnStart", keep="acs_turn_triggered_by"),
    "acs.turn.end": Row(
        "vendor.aos.TurnEnd",
        {"step_count": "acs_turn_step_count"},
        keep="acs_turn_outcome",
    ),
    "acs.compact": Row(
        "Context.Compaction",
        {
            "context_phase": Const("before"),
            "context_trigger": Words(
                "acs_compact_triggered_by",
                {"size_threshold": "auto", "agent_initiated": "auto", "manual": "manual"},
            ),
            "tokens_before": "acs_compact_estimated_input_tokens",
        },
        hook_point="PreCompact",
        keep="acs_compact_entry_count",
    ),
    "acs.compact.complete": Row(
        "Context.Compaction",
        {"context_phase": Const("after")},
        keep="acs_compact_entry_count acs_compact_lineage_depth_after",
    ),
    "acs.subagent": Row("Agent.Plan.Start", CHILD, keep="acs_subagent_intent_derivation"),
    "acs.subagent.end": Row(
        "Agent.Plan.End",
        {
            **CHILD,
            "outcome": Words(
                "acs_subagent_outcome",
                {"completed": "ok", "failed": "error", "cancelled": "cancelled"},
            ),
        },
    ),
    "acs.skill.register": Row(
        "vendor.aos.SkillRegister", hook_point="PreSkillLoad", keep=SKILL_KEEP
    ),
    "acs.skill.load": Row(
        "vendor.aos.SkillLoad",
        {"load_context": "acs_skill_load_trigger"},
        hook_point="PreSkillLoad",
        keep=SKILL_KEEP,
    ),
    "acs.skill.unload": Row("vendor.aos.SkillUnload", keep=SKILL_KEEP),
    "acs.agbom": Row(
        "vendor.aos.AgBOM",
        keep="acs_agbom_format acs_agbom_component_count acs_agbom_change_reason",
    ),
    "gen_ai.tool.call": Row(
        "Action.Before",
        CALL,
        keep="acs_capability acs_tool_provider acs_tool_version acs_operation",
        note="no arguments, no id",
    ),
    "gen_ai.tool.result": (
        Row(
            "Policy.Blocked",
            {
                **CALL,
                "decision_evidence": Const("acs.exit_status"),
            },
            when=was_blocked,
            keep="acs_request_id_ref",
            note="nothing tells who refused",
        ),
        Row(
            "Action.After",
            {**CALL, "success": success, "outcome": outcome, "duration_ms": "acs_duration_ms"},
            when=was_not_blocked,
            keep="acs_request_id_ref",
        ),
    ),
}
SPAN_ENDS = Ignore("a span of a moment: its beginning says it")
EVENTS: Events = {
    **{f"{name}.start": rows for name, rows in STEPS.items()},
    **{f"{name}.end": SPAN_ENDS for name in STEPS},
    "acs.decision.event": (
        decision("deny", "Policy.Blocked", "deny"),
        decision("allow", "vendor.aos.Decision", "allow"),
        decision("modify", "vendor.aos.Decision", "allow", modified=Const(True)),
        decision("ask", "vendor.aos.Decision", "ask"),
        decision("defer", "vendor.aos.Decision", None),
        Ignore("a decision that is not one of the five"),
    ),
}

VENDOR = Vendor(
    "aos",
    spans=SPANS,
    span_events=SPAN_EVENTS,
    event=event_of(""),
    common=COMMON,
    events=EVENTS,
    tools=TOOLS,
    keep="acs_provenance_origin acs_provenance_source_id acs_provenance_lineage_depth",
    ignore="otlp acs_content_types acs_subagent_final_chain_hash acs_model_id",
)
