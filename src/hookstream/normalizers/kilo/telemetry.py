"""Kilo's OpenTelemetry spans, 7.7: of many hundred, a call's says how it ended where it failed.

Source: recordings of 7.7.9. Service and scope are OpenCode's, with Kilo's version. A rejection does
not say who answered, unless with a person's words; a plug-in's refusal has no span at all.
"""

from __future__ import annotations

import re

from hookstream.normalizers.exported import refused_or_ended, same, span_ms
from hookstream.normalizers.kilo import wording
from hookstream.normalizers.kilo.calls import TOOLS
from hookstream.normalizers.opencode.telemetry import CALL, LOGS, message
from hookstream.normalizers.opencode.telemetry import VENDOR as OPENCODE
from hookstream.normalizers.table import Const, Ignore, Vendor, at
from hookstream.normalizers.wording import Ending

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.records import Payload
    from hookstream.normalizers.table import Events

SPANS = re.compile(r"(?:Tool\.execute|SessionCompaction\.process)\Z")


def end(p: Payload) -> Ending:
    """The end of a call. A span without an error says nothing of a command's."""
    if at(p, "otlp.status") != 2:
        return Ending(None)
    return wording.ended("", "error", message(p), "", None)


def ended() -> Any:
    refused, after = refused_or_ended(
        end,
        "otlp",
        CALL,
        refused={
            "decision_evidence": Const("Tool.execute"),
            "same_as": same("refusal", "tool_call_id"),
        },
        ended={"duration_ms": span_ms, "same_as": same("after", "tool_call_id")},
    )
    after.when = lambda p: end(p).outcome not in (None, "denied")
    return refused, after, Ignore("a call that ended; how, the span does not say")


EVENTS: Events = {"Tool.execute.end": ended()}
VENDOR = Vendor(
    "kilo",
    extends=OPENCODE,
    same="Tool.execute.start SessionCompaction.process.start SessionCompaction.process.end",
    spans=SPANS,
    logs=LOGS,
    event=OPENCODE.event,
    common={},
    events=EVENTS,
    tools=TOOLS,
    ignore=OPENCODE.ignore,
)
