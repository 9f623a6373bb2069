"""The files of a client's declaration as files that install changes, and what keeps hooks there
from running."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from importlib.resources import files as resources
from pathlib import Path
from typing import Any

from hookstream.capture.install import atomic, launcher
from hookstream.capture.install.clients import product_version
from hookstream.capture.install.command import command_line, launched
from hookstream.capture.install.config_file import ConfigFile, WholeFile
from hookstream.capture.install.homes import InstallFolders
from hookstream.capture.install.hooks_file import HooksFile
from hookstream.capture.install.notify_line import NotifyLine
from hookstream.capture.install.pinned import Pinned, Superseded
from hookstream.capture.install.plugin_entry import PluginEntry
from hookstream.capture.install.plugin_list import PluginList
from hookstream.capture.install.requirements import Requirements
from hookstream.capture.install.script_wrap import pair, read_quietly
from hookstream.capture.install.toml_hooks import TomlHooks
from hookstream.core import folders
from hookstream.core.yamls import front_matter
from hookstream.normalizers.client import (
    Client,
    Entry,
    HookScripts,
    HooksJson,
    HooksToml,
    NotifyProgram,
    PluginFolder,
    PluginModule,
    Registration,
    RequirementsToml,
    clients,
)

SIGN = "# hookstream: records"
SCRIPT = """#!/bin/sh
{sign} this event and lets it pass. `hookstream uninstall {vendor}` removes this file.
{command} || echo '{answer}'
"""
# Endings under which a client may run a script of another.
SCRIPT_ENDINGS = ("", *".sh .bash .zsh .js .mjs .cjs .ts .mts .cts .py .ps1".split())


def installable() -> list[Client]:
    """The clients that hooks can be registered for."""
    return [client for client in clients() if client.files]


def config_files(client: Client, machine: InstallFolders, scope: str) -> list[ConfigFile]:
    """The files of a scope; empty where the client has no such scope."""
    files: list[ConfigFile] = []
    for row in client.files.get(scope, ()):
        files += BUILDERS[type(row)](client, row, machine, scope)
    return files


def gaps(client: Client, machine: InstallFolders) -> list[str]:
    """List what keeps registered hooks from running, a sentence each."""
    reasons = [
        f"{name} is set: {effect}"
        for name, effect in client.variables.items()
        if machine.env.get(name)
    ]
    for switch in client.switches:
        for path in (place.path(machine) for place in switch.files):
            value: Any = machine.json(path)
            for key in switch.key.split("."):
                value = value.get(key) if isinstance(value, dict) else None
            if value is switch.value:
                verb = "in" if switch.value else "is false in"
                reasons.append(f"{switch.key} {verb} {path}: {switch.effect}")
    version = product_version(client, machine)
    unknown = set(client.events) - set(client.known_events(version))
    if unknown and version is not None:
        name = ".".join(map(str, version))
        missing = ", ".join(event for event in client.events if event in unknown)
        reasons.append(f"version {name} has no {missing}")
    return [*reasons, *client.gaps(machine), *hooks_of_agents(client, machine)]


def hooks_of_agents(client: Client, machine: InstallFolders) -> Iterator[str]:
    """List the files of agents that register hooks of their own: these run with the others."""
    for path in (path for place in client.agents for path in place.files(machine)):
        try:
            hooks = front_matter(path.read_bytes()).get("hooks")
        except (OSError, ValueError) as error:
            yield f"{path}: its hooks cannot be read ({error})"
            continue
        if isinstance(hooks, dict) and hooks:
            names = ", ".join(map(str, hooks))
            yield f"{path} has hooks of its own ({names}): they are neither recorded nor wrapped"


def _json_files(
    client: Client, row: HooksJson, machine: InstallFolders, scope: str
) -> Iterator[ConfigFile]:
    path = row.path.path(machine)
    if row.optional and not path.exists():
        return
    events = client.known_events(product_version(client, machine))
    if "notify" in events:
        events = tuple(event for event in events if event != "notify")
    entry = _marked(row.entry, machine.machine_mark()) if scope == "managed" else row.entry
    file: ConfigFile = HooksFile(
        path, client.key, events, entry, row.head, row.first, row.runs_in, row.own, row.table
    )
    if row.superseded or any(place.path(machine).exists() for place in row.hidden_by):
        file = Superseded(file)
    elif row.pins:
        file = Pinned(file, {tuple(key.split(".")): value for key, value in row.pins.items()})
    yield file
    for other in (
        sorted(path.parent.glob(row.others)) if row.others and path.parent.is_dir() else ()
    ):
        if other != path:
            yield HooksFile(other, client.key, (), row.entry, row.head, runs_in=row.runs_in)


def _marked(entry: Entry, mark: str) -> Entry:
    """The entry with the machine's mark in its texts."""

    def filled(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: filled(item) for key, item in value.items()}
        if isinstance(value, list):
            return [filled(item) for item in value]
        return value.replace("{machine}", mark) if value == "hookstream-{machine}" else value

    def marked(event: str, command: str) -> dict[str, Any]:
        made: dict[str, Any] = filled(entry(event, command))
        return made

    return marked


def _toml_files(
    client: Client, row: HooksToml, machine: InstallFolders, scope: str
) -> Iterator[ConfigFile]:
    path = row.path.path(machine)
    yield TomlHooks(path, client.key, client.events, row.entry, row.key, row.first)


def _requirements(
    client: Client, row: RequirementsToml, machine: InstallFolders, scope: str
) -> Iterator[ConfigFile]:
    events = tuple(event for event in client.events if event != "notify")
    folder = str(launcher.folder(managed=True))
    yield Requirements(row.path.path(machine), client.key, events, row.entry, folder)


def _notify_line(
    client: Client, row: NotifyProgram, machine: InstallFolders, scope: str
) -> Iterator[ConfigFile]:
    words = launched(client.key, row.event, scope=scope)
    yield NotifyLine(row.path.path(machine), client.key, words)


def _plugin_module(
    client: Client, row: PluginModule, machine: InstallFolders, scope: str
) -> Iterator[ConfigFile]:
    """The plug-in as one file: every module in its folder would be loaded as a plug-in."""
    shipped = resources("hookstream.capture.plugins")
    bridge = shipped.joinpath("bridge.js").read_text("utf-8").replace("export class", "class")
    command = json.dumps(launched(client.key, program="feed", scope=scope))
    text = shipped.joinpath(row.source).read_text("utf-8").replace('["@COMMAND@"]', command)
    text = text.replace('["@EVENTS@"]', json.dumps(client.events)).replace("@CLIENT@", client.key)
    path = row.path.path(machine)
    if row.listed_in is not None:
        path = launcher.folder(managed=True) / client.key / path
    yield WholeFile(path, client.key, f"{text}\n{bridge}".encode(), client.events)
    if row.listed_in is not None:
        yield PluginList(row.listed_in.path(machine), client.key, path.as_uri())


def _plugin_folder(
    client: Client, row: PluginFolder, machine: InstallFolders, scope: str
) -> Iterator[ConfigFile]:
    """The files in the state folder, not in the package, whose place changes with every upgrade."""
    folder = Path(folders.state_folder() or machine.home) / "plugins" / client.key
    shipped = resources("hookstream.capture.plugins")
    for name in row.parts:
        yield WholeFile(folder / Path(name).name, client.key, shipped.joinpath(name).read_bytes())
    command = launched(client.key, program="feed")
    settings = {"hookstream": True, "command": command, "events": client.events}
    text = json.dumps(settings, indent=1) + "\n"
    yield WholeFile(folder / "settings.json", client.key, text.encode())
    # Last, so that the entry never names a folder that does not exist.
    yield PluginEntry(row.settings.path(machine), client.key, folder, client.events)


def _scripts(
    client: Client, row: HookScripts, machine: InstallFolders, scope: str
) -> list[ConfigFile]:
    """Scripts of ours in the folder that the clients here read first, hooks of others that may be
    wrapped, and scripts of an earlier install, when other clients were here."""
    places = [place.path(machine) for place in row.folders]
    if row.reorder(machine):
        places.reverse()
    endings = row.endings if row.ending_folder in places[0].parts[-2:-1] else ("",)
    free = {event: _free(places[0], event, endings) for event in client.events}
    files: list[ConfigFile] = []
    for path, event in _paths(places, client.events, SCRIPT_ENDINGS):
        data = read_quietly(path)
        if data and data.strip() and SIGN.encode() not in data:
            files += pair(path, client.key, event, path in free.values())
    taken = {file.path for file in files}
    files += [
        _script(client, row, path, event, scope)
        for event, path in free.items()
        if path not in taken
    ]
    taken = {file.path for file in files}
    for path, event in _paths(places, client.events, row.endings):
        if path not in taken and SIGN.encode() in (read_quietly(path) or b""):
            files.append(_script(client, row, path, event, scope))
    return files


def _paths(
    places: list[Path], events: tuple[str, ...], endings: tuple[str, ...]
) -> Iterator[tuple[Path, str]]:
    for folder in places:
        for event in events:
            for ending in endings:
                yield folder / (event + ending), event


def _script(client: Client, row: HookScripts, path: Path, event: str, scope: str) -> ConfigFile:
    command = command_line(client.key, event, scope)
    text = SCRIPT.format(sign=SIGN, vendor=client.key, command=command, answer=row.answer)
    return WholeFile(path, client.key, text.encode(), (event,), 0o755, SIGN.encode())


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


BUILDERS: dict[type[Registration], Callable[..., Any]] = {
    HooksJson: _json_files,
    HooksToml: _toml_files,
    RequirementsToml: _requirements,
    NotifyProgram: _notify_line,
    PluginModule: _plugin_module,
    PluginFolder: _plugin_folder,
    HookScripts: _scripts,
}
