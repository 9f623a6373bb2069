"""HTTP routes of the collector: hooks get an observer's answer, AOS agents an allow.

    POST /hook/VENDOR[/EVENT]   one payload, a list of payloads, or JSON Lines (plugins); also as
                                a CloudEvent
    POST /aos                   AOS and ACS JSON-RPC
    POST /v1/logs, traces, metrics  OTLP/HTTP, protobuf or JSON (otlp.py)
    POST /ship                  a machine's log lines (fleet/intake.py)
    GET  /health                {"status": "ok", "taken": n, "refused": {status: n}}
    GET  /metrics               Prometheus text;  /healthz, /readyz: without a token

A hook's post is answered with 200 whether the record was taken or not: Copilot takes any other
answer to preToolUse for a deny. It gets that answer, too, if the request is refused (no token, too
long, another host); nothing of it is recorded. Other clients continue after an error, and show it,
which helps whoever mistyped the token. Failures are written where `hookstream status` looks.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import unquote

from hookstream.capture.collector.aos import Guardian
from hookstream.capture.collector.figures import PAGES, Figures
from hookstream.capture.collector.fleet.turns import THREADS, Turns
from hookstream.capture.collector.handler import Handler, NotOurs
from hookstream.capture.collector.http import SHIP
from hookstream.capture.collector.http_messages import HttpError, HttpRequest, Reply
from hookstream.capture.collector.otlp import SIGNALS, Receiver
from hookstream.capture.hook.request import now_text
from hookstream.core.cloud_events import of_headers
from hookstream.core.jsons import dumps
from hookstream.core.limits import STREAM_LINES
from hookstream.core.parse import UnreadableLine, parse
from hookstream.core.records import (
    Record,
    Rejection,
    parts_of,
    read_carried,
    read_record,
    records_of,
)
from hookstream.normalizers import VENDORS
from hookstream.normalizers.hook_facts import hook_facts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from hookstream.capture.collector.fleet.intake import Intake

WORKERS = 4
EVENT_LENGTH = 64
# Parts of one body that are not records and get a line each; further ones get one together.
REFUSED_APART = 16
# Lines that are written at once.
TOGETHER = 1024
# Clients that take an error for a deny: in the path, or by the name a client gives itself if it
# has loaded another's configuration.
FAIL_CLOSED = tuple(vendor for vendor in VENDORS if hook_facts(vendor).fails_closed)
# Empty would do for Claude Code; an object without a word is valid for all clients with http hooks.
OBSERVED = b"{}"


class Routes:
    """Requests to the handler."""

    def __init__(self, handler: Handler, intake: Intake | None = None, slot: int = 1) -> None:
        self.handler = handler
        self.intake = intake
        self.guardian = Guardian(handler)
        self.otlp = Receiver(handler)
        self.pool = ThreadPoolExecutor(WORKERS, "hookstream-http")
        # Threads that mostly wait for the disk, and whose turn it is.
        self.shipping = ThreadPoolExecutor(THREADS, "hookstream-ship")
        self.turns = Turns(intake.admit, intake.hold_off) if intake is not None else None
        # status -> requests so far
        self.refused: dict[int, int] = {}
        self.figures = Figures(handler, intake, self.refused, slot)

    def refusal(self, request: HttpRequest, status: int) -> Reply | None:
        """Count a refused request; return the answer that lets a client continue that would take
        the refusal for a deny."""
        words = [unquote(word) for word in request.path.partition("?")[0].strip("/").split("/")]
        vendor = words[1] if words[0] == "hook" and len(words) > 1 else ""
        count = self.refused[status] = self.refused.get(status, 0) + 1
        if count & (count - 1) == 0:  # 1, 2, 4 ...: they do not fill the file of errors
            client = vendor if vendor in VENDORS else None
            problem = f"HTTP {status}: request refused ({count} so far)"
            self.pool.submit(self.handler.note_problem, client, problem)
        agent = request.headers.get("user-agent", "").lower()
        fails_closed = vendor in FAIL_CLOSED or agent.startswith(FAIL_CLOSED)
        if request.method == "POST" and words[0] == "hook" and fails_closed:
            return Reply(200, OBSERVED)
        return None

    async def __call__(self, request: HttpRequest) -> Reply:
        """Answer a request. Raises HttpError for an unknown path, method or vendor."""
        path = request.path.partition("?")[0]
        if path == "/health":
            refused = {str(status): count for status, count in sorted(self.refused.items())}
            return Reply(
                200, dumps({"status": "ok", "taken": self.handler.taken, "refused": refused})
            )
        loop = asyncio.get_running_loop()
        if path == SHIP and self.intake is not None and self.turns is not None:
            _post(request)
            assert request.sender is not None
            async with self.turns.turn(request.sender):
                return await loop.run_in_executor(self.shipping, self.intake.answer, request)
        if path in PAGES:
            return await loop.run_in_executor(self.pool, self.figures.answer, path)
        if path in ("/aos", "/aos/"):
            _post(request)
            body = await loop.run_in_executor(self.pool, self.guardian.answer, request.body)
            return Reply(200, body) if body else Reply(204)
        if path in SIGNALS:
            _post(request)
            return await loop.run_in_executor(self.pool, self.otlp.answer, request)
        words = [unquote(word) for word in path.strip("/").split("/")]
        if words[0] != "hook" or not 2 <= len(words) <= 3:
            raise HttpError(404)
        _post(request)
        vendor, event = words[1], words[2] if len(words) == 3 else None
        if vendor not in VENDORS or (event is not None and not _is_event(event)):
            raise HttpError(404)
        await loop.run_in_executor(self.pool, self._hook, vendor, event, request)
        return Reply(200, OBSERVED)

    def _hook(self, vendor: str, event: str | None, request: HttpRequest) -> None:
        refused, body = 0, request.body
        if not body.strip():
            self.handler.lose_bytes("no payload", vendor, event, body)
            return
        held: list[bytes] = []
        for number, (part, taken) in enumerate(records_in(request), 1):
            if number > STREAM_LINES:
                rest = f"more than {STREAM_LINES} payloads in one body"
                self.handler.lose_bytes(rest, vendor, event, body)
                break
            if isinstance(taken, Rejection):
                refused += 1
                if refused <= REFUSED_APART:
                    self._append(held, vendor, event)
                    self.handler.reject(taken, vendor, event)
                continue
            try:
                self.handler.record(taken, vendor, event, now_text(), {}, held=held)
            except (NotOurs, Exception) as error:
                self.handler.lose(error, vendor, event, part)
            if len(held) >= TOGETHER:
                self._append(held, vendor, event)
        self._append(held, vendor, event)
        if refused > REFUSED_APART:
            rest = f"{refused - REFUSED_APART} more of one body that are not payloads"
            self.handler.lose_bytes(rest, vendor, event, body)

    def _append(self, held: list[bytes], vendor: str, event: str | None) -> None:
        """Append the lines so far: to write each by itself waits for the disk each time."""
        try:
            self.handler.append(held)
        except Exception as error:
            self.handler.lose(error, vendor, event, b"".join(held))
        held.clear()


def _post(request: HttpRequest) -> None:
    if request.method != "POST":
        raise HttpError(405)


def _is_event(text: str) -> bool:
    plain = text.replace("_", "").replace(".", "").replace("-", "")
    return len(text) <= EVENT_LENGTH and plain.isascii() and plain.isalnum()


def records_in(request: HttpRequest) -> Iterator[tuple[bytes, Record | Rejection]]:
    """The records of a request, each with the bytes that it is in. A CloudEvent is in its headers
    (binary mode) or the body (structured, batched); a stream in one gives a record per line."""
    body = request.body
    value = of_headers(request.headers, body)
    if value is not None:
        carried = read_carried(value, body, "http")
        parts = parts_of(carried) if isinstance(carried, Record) else [carried]
        yield from ((body, part) for part in parts)
        return
    for part in payloads(body):
        yield from ((part, record) for record in records_of(part, "http"))


def payloads(body: bytes) -> Iterable[bytes]:
    """One object, the elements of a list, or the lines of JSON Lines."""
    text = body.strip()
    if text.startswith(b"["):
        try:
            elements, _ = parse(text)
        except UnreadableLine:
            return [body]
        # One at a time: each is written into a kilobyte or more.
        return map(dumps, elements)
    if b"\n" in text and isinstance(read_record(text), Rejection):
        return text.splitlines()
    return [body]
