"""The clients whose session files are read, and whose a file is."""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from hookstream.normalizers import VENDORS, WITHOUT_HOOKS

if TYPE_CHECKING:
    from types import ModuleType

NUMBERS = re.compile(r"(\d{1,6})\.(\d{1,6})(?:\.\d{1,9})*")
# In the order in which a file's first records are shown to them.
CLIENTS = (
    "claude-code",
    "codex",
    "gemini-cli",
    "copilot",
    "qwen-code",
    "opencode",
    "cline",
    "kimi-code",
    "openclaw",
    "pi",
    "mistral-vibe",
    "cursor",
    "auggie",
    "continue",
    "n8n",
    "glean",
)

# The newest version of which recordings were seen, if known from the file.
TRIED = {
    "claude-code": (2, 1),
    "codex": (0, 169),
    "copilot": (1, 0),
    "qwen-code": (0, 24),
    "opencode": (1, 18),
    "cline": (3, 0),
}


@cache
def module_of(client: str) -> ModuleType:
    """The client's `transcript` module: VENDOR, FILE, Reader, claims, skipped."""
    folder = VENDORS.get(client) or WITHOUT_HOOKS[client][0]
    return import_module(f"hookstream.normalizers.{folder}.transcript")


def is_newer(client: str, version: str) -> str | None:
    """Return why not all of a file may be understood: its client is newer than what was tried."""
    tried = TRIED.get(client)
    found = NUMBERS.match(version)
    if tried is None or found is None or (int(found[1]), int(found[2])) <= tried:
        return None
    known = ".".join(map(str, tried))
    return f"session file: {client} {found[0]} is newer than {known}, read as far as known"


def by_name(path: str) -> list[str]:
    """Clients that keep a session file under such a path, whatever is above it."""
    return [client for client in CLIENTS if module_of(client).FILE.search(path)]


def by_record(value: Any, path: str = "") -> str | None:
    """The client that claims one of a file's first records; of several that do, the one that keeps
    its files under such a path."""
    if type(value) is not dict:
        return None
    found = [client for client in CLIENTS if module_of(client).claims(value)]
    first = found[0] if found else None
    return next((one for one in found if module_of(one).FILE.search(path)), first)


def by_tables(names: set[str]) -> str | None:
    """The client whose tables a database has."""
    for client in CLIENTS:
        tables = getattr(module_of(client), "TABLES", None)
        if tables is not None and tables <= names:
            return client
    return None
