"""Rewritten inputs: what a wrapped hook or a guardian said that a call's arguments became.

Two events are of one call, too, where the second shows what the first was rewritten to.
"""

from __future__ import annotations

from hookstream.core.jsons import canonical, loads
from hookstream.sessions.pairing import digest_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.core.event import Event
    from hookstream.sessions.state import Call, Session


def see_rewrite(event: Event, session: Session) -> None:
    """Remember the arguments of a modification with its call. The changes of several are merged
    in the order of their events."""
    if event.input is None:
        return
    call = call_of(event, session)
    if call is None:
        return
    call.rewritten.add(digest_of(canonical(event.input)))
    original = (event.native or {}).get("original_input")
    if type(original) is not dict:
        original = loads(call.input) if call.input else {}
    if call.merged is None:
        call.merged = dict(original)
    merge(call.merged, original, event.input)
    call.rewritten.add(digest_of(canonical(call.merged)))


def call_of(event: Event, session: Session) -> Call | None:
    facts = event.facts
    call_id, about = facts.get("call_id"), facts.get("about")
    if call_id in session.calls:
        return session.calls[call_id]
    for call in reversed(session.calls.values()):
        if about is not None and call.before == about:
            facts.setdefault("call_id", call.call_id)
            event.synthesized.append("call_id")
            return call
    return None


def merge(merged: dict[str, Any], original: dict[str, Any], rewritten: dict[str, Any]) -> None:
    """Carry the changes from `original` to `rewritten` over to `merged`."""
    for name, value in rewritten.items():
        if name not in original or original[name] != value:
            merged[name] = value
    for name in original:
        if name not in rewritten:
            merged.pop(name, None)
