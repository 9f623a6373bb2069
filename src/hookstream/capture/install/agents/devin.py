"""Devin: hooks.v1.json of a project, config.json of a user; groups with matchers, seconds.

Source: the vendor's hook pages. Devin also runs the hooks of Claude Code's settings files: where
those hold ours, each event comes twice, the second time under a registration of claude-code.
"""

from __future__ import annotations

from pathlib import Path

from hookstream.capture.install.agent import agent, grouped
from hookstream.capture.install.config_file import ConfigFile
from hookstream.capture.install.homes import InstallFolders
from hookstream.capture.install.hooks_file import HooksFile
from hookstream.normalizers.devin.install import INSTALL

EVENTS = INSTALL.events
ENTRY = grouped(10)


def files(homes: InstallFolders, scope: str) -> list[ConfigFile]:
    if scope == "project":
        # The file is the table of events itself.
        path = homes.project / ".devin" / "hooks.v1.json"
        return [HooksFile(path, "devin", EVENTS, ENTRY, first=True, table=None)]
    if scope == "user":
        appdata = homes.env.get("APPDATA") if homes.platform == "win32" else None
        base = Path(appdata) if appdata else homes.config()
        return [HooksFile(base / "devin" / "config.json", "devin", EVENTS, ENTRY, first=True)]
    return []


AGENT = agent(INSTALL, files)
