"""Parse one line into a Record (payload, vendor, receipt time) or a Rejection."""

from __future__ import annotations

from hashlib import sha256

from hookstream.core.event import WITNESSES
from hookstream.core.limits import LINE_BYTES
from hookstream.core.parse import UnreadableLine, bare, glance, is_whole, parse
from hookstream.core.times import to_iso

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from hookstream.core.jsons import JsonObject

    Payload = JsonObject

# An OTLP export, one resource of one, or an object of a file that a client's SDK writes.
EXPORTS = frozenset(
    "resourceSpans resourceLogs resourceMetrics scopeSpans scopeLogs scopeMetrics "
    "instrumentationScope".split()
)
# Why a line is refused that may still hold whole records: `core/torn.py`.
TORN = frozenset(("not_json", "not_utf8", "control_character"))


class Record:
    """One native payload and the facts of its delivery.

    `kind` is "payload", "agent-hooks", "aarts" (an envelope, hookstream's wrapper of one, a verdict
    or a handshake), "otlp" (telemetry: many records in one) or "stream" (of a CloudEvent, whose
    lines the payload has: `records_of`). `source` and `offset` (bytes) are
    the line's place; they name an event only when nothing else does. `marks` names what had to be
    mended to read it, `made` the facts that its reader found by a rule. `identity` is what a record
    of a session and its copies have and no other has, if the reader knows it; `is_rewritten` says
    that the client writes the record again under its id. `witness` is one of
    event.WITNESSES. `machine` and `user` are names as the record gives them, or their pseudonyms.
    `event` is the native event's name once the vendor's table has found it. `unchecked` has the
    line and its complete value until `assured` was asked whether the fast parser lost something of
    them. `reading` has what a table read last: from what, how, and the result.
    """

    __slots__ = (
        "argv",
        "client_version",
        "env",
        "event",
        "identity",
        "is_rewritten",
        "kind",
        "machine",
        "made",
        "marks",
        "native_event",
        "offset",
        "payload",
        "reading",
        "received_at",
        "source",
        "source_machine",
        "unchecked",
        "user",
        "vendor",
        "witness",
    )

    def __init__(
        self,
        payload: Payload,
        vendor: str | None = None,
        native_event: str | None = None,
        received_at: str | None = None,
        client_version: str | None = None,
        env: JsonObject | None = None,
        argv: list[Any] | None = None,
        source: str = "",
        offset: int = 0,
        kind: str = "payload",
        witness: str = "hook",
        machine: str | None = None,
        user: str | None = None,
    ) -> None:
        self.payload = payload
        self.vendor = vendor
        self.native_event = native_event
        self.received_at = received_at
        self.client_version = client_version
        self.env = env
        self.argv = argv
        self.source = source
        self.offset = offset
        self.kind = kind
        self.witness = witness
        self.machine = machine
        # the machine if the record names none (hookstream.pipeline.machines)
        self.source_machine: str | None = None
        self.user = user
        self.marks: tuple[str, ...] = ()
        self.made: tuple[str, ...] = ()
        self.identity: list[str] | None = None
        self.is_rewritten = False
        self.event: str | None = None
        self.unchecked: tuple[bytes, JsonObject] | None = None
        self.reading: tuple[Any, Any, Any] | None = None

    def __getstate__(self) -> tuple[None, dict[str, Any]]:
        """What a saved state keeps: all but the reading, which holds a function."""
        return None, {name: getattr(self, name) for name in self.__slots__} | {"reading": None}


class Rejection:
    """A line that is not an event: why, how long, which bytes (digest), where. Never its
    content.
    """

    __slots__ = ("digest", "length", "offset", "reason", "source")

    def __init__(self, reason: str, length: int, digest: str, source: str, offset: int) -> None:
        self.reason = reason
        self.length = length
        self.digest = digest
        self.source = source
        self.offset = offset

    @property
    def file(self) -> str | None:
        """The source that could not be read to its end, as the user knows it."""
        return None

    def record(self) -> JsonObject:
        """The rejection as it is written: schema hookstream/rejection/1."""
        return {
            "schema": "hookstream/rejection/1",
            "reason": self.reason,
            "length": self.length,
            "sha256": self.digest,
            "source": self.source,
            "offset": self.offset,
        }


class BrokenOff(Rejection):
    """A source that cannot be read, or not to its end."""

    __slots__ = ("_file",)

    def __init__(self, error: Exception, source: str, offset: int, file: str) -> None:
        said = getattr(error, "strerror", None) or type(error).__name__
        super().__init__(f"unreadable: {said}", 0, "", source, offset)
        self._file = file

    @property
    def file(self) -> str:
        return self._file


def read_record(
    data: bytes, source: str = "", offset: int = 0, *, check: bool = True
) -> Record | Rejection | None:
    """One line to its Record, to a Rejection, or None for a blank line.

    Without `check` the Record is as the fast parser reads it; `assured` makes it sure.
    """
    line = bare(data)
    if not line:
        return lost(data, "not_utf8", source, offset) if b"\0" in data else None
    try:
        if len(line) > LINE_BYTES:
            raise UnreadableLine("too_long")
        value, marks = parse(line) if check else glance(line)
        if type(value) is not dict:
            raise UnreadableLine("not_an_object")
        record = _record(value)
    except UnreadableLine as refusal:
        return lost(data, str(refusal), source, offset)
    record.source = source
    record.offset = offset
    if marks is None:
        record.unchecked = (data, value)
    else:
        record.marks = marks
    return record


def records_of(
    line: bytes, source: str = "", offset: int = 0, *, check: bool = True
) -> Iterator[Record | Rejection]:
    """The Records of a line and the Rejections among them: of a CloudEvent that carries a stream
    one for each line of that, else the line's own."""
    record = read_record(line, source, offset, check=check)
    if isinstance(record, Record):
        yield from parts_of(record)
    elif record is not None:
        torn = torn_apart(record, line)
        for part in [record] if torn is None else torn:
            yield from parts_of(part) if isinstance(part, Record) else (part,)


def torn_apart(refused: Rejection, line: bytes) -> list[Record | Rejection] | None:
    """The contents of a refused line, if there are several: the Records of the objects on
    it that are whole, and a Rejection for each piece between them."""
    if refused.reason not in TORN:
        return None
    from hookstream.core.torn import pieces

    parts = pieces(line)
    if not any(part.is_whole for part in parts):
        return None
    source, offset = refused.source, refused.offset
    result = []
    for place, data, whole in parts:
        record = read_record(data, source, offset + place) if whole else None
        result.append(record or lost(data, refused.reason, source, offset + place))
    return result


def lost(data: bytes, reason: str, source: str, offset: int) -> Rejection:
    """The Rejection of bytes that say nothing that can be read."""
    return Rejection(reason, len(data), sha256(data).hexdigest(), source, offset)


def parts_of(record: Record) -> Iterator[Record | Rejection]:
    """The Records of a stream's lines, and the Rejections among them; else the Record itself.

    A line of a stream has the offset of its CloudEvent and its number there, which no other has.
    """
    if record.kind != "stream":
        yield record
        return
    for number, line in enumerate(record.payload["lines"]):
        part = read_record(line, record.source, record.offset + number)
        if isinstance(part, Record) and part.kind == "stream":
            part = lost(line, "cloudevent_in_cloudevent", part.source, part.offset)
        elif isinstance(part, Record) and part.received_at is None:
            part.received_at = record.received_at
        if part is not None:
            yield part


def read_carried(value: JsonObject, body: bytes, source: str) -> Record | Rejection:
    """The Record of a CloudEvent that is not a line: its attributes came in headers."""
    try:
        record = _carried(value)
        if record is None:
            raise UnreadableLine("invalid_cloudevent")
    except UnreadableLine as refusal:
        return lost(body, str(refusal), source, 0)
    record.source = source
    return record


def assured(record: Record) -> Record | Rejection | None:
    """The Record itself where nothing of its line was lost, else what a careful look gives."""
    if record.unchecked is None:
        return record
    data, value = record.unchecked
    record.unchecked = None
    try:
        if is_whole(data, value):
            return record
    except UnreadableLine:
        pass  # the careful look says why
    return read_record(data, record.source, record.offset)


def _record(value: JsonObject) -> Record:
    """The kind of object: a capture record, one of the standards, a bare payload, or a CloudEvent
    that carries one of them."""
    if "specversion" in value and (record := _carried(value)) is not None:
        return record
    if "payload" in value and ("vendor" in value or "native_event" in value or "argv" in value):
        payload = value["payload"]
        if type(payload) is str:
            payload, _ = parse(payload.encode("utf-8", "replace"))
        if type(payload) is not dict:
            raise UnreadableLine("not_an_object")
        record = Record(payload)
        _around(record, value)
    else:
        payload = value
        record = Record(payload)
    if "spec_version" in payload and "event_type" in payload:
        record.kind = "agent-hooks"
    elif (
        "aarts_version" in payload
        or ("aarts" in payload and ("hookstream" in payload or "verdict" in payload))
        or ("host_id" in payload and "hook_point" in payload)
        or (record.vendor is None and is_alone(payload))
    ):
        record.kind = "aarts"
    elif not payload.keys().isdisjoint(EXPORTS) or ("type" in payload and is_plain_span(payload)):
        record.kind = "otlp"
    return record


def is_alone(payload: Payload) -> bool:
    """An AARTS verdict without an event, or an answer about versions."""
    return ("severity" in payload and "decision" in payload and "category" in payload) or (
        "engine_id" in payload and "compatible" in payload
    )


def _carried(value: JsonObject) -> Record | None:
    """The Record of a CloudEvent's data; None if the object is not one, or for hooks, which have
    standard Python alone."""
    try:
        from hookstream.core.cloud_events import is_cloud_event, opened
    except ImportError:
        return None
    if not is_cloud_event(value):
        return None
    data, time = opened(value)
    if isinstance(data, list):
        return Record({"lines": data}, received_at=time, kind="stream")
    if is_cloud_event(data):
        raise UnreadableLine("cloudevent_in_cloudevent")
    record = _record(data)
    if record.received_at is None:
        record.received_at = time
    return record


def is_plain_span(payload: Payload) -> bool:
    """A line of Copilot's own telemetry file."""
    kind = payload.get("type")
    return (kind == "span" and "traceId" in payload) or (
        kind == "metric" and "dataPoints" in payload
    )


def _around(record: Record, value: JsonObject) -> None:
    """The fields of a capture record next to the payload; a wrong type counts as absent."""
    get = value.get
    vendor, name, version = get("vendor"), get("native_event"), get("client_version")
    record.vendor = vendor if type(vendor) is str and vendor else None
    record.native_event = name if type(name) is str and name else None
    record.client_version = version if type(version) is str and version else None
    machine, user = get("machine"), get("user")
    record.machine = machine if type(machine) is str and machine else None
    record.user = user if type(user) is str and user else None
    received, env, argv = get("received_at"), get("env"), get("argv")
    if type(received) is str:
        record.received_at = to_iso(received)
    if type(env) is dict:
        record.env = env
    if type(argv) is list:
        record.argv = argv
    if get("witness") in WITNESSES:
        record.witness = value["witness"]
