"""Codex: hooks.json in Claude Code's form, timeouts in seconds, and `notify` in config.toml.

Source: the schemas in 0.169.0 and trials with it. Hooks of a user or a project run only after a
person approved each in /hooks; the approval is kept by place, so ours comes after the others.
"""

from __future__ import annotations

import os
from pathlib import Path

from hookstream.capture.install import homes as homes_module
from hookstream.capture.install.agent import agent, grouped
from hookstream.capture.install.commands import are_words_ours, is_ours
from hookstream.capture.install.config_file import ConfigFile
from hookstream.capture.install.homes import InstallFolders
from hookstream.capture.install.hooks_file import HooksFile
from hookstream.capture.install.notify_line import NotifyLine
from hookstream.capture.install.pinned import Superseded
from hookstream.capture.install.requirements import Requirements
from hookstream.capture.install.settings_of import json_settings, part, toml_settings
from hookstream.normalizers.codex.install import EVENTS, INSTALL

# The client cuts these down to three seconds anyway.
ENTRY = grouped(10, {"SessionEnd": 3, "Interrupt": 3})


def folder(homes: InstallFolders, scope: str) -> Path:
    if scope == "user":
        return homes.named("CODEX_HOME", ".codex")
    if scope == "project":
        return homes.project / ".codex"
    if homes.platform == "win32":
        return Path(homes.env.get("PROGRAMDATA", r"C:\ProgramData")) / "OpenAI" / "Codex"
    return homes_module.ROOT / "etc" / "codex"


def files(homes: InstallFolders, scope: str) -> list[ConfigFile]:
    from hookstream.capture.install import launcher
    from hookstream.capture.install.command import launched

    place = folder(homes, scope)
    shell = '"${SHELL:-sh}"'
    hooks = HooksFile(place / "hooks.json", "codex", EVENTS, ENTRY, runs_in=shell)
    found: list[ConfigFile] = [hooks]
    if scope == "managed":  # hooks.json there runs too, but a switch of the user's stops it
        launchers = str(launcher.folder(managed=True))
        pinned = Requirements(place / "requirements.toml", EVENTS, ENTRY, launchers)
        found = [pinned, Superseded(hooks)]
    if scope != "project":  # a project's file may not name programs for notify
        found.append(NotifyLine(place / "config.toml", launched("codex", "notify", scope=scope)))
    return found


def gaps(homes: InstallFolders) -> list[str]:
    found = []
    config = toml_settings(folder(homes, "user") / "config.toml")
    for name in ("hooks", "codex_hooks"):
        if part(config, "features", name) is False:
            found.append(f"features.{name} is false in config.toml: no hook runs")
    notify = config.get("notify")
    if notify and not are_words_ours([str(word) for word in notify]):
        found.append("notify in config.toml is used by another program")
    for scope in ("user", "project"):
        path = folder(homes, scope) / "hooks.json"
        waiting = untrusted(path, config)
        if waiting:
            found.append(
                f"not trusted, so skipped without a word: {', '.join(waiting)} in {path}; "
                "approve them in codex with /hooks"
            )
    return found


def untrusted(path: Path, config: dict[str, object]) -> list[str]:
    """The events whose entries of ours have no approval in config.toml. The approval's digest is
    the client's own, so an entry changed after its approval is not noticed here."""
    table = part(json_settings(path), "hooks")
    state = part(config, "hooks", "state")
    states = state if isinstance(state, dict) else {}
    places = {str(path), os.path.realpath(path)}
    found = []
    for event, groups in table.items() if isinstance(table, dict) else ():
        for at, group in enumerate(groups if isinstance(groups, list) else ()):
            handlers = group.get("hooks") if isinstance(group, dict) else None
            for number, handler in enumerate(handlers if isinstance(handlers, list) else ()):
                command = handler.get("command") if isinstance(handler, dict) else None
                if not isinstance(command, str) or not is_ours(command):
                    continue
                keys = [f"{place}:{snake(event)}:{at}:{number}" for place in places]
                known = [states[key] for key in keys if isinstance(states.get(key), dict)]
                if not any(k.get("trusted_hash") and k.get("enabled") is not False for k in known):
                    found.append(event)
    return found


def snake(event: str) -> str:
    """PreToolUse as pre_tool_use, which is how approvals name it."""
    return "".join("_" + c.lower() if c.isupper() else c for c in event).lstrip("_")


AGENT = agent(INSTALL, files, gaps)
