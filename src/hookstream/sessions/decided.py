"""Decisions: what each is about, and which of them are two reports of one."""

from __future__ import annotations

from hookstream.core.decisions import (
    ACTION,
    DECIDER,
    OF_POINT,
    OTHER,
    POINT_OF,
    STATED,
    subject_of,
)
from hookstream.core.limits import make_room
from hookstream.sessions.state import POINT_LIMIT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.event import Event
    from hookstream.sessions.state import Call, Session


def see(event: Event, session: Session) -> None:
    """Give a decision its subject and hook point, from the event that it is about; remember what
    later ones may be about."""
    facts = event.facts
    kind = event.type
    stated = STATED.get(kind)
    if (
        kind == "Action.After"
        and facts.get("outcome") == "denied"
        and facts.get("reported_by") != "batch"
    ):
        stated = "deny"
    if stated is not None and "decision" not in facts:
        facts["decision"] = stated
        event.synthesized.append("decision")
    if "decision" in facts or "failure" in facts:
        name_subject(event, session)
    elif event.hook_point != "PreToolUse" and "derived" not in facts:
        subject = subject_of(kind, event.hook_point, facts)
        if subject != ACTION:
            make_room(session.points, POINT_LIMIT)
            session.points[facts["event_id"]] = (subject, event.hook_point)


def name_subject(event: Event, session: Session) -> None:
    facts = event.facts
    value = session.points.get(facts.get("about", ""))
    if "subject" not in facts:
        point = facts.get("decision_point")
        if value is not None:
            subject = value[0]
        elif point in OF_POINT:
            subject = OF_POINT[point]
        elif event.type == "Action.After":
            subject = ACTION  # a result that says who let its call run, or refused it
        else:
            subject = subject_of(event.type, event.hook_point, facts)
        if subject == OTHER and "decision" not in facts:
            return  # some failure, of a guard or not
        facts["subject"] = subject
    if "decision_point" not in facts:
        own = event.hook_point if event.type != "Action.After" else None
        if own == "PostAskResolution":
            own = None  # it answers a question that was put before
        found = value[1] if value is not None else own or POINT_OF.get(facts["subject"])
        if found is not None:
            facts["decision_point"] = found


def decider_of(event: Event) -> tuple[Any, ...]:
    """The decider and its grounds, if the event names them: engine, policy, rule, wrapped command;
    of an answer that named only its question, that message."""
    facts = event.facts
    is_answer = "action_native" in event.synthesized
    return (
        *(facts.get(name) for name in DECIDER),
        facts.get("message_id") if is_answer else None,
    )


def is_another_decision(event: Event, call: Call) -> bool:
    """Return whether a refusal of a call that is denied already is another decider's own: both say
    whose they are, and differ. Else it is reported twice."""
    return any(
        value is not None and other is not None and value != other
        for value, other in zip(decider_of(event), call.decider, strict=False)
    )
