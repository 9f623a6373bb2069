"""OTLP log records as protobuf messages (docs/decisions/0001-otlp-direct.md)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hookstream.core.event import Event
from hookstream.core.times import micros
from hookstream.sinks.formats.attributes import attributes
from hookstream.sinks.formats.semconv import BEFORE, TODAY, today
from hookstream.sinks.formats.trace import span_id, trace_id
from hookstream.sinks.formats.words import sentence, severity, snake
from hookstream.version import __version__

_INT64 = 1 << 63


def log_record(
    event: Event,
    *,
    aarts: bool,
    arguments: bool,
    sampled_rate: int | None = None,
    also: Mapping[str, str] | None = None,
    semconv: str = BEFORE,
) -> Any:
    """The event as an `opentelemetry.proto.logs.v1.LogRecord`, with further attributes; `semconv`
    is the generation of the GenAI conventions."""
    from opentelemetry.proto.logs.v1.logs_pb2 import LogRecord

    at = nanoseconds(event.facts["timestamp"])
    grave: Any = severity(event)
    given = attributes(event, aarts=aarts, arguments=arguments)
    if semconv == TODAY:
        is_agent = given.get("gen_ai.operation.name") == "invoke_agent"
        given = today(given, event, is_agent=is_agent)
    if sampled_rate is not None:
        given["hookstream.sampled_rate"] = sampled_rate
    given.update(also or {})
    return LogRecord(
        time_unix_nano=at,
        observed_time_unix_nano=nanoseconds(event.facts.get("received_at")) or at,
        severity_number=grave,
        event_name=f"agent_hooks.{snake(event.type)}",
        body=value(sentence(event)),
        attributes=pairs(given),
        trace_id=trace_id(event),
        span_id=span_id(event),
        flags=1,
    )


def request(records: list[bytes]) -> bytes:
    """An ExportLogsServiceRequest around serialised log records."""
    from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest

    message = ExportLogsServiceRequest()
    logs = message.resource_logs.add()
    logs.resource.attributes.extend(pairs(resource()))
    scope = logs.scope_logs.add()
    _sign(scope.scope)
    for record in records:
        scope.log_records.add().ParseFromString(record)
    data: bytes = message.SerializeToString()
    return data


def trace_request(spans: list[bytes]) -> bytes:
    """An ExportTraceServiceRequest around serialised spans."""
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    message = ExportTraceServiceRequest()
    traces = message.resource_spans.add()
    traces.resource.attributes.extend(pairs(resource()))
    scope = traces.scope_spans.add()
    _sign(scope.scope)
    for span in spans:
        scope.spans.add().ParseFromString(span)
    data: bytes = message.SerializeToString()
    return data


def _sign(scope: Any) -> None:
    scope.name = "hookstream"
    scope.version = __version__


def resource() -> dict[str, Any]:
    """The resource, without machine and randomness: repeatable, and silent on where it ran."""
    return {
        "service.name": "hookstream",
        "service.version": __version__,
        "telemetry.sdk.name": "hookstream",
        "telemetry.sdk.language": "python",
        "telemetry.sdk.version": __version__,
    }


def pairs(given: dict[str, Any]) -> list[Any]:
    from opentelemetry.proto.common.v1.common_pb2 import KeyValue

    return [KeyValue(key=name, value=value(one)) for name, one in given.items()]


def value(given: Any) -> Any:
    """An AnyValue; an integer beyond 64 bits travels as text, broken text is mended."""
    from opentelemetry.proto.common.v1.common_pb2 import AnyValue, ArrayValue

    if isinstance(given, bool):
        return AnyValue(bool_value=given)
    if isinstance(given, int):
        if -_INT64 <= given < _INT64:
            return AnyValue(int_value=given)
        return AnyValue(string_value=str(given))
    if isinstance(given, float):
        return AnyValue(double_value=given)
    if isinstance(given, list):
        return AnyValue(array_value=ArrayValue(values=[value(one) for one in given]))
    return AnyValue(string_value=str(given).encode("utf-8", "replace").decode("utf-8"))


def nanoseconds(moment: str | None) -> int:
    """RFC 3339 text to nanoseconds since 1970; 0, OTLP's unknown, if it is invalid or earlier."""
    return max(0, micros(moment) or 0) * 1000
