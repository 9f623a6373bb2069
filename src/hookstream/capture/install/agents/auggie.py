"""Auggie: settings.json in Claude Code's form, timeouts in milliseconds.

Source: the package's source and runs of 0.36.0. Hooks run side by side, so their order is of no
account. `metadata` asks for what a payload lacks otherwise: the server of an MCP tool, the model,
the client's version and its user.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hookstream.capture.install import homes as homes_module
from hookstream.capture.install.agent import agent
from hookstream.capture.install.config_file import ConfigFile
from hookstream.capture.install.homes import InstallFolders
from hookstream.capture.install.hooks_file import HooksFile
from hookstream.normalizers.auggie.install import INSTALL

EVENTS = INSTALL.events
METADATA = {"includeMCPMetadata": True, "includeUserContext": True}


def entry(event: str, command: str) -> dict[str, Any]:
    handler = {"type": "command", "command": command, "timeout": 10_000}
    return {"hooks": [handler], "metadata": METADATA}


def folder(homes: InstallFolders, scope: str) -> Path:
    if scope == "user":
        return homes.home / ".augment"
    if scope == "project":
        return homes.project / ".augment"
    if homes.platform == "win32":
        return Path(homes.env.get("PROGRAMDATA", r"C:\ProgramData")) / "augment"
    return homes_module.ROOT / "etc" / "augment"


def files(homes: InstallFolders, scope: str) -> list[ConfigFile]:
    return [HooksFile(folder(homes, scope) / "settings.json", "auggie", EVENTS, entry)]


AGENT = agent(INSTALL, files)
