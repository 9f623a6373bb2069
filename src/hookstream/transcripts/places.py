"""Places of clients' session files on Linux, macOS and Windows."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING

from hookstream.core.places import Machine
from hookstream.core.sources import closed, span_of
from hookstream.normalizers.client import client_of
from hookstream.transcripts.clients import CLIENTS, files_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


@dataclass(slots=True, eq=False)
class ListedSession:
    """One session file: its client, path, size, and time of the last write (seconds since 1970)."""

    client: str
    path: Path
    size: int
    mtime: float


def roots(client: str, home: Path, env: Mapping[str, str]) -> dict[Path, Path]:
    """The existing folders and files in or under which a client keeps sessions -> the place that
    each has where no variable moves it, by which its files are known."""
    machine, usual = Machine(home, env=env), Machine(home, env={})
    paths: dict[Path, Path] = {}
    for session in client_of(client).sessions:
        path = session.path(machine)
        if path.exists():
            paths.setdefault(path.resolve(), session.path(usual))
    return paths


def find(
    home: Path,
    clients: tuple[str, ...] = CLIENTS,
    since: float = 0.0,
    env: Mapping[str, str] = os.environ,
) -> tuple[list[ListedSession], list[Path]]:
    """The session files of the clients that were written since (seconds since 1970), by the times
    in them; and what may not be read. Links to folders are not followed: none is read twice."""
    sessions: list[ListedSession] = []
    shut: list[Path] = []
    for client in clients:
        for root, usual in roots(client, home, env).items():
            shut += closed(root) if root.is_dir() else []
            for path in files_below(root):
                name = usual / path.relative_to(root)
                if files_of(client).file.search(str(name)) is None and path != root:
                    continue
                try:
                    info = path.stat()
                except OSError:
                    shut.append(path)
                    continue
                # A pipe under such a name would be waited for without end.
                if info.st_mtime >= since and S_ISREG(info.st_mode):
                    sessions.append(ListedSession(client, path, info.st_size, info.st_mtime))
    # A fork repeats its parent, and what is read first is kept.
    return sorted(sessions, key=lambda one: (*span_of(one.path), str(one.path))), shut


def files_below(root: Path) -> Iterator[Path]:
    """The files in a folder and those below it; a file is itself."""
    if root.is_file():
        yield root
        return
    for folder, below, names in os.walk(root):
        below.sort()
        for name in sorted(names):
            yield Path(folder, name)
