"""OpenCode's OpenTelemetry spans, 1.18: a few of many hundred say something of a call.

Source: recordings of 1.18.33. A tool's span without error says nothing of how a command ended; with
its experimental telemetry on, the AI SDK's span has the result. A plugin's refusal is an error
of `Plugin.trigger` that names no call.
"""

from __future__ import annotations

import re

from hookstream.core.jsons import loads_text
from hookstream.normalizers.exported import DENIED, TIME, same, span_ms
from hookstream.normalizers.opencode.calls import TOOLS
from hookstream.normalizers.table import Const, Ignore, Row, Vendor, at, reads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.records import Record
    from hookstream.normalizers.table import Source

    Payload = dict[str, Any]

SPANS = re.compile(
    r"(?:Tool\.execute|Plugin\.trigger|SessionCompaction\.process|ai\.toolCall"
    r"|ai\.streamText\.doStream|ai\.generateText\.doGenerate)\Z"
)
# Its log says nothing that a span, a hook or a session file does not say better.
LOGS = re.compile(r"(?!)")
RULE = re.compile(r"rule which prevents you from using this specific tool call")
REJECTED = re.compile(r"^The user rejected permission")


def event(p: Payload, r: Record) -> str | None:
    name = str(at(p, "otlp.name")).replace("ai.streamText.doStream", "ai.model")
    name = name.replace("ai.generateText.doGenerate", "ai.model")
    return f"{name}.{at(p, 'otlp.phase')}"


def message(p: Payload) -> str:
    found = at(p, "otlp.status_message")
    return found if type(found) is str else ""


def exceptions(p: Payload) -> list[str]:
    events = at(p, "otlp.events")
    return [str(one.get("exception_type")) for one in (events if type(events) is list else ())]


def refusal(p: Payload) -> str | None:
    """`rule`, or `asked` if a question was refused (by whom is not reported)."""
    if at(p, "otlp.status") != 2:
        return None
    kinds = exceptions(p)
    if "PermissionDeniedError" in kinds or RULE.search(message(p)):
        return "rule"
    return "asked" if "PermissionRejectedError" in kinds or REJECTED.match(message(p)) else None


def is_refused(p: Payload, r: Record) -> bool:
    return refusal(p) is not None


def refused_by(p: Payload, r: Record) -> str | None:
    return "rule" if refusal(p) == "rule" else None


def reason(p: Payload, r: Record) -> str | None:
    return message(p)[:2000] or None


def is_failed(p: Payload, r: Record) -> bool:
    return is_broken(p, r) and refusal(p) is None


def error_line(p: Payload, r: Record) -> str | None:
    return message(p).split("\n", 1)[0][:500] or None


def result(p: Payload) -> dict[str, Any]:
    given = p.get("ai_toolCall_result")
    made = loads_text(given) if type(given) is str and given[:1] == "{" else None
    return made if type(made) is dict else {}


@reads("ai_toolCall_result")
def exit_code(p: Payload, r: Record) -> Any:
    return at(result(p), "metadata.exit")


@reads("ai_toolCall_result")
def outcome(p: Payload, r: Record) -> str | None:
    if at(p, "otlp.status") == 2:
        return "error"
    code = exit_code(p, r)
    if type(code) is int:
        return "error" if code else "ok"
    given = p.get("ai_toolCall_result")
    return "ok" if given and p.get("ai_toolCall_name") not in ("bash", "invalid") else None


def success(p: Payload, r: Record) -> bool | None:
    word = outcome(p, r)
    return None if word is None else word == "ok"


def is_broken(p: Payload, r: Record) -> bool:
    return bool(at(p, "otlp.status") == 2)


def is_fine(p: Payload, r: Record) -> bool:
    return not is_broken(p, r)


@reads("ai_usage_inputTokens ai_usage_cachedInputTokens")
def input_tokens(p: Payload, r: Record) -> int | None:
    """Without what came from the cache, as OpenCode's own messages count it."""
    whole, cached = p.get("ai_usage_inputTokens"), p.get("ai_usage_cachedInputTokens")
    if type(whole) is not int:
        return None
    return whole - cached if type(cached) is int and cached <= whole else whole


COMMON: dict[str, Source] = {
    **TIME,
    "session_id": ("session_id", "ai_telemetry_metadata_sessionId", "otlp.trace_session"),
    "tool_version": "otlp.version",
}
CALL: dict[str, Source] = {
    "action_native": "tool_name",
    "call_id": "tool_call_id",
    "message_id": "message_id",
}
SDK_CALL: dict[str, Source] = {
    "action_native": "ai_toolCall_name",
    "call_id": "ai_toolCall_id",
    "input": "ai_toolCall_args",
}
ENDS = Ignore("a call that ended; how, the span does not say")
STARTS = Ignore("a span begins")

EVENTS: dict[str, Row | Ignore | tuple[Row | Ignore, ...]] = {
    "Tool.execute.start": Row(
        "Action.Before", "PreToolUse", {**CALL, "same_as": same("before", "tool_call_id")}
    ),
    "Tool.execute.end": (
        Row(
            "Policy.Blocked",
            None,
            {
                **CALL,
                **DENIED,
                "decided_by": refused_by,
                "decision_reason": reason,
                "decision_evidence": Const("Tool.execute"),
                "same_as": same("refusal", "tool_call_id"),
            },
            when=is_refused,
        ),
        Row(
            "Action.After",
            "PostToolUse",
            {
                **CALL,
                "success": Const(False),
                "error_message": error_line,
                "duration_ms": span_ms,
                "same_as": same("after", "tool_call_id"),
            },
            when=is_failed,
        ),
        ENDS,
    ),
    "ai.toolCall.start": Row(
        "Action.Before",
        "PreToolUse",
        {**SDK_CALL, "same_as": same("before", "ai_toolCall_id")},
        ignore="ai_toolCall_result",
    ),
    "ai.toolCall.end": (
        Row(
            "Policy.Blocked",
            None,
            {
                **SDK_CALL,
                **DENIED,
                "decided_by": refused_by,
                "decision_reason": reason,
                "decision_evidence": Const("ai.toolCall"),
                "same_as": same("refusal", "ai_toolCall_id"),
            },
            when=is_refused,
        ),
        Row(
            "Action.After",
            "PostToolUse",
            {
                **SDK_CALL,
                "success": success,
                "outcome": outcome,
                "exit_code": exit_code,
                "error_message": error_line,
                "output": "ai_toolCall_result",
                "duration_ms": span_ms,
                "same_as": same("after", "ai_toolCall_id"),
            },
            when=lambda p, r: refusal(p) is None and outcome(p, r) is not None,
        ),
        ENDS,
    ),
    "ai.model.start": STARTS,
    "ai.model.end": (
        Row(
            "Model.Failed",
            None,
            {"model_id": "ai_model_id", "error_message": error_line, "latency_ms": span_ms},
            when=is_broken,
        ),
        Row(
            "Model.Responded",
            "PostLLMResponse",
            {
                "model_id": "ai_model_id",
                "message_id": "ai_response_id",
                "input_tokens": input_tokens,
                "output_tokens": "ai_usage_outputTokens",
                "cache_read_tokens": "ai_usage_cachedInputTokens",
                "latency_ms": span_ms,
            },
            when=is_fine,
        ),
    ),
    "Plugin.trigger.start": STARTS,
    "Plugin.trigger.end": (
        Row(
            "vendor.opencode.PluginError",
            None,
            {"error_message": error_line, "decision_evidence": Const("Plugin.trigger")},
            when=is_broken,
            note="a plugin threw: with a call that failed in these words, a refusal",
        ),
        Ignore("a plugin ran"),
    ),
    "SessionCompaction.process.start": STARTS,
    "SessionCompaction.process.end": (
        Row("Context.Compaction", "PostCompact", {"context_phase": Const("after")}, when=is_fine),
        Ignore("a compaction that failed"),
    ),
}

VENDOR = Vendor(
    "opencode",
    claims=lambda p: False,
    event=event,
    common=COMMON,
    events=EVENTS,
    tools=TOOLS,
    ignore=(
        "otlp operation_name resource_name ai_operationId ai_telemetry_functionId "
        "ai_telemetry_metadata_userId ai_model_provider ai_settings_maxOutputTokens "
        "ai_settings_maxRetries ai_settings_headers ai_prompt ai_prompt_messages "
        "ai_prompt_tools ai_prompt_toolChoice ai_response_text ai_response_toolCalls "
        "ai_response_reasoning ai_response_finishReason ai_response_model "
        "ai_response_timestamp ai_response_msToFirstChunk ai_response_msToFinish "
        "ai_response_avgOutputTokensPerSecond ai_response_avgCompletionTokensPerSecond "
        "ai_response_providerMetadata ai_usage_inputTokenDetails_noCacheTokens "
        "ai_usage_inputTokenDetails_cacheReadTokens "
        "ai_usage_inputTokenDetails_cacheWriteTokens "
        "ai_usage_outputTokenDetails_textTokens "
        "ai_usage_outputTokenDetails_reasoningTokens ai_usage_totalTokens "
        "ai_usage_reasoningTokens ai_usage_promptTokens ai_usage_completionTokens "
        "gen_ai_system gen_ai_request_model gen_ai_request_max_tokens "
        "gen_ai_request_temperature gen_ai_request_top_p gen_ai_response_id "
        "gen_ai_response_model gen_ai_response_finish_reasons gen_ai_usage_input_tokens "
        "gen_ai_usage_output_tokens ai_request_headers_x-session-affinity "
        "ai_request_headers_X-Session-Id ai_request_headers_x-parent-session-id "
        "ai_request_headers_User-Agent"
    ),
)
