"""Dead letters: records a sink refused for good, kept until `hookstream replay` sends them again.

One file a sink, 0600, one JSON object a line: {"schema", "sink", "standard", "reason", "at",
"event"}. `event` is the rendered Agent Hooks object: privacy has passed, nothing native is in it.
Bounded: where the file is full, the sink waits instead of losing anything.
"""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any

from hookstream.delivery import durable
from hookstream.jsons import loads
from hookstream.sinks.base import Rendered
from hookstream.standards.agent_hooks_reader import read_agent_hooks

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

if sys.platform != "win32":
    import fcntl

SCHEMA = "hookstream/dead-letter/1"
MOST_BYTES = 1 << 30
REASON = 300


class Full(OSError):
    """The file of dead letters has reached its bound."""


def letter(uri: str, standard: str, reason: str, at: str, item: Rendered) -> bytes:
    """One line without its newline: ASCII JSON."""
    said = " ".join(reason.split())[:REASON]
    head = {"schema": SCHEMA, "sink": uri, "standard": standard, "reason": said, "at": at}
    text = json.dumps(head, separators=(",", ":"))
    return text[:-1].encode("ascii") + b',"event":' + item.agent_hooks + b"}"


def keep(path: Path, lines: list[bytes], most: int = MOST_BYTES) -> None:
    """Appends lines, on disk when this returns. OSError, and then none of them is kept."""
    if not lines:
        return
    fd = _locked(path)
    try:
        size = os.fstat(fd).st_size
        data = b"".join(line + b"\n" for line in lines)
        if size + len(data) > most:
            raise Full(28, f"full; send it with hookstream replay {path}")
        # A line that a crash cut off must not spoil the next one.
        torn = size and os.pread(fd, 1, size - 1) != b"\n"
        durable.append(fd, b"\n" + data if torn else data)
    finally:
        os.close(fd)


def _locked(path: Path) -> int:
    """The file under this name, opened and locked: a replay may be taking it away. OSError."""
    while True:
        fd = durable.open_append(path)
        if sys.platform == "win32":
            return fd
        fcntl.flock(fd, fcntl.LOCK_EX)
        try:
            if os.path.samestat(os.fstat(fd), path.stat()):
                return fd
        except FileNotFoundError:
            pass
        os.close(fd)


def take_away(path: Path, other: Path) -> None:
    """Renames the file while nobody is writing to it. OSError."""
    fd = _locked(path)
    try:
        path.rename(other)
    finally:
        os.close(fd)


class Letter:
    """A kept record: the sink and standard it was for (no sink in a file of plain events), and
    its line."""

    __slots__ = ("item", "line", "sink", "standard")

    def __init__(self, sink: str | None, standard: str, item: Rendered, line: bytes) -> None:
        self.sink = sink
        self.standard = standard
        self.item = item
        self.line = line

    @property
    def place(self) -> tuple[str | None, str]:
        return self.sink, self.standard


def read(path: Path) -> Iterator[Letter | bytes]:
    """The letters of a file, or of a file of plain Agent Hooks lines; a line that is neither is
    given as it stands."""
    with path.open("rb") as file:
        for line in file:
            data = line.rstrip(b"\n")
            if data.strip():
                yield _read(data) or data


def _read(data: bytes) -> Letter | None:
    try:
        given: Any = loads(data)
        own = given.get("schema") == SCHEMA
        event = given["event"] if own else given
        item = Rendered(read_agent_hooks(event))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    sink = str(given["sink"]) if own and "sink" in given else None
    standard = str(given.get("standard", "both")) if own else "both"
    return Letter(sink, standard, item, data)
