"""File content checks: digests, prefix checksums, whether the content is one JSON object."""

from __future__ import annotations

from hashlib import sha256
from typing import IO, TYPE_CHECKING
from zlib import crc32

from hookstream.jsons import loads
from hookstream.sources import open_bytes

if TYPE_CHECKING:
    from pathlib import Path

STEP = 1 << 20


def digest(data: bytes) -> str:
    return sha256(data).hexdigest()[:16]


def skip(stream: IO[bytes], count: int) -> None:
    """Read so many bytes, or to the end."""
    while count > 0 and (data := stream.read(min(count, STEP))):
        count -= len(data)


def is_object(data: bytes) -> bool:
    if not data.rstrip().endswith(b"}"):
        return False
    try:
        return type(loads(data)) is dict
    except (ValueError, RecursionError):
        return False


def prefix_crc(path: Path, count: int) -> int | None:
    """The checksum of the first so many (unpacked) bytes, None where there are fewer."""
    checksum = 0
    with open_bytes(path) as stream:
        while count > 0:
            data = stream.read(min(count, STEP))
            if not data:
                return None
            checksum = crc32(data, checksum)
            count -= len(data)
    return checksum


def begins_with(path: Path, part: Path) -> bool:
    """Whether the first file begins with everything the second one has. OSError."""
    with path.open("rb") as whole, part.open("rb") as stream:
        while data := stream.read(STEP):
            if whole.read(len(data)) != data:
                return False
    return True
