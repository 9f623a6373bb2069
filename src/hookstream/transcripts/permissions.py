"""Permission rules in the settings of clients: of the user, of the machine, and of the projects
that sessions ran in. Their places and form are in each client's declaration."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hookstream.core.parse import UnreadableLine
from hookstream.core.places import Machine
from hookstream.normalizers.client import client_of, clients

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

SIZE = 1 << 20


@dataclass(frozen=True)
class PermissionRule:
    """One rule as written in a file: `answer` is allow, ask or deny; `tools` is empty for any."""

    client: str
    file: str
    answer: str
    text: str
    tools: tuple[str, ...]
    arguments: tuple[str, ...] = ()


class PermissionSettings:
    """The rules found, the files that hold them, and those that could not be read."""

    def __init__(self) -> None:
        self.rules: list[PermissionRule] = []
        self.files: list[str] = []
        self.unread: list[str] = []


def settings_of(
    home: Path, projects: Iterable[tuple[str, str]], env: Mapping[str, str], *, machine: bool
) -> PermissionSettings:
    """The rules of (client, project folder) pairs; `machine`: also those of this machine."""
    settings = PermissionSettings()
    paths: dict[tuple[str, Path], None] = {}
    folders: dict[str, list[Path]] = {}
    for key, project in projects:
        if Path(project).is_absolute():
            folders.setdefault(key, []).append(Path(project))
    for client in clients():
        for file in client.permissions.files if client.permissions is not None else ():
            bases = {
                "user": [home],
                "managed": [home] if machine else [],
                "project": folders.get(client.key, []),
            }[file.scope]
            for base in bases:
                for path in file.files(Machine(home, base, env)):
                    paths[client.key, path] = None
    for key, path in paths:
        _read(settings, key, path)
    return settings


def _read(made: PermissionSettings, client: str, path: Path) -> None:
    try:
        if not path.is_file():
            return
        if path.stat().st_size > SIZE:
            raise UnreadableLine("too_long")
        permissions = client_of(client).permissions
        assert permissions is not None
        rules = list(permissions.read(path.read_bytes(), str(path)))
    except (OSError, UnreadableLine):
        made.unread.append(str(path))
        return
    made.files.append(str(path))
    made.rules += [PermissionRule(client, str(path), *rule) for rule in rules]
