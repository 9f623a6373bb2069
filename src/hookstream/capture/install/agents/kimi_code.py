"""Kimi Code: `[[hooks]]` tables in config.toml, timeouts in seconds.

Source: the schema in 2.1.0 and trials with it. All hooks of an event run at once, and each is
asked; neither a project nor the whole machine has such a file.
"""

from __future__ import annotations

from typing import Any

from hookstream.capture.install.agent import agent
from hookstream.capture.install.config_file import ConfigFile
from hookstream.capture.install.homes import InstallFolders
from hookstream.capture.install.toml_hooks import TomlHooks
from hookstream.normalizers.kimi_code.install import INSTALL

EVENTS = INSTALL.events


def entry(event: str, command: str) -> dict[str, Any]:
    return {"event": event, "command": command, "timeout": 10}


def files(homes: InstallFolders, scope: str) -> list[ConfigFile]:
    if scope != "user":
        return []
    path = homes.named("KIMI_CODE_HOME", ".kimi-code") / "config.toml"
    return [TomlHooks(path, "kimi-code", EVENTS, entry, "event")]


AGENT = agent(INSTALL, files)
