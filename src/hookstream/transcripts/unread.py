"""Files of clients' sessions that a backfill finds and does not read, and why."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookstream.core.places import Machine
from hookstream.normalizers.client import client_of, clients
from hookstream.transcripts.clients import CLIENTS, files_of
from hookstream.transcripts.places import files_below, roots

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

OLDER = "last written before that time; --since all reads it"
OTHER = "not a session file by its name"
SHUT = "may not be read"
# SQLite's own files of a database.
SIDES = ("-wal", "-shm", "-journal")


def unread(
    home: Path, names: list[str] | None, since: float, env: Mapping[str, str]
) -> list[dict[str, Any]]:
    """A row for each client and reason: how many files, their bytes, the first of them."""
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    chosen = names or [client.key for client in clients()]
    for client in chosen:
        for path, why in _unread(client, home, since, env):
            try:
                size = path.stat().st_size
            except OSError:
                size, why = 0, SHUT
            row = rows.setdefault(
                (client, why),
                {"tool": client, "files": 0, "bytes": 0, "why": why, "first": str(path)},
            )
            row["files"] += 1
            row["bytes"] += size
    return list(rows.values())


def _unread(
    client: str, home: Path, since: float, env: Mapping[str, str]
) -> Iterator[tuple[Path, str]]:
    machine = Machine(home, env=env)
    named = {
        path: reason.why
        for reason in client_of(client).unread
        for file in reason.files
        for path in file.files(machine)
    }
    yield from named.items()
    if client not in CLIENTS:
        return
    pattern, part = files_of(client).file, files_of(client).part
    for root, usual in roots(client, home, env).items():
        for path in files_below(root):
            name = str(usual / path.relative_to(root))
            if path in named or name.endswith(SIDES) or (part and part.search(name)):
                continue
            if path != root and pattern.search(name) is None:
                yield path, OTHER
            elif not os.access(path, os.R_OK):
                yield path, SHUT
            elif path.stat().st_mtime < since:
                yield path, OLDER
