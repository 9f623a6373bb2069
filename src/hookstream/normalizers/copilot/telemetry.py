"""Copilot CLI's OpenTelemetry spans, 1.0: a tool's span has its call id, exit code and refusal.

Source: recordings of 1.0.102. A command that failed has a span without error: only its exit code
shows it. Without content every failed call says "Tool failed" and MCP tools are hashes.
"""

from __future__ import annotations

import re

from hookstream.core.jsons import loads_text
from hookstream.normalizers.copilot.calls import TOOLS, mcp
from hookstream.normalizers.copilot.wording import ended
from hookstream.normalizers.exported import ENVELOPE, TIME, USAGE, refused_or_ended, span_ms
from hookstream.normalizers.steps import objects
from hookstream.normalizers.table import Const, Ignore, Row, Vendor, at, derived, plan_of, reads
from hookstream.normalizers.wording import Ending, failed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.records import Payload
    from hookstream.normalizers.table import Events, Facts

SPANS = re.compile(r"(?:execute_tool|chat|invoke_agent|permission)\b")
SPAN_EVENTS = re.compile(
    r"github\.copilot\.(?:user\.message|session\.compaction_complete|hook\.end)\Z"
)
STAMP = re.compile(r"^<current_datetime>[^<]{0,60}</current_datetime>\s*")


@reads("gen_ai_operation_name")
def event(p: Payload) -> str | None:
    if at(p, "otlp.phase") == "event":
        return str(at(p, "otlp.name")).removeprefix("github.copilot.")
    name = str(p.get("gen_ai_operation_name") or at(p, "otlp.name") or "")
    return f"{name.partition(' ')[0]}.{at(p, 'otlp.phase')}"


def span_events(p: Payload) -> list[dict[str, Any]]:
    return objects(at(p, "otlp.events"))


def message(p: Payload) -> str:
    """The span's error text, with content: the status, or its exception."""
    texts = [at(p, "otlp.status_message")]
    texts += [event.get("exception_message") for event in span_events(p)]
    return next((t for t in texts if type(t) is str and t not in ("", "Tool failed")), "")


def ended_by(p: Payload) -> Ending:
    """A shell's span that names its program has run: there a hook withheld the result."""
    kind, text = p.get("error_type"), message(p)
    has_run = p.get("process_executable_name") is not None
    if "denied" in (kind, *(event.get("github_copilot_error_code") for event in span_events(p))):
        status = None if has_run else "denied"
    elif kind == "cancelled":
        status = "cancelled"
    else:
        status = "failure" if at(p, "otlp.status") == 2 else "success"
    if status is None:
        return failed(None, text)
    output = p.get("gen_ai_tool_call_result")
    code = p.get("process_exit_code")
    return ended(tool(p), status, text, output if type(output) is str else None, code)


@reads("gen_ai_tool_name", "gen_ai_tool_call_arguments")
def tool(p: Payload) -> Any:
    return p.get("gen_ai_tool_name")


def error_line(p: Payload) -> str | None:
    return message(p).split("\n", 1)[0][:500] or None


def inside(p: Payload) -> Any:
    """The call of the sub-agent that a span belongs to."""
    return at(p, "otlp.inside")


def parent_call(p: Payload) -> Any:
    return at(p, "otlp.parent.call_id")


@derived
def agent_of(p: Payload) -> Any:
    """A sub-agent has no id here: the call that started it names it."""
    return at(p, "otlp.parent.call_id")


def is_sub_agent(p: Payload) -> bool:
    return at(p, "otlp.parent.call_id") is not None


def is_root(p: Payload) -> bool:
    return at(p, "otlp.parent") is None


@reads("github_copilot_user_message_source")
def is_prompt(p: Payload) -> bool:
    """A prompt that a person typed: not a sub-agent's task."""
    source = str(p.get("github_copilot_user_message_source") or "user")
    return source == "user" and at(p, "otlp.parent.call_id") is None


@reads("github_copilot_hook_decision")
def hook_decision(p: Payload) -> str | None:
    word = p.get("github_copilot_hook_decision")
    return str(word) if word in ("deny", "allow", "ask") else None


HOOK_POINTS = {
    "preToolUse": "PreToolUse",
    "permissionRequest": "PreToolUse",
    "postToolUse": "PostToolUse",
    "userPromptSubmitted": "PreUserInput",
    "agentStop": "PreOutputDeliver",
    "subagentStop": "PostSubAgentResult",
    "sessionStart": "SessionStart",
    "preCompact": "PreCompact",
}


@reads("github_copilot_hook_type")
def hook_point(p: Payload) -> str | None:
    return HOOK_POINTS.get(str(p.get("github_copilot_hook_type")))


def has_decision(p: Payload) -> bool:
    return hook_decision(p) is not None


@reads("gen_ai_input_messages")
def prompt_text(p: Payload) -> str | None:
    """The first user message of the root agent, with content."""
    value = p.get("gen_ai_input_messages")
    document = loads_text(value) if type(value) is str else None
    for one in document if type(document) is list else ():
        if type(one) is dict and one.get("role") == "user":
            for part in one.get("parts") or ():
                if type(part) is dict and type(part.get("content")) is str:
                    return STAMP.sub("", part["content"])
    return None


def tokens(*names: str) -> Any:
    def of(p: Payload) -> int | None:
        found = [p.get(name) for name in names]
        return next((one for one in found if type(one) is int), None)

    of.reads = names  # type: ignore[attr-defined]
    return of


COMMON: Facts = {
    **TIME,
    "session_id": "gen_ai_conversation_id",
    "tool_version": "otlp.version",
    "parent_call_id": inside,
}
CALL: Facts = {
    "action_native": tool,
    "input": "gen_ai_tool_call_arguments",
    "call_id": "gen_ai_tool_call_id",
}
AGENT: Facts = {
    "agent_id": agent_of,
    "agent_type": "gen_ai_agent_name",
    "parent_call_id": parent_call,
    "plan_type": plan_of("gen_ai_agent_name"),
}
CHAT_LEFT_OUT = (
    "gen_ai_input_messages",
    "gen_ai_output_messages",
    "gen_ai_system_instructions",
    "gen_ai_tool_definitions",
)

EVENTS: Events = {
    "execute_tool.start": Row("Action.Before", CALL),
    "execute_tool.end": refused_or_ended(
        ended_by,
        "gen_ai_tool_name error_type process_exit_code gen_ai_tool_call_result "
        "github_copilot_error_code process_executable_name",
        CALL,
        refused={"decision_evidence": Const("error.type denied")},
        ended={"output": "gen_ai_tool_call_result", "duration_ms": span_ms},
        keep="error_type",
    ),
    "execute_tool.event": Ignore("the client's account of its hooks"),
    "chat.start": Ignore("a request to a model; its end says what there is to say"),
    "chat.end": (
        Row(
            "Model.Failed",
            {"model_id": "gen_ai_request_model", "error_code": "error_type", "latency_ms": span_ms},
            when=lambda p: at(p, "otlp.status") == 2,
            ignore=CHAT_LEFT_OUT,
        ),
        Row(
            "Model.Responded",
            {
                "model_id": ("gen_ai_response_model", "gen_ai_request_model"),
                "message_id": "gen_ai_response_id",
                **USAGE,
                "latency_ms": span_ms,
            },
            when=lambda p: at(p, "otlp.status") != 2,
            keep=("github_copilot_cost", "github_copilot_initiator"),
            ignore=CHAT_LEFT_OUT,
        ),
    ),
    "invoke_agent.start": (
        Row("Agent.Plan.Start", AGENT, when=is_sub_agent, ignore=CHAT_LEFT_OUT),
        Ignore("the whole agent"),
    ),
    "invoke_agent.end": (
        Row("Agent.Plan.End", AGENT, when=is_sub_agent, ignore=CHAT_LEFT_OUT),
        Ignore("the whole agent"),
    ),
    "user.message": (
        Row(
            "Prompt.Submitted",
            {"prompt": prompt_text},
            when=is_prompt,
            ignore=CHAT_LEFT_OUT,
        ),
        Ignore("a message that no person typed"),
    ),
    "session.compaction_complete": Row(
        "Context.Compaction",
        {
            "context_phase": Const("after"),
            "context_trigger": "github_copilot_trigger",
            "tokens_before": tokens("github_copilot_pre_tokens", "pre_tokens"),
            "tokens_after": tokens("github_copilot_post_tokens", "post_tokens"),
        },
        ignore=CHAT_LEFT_OUT,
    ),
    "hook.end": (
        Row(
            "vendor.copilot.HookDecision",
            {
                "decision": hook_decision,
                "decided_by": Const("hook"),
                "certainty": Const("observed"),
                "decision_evidence": Const("hook.end"),
                "decision_point": hook_point,
            },
            when=has_decision,
            keep=("github_copilot_hook_type", "github_copilot_hook_tool_names"),
            ignore=CHAT_LEFT_OUT,
            note="names no call",
        ),
        Ignore("the client's account of its hooks"),
    ),
    "permission.start": Ignore("a question without a call id"),
    "permission.end": Row(
        "vendor.copilot.Permission",
        keep=("github_copilot_permission_kind", "github_copilot_permission_result"),
    ),
}

VENDOR = Vendor(
    "copilot",
    spans=SPANS,
    span_events=SPAN_EVENTS,
    event=event,
    common=COMMON,
    events=EVENTS,
    tools=TOOLS,
    mcp=mcp,
    ignore=(
        *ENVELOPE,
        *(
            "gen_ai_tool_type gen_ai_provider_name gen_ai_tool_description "
            "gen_ai_request_stream gen_ai_request_reasoning_level gen_ai_request_model "
            "gen_ai_response_finish_reasons gen_ai_response_time_to_first_chunk "
            "gen_ai_response_time_per_output_chunk gen_ai_usage_reasoning_output_tokens "
            "gen_ai_usage_cache_creation_input_tokens gen_ai_usage_cache_write_input_tokens "
            "gen_ai_usage_input_tokens gen_ai_usage_output_tokens "
            "gen_ai_conversation_compacted gen_ai_agent_description server_address "
            "server_port process_executable_name github_copilot_server_duration "
            "github_copilot_turn_id github_copilot_turn_count github_copilot_interaction_id "
            "github_copilot_context_skills github_copilot_context_mcp_server_names "
            "github_copilot_agent_type github_copilot_mcp_server_transport "
            "github_copilot_mcp_server_source "
            "github_copilot_tool_parameters_mcp_server_name_hash github_copilot_cost "
            "github_copilot_initiator github_copilot_user_message_interaction_id "
            "github_copilot_user_message_turn_id github_copilot_user_message_source "
            "github_copilot_hook_invocation_id github_copilot_hook_duration "
            "github_copilot_tool_parameters_command github_copilot_tool_parameters_file_path "
            "github_copilot_tool_parameters_mcp_server_name "
            "github_copilot_tool_parameters_mcp_tool_name gen_ai_tool_call_result "
            "gen_ai_agent_name error_type process_exit_code process_executable_path "
            "github_copilot_success github_copilot_messages_removed "
            "github_copilot_tokens_removed time"
        ).split(),
    ),
)
