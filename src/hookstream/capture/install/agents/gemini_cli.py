"""Gemini CLI: settings.json, groups with matchers, timeouts in milliseconds.

Source: the hooks reference and trials with 0.61.0. Hooks run in order where any group asks for
it, each seeing what those before it rewrote: the observer comes first.
"""

from __future__ import annotations

from hookstream.capture.install.agent import agent, grouped
from hookstream.capture.install.commands import is_ours
from hookstream.capture.install.config_file import ConfigFile
from hookstream.capture.install.homes import InstallFolders
from hookstream.capture.install.hooks_file import HooksFile
from hookstream.capture.install.pinned import Pinned
from hookstream.capture.install.settings_of import json_settings, part
from hookstream.normalizers.gemini_cli.install import INSTALL

EVENTS = INSTALL.events
MATCHERS = dict.fromkeys(EVENTS, "*")
ENTRY = grouped(10_000, matchers=MATCHERS, name="hookstream")


def files(homes: InstallFolders, scope: str) -> list[ConfigFile]:
    path = {
        "user": lambda: homes.named("GEMINI_CLI_HOME") / ".gemini",
        "project": lambda: homes.project / ".gemini",
        "managed": lambda: homes.system("gemini-cli", "GeminiCli", "gemini-cli"),
    }[scope]()
    if scope == "managed":
        # The lists hooksConfig.disabled of user and repository are united with the machine's: a
        # name that no repository knows, and the switch pinned.
        entry = grouped(10_000, matchers=MATCHERS, name=f"hookstream-{homes.machine_mark()}")
        file = HooksFile(path / "settings.json", "gemini-cli", EVENTS, entry, None, True, "bash")
        return [Pinned(file, {("hooksConfig", "enabled"): True})]
    return [
        HooksFile(path / "settings.json", "gemini-cli", EVENTS, ENTRY, first=True, runs_in="bash")
    ]


def gaps(homes: InstallFolders) -> list[str]:
    found = []
    if homes.env.get("GEMINI_CLI_SYSTEM_SETTINGS_PATH"):
        found.append("GEMINI_CLI_SYSTEM_SETTINGS_PATH is set: the machine's hooks do not run")
    for scope in ("managed", "user", "project"):
        path = files(homes, scope)[0].path
        settings = json_settings(path)
        if part(settings, "hooksConfig", "enabled") is False:
            found.append(f"hooksConfig.enabled is false in {path}: no hook runs")
        disabled = part(settings, "hooksConfig", "disabled")
        for name in disabled if isinstance(disabled, list) else ():
            if str(name).startswith("hookstream") or (isinstance(name, str) and is_ours(name)):
                found.append(f"hooksConfig.disabled in {path} names hookstream")
    return found


AGENT = agent(INSTALL, files, gaps)
