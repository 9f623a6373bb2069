"""Windsurf: hooks.json, one flat list per event, run in order; no timeout.

Source: the vendor's hook page and field reports. Exit status 2 before an action ends the round,
so the observer comes first.
"""

from __future__ import annotations

import os
from typing import Any

from hookstream.capture.install.agent import agent
from hookstream.capture.install.config_file import ConfigFile
from hookstream.capture.install.homes import InstallFolders
from hookstream.capture.install.hooks_file import HooksFile
from hookstream.normalizers.windsurf.install import INSTALL

EVENTS = INSTALL.events


def entry(event: str, command: str) -> dict[str, Any]:
    field = "powershell" if os.name == "nt" else "command"
    return {field: command, "show_output": False}


def files(homes: InstallFolders, scope: str) -> list[ConfigFile]:
    if scope == "user":
        places = [homes.home / ".codeium" / "windsurf"]
        # The plugin for JetBrains reads its own file.
        if (homes.home / ".codeium" / "hooks.json").exists():
            places.append(homes.home / ".codeium")
    elif scope == "project":
        places = [homes.project / ".windsurf"]
    else:
        places = [homes.system("windsurf", "Windsurf", "Windsurf")]
    return [
        HooksFile(place / "hooks.json", "windsurf", EVENTS, entry, first=True) for place in places
    ]


AGENT = agent(INSTALL, files)
