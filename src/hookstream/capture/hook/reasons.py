"""Reasons that a batch repeats in free text, such as a hook's own sentence.

An entry's text is a result, and so content, unless its call was refused. The log says which: a
call that it shows to have begun, and to have given no result, keeps the text's first line.
"""

from __future__ import annotations

import os

from hookstream.core.event import short_reason
from hookstream.core.jsons import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from hookstream.core.event import Event

# Bytes at the end of the log in which the calls of a batch are looked for.
REACH = 256 * 1024
FLAGS = os.O_RDONLY
for _name in ("O_NOFOLLOW", "O_CLOEXEC", "O_NONBLOCK", "O_BINARY"):
    FLAGS |= getattr(os, _name, 0)


def keep_reasons(events: Iterable[Event], log: str) -> None:
    """Give entries of a batch whose call is open in the log their text as `refusal`."""
    waiting = {event.facts["call_id"]: event for event in events if _is_waiting(event)}
    if not waiting:
        return
    ids = {call: call.encode("ascii", "ignore") for call in waiting}
    begun: set[str] = set()
    ended: set[str] = set()
    for line in _tail(log).split(b"\n"):
        for call, mark in ids.items():
            if mark not in line:
                continue
            kind = _kind(line, call, waiting[call].facts["session_id"])
            if kind == "Action.Before":
                begun.add(call)
            elif kind is not None:
                ended.add(call)
    for call in begun - ended:
        facts = waiting[call].facts
        facts["refusal"] = short_reason(facts["output"])


def _is_waiting(event: Event) -> bool:
    facts = event.facts
    return (
        event.type == "Action.After"
        and facts.get("reported_by") == "batch"
        and "call_id" in facts
        and not {"outcome", "refusal"} & facts.keys()
        and type(facts.get("output")) is str
        and bool(facts["output"].strip())
    )


def _tail(path: str) -> bytes:
    """The complete lines at the end of a regular file; nothing if it cannot be read."""
    try:
        handle = os.open(path, FLAGS)
    except OSError:
        return b""
    try:
        info = os.fstat(handle)
        if info.st_mode & 0o170000 != 0o100000:
            return b""
        begin = max(0, info.st_size - REACH)
        os.lseek(handle, begin, os.SEEK_SET)
        data = os.read(handle, REACH)
    except OSError:
        return b""
    finally:
        os.close(handle)
    return data.partition(b"\n")[2] if begin else data


def _kind(line: bytes, call: str, session: str) -> str | None:
    """The type of a line's event if it belongs to the call and says how it began or ended."""
    try:
        event = loads(line)
        meta = event["metadata"]["dev.hookstream"]
        kind = event["event_type"]
        if meta.get("call_id") != call or event["session_id"] != session:
            return None
        if meta.get("reported_by") == "batch" or not kind.startswith(("Action.", "Policy.")):
            return None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    return str(kind)
