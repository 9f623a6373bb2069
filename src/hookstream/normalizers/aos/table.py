"""OWASP AOS 0.1.0, Joch's form of its answers, and its successor ACS: JSON-RPC between an agent and
its Guardian. Requests are steps of the agent, answers are decisions about them.

Source: the published specifications, Joch's public documentation and the public ACS adapters; no
request was recorded. The JSON-RPC id is `message_id` on both sides: the sessions stage joins them,
for an answer names neither session nor agent.
"""

from __future__ import annotations

from hookstream.normalizers.aos.envelopes import (
    arguments,
    content,
    decides,
    default_plan,
    end_reason,
    failure,
    is_acs,
    is_not_acs,
    mcp,
    model_id,
    native_event,
    one_line,
    outcome,
    output,
    policy_id,
    policy_version,
    rule_id,
    success,
    summary,
    tool,
    was_blocked,
    was_not_blocked,
)
from hookstream.normalizers.aos.wrapped import (
    is_delegation,
    is_no_delegation,
    is_wrapped_answer,
    wrapped_action,
    wrapped_error,
    wrapped_input,
    wrapped_output,
    wrapped_success,
    wrapped_task,
    wrapped_tool,
    wrapped_uri,
    wraps,
)
from hookstream.normalizers.claude_code.table import TOOLS as CLAUDE_TOOLS
from hookstream.normalizers.genai.telemetry import TOOLS as FRAMEWORK_TOOLS
from hookstream.normalizers.opencode.calls import TOOLS as OPENCODE_TOOLS
from hookstream.normalizers.table import Const, Ignore, Row, Vendor, Words, is_word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from hookstream.normalizers.table import Source

    Facts = Mapping[str, Source | None]


def claims(p: dict[str, Any]) -> bool:
    return p.get("jsonrpc") == "2.0" and ("method" in p or "result" in p or "error" in p)


# A Guardian sees tools under their host's names; these tables hold the usual ones, `file_read` and
# other names of no host first.
TOOLS = {**FRAMEWORK_TOOLS, **OPENCODE_TOOLS, **CLAUDE_TOOLS}

COMMON: Mapping[str, Source] = {
    "message_id": "id",
    "tool": tool,
    "tool_version": "params.context.agent.version",
    "session_id": ("params.context.session.id", "params.metadata.session_id"),
    "turn_id": (
        "params.context.turnId",
        "params.metadata.turn_id",
        "params.payload.turn_id",
    ),
    "timestamp": ("params.context.timestamp", "params.timestamp"),
    "user_id": "params.context.user.id",
    "cwd": "params.metadata.cwd",
    "transcript_path": (
        "params.metadata.transcript_path",
        "params.payload.platform_context.transcript_path",
    ),
    "permission_mode": "params.metadata.permission_mode",
    "model_id": model_id,
}
KEEP = (
    "method",
    "params.acs_version",
    "params.request_id",
    "params.tenant_id",
    "params.context.agent.id",
    "params.context.agent.name",
    "params.context.agent.provider",
    "params.context.stepId",
    "params.metadata.agent_id",
    "params.metadata.platform",
    "params.metadata.adapter_version",
)
# The agent's system prompt, tools and reasoning, its user's name and address, signatures.
IGNORE = (
    "jsonrpc",
    "params.context.agent",
    "params.context.organization",
    "params.context.session.metadata",
    "params.context.user",
    "params.metadata.session_state",
    "params.reasoning",
    "params.payload.reasoning",
    "params.citation",
    "params.payload.citations",
    "params.payload.sources",
    "params.signature",
    "params.nonce",
    "params.chain_hash",
    "signature",
)
MESSAGE_LEFT_OUT = ("params.message.role", "params.message.id")
CALL: Facts = {
    "action_native": (
        "params.toolCallRequest.toolId",
        "params.payload.tool.name",
        "params.payload.tool.id",
    ),
    "input": arguments,
    "call_id": ("params.toolCallRequest.executionId", "params.request_id"),
}
RESULT: Facts = {
    "action_native": ("params.payload.tool.name", "params.payload.tool.id"),
    "call_id": (
        "params.executionId",
        "params.payload.execution_id",
        "params.payload.request_id_ref",
    ),
}
TOOL_LEFT_OUT = (
    "params.payload.tool",
    "params.payload.raw_command",
    "params.toolCallRequest.inputs",
    "params.result",
)
WRAPPED: Facts = {
    "action_native": wrapped_tool,
    "action_name": wrapped_action,
    "action_category": Const("mcp_call"),
    "input": wrapped_input,
}
WRAPPED_KEEP = ("params.message.id", "params.payload.id", "params.id")
A2A = (
    Row(
        "Action.Before",
        "PreSubAgentSpawn",
        {
            "action_native": wrapped_tool,
            "action_name": Const("delegate"),
            "action_category": Const("delegate"),
            "task": wrapped_task,
        },
        when=is_delegation,
        ignore=("params",),
    ),
    Row("vendor.aos.A2AMessage", None, when=is_no_delegation, ignore=("params",)),
)
CHILD: Facts = {
    "session_id": "params.payload.subagent_session_id",
    "parent_session_id": ("params.payload.parent_session_id", "params.metadata.session_id"),
    "agent_id": "params.payload.subagent_session_id",
    "agent_type": "params.payload.subagent_descriptor.agent_name",
    "plan_type": default_plan,
}
MEMORY: Facts = {
    "memory": ("params.memory", "params.payload.entries", "params.payload.memory"),
    "memory_store": (
        "params.payload.store",
        "params.payload.target_store",
        "params.payload.source_id",
    ),
}
MEMORY_KEEP = ("params.payload.scope", "params.payload.ttl")
SKILL_KEEP = (
    "params.payload.skill_id",
    "params.payload.definition.digest",
    "params.payload.digest",
    "params.payload.declared_capabilities",
    "params.payload.load_path",
    "params.payload.registration_ref",
)
SKILL_LEFT_OUT = (
    "params.payload.definition",
    "params.payload.composition",
    "params.payload.registration_provenance",
    "params.payload.parent_step_id",
    "params.payload.digest_verified",
)
DECIDED: Facts = {
    "decided_by": Const("hook"),
    "decision_reason": ("result.reasoning", "result.reason", "result.message"),
    "decision_evidence": Const("result.decision"),
    "certainty": Const("observed"),
    "policy_id": policy_id,
    "policy_version": policy_version,
    "matched_rule_id": rule_id,
    "call_id": "result.modifiedRequest.params.toolCallRequest.executionId",
}
DECIDED_KEEP = (
    "result.decision",
    "result.request_id",
    "result.policy_references",
    "result.reason_codes",
    "result.reasonCode",
    "result.metadata.evaluator",
    "result.metadata.confidence",
    "result.ask_details.approver",
    "result.defer_details.timeout_decision",
)
DECIDED_LEFT_OUT = (
    "result.type",
    "result.acs_version",
    "result.message",
    "result.reason",
    "result.reasoning",
    "result.data",
    "result.modifiedRequest",
    "result.modifications",
    "result.ask_details",
    "result.defer_details",
    "result.policy_data",
    "result.cited_provenance_ids",
    "result.metadata",
    "result.chain_hash",
    "result.signature",
    "result.additional_context",
)

EVENTS: dict[str, Row | Ignore | tuple[Row | Ignore, ...]] = {
    # Sessions and turns (ACS), autonomous starts (both).
    "steps/sessionStart": Row(
        "Session.Start",
        "SessionStart",
        {"start_reason": Const("new")},
        keep=("params.payload.platform_context.source", "params.payload.policy_mode"),
        ignore=("params.payload",),
    ),
    "steps/sessionEnd": Row(
        "Session.End", "SessionEnd", {"end_reason": end_reason}, ignore=("params.payload",)
    ),
    "steps/agentTrigger": (
        Row(
            "Session.Start",
            "SessionStart",
            {"actor_type": Const("system"), "task": content},
            when=is_not_acs,
            keep=("params.trigger.type", "params.trigger.event"),
        ),
        Row(
            "vendor.aos.AgentTrigger",
            None,
            {"task": content},
            when=is_acs,
            keep=("params.payload.trigger_type", "params.payload.trigger_source"),
            ignore=("params.payload.intent",),
        ),
    ),
    "steps/turnStart": Row(
        "vendor.aos.TurnStart",
        None,
        keep=("params.payload.triggered_by", "params.payload.parent_turn_id"),
    ),
    "steps/turnEnd": Row(
        "vendor.aos.TurnEnd",
        None,
        {"step_count": "params.payload.step_count", "summary": summary},
        keep=("params.payload.outcome",),
    ),
    # Messages: AOS tells the sides apart by role, ACS by method.
    "steps/message": (
        Row(
            "Prompt.Submitted",
            "PreUserInput",
            {"prompt": content},
            when=is_word("params.message.role", "user"),
            ignore=MESSAGE_LEFT_OUT,
        ),
        Row(
            "Agent.Response",
            "PreOutputDeliver",
            {"response": content},
            when=is_word("params.message.role", "agent", "assistant"),
            ignore=MESSAGE_LEFT_OUT,
        ),
        Row(
            "Agent.Notification",
            None,
            {"message": one_line},
            when=is_word("params.message.role", "system"),
            ignore=MESSAGE_LEFT_OUT,
        ),
    ),
    "steps/userMessage": Row(
        "Prompt.Submitted",
        "PreUserInput",
        {"prompt": content},
        ignore=("params.payload.user_context",),
    ),
    "steps/agentResponse": Row("Agent.Response", "PreOutputDeliver", {"response": content}),
    # Tool calls.
    "steps/toolCallRequest": Row("Action.Before", "PreToolUse", CALL, ignore=TOOL_LEFT_OUT),
    "steps/toolCallResult": (
        Row(
            "Policy.Blocked",
            None,
            {
                **RESULT,
                "decision": Const("deny"),
                "decided_by": None,
                "decision_evidence": Const("toolCallResult.exit_status"),
                "certainty": Const("observed"),
            },
            when=was_blocked,
            ignore=(*TOOL_LEFT_OUT, "params.payload.outputs", "params.payload.duration_ms"),
            note="nothing tells who refused",
        ),
        Row(
            "Action.After",
            "PostToolUse",
            {
                **RESULT,
                "success": success,
                "outcome": outcome,
                "output": output,
                "duration_ms": "params.payload.duration_ms",
            },
            when=was_not_blocked,
            ignore=TOOL_LEFT_OUT,
        ),
    ),
    # Memory, knowledge.
    "steps/memoryStore": Row("vendor.aos.MemoryStore", "PreMemoryWrite", MEMORY, keep=MEMORY_KEEP),
    "steps/memoryContextRetrieval": Row(
        "vendor.aos.MemoryRetrieval", "PreMemoryRead", MEMORY, keep=MEMORY_KEEP
    ),
    "steps/knowledgeRetrieval": Row(
        "vendor.aos.KnowledgeRetrieval",
        None,
        {
            "query": ("params.knowledgeStep.query", "params.payload.query"),
            "output": ("params.knowledgeStep.results", "params.payload.results"),
        },
        keep=("params.knowledgeStep.keywords", "params.payload.keywords"),
    ),
    # Context and sub-agents (ACS).
    "steps/preCompact": Row(
        "Context.Compaction",
        "PreCompact",
        {
            "context_phase": Const("before"),
            "context_trigger": Words(
                "params.payload.triggered_by",
                {"size_threshold": "auto", "agent_initiated": "auto", "manual": "manual"},
            ),
        },
        ignore=("params.payload.entries_to_compact", "params.payload.provenance_summary"),
    ),
    "steps/postCompact": Row(
        "Context.Compaction",
        "PostCompact",
        {"context_phase": Const("after"), "summary": summary},
        ignore=("params.payload.entries_compacted", "params.payload.provenance"),
    ),
    "steps/subagentStart": Row(
        "Agent.Plan.Start",
        "PreSubAgentSpawn",
        CHILD,
        keep=("params.payload.intent_derivation", "params.payload.parent_step_id"),
        ignore=("params.payload.subagent_intent", "params.payload.subagent_descriptor"),
    ),
    "steps/subagentStop": Row(
        "Agent.Plan.End",
        "PostSubAgentResult",
        {
            **CHILD,
            "response": summary,
            "outcome": Words(
                "params.payload.outcome",
                {"completed": "ok", "failed": "error", "cancelled": "cancelled"},
            ),
        },
        ignore=("params.payload.final_chain_hash",),
    ),
    "steps/skillRegister": Row(
        "vendor.aos.SkillRegister",
        "PreSkillLoad",
        {"file_path": "params.payload.definition.ref"},
        keep=SKILL_KEEP,
        ignore=SKILL_LEFT_OUT,
    ),
    "steps/skillLoad": Row(
        "vendor.aos.SkillLoad",
        "PreSkillLoad",
        {"load_context": "params.payload.load_trigger"},
        keep=SKILL_KEEP,
        ignore=SKILL_LEFT_OUT,
    ),
    "steps/skillUnload": Row(
        "vendor.aos.SkillUnload",
        None,
        keep=("params.payload.skill_id", "params.payload.reason", "params.payload.replaced_by"),
    ),
    # Other protocols, carried along.
    "protocols/MCP": (
        Row(
            "Action.Before",
            "PreToolUse",
            {**WRAPPED, "url": wrapped_uri},
            when=wraps("tools/call", "resources/read"),
            keep=WRAPPED_KEEP,
            ignore=("params",),
            note="its id counts per connection: no call id",
        ),
        Row(
            "vendor.aos.MCPInitialize",
            "PreMCPConnect",
            when=wraps("initialize"),
            keep=WRAPPED_KEEP,
            ignore=("params",),
        ),
        Row(
            "Action.After",
            "PostToolUse",
            {
                "action_category": Const("mcp_call"),
                "success": wrapped_success,
                "output": wrapped_output,
                "error_message": wrapped_error,
            },
            when=is_wrapped_answer,
            keep=WRAPPED_KEEP,
            ignore=("params",),
            note="an answer does not name its tool",
        ),
        Ignore("neither a call of a tool nor its result"),
    ),
    "protocols/A2A": A2A,
    "message/send": A2A,
    "message/stream": A2A,
    "tasks/get": A2A,
    "task/get": A2A,
    "tasks/cancel": A2A,
    "tasks/resubscribe": A2A,
    "task/pushNotificationConfig/get": A2A,
    "task/pushNotificationConfig/set": A2A,
    "tasks/pushNotificationConfig/get": A2A,
    "tasks/pushNotificationConfig/set": A2A,
    # Inventory, liveness, negotiation.
    "agbom/snapshot": Row("vendor.aos.AgBOMSnapshot", None, keep=("params.payload",)),
    "agbom/changed": Row("vendor.aos.AgBOMChanged", None, keep=("params.payload",)),
    "ping": Ignore("liveness"),
    "system/ping": Ignore("liveness"),
    "handshake/hello": Ignore("capability negotiation"),
    # Answers.
    "result": (
        Row(
            "Policy.Blocked",
            None,
            {**DECIDED, "decision": Const("deny")},
            when=decides("deny"),
            keep=DECIDED_KEEP,
            ignore=DECIDED_LEFT_OUT,
        ),
        Row(
            "vendor.aos.Decision",
            None,
            {**DECIDED, "decision": Const("allow")},
            when=decides("allow"),
            keep=DECIDED_KEEP,
            ignore=DECIDED_LEFT_OUT,
        ),
        Row(
            "vendor.aos.Decision",
            None,
            {**DECIDED, "decision": Const("allow"), "modified": Const(True)},
            when=decides("modify"),
            keep=DECIDED_KEEP,
            ignore=DECIDED_LEFT_OUT,
        ),
        Row(
            "vendor.aos.Decision",
            None,
            {**DECIDED, "decision": Const("ask")},
            when=decides("ask"),
            keep=DECIDED_KEEP,
            ignore=DECIDED_LEFT_OUT,
        ),
        Row(
            "vendor.aos.Decision",
            None,
            DECIDED,
            when=decides("defer"),
            keep=DECIDED_KEEP,
            ignore=DECIDED_LEFT_OUT,
            note="not decided yet: no decision",
        ),
        Ignore("an answer that decides nothing"),
    ),
    "error": Row(
        "vendor.aos.GuardianError",
        None,
        {
            "failure": failure,
            "error_code": "error.code",
            "error_message": "error.message",
        },
        keep=("error.data",),
        note="no decision: what the agent then did depends on its failure posture",
    ),
}

VENDOR = Vendor(
    "aos",
    claims=claims,
    event=native_event,
    common=COMMON,
    events=EVENTS,
    tools=TOOLS,
    mcp=mcp,
    keep=KEEP,
    ignore=IGNORE,
    absent={
        "trace/*": "reserved, without any method",
        "steps/memoryRetrieval": "named by the tracing page only",
        "steps/knowledgeStore": "named by the tracing page only",
    },
)
