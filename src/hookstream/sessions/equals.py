"""Equal calls side by side, of a client without call ids: the payloads are the same to the byte.

Copilot gives all calls of one batch the same time. Two equal payloads then are either two calls or
one that two registered hooks reported; but a hook registered twice reports every call twice. What a
wrap reports next to the hooks is never one more.
"""

from __future__ import annotations

from hookstream.core.identity import uuid_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.core.event import Event
    from hookstream.sessions.state import Session


# Events that Copilot reports of a call, each by a separate hook.
TOLD = frozenset(("Action.Before", "Action.After", "Agent.Notification"))


def marked(event: Event) -> str:
    """The event's id with its machine: an equal id of another machine is another event."""
    machine = event.facts.get("machine_id")
    event_id: str = event.facts["event_id"]
    return event_id if machine is None else f"{machine}\0{event_id}"


def tell_apart(event: Event, session: Session, seen: dict[str, str]) -> None:
    """Give the event of one more equal call a separate id, if it is known to be one: it is of the
    batch that is being reported, and the same hook reported another call just once."""
    facts = event.facts
    event_id = facts["event_id"]
    kind = event.type
    if facts.get("reported_by") == "wrap":
        # A hook reported the same call before, or does so next: a wrap looks, and may be too early.
        if marked(event) not in seen:
            session.wrapped = event_id
        return
    if marked(event) not in seen or event_id == session.wrapped:
        session.wrapped = ""
        # The last is empty after a repetition.
        if session.last_told.get(kind):
            session.singly.add(kind)
        session.last_told[kind] = event_id
        session.batch = facts["timestamp"]
    elif kind not in session.singly or facts["timestamp"] != session.batch:
        session.last_told[kind] = session.batch = ""
    else:
        number = 2
        while True:
            facts["event_id"] = uuid_of(f"equal\0{event_id}\0{number}")
            if marked(event) not in seen:
                break
            number += 1
        if "same_as" in facts:
            facts["same_as"] += f"#{number}"
