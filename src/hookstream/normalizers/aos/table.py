"""OWASP AOS 0.1.0, Joch's form of its answers, and its successor ACS: JSON-RPC between an agent and
its Guardian. Requests are steps of the agent, answers are decisions about them.

Source: the published specifications, Joch's public documentation and the public ACS adapters; no
request was recorded. The JSON-RPC id is `message_id` on both sides: the sessions stage joins them,
for an answer names neither session nor agent.
"""

from __future__ import annotations

from hookstream.normalizers.aos import a2a, envelopes, mcp
from hookstream.normalizers.aos.wrapped import wrapped_error, wrapped_id
from hookstream.normalizers.claude_code.table import TOOLS as CLAUDE_TOOLS
from hookstream.normalizers.genai.telemetry import TOOLS as FRAMEWORK_TOOLS
from hookstream.normalizers.opencode.calls import TOOLS as OPENCODE_TOOLS
from hookstream.normalizers.table import Const, Ignore, Row, Vendor, Words, is_word, mcp_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.normalizers.table import Events, Facts, Source


def claims(p: dict[str, Any]) -> bool:
    return p.get("jsonrpc") == "2.0" and ("method" in p or "result" in p or "error" in p)


# A Guardian sees tools under their host's names; these tables hold the usual ones, `file_read` and
# other names of no host first.
TOOLS = {**FRAMEWORK_TOOLS, **OPENCODE_TOOLS, **CLAUDE_TOOLS}

COMMON: Facts = {
    "message_id": "id",
    "tool": (envelopes.tool, a2a.own_tool),
    "wrapped_id": wrapped_id,
    "tool_version": ("params.context.agent.version", a2a.own_version),
    "session_id": ("params.context.session.id", "params.metadata.session_id"),
    "turn_id": (
        "params.context.turnId",
        "params.metadata.turn_id",
        "params.payload.turn_id",
    ),
    "timestamp": ("params.context.timestamp", "params.timestamp"),
    "user_id": "params.context.user.id",
    "organization": envelopes.organization,
    "reasoning": ("params.reasoning", "params.payload.reasoning"),
    "cwd": "params.metadata.cwd",
    "transcript_path": (
        "params.metadata.transcript_path",
        "params.payload.platform_context.transcript_path",
    ),
    "permission_mode": "params.metadata.permission_mode",
    "model_id": envelopes.model_id,
    "actor_type": envelopes.actor_type,
    "actor_id": envelopes.actor_id,
    "actor_name": envelopes.actor_name,
}
KEEP = (
    "method params.acs_version params.request_id params.tenant_id "
    "params.context.agent.id params.context.agent.name params.context.agent.provider "
    "params.context.stepId params.context.organization.id "
    "params.context.organization.name params.context.user.organization.id "
    "params.context.user.organization.name params.context.agent.organization.id "
    "params.context.agent.organization.name params.metadata.agent_id "
    "params.metadata.platform params.metadata.adapter_version"
)
# What is kept under names of ours. `tools` is for later requests of the agent (aos/tools.py).
NATIVE: Facts = {
    "tools": envelopes.tools,
    "citation_hosts": envelopes.citation_hosts,
    "citation_files": envelopes.citation_files,
    "attached_files": envelopes.attached,
}
PROMPT: Facts = {"prompt": envelopes.content, "attached_files": envelopes.attached_files}
CALL: Facts = {
    "action_native": envelopes.tool_name,
    "input": envelopes.arguments,
    "call_id": ("params.toolCallRequest.executionId", "params.request_id"),
}
RESULT: Facts = {
    "action_native": "params.payload.tool.name",
    "call_id": (
        "params.executionId",
        "params.toolCallResult.executionId",
        "params.payload.request_id_ref",
    ),
}
MCP_CALL: Facts = {
    "action_native": mcp.called_tool,
    "action_name": mcp.action,
    "action_category": Const("mcp_call"),
    "mcp_server": mcp.server,
    "input": mcp.arguments,
    "url": mcp.uri,
}
WRAPPED_KEEP = "params.message.id params.payload.id params.id"


CONNECTION: Facts = {
    "transport": mcp.transport,
    "server_command": mcp.server_command,
    "url": mcp.server_url,
}


def of_mcp(
    name: str, when: Any, facts: Facts, note: str = "", point: str | None = None, **native: Source
) -> Row:
    return Row(
        name,
        {"mcp_server": mcp.server, **facts},
        hook_point=point,
        when=when,
        keep=WRAPPED_KEEP,
        note=note,
        native=native,
    )


MCP: tuple[Row | Ignore, ...] = (
    of_mcp(
        "Action.Before",
        mcp.is_kind("call"),
        MCP_CALL,
        "its id counts per connection: no call id",
    ),
    of_mcp(
        "vendor.aos.MCPInitialize",
        mcp.connects,
        {**CONNECTION, "server_id": mcp.server},
        point="PreMCPConnect",
        protocol=mcp.protocol,
    ),
    of_mcp(
        "vendor.aos.MCPInitialize",
        mcp.connects_somewhere,
        {**CONNECTION, "server_id": mcp.only_server},
        "the server, if the agent has just one",
        point="PreMCPConnect",
        protocol=mcp.protocol,
    ),
    of_mcp(
        "Model.Requested",
        mcp.is_kind("sampling/createMessage"),
        {"request": mcp.sampled_request, "actor_type": Const("system")},
        "a server asks for the client's model",
    ),
    *(
        of_mcp(
            f"vendor.aos.{name}",
            mcp.is_kind(method),
            {"url": mcp.uri},
            asked_for=mcp.asked_for,
        )
        for method, name in mcp.REQUESTS.items()
    ),
    of_mcp(
        "Action.After",
        mcp.is_kind("result"),
        {
            "action_category": Const("mcp_call"),
            "success": mcp.success,
            "output": mcp.output,
            "error_message": wrapped_error,
        },
        "an answer does not name its tool: its request does",
    ),
    of_mcp(
        "Model.Responded",
        mcp.is_kind("sampled"),
        {
            "response": mcp.sampled_response,
            "model_id": mcp.sampled_by,
            "stop_reason": mcp.sampling_stop,
        },
    ),
    of_mcp(
        "vendor.aos.MCPInitializeResult",
        mcp.is_kind("serverInfo"),
        {"server_id": mcp.server, "transport": mcp.transport, "url": mcp.server_url},
        protocol=mcp.protocol,
    ),
    *(
        of_mcp(f"vendor.aos.{name}", mcp.is_kind(key), {"output": mcp.result}, listed=mcp.listed)
        for key, name in mcp.RESULTS.items()
        if key != "serverInfo"
    ),
    of_mcp("vendor.aos.MCPResult", mcp.is_kind("answer"), {"output": mcp.result}),
    of_mcp("vendor.aos.MCPMessage", mcp.is_kind("request"), {}, method_called=mcp.method_of),
    Ignore("liveness, or a notification of progress"),
)
CHILD: Facts = {
    "session_id": "params.payload.subagent_session_id",
    "parent_session_id": ("params.payload.parent_session_id", "params.metadata.session_id"),
    "agent_id": "params.payload.subagent_session_id",
    "agent_type": "params.payload.subagent_descriptor.agent_name",
    "plan_type": envelopes.default_plan,
}
MEMORY: Facts = {
    "memory": ("params.memory", "params.payload.content.value", "params.payload.results"),
    "memory_store": "params.payload.memory_store.name",
}
MEMORY_KEEP = "params.payload.memory_store.scope params.payload.operation"
SKILL_KEEP = (
    "params.payload.skill_id params.payload.definition.digest params.payload.digest "
    "params.payload.declared_capabilities params.payload.load_path "
    "params.payload.registration_ref"
)
DECIDED: Facts = {
    "decided_by": Const("hook"),
    "decision_reason": envelopes.REASONS,
    "decision_evidence": Const("result.decision"),
    "certainty": Const("observed"),
    "policy_id": envelopes.policy_id,
    "policy_version": envelopes.policy_version,
    "matched_rule_id": envelopes.rule_id,
    "guardian": envelopes.guardian,
    "call_id": "result.modifiedRequest.params.toolCallRequest.executionId",
}
DECIDED_NATIVE: Facts = {"reasons": envelopes.further_reasons}
DECIDED_KEEP = (
    "result.decision result.request_id result.policy_references result.reason_codes "
    "result.reasonCode result.metadata.evaluator result.metadata.confidence "
    "result.ask_details.approver result.defer_details.timeout_decision"
)

EVENTS: Events = {
    # Sessions and turns (ACS), autonomous starts (both).
    "steps/sessionStart": Row(
        "Session.Start",
        {"start_reason": Const("new")},
        keep="params.payload.platform_context.source params.payload.policy_mode",
    ),
    "steps/sessionEnd": Row(
        "Session.End",
        {"end_reason": envelopes.end_reason},
    ),
    "steps/agentTrigger": (
        Row(
            "Session.Start",
            {"actor_type": Const("system"), "task": envelopes.content},
            when=envelopes.is_not_acs,
            keep="params.trigger.type params.trigger.event",
        ),
        Row(
            "vendor.aos.AgentTrigger",
            {"task": envelopes.content},
            when=envelopes.is_acs,
            keep="params.payload.trigger_type params.payload.trigger_source",
        ),
    ),
    "steps/turnStart": Row(
        "vendor.aos.TurnStart",
        keep="params.payload.triggered_by params.payload.parent_turn_id",
    ),
    "steps/turnEnd": Row(
        "vendor.aos.TurnEnd",
        {"step_count": "params.payload.step_count", "summary": envelopes.summary},
        keep="params.payload.outcome",
    ),
    # Messages: AOS distinguishes the sides by role, ACS by method.
    "steps/message": (
        Row(
            "Prompt.Submitted",
            PROMPT,
            when=is_word("params.message.role", "user"),
        ),
        Row(
            "Agent.Response",
            {"response": envelopes.content},
            when=is_word("params.message.role", "agent", "assistant"),
        ),
        Row(
            "Agent.Notification",
            {"message": envelopes.one_line},
            when=is_word("params.message.role", "system"),
        ),
    ),
    "steps/userMessage": Row(
        "Prompt.Submitted",
        PROMPT,
    ),
    "steps/agentResponse": Row("Agent.Response", {"response": envelopes.content}),
    # Tool calls.
    "steps/toolCallRequest": Row(
        "Action.Before",
        CALL,
        native={"tool_id": envelopes.resolved_id},
    ),
    "steps/toolCallResult": (
        Row(
            "Policy.Blocked",
            {
                **RESULT,
                "decided_by": None,
                "decision_evidence": Const("toolCallResult.exit_status"),
            },
            when=envelopes.was_blocked,
            note="nothing tells who refused",
        ),
        Row(
            "Action.After",
            {
                **RESULT,
                "success": envelopes.success,
                "outcome": envelopes.outcome,
                "output": envelopes.output,
                "duration_ms": "params.payload.duration_ms",
            },
            when=envelopes.was_not_blocked,
        ),
    ),
    # Memory, knowledge.
    "steps/memoryStore": Row(
        "vendor.aos.MemoryStore", MEMORY, hook_point="PreMemoryWrite", keep=MEMORY_KEEP
    ),
    "steps/memoryContextRetrieval": Row(
        "vendor.aos.MemoryRetrieval", MEMORY, hook_point="PreMemoryRead", keep=MEMORY_KEEP
    ),
    "steps/knowledgeRetrieval": Row(
        "vendor.aos.KnowledgeRetrieval",
        {
            "query": ("params.knowledgeStep.query", "params.payload.query.value"),
            "output": ("params.knowledgeStep.results", "params.payload.results"),
        },
        keep="params.knowledgeStep.keywords",
    ),
    # Context and sub-agents (ACS).
    "steps/preCompact": Row(
        "Context.Compaction",
        {
            "context_phase": Const("before"),
            "context_trigger": Words(
                "params.payload.triggered_by",
                {"manual": "manual"},
                "auto",
            ),
        },
        hook_point="PreCompact",
    ),
    "steps/postCompact": Row(
        "Context.Compaction",
        {"context_phase": Const("after"), "summary": envelopes.summary},
    ),
    "steps/subagentStart": Row(
        "Agent.Plan.Start",
        CHILD,
        keep="params.payload.intent_derivation params.payload.parent_step_id",
    ),
    "steps/subagentStop": Row(
        "Agent.Plan.End",
        {
            **CHILD,
            "response": envelopes.summary,
            "outcome": Words(
                "params.payload.outcome",
                {
                    "completed": "ok",
                    "failed": "error",
                    "cancelled": "cancelled",
                    "timeout": "timeout",
                    "denied_at_spawn": "denied",
                },
            ),
        },
    ),
    "steps/skillRegister": Row(
        "vendor.aos.SkillRegister",
        {"file_path": "params.payload.definition.ref"},
        hook_point="PreSkillLoad",
        keep=SKILL_KEEP,
    ),
    "steps/skillLoad": Row(
        "vendor.aos.SkillLoad",
        {"load_context": "params.payload.load_trigger"},
        hook_point="PreSkillLoad",
        keep=SKILL_KEEP,
    ),
    "steps/skillUnload": Row(
        "vendor.aos.SkillUnload",
        keep="params.payload.skill_id params.payload.reason params.payload.replaced_by",
    ),
    # Other protocols, carried along.
    "protocols/MCP": MCP,
    **a2a.EVENTS,
    # Inventory, liveness, negotiation.
    "agbom/snapshot": Row("vendor.aos.AgBOMSnapshot", keep="params.payload"),
    "agbom/changed": Row("vendor.aos.AgBOMChanged", keep="params.payload"),
    "ping": Ignore("liveness"),
    "system/ping": Ignore("liveness"),
    "handshake/hello": Ignore("capability negotiation"),
    # Answers.
    "result": (
        Row(
            "Policy.Blocked",
            DECIDED,
            when=envelopes.decides("deny"),
            keep=DECIDED_KEEP,
            native=DECIDED_NATIVE,
        ),
        Row(
            "vendor.aos.Decision",
            {**DECIDED, "decision": Const("allow")},
            when=envelopes.decides("allow"),
            keep=DECIDED_KEEP,
            native=DECIDED_NATIVE,
        ),
        Row(
            "vendor.aos.Decision",
            {
                **DECIDED,
                "decision": Const("allow"),
                "modified": Const(True),
                "rewritten": envelopes.rewritten,
            },
            when=envelopes.decides("modify"),
            keep=DECIDED_KEEP,
            native={
                **DECIDED_NATIVE,
                "modified_input": envelopes.modified_input,
                "modified_parts": envelopes.modified_parts,
            },
        ),
        Row(
            "vendor.aos.Decision",
            {**DECIDED, "decision": Const("ask")},
            when=envelopes.decides("ask"),
            keep=DECIDED_KEEP,
            native=DECIDED_NATIVE,
        ),
        Row(
            "vendor.aos.Decision",
            DECIDED,
            when=envelopes.decides("defer"),
            keep=DECIDED_KEEP,
            native=DECIDED_NATIVE,
            note="not decided yet: no decision",
        ),
        Row(
            "vendor.aos.A2AResult",
            {**a2a.TASK, "response": a2a.response},
            when=a2a.is_bare_result,
            native={"context_id": a2a.context_id, "artifacts": a2a.artifacts},
            note="without an envelope: what it answers is known by its id",
        ),
        Ignore("an answer that decides nothing", when=a2a.is_no_bare_result),
    ),
    "error": Row(
        "vendor.aos.GuardianError",
        {
            "failure": envelopes.failure,
            "error_code": "error.code",
            "error_message": "error.message",
        },
        keep="error.data",
        note="no decision: what the agent then did depends on its failure posture",
    ),
}

VENDOR = Vendor(
    "aos",
    claims=claims,
    event=envelopes.native_event,
    common=COMMON,
    events=EVENTS,
    tools=TOOLS,
    mcp=mcp_name(lone=True),
    keep=KEEP,
    native=NATIVE,
    ignore="jsonrpc",
    absent={
        "trace/*": "reserved, without any method",
        "steps/memoryRetrieval": "named by the tracing page only",
        "steps/knowledgeStore": "named by the tracing page only",
    },
)
