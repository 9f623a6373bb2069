"""Reads configuration and homes without the installer: comments and commas out, then json."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
STATE_FOLDERS = (".local/state/hookstream", ".local/state", ".local/share", ".local")
COMMA = re.compile(r'"(?:[^"\\]|\\.)*"|,(?=\s*[}\]])')


def strict(text: str) -> str:
    """JSON with comments as plain JSON."""
    bare = TOKEN.sub(lambda m: m[0] if m[0][0] == '"' else " ", text)
    return COMMA.sub(lambda m: m[0] if m[0][0] == '"' else "", bare)


def read(path: Path) -> Any:
    """The value in a file; {} where it holds nothing."""
    text = path.read_bytes().decode("utf-8-sig")
    return json.loads(strict(text)) if text.strip() else {}


def commands(entries: list[Any]) -> list[str]:
    """The command lines of an event's list, in either form."""
    handlers = [h for entry in entries for h in entry.get("hooks", [entry])]
    return [handler.get("command") or handler.get("bash") for handler in handlers]


def without_ours(value: Any) -> Any:
    """The value without hookstream's entries and without lists and tables that are empty then."""
    rest = dict(value)
    hooks = {}
    for event, entries in rest.pop("hooks", {}).items():
        kept = [e for e in entries if not any("hookstream" in c for c in commands([e]))]
        if kept:
            hooks[event] = kept
    return {**rest, "hooks": hooks} if hooks else rest


def tree(folder: Path, aside: tuple[str, ...] = ()) -> dict[str, Any]:
    """Every file, folder and link below with bytes and mode, but those `aside`, and but the state
    folder and those above it where they are empty: they may stay."""
    found: dict[str, Any] = {}
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        if parts[0] not in aside:
            held = os.readlink(path) if path.is_symlink() else path.is_file() and path.read_bytes()
            found["/".join(parts)] = (held, path.lstat().st_mode)
    for name in STATE_FOLDERS:
        if not any(other.startswith(name + "/") for other in found):
            found.pop(name, None)
    return found
