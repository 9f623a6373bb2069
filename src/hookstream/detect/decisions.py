"""Decisions: category and severity if no engine gave them, Policy.Violation, Session.Abort."""

from __future__ import annotations

from hookstream.core.decisions import category_of
from hookstream.core.limits import SESSIONS, make_room
from hookstream.detect.derive import derive

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.event import Event

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


class Decisions:
    def __init__(self) -> None:
        self.sessions: dict[tuple[str, str], RefusalWatch] = {}

    def fill(self, event: Event) -> None:
        """Category and severity by rule, listed in `synthesized`, if no engine gave them."""
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
            watch.denied[mark] = {name: facts[name] for name in REFUSAL if name in facts}

    def _ran(self, event: Event, watch: RefusalWatch) -> list[Event]:
        """A refused fingerprint that runs later, with no approval between (design 5.12)."""
        facts = event.facts
        if facts.get("outcome") not in ("ok", "error", "timeout"):
            return []
        refusal = watch.denied.pop(facts.get("action_fingerprint", ""), None)
        if refusal is None or refusal.get("call_id") == facts.get("call_id"):
            return []
        wanted = {"about": refusal["event_id"]}
        wanted |= {name: refusal[name] for name in RULE if name in refusal}
        return [derive(event, "Policy.Violation", wanted, action=True)]

    def _started(self, event: Event, watch: RefusalWatch) -> list[Event]:
        """A session that starts again while a prompt was never answered was cut off before."""
        cut = watch.open_turn and event.facts.get("start_reason") in ("new", "resume")
        watch.open_turn = False
        if not cut:
            return []
        wanted = {"abort_reason": "started_again_without_end", "certainty": "inferred"}
        return [derive(event, "Session.Abort", wanted)]
