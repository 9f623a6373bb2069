"""HTTP/1.1 for the collector: small, bounded, and suspicious of who asks.

Every request has a deadline for all of it, connections are counted, bodies have a limit, and what a
browser sends is refused: a page that has rebound a name to this machine says another host, and a
page of another site says where it comes from.
"""

from __future__ import annotations

import asyncio
import hmac
import ssl

from hookstream.limits import LINE_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from typing import TypeAlias

    Handler: TypeAlias = Callable[["Request"], Awaitable["Reply"]]
    # What a refusal looks like to who asked (None: as it is). It also counts.
    Refusal: TypeAlias = Callable[["Request", int], "Reply | None"]

HEAD_BYTES = 32 * 1024
HEAD_S = 5.0
BODY_S = 10.0
IDLE_S = 30.0
CONNECTIONS = 128
# So many more are heard before they are turned away.
WAITING = 128
# Of a body that is not wanted.
DRAIN_BYTES = 256 * 1024 * 1024
REASONS = {
    200: "OK",
    204: "No Content",
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    408: "Request Timeout",
    411: "Length Required",
    413: "Content Too Large",
    415: "Unsupported Media Type",
    431: "Request Header Fields Too Large",
    500: "Internal Server Error",
    501: "Not Implemented",
    503: "Service Unavailable",
    505: "HTTP Version Not Supported",
}
# A browser says these; an agent does not.
BROWSER = ("origin", "sec-fetch-site", "sec-fetch-mode")


class Refused(Exception):
    """The request gets a status and the connection ends."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class Request:
    __slots__ = ("body", "headers", "method", "path")

    def __init__(self, method: str, path: str, headers: dict[str, str]) -> None:
        self.method = method
        self.path = path
        self.headers = headers
        self.body = b""


class Reply:
    __slots__ = ("body", "status")

    def __init__(self, status: int, body: bytes = b"") -> None:
        self.status = status
        self.body = body

    def encode(self, close: bool) -> bytes:
        lines = [
            f"HTTP/1.1 {self.status} {REASONS.get(self.status, 'Error')}",
            f"Content-Length: {len(self.body)}",
            "Cache-Control: no-store",
            "X-Content-Type-Options: nosniff",
        ]
        if self.body:
            lines.append("Content-Type: application/json")
        if self.status == 401:
            lines.append('WWW-Authenticate: Bearer realm="hookstream"')
        lines.append(f"Connection: {'close' if close else 'keep-alive'}")
        return "\r\n".join([*lines, "", ""]).encode("ascii") + self.body


class HttpServer:
    """Listens on one address. `names` are the hosts it answers to, `token` what it asks for."""

    def __init__(
        self,
        handler: Handler,
        token: bytes,
        names: frozenset[str],
        body_limit: int = LINE_BYTES,
        tls: ssl.SSLContext | None = None,
        refusal: Refusal | None = None,
    ) -> None:
        self.handler = handler
        self.token = token
        self.names = names
        self.body_limit = body_limit
        self.tls = tls
        self.refusal = refusal
        self.open: set[asyncio.StreamWriter] = set()
        self.busy = 0
        self.closing = False
        self.server: asyncio.Server | None = None
        self.port = 0

    async def start(self, host: str, port: int) -> None:
        """Raises OSError where the address is taken."""
        self.server = await asyncio.start_server(
            self._connected, host, port, ssl=self.tls, limit=HEAD_BYTES, backlog=CONNECTIONS
        )
        self.port = self.server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Nobody new; who is being served gets the answer."""
        self.closing = True
        if self.server is not None:
            self.server.close()
        while self.busy:
            await asyncio.sleep(0.01)
        for writer in list(self.open):
            writer.close()

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        full = len(self.open) >= CONNECTIONS or self.closing
        if len(self.open) >= CONNECTIONS + WAITING:
            writer.write(Reply(503).encode(close=True))
            writer.close()
            return
        self.open.add(writer)
        try:
            if full:
                await self._one(reader, writer, full)
            while not full and not self.closing and await self._one(reader, writer):
                pass
        except (OSError, asyncio.IncompleteReadError, TimeoutError):
            pass  # the other side has gone, or never spoke
        finally:
            self.open.discard(writer)
            writer.close()

    async def _one(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, full: bool = False
    ) -> bool:
        """One request; whether the connection stays open."""
        first = await asyncio.wait_for(reader.read(1), HEAD_S if full else IDLE_S)
        if not first:
            return False
        self.busy += 1
        try:
            reply, close = await self._answer(first, reader, writer, full)
            writer.write(reply.encode(close))
            await asyncio.wait_for(writer.drain(), BODY_S)
        finally:
            self.busy -= 1
        return not close

    async def _answer(
        self, first: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, full: bool
    ) -> tuple[Reply, bool]:
        request = None
        try:
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), HEAD_S)
            request = parse_head(first + head)
            if full:
                raise Refused(503)
            self._check(request)
            length = body_length(request.headers, self.body_limit)
            _go_on(request, writer)
            request.body = await asyncio.wait_for(reader.readexactly(length), BODY_S)
        except Refused as refused:
            return await self._refused(request, refused.status, reader, writer), True
        except TimeoutError:
            return await self._refused(request, 408, None, writer), True
        except asyncio.LimitOverrunError:
            return Reply(431), True
        try:
            reply = await self.handler(request)
        except Refused as refused:
            reply = await self._refused(request, refused.status, None, writer)
        except Exception:
            reply = await self._refused(request, 500, None, writer)
        close = request.headers.get("connection", "").lower() == "close" or self.closing
        return reply, close

    async def _refused(
        self,
        request: Request | None,
        status: int,
        reader: asyncio.StreamReader | None,
        writer: asyncio.StreamWriter,
    ) -> Reply:
        """The refusal, or what who asked gets in its place. That one has to be read: a client whose
        body is not taken finds its connection reset, which is an error as well."""
        if request is None or self.refusal is None:
            return Reply(status)
        reply = self.refusal(request, status)
        if reply is None:
            return Reply(status)
        if reader is not None:
            _go_on(request, writer)
            await drain(reader, request.headers)
        return reply

    def _check(self, request: Request) -> None:
        """Who may speak. Raises Refused."""
        host = request.headers.get("host", "").lower()
        if not host:
            raise Refused(400)
        if host not in self.names and host.rpartition(":")[0] not in self.names:
            raise Refused(403)
        if any(name in request.headers for name in BROWSER):
            raise Refused(403)
        kind, _, given = request.headers.get("authorization", "").partition(" ")
        word = given.strip().encode("utf-8", "replace")
        if not hmac.compare_digest(word, self.token) or kind.lower() != "bearer":
            raise Refused(401)


def _go_on(request: Request, writer: asyncio.StreamWriter) -> None:
    if request.headers.get("expect", "").lower() == "100-continue":
        writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")


async def drain(reader: asyncio.StreamReader, headers: dict[str, str]) -> None:
    """Reads a body that nobody wants to its end, or until it is too much or takes too long."""
    text = headers.get("content-length", "")
    left = min(int(text), DRAIN_BYTES) if text.isascii() and text.isdigit() else DRAIN_BYTES
    chunked = "transfer-encoding" in headers
    if not chunked and not text.isdigit():
        return
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


def parse_head(data: bytes) -> Request:
    """The request line and the headers. Raises Refused for anything that is not plainly HTTP."""
    lines = data.decode("latin-1").split("\r\n")[:-2]
    parts = lines[0].split(" ")
    if len(parts) != 3 or not parts[0].isalpha() or not parts[1].startswith("/"):
        raise Refused(400)
    if parts[2] not in ("HTTP/1.1", "HTTP/1.0"):
        raise Refused(505)
    headers: dict[str, str] = {}
    for line in lines[1:]:
        name, colon, value = line.partition(":")
        name = name.lower()
        # A name before a blank, a folded line, a header twice: ways to say two things at once.
        if not colon or not name or name != name.strip() or any(ord(c) < 32 for c in value.strip()):
            raise Refused(400)
        if name in headers and name in ("host", "content-length", "authorization"):
            raise Refused(400)
        headers[name] = value.strip()
    if parts[2] == "HTTP/1.0":
        headers["connection"] = "close"
    return Request(parts[0].upper(), parts[1], headers)


def body_length(headers: dict[str, str], limit: int) -> int:
    """Bytes of the body. Raises Refused where it is too long or its length is not said."""
    if "transfer-encoding" in headers:
        raise Refused(411)
    text = headers.get("content-length", "0")
    if not (text.isascii() and text.isdigit()):
        raise Refused(400)
    if len(text) > 15 or int(text) > limit:
        raise Refused(413)
    return int(text)
