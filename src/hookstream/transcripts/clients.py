"""The clients whose session files are read, and whose a file is."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from hookstream.normalizers import VENDORS

if TYPE_CHECKING:
    from types import ModuleType

# In the order in which a file's first records are shown to them.
CLIENTS = (
    "claude-code",
    "codex",
    "gemini-cli",
    "copilot",
    "qwen-code",
    "opencode",
    "cline",
    "openclaw",
    "cursor",
)


@cache
def module_of(client: str) -> ModuleType:
    """The client's `transcript` module: VENDOR, FILE, Reader, claims, skipped."""
    return import_module(f"hookstream.normalizers.{VENDORS[client]}.transcript")


def by_name(path: str) -> list[str]:
    """Clients that keep a session file under such a path, whatever lies above it."""
    return [client for client in CLIENTS if module_of(client).FILE.search(path)]


def by_record(value: Any) -> str | None:
    """The client that claims one of a file's first records."""
    if type(value) is not dict:
        return None
    return next((client for client in CLIENTS if module_of(client).claims(value)), None)


def by_tables(names: set[str]) -> str | None:
    """The client whose tables a database has."""
    for client in CLIENTS:
        tables = getattr(module_of(client), "TABLES", None)
        if tables is not None and tables <= names:
            return client
    return None
