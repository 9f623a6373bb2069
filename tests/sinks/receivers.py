"""Real receivers on loopback: they read by the rules of a format's owner, answer by script."""

from __future__ import annotations

import gzip
import json
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote

import pytest


class Request:
    def __init__(self, path: str, headers: dict[str, str], body: bytes) -> None:
        self.path = path
        self.headers = headers
        self.body = body


Answer = tuple[int, dict[str, str], bytes]


class Receiver:
    """Keeps every request; `script` holds answers for the next ones, `answer` the rule behind."""

    def __init__(self, answer: Callable[[Request], Answer]) -> None:
        self.requests: list[Request] = []
        self.script: list[Answer | str] = []
        self.answer = answer
        self.port = 0

    def url(self, path: str = "") -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def take(self, request: Request) -> Answer | str:
        self.requests.append(request)
        if self.script:
            return self.script.pop(0)
        return self.answer(request)


@contextmanager
def serve(receiver: Receiver, tls: Any = None) -> Iterator[Receiver]:
    """`script` words: "reset" closes without an answer, "half" breaks off inside the body, "stall"
    does not answer for two seconds, "trickle" sends a byte at a time, "early" refuses unread."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            if receiver.script[:1] == ["early"]:
                self._early()
                return
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            if self.headers.get("content-encoding") == "gzip":
                body = gzip.decompress(body)
            names = {name.lower(): value for name, value in self.headers.items()}
            answer = receiver.take(Request(self.path, names, body))
            if isinstance(answer, str):
                self._misbehave(answer)
                return
            status, headers, data = answer
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def _early(self) -> None:
            """Refuses and closes without having read the body."""
            receiver.script.pop(0)
            receiver.requests.append(Request(self.path, {}, b""))
            self.wfile.write(b"HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n")
            self.close_connection = True

        def _misbehave(self, word: str) -> None:
            self.close_connection = True
            if word == "half":
                self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
            elif word == "stall":
                stop.wait(2)
            elif word == "trickle":
                for byte in b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n":
                    self.wfile.write(bytes((byte,)))
                    stop.wait(0.1)
            self.connection.close()

        def log_message(self, format: str, *args: object) -> None: ...

        def handle(self) -> None:
            with suppress(OSError):
                super().handle()

    stop = threading.Event()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True)
    receiver.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        stop.set()
        server.shutdown()
        server.server_close()


def plain(_: Request) -> Answer:
    return 200, {}, b""


def otlp_records(request: Request) -> list[Any]:
    """The log records of a request, decoded whole; unknown or broken bytes raise."""
    from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest

    assert request.headers["content-type"] == "application/x-protobuf"
    message = ExportLogsServiceRequest.FromString(request.body)
    return [r for logs in message.resource_logs for s in logs.scope_logs for r in s.log_records]


def uid(record: Any) -> str:
    """The id under which a log record can be recognised when it comes twice."""
    return next(a.value.string_value for a in record.attributes if a.key == "log.record.uid")


def otlp_answer(rejected: int = 0, said: str = "") -> Answer:
    from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceResponse

    message = ExportLogsServiceResponse()
    if rejected:
        message.partial_success.rejected_log_records = rejected
        message.partial_success.error_message = said
    return 200, {"Content-Type": "application/x-protobuf"}, message.SerializeToString()


def cloudevents(request: Request) -> list[dict[str, Any]]:
    """The attributes of a request's events, with their data: structured, batched or binary."""
    kind = request.headers["content-type"]
    if kind.startswith("application/cloudevents-batch+json"):
        batch: list[dict[str, Any]] = json.loads(request.body)
        return batch
    if kind.startswith("application/cloudevents+json"):
        return [json.loads(request.body)]
    found = {n[3:]: unquote(v) for n, v in request.headers.items() if n.startswith("ce-")}
    return [{**found, "datacontenttype": kind, "data": json.loads(request.body)}]


class Bulk:
    """Elasticsearch's bulk interface as far as a client sees it: strict lines, `create` only."""

    def __init__(self) -> None:
        self.documents: dict[str, dict[str, Any]] = {}
        self.poison: dict[str, tuple[int, str]] = {}

    def __call__(self, request: Request) -> Answer:
        assert request.headers["content-type"] == "application/x-ndjson"
        assert request.path.partition("?")[0].endswith("/_bulk")
        assert request.body.endswith(b"\n")
        lines = request.body.splitlines()
        assert len(lines) % 2 == 0
        items = []
        for action, source in zip(lines[::2], lines[1::2], strict=True):
            ((verb, about),) = json.loads(action).items()
            assert verb == "create"
            items.append({verb: self.create(about["_id"], json.loads(source))})
        errors = any(item["create"]["status"] >= 400 for item in items)
        shown: dict[str, Any] = {"errors": errors, "items": items}
        return 200, {"Content-Type": "application/json"}, json.dumps(shown).encode()

    def create(self, name: str, document: dict[str, Any]) -> dict[str, Any]:
        if name in self.poison:
            status, kind = self.poison[name]
            return {"status": status, "error": {"type": kind, "reason": "no"}}
        if name in self.documents:
            return {"status": 409, "error": {"type": "version_conflict_engine_exception"}}
        self.documents[name] = document
        return {"status": 201}


class Collector:
    """Splunk's event collector as far as a client sees it, with indexer acknowledgement."""

    def __init__(self, token: str, *, ack: bool = False) -> None:
        self.token = token
        self.ack = ack
        self.events: list[dict[str, Any]] = []
        self.poison: set[str] = set()
        self.waiting: list[int] = []
        self.indexing = True
        self.channels: set[str] = set()
        self.numbers = 0

    def __call__(self, request: Request) -> Answer:
        if request.headers.get("authorization") != f"Splunk {self.token}":
            return self.say(403, 4, "Invalid token")
        path, _, query = request.path.partition("?")
        if path.endswith("/ack"):
            assert query.removeprefix("channel=") in self.channels
            asked = json.loads(request.body)["acks"]
            done = {str(n): self.indexing and n in self.waiting for n in asked}
            return 200, {}, json.dumps({"acks": done}).encode()
        assert path == "/services/collector/event"
        channel = request.headers.get("x-splunk-request-channel")
        if self.ack and channel is None:
            return self.say(400, 10, "Data channel is missing")
        self.channels.add(channel or "")
        found = [json.loads(line) for line in request.body.split(b"\n")]
        for number, event in enumerate(found):
            if not event.get("event"):
                return self.say(400, 12, "Event field is required")
            if event["event"].get("event_id") in self.poison:
                return self.say(400, 6, "Invalid data format", **{"invalid-event-number": number})
        self.events += found
        self.numbers += 1
        self.waiting.append(self.numbers)
        return self.say(200, 0, "Success", **({"ackId": self.numbers} if self.ack else {}))

    def say(self, status: int, code: int, text: str, **more: Any) -> Answer:
        return status, {}, json.dumps({"text": text, "code": code, **more}).encode()


HEADER = re.compile(
    rb"<(\d{1,3})>1 (\S+) (\S+) (\S+) (\S+) (\S+) (-|(?:\[[^\]\\]*(?:\\.[^\]\\]*)*\])+) ?"
)
STAMP = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?(Z|[+-]\d\d:\d\d)\Z")


class Frame:
    """A syslog message, parsed by the grammar of RFC 5424; AssertionError where it is none."""

    def __init__(self, data: bytes) -> None:
        found = HEADER.match(data)
        assert found is not None, data[:200]
        priority = int(found[1])
        assert 0 <= priority <= 191
        assert str(priority).encode() == found[1]
        self.facility, self.severity = divmod(priority, 8)
        fields = [found[n].decode("ascii") for n in range(2, 7)]
        self.stamp, self.host, self.app, self.process, self.kind = fields
        assert self.stamp == "-" or STAMP.match(self.stamp)
        for field, longest in zip(fields[1:], (255, 48, 128, 32), strict=True):
            assert re.fullmatch(r"[!-~]+", field)
            assert len(field) <= longest
        self.structured = found[7].decode()
        body = data[found.end() :]
        self.body = body.removeprefix(b"\xef\xbb\xbf")
        assert self.body.isascii() or len(self.body) < len(body), "UTF-8 without its mark"
        assert b"\n" not in self.body


class SyslogReceiver:
    """Takes octet-counted frames over TCP or TLS, and datagrams."""

    def __init__(self) -> None:
        self.frames: list[Frame] = []
        self.broken = 0
        self.port = 0
        self.close_after: int | None = None

    def read(self, connection: socket.socket) -> None:
        data = b""
        while chunk := connection.recv(65536):
            data += chunk
            while (space := data.find(b" ")) > 0:
                length = int(data[:space])
                if len(data) < space + 1 + length:
                    break
                self.frames.append(Frame(data[space + 1 : space + 1 + length]))
                data = data[space + 1 + length :]
                if self.close_after is not None and len(self.frames) >= self.close_after:
                    self.close_after = None
                    return
        self.broken += bool(data)


@contextmanager
def serve_syslog(receiver: SyslogReceiver, tls: Any = None) -> Iterator[SyslogReceiver]:
    server = socket.create_server(("127.0.0.1", 0))
    receiver.port = server.getsockname()[1]
    stop = threading.Event()

    def accept() -> None:
        server.settimeout(0.05)
        while not stop.is_set():
            with suppress(OSError):
                connection, _ = server.accept()
                threading.Thread(target=talk, args=(connection,), daemon=True).start()

    def talk(connection: socket.socket) -> None:
        with suppress(OSError):
            connection.settimeout(None)
            if tls is not None:
                connection = tls.wrap_socket(connection, server_side=True)
            with connection:
                receiver.read(connection)

    thread = threading.Thread(target=accept, daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        stop.set()
        thread.join()
        server.close()


def eventually(test: Callable[[], bool], within_s: float = 3.0) -> bool:
    """Whether it comes true: what a receiver has read of a stream comes a moment later."""
    until = time.monotonic() + within_s
    while not test() and time.monotonic() < until:
        time.sleep(0.01)
    return test()


class GrpcReceiver:
    """OTLP's two services, decoding everything; `script` holds status names for the next calls."""

    def __init__(self) -> None:
        self.logs: list[Any] = []
        self.spans: list[Any] = []
        self.script: list[str] = []
        self.refuse: set[str] = set()
        self.metadata: list[dict[str, str]] = []
        self.port = 0

    def uids(self) -> list[str]:
        return [uid(record) for record in self.logs]


@contextmanager
def serve_grpc() -> Iterator[GrpcReceiver]:
    grpc = pytest.importorskip("grpc", reason="needs the extra grpc")
    from concurrent.futures import ThreadPoolExecutor

    from opentelemetry.proto.collector.logs.v1 import logs_service_pb2 as logs_pb
    from opentelemetry.proto.collector.trace.v1 import trace_service_pb2 as trace_pb

    far = GrpcReceiver()

    def answer(context: Any) -> None:
        far.metadata.append(dict(context.invocation_metadata()))
        if far.script:
            context.abort(grpc.StatusCode[far.script.pop(0)], "scripted")

    def logs(message: Any, context: Any) -> Any:
        answer(context)
        found = [
            record
            for one in message.resource_logs
            for scope in one.scope_logs
            for record in scope.log_records
        ]
        taken = [record for record in found if uid(record) not in far.refuse]
        far.logs += taken
        reply = logs_pb.ExportLogsServiceResponse()
        reply.partial_success.rejected_log_records = len(found) - len(taken)
        return reply

    def traces(message: Any, context: Any) -> Any:
        answer(context)
        far.spans += [s for r in message.resource_spans for sc in r.scope_spans for s in sc.spans]
        return trace_pb.ExportTraceServiceResponse()

    def handler(function: Any, request: Any) -> Any:
        return grpc.unary_unary_rpc_method_handler(
            function, request.FromString, lambda reply: reply.SerializeToString()
        )

    base = "opentelemetry.proto.collector"
    server = grpc.server(ThreadPoolExecutor(2))
    for service, function, request in (
        (f"{base}.logs.v1.LogsService", logs, logs_pb.ExportLogsServiceRequest),
        (f"{base}.trace.v1.TraceService", traces, trace_pb.ExportTraceServiceRequest),
    ):
        made = {"Export": handler(function, request)}
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, made),))
    far.port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield far
    finally:
        server.stop(None)
