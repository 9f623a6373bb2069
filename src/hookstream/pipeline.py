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
    from collections.abc import Callable, Iterable

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
        finished, rejections = self.take_all([record])
        return rejections[0] if rejections else finished

    def take_all(
        self, records: Iterable[Record | Rejection]
    ) -> tuple[list[Event], list[Rejection]]:
        """The finished Events of the records in order, and the rejections among them.

        Each stage goes over all of them before the next begins: its code and data stay at hand,
        which costs a fifth less than one record after the other.
        """
        rejections: list[Rejection] = []
        native = self._native(records, rejections)
        complete = self.sessions.complete
        events = [known for event in native for known in complete(event)]
        apply = self.privacy.apply
        for event in events:
            apply(event)
        see = self.detectors.see
        finished: list[Event] = []
        for event in events:  # no detector sees what privacy removes
            event.artifacts = extract(event)
            finished.append(event)
            finished += see(event)
        tally = self.tally
        tally.duplicates = self.sessions.duplicates
        if self.privacy.allowed:
            tally.allow(self.privacy.allowed)
        for event in finished:
            tally.event(event)
        return finished, rejections

    def _native(
        self, records: Iterable[Record | Rejection], rejections: list[Rejection]
    ) -> list[Event]:
        """The Events of the records as their vendors' tables give them; each record is counted."""
        tally = self.tally
        events: list[Event] = []
        for record in records:
            tally.read += 1
            native = record if isinstance(record, Rejection) else self.normalize(record)
            if isinstance(native, list):
                tally.produced += 1
                events += native
            elif isinstance(native, str):
                tally.ignored[native] = tally.ignored.get(native, 0) + 1
            else:
                tally.reject(native.reason)
                rejections.append(native)
        return events

    def normalize(self, record: Record) -> list[Event] | Rejection | str:
        """Events, a rejection, or the reason why a known payload is none."""
        try:
            if record.kind == "payload":
                return self._payload(record)
            return self._standard(record)
        except RecursionError:
            return refuse(record, "too_deep")
        except Exception as error:  # a fault of ours: it costs this record, is counted, ends no run
            return refused(record, error)

    def _payload(self, record: Record) -> list[Event] | Rejection | str:
        key = self.vendor or vendor_of(record)
        if key is None:
            return refuse(record, "unknown_vendor")
        ready = compiled(key)
        events = normalize(record, ready, self.clock())
        if isinstance(events, str):
            return events
        if record.event in ready.derived:
            # What follows from other events is derived by the detectors, whatever the input was.
            events = [event for event in events if "derived" not in event.facts]
        if record.event not in ready.rows:
            self.tally.unknown(key, self.privacy.text(events[0].facts["native_event"][:128]))
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


def refused(record: Record | Rejection, error: Exception) -> Rejection:
    """A record that a fault of ours costs: the kind of error stands in the reason, no message."""
    if isinstance(record, Rejection):
        return record
    return refuse(record, f"internal: {type(error).__name__}")
