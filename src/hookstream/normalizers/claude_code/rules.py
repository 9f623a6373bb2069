"""Permission rules of Claude Code: `permissions` in its settings files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookstream.normalizers.permission_rules import Listed, settings_rules

if TYPE_CHECKING:
    from collections.abc import Iterator

VARIABLE, FOLDER = "CLAUDE_CONFIG_DIR", ".claude"
FILES = ("settings.json", "settings.local.json")
MACHINE = (
    "/etc/claude-code/managed-settings.json",
    "/Library/Application Support/ClaudeCode/managed-settings.json",
)
PROJECT = (".claude/settings.json", ".claude/settings.local.json")


def rules(data: bytes, path: str) -> Iterator[Listed]:
    """The rules of one file. Raises Refused."""
    yield from settings_rules(data)
