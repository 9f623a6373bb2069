"""W3C trace and span ids derived from session, turn and call: stable under replay, stateless.

trace = session (a sub-agent's is its parent's), span = call, else turn, else session.
"""

from __future__ import annotations

from hashlib import sha256

from hookstream.core.event import Event


def _digest(kind: str, size: int, *parts: str) -> bytes:
    """The first bytes of a SHA-256 over the parts; all zeros are not an id and are hashed again."""
    text = "\0".join((f"hookstream/1/{kind}", *parts))
    for counter in range(256):
        salted = f"{text}\0{counter}" if counter else text
        data = sha256(salted.encode("utf-8", "replace")).digest()[:size]
        if any(data):
            break
    return data


def trace_id(event: Event) -> bytes:
    """16 bytes."""
    facts = event.facts
    session = facts.get("parent_session_id") or facts["session_id"]
    return _digest("trace", 16, facts["tool"], session)


def session_span(event: Event) -> bytes:
    """8 bytes: the span of the event's session."""
    return _digest("span", 8, event.facts["tool"], event.facts["session_id"], "session")


def turn_span(event: Event) -> bytes | None:
    """8 bytes: the span of the event's turn, None without one."""
    turn = event.facts.get("turn_id")
    if not turn:
        return None
    return _digest("span", 8, event.facts["tool"], event.facts["session_id"], "turn", turn)


def call_span(event: Event) -> bytes | None:
    """8 bytes: the span of the event's tool call, None without one."""
    facts = event.facts
    call = facts.get("call_id")
    if not call:
        return None
    turn = facts.get("turn_id", "")
    return _digest("span", 8, facts["tool"], facts["session_id"], "turn", turn, "call", call)


def agent_span(event: Event) -> bytes:
    """8 bytes: the span of the sub-agent that the event begins or ends."""
    facts = event.facts
    return _digest("span", 8, facts["tool"], facts["session_id"], "agent", facts["agent_id"])


def answer_span(event: Event) -> bytes:
    """8 bytes: the span of the answer of a model that the event ends."""
    facts = event.facts
    return _digest("span", 8, facts["tool"], facts["session_id"], "answer", facts["event_id"])


def span_id(event: Event) -> bytes:
    """8 bytes: the narrowest span the event belongs to."""
    return call_span(event) or turn_span(event) or session_span(event)


def traceparent(event: Event) -> str:
    """The W3C header: version 00, sampled, no random flag (the id is a digest)."""
    return f"00-{trace_id(event).hex()}-{span_id(event).hex()}-01"
