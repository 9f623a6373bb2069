"""The log records and spans of an export, one object each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hookstream.core.jsons import JsonObject, objects
from hookstream.otlp.values import attributes_of, code, hex_id, iso, nanos, value_of

# signal -> its lists in OTLP JSON, from the outermost
LISTS = {
    "log": ("resourceLogs", "scopeLogs", "logRecords"),
    "span": ("resourceSpans", "scopeSpans", "spans"),
    "metric": ("resourceMetrics", "scopeMetrics", "metrics"),
}
STATUS = ("STATUS_CODE_UNSET", "STATUS_CODE_OK", "STATUS_CODE_ERROR")
ROOTS = {lists[0]: signal for signal, lists in LISTS.items()}
# One resource by itself, as some collectors write it.
INNER = {lists[1]: signal for signal, lists in LISTS.items()}


@dataclass(slots=True, eq=False)
class Source:
    """The shared facts of the items of one scope: resource attributes, scope name and version."""

    resource: JsonObject
    scope: str
    scope_version: str

    @property
    def service(self) -> str:
        name = self.resource.get("service.name")
        return name if type(name) is str else ""


class OtlpItem:
    """One log record or span. Times are nanoseconds since 1970, 0 if unknown; `status` is
    0 unset, 1 ok, 2 error; `events` are (name, attributes) of a span, `links` (trace, span)."""

    __slots__ = (
        "attributes",
        "body",
        "end",
        "events",
        "links",
        "lost",
        "name",
        "parent",
        "signal",
        "source",
        "span",
        "start",
        "status",
        "status_message",
        "trace",
    )

    def __init__(self, signal: str, source: Source) -> None:
        self.signal = signal
        self.source = source
        self.name = ""
        self.attributes: JsonObject = {}
        self.body: Any = None
        self.trace = self.span = self.parent = ""
        self.start = self.end = 0
        self.status = 0
        self.status_message = ""
        self.events: list[tuple[str, JsonObject]] = []
        self.links: list[tuple[str, str]] = []
        # Kinds of the values that cannot be read.
        self.lost: list[str] = []

    @property
    def scope(self) -> str:
        return self.source.scope

    @property
    def service(self) -> str:
        return self.source.service

    @property
    def duration_ms(self) -> float | None:
        if self.signal != "span" or not self.start or self.end < self.start:
            return None
        return round((self.end - self.start) / 1e6, 3)

    @property
    def time(self) -> str | None:
        """When it ended or was logged."""
        return iso(self.end or self.start)


def signal_of(payload: JsonObject) -> str | None:
    """The signal of an export or of one resource of one; None for anything but OTLP JSON."""
    for table in (ROOTS, INNER):
        for name, signal in table.items():
            if type(payload.get(name)) is list:
                return signal
    return None


def items(payload: JsonObject) -> Iterator[OtlpItem]:
    """The log records and spans of an export in their order. Metrics do not report single calls."""
    for signal in ("log", "span"):
        root, inner, leaf = LISTS[signal]
        whole = payload.get(root)
        resources = whole if type(whole) is list else [payload] if inner in payload else []
        for resource in resources:
            if type(resource) is not dict:
                continue
            held = resource.get("resource")
            resource_attributes = (
                attributes_of(held.get("attributes")) if type(held) is dict else {}
            )
            for part in objects(resource.get(inner)):
                scope = part.get("scope")
                scope = scope if type(scope) is dict else {}
                name, version = scope.get("name"), scope.get("version")
                source = Source(
                    resource_attributes,
                    name if type(name) is str else "",
                    version if type(version) is str else "",
                )
                read = _log if signal == "log" else _span
                for leaf_item in objects(part.get(leaf)):
                    yield read(leaf_item, source)


def count_metrics(payload: JsonObject) -> int:
    """Return how many metrics an export holds."""
    root, inner, leaf = LISTS["metric"]
    resources = payload.get(root)
    count = 0
    for resource in objects(resources if type(resources) is list else [payload]):
        for part in objects(resource.get(inner)):
            count += len(objects(part.get(leaf)))
    return count


def _log(record: JsonObject, source: Source) -> OtlpItem:
    item = OtlpItem("log", source)
    item.attributes = attributes_of(record.get("attributes"), lost=item.lost)
    item.body = value_of(record.get("body"), lost=item.lost)
    item.end = nanos(record.get("timeUnixNano")) or nanos(record.get("observedTimeUnixNano"))
    item.trace = hex_id(record.get("traceId"))
    item.span = hex_id(record.get("spanId"))
    for name in (item.attributes.get("event.name"), record.get("eventName"), item.body):
        if type(name) is str and name and not name.startswith("event "):  # a place in a source
            item.name = name
            break
    return item


def _span(record: JsonObject, source: Source) -> OtlpItem:
    item = OtlpItem("span", source)
    name = record.get("name")
    item.name = name if type(name) is str else ""
    item.attributes = attributes_of(record.get("attributes"), lost=item.lost)
    item.trace = hex_id(record.get("traceId"))
    item.span = hex_id(record.get("spanId"))
    item.parent = hex_id(record.get("parentSpanId"))
    item.start = nanos(record.get("startTimeUnixNano"))
    item.end = nanos(record.get("endTimeUnixNano"))
    status = record.get("status")
    if type(status) is dict:
        item.status = code(status.get("code"), STATUS)
        message = status.get("message")
        item.status_message = message if type(message) is str else ""
    for event in objects(record.get("events")):
        if type(event.get("name")) is str:
            at = iso(nanos(event.get("timeUnixNano")))
            held = attributes_of(event.get("attributes"), lost=item.lost)
            item.events.append((event["name"], held if at is None else {**held, "time": at}))
    for link in objects(record.get("links")):
        item.links.append((hex_id(link.get("traceId")), hex_id(link.get("spanId"))))
    return item
