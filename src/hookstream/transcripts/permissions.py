"""Permission rules in the settings of clients: of the user, of the machine, and of the projects
that sessions ran in. Their form is in each client's `rules` module."""

from __future__ import annotations

from dataclasses import dataclass
from glob import glob
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from hookstream.core.parse import UnreadableLine
from hookstream.normalizers import VENDORS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from types import ModuleType

SIZE = 1 << 20
CLIENTS = ("claude-code", "codex", "gemini-cli", "copilot", "qwen-code", "opencode")


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
    made = PermissionSettings()
    seen: dict[tuple[str, Path], None] = {}
    for client in CLIENTS:
        module = _module(client)
        moved = env.get(module.VARIABLE)
        base = Path(moved) if moved else home / module.FOLDER
        for name in module.FILES:
            _find(seen, client, base, name)
        for place in module.MACHINE if machine else ():
            _find(seen, client, Path("/"), place.lstrip("/"))
    for client, project in projects:
        if client in CLIENTS and Path(project).is_absolute():
            for name in _module(client).PROJECT:
                _find(seen, client, Path(project), name)
    for client, path in seen:
        _read(made, client, path)
    return made


def _module(client: str) -> ModuleType:
    return import_module(f"hookstream.normalizers.{VENDORS[client]}.rules")


def _find(seen: dict[tuple[str, Path], None], client: str, base: Path, name: str) -> None:
    for path in sorted(glob(name, root_dir=base)):  # noqa: PTH207
        seen[client, base / path] = None


def _read(made: PermissionSettings, client: str, path: Path) -> None:
    try:
        if not path.is_file():
            return
        if path.stat().st_size > SIZE:
            raise UnreadableLine("too_long")
        found = list(_module(client).rules(path.read_bytes(), str(path)))
    except (OSError, UnreadableLine):
        made.unread.append(str(path))
        return
    made.files.append(str(path))
    made.rules += [PermissionRule(client, str(path), *one) for one in found]
