"""HTTP/1.1 for the collector: small, bounded, and suspicious of clients.

Every request has a deadline for all of it, a short one until its token is known; connections are
counted before the handshake, and the longest idle one makes room for a new one; bodies have a
limit; requests of a browser are refused: a page that has rebound a name to this machine sends
another host, and a page of another site sends its origin.
"""

from __future__ import annotations

import asyncio
import hmac
import socket
import ssl
from contextlib import ExitStack

from hookstream.capture.collector.http_messages import (
    HttpError,
    HttpRequest,
    Reply,
    body_length,
    is_chunked_export,
    parse_head,
    read_chunks,
)
from hookstream.capture.collector.listener import BACKLOG, BoundedListener, Connection
from hookstream.core.errors import HookstreamError
from hookstream.core.jsons import dumps
from hookstream.core.limits import LINE_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from typing import TypeAlias

    from hookstream.capture.collector.fleet.senders import Senders
    from hookstream.capture.collector.fleet.turns import Turns

    Respond: TypeAlias = Callable[[HttpRequest], Awaitable[Reply]]
    # The reply to a refused request (None: the plain one). It also counts.
    Refusal: TypeAlias = Callable[[HttpRequest, int], Reply | None]

HEAD_BYTES = 32 * 1024
# Until the token is known; then for the body, and between two requests of one connection.
FIRST_S = HEAD_S = 5.0
BODY_S = 10.0
IDLE_S = 30.0
CONNECTIONS = 256
# This many more get an answer while all others serve a request.
WAITING = 128
# Of a body that is not wanted.
DRAIN_BYTES = 256 * 1024 * 1024
# Seconds after which a client that found all connections busy may come again.
FULL_RETRY_S = 2
# Load balancers and orchestrators ask these without a token; the answer is one word.
PROBES = ("/healthz", "/readyz")
# Machines of a fleet have separate credentials for this one path.
SHIP = "/ship"
# A browser says these; an agent does not.
BROWSER = ("origin", "sec-fetch-site", "sec-fetch-mode")


class HttpServer:
    """A server on one address. `names` are the hosts it answers to, `token` the one it requires."""

    def __init__(
        self,
        respond: Respond,
        token: bytes,
        names: frozenset[str],
        body_limit: int = LINE_BYTES,
        tls: ssl.SSLContext | None = None,
        refusal: Refusal | None = None,
        senders: Senders | None = None,
        connections: int = CONNECTIONS,
        turns: Turns | None = None,
    ) -> None:
        self.respond = respond
        self.token = token
        self.names = names
        self.body_limit = body_limit
        self.tls = tls
        self.refusal = refusal
        self.senders = senders
        self.connections = connections
        self.turns = turns
        self.closing = False
        self.listeners: list[BoundedListener] = []
        self.tasks: list[asyncio.Task[None]] = []  # kept alive as long as the server
        self.port = 0

    def start(self, socks: Sequence[socket.socket]) -> None:
        """Accept on sockets that listen, which other processes may have as well."""
        for sock in socks:
            self.port = sock.getsockname()[1]
            limit = self.connections
            listener = BoundedListener(sock, self._serve, limit, WAITING, self.tls, HEAD_BYTES)
            self.listeners.append(listener)
            listener.start()

    async def stop(self) -> None:
        """Accept no new connection; requests being served get their answer."""
        self.closing = True
        for listener in self.listeners:
            listener.stop()
        while any(listener.busy for listener in self.listeners):
            await asyncio.sleep(0.01)
        for listener in self.listeners:
            listener.close()

    async def _serve(
        self, connection: Connection, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        wait_s = FIRST_S
        while not self.closing and await self._one(connection, reader, writer, wait_s):
            connection.idle()
            wait_s = IDLE_S

    async def _one(
        self,
        connection: Connection,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        wait_s: float,
    ) -> bool:
        """Serve one request. Return True if the connection stays open."""
        first = await asyncio.wait_for(reader.read(1), wait_s)
        if not first:
            return False
        reply, close = await self._answer(connection, first, reader, writer)
        writer.write(reply.encode(close))
        await asyncio.wait_for(writer.drain(), BODY_S)
        return not close

    async def _answer(
        self,
        connection: Connection,
        first: bytes,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> tuple[Reply, bool]:
        request = None
        with ExitStack() as inside:
            try:
                head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), HEAD_S)
                request = parse_head(first + head)
                if connection.is_over_limit or self.closing:
                    raise HttpError(503, retry_s=FULL_RETRY_S)
                self._check(request, writer)
                chunked = is_chunked_export(request)
                length = 0 if chunked else body_length(request.headers, self.body_limit)
                if request.sender is not None and self.turns is not None:
                    inside.enter_context(self.turns.entered(request.sender, length))
                connection.busy()
                _go_on(request, writer)
                limit = self.body_limit
                wanted = read_chunks(reader, limit) if chunked else reader.readexactly(length)
                request.body = await asyncio.wait_for(wanted, BODY_S)
            except HttpError as refused:
                return await self._refused(request, refused, reader, writer), True
            except TimeoutError:
                return await self._refused(request, HttpError(408), None, writer), True
            except asyncio.LimitOverrunError:
                return Reply(431), True
            try:
                reply = await self.respond(request)
            except HttpError as refused:
                reply = await self._refused(request, refused, None, writer)
            except Exception:
                reply = await self._refused(request, HttpError(500), None, writer)
        options = request.headers.get("connection", "").lower().replace(" ", "").split(",")
        close = "close" in options or self.closing
        return reply, close

    async def _refused(
        self,
        request: HttpRequest | None,
        refused: HttpError,
        reader: asyncio.StreamReader | None,
        writer: asyncio.StreamWriter,
    ) -> Reply:
        """The reply to a refused request, or `refusal`'s reply in its place. Its body is read
        first: a client whose body is not taken finds its connection reset, also an error."""
        body = dumps({"error": refused.reason}) if refused.reason else b""
        plain = Reply(refused.status, body, retry_s=refused.retry_s)
        if request is None or self.refusal is None:
            return plain
        reply = self.refusal(request, refused.status)
        if reply is None and (request.sender is None or "expect" in request.headers):
            return plain
        if reader is not None:
            _go_on(request, writer)
            await drain(reader, request.headers)
        return reply or plain

    def _check(self, request: HttpRequest, writer: asyncio.StreamWriter) -> None:
        """Check that the client may make this request. Raises HttpError."""
        host = request.headers["host"].lower()
        if host not in self.names and host.rpartition(":")[0] not in self.names:
            raise HttpError(403)
        if any(name in request.headers for name in BROWSER):
            raise HttpError(403)
        if request.method == "GET" and request.path in PROBES:
            return
        kind, _, credential = request.headers.get("authorization", "").partition(" ")
        word = credential.strip().encode("utf-8", "replace")
        if self.senders is not None and request.path == SHIP:
            token = word if kind.lower() == "bearer" else b""
            certificate = writer.get_extra_info("peercert")
            named = request.headers.get("hookstream-machine", "")
            request.sender = self.senders.identify(token, certificate, named)
            return
        if self.senders is not None and self.senders.is_credential(word):
            raise HttpError(401)  # lines of other doors have no owner that it could bind
        if not hmac.compare_digest(word, self.token) or kind.lower() != "bearer":
            raise HttpError(401)


def listening(host: str, port: int) -> list[socket.socket]:
    """Sockets listening on all addresses of a host. Raises HookstreamError if one is taken."""
    try:
        return [
            socket.create_server(address, family=family, backlog=BACKLOG)
            for family, address in addresses(host, port)
        ]
    except OSError as error:
        why = (error.strerror or str(error)).partition(" (while")[0]
        raise HookstreamError(f"--http {host}:{port}: {why}") from None


def addresses(host: str, port: int) -> Sequence[tuple[socket.AddressFamily, tuple[str, int]]]:
    """The addresses of a host name, each once. Raises OSError for an unknown one."""
    infos = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    named = [(family, (str(address[0]), port)) for family, _, _, _, address in infos]
    # Port 0 of two families would be two ports.
    return list(dict.fromkeys(named))[: 1 if port == 0 else None]


def _go_on(request: HttpRequest, writer: asyncio.StreamWriter) -> None:
    if request.headers.get("expect", "").lower() == "100-continue":
        writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")


async def drain(reader: asyncio.StreamReader, headers: dict[str, str]) -> None:
    """Read an unwanted body to its end, or until it is too much or takes too long."""
    text = headers.get("content-length", "")
    chunked = "transfer-encoding" in headers
    if not chunked and not (text.isascii() and text.isdigit()):
        return
    left = DRAIN_BYTES if chunked or len(text) > 15 else min(int(text), DRAIN_BYTES)
    tail = b""
    try:
        async with asyncio.timeout(BODY_S):
            while left > 0 and not (chunked and tail.endswith(b"0\r\n\r\n")):
                chunk = await reader.read(min(left, 1 << 16))
                if not chunk:
                    return
                left -= len(chunk)
                tail = (tail + chunk)[-8:]
    except TimeoutError:
        return
