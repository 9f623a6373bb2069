"""Permission rules in the settings of clients that list them as `Tool(argument)`: Claude Code and
Qwen Code, of the user, of the machine, and of the projects that sessions ran in."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookstream.parse import Refused, parse

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

SIZE = 1 << 20
RULE = re.compile(r"([A-Za-z_][\w-]*)(?:\((.*)\))?", re.DOTALL)
# client -> (variable that moves its folder, that folder), the machine's own settings
PLACES = {
    "claude-code": (
        "CLAUDE_CONFIG_DIR",
        ".claude",
        (
            "/etc/claude-code/managed-settings.json",
            "/Library/Application Support/ClaudeCode/managed-settings.json",
        ),
    ),
    "qwen-code": ("QWEN_HOME", ".qwen", ("/etc/qwen-code/settings.json",)),
}
NAMES = ("settings.json", "settings.local.json")


@dataclass(frozen=True)
class Rule:
    """One rule as it stands in a file: `answer` is allow, ask or deny; `argument` what stands in
    its brackets."""

    client: str
    file: str
    answer: str
    text: str
    tool: str
    argument: str | None


class Settings:
    """The rules found, the files that hold them, and those that could not be read."""

    def __init__(self) -> None:
        self.rules: list[Rule] = []
        self.files: list[str] = []
        self.unread: list[str] = []


def settings_of(
    home: Path, projects: Iterable[tuple[str, str]], env: Mapping[str, str], *, machine: bool
) -> Settings:
    """The rules of (client, project folder) pairs; `machine`: also those of this machine."""
    made = Settings()
    seen: dict[tuple[str, Path], None] = {}
    for client, (variable, folder, managed) in PLACES.items():
        moved = env.get(variable)
        for name in NAMES:
            seen[client, (Path(moved) if moved else home / folder) / name] = None
        for place in managed if machine else ():
            seen[client, Path(place)] = None
    for client, project in projects:
        if client in PLACES and os.path.isabs(project):  # noqa: PTH117
            for name in NAMES:
                seen[client, Path(project, PLACES[client][1], name)] = None
    for client, path in seen:
        _read(made, client, path)
    return made


def _read(made: Settings, client: str, path: Path) -> None:
    try:
        if not path.is_file():
            return
        if path.stat().st_size > SIZE:
            raise Refused("too_long")
        value, _ = parse(path.read_bytes())
    except (OSError, Refused):
        made.unread.append(str(path))
        return
    made.files.append(str(path))
    made.rules += _rules(client, path, value)


def _rules(client: str, path: Path, value: Any) -> Iterator[Rule]:
    held = value.get("permissions") if type(value) is dict else None
    for answer in ("allow", "ask", "deny"):
        listed = held.get(answer) if type(held) is dict else None
        for text in listed if type(listed) is list else ():
            found = RULE.fullmatch(text) if type(text) is str else None
            if found is not None:
                yield Rule(client, str(path), answer, text, found[1], found[2])
