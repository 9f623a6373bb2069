"""Refused lines as events of the machine that sent them, for `gaps`; never a line's content."""

from __future__ import annotations

from hashlib import sha256

from hookstream.capture.hook.request import now_text
from hookstream.core.event import Event
from hookstream.core.identity import uuid_of
from hookstream.core.jsons import line as written
from hookstream.standards.agent_hooks import agent_hooks

TOOL, SESSION, NAME = "hookstream", "intake", "LineRefused"


def refusal_lines(refused: list[tuple[int, bytes]], reason: str, stream: str) -> list[bytes]:
    """One Agent Hooks event for each refused line (its place in the sender's spool and its bytes).
    A line that is sent and refused again gives the same id."""
    return [_event(place, line, reason, stream) for place, line in refused]


def _event(place: int, line: bytes, reason: str, stream: str) -> bytes:
    digest = sha256(line).hexdigest()
    event = Event(
        f"vendor.{TOOL}.{NAME}",
        None,
        {
            "event_id": uuid_of(f"refused\0{stream}\0{place}\0{digest}"),
            "timestamp": now_text(),
            "session_id": SESSION,
            "tool": TOOL,
            "native_event": NAME,
            "error_message": reason,
        },
        TOOL,
    )
    event.native = {"place": place, "length": len(line), "sha256": digest}
    return written(agent_hooks(event))
