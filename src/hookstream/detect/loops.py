"""Retry loops: the standards name them and give no rule, so this is ours.

An attempt is one call. Key: session, agent, turn, fingerprint. A second attempt after one that
failed or was denied is Retry.Triggered; the third failed or denied attempt (a setting) is
Retry.Loop.Detected, repeated only at 6, 12, 24 ...; successes with an unchanged output are kind
`unchanged` and count only from 8. `attempts` decides it, here and for tables. A success with a new
output or a human prompt closes a loop; one that is open when the session ends or is cut off is
Retry.Loop.Aborted.
"""

from __future__ import annotations

from typing import Any

from hookstream.core.event import Event
from hookstream.core.limits import SESSIONS, make_room
from hookstream.core.times import to_ms
from hookstream.detect.attempts import DEFAULT, Attempts, Thresholds, agents_of, at_least
from hookstream.detect.derive import derive, derived_id

KEY_LIMIT = 256
LAST = ("event_id", "action_name", "action_fingerprint", "call_id", "agent_id", "turn_id")
ENDS = ("Session.End", "Session.Abort")


class Tracked(Attempts):
    """The attempts under one key while they happen."""

    __slots__ = ("calls", "failed", "last", "reported", "tokens")

    def __init__(self, first_at: str, tokens: int, agents: int) -> None:
        super().__init__(first_at, agents)
        self.calls: set[str] = set()
        # of them, those that were counted as failed or denied
        self.failed: set[str] = set()
        self.reported = 0
        self.tokens = tokens
        # what names the last attempt; its Event would keep a whole payload alive
        self.last: dict[str, Any] = {}


class SessionLoops:
    __slots__ = ("keys", "tokens", "tokens_known")

    def __init__(self) -> None:
        self.keys: dict[tuple[str, str, str], Tracked] = {}
        self.tokens = 0
        self.tokens_known = False


class Loops:
    """Watches attempts; at most SESSIONS sessions and KEY_LIMIT keys in each."""

    def __init__(self, thresholds: Thresholds = DEFAULT) -> None:
        self.thresholds = thresholds
        self.sessions: dict[tuple[str, str], SessionLoops] = {}

    def see(self, event: Event, place: tuple[str, str]) -> list[Event]:
        facts = event.facts
        session = self.sessions.pop(place, None)
        if session is not None:
            self.sessions[place] = session  # the session unused longest falls out first
        if event.type in ("Action.Before", "Action.After", "Policy.Blocked"):
            key = _key_of(facts, session)
            if key is None:
                return []
            if session is None:
                session = self._new(place)
            return self._attempt(event, session, key)
        if session is None:
            return []
        if event.type == "Model.Responded":
            spent = facts.get("input_tokens", 0) + facts.get("output_tokens", 0)
            session.tokens += spent
            session.tokens_known = session.tokens_known or spent > 0
        elif event.type == "Prompt.Submitted":
            session.keys.clear()
        elif event.type in ENDS:
            del self.sessions[place]
            return [
                self._report(event, session, held, "Retry.Loop.Aborted", of=held.last)
                for held in session.keys.values()
                if held.reported
            ]
        return []

    def _new(self, place: tuple[str, str]) -> SessionLoops:
        make_room(self.sessions, SESSIONS)
        session = self.sessions[place] = SessionLoops()
        return session

    def _attempt(
        self, event: Event, session: SessionLoops, key: tuple[str, str, str]
    ) -> list[Event]:
        facts = event.facts
        held = session.keys.get(key)
        if held is None:
            if len(session.keys) >= KEY_LIMIT:
                del session.keys[next(iter(session.keys))]
            held = Tracked(facts["timestamp"], session.tokens, agents_of(key[0]))
            session.keys[key] = held
        call = facts.get("call_id") or facts["event_id"]
        out: list[Event] = []
        if call not in held.calls:
            if len(held.calls) < KEY_LIMIT:
                held.calls.add(call)
            held.begin(facts["timestamp"])
            if held.failures and held.agents == 1:
                out.append(self._report(event, session, held, "Retry.Triggered"))
        held.last = last_of(facts) | {"action_fingerprint": key[2]}
        if event.type == "Action.Before":
            return out
        denied = event.type == "Policy.Blocked"
        if not denied and facts.get("outcome") == "ok":
            return out + self._succeeded(event, session, key, held)
        if not denied and facts.get("outcome") not in ("error", "timeout"):
            return out
        if call in held.failed:
            # A client may report one refusal twice: as a decision, and as a failed call.
            return out
        if len(held.failed) < KEY_LIMIT:
            held.failed.add(call)
        held.fail(denied=denied)
        if _is_due(held.failures, at_least(self.thresholds.failures, held.agents)):
            out.append(self._report(event, session, held, "Retry.Loop.Detected"))
            held.reported = held.failures
        return out

    def _succeeded(
        self, event: Event, session: SessionLoops, key: tuple[str, str, str], held: Tracked
    ) -> list[Event]:
        output = event.facts.get("output_hash")
        if held.is_closed_by(output):
            fresh = Tracked(event.facts["timestamp"], session.tokens, held.agents)
            fresh.begin(event.facts["timestamp"])
            fresh.succeed(output)
            fresh.calls = {event.facts.get("call_id") or event.facts["event_id"]}
            fresh.last = last_of(event.facts)
            session.keys[key] = fresh
            return []
        held.succeed(output)
        if _is_due(held.same_output, at_least(self.thresholds.unchanged, held.agents)):
            held.reported = held.same_output
            return [self._report(event, session, held, "Retry.Loop.Detected")]
        return []

    def _report(
        self,
        event: Event,
        session: SessionLoops,
        held: Tracked,
        kind: str,
        of: dict[str, Any] | None = None,
    ) -> Event:
        facts: dict[str, Any] = {
            "retry_iteration": held.count,
            "retry_kind": held.kind,
        }
        began, now = to_ms(held.began_at), to_ms(event.facts["timestamp"])
        if began is not None and now is not None and now >= began:
            facts["elapsed_ms"] = round(now - began, 3)
        if session.tokens_known:
            facts["tokens_consumed"] = session.tokens - held.tokens
        if of is None:
            report = derive(event, kind, facts, action=True)
            if "action_fingerprint" in held.last:
                report.facts["action_fingerprint"] = held.last["action_fingerprint"]
            return report
        report = derive(event, kind, facts)
        report.facts |= of
        report.facts["event_id"] = derived_id(kind, of["event_id"])
        return report


def last_of(facts: dict[str, Any]) -> dict[str, Any]:
    return {name: facts[name] for name in LAST if name in facts}


def _is_due(count: int, first: int) -> bool:
    """At `first`, and then each time the count has doubled."""
    while count > first and count % 2 == 0:
        count //= 2
    return count == first


def _key_of(facts: dict[str, Any], session: SessionLoops | None) -> tuple[str, str, str] | None:
    """The key of an attempt; of an end that does not repeat its input, that of its call."""
    if "action_fingerprint" in facts:
        return facts.get("agent_id", ""), facts.get("turn_id", ""), facts["action_fingerprint"]
    call = facts.get("call_id")
    if session is None or call is None:
        return None
    newest_first = reversed(session.keys.items())
    return next((key for key, held in newest_first if call in held.calls), None)
