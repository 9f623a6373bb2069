"""Droid's OpenTelemetry spans, 0.225: each call with its id, and whether it ran or was refused.

Source: recordings of 0.225.2, `OTEL_TELEMETRY_FORMAT=genai`. A refusal does not say whose it is;
the client's own check before a push ends as a command that failed. Answers have no tokens.
"""

from __future__ import annotations

import re

from hookstream.normalizers.droid.table import TOOLS, mcp
from hookstream.normalizers.droid.wording import SHELL
from hookstream.normalizers.exported import CALL, TIME, operation, refused_or_ended, span_ms
from hookstream.normalizers.table import Const, Ignore, Row, Vendor
from hookstream.normalizers.wording import Ending, denied

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.normalizers.table import Events

    Payload = dict[str, Any]


def end(p: Payload) -> Ending:
    """The end of a call; a command's error may be the client's refusal."""
    kind = p.get("error_type")
    if kind == "rejected":
        return denied(None)
    if kind == "ToolFeedbackError" and p.get("gen_ai_tool_name") == SHELL:
        return Ending(None)
    return Ending("error" if kind else "ok")


EVENTS: Events = {
    "execute_tool.start": Row("Action.Before", CALL, ignore="error_type"),
    "execute_tool.end": refused_or_ended(
        end,
        "error_type gen_ai_tool_name",
        CALL,
        refused={"decision_evidence": Const("error.type rejected")},
        ended={"duration_ms": span_ms},
    ),
    "chat.start": Ignore("a request to a model"),
    "chat.end": Ignore("an answer without its tokens"),
    "invoke_agent.start": Ignore("a turn"),
    "invoke_agent.end": Ignore("a turn"),
}
VENDOR = Vendor(
    "droid",
    spans=re.compile(r"(?:execute_tool|chat|invoke_agent)\b"),
    logs=re.compile(r"(?!)"),
    event=operation,
    common={**TIME, "session_id": "session_id", "tool_version": "otlp.version"},
    events=EVENTS,
    tools=TOOLS,
    mcp=mcp,
    ignore="otlp gen_ai_operation_name gen_ai_tool_type gen_ai_conversation_id",
)
