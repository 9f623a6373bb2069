"""Spans for what has a beginning and an end: a tool call, a turn, a session.

Hooks are points. A span is made when both points were seen by this process; a denied call is a
span of no length with an error. Ids are those of `formats.trace`, so spans and log records join.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hookstream.limits import make_room
from hookstream.sinks.formats.attributes import attributes, error_type
from hookstream.sinks.formats.otlp import nanoseconds, pairs
from hookstream.sinks.formats.trace import call_span, session_span, span_of, trace_id, turn_span

if TYPE_CHECKING:
    from hookstream.event import Event

MOST_OPEN = 10_000
INTERNAL, CLIENT = 1, 3
STATUS_ERROR = 2
STARTS = {"Action.Before": "call", "Prompt.Submitted": "turn", "Session.Start": "session"}
ENDS = {"Action.After": "call", "Agent.Response": "turn", "Session.End": "session"}
FACT = {"call": "call_id", "turn": "turn_id", "session": "session_id"}


class Pairs:
    """Beginnings that wait for their ends, at most `MOST_OPEN`; the oldest are forgotten."""

    def __init__(self) -> None:
        # key -> (start in ns, event_id of the end that closed it)
        self._open: dict[tuple[str, ...], tuple[int, str | None]] = {}

    def see(self, event: Event, *, arguments: bool = False) -> Any | None:
        """The span the event completes, or None. Seeing an event again gives the same again."""
        facts = event.facts
        if facts.get("duplicate_of") is not None:
            return None
        kind = STARTS.get(event.type)
        at = nanoseconds(facts["timestamp"])
        if kind is not None:
            key = _key(event, kind)
            if key is not None and at:
                make_room(self._open, MOST_OPEN)
                self._open.setdefault(key, (at, None))
            return None
        denied = facts.get("decision") == "deny" or facts.get("outcome") == "denied"
        kind = "call" if denied and "call_id" in facts else ENDS.get(event.type)
        if kind is None or (event.type == "Agent.Response" and facts.get("final") is not True):
            return None
        key = _key(event, kind)
        begun = self._open.get(key) if key is not None else None
        if key is None or begun is None or begun[1] not in (None, facts["event_id"]):
            return None
        self._open[key] = (begun[0], facts["event_id"])
        start = at if denied else begun[0]
        return span(event, kind, start, max(start, at), arguments=arguments)


def _key(event: Event, kind: str) -> tuple[str, ...] | None:
    facts = event.facts
    own = facts.get(FACT[kind])
    return (kind, facts["tool"], facts["session_id"], own) if own else None


def span(event: Event, kind: str, start: int, end: int, *, arguments: bool) -> Any:
    """An `opentelemetry.proto.trace.v1.Span` from the event that ends it; times in ns."""
    from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

    named, role = _name(event, kind)
    known = attributes(event, aarts=False, arguments=arguments)
    known["gen_ai.operation.name"] = "execute_tool" if kind == "call" else "invoke_agent"
    wrong = error_type(event)
    failed: Any = STATUS_ERROR
    made: Any = Span
    return made(
        trace_id=trace_id(event),
        span_id=_own(event, kind),
        parent_span_id=_parent(event, kind),
        flags=1,
        name=named,
        kind=role,
        start_time_unix_nano=start,
        end_time_unix_nano=end,
        attributes=pairs(known),
        status=Status(code=failed) if wrong else None,
    )


def _name(event: Event, kind: str) -> tuple[str, int]:
    facts = event.facts
    if kind != "call":
        return f"invoke_agent {facts['tool']}", INTERNAL
    tool = facts.get("action_native") or facts.get("action_name") or ""
    if facts.get("mcp_server"):
        return f"tools/call {tool}".strip(), CLIENT
    return f"execute_tool {tool}".strip(), INTERNAL


def _own(event: Event, kind: str) -> bytes | None:
    if kind == "call":
        return call_span(event)
    return turn_span(event) if kind == "turn" else session_span(event)


def _parent(event: Event, kind: str) -> bytes | None:
    facts = event.facts
    if kind == "call":
        return turn_span(event) or session_span(event)
    if kind == "turn":
        return session_span(event)
    parent = facts.get("parent_session_id")
    return span_of(facts["tool"], parent) if parent else None
