"""HTTP/1.1 requests and replies: only well-formed requests are accepted.

A body has a length, or comes in chunks, as OTLP exporters in JavaScript send what they pack.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import asyncio

    from hookstream.capture.collector.fleet.senders import Identity

SIZE_DIGITS = 8
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
    422: "Unprocessable Content",
    429: "Too Many Requests",
    431: "Request Header Fields Too Large",
    500: "Internal Server Error",
    501: "Not Implemented",
    503: "Service Unavailable",
    505: "HTTP Version Not Supported",
}


class HttpError(Exception):
    """The request gets a status and the connection ends; `retry_s`: seconds to wait before the
    next try; `reason`: our text for the sender."""

    def __init__(self, status: int, retry_s: int | None = None, reason: str = "") -> None:
        super().__init__(status)
        self.status = status
        self.retry_s = retry_s
        self.reason = reason


class HttpRequest:
    # sender: the owner of the request's credential, if machines may ship
    __slots__ = ("body", "headers", "method", "path", "sender")

    def __init__(self, method: str, path: str, headers: dict[str, str]) -> None:
        self.method = method
        self.path = path
        self.headers = headers
        self.body = b""
        self.sender: Identity | None = None


class Reply:
    __slots__ = ("body", "kind", "retry_s", "status")

    def __init__(
        self,
        status: int,
        body: bytes = b"",
        kind: str = "application/json",
        retry_s: int | None = None,
    ) -> None:
        self.status = status
        self.body = body
        self.kind = kind
        self.retry_s = retry_s

    def encode(self, close: bool) -> bytes:
        lines = [
            f"HTTP/1.1 {self.status} {REASONS.get(self.status, 'Error')}",
            f"Content-Length: {len(self.body)}",
            "Cache-Control: no-store",
            "X-Content-Type-Options: nosniff",
        ]
        if self.body:
            lines.append(f"Content-Type: {self.kind}")
        if self.retry_s is not None:
            lines.append(f"Retry-After: {self.retry_s}")
        if self.status == 401:
            lines.append('WWW-Authenticate: Bearer realm="hookstream"')
        lines.append(f"Connection: {'close' if close else 'keep-alive'}")
        return "\r\n".join([*lines, "", ""]).encode("ascii") + self.body


def parse_head(data: bytes) -> HttpRequest:
    """The request line and the headers. Raises HttpError for anything that is not plainly HTTP."""
    lines = data.decode("latin-1").split("\r\n")[:-2]
    parts = lines[0].split(" ")
    if len(parts) != 3 or not parts[0].isalpha() or not parts[1].startswith("/"):
        raise HttpError(400)
    if parts[2] not in ("HTTP/1.1", "HTTP/1.0"):
        raise HttpError(505)
    headers: dict[str, str] = {}
    for line in lines[1:]:
        name, colon, value = line.partition(":")
        name = name.lower()
        # A name before a blank, a folded line, a header twice: ways to say two things at once.
        if not colon or not name or name != name.strip() or any(ord(c) < 32 for c in value.strip()):
            raise HttpError(400)
        if name in headers and name in ("host", "content-length", "authorization"):
            raise HttpError(400)
        headers[name] = value.strip()
    if parts[2] == "HTTP/1.0":
        headers["connection"] = "close"
    return HttpRequest(parts[0].upper(), parts[1], headers)


def body_length(headers: dict[str, str], limit: int) -> int:
    """Bytes of the body. Raises HttpError if it is too long or its length is missing."""
    if "transfer-encoding" in headers:
        raise HttpError(411)
    text = headers.get("content-length", "0")
    if not (text.isascii() and text.isdigit()):
        raise HttpError(400)
    if len(text) > 15 or int(text) > limit:
        raise HttpError(413)
    return int(text)


def is_chunked_export(request: HttpRequest) -> bool:
    """Return whether a request is an export whose body comes in chunks. Hooks send a length."""
    coding = request.headers.get("transfer-encoding", "").strip().lower()
    return coding == "chunked" and request.path.startswith("/v1/")


async def read_chunks(reader: asyncio.StreamReader, limit: int) -> bytes:
    """Read a chunked body. Raises HttpError if it is malformed or longer than `limit`."""
    if limit < 0:
        raise HttpError(413)
    body = bytearray()
    while True:
        line = await reader.readuntil(b"\r\n")
        digits = line[:-2].partition(b";")[0].strip()
        if not 0 < len(digits) <= SIZE_DIGITS or digits.strip(b"0123456789abcdefABCDEF"):
            raise HttpError(400)
        size = int(digits, 16)
        if len(body) + size > limit:
            raise HttpError(413)
        if size == 0:
            while await reader.readuntil(b"\r\n") != b"\r\n":
                pass  # no trailer is used
            return bytes(body)
        body += await reader.readexactly(size)
        if await reader.readexactly(2) != b"\r\n":
            raise HttpError(400)
