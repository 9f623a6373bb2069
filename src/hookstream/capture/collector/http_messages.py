"""HTTP/1.1 requests and replies: only well-formed requests are accepted (RFC 9112), and none that a
proxy could read otherwise.

A body has a length, or comes in chunks, as OTLP exporters in JavaScript send what they pack.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

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


@dataclass(slots=True, eq=False)
class Reply:
    status: int
    body: bytes = b""
    kind: str = "application/json"
    retry_s: int | None = None

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


_REQUEST_LINE = re.compile(r"([A-Z]{1,24}) (/[\x21-\x7e]*) HTTP/([0-9]\.[0-9])")
_FIELD = re.compile(
    r"([!#$%&'*+.^_`|~0-9A-Za-z-]{1,256}):[ \t]*"
    r"((?:[\x21-\x7e\x80-\xff]+(?:[ \t]+[\x21-\x7e\x80-\xff]+)*)?)[ \t]*"
)
_HOST = re.compile(
    r"[A-Za-z0-9._~-]{1,255}(?::[0-9]{1,5})?|\[[0-9A-Fa-f:.]{2,45}\](?::[0-9]{1,5})?"
)
# Fields that decide something; two of one could say two things.
_ONCE = frozenset(
    "host content-length transfer-encoding content-type content-encoding authorization expect "
    "origin user-agent".split()
)
_OURS = ("hookstream-", "ce-", "sec-")


def parse_head(data: bytes) -> HttpRequest:
    """The request line and the headers. Raises HttpError for anything that is not plainly HTTP."""
    lines = data.decode("latin-1").split("\r\n")[:-2]
    request = _REQUEST_LINE.fullmatch(lines[0])
    if request is None:
        raise HttpError(400)
    method, path, version = request.groups()
    if version not in ("1.1", "1.0"):
        raise HttpError(505)
    headers = _fields(lines[1:])
    if "transfer-encoding" in headers and ("content-length" in headers or version == "1.0"):
        raise HttpError(400)
    if _HOST.fullmatch(headers.get("host", "")) is None:
        raise HttpError(400)
    # What it names a proxy takes away: the next one reads another request.
    options = [option.strip() for option in headers.get("connection", "").lower().split(",")]
    if any(option in _ONCE or option.startswith(_OURS) for option in options):
        raise HttpError(400)
    if version == "1.0":
        headers["connection"] = "close"
        headers.pop("expect", None)
    return HttpRequest(method, path, headers)


def _fields(lines: list[str]) -> dict[str, str]:
    """The fields of a head or a trailer, by their names in lower case."""
    fields: dict[str, str] = {}
    for line in lines:
        field = _FIELD.fullmatch(line)
        if field is None:
            raise HttpError(400)
        name = field[1].lower()
        if name in fields and (name in _ONCE or name.startswith(_OURS)):
            raise HttpError(400)
        fields[name] = f"{fields[name]}, {field[2]}" if name in fields else field[2]
    return fields


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
    coding = request.headers.get("transfer-encoding", "").lower()
    return coding == "chunked" and request.path.startswith("/v1/")


_CHUNK = re.compile(rb"([0-9A-Fa-f]{1,%d})(?:;[\t\x20-\x7e\x80-\xff]*)?[ \t]*\r\n" % SIZE_DIGITS)
TRAILER_BYTES = 8192


async def read_chunks(reader: asyncio.StreamReader, limit: int) -> bytes:
    """Read a chunked body. Raises HttpError if it is malformed or longer than `limit`."""
    if limit < 0:
        raise HttpError(413)
    body = bytearray()
    while True:
        chunk = _CHUNK.fullmatch(await reader.readuntil(b"\r\n"))
        if chunk is None:
            raise HttpError(400)
        size = int(chunk[1], 16)
        if len(body) + size > limit:
            raise HttpError(413)
        if size == 0:
            await _skip_trailer(reader)
            return bytes(body)
        body += await reader.readexactly(size)
        if await reader.readexactly(2) != b"\r\n":
            raise HttpError(400)


async def _skip_trailer(reader: asyncio.StreamReader) -> None:
    """Read the fields after the last chunk, which decide nothing here."""
    trailer = b""
    while not trailer.endswith(b"\r\n\r\n") and trailer != b"\r\n":
        trailer += await reader.readuntil(b"\r\n")
        if len(trailer) > TRAILER_BYTES:
            raise HttpError(431)
    _fields(trailer.decode("latin-1").split("\r\n")[:-2])
