"""`install claude-code --mod`: the mod is loaded by the settings, chosen where the client has mods
and its policy lets them load, and every byte comes back."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hookstream.capture.install import homes, launcher
from hookstream.capture.install.mod import DEFAULT_FIRST, PLUGIN

pytestmark = pytest.mark.long

PLUGINS = ".local/state/hookstream/plugins/claude-code"
THEIRS = '{\n  // kept\n  "enabledPlugins": {"lint@tools": true},\r\n  "model": "x",\n}\n'
GUARD = {"pluginConfigs": {DEFAULT_FIRST: {"options": {"allowManagedModsOnly": True}}}}


@pytest.fixture
def machine(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "machine"
    root.mkdir()
    monkeypatch.setattr(homes, "ROOT", root)
    monkeypatch.setattr(launcher, "MANAGED", root / "usr" / "local" / "lib" / "hookstream")
    return root


def files_of(root: Path) -> dict[str, bytes]:
    return {str(p.relative_to(root)): p.read_bytes() for p in root.rglob("*") if p.is_file()}


def client(home: Path, monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    """A program on the path whose package says which version it is."""
    package = home / "npm" / "claude-code"
    package.mkdir(parents=True)
    (package / "package.json").write_text(json.dumps({"version": version}))
    program = package / "claude"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{package}{os.pathsep}{os.environ['PATH']}")


def settings(home: Path) -> dict[str, Any]:
    text = (home / ".claude/settings.json").read_text("utf-8")
    value: dict[str, Any] = json.loads(text)
    return value


def test_the_mod_is_loaded_and_every_byte_comes_back(
    home: Path, machine: Path, run: Callable[..., Any]
) -> None:
    path = home / ".claude/settings.json"
    path.parent.mkdir()
    path.write_bytes(THEIRS.encode())
    assert run("install", "claude-code", "--mod").returncode == 0
    text = path.read_text("utf-8")
    assert "// kept" in text and '"lint@tools": true' in text
    assert text.index(PLUGIN) < text.index("lint@tools")
    code = (home / PLUGINS / "hookstream/hooks/register.js").read_text("utf-8")
    assert "@COMMAND@" not in code
    assert "hookstream-feed" in code
    before = files_of(home)
    assert run("install", "claude-code").returncode == 0
    assert files_of(home) == before
    assert run("uninstall", "claude-code").returncode == 0
    assert path.read_bytes() == THEIRS.encode()
    assert not (home / PLUGINS).exists()


def test_settings_that_were_edited_since_lose_ours_alone(
    home: Path, machine: Path, run: Callable[..., Any]
) -> None:
    assert run("install", "claude-code", "--mod").returncode == 0
    value = {**settings(home), "model": "y"}
    value["enabledPlugins"]["lint@tools"] = True
    (home / ".claude/settings.json").write_text(json.dumps(value))
    assert run("uninstall", "claude-code").returncode == 0
    assert settings(home) == {"model": "y", "enabledPlugins": {"lint@tools": True}}


@pytest.mark.parametrize(
    ("version", "policy", "is_loaded"),
    [
        ("2.1.331", {}, True),
        ("2.1.286", {}, False),
        ("2.1.331", GUARD, False),
        ("2.1.331", {"disableAllHooks": True}, False),
        ("2.1.331", {"strictKnownMarketplaces": []}, True),
    ],
)
def test_it_is_chosen_where_the_client_and_its_policy_let_it(
    version: str,
    policy: dict[str, Any],
    is_loaded: bool,
    home: Path,
    machine: Path,
    run: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    client(home, monkeypatch, version)
    if policy:
        path = machine / "etc/claude-code/managed-settings.json"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(policy))
    done = run("install", "claude-code")
    assert done.returncode == 0
    assert (PLUGIN in settings(home).get("enabledPlugins", {})) is is_loaded
    assert ("allowManagedModsOnly" in done.stdout) is is_loaded


def test_no_mod_leaves_it_out(
    home: Path, machine: Path, run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    client(home, monkeypatch, "2.1.331")
    assert run("install", "claude-code", "--no-mod").returncode == 0
    assert "enabledPlugins" not in settings(home)
    done = run("install", "claude-code", "--mod")
    assert done.returncode == 0
    assert PLUGIN in settings(home)["enabledPlugins"]


def test_the_machines_mod_is_first_and_keeps_who_was_there(
    home: Path, machine: Path, run: Callable[..., Any]
) -> None:
    theirs = machine / "etc/claude-code/managed-settings.json"
    theirs.parent.mkdir(parents=True)
    theirs.write_text(json.dumps({"prependPlugins": ["audit@acme"]}))
    before = files_of(machine)
    assert run("install", "claude-code", "--scope", "managed", "--mod").returncode == 0
    path = theirs.parent / "managed-settings.d/50-hookstream.json"
    value = json.loads(path.read_text("utf-8"))
    assert value["prependPlugins"] == [PLUGIN, "audit@acme"]
    folder = value["extraKnownMarketplaces"]["hookstream"]["source"]["path"]
    assert (Path(folder) / ".claude-plugin/marketplace.json").stat().st_mode & 0o044 == 0o044
    assert run("uninstall", "claude-code", "--scope", "managed").returncode == 0
    assert files_of(machine) == before


def test_without_another_list_the_clients_own_guard_stays(
    home: Path, machine: Path, run: Callable[..., Any]
) -> None:
    assert run("install", "claude-code", "--scope", "managed", "--mod").returncode == 0
    path = machine / "etc/claude-code/managed-settings.d/50-hookstream.json"
    assert json.loads(path.read_text("utf-8"))["prependPlugins"] == [PLUGIN, DEFAULT_FIRST]
