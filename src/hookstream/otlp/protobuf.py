"""Request bodies of OTLP/HTTP and their answers, in protobuf (binary) or JSON."""

from __future__ import annotations

import base64
from collections.abc import Callable
from importlib import import_module
from math import isfinite, isnan
from typing import Any

# signal in the path -> (module, request message)
SIGNALS = {
    "logs": ("logs", "ExportLogsServiceRequest"),
    "traces": ("trace", "ExportTraceServiceRequest"),
    "metrics": ("metrics", "ExportMetricsServiceRequest"),
}
IDS = frozenset(("traceId", "spanId", "parentSpanId"))


class Malformed(ValueError):
    """A body that is not an export of its signal; the text says why."""


def request_class(signal: str) -> Any:
    module, name = SIGNALS[signal]
    path = f"opentelemetry.proto.collector.{module}.v1.{module}_service_pb2"
    return getattr(import_module(path), name)


def response_class(signal: str) -> Any:
    """The message that answers an export of a signal."""
    module, name = SIGNALS[signal]
    path = f"opentelemetry.proto.collector.{module}.v1.{module}_service_pb2"
    return getattr(import_module(path), name.replace("Request", "Response"))


def status_message(code: int, message: str) -> bytes:
    """A google.rpc.Status: field 1 the code, field 2 the message."""
    from google.rpc.status_pb2 import Status

    return Status(code=code, message=message).SerializeToString()  # type: ignore[no-any-return]


def decode(body: bytes, signal: str) -> dict[str, Any]:
    """A protobuf body as OTLP JSON: ids in hex, 64-bit integers as texts. Raises Malformed."""
    from google.protobuf.message import DecodeError

    message = request_class(signal)()
    try:
        message.ParseFromString(body)
    except (DecodeError, ValueError, RecursionError) as error:
        raise Malformed("no protobuf export of this signal") from error
    return to_json(message)


def to_json(message: Any) -> dict[str, Any]:
    """A parsed export request as OTLP JSON."""
    try:
        return _object(message)
    except (ValueError, RecursionError) as error:
        raise Malformed("an export that cannot be written as JSON") from error


# field -> (name in JSON, what writes one value or None, whether it is a list)
_fields: dict[Any, tuple[str, Callable[[Any], Any] | None, bool]] = {}


def _object(message: Any) -> dict[str, Any]:
    fields = {}
    for field, value in message.ListFields():
        name, write, is_list = _fields.get(field) or _learn(field)
        if is_list:
            fields[name] = list(value) if write is None else [write(item) for item in value]
        else:
            fields[name] = value if write is None else write(value)
    return fields


def _learn(field: Any) -> tuple[str, Callable[[Any], Any] | None, bool]:
    """Return how to write a field: ids in hex, other bytes in base64, 64-bit integers as text."""
    name = field.json_name
    write: Callable[[Any], Any] | None = None
    if field.cpp_type == field.CPPTYPE_MESSAGE:
        write = _object
    elif field.cpp_type in (field.CPPTYPE_INT64, field.CPPTYPE_UINT64):
        write = str
    elif field.cpp_type in (field.CPPTYPE_DOUBLE, field.CPPTYPE_FLOAT):
        write = _number
    elif field.type == field.TYPE_BYTES:
        write = bytes.hex if name in IDS else _base64
    is_list = getattr(field, "is_repeated", None)  # older libraries have `label` alone
    field_writer = (
        name,
        write,
        field.label == field.LABEL_REPEATED if is_list is None else is_list,
    )
    return _fields.setdefault(field, field_writer)


def _number(value: float) -> float | str:
    if isfinite(value):
        return value
    return "NaN" if isnan(value) else "Infinity" if value > 0 else "-Infinity"


def _base64(value: bytes) -> str:
    return base64.b64encode(value).decode()
