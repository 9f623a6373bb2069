"""Antigravity: hooks.json, an object of named hooks, ours among them; whole seconds.

Source: the vendor's guide and published trials. The client drops a file with one error in it: the
hooks of others in it are not edited, so none is wrapped.
"""

from __future__ import annotations

from typing import Any

from hookstream.capture.install.agent import agent
from hookstream.capture.install.config_file import ConfigFile
from hookstream.capture.install.homes import InstallFolders
from hookstream.capture.install.hooks_file import HooksFile
from hookstream.normalizers.antigravity.install import INSTALL

EVENTS = INSTALL.events
NAME = "hookstream"


def entry(event: str, command: str) -> dict[str, Any]:
    handler = {"type": "command", "command": command, "timeout": 10}
    # Events of tools have groups with a matcher, the others a flat list.
    return {"matcher": "*", "hooks": [handler]} if event.endswith("ToolUse") else handler


def files(homes: InstallFolders, scope: str) -> list[ConfigFile]:
    if scope == "managed":
        return []
    folder = homes.home / ".gemini" / "config" if scope == "user" else homes.project / ".agents"
    return [HooksFile(folder / "hooks.json", "antigravity", EVENTS, entry, table=NAME)]


AGENT = agent(INSTALL, files)
