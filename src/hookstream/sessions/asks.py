"""Questions that a guardian had put to a person, and the answers of other emitters to them.

An AARTS PostAskResolution names the hook point and the verdict that it answers, but no call: it is
joined to the one open question that fits.
"""

from __future__ import annotations

import re

from hookstream.core.decisions import STATED
from hookstream.core.jsons import canonical
from hookstream.core.limits import make_room
from hookstream.sessions.answers import ACTION, take
from hookstream.sessions.pairing import digest_of
from hookstream.shell.spelling import one_spelling

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.event import Event
    from hookstream.sessions.state import Session

ASK_LIMIT = 64
OF_CALL = frozenset(("about", *ACTION))
WORD_LIMIT = 256
# The parts of a command, path or address that a verdict may name.
WORDS = (re.compile(r"[^\s'\"]+"), re.compile(r"[\w@.+-]+"))


class Ask:
    """A question, with digests of what it is about as it came (privacy changes the Event)."""

    __slots__ = ("answer", "artifacts", "event", "input", "key_values")

    def __init__(self, event: Event) -> None:
        self.event = event
        self.answer: str | None = None
        self.input = _digest(event.input)
        values = [row[1] for row in event.artifacts]
        self.artifacts = frozenset(map(_value, values))
        # What a verdict on it may name: that is a part of an artifact more often than all of it.
        words = [word for value in values for form in WORDS for word in form.findall(value)]
        verdict: Any = (event.emitter or {}).get("verdict", {})
        own = _texts(verdict.get("artifacts"))
        self.key_values = self.artifacts | frozenset(map(_value, [*words[:WORD_LIMIT], *own]))

    @property
    def point(self) -> str | None:
        """The hook point that was asked about."""
        return self.event.facts.get("decision_point") or self.event.hook_point

    def fits(self, event: Event) -> bool:
        """Return whether nothing that an answer says of its question is otherwise here."""
        facts, own_facts = event.facts, self.event.facts
        emitted: dict[str, Any] = (event.emitter or {}).get("aarts", {})
        rows: Any = emitted.get("artifacts")
        artifacts = [row.get("value") for row in rows] if _are_objects(rows) else ()
        turn = own_facts.get("turn_id")
        if _is_made(self.event) != _is_made(event):
            turn = None  # one of them names none
        pairs = (
            (facts.get("turn_id"), turn),
            (facts.get("decision_point"), self.point),
            (
                facts.get("action_native") or emitted.get("tool_name_native"),
                own_facts.get("action_native"),
            ),
            (
                facts.get("action_category") or emitted.get("tool_name"),
                own_facts.get("action_category"),
            ),
            (_digest(event.input or emitted.get("tool_input")), self.input),
        )
        return all(not value or not other or value == other for value, other in pairs) and (
            not self.artifacts or self.artifacts.issuperset(map(_value, artifacts))
        )

    def shared(self, key_values: frozenset[int]) -> int:
        """Return how many of the values that an answered verdict names are of this question."""
        return len(self.key_values & key_values)


def _is_made(event: Event) -> bool:
    return "turn_id" in event.synthesized


def _digest(value: Any) -> int:
    return digest_of(canonical(value)) if value else 0


def _value(value: Any) -> int:
    """A digest of an artifact's value; of a path however it is spelled."""
    return _digest(one_spelling(value) if type(value) is str and value else value)


def _texts(rows: Any) -> list[str]:
    return [text for text in rows if type(text) is str] if type(rows) is list else []


def _named(event: Event) -> frozenset[int]:
    """Digests of the key values of the verdict that an answer repeats: the standard lets it name
    any, so they tell questions apart and rule none out."""
    verdict: Any = (event.emitter or {}).get("aarts", {}).get("original_verdict")
    return frozenset(map(_value, _texts(verdict.get("artifacts")))) if verdict else frozenset()


def _are_objects(rows: Any) -> bool:
    return type(rows) is list and all(type(row) is dict for row in rows)


def remember(event: Event, session: Session) -> None:
    """Keep a question until it is answered."""
    facts = event.facts
    if "duplicate_of" not in facts:
        make_room(session.asks, ASK_LIMIT)
        session.asks[facts["event_id"]] = Ask(event)


def join_verdict(event: Event, session: Session) -> None:
    """Give an entry of an engine's log the call whose envelope it judged: the two share nothing but
    session, hook point and time."""
    facts = event.facts
    if facts.get("decision_point") != "PreToolUse" or not facts.keys().isdisjoint(OF_CALL):
        return
    at = facts["timestamp"]
    calls = [call for call in session.calls.values() if call.before and call.envelope_at == at]
    if len(calls) == 1:
        take(event, "call_id", calls[0].call_id)
        take(event, "about", calls[0].before)


def join_resolution(event: Event, session: Session) -> None:
    """Give a person's answer the call of the question it answers, or the question itself where it
    is about no call. Where several questions fit, it says nothing of any."""
    facts = event.facts
    if "about" in facts:
        return
    call_id = facts.get("call_id")
    if call_id is not None:
        for place in [place for place, ask in session.asks.items() if _call_of(ask) == call_id]:
            del session.asks[place]
        return
    fitting = [ask for ask in session.asks.values() if ask.fits(event)]
    asks = [ask for ask in fitting if ask.answer is None and _is_open(ask, session)]
    named = _named(event)
    if not asks:  # an answer that is sent twice, or another one
        asks = [
            ask for ask in fitting if ask.answer == facts.get("resolution") or ask.shared(named)
        ]
        asks = [ask for ask in asks if ask.answer is not None][-1:]
    if len(asks) > 1:
        most = max(ask.shared(named) for ask in asks)
        asks = [ask for ask in asks if most and ask.shared(named) == most]
    if len(asks) != 1:
        return
    question = asks[0].event
    asks[0].answer = facts.get("resolution", "unknown")
    for name in ACTION:
        if name in question.facts and name not in facts:
            take(event, name, question.facts[name])
    if "call_id" not in facts or event.type not in STATED:
        take(event, "about", question.facts["event_id"])


def _call_of(ask: Ask) -> str | None:
    call_id: str | None = ask.event.facts.get("call_id")
    return call_id


def _is_open(ask: Ask, session: Session) -> bool:
    """Return whether nothing has shown yet how the question was answered."""
    call = session.calls.get(_call_of(ask) or "")
    return call is None or call.is_open
