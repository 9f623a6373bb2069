"""Calls and events that share one id: models and gateways choose call ids, so an id names no call.

A second call under the id of another one of its turn gets a separate id, `<id>#2`, which is listed
in `synthesized`; so does an event whose id an unlike event had. Both say whose id it was.
"""

from __future__ import annotations

from hashlib import sha256

from hookstream.core.identity import uuid_of
from hookstream.core.jsons import canonical
from hookstream.core.limits import make_room

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.core.event import Event
    from hookstream.sessions.state import Call, Session

SHARED_LIMIT = 128
# What a call gave: two reports of one event agree in it.
TEXTS = "prompt response output summary".split()
RESULT = ["success", "exit_code", "duration_ms", "error_message", *TEXTS]


def own_call_id(event: Event, session: Session, digest: int) -> None:
    """Give an event of a call whose id an unlike call of the same turn has the call's own id.
    `digest` is of the event's input."""
    facts = event.facts
    call_id = facts["call_id"]
    first = session.calls.get(call_id)
    if first is None:
        return
    others = session.shared.get(call_id, [])
    calls = [
        call
        for shared_id in (call_id, *others)
        if (call := session.calls.get(shared_id)) is not None
    ]
    if event.type == "Action.Before":
        same = [call for call in calls if call.digest == digest]
        if same:
            chosen = same[-1].call_id
        elif is_another(event, first):
            chosen = f"{call_id}#{len(others) + 2}"
            make_room(session.shared, SHARED_LIMIT)
            session.shared[call_id] = [*others, chosen]
            facts["shares_id_with"] = first.before
        else:
            return
    elif others:
        chosen = max(calls, key=lambda call: fitness(call, digest)).call_id
    else:
        return
    if chosen != call_id:
        facts["call_id"] = chosen
        event.synthesized.append("call_id")


def is_another(event: Event, first: Call) -> bool:
    """Return whether a before event is of another call than the first with its id. A generic and a
    specific event of one call may show different arguments, and so may the span and the log record
    of one; a resumed session is another turn."""
    facts = event.facts
    return (
        facts.get("witness") != "telemetry"
        and first.before is not None
        and not first.specific
        and facts.get("reported_by") is None
        and first.turn == turn_of(event)
        and first.key[0] == facts.get("agent_id", "")
    )


def turn_of(event: Event) -> str:
    """The turn, and its witness: a session file may spell a call that a hook showed."""
    return f"{event.facts.get('witness', '')}\0{event.facts.get('turn_id', '')}"


def fitness(call: Call, digest: int) -> tuple[bool, bool]:
    is_open = call.after is None and call.denied is None
    return call.digest == digest, is_open


def result_of(event: Event) -> str:
    """A digest of the result in an event of a call; "" for an event of no call. Texts that privacy
    has removed are compared by their digests, and only with each other. How a call ended is
    concluded from what a session file has before: a copy of a part of it may lack that."""
    facts = event.facts
    if "call_id" not in facts or event.type != "Action.After":
        return ""
    names = TEXTS if facts.get("witness") == "transcript" else RESULT
    contents = [facts.get(name, facts.get(f"{name}_hash")) for name in names]
    if names is TEXTS and not any(contents):
        return ""
    form = "r" if event.read_back else "n"
    return form + sha256(canonical(contents)).hexdigest()[:16]


def own_event_id(event: Event, before: str, result: str) -> bool:
    """Give an event a separate id if `before`, the result of the event that has its id, is unlike
    its result; false if they agree, or cannot be compared."""
    if not before or not result or before == result or before[0] != result[0]:
        return False
    facts = event.facts
    facts["shares_id_with"] = facts["event_id"]
    facts["event_id"] = uuid_of(f"unlike\0{facts['event_id']}\0{result}")
    event.synthesized.append("event_id")
    return True
