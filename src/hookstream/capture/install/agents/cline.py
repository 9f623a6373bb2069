"""Cline: an executable named after each event; no list of hooks, no timeout that we set.

Source: the extension's and the SDK's code, trials with CLI 3.0.65. The extension reads
~/Documents/Cline/Hooks alone; CLI and SDK read that and ~/.cline/hooks and run all they find.
"""

from __future__ import annotations

from pathlib import Path

from hookstream.capture.install import atomic
from hookstream.capture.install.agent import agent
from hookstream.capture.install.command import command_line
from hookstream.capture.install.config_file import ConfigFile
from hookstream.capture.install.homes import InstallFolders
from hookstream.capture.install.script_wrap import pair, read_quietly
from hookstream.capture.install.whole_file import WholeFile
from hookstream.normalizers.cline.install import INSTALL

EVENTS = INSTALL.events
# Where a hook of another has the plain name, the CLI also runs one with an ending.
ENDINGS = ("", ".sh", ".bash")
ALL_ENDINGS = (*ENDINGS, *".zsh .js .mjs .cjs .ts .mts .cts .py .ps1".split())
EXTENSIONS = (".vscode/extensions", ".vscode-server/extensions", ".cursor/extensions")
SIGN = "# hookstream: records"
SCRIPT = """#!/bin/sh
{sign} this event and lets it pass. `hookstream uninstall cline` removes this file.
{command} || echo '{{"cancel": false}}'
"""


def has_extension(homes: InstallFolders) -> bool:
    folders = [homes.home / name for name in EXTENSIONS]
    known = any(any(folder.glob("saoudrizwan.claude-dev-*")) for folder in folders)
    return known or (homes.home / "Documents" / "Cline").is_dir()


def script(event: str, scope: str) -> bytes:
    return SCRIPT.format(sign=SIGN, command=command_line("cline", event, scope)).encode()


def folders(homes: InstallFolders, scope: str) -> list[Path]:
    """The folder that the clients here read, then the one an earlier install may have used,
    when other clients were here."""
    if scope == "project":
        return [homes.project / ".clinerules" / "hooks"]
    found = [homes.home / "Documents" / "Cline" / "Hooks", homes.home / ".cline" / "hooks"]
    return found if has_extension(homes) else found[::-1]


def files(homes: InstallFolders, scope: str) -> list[ConfigFile]:
    if scope == "managed":
        return []
    first, *others = folders(homes, scope)
    endings = ENDINGS if first.parts[-2] == ".cline" else ("",)
    free = {event: _free(first, event, endings) for event in EVENTS}
    found = _scripts((first, *others), set(free.values()))
    theirs = {file.path for file in found}
    found += [_file(path, event, scope) for event, path in free.items() if path not in theirs]
    taken = {file.path for file in found}
    for folder in (first, *others):
        for event in EVENTS:
            for path in (folder / (event + ending) for ending in ENDINGS):
                if path not in taken and SIGN.encode() in (read_quietly(path) or b""):
                    found.append(_file(path, event, scope))
    return found


def _scripts(places: tuple[Path, ...], wanted: set[Path]) -> list[ConfigFile]:
    """The hooks of others, each with its stored original while it is wrapped; `wanted` are the
    names that ours would have."""
    found: list[ConfigFile] = []
    for folder in places:
        for event in EVENTS:
            for path in (folder / (event + ending) for ending in ALL_ENDINGS):
                data = read_quietly(path)
                if data and data.strip() and SIGN.encode() not in data:
                    found += pair(path, "cline", event, path in wanted)
    return found


def _file(path: Path, event: str, scope: str) -> ConfigFile:
    return WholeFile(path, "cline", script(event, scope), (event,), 0o755, SIGN.encode())


def _free(folder: Path, event: str, endings: tuple[str, ...]) -> Path:
    """The first name that is ours, else the first that is free, else the plain one."""
    free = []
    for ending in endings:
        path = folder / (event + ending)
        try:
            data = atomic.read(path)
        except atomic.FileRefused:
            continue
        if data is not None and SIGN.encode() in data:
            return path
        if data is None:
            free.append(path)
    return free[0] if free else folder / event


AGENT = agent(INSTALL, files)
