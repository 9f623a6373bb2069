"""The clients whose session files are read, and whose a file is."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from hookstream.normalizers import index
from hookstream.normalizers.client import client_of, clients

if TYPE_CHECKING:
    from hookstream.normalizers.steps import SessionFiles

NUMBERS = re.compile(r"(\d{1,6})\.(\d{1,6})(?:\.\d{1,9})*")
# In the order in which a file's first records are shown to them.
CLIENTS = tuple(
    client.key
    for client in clients()
    if find_spec(f"hookstream.normalizers.{client.folder}.transcript") is not None
)


@cache
def files_of(client: str) -> SessionFiles:
    """The declaration of the client's session files."""
    folder = client_of(client).folder
    declared: SessionFiles = import_module(f"hookstream.normalizers.{folder}.transcript").FILES
    return declared


def is_newer(client: str, version: str) -> str | None:
    """Return why not all of a file may be understood: its client is newer than the recordings."""
    recorded = NUMBERS.match(client_of(client).recorded)
    match = NUMBERS.match(version)
    if recorded is None or match is None:
        return None
    limit = int(recorded[1]), int(recorded[2])
    if (int(match[1]), int(match[2])) <= limit:
        return None
    shown = ".".join(map(str, limit))
    return f"session file: {client} {match[0]} is newer than {shown}, read as far as known"


def by_name(path: str) -> list[str]:
    """Clients that keep a session file under such a path, whatever is above it."""
    return [client for client in CLIENTS if files_of(client).file.search(path)]


def by_record(value: Any, path: str = "") -> str | None:
    """The client that claims one of a file's first records; of several that do, the one in whose
    folder the file is, or that keeps its files under such a path."""
    if type(value) is not dict:
        return None
    keys = [client for client in CLIENTS if files_of(client).claims(value)]
    kept = index.keeper({"transcript_path": path}) if len(keys) > 1 else None
    if kept in keys:
        return kept
    first = keys[0] if keys else None
    return next((key for key in keys if files_of(key).file.search(path)), first)


def by_tables(names: set[str]) -> str | None:
    """The client whose tables a database has; a fork's has its parent's tables and more."""
    known = {client: files_of(client).tables for client in CLIENTS}
    keys = [client for client, tables in known.items() if tables and tables <= names]
    return max(keys, key=lambda client: len(known[client]), default=None)
