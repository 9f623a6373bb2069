"""A receiver on loopback that misbehaves as its script says, and remembers what it took."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from hookstream.delivery.follow import Plan
from hookstream.sinks import open_sink

# What a request is answered with: a status, (status, Retry-After), or a word.
Answer = int | tuple[int, str] | str


class Far:
    """`answer` says for the ids of a request what it gets; taken ones stand in `ids`."""

    def __init__(self, answer: Callable[[list[str]], Answer] = lambda ids: 200) -> None:
        self.answer = answer
        self.ids: list[str] = []
        self.bodies: dict[str, set[str]] = {}
        self.at: dict[str, float] = {}
        self.requests = 0
        self.port = 0

    @property
    def plan(self) -> Plan:
        uri = f"cloudevents:http://127.0.0.1:{self.port}/in"

        def make() -> object:
            return open_sink(
                uri,
                standard="agent-hooks",
                mode="batch",
                timeout_s=0.5,
                now=lambda: "2026-03-01T12:00:00Z",
            )

        return Plan(uri, make)  # type: ignore[arg-type]

    def take(self, events: list[dict[str, object]]) -> None:
        for event in events:
            name = str(event["id"])
            self.ids.append(name)
            self.bodies.setdefault(name, set()).add(json.dumps(event["data"], sort_keys=True))
            self.at.setdefault(name, time.monotonic())


@contextmanager
def serving(far: Far) -> Iterator[Far]:
    """Words: "reset" no answer, "half" a body that breaks off, "stall" no answer for long,
    "taken" taken but the answer is lost."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            events = json.loads(body)
            events = events if isinstance(events, list) else [events]
            far.requests += 1
            answer = far.answer([event["id"] for event in events])
            if isinstance(answer, str):
                self.misbehave(answer, events)
                return
            status, after = answer if isinstance(answer, tuple) else (answer, None)
            if status == 200:
                far.take(events)
            self.send_response(status)
            if after is not None:
                self.send_header("Retry-After", after)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def misbehave(self, word: str, events: list[dict[str, object]]) -> None:
            self.close_connection = True
            if word == "taken":
                far.take(events)
            elif word == "half":
                self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
            elif word == "stall":
                over.wait(1.5)
            self.connection.close()

        def handle(self) -> None:
            with suppress(OSError):
                super().handle()

        def log_message(self, format: str, *args: object) -> None: ...

    over = threading.Event()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    far.port = server.server_address[1]
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    try:
        yield far
    finally:
        over.set()
        server.shutdown()
        server.server_close()
