"""Equal calls side by side, of a client without call ids: the payloads are the same to the byte.

Copilot gives all calls of one batch the same time. Two equal payloads then are either two calls or
one that two registered hooks told of; but a hook registered twice tells of every call twice.
"""

from __future__ import annotations

from hookstream.identity import uuid_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.event import Event
    from hookstream.sessions.state import Session


def tell_apart(event: Event, session: Session, seen: dict[str, None]) -> None:
    """Gives the before event of one more equal call an id of its own, where it is known to be one:
    it is of the batch that is being told of, and another call of this session came just once."""
    facts = event.facts
    event_id = facts["event_id"]
    if event_id not in seen:
        # `last_before` is empty after a repetition.
        session.singly = session.singly or session.last_before != ""
        session.last_before = event_id
        session.batch = facts["timestamp"]
    elif not session.singly or facts["timestamp"] != session.batch:
        session.last_before = ""
    else:
        number = 2
        while (other := uuid_of(f"equal\0{event_id}\0{number}")) in seen:
            number += 1
        facts["event_id"] = other
        if "same_as" in facts:
            facts["same_as"] += f"#{number}"
