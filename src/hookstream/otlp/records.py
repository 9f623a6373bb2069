"""OTLP exports and telemetry files to Records: one for each log record, two for each span (its
start and its end), in the order of their times. The state of open spans is bounded.

A payload is flat: an item's attributes under their names, dots as underscores (a table walks paths
by dots), and under `otlp` what OTLP itself says. Gemini CLI and Qwen Code write the SDK's objects
as they are in memory, Copilot CLI lines of plain spans.
"""

from __future__ import annotations

from functools import cache, lru_cache
from hashlib import sha256

from hookstream.core.limits import make_room
from hookstream.core.records import Record
from hookstream.normalizers import compiled, has_table
from hookstream.normalizers.client import clients
from hookstream.otlp.frameworks import Frameworks
from hookstream.otlp.items import OtlpItem, Source, count_metrics, items, signal_of
from hookstream.otlp.values import UNREADABLE_ITEM, hex_id, iso

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from hookstream.core.event import Event
    from hookstream.core.jsons import JsonObject
    from hookstream.core.records import Rejection
    from hookstream.core.tally import Tally
    from hookstream.normalizers.table import Vendor

    Normalized: TypeAlias = list[Event] | Rejection | str | None

    Made = Record | str
    # when something began and ended, in nanoseconds, and its call id
    TimedId: TypeAlias = tuple[int, int, str]
    from hookstream.otlp.items import OtlpItem


# Spans of a call in the Trace profile of ACS, and what distinguishes them from others of that name.
ACS_CALLS = {"gen_ai.tool.call": "acs.capability", "gen_ai.tool.result": "acs.exit_status"}


DAY_MS = 86_400_000
# How far the times of a span and of its log record may be apart.
CLOCKS_NS = 100_000_000
# Spans, or log records, of one tool and trace that wait for their other half.
WAITING = 1024


@cache
def beginnings(kind: str) -> dict[str, str]:
    """Beginnings of scopes, events or services, each with its client."""
    return {
        word: client.key for client in clients() for word in getattr(client.telemetry, kind).split()
    }


def client_of(item: OtlpItem) -> str | None:
    """The coding client that sent an item; None for what none of them did."""
    mark = ACS_CALLS.get(item.name)
    if mark is not None and mark in item.attributes:
        return "aos"
    source = item.source
    scope = _of_scope(source.scope, source.scope_version)
    return scope or _of_event(item.name) or _of_service(source.service)


@lru_cache(256)
def _of_scope(scope: str, version: str) -> str | None:
    """The client of a scope; a fork that keeps its parent's name has `name@version`, first."""
    for name, client in sorted(beginnings("scopes").items(), key=lambda mark: "@" not in mark[0]):
        name, _, start = name.partition("@")
        if start and version.partition(".")[0] != start:
            continue
        if scope == name or (scope.startswith(name) and scope[len(name)] in "._/:-"):
            return client
    return None


@lru_cache(256)
def _of_event(name: str) -> str | None:
    starts = beginnings("events").items()
    return next((client for start, client in starts if name.startswith(start)), None)


@lru_cache(256)
def _of_service(name: str) -> str | None:
    service = name.replace("_", "-").lower()
    for start, client in beginnings("services").items():
        if service == start or service.startswith(f"{start}-"):
            return client
    return None


# The attributes of a span's call, tool and agent; a child gets them as `otlp.parent`.
ABOUT = {
    "call_id": ("gen_ai.tool.call.id", "tool_use_id", "tool.call_id", "call_id", "tool.id"),
    "tool": ("gen_ai.tool.name", "tool_name", "tool.name"),
    "agent": ("gen_ai.agent.name", "agent.name"),
    "operation": ("gen_ai.operation.name", "span.type"),
}


def flat(item: OtlpItem, *, phase: str = "end") -> JsonObject:
    """The payload of an item. `phase` start is a span at its beginning, end at its end."""
    payload: JsonObject = {}
    for name, value in item.attributes.items():
        plain = name.replace(".", "_")
        if payload.setdefault(plain, value) != value:
            payload[name] = value
    source = item.source
    about: JsonObject = {
        "signal": item.signal,
        "name": item.name,
        "scope": source.scope,
        "service": source.service,
        "time": iso(item.start) if phase == "start" else item.time,
    }
    version = source.resource.get("service.version")
    session = source.resource.get("session.id")
    for name, value in (("version", version), ("session", session), ("trace", item.trace)):
        if type(value) is str and value:
            about[name] = value
    if item.span:
        about["span"] = item.span
    if item.signal == "span":
        about.update(phase=phase, status=item.status)
        if item.duration_ms is not None and phase == "end":
            about["duration_ms"] = item.duration_ms
        if item.status_message:
            about["status_message"] = item.status_message
        if item.events:
            about["events"] = [
                {
                    "name": name,
                    **{key.replace(".", "_"): attribute for key, attribute in held.items()},
                }
                for name, held in item.events
            ]
    payload["otlp"] = about
    return payload


def about(item: OtlpItem) -> dict[str, str]:
    """The attributes that children of a span inherit."""
    attributes = {"name": item.name}
    for word, names in ABOUT.items():
        for name in names:
            value = item.attributes.get(name)
            if type(value) is str and value:
                attributes[word] = value
                break
    return attributes


BILLION = 1_000_000_000


def item_of(payload: JsonObject) -> OtlpItem | None:
    """The log record or span of such an object; None for metrics."""
    if payload.get("type") == "metric" or "scopeMetrics" in payload:
        return None
    is_span = payload.get("type") == "span" or "startTime" in payload
    item = OtlpItem("span" if is_span else "log", _source(payload))
    attributes = payload.get("attributes")
    if type(attributes) is dict:
        item.attributes = {key: value for key, value in attributes.items() if value is not None}
    context = payload.get("_spanContext") or payload.get("spanContext") or payload
    if type(context) is dict:
        item.trace = hex_id(context.get("traceId"))
        item.span = hex_id(context.get("spanId"))
    if is_span:
        _span(item, payload)
    else:
        item.body = payload.get("_body")
        item.end = moment(payload.get("hrTime") or payload.get("_hrTime"))
        for name in (item.attributes.get("event.name"), item.body):
            if type(name) is str and name:
                item.name = name
                break
    return item


def _source(payload: JsonObject) -> Source:
    resource = payload.get("resource")
    known: JsonObject = {}
    if type(resource) is dict:
        pairs = resource.get("_rawAttributes")
        for pair in pairs if type(pairs) is list else ():
            if type(pair) is list and len(pair) == 2 and type(pair[0]) is str:
                known[pair[0]] = pair[1]
        plain = resource.get("attributes")
        if type(plain) is dict:
            known.update(plain)
    scope = payload.get("instrumentationScope")
    name = scope.get("name") if type(scope) is dict else None
    # Only Copilot's lines name no scope.
    return Source(known, name if type(name) is str else "github.copilot", "")


def _span(item: OtlpItem, payload: JsonObject) -> None:
    name = payload.get("name")
    item.name = name if type(name) is str else ""
    item.start = moment(payload.get("startTime"))
    item.end = moment(payload.get("endTime"))
    parent = payload.get("parentSpanContext")
    parent_id = parent.get("spanId") if type(parent) is dict else payload.get("parentSpanId")
    item.parent = hex_id(parent_id)
    status = payload.get("status")
    if type(status) is dict:
        code = status.get("code")
        item.status = code if type(code) is int and code in (1, 2) else 0
        message = status.get("message")
        item.status_message = message if type(message) is str else ""
    events = payload.get("events")
    for event in events if type(events) is list else ():
        if type(event) is dict and type(event.get("name")) is str:
            event_attributes = event.get("attributes")
            held = dict(event_attributes) if type(event_attributes) is dict else {}
            at = iso(moment(event.get("time")))
            item.events.append((event["name"], held if at is None else {**held, "time": at}))


def moment(value: Any) -> int:
    """[seconds, nanoseconds] as nanoseconds since 1970; 0 for anything else."""
    if type(value) is list and len(value) == 2 and all(type(part) is int for part in value):
        return value[0] * BILLION + value[1] if 0 < value[0] < 1 << 33 else 0
    return 0


SPANS = 65536
# Items that wait for the session of their trace.
WAITING = 4096
NO_SESSION = "telemetry: its trace names no session"
# Spans of one trace that are looked through for what encloses a span.
ANCESTORS = 32


class Arrived(str):
    """The reason of an item that was counted with it, and gives a record after all."""


def begun(item: OtlpItem) -> int:
    """When what an item reports began; 0 where a log record does not say it."""
    lasted = item.attributes.get("duration_ms")
    if item.signal != "span" and isinstance(lasted, int | float) and 0 <= lasted < DAY_MS:
        return item.end - int(lasted * 1e6)
    return item.start


def taken(item: OtlpItem, others: list[TimedId]) -> str | None:
    """Take the first of the spans within a log record's time, or of the log records around a span:
    a call that was refused has a log record and no span."""
    start, end = begun(item), item.end
    for number, (other_start, other_end, name) in enumerate(others):
        outer, inner = ((start, end), (other_start, other_end))
        if item.signal == "span":
            outer, inner = inner, outer
        if outer[0] - CLOCKS_NS <= inner[0] and inner[1] <= outer[1] + CLOCKS_NS:
            del others[number]
            return name
    return None


def wait(others: list[TimedId], one: TimedId) -> None:
    """Keep one for its other half, in the place of the oldest where too many wait."""
    others.append(one)
    del others[:-WAITING]


class Telemetry:
    """Exports to Records. It remembers the facts of spans for their children and for log records
    that only name their trace."""

    def __init__(self) -> None:
        # span id -> its facts, its parent under "parent"
        self.spans: dict[str, dict[str, str]] = {}
        # trace -> the session that one of its spans names
        self.sessions: dict[str, str] = {}
        # trace -> items without a session, for which none of its spans has named one so far
        self.waiting: dict[str, list[tuple[OtlpItem, str]]] = {}
        self.frameworks = Frameworks()
        # (trace, tool name) -> times and call ids of its spans that no log record has taken yet
        self.calls: dict[tuple[str, str], list[TimedId]] = {}
        # ... and the ids made for log records that came before their span
        self.logged: dict[tuple[str, str], list[TimedId]] = {}
        # what names a log record -> the call id it got
        self.named: dict[str, str] = {}
        # span id -> the id that its log record got
        self.renamed: dict[str, str] = {}

    def new_source(self) -> None:
        """Another file begins: nothing is known of its spans."""
        self.spans.clear()
        self.calls.clear()
        self.logged.clear()
        self.named.clear()
        self.renamed.clear()
        self.sessions.clear()
        self.waiting.clear()
        self.frameworks = Frameworks()

    def records(self, export: Record) -> list[Made]:
        """The Records of an export in the order of their times, and why the others give none."""
        payload = export.payload
        records: list[Made] = []
        found_items: list[OtlpItem] = []
        if signal_of(payload) is not None:
            found_items = list(items(payload))
            records += ["telemetry: metric"] * count_metrics(payload)
            lost = sum(len(item.lost) for item in found_items)
            records += ["telemetry: value that cannot be read"] * lost
        else:
            item = item_of(payload)
            if item is None:
                return ["telemetry: metric"]
            found_items = [item]
        for item in found_items:
            if item.signal == "span" and item.span:
                self._remember(item)
        timed: list[tuple[int, int, Record]] = []
        others: list[OtlpItem] = []
        for trace in sorted(self.sessions.keys() & self.waiting.keys()):
            for waiting, client_key in self.waiting.pop(trace):
                records.append(Arrived(NO_SESSION))
                self._client(waiting, client_key, timed, records)
        for item in found_items:
            client = client_of(item)
            if client is None:
                others.append(item)
            else:
                try:
                    self._client(item, client, timed, records)
                except UNREADABLE_ITEM:
                    records.append("telemetry: item that cannot be read")
        records += self.frameworks.take(others, timed)
        timed.sort(key=lambda one: one[:2])
        for _, _, record in timed:
            record.received_at = export.received_at
            record.source, record.offset = export.source, export.offset
            for name in ("machine", "user"):
                if hasattr(export, name):
                    setattr(record, name, getattr(export, name))
            records.append(record)
        return records

    def _remember(self, item: OtlpItem) -> None:
        make_room(self.spans, SPANS)
        is_known = item.span in self.spans
        attributes = about(item)
        self.spans[item.span] = {**attributes, "parent": item.parent}
        session = item.attributes.get("session.id") or item.attributes.get("acs.session.id")
        if type(session) is str and session and item.trace:
            make_room(self.sessions, SPANS)
            self.sessions.setdefault(item.trace, session)
        call = item.attributes.get("gen_ai.tool.call_id")
        if type(call) is str and "tool" in attributes and not is_known:
            key = (item.trace, attributes["tool"])
            name = taken(item, self.logged.get(key, []))
            if name is not None:
                make_room(self.renamed, SPANS)
                self.renamed[item.span] = name
            else:
                make_room(self.calls, SPANS)
                wait(self.calls.setdefault(key, []), (item.start, item.end, call))

    def _call_of(self, item: OtlpItem) -> str | None:
        """The call id of a log record that has none: that of the next span of its trace and tool
        within its time; where none came yet, one that the span takes over."""
        if item.signal == "span":
            return self.renamed.get(item.span)
        tool = item.attributes.get("function_name")
        if not item.trace or type(tool) is not str or "call_id" in item.attributes:
            return None
        about = f"{item.trace} {item.end} {tool} {item.attributes.get('function_args')}"
        name = sha256(about.encode("utf-8", "replace")).hexdigest()[:24]
        if name not in self.named:
            make_room(self.named, SPANS)
            key = (item.trace, tool)
            call = taken(item, self.calls.get(key, []))
            if call is None:
                make_room(self.logged, SPANS)
                wait(self.logged.setdefault(key, []), (begun(item), item.end, name))
            self.named[name] = call or name
        return self.named[name]

    def _client(
        self,
        item: OtlpItem,
        client: str,
        timed: list[tuple[int, int, Record]],
        made: list[Made],
    ) -> None:
        if not has_table(client, "telemetry"):
            made.append("telemetry: no table of this client")
            return
        vendor = compiled(client, "telemetry").vendor
        if item.signal == "log":
            if vendor.logs is not None and vendor.logs.match(item.name) is None:
                made.append("telemetry: log record without a fact")
                return
            timed.append((item.end, len(timed), self._record(item, client, "end")))
            return
        if vendor.spans is None or vendor.spans.match(item.name) is None:
            made.append("telemetry: span without a fact")
            return
        if self._waits(item, vendor):
            make_room(self.waiting, WAITING)
            self.waiting.setdefault(item.trace, []).append((item, client))
            made.append(NO_SESSION)
            return
        timed.append((item.start, len(timed), self._record(item, client, "start")))
        for name, held in item.events:
            if vendor.span_events is not None and vendor.span_events.match(name) is not None:
                record = self._record(item, client, "event")
                record.payload.update(
                    {key.replace(".", "_"): attribute for key, attribute in held.items()}
                )
                record.payload["otlp"].update(name=name, time=held.get("time", iso(item.start)))
                timed.append((item.start, len(timed), record))
        timed.append((item.end, len(timed), self._record(item, client, "end")))

    def _waits(self, item: OtlpItem, vendor: Vendor) -> bool:
        """Return whether a span takes its session from its trace, which has named none so far."""
        names = vendor.common.get("session_id")
        if type(names) is not tuple or "otlp.trace_session" not in names:
            return False
        if item.trace in self.sessions or len(self.waiting.get(item.trace, ())) >= WAITING:
            return False
        return not any(key.replace(".", "_") in names for key in item.attributes)

    def _record(self, item: OtlpItem, client: str, phase: str) -> Record:
        payload = flat(item, phase=phase)
        about = payload["otlp"]
        if item.trace in self.sessions:
            about["trace_session"] = self.sessions[item.trace]
        parent = self.spans.get(item.parent or (item.span if item.signal == "log" else ""))
        if parent is not None:
            about["parent"] = {name: value for name, value in parent.items() if name != "parent"}
            enclosing = self._enclosing_call(item)
            if enclosing is not None:
                about["inside"] = enclosing
        call = self._call_of(item)
        if call is not None:
            about["call_id"] = call
        return Record(payload, vendor=client, native_event=item.name, witness="telemetry")

    def _enclosing_call(self, item: OtlpItem) -> str | None:
        """The call id of the tool span around an agent around an item: a sub-agent's."""
        at = item.parent
        agent = False
        for _ in range(ANCESTORS):
            span = self.spans.get(at)
            if span is None:
                return None
            if span.get("operation") == "invoke_agent":
                agent = True
            elif agent and "call_id" in span:
                return span["call_id"]
            at = span["parent"]
        return None


def events_of(
    made: list[Made], normalize: Callable[[Record], Normalized], tally: Tally
) -> Normalized:
    """The Events of all that an export holds. Each log record and span counts as one that was read;
    the caller counts the last of them."""
    events: list[Event] = []
    last: Normalized = "telemetry: nothing in it"
    held: Normalized = None
    for item in made:
        if type(item) is Arrived:
            tally.record(str(item), -1)
            continue
        tally.record(held)
        held = last = normalize(item) if isinstance(item, Record) else item
        if isinstance(last, list):
            events += last
    if events and not isinstance(last, list):
        # What is given back counts as produced: it changes places with one that was counted.
        tally.record(last)
        tally.record(events, -1)
    return events or last
