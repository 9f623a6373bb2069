"""Claude Code's OpenTelemetry, 2.1: log events, and the spans of its beta tracing.

Source: the vendor's monitoring reference and recordings of 2.1.329. Log records and spans report
the same calls; `same_as` marks the second report. A tool's own span looks successful however the
call ended: its children say that.
"""

from __future__ import annotations

import re

from hookstream.core.times import to_ms
from hookstream.normalizers import exported
from hookstream.normalizers.claude_code.table import (
    TOOLS,
    is_failure,
    is_human,
    is_machine_prompt,
    mcp,
    plan_type,
)
from hookstream.normalizers.claude_code.wording import TASK_NOTICE, is_spawn_denied
from hookstream.normalizers.table import Const, Ignore, Row, Vendor, at, derived, is_word, reads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.records import Payload
    from hookstream.normalizers.table import Events, Facts, Source

PLUGIN_SCOPES = {
    "org": "managed",
    "org-policy": "managed",
    "default-bundle": "builtin",
    "project": "project",
}
# The spans that report on a call, a prompt or a request to a model.
SPANS = re.compile(
    r"claude_code\.(?:tool|tool\.execution|tool\.blocked_on_user|interaction|llm_request)\Z"
)


@reads("tool_name tool_parameters mcp_server_name mcp_tool_name")
def tool(p: Payload) -> str | None:
    """The tool; without its details switched on, every MCP tool is `mcp_tool`."""
    name = p.get("tool_name") or at(p, "otlp.parent.tool")
    if name == "mcp_tool":
        given = exported.parsed(p, "tool_parameters")
        server = given.get("mcp_server_name") or p.get("mcp_server_name")
        own = given.get("mcp_tool_name") or p.get("mcp_tool_name")
        if type(server) is str and type(own) is str:
            return f"mcp__{server}__{own}"
    return name if type(name) is str else None


@reads("tool_input tool_parameters full_command file_path")
def arguments(p: Payload) -> dict[str, Any] | None:
    """The input, where its details are switched on; a decision and a span have the target only."""
    given = exported.parsed(p, "tool_input")
    if given:
        return given
    command = exported.parsed(p, "tool_parameters").get("full_command") or p.get("full_command")
    if type(command) is str:
        return {"command": command}
    path = p.get("file_path")
    return {"file_path": path} if type(path) is str else None


@reads("tool_use_id")
def call_id(p: Payload) -> Any:
    return p.get("tool_use_id") or at(p, "otlp.parent.call_id")


@reads("decision source")
def decided_by(p: Payload) -> str | None:
    """`config` is a rule, a mode or an absent user: the client does not say which."""
    source = str(p.get("source"))
    return "user" if source.startswith("user") else "hook" if source == "hook" else None


@reads("decision source")
def is_reject(p: Payload) -> bool:
    """Spans of older builds do not know who rejected: the log record of the same does."""
    is_known = p.get("source") != "unknown"
    return p.get("decision") == "reject" and is_known and call_id(p) is not None


@reads("decision source")
def is_approval(p: Payload) -> bool:
    """A question that a person answered; a span of it without its parent names no call."""
    accepted = p.get("decision") == "accept" and decided_by(p) == "user"
    return accepted and call_id(p) is not None


@reads("decision source")
def is_accept(p: Payload) -> bool:
    return p.get("decision") == "accept" and decided_by(p) != "user"


@reads("error_type success")
def outcome(p: Payload) -> str | None:
    kind = str(p.get("error_type") or p.get("error_class") or "")
    if exported.is_true(p, "success") is False:
        return "cancelled" if "Abort" in kind else "error"
    return None


@derived
@reads("duration_ms")
def started(p: Payload) -> str | None:
    """When a sub-agent began: its end less its duration."""
    end, took = to_ms(at(p, "otlp.time")), p.get("duration_ms")
    took = float(took) if type(took) is str and took.isdecimal() else took
    if end is None or not isinstance(took, int | float):
        return None
    from datetime import UTC, datetime

    moment = datetime.fromtimestamp((end - took) / 1000, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


@reads("plugin_name marketplace_name")
def plugin_id(p: Payload) -> str | None:
    name, market = p.get("plugin_name"), p.get("marketplace_name")
    return f"{name}@{market}" if type(name) is str and type(market) is str else None


@reads("plugin_scope marketplace_name")
def plugin_scope(p: Payload) -> str | None:
    """The scope of a plugin's installation; a folder named on the command line is the user's."""
    scope = str(p.get("plugin_scope"))
    if scope == "user-local":
        return "user" if p.get("marketplace_name") == "inline" else "marketplace"
    return PLUGIN_SCOPES.get(scope)


# Events that telemetry shows in other records, too: a call's, and a prompt.
JUDGED_HOOKS = ("PreToolUse", "PostToolUse", "PostToolUseFailure", "UserPromptSubmit")


@reads("hook_event hook_matcher")
def is_judged_hook(p: Payload) -> bool:
    """Return whether a hook must run for each of its events, and other records show these."""
    return p.get("hook_event") in JUDGED_HOOKS and p.get("hook_matcher") in (None, "", "*")


@reads("success request_id")
def is_named_request(p: Payload) -> bool:
    """Return whether a request was answered, and has the id by which its log record is known."""
    return exported.is_true(p, "success") is not False and type(p.get("request_id")) is str


COMMON: Facts = {
    **exported.TIME,
    "session_id": "session_id",
    "turn_id": "prompt_id",
    "agent_id": "agent_id",
    "tool_version": "otlp.version",
}
CALL: Facts = {"action_native": tool, "input": arguments, "call_id": call_id}
DECIDED: Facts = {
    **CALL,
    "decided_by": decided_by,
    "permission_mode": "permission_mode",
    "same_as": exported.same("decision", "tool_use_id", "otlp.parent.call_id"),
}
BEFORE: Facts = {
    **CALL,
    "permission_mode": "permission_mode",
    "same_as": exported.same("before", "tool_use_id"),
}
AGENT: Facts = {"agent_type": "agent_type", "plan_type": plan_type}
MODEL: Facts = {
    "model_id": "model",
    "latency_ms": exported.number("duration_ms"),
}


@reads("command_source message_uuid")
def is_command(p: Payload) -> bool:
    """Return whether a slash command was typed that put no message to the model."""
    return p.get("command_source") == "builtin" and not p.get("message_uuid")


@reads("user_prompt")
def is_compact(p: Payload) -> bool:
    """Return whether a span is that of `/compact`, which has no message; the span has no source."""
    return str(p.get("user_prompt")).split(maxsplit=1)[:1] == ["/compact"]


def ended(evidence: str, duration: Source, keep: str, ignore: str = "") -> tuple[Row, Row]:
    """The end of a call: a mod's refusal of a sub-agent, or the tool's end."""
    refused = {
        **CALL,
        "decided_by": Const("mod"),
        "decision_reason": exported.first_line("error"),
        "decision_evidence": Const(evidence),
        "same_as": exported.same("refusal", "tool_use_id"),
    }
    after: Facts = {
        **CALL,
        "success": "success",
        "outcome": outcome,
        "error_message": "error",
        "duration_ms": duration,
        "same_as": exported.same("after", "tool_use_id"),
    }
    left_out = f"success duration_ms {ignore}"
    return (
        Row("Policy.Blocked", refused, when=is_spawn_denied, keep=keep, ignore=left_out),
        Row("Action.After", after, when=is_failure, keep=keep, ignore=ignore),
    )


def decided(evidence: str) -> tuple[Row, Row]:
    """A call that was rejected, or that a person approved."""
    facts = {**DECIDED, "decision_evidence": Const(evidence)}
    approved = {**facts, "resolution": Const("approved")}
    return (
        Row("Policy.Blocked", facts, when=is_reject, keep="source"),
        Row(
            "Policy.Override",
            approved,
            hook_point="PostAskResolution",
            when=is_approval,
            keep="source",
        ),
    )


OTHER_HOOK = Ignore("hooks of an event that other records do not show, or of some tools only")
BODY = Ignore("a whole request or response")
START_UP = Ignore("the client's start")
SPAN_STARTS = Ignore("a span begins; its end says what there is to say")

ANSWER: Facts = {
    **MODEL,
    "input_tokens": "input_tokens",
    "output_tokens": "output_tokens",
    "cache_read_tokens": "cache_read_tokens",
    "cache_write_tokens": "cache_creation_tokens",
    "cache_write_1h_tokens": "cache_creation_1h_tokens",
    "speed": "speed",
    "cost_usd": exported.number("cost_usd"),
    # A log record and a span are of one request.
    "same_as": exported.same("answer", "request_id"),
}
ANSWER_LEFT_OUT = "cache_creation_5m_tokens cost_usd_micros ttft_ms client_request_id request_id"
EVENTS: Events = {
    "user_prompt": (
        Ignore("a command of the client's own", when=is_command),
        Row(
            "vendor.claude-code.TaskNotification",
            {"prompt": exported.text("prompt")},
            when=is_machine_prompt,
        ),
        Row(
            "Prompt.Submitted",
            {
                "prompt": exported.text("prompt"),
                "prompt_length": "prompt_length",
                "message_id": "message_uuid",
                "same_as": exported.same("prompt", "otlp.span"),
            },
            when=is_human,
            keep="command_name command_source",
            ignore="prompt_text",
        ),
    ),
    "tool_decision": (
        Row("Action.Before", BEFORE, keep="tool_source"),
        *decided("tool_decision"),
        Row(
            "vendor.claude-code.ToolDecision",
            {**DECIDED, **exported.ALLOWED, "decision_evidence": Const("tool_decision")},
            when=is_accept,
            keep="source",
        ),
    ),
    "tool_result": ended(
        "tool_result",
        exported.number("duration_ms"),
        keep="tool_source tool_input_size_bytes tool_result_size_bytes error_type",
        ignore="decision_source decision_type mcp_server_scope",
    ),
    "api_request": Row(
        "Model.Responded",
        ANSWER,
        keep="query_source effort",
        ignore=ANSWER_LEFT_OUT,
    ),
    "api_error": Row(
        "Model.Failed",
        {
            **MODEL,
            "error_code": "status_code",
            "error_message": "error",
            "retry_count": "attempt",
        },
        keep="query_source",
        ignore="speed request_id client_request_id mcp_server_name mcp_tool_name",
    ),
    "api_retries_exhausted": Ignore("the error before it says so"),
    "api_refusal": Row("Model.Failed", {**MODEL, "error_code": Const("refusal")}),
    "compaction": (
        Row(
            "Context.Compaction",
            {
                "context_trigger": "trigger",
                "context_phase": Const("after"),
                "tokens_before": "pre_tokens",
                "tokens_after": "post_tokens",
            },
            when=is_word("success", "true", True),
            ignore="duration_ms",
        ),
        Row(
            "vendor.claude-code.CompactionFailed",
            {"error_message": "error", "tokens_used": "pre_tokens"},
            keep="trigger",
            ignore="duration_ms",
        ),
    ),
    "subagent_completed": (
        Row("Agent.Plan.Start", {**AGENT, "timestamp": started}),
        Row(
            "Agent.Plan.End",
            {
                **AGENT,
                "model_id": "model",
                "total_tokens": "total_tokens",
                "total_actions": "total_tool_uses",
            },
            keep="is_async",
            ignore="agent_source is_built_in final_model model_swapped",
        ),
    ),
    "assistant_response": Row(
        "vendor.claude-code.AssistantResponse",
        {
            "response": exported.text("response"),
            "response_length": "response_length",
            "message_id": "message_uuid",
            "model_id": "model",
        },
        keep="query_source",
    ),
    "mcp_server_connection": Row(
        "vendor.claude-code.McpConnection",
        {"mcp_server": "server_name", "transport": "transport_type"},
        keep="status server_scope error_code",
        ignore="duration_ms is_plugin error plugin_name transport_detail",
    ),
    "permission_mode_changed": Row(
        "vendor.claude-code.PermissionModeChanged",
        {"permission_mode": "to_mode"},
        keep="from_mode trigger",
    ),
    "auth": Ignore("a login"),
    "hook_registered": (
        Row(
            "vendor.claude-code.HookRegistered",
            {"hook_event": "hook_event"},
            when=is_judged_hook,
            keep="hook_type hook_source plugin_name",
            ignore="safe_mode hook_matcher",
            note="of the events whose silence shows that a mod answered them",
        ),
        OTHER_HOOK,
    ),
    "hook_execution_start": Ignore("hooks start; their end says what there is to say"),
    "hook_execution_complete": (
        Row(
            "vendor.claude-code.HooksRun",
            {"hook_event": "hook_event", "duration_ms": exported.number("total_duration_ms")},
            when=is_judged_hook,
            keep="num_hooks num_blocking num_non_blocking_error num_cancelled",
            ignore=(
                "hook_name num_success managed_only hook_source safe_mode stdout_chars "
                "additional_context_chars system_message_chars initial_user_message_chars "
                "num_outputs_persisted"
            ),
            note="without the call that they ran for",
        ),
        OTHER_HOOK,
    ),
    "hook_plugin_metrics": Ignore("the client's account of a plugin's hooks"),
    "plugin_loaded": Row(
        "vendor.claude-code.PluginLoaded",
        {"server_id": plugin_id, "guardian": "plugin_name", "guardian_scope": plugin_scope},
        hook_point="PrePluginLoad",
        keep="plugin_version plugin_scope enabled_via has_hooks has_mcp",
        ignore=(
            "marketplace_name plugin_id_hash host_owned_mcp skill_path_count "
            "command_path_count agent_path_count safe_mode"
        ),
        note="sent for a plugin that a policy refuses, too; has_hooks does not say hooks or mods",
    ),
    "plugin_installed": Row(
        "vendor.claude-code.PluginInstalled", keep="plugin_name marketplace_name"
    ),
    "managed_settings_resolved": START_UP,
    "retention_sweep": START_UP,
    "api_request_body": BODY,
    "api_response_body": BODY,
    "tool.start": Row("Action.Before", BEFORE),
    "tool.end": Ignore("a tool's own span says nothing of the outcome"),
    "tool.execution.start": SPAN_STARTS,
    "tool.execution.end": ended("tool.execution", exported.span_ms, keep="error_class"),
    "tool.blocked_on_user.start": SPAN_STARTS,
    "tool.blocked_on_user.end": (
        *decided("blocked_on_user"),
        Ignore("a call that nobody was asked about"),
    ),
    "interaction.start": (
        Ignore("a command of the client's own", when=is_compact),
        Row(
            "Prompt.Submitted",
            {
                "prompt": exported.text("user_prompt"),
                "prompt_length": "user_prompt_length",
                "same_as": exported.same("prompt", "otlp.span"),
            },
            when=lambda p: not str(p.get("user_prompt")).startswith(TASK_NOTICE),
        ),
        Ignore("a prompt that nobody typed"),
    ),
    "interaction.end": Ignore("a prompt's work ends"),
    "llm_request.start": SPAN_STARTS,
    "llm_request.end": (
        Row(
            "Model.Responded",
            ANSWER,
            when=is_named_request,
            keep="query_source effort",
            ignore=f"success {ANSWER_LEFT_OUT}",
        ),
        Ignore("a request that failed, or that only its log record can be known by"),
    ),
}

VENDOR = Vendor(
    "claude-code",
    spans=SPANS,
    event=exported.event_of("claude_code."),
    common=COMMON,
    events=EVENTS,
    tools=TOOLS,
    mcp=mcp,
    ignore=(
        "otlp user_id anthropic_provider anthropic_custom_base_url terminal_type "
        "event_timestamp event_sequence span_type duration_ms gen_ai_provider_name "
        "gen_ai_operation_name gen_ai_conversation_id gen_ai_tool_name gen_ai_tool_call_id "
        "anthropic_mcp_server_name tool_name_safe bash_command_class bash_argv0 organization_id "
        "user_account_uuid user_account_id user_email app_version app_entrypoint "
        "interaction_sequence parent_source queued_sends parent_agent_id "
        "interaction_duration_ms agent_name subagent_type mcp_server_name mcp_tool_name"
    ),
)
