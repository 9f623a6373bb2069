"""Severity of an event as an OpenTelemetry number. A deny is a working control: a warning."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hookstream.core.event import Event

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
    found = _BY_TYPE.get(event.type, INFO)
    decision = facts.get("decision")
    if decision in ("deny", "ask") or facts.get("success") is False:
        found = max(found, WARN)
    if decision == "allow" and event.risk is not None and event.risk[1] == "critical":
        found = ERROR
    return found
