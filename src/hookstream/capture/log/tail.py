"""The end of a log: complete lines, or the part of one that a killed writer or a full disk left."""

from __future__ import annotations

import os
from time import sleep

from hookstream.capture.log.locks import read_at

STEP = 64 * 1024
# A line of ours is at most 1 MiB, and a payload gives few; the search ends this far from the end.
REACH = 16 * 1024 * 1024
TORN_LIMIT = 4 * 1024 * 1024


def heal(handle: int, size: int, locked: bool, path: str) -> tuple[int, bytes]:
    """For a file that does not end in a newline: its size after healing, and what to write first
    so that the next line starts a new line.

    A torn line was never acknowledged. Under the lock it is moved to `<log>.torn`, so that no
    reader meets it; a complete line without its newline gets one. Raises OSError.
    """
    if not locked and _is_growing(handle, size):
        return size, b""
    start, tail = _last_line(handle, size)
    if start is None or not locked or _is_whole(tail):
        return size, b"\n"
    if os.fstat(handle).st_size != size:  # a writer without the lock
        return size, b"\n"
    _keep(path, tail)
    try:
        os.ftruncate(handle, start)
    except OSError:
        return size, b"\n"
    return start, b""


def _is_growing(handle: int, size: int) -> bool:
    """Return whether a process is writing the line right now: it will end in its newline."""
    sleep(0.05)
    now = os.fstat(handle).st_size
    return now != size or read_at(handle, 1, now - 1) == b"\n"


def _last_line(handle: int, size: int) -> tuple[int | None, bytes]:
    """The offset and bytes of the unfinished last line; None if that begins too far back."""
    tail = b""
    at = size
    while at > 0 and size - at < REACH:
        step = min(STEP, at)
        at -= step
        tail = read_at(handle, step, at) + tail
        cut = tail.rfind(b"\n")
        if cut >= 0:
            return at + cut + 1, tail[cut + 1 :]
    return (0, tail) if at == 0 else (None, b"")


def _is_whole(tail: bytes) -> bool:
    from hookstream.core.jsons import loads

    if not tail.rstrip().endswith(b"}"):
        return False
    try:
        return type(loads(tail)) is dict
    except (ValueError, RecursionError):
        return False


def _keep(path: str, tail: bytes) -> None:
    """Keep what is cut off, bounded; it is only evidence, so nothing depends on it."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    for name in ("O_NOFOLLOW", "O_CLOEXEC", "O_NONBLOCK", "O_BINARY"):
        flags |= getattr(os, name, 0)
    try:
        handle = os.open(path + ".torn", flags, 0o600)
        try:
            info = os.fstat(handle)
            if info.st_mode & 0o170000 == 0o100000 and info.st_size < TORN_LIMIT:
                os.write(handle, tail + b"\n")
        finally:
            os.close(handle)
    except OSError:
        pass
