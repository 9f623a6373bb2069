"""Request bodies of OTLP/HTTP and their answers, in protobuf (binary) or JSON."""

from __future__ import annotations

import base64
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# signal in the path -> (module, request message)
SIGNALS = {
    "logs": ("logs", "ExportLogsServiceRequest"),
    "traces": ("trace", "ExportTraceServiceRequest"),
    "metrics": ("metrics", "ExportMetricsServiceRequest"),
}
IDS = frozenset(("traceId", "spanId", "parentSpanId"))


class Malformed(ValueError):
    """A body that is no export of its signal; the text says why."""


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
    from google.protobuf.json_format import Error, MessageToDict

    try:
        return _hex(MessageToDict(message, use_integers_for_enums=True))  # type: ignore[no-any-return]
    except (Error, ValueError, RecursionError) as error:
        raise Malformed("an export that cannot be written as JSON") from error


def _hex(value: Any) -> Any:
    """Protobuf's JSON has ids in base64, OTLP's in hex."""
    if type(value) is dict:
        return {
            key: _decoded(one) if key in IDS and type(one) is str else _hex(one)
            for key, one in value.items()
        }
    return [_hex(one) for one in value] if type(value) is list else value


def _decoded(text: str) -> str:
    return base64.b64decode(text).hex()
