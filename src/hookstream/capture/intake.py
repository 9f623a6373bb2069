"""Standard input to a Record, without ever waiting for somebody who keeps it open."""

from __future__ import annotations

import os
import sys
from hashlib import sha256

from hookstream.limits import LINE_BYTES
from hookstream.records import Record, Rejection, read_record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

CHUNK = 256 * 1024
# A client writes at once; one that has written nothing for so long will not (Kiro IDE 0.x).
FIRST_S = {"kiro": 0.4}
FIRST_DEFAULT_S = 2.0
# One that has begun goes on within this time, or has ended without closing.
QUIET_S = 0.5


def take(vendor: str | None, budget_s: float) -> Record | Rejection | None:
    """What standard input holds: up to its end, to a complete JSON object, or to a pause.

    None where it holds nothing. Raises OSError where it cannot be read.
    """
    first_s = min(FIRST_S.get(vendor or "", FIRST_DEFAULT_S), budget_s * 0.6)
    ready = _waiter()
    data = bytearray()
    tried = 0
    while ready(first_s if not data else min(QUIET_S, budget_s * 0.3)):
        chunk = os.read(0, CHUNK)
        if not chunk:
            break
        data += chunk
        if len(data) > LINE_BYTES:
            return _drain(data, ready)
        # Whether it is complete is asked again only when it has doubled, so that a long one is
        # not parsed over and over.
        if len(data) >= 2 * tried and data[-64:].rstrip().endswith(b"}"):
            tried = len(data)
            found = read_record(bytes(data))
            if isinstance(found, Record):
                return found
    return read_record(bytes(data))


def _drain(data: bytearray, ready: Callable[[float], bool]) -> Rejection:
    """Reads to the end without holding it: a client must not find its pipe broken."""
    digest = sha256(data)
    length = len(data)
    while ready(QUIET_S):
        chunk = os.read(0, CHUNK)
        if not chunk:
            break
        digest.update(chunk)
        length += len(chunk)
    return Rejection("too_long", length, digest.hexdigest(), "stdin", 0)


def _waiter() -> Callable[[float], bool]:
    """Whether a read will not wait, within so many seconds."""
    if sys.platform == "win32":
        return lambda seconds: True  # pipes cannot be waited for; the deadline ends a read
    from select import select

    return lambda seconds: bool(select((0,), (), (), seconds)[0])


def from_argument(text: str) -> Record | Rejection | None:
    """A payload that came as an argument (Codex notify)."""
    return read_record(os.fsencode(text))


def from_environment(vendor: str | None) -> Record | None:
    """Kiro IDE 0.x gives its context in USER_PROMPT: the prompt, or a JSON object about a tool."""
    text = os.environ.get("USER_PROMPT")
    if vendor != "kiro" or not text:
        return None
    found = read_record(os.fsencode(text)) if text.startswith("{") else None
    return found if isinstance(found, Record) else Record({})
