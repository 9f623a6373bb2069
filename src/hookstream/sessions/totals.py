"""Totals of a session, counted as its stream is read: for an end of the session that no payload
sums up, and for prompts, of which each except the first is a follow-up.

A session whose beginning the stream does not show has no totals.
"""

from __future__ import annotations

from hookstream.core.limits import make_room
from hookstream.core.times import micros

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.event import Event

BEGINNINGS = ("new", "restart")
ACTIONS = frozenset(("Action.Before", "Action.After"))
# Calls and refusals that are remembered, so that each counts once.
REMEMBERED = 512


class Totals:
    """The counts of one session."""

    __slots__ = ("actions", "calls", "denials", "denied", "prompts", "since", "started", "tokens",
                 "verdicts")  # fmt: skip

    def __init__(self) -> None:
        # how the stream of the session begins: "start", "prompt", or "cut" short
        self.since = ""
        self.started = ""
        self.prompts = self.actions = self.verdicts = self.denials = 0
        self.tokens: int | None = None
        self.calls: dict[str, None] = {}
        self.denied: dict[str, None] = {}

    def see(self, event: Event) -> None:
        """Count an Event; complete a prompt and the end of the session."""
        facts = event.facts
        kind = event.type
        if not self.since and not kind.startswith(("vendor.", "Agent.Notification")):
            self._begin(kind, facts)
        if "duplicate_of" in facts:
            return
        if kind in ACTIONS:
            self.actions += _is_new(self.calls, facts.get("call_id") or facts["event_id"])
        elif kind == "Prompt.Submitted":
            self._prompt(event)
        elif kind == "Model.Responded":
            counts = [facts.get("input_tokens"), facts.get("output_tokens")]
            if counts != [None, None]:
                self.tokens = (self.tokens or 0) + sum(n for n in counts if type(n) is int)
        elif kind == "Session.End" and self.since == "start":
            self._end(event)
        decision = facts.get("decision")
        if decision is not None:
            self.verdicts += 1
            if decision == "deny":
                self.denials += _is_new(self.denied, facts.get("call_id") or facts["event_id"])

    def _begin(self, kind: str, facts: dict[str, Any]) -> None:
        if kind == "Session.Start" and facts.get("start_reason") in BEGINNINGS:
            self.since, self.started = "start", facts["timestamp"]
        else:
            self.since = "prompt" if kind == "Prompt.Submitted" else "cut"

    def _prompt(self, event: Event) -> None:
        self.prompts += 1
        if "is_followup" not in event.facts and (self.prompts > 1 or self.since != "cut"):
            conclude(event, "is_followup", self.prompts > 1)

    def _end(self, event: Event) -> None:
        conclude(event, "total_actions", self.actions)
        conclude(event, "total_verdicts", self.verdicts)
        conclude(event, "total_denials", self.denials)
        if self.tokens is not None:
            conclude(event, "total_tokens", self.tokens)
        start, end = micros(self.started), micros(event.facts["timestamp"])
        if start is not None and end is not None and end >= start:
            conclude(event, "duration_ms", (end - start) / 1000)


def conclude(event: Event, fact: str, value: Any) -> None:
    """Add a fact that the emitter did not say, listed as concluded."""
    if fact not in event.facts:
        event.facts[fact] = value
        event.synthesized.append(fact)


def _is_new(seen: dict[str, None], name: str) -> bool:
    if name in seen:
        return False
    make_room(seen, REMEMBERED)
    seen[name] = None
    return True
