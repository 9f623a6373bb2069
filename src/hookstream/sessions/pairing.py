"""Pairing: the call an event without a call id belongs to (design 5.13)."""

from __future__ import annotations

from hookstream.sessions.state import target_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.event import Event
    from hookstream.sessions.state import Call, Session


OVERLAP_LIMIT = 400


def made_id(facts: dict[str, Any]) -> str:
    """The id of a call whose payloads have none, from the event that told of it first."""
    return f"call-{facts['event_id'].replace('-', '')[:16]}"


def find(
    event: Event,
    session: Session,
    key: tuple[str, str],
    digest: int,
    body: bytes,
    *,
    asks: bool = False,
) -> Call | None:
    """The call an event belongs to: by id, else the latest open one of the same agent and action,
    with the same input, else the same target, else the input most like it (a rewritten one).
    A question is about one that nobody was asked about yet, if there is one.

    None also where one more of several equal calls must be meant, of which a single before
    event was seen (`Call.repeats`).
    """
    facts = event.facts
    call_id = facts.get("call_id")
    if call_id is not None:
        return session.calls.get(call_id)
    asked = same_target = same_tool = spent = None
    target = target_of(facts)
    most = 0
    event_id = facts["event_id"]
    for call in reversed(session.calls.values()):
        if event_id in (call.after, call.asked):
            return call
        if call.key != key:
            continue
        same = call.digest == digest or (asks and target is not None and call.target == target)
        is_open = call.after is None and call.denied is None
        if same and call.repeats and (not is_open or (asks and call.asked is not None)):
            spent = spent or call
        if not is_open:
            continue
        if same:
            if not asks or call.asked is None:
                return call
            asked = asked or call
        elif target is not None and call.target == target:
            same_target = same_target or call
        elif not asks or call.asked is None:
            shared = overlap(body, call.input)
            if same_tool is None or shared > most:
                same_tool, most = call, shared
    if spent is not None:
        spent.repeats -= 1
        return None
    return asked or same_target or same_tool


def overlap(one: bytes, other: bytes | None) -> int:
    """How many bytes two inputs share at their ends: a hook that rewrites one keeps most of it."""
    if not other:
        return 0
    shorter = min(len(one), len(other), OVERLAP_LIMIT)
    head = 0
    while head < shorter and one[head] == other[head]:
        head += 1
    tail = 0
    while tail < shorter - head and one[-1 - tail] == other[-1 - tail]:
        tail += 1
    return head + tail


def forget_question(session: Session, key: tuple[str, str], digest: int) -> None:
    """A question that came before its call is answered by it; the next one is another's."""
    for call_id, call in session.calls.items():
        waits = call.before is None and call.after is None and call.denied is None
        if waits and call.key == key and call.digest == digest:
            del session.calls[call_id]
            return
