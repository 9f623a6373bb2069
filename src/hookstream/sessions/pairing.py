"""Pairing: the call an event without a call id belongs to."""

from __future__ import annotations

from hashlib import sha256

from hookstream.sessions.state import target_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.core.event import Event
    from hookstream.sessions.state import Call, Session

# `reported_by` of an event that a client sends next to its generic one, with fewer arguments.
SPECIFIC = "specific"


def digest_of(body: bytes) -> int:
    """A digest of an input, the same in every process: open calls outlive the one that saw them."""
    return int.from_bytes(sha256(body).digest()[:8], "big")


def made_name(event: Event) -> str:
    """16 hexadecimal digits that name what an event began. Ids made here are digests, and so are
    their first digits; those of other emitters may be sequential, or begin with a time."""
    event_id = event.facts["event_id"]
    text = event_id.replace("-", "")
    is_ours = not event.read_back or "hookstream_version" in event.facts
    if not (is_ours and len(text) == 32 and text[12] == "8"):
        text = sha256(event_id.encode("utf-8", "replace")).hexdigest()
    name: str = text[:16]
    return name


def made_id(event: Event) -> str:
    """The id of a call whose payloads have none, from the event that reported it first."""
    return f"call-{made_name(event)}"


def find(
    event: Event,
    session: Session,
    key: tuple[str, str],
    digest: int,
    *,
    asks: bool = False,
) -> Call | None:
    """The call an event belongs to: by id, by the event it is about, else the latest open one of
    the same agent, action and input, as it was or as a wrapped hook rewrote it. The name of an
    action alone is not evidence. A question is about a call without one yet, if there is one.

    What the payload cannot have is not compared: a question and a specific event (`reported_by`)
    show the command or path alone. Of clients without call ids see `lone`.

    None also where one more of several equal calls must be meant, of which a single before
    event was seen (`Call.repeats`).
    """
    facts = event.facts
    call_id = facts.get("call_id")
    if call_id is not None:
        return session.calls.get(call_id)
    asked = spent = None
    target = target_of(facts)
    is_partial = asks or facts.get("reported_by") == SPECIFIC
    event_id, about = facts["event_id"], facts.get("about")
    for call in reversed(session.calls.values()):
        if event_id in (call.after, call.asked) or (about is not None and call.before == about):
            return call
        if call.key != key:
            continue
        same = digest == call.digest or digest in call.rewritten
        # A call that a question alone has shown so far.
        is_asked = call.before is None and call.asked is not None
        if not same and target is not None and (is_partial or call.specific or is_asked):
            same = target == call.target or target in call.rewritten
        if same and call.repeats and (not call.is_open or (asks and call.asked is not None)):
            spent = spent or call
        if same and call.is_open:
            if not asks or call.asked is None:
                return call
            asked = asked or call
    if spent is not None:
        spent.repeats -= 1
        return None
    return asked or lone(event, session, key)


def lone(event: Event, session: Session, key: tuple[str, str]) -> Call | None:
    """The open call that an event with another input can only belong to: a specific event follows
    its generic one (Cursor), and of a client without call ids whose every call has its before
    event (`pairs_lone`), one that began alone since the last end. What a guardian made of its input
    is known: with another target it is another call, of which the before event was lost."""
    latest = next(reversed(session.calls.values()), None)
    if latest is None or latest.key != key or not latest.is_open:
        return None
    if event.facts.get("reported_by") == SPECIFIC:
        return None if latest.specific or latest.rewritten else latest
    targets = latest.target, *(latest.merged or {}).values()
    if latest.judged is not None and target_of(event.facts) not in targets:
        return None
    return latest if event.pairs_lone and session.lone == latest.call_id else None


def of_envelope(event: Event, session: Session, key: tuple[str, str], digest: int) -> Call | None:
    """The call whose envelope is answered once more: AARTS has no call id, and each of several
    engines writes the same envelope with its own verdict."""
    facts = event.facts
    if not (event.read_back and "decision" in facts and facts.get("native_event") == "PreToolUse"):
        return None
    for call in reversed(session.calls.values()):
        if (call.key, call.digest, call.envelope_at) == (key, digest, facts["timestamp"]):
            return call
    return None


def forget_question(session: Session, key: tuple[str, str], digest: int) -> None:
    """A question that came before its call is answered by it; the next one is another's."""
    for call_id, call in session.calls.items():
        if call.before is None and call.is_open and call.key == key and call.digest == digest:
            del session.calls[call_id]
            return
