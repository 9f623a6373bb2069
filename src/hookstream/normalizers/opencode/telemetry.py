"""OpenCode's OpenTelemetry spans, 1.18: a few of many hundred say something of a call.

Source: recordings of 1.18.33. A tool's span without error says nothing of how a command ended; with
its experimental telemetry on, the AI SDK's span has the result. A plugin's refusal is an error
of `Plugin.trigger` that names no call.
"""

from __future__ import annotations

import re

from hookstream.normalizers.exported import TIME, parsed, refused_or_ended, same, span_ms
from hookstream.normalizers.opencode import wording
from hookstream.normalizers.opencode.calls import TOOLS
from hookstream.normalizers.table import Const, Ignore, Row, Vendor, at, reads, text_at
from hookstream.normalizers.wording import Ending, denied, first_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.records import Payload
    from hookstream.normalizers.table import Events, Facts, Source

SPANS = re.compile(
    r"(?:Tool\.execute|Plugin\.trigger|SessionCompaction\.process|ai\.toolCall"
    r"|ai\.streamText\.doStream|ai\.generateText\.doGenerate)\Z"
)
# Its log says nothing that a span, a hook or a session file does not say better.
LOGS = re.compile(r"(?!)")


def event(p: Payload) -> str | None:
    name = str(at(p, "otlp.name")).replace("ai.streamText.doStream", "ai.model")
    name = name.replace("ai.generateText.doGenerate", "ai.model")
    return f"{name}.{at(p, 'otlp.phase')}"


def message(p: Payload) -> str:
    return text_at(p, "otlp.status_message")


def error_line(p: Payload) -> str:
    return first_line(message(p))


def end(p: Payload) -> Ending:
    """The end of a call. A span without an error says nothing of a command's, nor of any call
    without its result; who answered a question with no, an exception does not say."""
    events = at(p, "otlp.events")
    kinds = [event.get("exception_type") for event in events] if type(events) is list else ()
    tool, result = text_at(p, "ai_toolCall_name"), parsed(p, "ai_toolCall_result")
    code = at(result, "metadata.exit")
    if at(p, "otlp.status") == 2:
        end = wording.ended(tool, "error", message(p), "", code)
        if "PermissionDeniedError" in kinds and end.outcome != "denied":
            return denied("rule", message(p))
        if "PermissionRejectedError" in kinds and end.outcome != "denied":
            return denied(None, message(p))
        return end
    if not p.get("ai_toolCall_result") or (tool == wording.SHELL and type(code) is not int):
        return Ending(None)
    return wording.ended(tool, "", "", "", code)


def ended(what: str, call: Facts, call_id: str, **more: Source) -> Any:
    """The rows of the end of a call."""
    refused, after = refused_or_ended(
        end,
        "ai_toolCall_result",
        call,
        refused={"decision_evidence": Const(what), "same_as": same("refusal", call_id)},
        ended={"duration_ms": span_ms, "same_as": same("after", call_id), **more},
    )
    after.when = lambda p: end(p).outcome not in (None, "denied")
    return refused, after, Ignore("a call that ended; how, the span does not say")


def is_broken(p: Payload) -> bool:
    return bool(at(p, "otlp.status") == 2)


def is_fine(p: Payload) -> bool:
    return not is_broken(p)


READ, WRITTEN = "ai_usage_cachedInputTokens", "ai_usage_inputTokenDetails_cacheWriteTokens"


@reads(f"ai_usage_inputTokens {READ} {WRITTEN}")
def input_tokens(p: Payload) -> int | None:
    """Without what came from the cache and went into it, as OpenCode's own messages count it."""
    whole = p.get("ai_usage_inputTokens")
    if type(whole) is not int:
        return None
    cached = sum(count for name in (READ, WRITTEN) if type(count := p.get(name)) is int)
    return whole - cached if cached <= whole else whole


COMMON: Facts = {
    **TIME,
    "session_id": ("session_id", "ai_telemetry_metadata_sessionId", "otlp.trace_session"),
    "tool_version": "otlp.version",
}
CALL: Facts = {
    "action_native": "tool_name",
    "call_id": "tool_call_id",
    "message_id": "message_id",
}
SDK_CALL: Facts = {
    "action_native": "ai_toolCall_name",
    "call_id": "ai_toolCall_id",
    "input": "ai_toolCall_args",
}
STARTS = Ignore("a span begins")

EVENTS: Events = {
    "Tool.execute.start": Row("Action.Before", {**CALL, "same_as": same("before", "tool_call_id")}),
    "Tool.execute.end": ended("Tool.execute", CALL, "tool_call_id"),
    "ai.toolCall.start": Row(
        "Action.Before",
        {**SDK_CALL, "same_as": same("before", "ai_toolCall_id")},
        ignore="ai_toolCall_result",
    ),
    "ai.toolCall.end": ended(
        "ai.toolCall", SDK_CALL, "ai_toolCall_id", output="ai_toolCall_result"
    ),
    "ai.model.start": STARTS,
    "ai.model.end": (
        Row(
            "Model.Failed",
            {"model_id": "ai_model_id", "error_message": error_line, "latency_ms": span_ms},
            when=is_broken,
        ),
        Row(
            "Model.Responded",
            {
                "model_id": "ai_model_id",
                "message_id": "ai_response_id",
                "input_tokens": input_tokens,
                "output_tokens": "ai_usage_outputTokens",
                "cache_read_tokens": READ,
                "cache_write_tokens": WRITTEN,
                "latency_ms": span_ms,
            },
            when=is_fine,
        ),
    ),
    "Plugin.trigger.start": STARTS,
    "Plugin.trigger.end": (
        Row(
            "vendor.opencode.PluginError",
            {"error_message": error_line, "decision_evidence": Const("Plugin.trigger")},
            when=is_broken,
            note="a plugin threw: with a call that failed in these words, a refusal",
        ),
        Ignore("a plugin ran"),
    ),
    "SessionCompaction.process.start": STARTS,
    "SessionCompaction.process.end": (
        Row("Context.Compaction", {"context_phase": Const("after")}, when=is_fine),
        Ignore("a compaction that failed"),
    ),
}

VENDOR = Vendor(
    "opencode",
    spans=SPANS,
    logs=LOGS,
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
