"""The folders of a user's, a project's and a machine's files, and the settings in them."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hookstream.capture.install import atomic
from hookstream.capture.install.commands import are_words_ours, is_ours
from hookstream.capture.install.config_file import decoded
from hookstream.core.jsonc import BrokenDocument, parse
from hookstream.normalizers.client import SCOPES, ClientSettings

__all__ = ["ROOT", "SCOPES", "InstallFolders"]

# The root folder of the machine's files; another only in tests.
ROOT = Path("/")


class InstallFolders(ClientSettings):
    """The folders of one run; `env` and `platform` are arguments so that tests can say them."""

    def __init__(
        self,
        project: Path | None = None,
        env: Mapping[str, str] | None = None,
        platform: str = sys.platform,
    ) -> None:
        super().__init__(None, project, env, platform, ROOT)

    def machine_mark(self) -> str:
        """Eight hex that differ from machine to machine: a repository cannot name what it does not
        know."""
        import socket
        from hashlib import sha256

        return sha256(socket.gethostname().encode()).hexdigest()[:8]

    def json(self, path: Path, json5: bool = False) -> dict[str, Any]:
        """The object in a file; empty if it does not exist or is broken."""
        try:
            text = decoded(path, atomic.read(path))[1]
            value = parse(text, json5).plain() if text.strip() else {}
        except (atomic.FileRefused, BrokenDocument):
            return {}
        return value if isinstance(value, dict) else {}

    def toml(self, path: Path) -> dict[str, Any]:
        """The tables of a file; empty if it does not exist or is broken."""
        try:
            return tomllib.loads(decoded(path, atomic.read(path))[1])
        except (atomic.FileRefused, tomllib.TOMLDecodeError):
            return {}

    def is_ours(self, command: str | list[str]) -> bool:
        """Return whether a command line, or its words, run hookstream."""
        return is_ours(command) if isinstance(command, str) else are_words_ours(command)
