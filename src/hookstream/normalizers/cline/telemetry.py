"""Cline's own telemetry, CLI 3.0: log events without call ids, texts or outcomes.

Source: recordings of 3.0.65, whose fixed address had been resolved to a receiver. Only an
organisation's own collector ever sees it. A tool's `success` is true for commands that failed and
no event names a call: a tool is reported as used, never as an action with an outcome.
"""

from __future__ import annotations

import re

from hookstream.normalizers.exported import TIME, number, whole
from hookstream.normalizers.table import Ignore, Row, Vendor, at, plan_of, reads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.records import Payload
    from hookstream.normalizers.table import Events, Facts

# Everything else is the client's own bookkeeping.
LOGS = re.compile(
    r"(?:session\.started|task\.conversation_turn|task\.tool_used|task\.tokens"
    r"|task\.subagent_started|task\.subagent_completed|task\.provider_api_error"
    r"|agent\.run-failed|task\.cancelled|task\.mistake_limit_reached|task\.summarize_task)\Z"
)


def event(p: Payload) -> Any:
    return at(p, "otlp.name")


@reads("source isSubagent")
def is_prompt(p: Payload) -> bool:
    return p.get("source") == "user" and p.get("isSubagent") is not True


@reads("isSubagent agentId")
def child_agent(p: Payload) -> Any:
    return p.get("agentId") if p.get("isSubagent") is True else None


COMMON: Facts = {
    **TIME,
    "session_id": ("ulid", "sessionId"),
    "tool_version": "extension_version",
}
MODEL: Facts = {"model_id": ("model", "modelId")}
AGENT: Facts = {"agent_id": "agentId", "plan_type": plan_of()}

EVENTS: Events = {
    "session.started": Row("Session.Start", MODEL, keep="source"),
    "task.conversation_turn": (
        Row(
            "Prompt.Submitted",
            {**MODEL, "agent_mode": "mode"},
            when=is_prompt,
        ),
        Ignore("an answer; its tokens are told of apart"),
    ),
    "task.tool_used": Row(
        "vendor.cline.ToolUsed",
        {**MODEL, "agent_id": child_agent},
        keep="tool success",
        note="no call id, and `success` is true for commands that failed: no action",
    ),
    "task.tokens": Row(
        "Model.Responded",
        {
            **MODEL,
            "agent_id": child_agent,
            "input_tokens": whole("tokensIn"),
            "output_tokens": whole("tokensOut"),
            "cache_read_tokens": whole("cacheReadTokens"),
            "cache_write_tokens": whole("cacheWriteTokens"),
            "cost_usd": number("totalCost"),
        },
    ),
    "task.subagent_started": Row("Agent.Plan.Start", AGENT),
    "task.subagent_completed": Row(
        "Agent.Plan.End",
        AGENT,
        ignore="durationMs outputLines errorMessage",
    ),
    "task.provider_api_error": Row(
        "Model.Failed",
        {
            **MODEL,
            "error_code": ("errorStatus", "error_status"),
            "error_message": ("errorMessage", "error_message"),
        },
        ignore="errorCode requestId error_type isNativeToolCall durationMs phase",
    ),
    "agent.run-failed": Row(
        "vendor.cline.RunFailed",
        {"error_message": ("errorMessage", "error_message", "error")},
        ignore="status error_type errorName",
    ),
    "task.cancelled": Row(
        "vendor.cline.TaskCancelled",
        {"error_message": "error_message"},
        keep="error_type",
    ),
    "task.mistake_limit_reached": Row(
        "vendor.cline.MistakeLimit",
        MODEL,
        keep="reason consecutiveMistakes maxConsecutiveMistakes",
    ),
    "task.summarize_task": Ignore("never recorded: what it means is not known"),
}

VENDOR = Vendor(
    "cline",
    logs=LOGS,
    event=event,
    common=COMMON,
    events=EVENTS,
    ignore=(
        "otlp cline_type platform platform_version os_type os_version session_origin "
        "provider providerId agentKind conversationId teamId teamName teamRole timestamp "
        "distinct_id device_id source event parentId parentAgentId createdByAgentId runId "
        "iteration eventType enableTools enableSpawnAgent enableAgentTeams durationMs "
        "isSubagent agentId sessionId model modelId serviceName serviceVersion"
    ),
)
