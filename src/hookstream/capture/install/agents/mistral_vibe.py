"""Mistral Vibe: `[[hooks]]` tables in hooks.toml, timeouts in seconds.

Source: the published source of 3.0.2 and trials with it. Hooks of one event run one after the
other and a refusal ends the round: ours come first. Those of a project come before a person's.
"""

from __future__ import annotations

from typing import Any

from hookstream.capture.install.agent import agent
from hookstream.capture.install.config_file import ConfigFile
from hookstream.capture.install.homes import InstallFolders
from hookstream.capture.install.toml_hooks import TomlHooks
from hookstream.normalizers.mistral_vibe.install import INSTALL

EVENTS = INSTALL.events


def files(homes: InstallFolders, scope: str) -> list[ConfigFile]:
    if scope == "managed":
        return []
    # Of two hooks with one name only the project's is kept.
    prefix = "hookstream" if scope == "user" else "hookstream-project"

    def entry(event: str, command: str) -> dict[str, Any]:
        name = f"{prefix}-{event.replace('_', '-')}"
        return {"name": name, "type": event, "command": command, "timeout": 10}

    user = homes.named("VIBE_HOME", ".vibe")
    folder = user if scope == "user" else homes.project / ".vibe"
    return [TomlHooks(folder / "hooks.toml", "mistral-vibe", EVENTS, entry, "type", first=True)]


AGENT = agent(INSTALL, files)
