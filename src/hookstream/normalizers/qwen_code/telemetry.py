"""Qwen Code's OpenTelemetry, 0.24: log events with call ids, spans that say who refused.

Source: the published client and recordings of 0.24.4. A hook's refusal has only the hook's own
words in the log, as in the session file; the span of the tool says that it was a hook. A hook that
prints nothing is reported as failed: that is not a failure.
"""

from __future__ import annotations

import re

from hookstream.normalizers import exported
from hookstream.normalizers.claude_code.table import mcp
from hookstream.normalizers.qwen_code.table import TOOLS
from hookstream.normalizers.qwen_code.wording import ended, evidence_of
from hookstream.normalizers.table import Const, Ignore, Row, Vendor, at, plan_of, reads
from hookstream.normalizers.wording import Ending

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.records import Payload
    from hookstream.normalizers.table import Events, Facts

SPANS = re.compile(r"qwen-code\.(?:hook|tool|tool\.blocked_on_user|subagent)\Z")


def ended_by(p: Payload) -> Ending:
    flag = exported.is_true(p, "success")
    status = p.get("status") or (flag if flag is None else "success" if flag else "error")
    decision, kind = p.get("decision"), p.get("error_type")
    if status is None and decision != "reject" and kind != "execution_denied":
        return Ending(None)
    unrun = p.get("execution_status") == "not_started"
    error = str(p.get("error") or "")
    name = p.get("function_name")
    return ended(name, status, error, None, decision, error_type=kind, unrun=unrun)


def refusal_evidence(p: Payload) -> str:
    return evidence_of(ended_by(p))


# What the client does by itself; other commands are prompts in a file.
COMMAND = re.compile(
    r"\s*/(?:compress|clear|stats|help|quit|exit|model|theme|auth|tools|mcp|memory|settings|about|"
    r"chat|copy|directory|editor|extensions|ide|permissions|privacy|vim|resume)\b"
)


@reads("prompt")
def is_command(p: Payload) -> bool:
    return COMMAND.match(str(p.get("prompt"))) is not None


@reads("prompt_id")
def turn_id(p: Payload) -> Any:
    return p.get("prompt_id") or p.get("qwen-code_prompt_id")


@reads("prompt_id subagent_name")
def agent_id(p: Payload) -> str | None:
    """`<session>#<agent id>#<n>` within a sub-agent, `<session>########<n>` elsewhere."""
    parts = str(p.get("prompt_id", "")).split("#")
    return parts[1] if len(parts) == 3 and parts[1] else None


@reads("block_type")
def has_asked(p: Payload) -> bool:
    """A guard wanted a question: the span of its call has the same end as after a deny."""
    return p.get("block_type") == "ask" and at(p, "otlp.parent.call_id") is not None


def blocked_by_hook(p: Payload) -> bool:
    return str(p.get("tool_failure_kind")) == "pre_hook_blocked"


@reads("decision")
def is_cancel(p: Payload) -> bool:
    return p.get("decision") == "cancel" and at(p, "tool_call_id") is not None


@reads("decision")
def is_approval(p: Payload) -> bool:
    return str(p.get("decision")).startswith("proceed")


COMMON: Facts = {
    **exported.TIME,
    "session_id": ("session_id", "gen_ai_conversation_id"),
    "turn_id": turn_id,
    "agent_id": agent_id,
    "tool_version": "otlp.version",
}
CALL: Facts = {
    "action_native": "function_name",
    "input": "function_args",
    "call_id": "call_id",
    "mcp_server": "mcp_server_name",
}
CALL_NOISE = (
    "parent_call_id source response_id tool_type content_length metadata error_message "
    "function_args"
)
ASKED: Facts = {
    "action_native": "tool_name",
    "call_id": "tool_call_id",
    "decided_by": Const("user"),
    "decision_evidence": Const("blocked_on_user"),
}
MODEL: Facts = {"model_id": "model", "latency_ms": exported.number("duration_ms")}
AGENT: Facts = {
    "agent_id": "qwen-code_subagent_id",
    "agent_type": "qwen-code_subagent_name",
    "parent_agent_id": "qwen-code_subagent_parent_agent_id",
    "parent_call_id": "qwen-code_subagent_invoking_request_id",
    "plan_type": plan_of("qwen-code_subagent_name"),
}
NOISE = Ignore("the client's own bookkeeping")
SPAN_ENDS = Ignore("a log record says what became of it")

EVENTS: Events = {
    "session.start": Row("Session.Start", {}),
    "session.end": Row("Session.End", {}),
    "user_prompt": (
        Ignore("a command of the client's own", when=is_command),
        Row(
            "Prompt.Submitted",
            {
                "prompt": exported.text("prompt"),
                "prompt_length": exported.whole("prompt_length"),
                "model_id": "model",
            },
        ),
    ),
    "tool_call": exported.refused_or_ended(
        ended_by,
        "decision execution_status error_type status success error",
        CALL,
        refused={
            "decision_evidence": refusal_evidence,
            "same_as": exported.same("refusal", "call_id"),
        },
        ended={"duration_ms": exported.number("duration_ms")},
        keep="error_type",
        ignore=CALL_NOISE,
    ),
    "tool.start": Row(
        "Action.Before",
        {
            "action_native": "gen_ai_tool_name",
            "input": "gen_ai_tool_call_arguments",
            "call_id": ("gen_ai_tool_call_id", "tool_call_id", "call_id"),
        },
        ignore="gen_ai_tool_call_result gen_ai_tool_description",
    ),
    "tool.end": (
        Row(
            "Policy.Blocked",
            {
                "action_native": "gen_ai_tool_name",
                "call_id": ("gen_ai_tool_call_id", "tool_call_id", "call_id"),
                "decided_by": Const("hook"),
                "decision_evidence": Const("pre_hook_blocked"),
            },
            when=blocked_by_hook,
            ignore="gen_ai_tool_call_arguments gen_ai_tool_description",
        ),
        SPAN_ENDS,
    ),
    "hook.end": (
        Row(
            "vendor.qwen-code.HookDecision",
            {
                "action_native": "tool_name",
                "call_id": "otlp.parent.call_id",
                "decision": Const("ask"),
                "decided_by": Const("hook"),
                "decision_evidence": Const("block_type"),
                "certainty": Const("observed"),
            },
            when=has_asked,
            ignore="tool_use_id should_proceed has_additional_context",
        ),
        SPAN_ENDS,
    ),
    "hook.start": SPAN_ENDS,
    "tool.blocked_on_user.start": Row(
        "Agent.Notification",
        {
            "action_native": "tool_name",
            "call_id": "tool_call_id",
            "notification_type": Const("ToolPermission"),
        },
    ),
    "tool.blocked_on_user.end": (
        Row(
            "Policy.Blocked",
            ASKED,
            when=is_cancel,
            keep="source",
        ),
        Row(
            "Policy.Override",
            {**ASKED, "resolution": Const("approved")},
            hook_point="PostAskResolution",
            when=is_approval,
            keep="source",
        ),
        Ignore("a question without an answer"),
    ),
    "subagent.start": Row("Agent.Plan.Start", AGENT),
    "subagent.end": Row(
        "Agent.Plan.End",
        AGENT,
        keep="qwen-code_subagent_status qwen-code_subagent_invocation_kind",
        ignore=(
            "qwen-code_subagent_is_built_in qwen-code_subagent_depth "
            "qwen-code_subagent_duration_ms qwen-code_subagent_result_summary_present"
        ),
    ),
    "subagent_execution": Ignore("its span says it with ids"),
    "api_response": Row(
        "Model.Responded",
        {
            **MODEL,
            "message_id": "response_id",
            "input_tokens": exported.whole("input_token_count"),
            "output_tokens": exported.whole("output_token_count"),
            "cache_read_tokens": exported.whole("cached_content_token_count"),
        },
        keep="subagent_name thoughts_token_count",
        ignore="total_token_count status_code http_status_code response_text ttft_ms",
    ),
    "api_error": Row(
        "Model.Failed",
        {
            **MODEL,
            "error_code": "status_code",
            "error_message": exported.first_line("error_message"),
        },
        keep="error_type subagent_name",
        ignore="response_id http_status_code error",
    ),
    "api_request": Ignore("a whole request"),
    "chat_compression": Row(
        "Context.Compaction",
        {
            "context_phase": Const("after"),
            "context_trigger": "trigger_reason",
            "tokens_before": exported.whole("tokens_before"),
            "tokens_after": exported.whole("tokens_after"),
        },
        when=lambda p: type(p.get("tokens_after")) is int,
        keep="cache_sharing_attempted cache_sharing_used",
        # The request has an api_response as well.
        ignore="compression_input_token_count compression_output_token_count",
    ),
    "chat.content_retry": Row(
        "vendor.qwen-code.ContentRetry",
        {"model_id": "model", "retry_count": exported.whole("attempt_number")},
        keep="retry_delay_ms error_type",
    ),
    "tool_output_truncated": Row(
        "vendor.qwen-code.ToolOutputTruncated",
        {"action_native": "tool_name"},
        keep="original_content_length truncated_content_length threshold lines",
        ignore="eventName",
    ),
    "loop_detected": Row("vendor.qwen-code.LoopDetected", keep="loop_type"),
    "config": Row(
        "vendor.qwen-code.Config",
        {"permission_mode": "approval_mode", "model_id": "model"},
        keep="sandbox_enabled mcp_servers",
        ignore=(
            "core_tools_enabled file_filtering_respect_git_ignore debug_mode "
            "truncate_tool_output_threshold truncate_tool_output_lines mcp_servers_count "
            "mcp_tools mcp_tools_count hooks ide_enabled interactive_shell_enabled output_format "
            "skills subagents"
        ),
    ),
    **dict.fromkeys(
        (
            "auth ripgrep_fallback memory.extract memory.recall memory.recall.delivery "
            "file_operation prompt_suggestion slash_command repeated_tool_failure_guard "
            "conversation_finished next_speaker_check flash_fallback skill_launch "
            "arena_session user_feedback user_retry"
        ).split(),
        NOISE,
    ),
}

VENDOR = Vendor(
    "qwen-code",
    spans=SPANS,
    event=exported.event_of("qwen-code."),
    common=COMMON,
    events=EVENTS,
    tools=TOOLS,
    mcp=mcp,
    ignore=(
        "otlp event_timestamp auth_type gen_ai_operation_name gen_ai_agent_name gen_ai_tool_type "
        "gen_ai_agent_description duration_ms tool_call_id tool_name call_id success decision "
        "source error.type error_type tool_failure_kind qwen-code_subagent_status "
        "qwen-code_subagent_invocation_kind qwen-code_subagent_is_built_in "
        "qwen-code_subagent_depth qwen-code_subagent_duration_ms "
        "qwen-code_subagent_result_summary_present"
    ),
)
