"""Goose's OpenTelemetry spans: a call that came to its hooks, a hook that failed, a model's answer.

Source: the vendor's source, not recorded. A call that a person, a rule or a mode refused has no
span. A failure is in `error.type` alone: the status of a span says nothing.
"""

from __future__ import annotations

import re

from hookstream.normalizers import steps as s
from hookstream.normalizers.exported import (
    CALL,
    TIME,
    USAGE,
    operation,
    parsed,
    refused_or_ended,
    span_ms,
)
from hookstream.normalizers.goose.table import TOOLS, mcp
from hookstream.normalizers.table import (
    Const,
    Ignore,
    Row,
    Vendor,
    Words,
    is_word,
    negate,
    reads,
)
from hookstream.normalizers.wording import Ending, denied

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.core.records import Payload
    from hookstream.normalizers.table import Events, Facts

REFUSED = ("hook_denied", "hook_failed")
FAILED = negate(is_word("error_type", None))


def end(p: Payload) -> Ending:
    """The end of a call. A result shows that it ran well; a call that was broken off has neither
    that nor an error, and without content none has a result."""
    kind = p.get("error_type")
    if kind in REFUSED:
        return denied("hook")
    return Ending("error" if kind else "ok" if p.get("gen_ai_tool_call_result") else None)


@reads("gen_ai_tool_call_result")
def output(p: Payload) -> str | None:
    return s.as_text(parsed(p, "gen_ai_tool_call_result").get("content")) or None


MODEL: Facts = {
    "model_id": ("gen_ai_response_model", "gen_ai_request_model"),
    "latency_ms": span_ms,
}
EVENTS: Events = {
    "execute_tool.start": Row("Action.Before", CALL, ignore="error_type"),
    "execute_tool.end": refused_or_ended(
        end,
        "error_type gen_ai_tool_call_result",
        CALL,
        refused={
            "decision_evidence": Const("error.type"),
            "failure": Words("error_type", {"hook_failed": "error"}),
        },
        ended={"duration_ms": span_ms, "output": output},
    ),
    "execute_hook.start": Ignore("a run of a hook; its end says whether it failed"),
    "execute_hook.end": (
        Row(
            "vendor.goose.HookEnd",
            {"error_code": "error_type", "parent_call_id": "otlp.parent.call_id"},
            when=FAILED,
            keep="goose_hook_event goose_hook_plugin",
            note="a hook that refuses by its status ends so, too",
        ),
        Ignore("a hook that ended well"),
    ),
    "chat.start": Ignore("a request to a model; its end says what there is to say"),
    "chat.end": (
        Row(
            "Model.Responded",
            {**MODEL, **USAGE, "message_id": "gen_ai_response_id"},
            when=negate(FAILED),
            keep="goose_chat_purpose",
        ),
        Row(
            "Model.Failed",
            {**MODEL, "error_code": "error_type"},
            when=FAILED,
            keep="goose_chat_purpose",
        ),
    ),
    "invoke_agent.start": Ignore("a turn, not who asked for it"),
    "invoke_agent.end": Ignore("a turn; its answers are in chat"),
}
VENDOR = Vendor(
    "goose",
    spans=re.compile(r"(?:execute_tool|execute_hook|chat|invoke_agent)\b"),
    logs=re.compile(r"(?!)"),
    event=operation,
    common={
        **TIME,
        "session_id": ("session_id", "gen_ai_conversation_id"),
        "tool_version": "otlp.version",
    },
    events=EVENTS,
    tools=TOOLS,
    mcp=mcp,
    ignore=(
        "otlp target code_filepath code_namespace code_lineno thread_id thread_name busy_ns "
        "idle_ns gen_ai_operation_name gen_ai_provider_name gen_ai_request_model "
        "gen_ai_response_model gen_ai_request_temperature gen_ai_request_max_tokens "
        "gen_ai_response_finish_reasons gen_ai_conversation_id"
    ),
)
