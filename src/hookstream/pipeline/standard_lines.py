"""Read a line of Agent Hooks or AARTS into an Event with an identity, as a native payload gives."""

from __future__ import annotations

from hookstream.core.identity import of_machine, session_of, uuid_of
from hookstream.core.jsons import canonical
from hookstream.normalizers.foreign import complete_foreign
from hookstream.standards.aarts_reader import read_aarts
from hookstream.standards.agent_hooks_reader import read_agent_hooks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from hookstream.core.event import Event
    from hookstream.core.records import Record

DERIVED = "derived, and derived again"
TOLD = "told by the other standard"


def event_of(
    record: Record,
    clock: Callable[[], str],
    is_told: Callable[[Event, str], bool] = lambda event, standard: False,
) -> Event | str:
    """The Event of a standard's line, or why it gives none. Raises ValueError for a line that does
    not keep to its standard."""
    is_agent_hooks = record.kind == "agent-hooks"
    event = (read_agent_hooks if is_agent_hooks else read_aarts)(record.payload)
    facts = event.facts
    if "hookstream_version" in facts and "event_id" in facts and is_told(event, record.kind):
        return TOLD
    if facts.get("derived") is True:
        return DERIVED
    if "event_id" not in facts:
        place = _place(event, record, clock)
        text = canonical(record.payload).decode("utf-8", "replace")
        name = f"{facts['tool']}\0{facts['session_id']}\0{text}{place}"
        facts["event_id"] = uuid_of(of_machine(name, event, record))
    facts.setdefault("native_event", event.hook_point or event.type)
    if not is_agent_hooks or "hookstream_version" not in facts:
        complete_foreign(event)
    return event


def _place(event: Event, record: Record, clock: Callable[[], str]) -> str:
    """Session and time of a line that has none; what distinguishes it from similar lines."""
    facts = event.facts
    if "session_id" not in facts:
        facts["session_id"] = session_of(event.vendor, record.source)
        event.synthesized.append("session_id")
    if "timestamp" in facts:
        return ""
    facts["timestamp"] = record.received_at or clock()
    event.synthesized += ["timestamp", "event_id"]
    return f"\0{record.source}@{record.offset}"


def is_unknown(event: Event, record: Record) -> bool:
    """Return whether the standard has no such event type or hook point as a line of it names."""
    if record.kind == "agent-hooks":
        return bool(record.payload["event_type"] != event.type)
    return event.emitter is not None and "hook_point" in event.emitter.get("aarts", ())
