"""Cline: an executable named after each event; no list of hooks, no timeout of its own.

Source: the extension's and the SDK's code, trials with CLI 3.0.65. The extension reads
~/Documents/Cline/Hooks alone; CLI and SDK read that and ~/.cline/hooks and run all they find.
"""

from __future__ import annotations

from pathlib import Path

from hookstream.capture.install import atomic
from hookstream.capture.install.agent import Agent
from hookstream.capture.install.commands import hook_line
from hookstream.capture.install.config_file import ConfigFile
from hookstream.capture.install.homes import Homes
from hookstream.capture.install.whole_file import WholeFile

EVENTS = tuple(
    "TaskStart TaskResume TaskCancel TaskComplete TaskError SessionShutdown UserPromptSubmit "
    "PreToolUse PostToolUse PreCompact Notification".split()
)
# Where a hook of another has the plain name, the CLI also runs one with an ending.
ENDINGS = ("", ".sh", ".bash")
EXTENSIONS = (".vscode/extensions", ".vscode-server/extensions", ".cursor/extensions")
SIGN = "# hookstream: records"
SCRIPT = """#!/bin/sh
{sign} this event and lets it pass. `hookstream uninstall cline` removes this file.
{command} || echo '{{"cancel": false}}'
"""


def has_extension(homes: Homes) -> bool:
    folders = [homes.home / name for name in EXTENSIONS]
    known = any(any(folder.glob("saoudrizwan.claude-dev-*")) for folder in folders)
    return known or (homes.home / "Documents" / "Cline").is_dir()


def script(event: str) -> bytes:
    return SCRIPT.format(sign=SIGN, command=hook_line("cline", event)).encode()


def files(homes: Homes, scope: str) -> list[ConfigFile]:
    if scope == "managed":
        return []
    extension = has_extension(homes)
    if scope == "project":
        folder = homes.project / ".clinerules" / "hooks"
    elif extension:
        folder = homes.home / "Documents" / "Cline" / "Hooks"
    else:
        folder = homes.home / ".cline" / "hooks"
    endings = ENDINGS if scope == "user" and not extension else ("",)
    return [
        WholeFile(
            _free(folder, event, endings), "cline", script(event), (event,), 0o755, SIGN.encode()
        )
        for event in EVENTS
    ]


def _free(folder: Path, event: str, endings: tuple[str, ...]) -> Path:
    """The first name that is ours, else the first that is free, else the plain one."""
    free = []
    for ending in endings:
        path = folder / (event + ending)
        try:
            data = atomic.read(path)
        except atomic.Refused:
            continue
        if data is not None and SIGN.encode() in data:
            return path
        if data is None:
            free.append(path)
    return free[0] if free else folder / event


AGENT = Agent("cline", "Cline", ("cline",), (".cline", "Documents/Cline"), EVENTS, files)
