"""The folders of a user's, a project's and a machine's files."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from hookstream.core import folders
from hookstream.core.errors import HookstreamError

SCOPES = ("user", "project", "managed")
# The root folder of the machine's files; another only in tests.
ROOT = Path("/")


class InstallFolders:
    """The folders of one run; `env` and `platform` are arguments so that tests can say them."""

    def __init__(
        self,
        project: Path | None = None,
        env: Mapping[str, str] | None = None,
        platform: str = sys.platform,
    ) -> None:
        self.env = os.environ if env is None else env
        self.platform = platform
        self.project = project or Path.cwd()

    @property
    def home(self) -> Path:
        """The home folder. Raises HookstreamError where neither HOME nor the system knows one."""
        found = folders.home(self.env)
        if found is None:
            raise HookstreamError("no home folder: set HOME to install for a user")
        return Path(found)

    def named(self, variable: str, *below: str) -> Path:
        """The folder that an environment variable names, else one below the home."""
        value = self.env.get(variable)
        return Path(value).expanduser() if value else self.home.joinpath(*below)

    def config(self) -> Path:
        """`$XDG_CONFIG_HOME`, by default ~/.config."""
        value = self.env.get("XDG_CONFIG_HOME")
        return Path(value) if value and Path(value).is_absolute() else self.home / ".config"

    def system(self, linux: str, mac: str, windows: str) -> Path:
        """The machine's folder of a client: below /etc, /Library/Application Support,
        C:\\ProgramData."""
        if self.platform == "darwin":
            return ROOT / "Library/Application Support" / mac
        if self.platform == "win32":
            return Path(self.env.get("PROGRAMDATA", r"C:\ProgramData")) / windows
        return ROOT / "etc" / linux

    def machine_mark(self) -> str:
        """Eight hex that differ from machine to machine: a repository cannot name what it does not
        know."""
        import socket
        from hashlib import sha256

        return sha256(socket.gethostname().encode()).hexdigest()[:8]
