"""Build OpenTelemetry spans for tool calls, answers of a model, sub-agents, turns and sessions.

Hooks are points. A span is made when both points were seen by this process; a denied call is a
span of no length with an error. Ids are those of `formats.trace`, so spans and log records join.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from hookstream.core.event import Event
from hookstream.sinks.formats.attributes import attributes, error_type, is_refusal, model
from hookstream.sinks.formats.otlp import nanoseconds, pairs
from hookstream.sinks.formats.semconv import BEFORE, TODAY, executable, today
from hookstream.sinks.formats.trace import (
    agent_span,
    answer_span,
    call_span,
    session_span,
    trace_id,
    turn_span,
)

MOST_OPEN = 10_000
INTERNAL, CLIENT = 1, 3
STATUS_ERROR = 2
STARTS = {
    "Action.Before": "call",
    "Model.Requested": "answer",
    "Prompt.Submitted": "turn",
    "Session.Start": "session",
    "PreSubAgentSpawn": "agent",
}
ENDS = {
    "Action.After": "call",
    "Model.Responded": "answer",
    "Model.Failed": "answer",
    "Agent.Response": "turn",
    "Session.End": "session",
    "PostSubAgentResult": "agent",
}
OPERATIONS = {"call": "execute_tool", "answer": "chat"}
FACT = {"call": "call_id", "agent": "agent_id", "turn": "turn_id", "session": "session_id"}
# What a span may hang under, and the fact naming it; a sub-agent's calls have its caller's turn.
IN_TURN = (("agent", "agent_id"), ("turn", "turn_id"))
ABOVE = {
    "agent": (("call", "parent_call_id"), ("agent", "parent_agent_id"), ("turn", "turn_id")),
    "turn": (("agent", "agent_id"),),
    "session": (),
}
SPANS: dict[str, Callable[[Event], bytes | None]] = {
    "call": call_span,
    "answer": answer_span,
    "agent": agent_span,
    "turn": turn_span,
    "session": session_span,
}
Key = tuple[str, ...]


class Begun:
    """The beginning of a span: when (ns), which event's end closed it, and what its children need
    of it."""

    __slots__ = ("at", "end_id", "event", "last_child")

    def __init__(self, event: Event, at: int) -> None:
        self.at = at
        self.end_id: str | None = None
        self.event = event
        self.last_child = 0


class Pairs:
    """Beginnings that wait for their ends, at most `MOST_OPEN`.

    A span names the nearest span above it whose beginning was seen. Should the end of that one not
    come, `unfinished` gives it with the end of its last child, and says so.
    """

    def __init__(self, *, arguments: bool = False, semconv: str = BEFORE) -> None:
        self.arguments = arguments
        self.semconv = semconv
        self.overdue: list[Any] = []  # spans of which nothing more is awaited, not sent yet
        self._open: dict[Key, Begun] = {}

    def see(self, event: Event) -> Any | None:
        """The span the event completes, or None. Seeing an event again gives the same again."""
        facts = event.facts
        if facts.get("duplicate_of") is not None:
            return None
        kind = _side(STARTS, event)
        at = nanoseconds(facts["timestamp"])
        if kind is not None:
            key = _key(event, kind)
            value = self._open.get(key) if key is not None else None
            # an agent waits for one answer at a time: a second request begins the next
            is_next = kind == "answer" and value is not None and value.event is not event
            if key is not None and at and (value is None or is_next):
                self._make_room()
                self._open[key] = Begun(event, at)
            if not is_refusal(event):
                return None
        denied = is_refusal(event) or facts.get("outcome") == "denied"
        kind = "call" if denied and "call_id" in facts else _side(ENDS, event)
        if kind is None or (event.type == "Agent.Response" and facts.get("final") is not True):
            return None
        key = _key(event, kind)
        begun = self._open.get(key) if key is not None else None
        if kind == "answer" and (begun is None or begun.end_id not in (None, facts["event_id"])):
            length = facts.get("duration_ms") or facts.get("latency_ms")
            return self._span(event, kind, at - int(length * 1e6), at) if length else None
        if begun is None or begun.end_id not in (None, facts["event_id"]):
            return None
        begun.end_id = facts["event_id"]
        start = at if denied else begun.at
        return self._span(event, kind, start, max(start, at))

    def unfinished(self) -> list[Any]:
        """Spans that others name as parent and whose end has not come; each is given once."""
        for key, begun in reversed(self._open.items()):
            self._give_up(key, begun)
        given, self.overdue = self.overdue, []
        return given

    def _make_room(self) -> None:
        while len(self._open) >= MOST_OPEN:
            key = next(iter(self._open))
            self._give_up(key, self._open.pop(key))

    def _give_up(self, key: Key, begun: Begun) -> None:
        if begun.end_id is None and begun.last_child:
            begun.end_id = begun.event.facts["event_id"]
            made = self._span(begun.event, key[0], begun.at, max(begun.at, begun.last_child))
            made.attributes.extend(pairs({"hookstream.synthesized": ["end"]}))
            self.overdue.append(made)

    def _span(self, event: Event, kind: str, start: int, end: int) -> Any:
        parent = b""
        for key in above(event, kind):
            begun = self._open.get(key)
            if begun is not None:
                begun.last_child = max(begun.last_child, end)
                parent = SPANS[key[0]](begun.event) or b""
                break
        shown, semconv = self.arguments, self.semconv
        return span(event, kind, start, end, parent, arguments=shown, semconv=semconv)


def _side(kinds: dict[str, str], event: Event) -> str | None:
    return kinds.get(event.type) or kinds.get(event.hook_point or "")


def _key(event: Event, kind: str) -> Key | None:
    facts = event.facts
    if kind == "answer":
        return (kind, facts["tool"], facts["session_id"], facts.get("agent_id") or "")
    own = facts.get(FACT[kind])
    return (kind, facts["tool"], facts["session_id"], own) if own else None


def above(event: Event, kind: str) -> Iterator[Key]:
    """The spans above an event's span, the nearest first."""
    facts = event.facts
    tool, session, parent = facts["tool"], facts["session_id"], facts.get("parent_session_id")
    for over, name in ABOVE.get(kind, IN_TURN):
        if name in facts:
            yield over, tool, session, facts[name]
    if kind != "session":
        yield "session", tool, session, session
    if parent:
        yield "session", tool, parent, parent


def span(
    event: Event,
    kind: str,
    start: int,
    end: int,
    parent: bytes,
    *,
    arguments: bool,
    semconv: str = BEFORE,
) -> Any:
    """An `opentelemetry.proto.trace.v1.Span` from the event that ends it; times in ns, `parent` the
    id of the span above, empty without one."""
    from opentelemetry.proto.trace.v1.trace_pb2 import Span, Status

    named, role = _name(event, kind, semconv)
    known = attributes(event, aarts=False, arguments=arguments)
    if kind == "agent":
        known["gen_ai.agent.name"] = _agent(event)
    known["gen_ai.operation.name"] = OPERATIONS.get(kind, "invoke_agent")
    if semconv == TODAY:
        known = today(known, event, is_agent=kind not in OPERATIONS)
    wrong = error_type(event)
    failed: Any = STATUS_ERROR
    made: Any = Span
    return made(
        trace_id=trace_id(event),
        span_id=SPANS[kind](event),
        parent_span_id=parent,
        flags=1,
        name=named,
        kind=role,
        start_time_unix_nano=start,
        end_time_unix_nano=end,
        attributes=pairs(known),
        status=Status(code=failed) if wrong else None,
    )


def _name(event: Event, kind: str, semconv: str) -> tuple[str, int]:
    facts = event.facts
    if kind == "answer":
        known = model(event)
        name = known.get("gen_ai.request.model") or known.get("gen_ai.response.model")
        return f"chat {name or ''}".strip(), CLIENT
    if kind != "call":
        return f"invoke_agent {_agent(event) if kind == 'agent' else facts['tool']}", INTERNAL
    tool = facts.get("action_native") or facts.get("action_name") or ""
    if facts.get("mcp_server"):
        return f"tools/call {tool}".strip(), CLIENT
    program = executable(event) if semconv == TODAY else None
    return " ".join(filter(None, ("execute_tool", tool, program))), INTERNAL


def _agent(event: Event) -> str:
    name: str = event.facts.get("agent_type") or event.facts["tool"]
    return name
