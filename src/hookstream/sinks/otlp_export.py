"""OTLP export over HTTP: requests and response handling, for logs and traces.

Partial success is read: if the receiver takes only a part of a request without saying which
records it refused, smaller requests find them. What was accepted may then come twice, with the
same id.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from hookstream.sinks.base import DELIVERED, Receipt, rejected, setup_fault
from hookstream.sinks.delivery import deliver, in_order, portions
from hookstream.sinks.formats.otlp import request, trace_request
from hookstream.sinks.http import HttpAnswer, HttpClient, Unreachable, meaning, unreachable

PROTOBUF = "application/x-protobuf"
MOST = 512
MOST_BYTES = 3 << 20  # collectors commonly refuse more than 4 MiB


@dataclass(eq=False)
class Signal:
    """Logs or traces: their path, how a request is built, how an answer counts refusals."""

    path: str
    method: str
    build: Callable[[list[bytes]], bytes]
    refused: str

    def response(self) -> Any:
        """An empty answer message of this signal."""
        if self is LOGS:
            from opentelemetry.proto.collector.logs.v1 import logs_service_pb2

            return logs_service_pb2.ExportLogsServiceResponse()
        from opentelemetry.proto.collector.trace.v1 import trace_service_pb2

        return trace_service_pb2.ExportTraceServiceResponse()

    def counted(self, data: bytes) -> tuple[int, str]:
        """Return how many records an answer refuses, and why. ValueError if it is invalid."""
        message = self.response()
        try:
            message.ParseFromString(data)
        except Exception as error:  # DecodeError, of a package without types
            raise ValueError("no protobuf") from error
        partial = message.partial_success
        return getattr(partial, self.refused), _plain(partial.error_message)


_SERVICE = "/opentelemetry.proto.collector"
LOGS = Signal("/v1/logs", f"{_SERVICE}.logs.v1.LogsService/Export", request, "rejected_log_records")
TRACES = Signal(
    "/v1/traces", f"{_SERVICE}.trace.v1.TraceService/Export", trace_request, "rejected_spans"
)


class OtlpTransport(Protocol):
    """The transport of a request: a receipt, or (records refused, why) of an accepting answer."""

    def call(self, signal: Signal, body: bytes) -> Receipt | tuple[int, str]: ...

    def close(self) -> None: ...


class Exporter:
    """Serialised records of one signal to receipts, in order."""

    def __init__(self, transport: OtlpTransport, signal: Signal) -> None:
        self._transport = transport
        self._signal = signal

    def export(self, records: list[bytes]) -> list[Receipt]:
        parts = portions(records, len, MOST, MOST_BYTES)
        return in_order(parts, lambda part: deliver(part, self._send), len(records))

    def _send(self, records: list[bytes]) -> Receipt | list[Receipt]:
        answer = self._transport.call(self._signal, self._signal.build(records))
        if isinstance(answer, Receipt):
            return answer
        count, said = answer
        reason = "refused by the far end" + (f": {said}" if said else "")
        return self._isolate(records, count, reason) if count > 0 else DELIVERED

    def _isolate(self, records: list[bytes], count: int, reason: str) -> list[Receipt]:
        """Find the `count` refused records, asking about the first half only: the other
        half's number follows."""
        if count <= 0:
            return [DELIVERED] * len(records)
        if count >= len(records):
            return [rejected(reason)] * len(records)
        half = len(records) // 2
        answer = self._send(records[:half])
        found = answer if isinstance(answer, list) else [answer] * half
        if found[-1].status == "retry":
            return found + [found[-1]] * (len(records) - half)
        refused = sum(receipt.status == "rejected" for receipt in found)
        return found + self._isolate(records[half:], count - refused, reason)


class HttpTransport:
    """Protobuf over HTTP: one connection, the signal's path after the base address."""

    def __init__(self, client: HttpClient, *, zipped: bool) -> None:
        self._client = client
        self._zipped = zipped
        path, mark, query = client.target.partition("?")
        self._base = path.removesuffix(LOGS.path).rstrip("/")
        self._query = mark + query

    def call(self, signal: Signal, body: bytes) -> Receipt | tuple[int, str]:
        headers = {"Content-Encoding": "gzip"} if self._zipped else None
        if self._zipped:
            body = gzip.compress(body, 6, mtime=0)
        target = f"{self._base}{signal.path}{self._query}"
        try:
            answer = self._client.post(body, PROTOBUF, target, headers)
        except Unreachable as error:
            return unreachable(error)
        receipt = meaning(answer)
        if receipt is not DELIVERED:
            return receipt
        try:
            return partial_success(signal, answer)
        except ValueError:
            return setup_fault("HTTP 200 without an OTLP answer: check the address")

    def close(self) -> None:
        self._client.close()


def partial_success(signal: Signal, answer: HttpAnswer) -> tuple[int, str]:
    """Return how many records an answer 2xx refuses, and why. ValueError for other answers."""
    if not answer.body:
        return 0, ""
    kind = answer.headers.get("content-type", PROTOBUF).partition(";")[0].strip().lower()
    if kind == "application/json":
        return _json_answer(json.loads(answer.body))
    if kind != PROTOBUF:
        raise ValueError(kind)
    return signal.counted(answer.body)


def _json_answer(given: Any) -> tuple[int, str]:
    part = given.get("partialSuccess") if isinstance(given, dict) else None
    if not isinstance(part, dict):
        return 0, ""
    number = part.get("rejectedLogRecords") or part.get("rejectedSpans") or 0
    return int(number), _plain(str(part.get("errorMessage") or ""))


def _plain(text: str) -> str:
    return "".join(char if char.isprintable() else " " for char in text)[:120]
