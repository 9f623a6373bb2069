"""Qwen Code: settings.json in Claude Code's form, timeouts in seconds.

Source: the hook documentation in 0.24.4 and trials with it.
"""

from __future__ import annotations

from hookstream.capture.install.agent import agent, grouped
from hookstream.capture.install.config_file import ConfigFile
from hookstream.capture.install.homes import InstallFolders
from hookstream.capture.install.hooks_file import HooksFile
from hookstream.capture.install.pinned import Pinned
from hookstream.capture.install.settings_of import json_settings, part
from hookstream.normalizers.qwen_code.install import INSTALL

EVENTS = INSTALL.events
# FileChanged watches only the files its matcher names.
MATCHERS = {"FileChanged": ".env|.envrc"}
ENTRY = grouped(10, matchers=MATCHERS, name="hookstream")


def files(homes: InstallFolders, scope: str) -> list[ConfigFile]:
    path = {
        "user": lambda: homes.home / ".qwen",
        "project": lambda: homes.project / ".qwen",
        "managed": lambda: homes.system("qwen-code", "QwenCode", "qwen-code"),
    }[scope]()
    if scope == "managed":
        # Unless it is pinned, a repository's disableAllHooks counts.
        entry = grouped(10, matchers=MATCHERS, name=f"hookstream-{homes.machine_mark()}")
        file = HooksFile(path / "settings.json", "qwen-code", EVENTS, entry, first=True)
        return [Pinned(file, {("disableAllHooks",): False})]
    return [HooksFile(path / "settings.json", "qwen-code", EVENTS, ENTRY, first=True)]


def gaps(homes: InstallFolders) -> list[str]:
    found = []
    if homes.env.get("QWEN_CODE_SYSTEM_SETTINGS_PATH"):
        found.append("QWEN_CODE_SYSTEM_SETTINGS_PATH is set: the machine's hooks do not run")
    for scope in ("managed", "user", "project"):
        path = files(homes, scope)[0].path
        settings = json_settings(path)
        if settings.get("disableAllHooks") is True:
            found.append(f"disableAllHooks in {path}: no hook runs")
        if part(settings, "hooksConfig", "enabled") is False:
            found.append(f"hooksConfig.enabled is false in {path}: no hook runs")
    return found


AGENT = agent(INSTALL, files, gaps)
