"""Rounds of install and uninstall over the homes of all clients, in every form and place.

A round that leaves every file as it found it, its own state too, leaves nothing that the next could
trip over: two show that, and ten of the command itself go round with `-m slow`.
"""

from __future__ import annotations

import re
import subprocess
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from odd_homes import FORMS, PLACES, SETUPS, lay
from reading import read, tree

from hookstream.capture.install.commands import is_wrapped, unwrap_line
from hookstream.capture.install.engine import apply_install, apply_uninstall, files_of
from hookstream.capture.install.homes import InstallFolders
from hookstream.capture.install.originals import Originals
from hookstream.capture.install.registered import installable
from hookstream.core.jsonc import parse
from hookstream.normalizers.client import client_of

ROUNDS = 2
ROUNDS_OF_THE_COMMAND = 10
STATE = (".local", ".cache")
KEYS = [agent.key for agent in installable()]
# The form of a file matters only where one of the client's own is edited.
WRITTEN = [
    (key, form) for key in KEYS for form in FORMS if SETUPS[key].hooks or form == "as written"
]
Run = Callable[..., subprocess.CompletedProcess[str]]
FIELDS = ("command", "bash", "powershell")
HOOKS = b"hookstream-hook", b"launch.py"


def handlers(settings: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """(event, field, command line) of every hook in a file, in either form."""
    for event, entries in settings.get("hooks", {}).items():
        for entry in entries:
            for handler in entry.get("hooks", [entry]):
                for name in FIELDS:
                    if name in handler:
                        yield event, name, handler[name]


def ours(settings: dict[str, Any], key: str) -> list[str]:
    """The events whose list holds our command, once for each time it stands there."""
    found = [(event, line) for event, _, line in handlers(settings) if _is_ours(line)]
    assert all(f" {key} {event}" in line for event, line in found)
    return [event for event, _ in found]


def _is_ours(line: str) -> bool:
    return any(name in line.encode() for name in HOOKS) and not is_wrapped(line)


def theirs(settings: dict[str, Any]) -> dict[str, Any]:
    """A file's value without our entries, our wraps, and lists of events that are empty then."""
    hooks = {
        event: [kept for entry in entries if (kept := _entry(entry)) is not None]
        for event, entries in settings.get("hooks", {}).items()
    }
    rest = {name: part for name, part in settings.items() if name != "hooks"}
    hooks = {event: entries for event, entries in hooks.items() if entries}
    return {**rest, "hooks": hooks} if hooks else rest


def _entry(entry: dict[str, Any]) -> dict[str, Any] | None:
    """A group or a handler as it was; None where all of it is ours."""
    if "hooks" in entry:
        inner = [kept for one in entry["hooks"] if (kept := _entry(one)) is not None]
        return {**entry, "hooks": inner} if inner or not entry["hooks"] else None
    lines = {name: entry[name] for name in FIELDS if name in entry}
    if any(map(_is_ours, lines.values())):
        return None
    return {**entry, **{n: unwrap_line(line) for n, line in lines.items() if is_wrapped(line)}}


class Json:
    """A table of hooks: what was there stands there, and each event has ours once."""

    def __init__(self, path: Path, key: str, registers: bool) -> None:
        self.path, self.key = path, key
        self.events = sorted(client_of(key).events) if registers else []
        self.events = [event for event in self.events if event != "notify"]
        self.before = theirs(self._read()) if path.exists() else {}

    def _read(self) -> dict[str, Any]:
        """The file's value; Antigravity's events are in a table named for whose they are."""
        settings = read(self.path)
        if self.key == "antigravity" and "hookstream" in settings:
            settings["hooks"] = settings.pop("hookstream")
        return settings

    def check(self, wrap: bool) -> None:
        settings = self._read()
        assert sorted(ours(settings, self.key)) == self.events
        kept = theirs(settings)
        assert kept == self.before or (not self.before and kept == {"version": 1})
        wrapped = [line for _, _, line in handlers(settings) if is_wrapped(line)]
        runs = [line for _, name, line in handlers(self.before) if name != "powershell"]
        assert len(wrapped) == (len(runs) if wrap else 0)


class Toml:
    """config.toml: `notify` and nothing else."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.before = self._values() if path.exists() else {}

    def _values(self) -> dict[str, Any]:
        return tomllib.loads(self.path.read_bytes().decode("utf-8-sig"))

    def check(self, wrap: bool) -> None:
        values = self._values()
        assert values.pop("notify")[-2:] == ["codex", "notify"]
        assert values == self.before


class Tables:
    """`[[hooks]]` of a TOML file: each event has ours once, everything else is as it was."""

    def __init__(self, path: Path, key: str) -> None:
        self.path, self.key = path, key
        self.events = sorted(client_of(key).events)
        self.before, self.theirs = self._values() if path.exists() else ({}, [])

    def _values(self) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        values = tomllib.loads(self.path.read_bytes().decode("utf-8-sig"))
        return values, values.pop("hooks", [])

    def check(self, wrap: bool) -> None:
        values, hooks = self._values()
        assert values == self.before
        ours = [hook for hook in hooks if _is_ours(hook["command"])]
        named = [hook.get("event", hook.get("type")) for hook in ours]
        assert sorted(named) == self.events
        assert all(
            f" {self.key} {e}" in hook["command"] for e, hook in zip(named, ours, strict=True)
        )
        others = [hook for hook in hooks if hook not in ours]
        wrapped = [hook for hook in others if is_wrapped(hook["command"])]
        assert len(wrapped) == (len(others) if wrap else 0)
        plain = [{**hook, "command": unwrap_line(hook["command"])} for hook in wrapped]
        assert (plain or others) == self.theirs


class Scripts:
    """A folder of files of ours, one an event, beside those of others."""

    def __init__(self, folder: Path, events: tuple[str, ...]) -> None:
        self.folder, self.events = folder, events
        self.before = tree(folder) if folder.exists() else {}
        self.scripts = {name: (folder / name).read_bytes() for name in self.before}

    def check(self, wrap: bool) -> None:
        now = tree(self.folder)
        for name in set(self.before) & set(self.events) if wrap else ():
            assert b"# hookstream wraps" in (self.folder / name).read_bytes()
            kept = now.pop(f".{name}.hookstream")
            assert kept[0] == self.scripts[name] and kept[1] & 0o100
            now[name] = self.before[name]
        assert {name: now[name] for name in self.before} == self.before
        added = {name: held for name, held in now.items() if name not in self.before}
        assert {name.partition(".")[0] for name in added} == set(self.events)
        for data, mode in added.values():
            assert any(name in data for name in HOOKS) and mode & 0o100


class Plugin:
    """OpenCode: one more module, which names every callback and lets the bus's events through."""

    def __init__(self, folder: Path, events: tuple[str, ...]) -> None:
        self.folder, self.events = folder, events
        self.before = tree(folder) if folder.exists() else {}

    def check(self, wrap: bool) -> None:
        now = tree(self.folder)
        ((name, (data, _)),) = [item for item in now.items() if item[0] not in self.before]
        assert name == "00-hookstream.js"
        assert {name: now[name] for name in self.before} == self.before
        text = data.decode()
        unseen = re.compile(text.partition("SCREEN = /")[2].partition("/;")[0])
        callbacks = re.findall(r'"([\w.]+)"', text.partition("CALLBACKS = [")[2].partition("]")[0])
        assert set(callbacks) < set(self.events)
        assert not [event for event in self.events if unseen.search(event)]


class Extension:
    """Pi: one more extension, which names every event."""

    def __init__(self, folder: Path, events: tuple[str, ...]) -> None:
        self.folder, self.events = folder, events
        self.before = tree(folder) if folder.exists() else {}

    def check(self, wrap: bool) -> None:
        now = tree(self.folder)
        ((name, (data, _)),) = [item for item in now.items() if item[0] not in self.before]
        assert name == "00-hookstream.js"
        assert {name: now[name] for name in self.before} == self.before
        assert [event for event in self.events if f'"{event}"' not in data.decode()] == []


class Entry:
    """openclaw.json: the plugin's folder and entry, everything else as it was."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.before = self._values() if path.exists() else {}

    def _values(self) -> dict[str, Any]:
        value = parse(self.path.read_bytes().decode("utf-8-sig"), json5=True).plain()
        assert isinstance(value, dict)
        return value

    def check(self, wrap: bool) -> None:
        values = self._values()
        plugins = values["plugins"]
        folder = Path(plugins["load"]["paths"].pop())
        names = (folder / "settings.json").read_text()
        assert [e for e in client_of("openclaw").events if f'"{e}"' not in names] == []
        assert plugins["entries"].pop("hookstream")["enabled"] is True
        if "allow" in plugins:
            assert plugins["allow"].pop() == "hookstream"
        before = self.before or {"plugins": {"load": {"paths": []}, "entries": {}}}
        assert values == before


def checks_of(home: Path, key: str) -> list[Any]:
    """What must hold in between, for each file of a client, read without the installer."""
    agent = client_of(key)
    if key == "cline":
        return [Scripts(home / ".cline/hooks", agent.events)]
    if key in ("opencode", "kilo"):
        return [Plugin(home / f".config/{key}/plugin", agent.events)]
    if key == "pi":
        return [Extension(home / ".pi/agent/extensions", agent.events)]
    if key in ("kimi-code", "mistral-vibe"):
        return [Tables(home / SETUPS[key].hooks[0], key)]
    if key == "openclaw":
        return [Entry(home / ".openclaw/openclaw.json")]
    found: list[Any] = []
    for name in SETUPS[key].hooks:
        path = home / name
        if name.endswith(".toml"):
            found.append(Toml(path))
        elif path.exists() or name == SETUPS[key].hooks[0]:
            found.append(Json(path, key, "policy" not in name))
    return found


def go_round(key: str, checks: list[Any], wrap: bool) -> None:
    originals = Originals()
    files = files_of(client_of(key), InstallFolders(), "user")
    for file in files:
        assert apply_install(file, originals, wrap).problem is None
    for check in checks:
        check.check(wrap)
    for file in files_of(client_of(key), InstallFolders(), "user"):
        assert apply_install(file, originals, wrap).is_none
    # The other way round, as the command does: whichever made a folder takes it away.
    for file in reversed(files_of(client_of(key), InstallFolders(), "user")):
        assert apply_uninstall(file, originals).problem is None


@pytest.mark.long
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("wrap", [False, True], ids=["plain", "wrap"])
@pytest.mark.parametrize(("key", "form"), WRITTEN)
def test_rounds_in_a_home_with_hooks(
    home: Path, key: str, form: str, wrap: bool, place: str
) -> None:
    setup = SETUPS[key]
    lay(home, setup.full, FORMS[form], setup.hooks)
    PLACES[place](home)
    before = tree(home)
    checks = checks_of(home, key)
    for _ in range(ROUNDS):
        go_round(key, checks, wrap)
        assert tree(home) == before


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("key", KEYS)
def test_rounds_in_a_home_without_hooks(home: Path, key: str, place: str) -> None:
    lay(home, SETUPS[key].empty, FORMS["as written"], ())
    PLACES[place](home)
    before = tree(home)
    checks = checks_of(home, key)
    for _ in range(ROUNDS):
        go_round(key, checks, False)
        assert tree(home) == before


@pytest.mark.slow
@pytest.mark.parametrize("place", PLACES)
def test_ten_rounds_of_the_command_with_all_clients(home: Path, process: Run, place: str) -> None:
    for key, setup in SETUPS.items():
        form = list(FORMS)[len(key) % len(FORMS)]
        lay(home, setup.full, FORMS[form], setup.hooks)
    PLACES[place](home)
    before = tree(home, aside=STATE)
    checks = [check for key in KEYS for check in checks_of(home, key)]
    for n in range(ROUNDS_OF_THE_COMMAND):
        wrap = ("--wrap",) if n % 2 else ()
        done = process("install", "--all", *wrap)
        assert done.returncode == 0, done.stderr
        for check in checks:
            check.check(bool(wrap))
        done = process("uninstall", "--all")
        assert done.returncode == 0, done.stderr
        assert tree(home, aside=STATE) == before
