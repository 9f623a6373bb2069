"""Telemetry that a client writes to a file, not as OTLP: the SDK's objects as they are in memory
(Gemini CLI, Qwen Code) and lines of plain spans (Copilot CLI)."""

from __future__ import annotations

from hookstream.otlp.items import OtlpItem, Source
from hookstream.otlp.values import hex_id, iso

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

BILLION = 1_000_000_000


def is_outfile(payload: dict[str, Any]) -> bool:
    """Return whether an object is a log record, a span or metrics of a client's own file."""
    if payload.get("type") in ("span", "metric"):
        return "traceId" in payload or "dataPoints" in payload
    if "instrumentationScope" in payload:
        return "hrTime" in payload or "_hrTime" in payload or "_spanContext" in payload
    held = payload.get("resource")
    return type(held) is dict and "_rawAttributes" in held and "scopeMetrics" in payload


def item_of(payload: dict[str, Any]) -> OtlpItem | None:
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


def _source(payload: dict[str, Any]) -> Source:
    resource = payload.get("resource")
    known: dict[str, Any] = {}
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


def _span(item: OtlpItem, payload: dict[str, Any]) -> None:
    name = payload.get("name")
    item.name = name if type(name) is str else ""
    item.start = moment(payload.get("startTime"))
    item.end = moment(payload.get("endTime"))
    parent = payload.get("parentSpanContext")
    known = parent.get("spanId") if type(parent) is dict else payload.get("parentSpanId")
    item.parent = hex_id(known)
    status = payload.get("status")
    if type(status) is dict:
        code = status.get("code")
        item.status = code if type(code) is int and code in (1, 2) else 0
        message = status.get("message")
        item.status_message = message if type(message) is str else ""
    events = payload.get("events")
    for event in events if type(events) is list else ():
        if type(event) is dict and type(event.get("name")) is str:
            given = event.get("attributes")
            held = dict(given) if type(given) is dict else {}
            at = iso(moment(event.get("time")))
            item.events.append((event["name"], held if at is None else {**held, "time": at}))


def moment(value: Any) -> int:
    """[seconds, nanoseconds] as nanoseconds since 1970; 0 for anything else."""
    if type(value) is list and len(value) == 2 and all(type(one) is int for one in value):
        return value[0] * BILLION + value[1] if 0 < value[0] < 1 << 33 else 0
    return 0
