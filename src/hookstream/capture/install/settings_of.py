"""Reading other settings of a client, for what keeps hooks from running. Never raises."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from hookstream.capture.install import atomic
from hookstream.capture.install.config_file import decoded
from hookstream.capture.install.jsonc import BrokenDocument, parse


def json_settings(path: Path, json5: bool = False) -> dict[str, Any]:
    """The object in a file; empty if it does not exist or is broken."""
    try:
        text = decoded(path, atomic.read(path))[1]
        value = parse(text, json5).plain() if text.strip() else {}
    except (atomic.FileRefused, BrokenDocument):
        return {}
    return value if isinstance(value, dict) else {}


def toml_settings(path: Path) -> dict[str, Any]:
    """The tables of a file; empty if it does not exist or is broken."""
    try:
        return tomllib.loads(decoded(path, atomic.read(path))[1])
    except (atomic.FileRefused, tomllib.TOMLDecodeError):
        return {}


def part(value: dict[str, Any], *path: str) -> Any:
    """The value at a path, or None."""
    found: Any = value
    for key in path:
        found = found.get(key) if isinstance(found, dict) else None
    return found
