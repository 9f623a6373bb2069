"""Human-readable text: the event type in lower case, and a one-sentence summary."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any

from hookstream.core.event import Event
from hookstream.core.times import micros

DEBUG, INFO, WARN, ERROR = 5, 9, 13, 17
TEXT = {DEBUG: "DEBUG", INFO: "INFO", WARN: "WARN", ERROR: "ERROR"}
_BY_TYPE = {
    "Context.UntilCompaction": DEBUG,
    "Model.Requested": DEBUG,
    "Policy.Violation": WARN,
    "Policy.Blocked": WARN,
    "Policy.Override": WARN,
    "Retry.Triggered": WARN,
    "Retry.Loop.Detected": WARN,
    "Session.Abort": WARN,
    "Agent.Error": ERROR,
    "Model.Failed": ERROR,
    "Retry.Loop.Aborted": ERROR,
}


def severity(event: Event) -> int:
    """The graver of what the type, the decision, the result and the risk say."""
    facts = event.facts
    value = _BY_TYPE.get(event.type, INFO)
    decision = facts.get("decision")
    if decision in ("deny", "ask") or facts.get("success") is False:
        value = max(value, WARN)
    if decision == "allow" and event.risk is not None and event.risk[1] == "critical":
        value = ERROR
    return value


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def millis(text: str | None) -> int:
    """Milliseconds since 1970. ValueError if the text is not a time."""
    found = micros(text)
    if found is None:
        raise ValueError("the event has no time that can be read")
    return found // 1000


def plain(text: str | None) -> str:
    """RFC 3339 in UTC with at most microseconds and a Z. ValueError if the text is not a time."""
    at = micros(text)
    if at is None:
        raise ValueError("the event has no time that can be read")
    return iso(at)


def begin_and_end(facts: dict[str, Any]) -> tuple[str, str]:
    """When an event began and ended, as `plain` has it: its time, and its duration before."""
    end = micros(facts["timestamp"])
    if end is None:
        raise ValueError("the event has no time that can be read")
    start = end - int(facts.get("duration_ms") or 0) * 1000
    return iso(start if start > 0 else end), iso(end)


def iso(at: int) -> str:
    """Microseconds since 1970 as RFC 3339 in UTC."""
    return (
        (_EPOCH + timedelta(microseconds=at))
        .isoformat(timespec="milliseconds" if at % 1000 == 0 else "microseconds")
        .replace("+00:00", "Z")
    )


_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_VERBS = {"allow": "allowed", "deny": "denied", "ask": "held for approval"}
_OUTCOMES = {
    "ok": "succeeded",
    "error": "failed",
    "denied": "denied",
    "cancelled": "cancelled",
    "timeout": "timed out",
    "answered": "answered without running",
}


@lru_cache(1024)
def snake(event_type: str) -> str:
    """`Context.UntilCompaction` -> `context.until_compaction`; ASCII, dots kept."""
    plain = re.sub(r"[^A-Za-z0-9.]", "_", event_type)
    return ".".join(_HUMP.sub("_", part).lower() for part in plain.split("."))


def sentence(event: Event) -> str:
    """A short sentence about an event, without content: "shell denied by hook", "session start"."""
    facts = event.facts
    action = facts.get("action_name")
    decision = facts.get("decision")
    if decision in _VERBS:
        what = facts.get("subject", "action")
        if action is not None and what in ("action", "result", "other"):
            what = f"result of {action}" if what == "result" else action
        by = facts.get("decided_by")
        said = f"{what} {_VERBS[decision]}" + (f" by {by}" if by else "")
        return said if facts.get("enforced") is not False else f"{said}, not enforced"
    if action is None:
        return snake(event.type).replace(".", " ").replace("_", " ")
    if event.type == "Action.After":
        return f"{action} {_OUTCOMES.get(facts.get('outcome', ''), 'ended')}"
    if event.type == "Action.Before":
        return f"{action} requested"
    return f"{action}: {snake(event.type).replace('.', ' ').replace('_', ' ')}"
