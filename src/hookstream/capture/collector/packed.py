"""Bodies as they were before gzip packed them, at a cost that grows with their bytes alone.

RFC 1952 lets a gzip body have any number of members. A sender packs all in one: MEMBERS are more
than any needs, and each costs one pass over its own bytes.
"""

from __future__ import annotations

import zlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.capture.collector.http_messages import HttpRequest

MEMBERS = 64
# Bytes handed over at once: those after the end of a member are copied.
CHUNK = 1 << 16


class Unusable(Exception):
    """A body that cannot be taken, with its status."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


def unpacked(request: HttpRequest, most: int) -> bytes:
    """The unpacked body, of at most `most` bytes. Raises Unusable."""
    coding = request.headers.get("content-encoding", "identity").strip().lower()
    if coding in ("", "identity"):
        if len(request.body) > most:
            raise Unusable(413, f"more than {most} bytes")
        return request.body
    if coding != "gzip":
        raise Unusable(415, "content-encoding: gzip or none")
    try:
        return _members(memoryview(request.body), most)
    except zlib.error:
        raise Unusable(400, "no gzip") from None


def _members(body: memoryview, most: int) -> bytes:
    data = bytearray()
    unpack = zlib.decompressobj(wbits=31)
    members = at = 0
    while at < len(body):
        chunk = body[at : at + CHUNK]
        data += unpack.decompress(chunk, most + 1 - len(data))
        if len(data) > most:
            raise Unusable(413, f"more than {most} bytes once unpacked")
        # Within the limit all of a chunk is used up, except what is after the member's end.
        at += len(chunk) - len(unpack.unused_data)
        if unpack.eof:
            members += 1
            if at < len(body):
                if members >= MEMBERS:
                    raise Unusable(413, f"more than {MEMBERS} gzip members; pack all in one")
                unpack = zlib.decompressobj(wbits=31)
    if not unpack.eof and len(body):
        raise Unusable(400, "gzip that breaks off")
    return bytes(data)
