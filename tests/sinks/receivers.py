"""Real receivers on loopback: they read by the rules of a format's owner, answer by script."""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


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
    does not answer for two seconds."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
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

        def _misbehave(self, word: str) -> None:
            self.close_connection = True
            if word == "half":
                self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
            elif word == "stall":
                stop.wait(2)
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
    """The structured events of a request, one or a batch."""
    given = json.loads(request.body)
    return (
        given
        if request.headers["content-type"].startswith("application/cloudevents-batch+json")
        else [given]
    )
