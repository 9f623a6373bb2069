"""Claude Code: settings.json, groups with matchers, timeouts in seconds.

Source: the hooks reference and trials with 2.1.329.
"""

from __future__ import annotations

from pathlib import Path

from hookstream.capture.install.agent import agent, grouped
from hookstream.capture.install.config_file import ConfigFile
from hookstream.capture.install.homes import InstallFolders
from hookstream.capture.install.hooks_file import HooksFile
from hookstream.capture.install.pinned import Superseded
from hookstream.capture.install.settings_of import json_settings
from hookstream.normalizers.claude_code.install import INSTALL

KEY = "claude-code"
EVENTS = INSTALL.events
# FileChanged watches only the files its matcher names.
ENTRY = grouped(10, matchers={"FileChanged": ".env|.envrc"})


def files(homes: InstallFolders, scope: str) -> list[ConfigFile]:
    if scope == "user":
        path = homes.named("CLAUDE_CONFIG_DIR", ".claude") / "settings.json"
    elif scope == "project":
        path = homes.project / ".claude" / "settings.json"
    else:
        # A separate file next to the administrator's: the client merges them, and a broken one
        # keeps it from starting.
        main = HooksFile(managed_folder(homes) / "managed-settings.json", KEY, EVENTS, ENTRY)
        path = managed_folder(homes) / "managed-settings.d" / "50-hookstream.json"
        return [HooksFile(path, KEY, EVENTS, ENTRY, own=True), Superseded(main)]
    return [HooksFile(path, KEY, EVENTS, ENTRY)]


def managed_folder(homes: InstallFolders) -> Path:
    if homes.platform == "win32":
        return Path(homes.env.get("PROGRAMFILES", r"C:\Program Files")) / "ClaudeCode"
    return homes.system("claude-code", "ClaudeCode", "ClaudeCode")


def gaps(homes: InstallFolders) -> list[str]:
    managed = managed_folder(homes) / "managed-settings.json"
    user = homes.named("CLAUDE_CONFIG_DIR", ".claude")
    project = homes.project / ".claude"
    found = []
    for path in (
        managed,
        user / "settings.json",
        project / "settings.json",
        project / "settings.local.json",
    ):
        settings = json_settings(path)
        if settings.get("disableAllHooks") is True:
            found.append(f"disableAllHooks in {path}: no hook runs")
        if settings.get("allowManagedHooksOnly") is True and path == managed:
            found.append(f"allowManagedHooksOnly in {path}: only managed hooks run")
    return found


AGENT = agent(INSTALL, files, gaps)
