"""The lintel over the pillars: a Record to finished Events, through every stage in order."""

from __future__ import annotations

from hookstream.detect import Detectors
from hookstream.identity import uuid_of
from hookstream.jsons import canonical
from hookstream.normalizers import VENDORS, compiled, detect, normalize
from hookstream.records import Record, Rejection
from hookstream.sessions import Sessions
from hookstream.standards.aarts_reader import read_aarts
from hookstream.standards.agent_hooks_reader import read_agent_hooks
from hookstream.standards.artifacts import extract
from hookstream.tally import Tally

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from hookstream.event import Event
    from hookstream.privacy import Privacy


class Pipeline:
    """One stream's worth of state. `clock` gives RFC 3339 text; `vendor` overrides detection."""

    def __init__(
        self, privacy: Privacy, clock: Callable[[], str], vendor: str | None = None
    ) -> None:
        self.privacy = privacy
        self.clock = clock
        self.vendor = vendor
        self.sessions = Sessions()
        self.detectors = Detectors()
        self.tally = Tally()

    def new_source(self) -> None:
        """Another file begins. A session made for records that name none ends with its file, so
        that what is said of a file depends on no other that names other sessions."""
        for place in self.sessions.new_source():
            self.detectors.forget(place)

    def take(self, record: Record | Rejection) -> list[Event] | Rejection:
        """The finished Events of a record in order, or why there are none.

        An empty list is a known non-event, counted under its reason.
        """
        tally = self.tally
        tally.read += 1
        if isinstance(record, Rejection):
            tally.reject(record.reason)
            return record
        native = self.normalize(record)
        if isinstance(native, Rejection):
            tally.reject(native.reason)
            return native
        if isinstance(native, str):
            tally.ignored[native] = tally.ignored.get(native, 0) + 1
            return []
        tally.produced += 1
        finished: list[Event] = []
        for event in native:
            for known in self.sessions.complete(event):
                self.finish(known, finished)
        tally.duplicates = self.sessions.duplicates
        for event in finished:
            tally.event(event)
        return finished

    def finish(self, event: Event, finished: list[Event]) -> None:
        """Privacy, artifacts, detectors: no detector sees what privacy removes."""
        self.privacy.apply(event)
        event.artifacts = extract(event)
        finished.append(event)
        finished += self.detectors.see(event)

    def normalize(self, record: Record) -> list[Event] | Rejection | str:
        """Events, a rejection, or the reason why a known payload is none."""
        try:
            if record.kind == "payload":
                return self._payload(record)
            return self._standard(record)
        except RecursionError:
            return refuse(record, "too_deep")

    def _payload(self, record: Record) -> list[Event] | Rejection | str:
        key = self.vendor or vendor_of(record)
        if key is None:
            return refuse(record, "unknown_vendor")
        ready = compiled(key)
        events = normalize(record, ready, self.clock())
        if isinstance(events, str):
            return events
        # What follows from other events is derived by the detectors, whatever the input was.
        events = [event for event in events if "derived" not in event.facts]
        for event in events:
            if event.type.startswith("vendor.") and event.facts["native_event"] not in ready.rows:
                self.tally.unknown(key, self.privacy.text(event.facts["native_event"][:128]))
        if record.marks:
            first = events[0]
            first.native = {**(first.native or {}), "marks": list(record.marks)}
        return events

    def _standard(self, record: Record) -> list[Event] | Rejection | str:
        try:
            if record.kind == "agent-hooks":
                event = read_agent_hooks(record.payload)
            else:
                event = read_aarts(record.payload)
        except ValueError as error:
            return refuse(record, f"invalid_{record.kind}: {self.privacy.text(str(error))}")
        facts = event.facts
        if facts.get("derived") is True:
            return "derived, and derived again"
        if "event_id" not in facts:
            text = canonical(record.payload).decode("utf-8", "replace")
            facts["event_id"] = uuid_of(f"{facts['tool']}\0{facts['session_id']}\0{text}")
        facts.setdefault("native_event", event.hook_point or event.type)
        return [event]


def vendor_of(record: Record) -> str | None:
    """Whose payload it is. The record's word holds unless the shape says another vendor: a
    vendor's configuration may be loaded by another vendor's client."""
    named = record.vendor
    if named is None or named not in VENDORS:
        return detect(record.payload, record.native_event)
    if compiled(named).vendor.claims(record.payload):
        return named
    return detect(record.payload, record.native_event) or named


def refuse(record: Record, reason: str) -> Rejection:
    from hashlib import sha256

    data = canonical(record.payload)
    return Rejection(reason, len(data), sha256(data).hexdigest(), record.source, record.offset)
