"""GitHub Copilot: a separate file in the hooks folder, read by Copilot CLI and by VS Code.

Source: the hooks reference, the CLI's change log, VS Code's documentation, trials with 1.0.102.
camelCase names, because two events fire only under them; the event is on the command line,
since those payloads do not name it. Any failure before a tool is a deny, hence the guard in the
command. The first hook that denies ends the round, and the last file by name runs first.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from hookstream.capture.install import homes as homes_module
from hookstream.capture.install.agent import agent
from hookstream.capture.install.config_file import ConfigFile
from hookstream.capture.install.homes import InstallFolders
from hookstream.capture.install.hooks_file import HooksFile
from hookstream.capture.install.settings_of import json_settings
from hookstream.normalizers.copilot.install import INSTALL

EVENTS = INSTALL.events
NAME = "zz-hookstream.json"
HEAD = {"version": 1}


def entry(event: str, command: str) -> dict[str, Any]:
    field = "powershell" if os.name == "nt" else "bash"
    return {"type": "command", field: command, "timeoutSec": 10}


def folder(homes: InstallFolders, scope: str) -> Path:
    if scope == "user":
        return homes.named("COPILOT_HOME", ".copilot") / "hooks"
    if scope == "project":
        return homes.project / ".github" / "hooks"
    if homes.platform == "win32":
        return Path(homes.env.get("PROGRAMDATA", r"C:\ProgramData")) / "GitHub/Copilot/policy.d"
    return homes_module.ROOT / "etc/github-copilot/policy.d"


def files(homes: InstallFolders, scope: str) -> list[ConfigFile]:
    place = folder(homes, scope)
    found: list[ConfigFile] = [HooksFile(place / NAME, "copilot", EVENTS, entry, HEAD, own=True)]
    others = sorted(place.glob("*.json")) if place.is_dir() else []
    for path in others:
        if path.name != NAME:
            found.append(HooksFile(path, "copilot", (), entry, HEAD, runs_in="bash"))
    return found


def gaps(homes: InstallFolders) -> list[str]:
    found = []
    home = homes.named("COPILOT_HOME", ".copilot")
    repo = homes.project / ".github"
    paths = [home / "settings.json", home / "config.json", repo / "copilot" / "settings.json"]
    paths += [folder(homes, "user") / NAME, folder(homes, "project") / NAME]
    for path in paths:
        if json_settings(path).get("disableAllHooks") is True:
            found.append(f"disableAllHooks in {path}: no hook but managed ones runs")
    found += dropped(folder(homes, "managed") / NAME)
    editor = json_settings(homes.config() / "Code" / "User" / "settings.json")
    if editor.get("chat.useHooks") is False:
        found.append("chat.useHooks is false in VS Code: its agent runs no hook")
    return found


def dropped(path: Path) -> list[str]:
    """Return why the client takes no notice of a policy file; it says nothing of that."""
    try:
        info = path.stat()
    except OSError:
        return []
    if os.name == "nt" or (info.st_uid == 0 and not info.st_mode & 0o022):
        return []
    what = "others can write it" if info.st_mode & 0o022 else "it is not root's"
    return [f"{path}: {what}, so the client drops it without a word"]


AGENT = agent(INSTALL, files, gaps)
