"""Run the stages in order: a Record to finished Events."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

from hookstream.core.clients import FORKS
from hookstream.core.event import LIVE, WITNESSES
from hookstream.core.jsons import canonical
from hookstream.core.records import Record, Rejection, assured, parts_of, read_record, torn_apart
from hookstream.core.tally import Tally
from hookstream.detect.detectors import Detectors
from hookstream.normalizers import VENDORS, compiled, has_table, is_bare, normalize, vendor_of
from hookstream.normalizers.agent_tools import AgentTools
from hookstream.normalizers.neighbours import Neighbours
from hookstream.pipeline.machines import Machines
from hookstream.pipeline.standard_lines import event_of, is_unknown
from hookstream.sessions import Sessions
from hookstream.standards.artifacts import extract
from hookstream.standards.rendered import Rendered

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from hookstream.core.event import Event
    from hookstream.core.owners import Owner
    from hookstream.normalizers import CompiledVendor
    from hookstream.otlp.records import Telemetry
    from hookstream.redaction import Redactor


if TYPE_CHECKING:
    Unread = tuple[bytes | Rejection, str, int]

    Given = Record | Rejection | Unread | str


@dataclass(eq=False)
class Unfolded:
    """The records in one line that holds many, and the result of each."""

    given: Sequence[Given]
    made: list[Any]


class Batch:
    """Records on their way through the stages; `made` is the current form of each.

    An internal error rejects only the current record, is counted, and does not end the run. The
    loop continues after that record, so that no stage sees another one twice or not at all: a batch
    gives the same as its records one by one. What an earlier stage noted of the lost record stays:
    the sequence of those after it shows that one is missing.
    """

    def __init__(self, given: Sequence[Given]) -> None:
        self.given: Sequence[Given] = given
        self.made: list[Any] = list(given)
        self.places: Sequence[int] = range(len(given))
        # The number of each one's line, among those that were given.
        self.origins: Sequence[int] = self.places

    def through(self, stage: Callable[[Any], Any]) -> None:
        """Every record that still has events, through one stage."""
        made = self.made
        todo = iter(self.places)
        whole = True
        while True:
            try:
                for at in todo:
                    made[at] = stage(made[at])
                break
            except MemoryError:  # no record's fault
                raise
            except Exception as error:
                made[at] = refused(self.given[at], error)
                whole = False
        if not whole:
            self.keep_events()

    def unfold(self) -> None:
        """Put the records that one line holds in its place."""
        if not any(type(one) is Unfolded for one in self.made):
            return
        given, made = self.given, self.made
        lines: list[Given] = []
        origins: list[int] = []
        self.given, self.made, self.origins = lines, [], origins
        for at, result in enumerate(made):
            parts = result if type(result) is Unfolded else Unfolded([given[at]], [result])
            lines += parts.given
            self.made += parts.made
            origins += [at] * len(parts.made)
        self.places = range(len(lines))

    def events(self) -> list[Any]:
        """The events of the records so far, in order."""
        made = self.made
        return [event for at in self.places for event in made[at]]

    def keep_events(self) -> None:
        """From here on only what has become events."""
        made = self.made
        self.places = [at for at in self.places if type(made[at]) is list]


def refused(given: Given, error: Exception) -> Rejection | str:
    """Reject a record on an internal error: the reason names the kind of error, not its message."""
    if isinstance(given, Rejection | str):
        return given
    reason = f"internal: {type(error).__name__}"
    if isinstance(given, Record):
        return refuse(given, reason)
    line, source, offset = given
    if isinstance(line, Rejection):
        return line
    return Rejection(reason, len(line), sha256(line).hexdigest(), source, offset)


def refuse(record: Record, reason: str) -> Rejection:
    data = canonical(record.payload)
    return Rejection(reason, len(data), sha256(data).hexdigest(), record.source, record.offset)


if TYPE_CHECKING:
    Outcome = list[Rendered] | Rejection | str | None


class Pipeline:
    """One stream's worth of state. `clock` gives RFC 3339 text; `vendor` overrides detection;
    `witnesses` are the kinds of record to use, empty for all; `machine` and `user` name those of
    records that do not."""

    def __init__(
        self,
        privacy: Redactor,
        clock: Callable[[], str],
        vendor: str | None = None,
        witnesses: Sequence[str] = (),
        machine: str | None = None,
        user: str | None = None,
    ) -> None:
        self.privacy = privacy
        self.witnesses = frozenset(witnesses or WITNESSES)
        if "hook" in self.witnesses:
            self.witnesses |= LIVE
        self.clock = clock
        self.vendor = vendor
        self.machines = Machines(privacy, machine, user)
        self.agent_tools = AgentTools()
        self.neighbours = Neighbours()
        self.sessions = Sessions()
        # Puts what rules find after the events of each record; None: no rules.
        self.judge: Callable[[list[list[Rendered]]], None] | None = None
        self.detectors = Detectors()
        self.telemetry: Telemetry | None = None
        self.tally = Tally()

    def new_source(
        self,
        machine: str | None = None,
        owner: Owner | None = None,
        head: Callable[[], Iterable[bytes]] | None = None,
    ) -> None:
        """Begin another file. A session made for records that name none ends with its file, so that
        the result for a file does not depend on another that names other sessions.

        `machine` is the machine of its records that name none, if their session ids may occur on
        others too (`Machines`); `owner` is the machine of all of them; `head` gives its first
        lines, for what only other lines say."""
        self.neighbours = Neighbours(head)
        self.machines.source = machine
        self.machines.owner = owner
        self.telemetry = None
        self.agent_tools.new_source()
        for place in self.sessions.new_source():
            self.detectors.forget(place)

    def take(self, record: Record | Rejection) -> list[Event] | Rejection:
        """The finished Events of a record in order, or why it has none.

        An empty list is a known non-event, counted under its reason.
        """
        finished, rejections = self.take_all([record])
        return rejections[0] if rejections else finished

    def take_all(self, given: Iterable[Given]) -> tuple[list[Event], list[Rejection]]:
        """The finished Events of the records in order, and the rejections among them."""
        outcomes = self.outcomes(list(given))
        finished = [item.event for outcome in outcomes if type(outcome) is list for item in outcome]
        return finished, [outcome for outcome in outcomes if isinstance(outcome, Rejection)]

    def outcomes(self, given: Sequence[Given], standard: str | None = None) -> list[Outcome]:
        """The results of `finish`."""
        return self.finish(given, standard).made

    def finish(self, given: Sequence[Given], standard: str | None = None) -> Batch:
        """The result of each record, in their order, of each line of one that carries a stream;
        with a `standard` (or both) its Events are rendered already, so that no sink meets one that
        cannot be.

        Each stage goes over all of them before the next begins: its code and data stay at hand,
        which costs a fifth less than one record after the other.
        """
        batch = Batch(given)
        batch.through(self._native)
        batch.unfold()
        batch.keep_events()
        self.sessions.answers.foresee(batch.events())
        batch.through(self._complete)
        batch.through(self._clean)
        batch.through(self._detect)
        if self.judge is not None:
            self.judge([events for events in batch.made if type(events) is list])
        if standard in ("agent-hooks", "both"):
            batch.through(with_events)
        if standard in ("aarts", "both"):
            batch.through(with_wrappers)
        self._count(batch.made)
        return batch

    def _native(self, given: Given) -> list[Event] | Rejection | str | Unfolded | None:
        """The Events of a record as its vendor's table gives them. A line is read when its turn
        comes, so that its tree is gone before the next."""
        record: Record | Rejection | str | None
        if isinstance(given, tuple):
            line, source, offset = given
            if isinstance(line, Rejection):
                return line
            record = read_record(line, source, offset, check=False)
            if isinstance(record, Rejection) and (parts := torn_apart(record, line)) is not None:
                return self._unfolded(parts)
        else:
            record = given
        if not isinstance(record, Record):
            return record
        if record.kind == "otlp":
            return self._exported(record)
        return self._streamed(record) if record.kind == "stream" else self.normalize(record)

    def _exported(self, export: Record) -> list[Event] | Rejection | str | None:
        from hookstream.otlp.records import Telemetry, events_of

        if self.telemetry is None:
            self.telemetry = Telemetry()
        return events_of(self.telemetry.records(export), self.normalize, self.tally)

    def _streamed(self, stream: Record) -> Unfolded:
        """The lines of a stream, each as if it were one of the file."""
        return self._unfolded(list(parts_of(stream)))

    def _unfolded(self, lines: Sequence[Given]) -> Unfolded:
        parts = Batch(lines)
        parts.through(self._native)
        return Unfolded(parts.given, parts.made)

    def _complete(self, events: list[Event]) -> list[Event]:
        complete = self.sessions.complete
        if len(events) == 1:
            return complete(events[0])
        return [complete_event for event in events for complete_event in complete(event)]

    def _clean(self, events: list[Event]) -> list[Event]:
        apply = self.privacy.redact_event
        for event in events:
            apply(event)
        return events

    def _detect(self, events: list[Event]) -> list[Rendered]:
        """Runs after privacy: no detector sees what that removes."""
        see = self.detectors.see
        finished: list[Rendered] = []
        for event in events:
            event.artifacts = extract(event)
            finished.append(Rendered(event))
            finished += map(Rendered, see(event))
        return finished

    def _count(self, made: list[Outcome]) -> None:
        tally = self.tally
        for outcome in made:
            tally.record(outcome)
        tally.batch([item.event for outcome in made if type(outcome) is list for item in outcome])
        tally.duplicates = self.sessions.duplicates
        if self.privacy.allowed:
            tally.allow(self.privacy.allowed)

    def normalize(self, record: Record) -> list[Event] | Rejection | str | None:
        """Events, a rejection, or the reason why a known payload is not an event."""
        try:
            if record.witness not in self.witnesses:
                return f"{record.witness}: not asked for"
            if record.kind == "payload":
                return self._payload(record)
            sure = assured(record)
            return self._standard(sure) if isinstance(sure, Record) else sure
        except RecursionError:
            return refuse(record, "too_deep")

    def _payload(self, record: Record) -> list[Event] | Rejection | str | None:
        self.machines.name(record)
        if record.witness in LIVE:
            ready = compiled(self.vendor) if self.vendor else table_of(record, self.neighbours)
        else:
            ready = told_by(record)
        now = record.received_at or self.clock()
        events = None if ready is None else normalize(record, ready, now)
        if isinstance(events, str):
            # A third of all lines: they yield nothing, so nothing of them can be lost.
            return events
        if record.unchecked is not None:
            sure = assured(record)
            if sure is not record:
                return self.normalize(sure) if isinstance(sure, Record) else sure
        if ready is None or events is None:
            return refuse(record, "unknown_vendor")
        native_event = ready.events.get(record.event or "")
        if native_event is None:
            name = self.privacy.redact_text(events[0].facts["native_event"][:128])
            self.tally.unknown(ready.vendor.key, name)
        elif native_event.is_derived:
            # What follows from other events is derived by the detectors, whatever the input was.
            events = [event for event in events if "derived" not in event.facts]
        if record.marks:
            first = events[0]
            first.native = {**(first.native or {}), "marks": list(record.marks)}
        for event in events:
            self.machines.place(event)
            if event.vendor == "aos":
                self.agent_tools.see(event)
        return events

    def _is_told(self, event: Event, standard: str) -> bool:
        return self.sessions.is_told(event, standard, self.machines.owner)

    def _standard(self, record: Record) -> list[Event] | Rejection | str:
        self.machines.name(record)
        try:
            event = event_of(record, self.clock, self._is_told)
        except ValueError as error:
            return refuse(record, f"invalid_{record.kind}: {self.privacy.redact_text(str(error))}")
        if isinstance(event, str):
            return event
        facts = event.facts
        if is_unknown(event, record):
            name = self.privacy.redact_text(facts["native_event"][:128])
            self.tally.unknown(event.vendor, name)
        if record.machine is not None and self.machines.owner is None:
            facts.setdefault("machine_id", record.machine)
        if event.vendor in VENDORS and "hookstream_version" in facts:
            capabilities = compiled(event.vendor).vendor.capabilities
            event.pairs_lone, event.has_mods = capabilities.pairs_lone, capabilities.has_mods
        self.machines.place(event)
        if event.vendor == "aos":
            self.agent_tools.see(event)
        return [event]


def table_of(record: Record, neighbours: Neighbours) -> CompiledVendor | None:
    """The table for a hook's payload."""
    key = None
    if record.vendor is None and is_bare(record.payload):
        key = neighbours.client_of(record.payload)
    key = key or vendor_of(record)
    if key in FORKS:
        key = neighbours.fork_of(key, record)
    return None if key is None else compiled(key)


def told_by(record: Record) -> CompiledVendor | None:
    """The table for a record of a session file or of telemetry: its reader knows whose it is."""
    named = record.vendor
    return compiled(named, record.witness) if has_table(named, record.witness) else None


def with_events(items: list[Rendered]) -> list[Rendered]:
    """The Events with their Agent Hooks lines made."""
    for item in items:
        _ = item.agent_hooks
    return items


def with_wrappers(items: list[Rendered]) -> list[Rendered]:
    """The Events with their AARTS wrappers made."""
    for item in items:
        _ = item.aarts
    return items
