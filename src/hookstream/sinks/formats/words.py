"""Human-readable text: the event type in lower case, and a one-sentence summary."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hookstream.core.event import Event

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
