"""One native event, two reporters: a wrapped hook next to another, or next to hookstream's own.

If a payload names its call or its time, both give its events the same ids. Elsewhere an id is made
from the time of receipt, which differs. So the recorder of a wrap, which no client waits for, looks
for the line that the other one wrote, and takes its time of receipt for its own.
"""

from __future__ import annotations

import os

from hookstream.capture.log.append import make_folders
from hookstream.capture.log.locks import lock
from hookstream.core.jsons import loads
from hookstream.core.times import to_ms
from hookstream.standards.agent_hooks import METADATA_KEY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Longest wait for the other hook's line: clients start the hooks of an event together.
WAIT_S = 1.5
PAUSE_S = 0.1
# What a wrap's line has more than a hook's.
WRAP = "wrap"
MARK = b'"reported_by":"wrap",'
# The scope of the two registrations may differ: part of the line's length, not of its content.
SCOPES = (b"", *(b'"capture_scope":"%s",' % word for word in (b"managed", b"user", b"project")))
# Further apart are two events that say the same.
NEAR_MS = 4000.0
REACH_BYTES = 2 * 1024 * 1024


def matching_receipt_time(path: str, line: bytes) -> str | None:
    """Receipt time of the nearest event in the log with the same content as `line`, or None."""
    wanted = _content(line)
    if wanted is None:
        return None
    text, when, session = wanted
    bare = len(line.rstrip(b"\n")) - max(len(scope) for scope in SCOPES if scope in line)
    sizes = {bare + len(scope) - cut for scope in SCOPES for cut in (0, len(MARK))}
    nearest = None
    for other in _last_lines(path):
        # Ids and times are of one length, so that few lines have to be read.
        if len(other) in sizes and session in other:
            content = _content(other)
            if content is not None and content[0] == text:
                apart = abs(content[1] - when)
                if apart <= NEAR_MS and (nearest is None or apart < nearest[0]):
                    nearest = (apart, other)
    if nearest is None:
        return None
    received_at: str = loads(nearest[1])["metadata"][METADATA_KEY]["received_at"]
    return received_at


def _content(line: bytes) -> tuple[dict[str, Any], float, bytes] | None:
    """An event's content (no id, reporter, scope, time of receipt), that time (ms), its session."""
    try:
        event = loads(line)
        own = event["metadata"][METADATA_KEY]
        when = to_ms(own.pop("received_at"))
        session = event["session_id"].encode("ascii", "backslashreplace")
        del event["event_id"]
        own.pop("capture_scope", None)
        if own.get("reported_by") == WRAP:
            del own["reported_by"]
        if "timestamp" in own.get("synthesized", ()):
            del event["timestamp"]
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
        return None
    return None if when is None else (event, when, session)


def _last_lines(path: str) -> list[bytes]:
    flags = os.O_RDONLY
    for name in ("O_NOFOLLOW", "O_CLOEXEC", "O_NONBLOCK", "O_BINARY"):
        flags |= getattr(os, name, 0)
    try:
        handle = os.open(path, flags)
    except OSError:
        return []
    try:
        size = os.fstat(handle).st_size
        start = max(0, size - REACH_BYTES)
        os.lseek(handle, start, os.SEEK_SET)
        lines = os.read(handle, size - start).split(b"\n")
    except OSError:
        return []
    finally:
        os.close(handle)
    # The text before the first newline is half a line; after the last one there is nothing.
    return lines[1 if start else 0 : -1]


class Turn:
    """Recorders look and write one after the other, so that of two wraps one finds the other's."""

    def __init__(self, folder: str | None) -> None:
        self.path = os.path.join(folder, "wrap.lock") if folder else None
        self.handle: int | None = None

    def __enter__(self) -> None:
        if self.path is None:
            return
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
        try:
            make_folders(os.path.dirname(self.path))
            self.handle = os.open(self.path, flags, 0o600)
            lock(self.handle, 2.0)
        except OSError:
            return

    def __exit__(self, *_: object) -> None:
        if self.handle is not None:
            os.close(self.handle)
