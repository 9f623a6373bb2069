"""A sink's offset in the spool: a small JSON file, replaced atomically after each flush."""

from __future__ import annotations

import json
import re
from hashlib import sha256
from pathlib import Path
from typing import Any

from hookstream.core.errors import SinkError
from hookstream.core.files import write_atomic
from hookstream.core.shown import shown
from hookstream.delivery import checkpoint
from hookstream.delivery.spool_reader import Position
from hookstream.sinks import kind_name, read_uri

SCHEMA = "hookstream/cursor/1"
COUNTS = ("delivered", "retried", "dead", "filtered", "gap", "damaged")


def identity(name: str, uri: str) -> str:
    """A file name for a sink: its name or kind, and a digest of both it and its target, however the
    URI spells that."""
    try:
        address = read_uri(uri)
        target = f"{address.kind.name}:{address.folder or address.target}"
    except SinkError:  # a kind of a program's own
        target = uri
    return _file_name(name, uri, f"{name}\0{target}")


def place_of(folder: Path, name: str, uri: str) -> Path:
    """The file of a sink's cursor in a state folder. Versions before 0.4 told sinks apart by their
    name alone, or the URI as it was written: such a file is used on if it is of the same URI."""
    path = folder / "sinks" / f"{identity(name, uri)}.json"
    old = path.with_name(f"{_file_name(name, uri, name or uri)}.json")
    if path.exists() or not old.exists():
        return path
    try:
        is_same = json.loads(old.read_bytes())["sink"] == shown(uri)
    except (ValueError, KeyError, TypeError, OSError, RecursionError):
        is_same = True  # what is damaged is set aside there
    return old if is_same else path


def _file_name(name: str, uri: str, what: str) -> str:
    plain = re.sub(r"[^a-z0-9-]+", "-", (name or kind_name(uri)).lower())[:40]
    return f"{plain}-{sha256(what.encode('utf-8', 'surrogateescape')).hexdigest()[:10]}"


class Cursor:
    """`done` is the position after the last record that the sink answers for."""

    def __init__(self, path: Path, uri: str, name: str = "") -> None:
        self.path = path
        self.uri = uri
        self.name = name  # what a status shows, the address if unnamed
        self.done: Position | None = None
        self.counts = dict.fromkeys(COUNTS, 0)
        self.said: dict[str, Any] = {}  # what a status shows: last error, next try

    def load(self) -> None:
        """Load the saved cursor; nothing if it does not exist or is damaged, and then set aside."""
        try:
            document = json.loads(self.path.read_bytes())
            if document["schema"] != SCHEMA:
                raise ValueError("another schema")
            self.done = Position(*map(int, document["position"]))
            self.counts.update({name: int(document["counts"][name]) for name in COUNTS})
        except FileNotFoundError:
            return
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            checkpoint.set_aside(self.path)
            self.done = None
            self.counts = dict.fromkeys(COUNTS, 0)

    def save(self) -> None:
        """Save to disk before returning. On OSError the old cursor remains."""
        fields = {
            "schema": SCHEMA,
            "sink": shown(self.uri),
            "name": self.name or shown(self.uri),
            "position": list(self.done or (0, 0, 0)),
            "counts": self.counts,
            **self.said,
        }
        write_atomic(self.path, json.dumps(fields, indent=1).encode("ascii"))
