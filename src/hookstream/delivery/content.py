"""File content checks: digests, prefix checksums, whether the content is one JSON object."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import IO
from zlib import crc32

from hookstream.core.jsons import loads
from hookstream.core.sources import open_bytes

STEP = 1 << 20
# Lengths of the prefixes that separate contents before they are compared.
PREFIXES = (1, 4, 16, 64, 256, 1024)

Prefixes = dict[int, str]


class ComparisonStopped(Exception):
    """The follower was asked to end while contents were compared."""


def go_on() -> bool:
    """The default for comparisons that are not interrupted."""
    return False


def digest(data: bytes) -> str:
    return sha256(data).hexdigest()[:16]


def skip(stream: IO[bytes], count: int) -> None:
    """Skip `count` bytes, or to the end."""
    while count > 0 and (data := stream.read(min(count, STEP))):
        count -= len(data)


def is_object(data: bytes) -> bool:
    if not data.rstrip().endswith(b"}"):
        return False
    try:
        return type(loads(data)) is dict
    except (ValueError, RecursionError):
        return False


def prefixes(data: bytes) -> Prefixes:
    """The digests of the first N bytes, by N."""
    return {length: digest(data[:length]) for length in PREFIXES if length <= len(data)}


def prefixes_of(path: Path) -> Prefixes:
    """The prefixes of a file's (unpacked) content. OSError or EOFError."""
    with open_bytes(path) as stream:
        data = b""
        while len(data) < PREFIXES[-1] and (more := stream.read(PREFIXES[-1] - len(data))):
            data += more
    return prefixes(data)


def prefix_crc(path: Path, count: int, stopped: Callable[[], bool] = go_on) -> int | None:
    """The checksum of the first N (unpacked) bytes, None of fewer. Raises ComparisonStopped."""
    checksum = 0
    with open_bytes(path) as stream:
        while count > 0:
            if stopped():
                raise ComparisonStopped
            data = stream.read(min(count, STEP))
            if not data:
                return None
            checksum = crc32(data, checksum)
            count -= len(data)
    return checksum


def begins_with(path: Path, part: Path, stopped: Callable[[], bool] = go_on) -> bool:
    """Return whether the first file begins with all of the second one. OSError or Stopped."""
    with path.open("rb") as whole, part.open("rb") as stream:
        while data := stream.read(STEP):
            if stopped():
                raise ComparisonStopped
            if whole.read(len(data)) != data:
                return False
    return True
