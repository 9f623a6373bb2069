"""Events whose OCSF objects reach every place that the mapping fills."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hookstream.core.event import EVENT_TYPES, Event
from hookstream.sinks.formats.ocsf_1_8 import ocsf

from .events import rich, shell

DECISIONS: list[dict[str, Any]] = [
    {},
    {"decision": "allow"},
    {"decision": "deny", "matched_rule_id": "r", "policy_id": "p", "decision_reason": "no"},
    {"decision": "ask"},
    {"decision": "allow", "modified": True},
]


def bare(kind: str, **facts: Any) -> Event:
    base = {
        "event_id": "11111111-1111-8111-8111-111111111111",
        "timestamp": "2026-03-01T12:00:00Z",
        "tool": "cursor",
        "session_id": "s-1",
        "native_event": "x",
    }
    return Event(kind, None, {**base, **facts}, "cursor")


def everything() -> Iterator[dict[str, Any]]:
    """OCSF objects of all event types, decisions, risks and rich events."""
    more = {"model_id": "anthropic/some-model", "input_tokens": 7, "user_id": "u-1"}
    more |= {"call_id": "c-1", "exit_code": 1, "command": "ls", "machine_id": "m-1"}
    for kind in [*EVENT_TYPES, "vendor.cursor.TabFileEdit"]:
        for facts in DECISIONS:
            yield ocsf(bare(kind, **facts), arguments=True)
            failed = bare(kind, **facts, **more, success=False, error_message="no")
            yield ocsf(failed, arguments=True)
    for event in (*rich(), shell(1)):
        event.risk = event.risk or (77, "high", ("x",))
        yield ocsf(event, arguments=True)
