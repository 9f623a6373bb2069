"""Gemini CLI's OpenTelemetry, 0.61: log events; its spans add call ids and, with content, outputs.

Source: the published client and recordings of 0.61.0. `success` is true for a command that ended
with an exit code: only the output shows it, and only the span of traces with content has it. A log
record has no call id; `otlp.call_id` is that of a span in the same trace.
"""

from __future__ import annotations

import re

from hookstream.normalizers import exported
from hookstream.normalizers.gemini_cli.table import TOOLS
from hookstream.normalizers.gemini_cli.wording import ended, mcp
from hookstream.normalizers.steps import as_object, as_text, objects
from hookstream.normalizers.table import (
    Const,
    Ignore,
    Row,
    Vendor,
    at,
    derived,
    end_of,
    parts_of,
    plan_of,
    reads,
)
from hookstream.normalizers.wording import Ending

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.records import Payload
    from hookstream.normalizers.table import Events, Facts

SPANS = re.compile(r"tool_call\Z")


def ended_by(p: Payload) -> Ending:
    """A command's success says that it was run, not how it ended."""
    flag = exported.is_true(p, "success")
    if flag is not False:
        return ended(p.get("function_name"), "success") if flag else Ending(None)
    error = str(p.get("error") or p.get("error_message") or "")
    return ended(p.get("function_name"), "error", error, decision=str(p.get("decision")))


@derived
def span_call_id(p: Payload) -> Any:
    """The call id of the span that this log record belongs to, by trace, tool and order."""
    return at(p, "otlp.call_id")


def is_first(p: Payload) -> bool:
    """Return whether the span came before its log record, which then has its id."""
    return at(p, "otlp.call_id") is None


@reads("prompt_id")
def agent_id(p: Payload) -> str | None:
    """A sub-agent's prompts have its own id before the mark."""
    prompt, mark, _ = str(p.get("prompt_id", "")).partition("#")
    return prompt if mark and prompt and prompt != p.get("session_id") else None


@reads("function_name mcp_server_name")
def tool(p: Payload) -> Any:
    return p.get("function_name")


def span_end(p: Payload) -> Ending:
    """The end of a call by the result that a span with content holds."""
    result = exported.parsed(p, "gen_ai_output_messages")
    if result.get("status") not in ("success", "error"):
        return Ending(None)
    parts = objects(at(result, "response.responseParts"))
    answers = [as_object(at(part, "functionResponse.response")) for part in parts]
    error, output = (
        "\n".join(filter(None, (as_text(answer.get(key)) for answer in answers)))
        for key in ("error", "output")
    )
    return ended(p.get("gen_ai_tool_name"), result["status"], error, output if answers else None)


def has_output(p: Payload) -> bool:
    return span_end(p).outcome is not None


def hook_answer(p: Payload) -> dict[str, Any]:
    return exported.parsed(p, "hook_output")


@reads("hook_output exit_code success")
def hook_decision(p: Payload) -> str | None:
    word = hook_answer(p).get("decision")
    if word in ("deny", "block"):
        return "deny"
    return "allow" if word in ("allow", "approve") else None


@reads("hook_output")
def hook_reason(p: Payload) -> Any:
    return hook_answer(p).get("reason")


def has_decision(p: Payload) -> bool:
    return p.get("hook_event_name") == "BeforeTool" and hook_decision(p) is not None


COMMON: Facts = {
    **exported.TIME,
    "session_id": ("session_id", "gen_ai_conversation_id"),
    "agent_id": agent_id,
}
CALL: Facts = {
    "action_native": tool,
    "input": "function_args",
    "call_id": span_call_id,
    "mcp_server": "mcp_server_name",
}
CALL_NOISE = (
    "function_args tool_type content_length extension_name extension_id start_time end_time "
    "metadata error_type error.type error_message reason"
)
SPAN_RESULT: Facts = {
    "action_native": "gen_ai_tool_name",
    **end_of(parts_of(span_end, "gen_ai_output_messages")),
    "duration_ms": exported.span_ms,
}
MODEL: Facts = {"model_id": "model", "latency_ms": exported.number("duration_ms")}
AGENT: Facts = {
    "agent_id": "agent_id",
    "agent_type": "agent_name",
    "plan_type": plan_of("agent_name"),
}
NOISE = Ignore("the client's own bookkeeping")
WHOLE = Ignore("a whole request or response")

EVENTS: Events = {
    "user_prompt": Row(
        "Prompt.Submitted",
        {"prompt": exported.text("prompt"), "prompt_length": exported.whole("prompt_length")},
    ),
    "tool_call": exported.refused_or_ended(
        ended_by,
        "success error error_message decision",
        CALL,
        refused={"decision_evidence": Const("tool_call")},
        ended={
            "duration_ms": exported.number("duration_ms"),
            "same_as": exported.same("after", "otlp.call_id"),
        },
        ignore=CALL_NOISE,
    ),
    "tool_call.start": (
        Row(
            "Action.Before",
            {"action_native": "gen_ai_tool_name", "call_id": "gen_ai_tool_call_id"},
            when=is_first,
        ),
        Ignore("a log record told of the call before"),
    ),
    "tool_call.end": (
        Row(
            "Action.After",
            {**SPAN_RESULT, "call_id": "gen_ai_tool_call_id"},
            when=lambda p: is_first(p) and has_output(p),
        ),
        Row(
            "Action.After",
            {**SPAN_RESULT, "call_id": span_call_id},
            when=lambda p: not is_first(p) and has_output(p),
        ),
        Ignore("a span without content says nothing of the outcome"),
    ),
    "hook_call": (
        Row(
            "vendor.gemini-cli.HookDecision",
            {
                "decision": hook_decision,
                "decision_reason": hook_reason,
                "decided_by": Const("hook"),
                "policy_engine": "hook_name",
                "certainty": Const("observed"),
                "decision_evidence": Const("hook_call"),
                "decision_point": Const("PreToolUse"),
            },
            when=has_decision,
            keep="exit_code",
            ignore="hook_input stdout stderr hook_event_name hook_type duration_ms",
        ),
        Ignore("the client's account of its hooks"),
    ),
    "api_response": Row(
        "Model.Responded",
        {
            **MODEL,
            "input_tokens": exported.whole("input_token_count", "tool_token_count"),
            "output_tokens": exported.whole("output_token_count", "thoughts_token_count"),
            "cache_read_tokens": exported.whole("cached_content_token_count"),
        },
        keep="role thoughts_token_count",
        ignore=("total_token_count status_code http_status_code finish_reasons response_text"),
    ),
    "api_error": Row(
        "Model.Failed",
        {**MODEL, "error_code": "status_code", "error_message": exported.first_line("error")},
        keep="role error_type",
        ignore="error_message http_status_code duration model_name",
    ),
    "api_request": WHOLE,
    "gen_ai.client.inference.operation.details": WHOLE,
    "chat_compression": Row(
        "Context.Compaction",
        {
            "context_phase": Const("after"),
            "tokens_before": exported.whole("tokens_before"),
            "tokens_after": exported.whole("tokens_after"),
        },
    ),
    "agent.start": Row("Agent.Plan.Start", AGENT),
    "agent.finish": Row(
        "Agent.Plan.End",
        AGENT,
        keep="terminate_reason turn_count",
        ignore="duration_ms",
    ),
    "loop_detected": Row("vendor.gemini-cli.LoopDetected", keep="loop_type", ignore="count"),
    "conversation_finished": NOISE,
    "config": Row(
        "vendor.gemini-cli.Config",
        {"permission_mode": "approval_mode", "model_id": "model"},
        keep="sandbox_enabled mcp_servers extensions",
        ignore=(
            "embedding_model core_tools_enabled api_key_enabled vertex_ai_enabled "
            "log_user_prompts_enabled file_filtering_respect_git_ignore debug_mode "
            "mcp_servers_count mcp_tools mcp_tools_count output_format extensions_count "
            "extension_ids worktree_active"
        ),
    ),
    **dict.fromkeys(
        (
            "ripgrep_fallback startup_stats model_routing plan.approval_mode_duration "
            "plan.approval_mode_switch file_operation slash_command content_retry "
            "next_speaker_check flash_fallback tool_output_truncated edit_strategy "
            "edit_correction web_fetch_fallback_attempt conseca_verdict"
        ).split(),
        NOISE,
    ),
}

VENDOR = Vendor(
    "gemini-cli",
    spans=SPANS,
    event=exported.event_of("gemini_cli."),
    common=COMMON,
    events=EVENTS,
    tools=TOOLS,
    mcp=mcp,
    ignore=(
        "otlp installation_id interactive auth_type event_timestamp gen_ai_operation_name "
        "gen_ai_agent_name gen_ai_agent_description gen_ai_tool_description gen_ai_input_messages "
        "gen_ai_output_messages gen_ai_tool_call_id"
    ),
)
