"""Standard input to a Record, without ever waiting for a process that keeps it open."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from hashlib import sha256
from time import monotonic

from hookstream.capture.hook.output import facts_of
from hookstream.core.limits import LINE_BYTES
from hookstream.core.records import Record, Rejection, read_record

CHUNK = 256 * 1024
# What may be the end is looked at again when nothing has followed for so long.
PAUSE_S = 0.05


def take(vendor: str | None, budget_s: float) -> tuple[Record | Rejection | None, bytes]:
    """The payload on standard input, read, and its bytes: up to the end or to a complete JSON
    object; if neither comes, the part read after most of the time.

    None if it is empty. Raises OSError if it cannot be read.
    """
    ready = waiter()
    first_s = facts_of(vendor).first_byte_s or budget_s
    until = monotonic() + min(first_s, budget_s * 0.8)
    data = bytearray()
    tried = 0
    while True:
        left = until - monotonic()
        is_new = ready(max(0.0, min(PAUSE_S, left) if data else left))
        if is_new:
            chunk = os.read(0, CHUNK)
            if not chunk:
                break
            if not data:
                until = max(until, monotonic() + budget_s * 0.4)
            data += chunk
            if len(data) > LINE_BYTES:
                return drain(bytes(data), ready, until), b""
        # A long one is not parsed over and over while it grows.
        may_be_whole = len(data) >= 2 * tried if is_new else len(data) > tried
        if may_be_whole and data[-64:].rstrip().endswith(b"}"):
            tried = len(data)
            record = read_record(bytes(data))
            if isinstance(record, Record):
                return record, bytes(data)
        if not is_new and monotonic() >= until:
            break
    return read_record(bytes(data)), bytes(data)


def drain(data: bytes, ready: Callable[[float], bool], until: float) -> Rejection:
    """Read to the end without keeping it: a client must not find its pipe broken."""
    digest = sha256(data)
    length = len(data)
    while ready(max(0.0, until - monotonic())):
        chunk = os.read(0, CHUNK)
        if not chunk:
            break
        digest.update(chunk)
        length += len(chunk)
    return Rejection("too_long", length, digest.hexdigest(), "stdin", 0)


def waiter() -> Callable[[float], bool]:
    """Return a function: whether a read will not wait, within a number of seconds."""
    if sys.platform == "win32":
        return lambda seconds: True  # pipes cannot be waited for; the deadline ends a read
    from select import select

    return lambda seconds: bool(select((0,), (), (), seconds)[0])


def from_environment(vendor: str | None) -> Record | None:
    """The payload of a client that gives it in a variable: a prompt, or a JSON object."""
    text = os.environ.get(facts_of(vendor).payload_variable)
    if not text:
        return None
    record = read_record(os.fsencode(text)) if text.startswith("{") else None
    return record if isinstance(record, Record) else Record({})
