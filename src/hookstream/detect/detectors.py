"""Detectors over one stream: decisions, retry loops, context pressure, errors, risk."""

from __future__ import annotations

from typing import Any

from hookstream.core.decisions import category_of
from hookstream.core.event import Event, place_of
from hookstream.core.limits import SESSIONS, make_room
from hookstream.core.times import micros
from hookstream.detect.attempts import DEFAULT, Thresholds
from hookstream.detect.compactions import TYPE, WATCHED, Window
from hookstream.detect.derive import derive
from hookstream.detect.loops import Loops
from hookstream.detect.risk import assess


def errors(event: Event) -> list[Event]:
    """Agent.Error from a failed action or model call, so that failures count once: the
    native event stays as it is, and this one reports that the agent met an error."""
    facts = event.facts
    if event.type == "Action.After" and facts.get("outcome") in ("error", "timeout"):
        wanted = {"error_type": "ToolFailed", "origin_event": "Action.After"}
        for name in ("error_message", "exit_code"):
            if name in facts:
                wanted[name] = facts[name]
        return [derive(event, "Agent.Error", wanted, action=True)]
    if event.type == "Model.Failed":
        wanted = {"error_type": "ModelError", "origin_event": "Model.Failed"}
        for name in ("error_message", "error_code", "model_id"):
            if name in facts:
                wanted[name] = facts[name]
        return [derive(event, "Agent.Error", wanted)]
    return []


class ContextPressure:
    """Context.UntilCompaction from an Event's numbers, and compactions that only a drop in tokens
    and messages shows."""

    def __init__(self) -> None:
        self.sessions: dict[tuple[str, str], Window] = {}

    def see(self, event: Event, place: tuple[str, str]) -> list[Event]:
        facts = event.facts
        out = []
        limit, used = facts.get("tokens_limit"), facts.get("tokens_used")
        if limit and used is not None and not event.type.startswith("Context."):
            share = min(100.0, max(0.0, round(100.0 * used / limit, 2)))
            wanted = {"tokens_used": used, "tokens_limit": limit, "percentage_used": share}
            wanted["tokens_remaining"] = max(0, limit - used)
            out.append(derive(event, "Context.UntilCompaction", wanted))
        if "context_trigger" in facts or event.type in WATCHED:
            out += self._watch(event, place)
        return out

    def _watch(self, event: Event, place: tuple[str, str]) -> list[Event]:
        facts = event.facts
        window = self.sessions.pop(place, None)
        if window is None:
            make_room(self.sessions, SESSIONS)
            window = Window()
        self.sessions[place] = window  # the session unused longest falls out first
        shrunk = window.see(
            event.type,
            facts.get("context_trigger"),
            facts.get("message_count"),
            facts.get("input_tokens"),
        )
        if shrunk is None:
            return []
        before, after = shrunk
        wanted = {
            "context_phase": "after",
            "context_trigger": "auto",
            "tokens_before": before,
            "tokens_after": after,
            "tokens_removed": before - after,
            "certainty": "observed",
        }
        return [derive(event, TYPE, wanted)]


DENIED_LIMIT = 256
RULE = ("matched_rule_id", "policy_id", "policy_version", "policy_engine")
REFUSAL = ("event_id", "call_id", *RULE)
REFUSERS = ("hook", "rule")


class RefusalWatch:
    """Refusals of a session, and whether something was allowed since."""

    __slots__ = ("denied", "mode", "open_turn", "sequence")

    def __init__(self) -> None:
        # fingerprint -> the refusal's facts in a violation
        self.denied: dict[str, dict[str, Any]] = {}
        self.mode: str | None = None
        self.open_turn = False
        self.sequence = 0


def _is_earlier(time: str | None, other: str | None) -> bool:
    """Return whether a record's time lies before another's, whatever was read first."""
    one, two = micros(time), micros(other)
    return one is not None and two is not None and one < two


class Decisions:
    """Category and severity if no engine gave them, Policy.Violation, Session.Abort."""

    def __init__(self) -> None:
        self.sessions: dict[tuple[str, str], RefusalWatch] = {}

    def fill(self, event: Event) -> None:
        """Add category and severity by rule, listed in `synthesized`, if no engine gave them."""
        facts = event.facts
        decision = facts.get("decision")
        if decision is None:
            return
        if "category" not in facts:
            facts["category"] = category_of(facts.get("subject"), facts.get("action_category"))
            event.synthesized.append("category")
        if "severity" not in facts:
            facts["severity"] = "info" if decision == "allow" else "warning"
            event.synthesized.append("severity")

    def see(self, event: Event, place: tuple[str, str]) -> list[Event]:
        kind = event.type
        facts = event.facts
        watch = self.sessions.pop(place, None)
        if watch is None:
            make_room(self.sessions, SESSIONS)
            watch = RefusalWatch()
        self.sessions[place] = watch  # the session unused longest falls out first
        mode = facts.get("permission_mode")
        if mode is not None and mode != watch.mode:
            if watch.mode is not None:
                watch.denied.clear()
            watch.mode = mode
        if kind == "Policy.Blocked":
            self._refused(event, watch)
        elif kind == "Policy.Override" or facts.get("notification_type") == "ToolPermission":
            watch.denied.pop(facts.get("action_fingerprint", ""), None)
        elif kind == "Action.After":
            return self._ran(event, watch)
        elif kind == "Prompt.Submitted":
            watch.open_turn = True
        elif kind in ("Agent.Response", "Session.End", "Model.Failed"):
            watch.open_turn = False
        elif kind == "Session.Start":
            return self._started(event, watch)
        return []

    def _refused(self, event: Event, watch: RefusalWatch) -> None:
        facts = event.facts
        mark = facts.get("action_fingerprint")
        if mark is not None and facts.get("decided_by") in REFUSERS:
            if len(watch.denied) >= DENIED_LIMIT:
                del watch.denied[next(iter(watch.denied))]
            refusal = {name: facts[name] for name in REFUSAL if name in facts}
            watch.denied[mark] = {**refusal, "timestamp": facts.get("timestamp")}

    def _ran(self, event: Event, watch: RefusalWatch) -> list[Event]:
        """Policy.Violation: a refused fingerprint runs later, with no approval between (5.12)."""
        facts = event.facts
        if facts.get("outcome") not in ("ok", "error", "timeout"):
            return []
        mark = facts.get("action_fingerprint", "")
        refusal = watch.denied.get(mark)
        if refusal is None or _is_earlier(facts.get("timestamp"), refusal["timestamp"]):
            return []
        del watch.denied[mark]
        if refusal.get("call_id") == facts.get("call_id"):
            return []
        wanted = {"about": refusal["event_id"]}
        wanted |= {name: refusal[name] for name in RULE if name in refusal}
        return [derive(event, "Policy.Violation", wanted, action=True)]

    def _started(self, event: Event, watch: RefusalWatch) -> list[Event]:
        """Session.Abort: a session starts again while a prompt was not answered."""
        cut = watch.open_turn and event.facts.get("start_reason") in ("new", "resume")
        watch.open_turn = False
        if not cut:
            return []
        wanted = {"abort_reason": "started_again_without_end", "certainty": "inferred"}
        return [derive(event, "Session.Abort", wanted)]


class Detectors:
    """All detectors over one stream, in a fixed order; state is bounded in each."""

    def __init__(self, thresholds: Thresholds = DEFAULT) -> None:
        self.loops = Loops(thresholds)
        self.decisions = Decisions()
        self.context = ContextPressure()

    def without_history(self) -> Detectors:
        """The same detectors before their first event."""
        return Detectors(self.loops.thresholds)

    def forget(self, place: tuple[str, str]) -> None:
        """Drop the state of a tool's session."""
        self.park([place])

    def park(self, places: list[tuple[str, str]]) -> list[dict[tuple[str, str], Any]]:
        """Remove and return the state of each detector for these sessions."""
        return [
            {place: table.pop(place) for place in places if place in table}
            for table in self._tables()
        ]

    def unpark(self, parked: list[dict[tuple[str, str], Any]]) -> None:
        for table, sessions in zip(self._tables(), parked, strict=False):
            for place, value in sessions.items():
                table[place] = value

    def _tables(self) -> tuple[dict[Any, Any], ...]:
        return (self.loops.sessions, self.decisions.sessions, self.context.sessions)

    def see(self, event: Event) -> list[Event]:
        """Complete the Event (category, severity, risk); return the Events derived from it."""
        self.decisions.fill(event)
        place = place_of(event.facts)
        derived: list[Event] = []
        if "duplicate_of" not in event.facts:
            derived = [
                *errors(event),
                *self.decisions.see(event, place),
                *self.loops.see(event, place),
                *self.context.see(event, place),
            ]
        assess(event)
        for more in derived:
            assess(more)
        return derived
