"""Chunked bodies: how OTLP exporters in JavaScript send what they pack."""

from __future__ import annotations

from hookstream.capture.collector.http_messages import HttpError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import asyncio

    from hookstream.capture.collector.http_messages import HttpRequest

SIZE_DIGITS = 8


def is_chunked_export(request: HttpRequest) -> bool:
    """Return whether a request is an export whose body comes in chunks. Hooks send a length."""
    coding = request.headers.get("transfer-encoding", "").strip().lower()
    return coding == "chunked" and request.path.startswith("/v1/")


async def read_chunks(reader: asyncio.StreamReader, limit: int) -> bytes:
    """The body of all chunks. Raises HttpError for any other body, or one that is too long."""
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
