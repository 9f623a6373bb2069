"""OTLP over HTTP: exports of clients and frameworks, appended to the log before they are answered.

    POST /v1/logs | /v1/traces | /v1/metrics    protobuf or JSON, plain or gzip

200 means that the export's content is in the log. `partial_success` counts what was refused and
names what was left out on purpose. 400, 413 and 415 are for good (a client does not send the same
again), 503 is not.
"""

from __future__ import annotations

from threading import Lock

from hookstream.capture.collector.http_messages import Reply
from hookstream.capture.collector.packed import Unusable, unpacked
from hookstream.capture.hook.request import now_text
from hookstream.core.jsons import dumps, loads_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.capture.collector.handler import Handler
    from hookstream.capture.collector.http_messages import HttpRequest
    from hookstream.otlp.records import Telemetry

# path -> signal
SIGNALS = {f"/v1/{signal}": signal for signal in ("logs", "traces", "metrics")}
PROTOBUF = "application/x-protobuf"
JSON = "application/json"
# A bundle has no library that reads it.
NO_PROTOBUF = "no protobuf here: set OTEL_EXPORTER_OTLP_PROTOCOL=http/json"
# An export written out: a few hundred times its gzip form, and no more than fits.
UNPACKED_BYTES = 64 * 1024 * 1024
RETRY_S = 5
# gRPC's words for what is wrong, as OTLP/HTTP uses them
CODES = {400: 3, 413: 3, 415: 3, 503: 14}
REFUSED = {
    "logs": "rejectedLogRecords",
    "traces": "rejectedSpans",
    "metrics": "rejectedDataPoints",
}


class Receiver:
    """Receiver of exports. The memory of spans is shared by all senders and ends with
    the collector."""

    def __init__(self, handler: Handler, most: int = UNPACKED_BYTES) -> None:
        self.handler = handler
        self.most = most
        self.lock = Lock()
        self.telemetry: Telemetry | None = None

    def answer(self, request: HttpRequest) -> Reply:
        """The answer to an export, in the encoding of the request."""
        signal = SIGNALS[request.path.partition("?")[0]]
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        try:
            if kind not in (PROTOBUF, JSON):
                raise Unusable(415, f"content-type: {PROTOBUF} or {JSON}")
            export = decoded(unpacked(request, self.most), kind, signal)
        except Unusable as error:
            return refusal(error.status, error.message, kind)
        try:
            rejected, words = self.take(export)
        except OSError as error:
            self.handler.note(error, None, f"otlp {signal}")
            return refusal(503, "the log takes nothing now", kind)
        except (ValueError, TypeError, LookupError, AttributeError, ArithmeticError) as error:
            # Sent again it would fail again: no 500, which says nothing of that.
            self.handler.note(error, None, f"otlp {signal}")
            return refusal(400, "an item of the export cannot be read", kind)
        return success(signal, kind, rejected, words)

    def take(self, export: dict[str, Any]) -> tuple[int, str]:
        """Append the events of an export; return how many of its items were refused, and a text
        about what was left out. Raises OSError if the log is not writable."""
        from hookstream.core.records import Record
        from hookstream.otlp.records import Telemetry

        with self.lock:
            if self.telemetry is None:
                self.telemetry = Telemetry()
            items = self.telemetry.records(Record(export, received_at=now_text(), kind="otlp"))
        records = [item for item in items if isinstance(item, Record)]
        rejected = self.handler.record_export(records) if records else 0
        left_out: dict[str, int] = {}
        for item in items:
            if isinstance(item, str):
                left_out[item] = left_out.get(item, 0) + 1
        words = [
            f"{count} {reason.removeprefix('telemetry: ')}" for reason, count in left_out.items()
        ]
        return rejected, "not kept: " + ", ".join(words) if words else ""


def decoded(body: bytes, kind: str, signal: str) -> dict[str, Any]:
    """An export as OTLP JSON. Raises Unusable for a body of another kind than its signal."""
    if kind == PROTOBUF:
        from hookstream.otlp.protobuf import Malformed, decode

        try:
            return decode(body, signal)
        except Malformed as error:
            raise Unusable(400, str(error)) from None
        except ImportError:
            raise Unusable(415, NO_PROTOBUF) from None
    export = loads_text(body.decode("utf-8", "replace"))
    if export is None:
        raise Unusable(400, "no JSON")
    root = {"logs": "resourceLogs", "traces": "resourceSpans", "metrics": "resourceMetrics"}[signal]
    if type(export) is not dict or type(export.get(root, [])) is not list:
        raise Unusable(400, f"no export: {root} is missing")
    return {root: export.get(root, [])}


def success(signal: str, kind: str, rejected: int, words: str) -> Reply:
    """200, with a partial success if something was refused or left out."""
    partial: dict[str, Any] = {}
    if rejected:
        partial[REFUSED[signal]] = str(rejected)
    if words or rejected:
        partial["errorMessage"] = words or "could not be read"
    body = {"partialSuccess": partial} if partial else {}
    if kind == JSON:
        return Reply(200, dumps(body))
    from google.protobuf.json_format import ParseDict

    from hookstream.otlp.protobuf import response_class

    return Reply(200, ParseDict(body, response_class(signal)()).SerializeToString(), PROTOBUF)


def refusal(status: int, message: str, kind: str) -> Reply:
    """An error as google.rpc.Status, in the encoding of the request."""
    retry_s = RETRY_S if status == 503 else None
    if kind != PROTOBUF or message == NO_PROTOBUF:
        return Reply(status, dumps({"code": CODES[status], "message": message}), JSON, retry_s)
    from hookstream.otlp.protobuf import status_message

    return Reply(status, status_message(CODES[status], message), PROTOBUF, retry_s)
