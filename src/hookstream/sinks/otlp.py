"""`otlp:http(s)://host:4318[/v1/logs]`: OpenTelemetry logs over HTTP, in protobuf.

Partial success is read: where the far end takes only a part of a request without saying which
records it refused, smaller requests find them. What was accepted may then come twice, with the
same `log.record.uid`.
"""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from hookstream.sinks.base import DELIVERED, Receipt, SinkError, rejected, retry
from hookstream.sinks.delivery import deliver, in_order, portions
from hookstream.sinks.formats.otlp import log_record, request
from hookstream.sinks.http import SETUP_WAIT_S, Client, Unreachable, meaning, unreachable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hookstream.sinks.base import Rendered
    from hookstream.sinks.http import Answer

PATH = "/v1/logs"
PROTOBUF = "application/x-protobuf"
MAX_BATCH = 512
MAX_BATCH_BYTES = 3 << 20  # collectors commonly refuse more than 4 MiB
COMPRESSIONS = ("none", "gzip")


def open_sink(
    uri: str,
    target: str,
    *,
    standard: str,
    arguments: bool = False,
    token: str | None = None,
    headers: Mapping[str, str] | None = None,
    compression: str = "none",
    timeout_s: float = 10.0,
    ca_file: str | None = None,
    cert_file: str | None = None,
    key_file: str | None = None,
) -> OtlpSink:
    if compression not in COMPRESSIONS:
        raise SinkError(f"otlp: {compression!r} is no compression; one of none, gzip")
    client = Client(
        uri,
        endpoint(target),
        headers=headers,
        token=token,
        timeout_s=timeout_s,
        ca_file=ca_file,
        cert_file=cert_file,
        key_file=key_file,
    )
    return OtlpSink(uri, client, standard, arguments=arguments, zipped=compression == "gzip")


def endpoint(target: str) -> str:
    """The address of logs: a base address gets the protocol's path."""
    try:
        path = urlsplit(target).path
    except ValueError:
        return target
    if path.endswith(PATH):
        return target
    head, mark, query = target.partition("?")
    return head.rstrip("/") + PATH + mark + query


class PartlyRefused(Exception):
    """The far end took a request but for `count` records it does not name."""

    def __init__(self, count: int, reason: str) -> None:
        super().__init__(reason)
        self.count = count
        self.reason = reason


class OtlpSink:
    """One log record an event. `arguments` sends command lines and paths too."""

    def __init__(
        self, uri: str, client: Client, standard: str, *, arguments: bool, zipped: bool
    ) -> None:
        self.uri = uri
        self._client = client
        self._aarts = standard != "agent-hooks"
        self._arguments = arguments
        self._zipped = zipped
        self._content_headers = {"Content-Encoding": "gzip"} if zipped else None

    def write(self, batch: list[Rendered]) -> list[Receipt]:
        records = [
            log_record(item.event, aarts=self._aarts, arguments=self._arguments).SerializeToString()
            for item in batch
        ]
        parts = portions(records, len, MAX_BATCH, MAX_BATCH_BYTES)
        return in_order(parts, self._portion, len(records))

    def _portion(self, records: list[bytes]) -> list[Receipt]:
        return deliver(records, self._answered)

    def _answered(self, records: list[bytes]) -> Receipt | list[Receipt]:
        try:
            return self._send(records)
        except PartlyRefused as partly:
            return self._isolate(records, partly.count, partly.reason)

    def _isolate(self, records: list[bytes], count: int, reason: str) -> list[Receipt]:
        """Which `count` of the records are refused, asking about the first half only: the other
        half's number follows."""
        if count <= 0:
            return [DELIVERED] * len(records)
        if count >= len(records):
            return [rejected(reason)] * len(records)
        half = len(records) // 2
        first = records[:half]
        answer = self._answered(first)
        found = answer if isinstance(answer, list) else [answer] * half
        if found[-1].status == "retry":
            return found + [found[-1]] * (len(records) - half)
        refused = sum(receipt.status == "rejected" for receipt in found)
        return found + self._isolate(records[half:], count - refused, reason)

    def _send(self, records: list[bytes]) -> Receipt:
        body = request(records)
        if self._zipped:
            body = gzip.compress(body, 6, mtime=0)
        try:
            answer = self._client.post(body, PROTOBUF, headers=self._content_headers)
        except Unreachable as error:
            return unreachable(error)
        receipt = meaning(answer)
        return self._read(answer) if receipt is DELIVERED else receipt

    def _read(self, answer: Answer) -> Receipt:
        try:
            count, said = partial_success(answer)
        except ValueError:
            return retry("HTTP 200 without an OTLP answer: check the address", SETUP_WAIT_S)
        reason = "refused by the far end" + (f": {said}" if said else "")
        if count > 0:
            raise PartlyRefused(count, reason)
        return DELIVERED

    def reject(self, lines: list[bytes]) -> None:
        """A rejection is no event."""

    def flush(self) -> None:
        """Nothing waits here: what was answered is the far end's."""

    def close(self) -> None:
        self._client.close()


def partial_success(answer: Answer) -> tuple[int, str]:
    """How many records an answer 2xx refuses, and why. ValueError when it is no OTLP answer."""
    from google.protobuf.message import DecodeError  # type: ignore[import-untyped]
    from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceResponse

    if not answer.body:
        return 0, ""
    kind = answer.headers.get("content-type", PROTOBUF).partition(";")[0].strip().lower()
    if kind == "application/json":
        given = json.loads(answer.body)
        part = given.get("partialSuccess") if isinstance(given, dict) else None
        part = part if isinstance(part, dict) else {}
        number, said = part.get("rejectedLogRecords") or 0, part.get("errorMessage")
        return int(number), _plain(str(said or ""))
    if kind != PROTOBUF:
        raise ValueError(kind)
    message = ExportLogsServiceResponse()
    try:
        message.ParseFromString(answer.body)
    except DecodeError as error:
        raise ValueError("no protobuf") from error
    partial = message.partial_success
    return partial.rejected_log_records, _plain(partial.error_message)


def _plain(text: str) -> str:
    return "".join(char if char.isprintable() else " " for char in text)[:120]
