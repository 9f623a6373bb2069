"""Permission rules of Qwen Code: `permissions` in its settings files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookstream.normalizers.permission_rules import Listed, settings_rules

if TYPE_CHECKING:
    from collections.abc import Iterator

VARIABLE, FOLDER = "QWEN_HOME", ".qwen"
FILES = ("settings.json", "settings.local.json")
MACHINE = ("/etc/qwen-code/settings.json",)
PROJECT = (".qwen/settings.json", ".qwen/settings.local.json")


def rules(data: bytes, path: str) -> Iterator[Listed]:
    """The rules of one file. Raises Refused."""
    yield from settings_rules(data)
