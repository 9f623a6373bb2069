"""`install --scope managed`: hooks of the whole machine, with the pins each client needs, and every
byte back at the end. The machine's folders are scratch ones."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from hookstream.capture.install import homes, launcher
from hookstream.capture.install.homes import InstallFolders
from hookstream.capture.install.registered import config_files
from hookstream.normalizers.client import client_of

CLIENTS = "claude-code codex copilot cursor gemini-cli kilo opencode qwen-code windsurf".split()
FILES = {
    "claude-code": "etc/claude-code/managed-settings.d/50-hookstream.json",
    "codex": "etc/codex/requirements.toml",
    "copilot": "etc/github-copilot/policy.d/zz-hookstream.json",
    "cursor": "etc/cursor/hooks.json",
    "gemini-cli": "etc/gemini-cli/settings.json",
    "kilo": "etc/kilo/kilo.json",
    "opencode": "etc/opencode/opencode.json",
    "qwen-code": "etc/qwen-code/settings.json",
    "windsurf": "etc/windsurf/hooks.json",
}
# What an administrator has there already.
THEIRS = {
    "claude-code": (
        "etc/claude-code/managed-settings.json",
        '{"permissions": {"deny": ["WebFetch"]}}\n',
    ),
    "codex": (
        "etc/codex/requirements.toml",
        "allow_managed_hooks_only = true\n[features]\nx = 1\n\n[hooks]  # ours\n# end",
    ),
    "copilot": (
        "etc/github-copilot/policy.d/10-guard.json",
        '{"version": 1, "hooks": {"preToolUse": [{"type": "command", "bash": "/opt/guard"}]}}',
    ),
    "cursor": ("etc/cursor/hooks.json", '{"version":1,"hooks":{"stop":[{"command":"/opt/x"}]}}'),
    "gemini-cli": (
        "etc/gemini-cli/settings.json",
        '{\n  // kept\n  "hooksConfig": {"notifications": false},\n  "ui": {"theme": "x"}\n}\n',
    ),
    "opencode": ("etc/opencode/opencode.json", '{\n\t"plugin": ["a"], // kept\n\t"x": 1\n}\r\n'),
    "kilo": ("etc/kilo/kilo.json", '{"permission": {"bash": "ask"}}'),
    "qwen-code": ("etc/qwen-code/settings.json", '{"telemetry": {"enabled": true}}'),
    "windsurf": ("etc/windsurf/hooks.json", '{"hooks": {}}\n'),
}


@pytest.fixture
def machine(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = tmp_path / "machine"
    root.mkdir()
    monkeypatch.setattr(homes, "ROOT", root)
    monkeypatch.setattr(launcher, "MANAGED", root / "usr" / "local" / "lib" / "hookstream")
    return root


def tree(root: Path) -> dict[str, bytes]:
    return {str(p.relative_to(root)): p.read_bytes() for p in root.rglob("*") if p.is_file()}


def folders(root: Path) -> set[str]:
    return {str(p.relative_to(root)) for p in root.rglob("*") if p.is_dir()}


def managed(run: Callable, word: str, key: str, code: int = 0):
    done = run(word, key, "--scope", "managed")
    assert done.returncode == code, done.stderr
    return done


@pytest.mark.long
@pytest.mark.parametrize("key", CLIENTS)
def test_nothing_was_there(machine: Path, run: Callable, key: str) -> None:
    managed(run, "install", key)
    there = tree(machine)
    assert FILES[key] in there
    agent = client_of(key)
    found: dict[str, bool] = {}
    for file in config_files(agent, InstallFolders(), "managed"):
        file.scope = "managed"
        found |= file.registered(file.path.read_bytes() if file.path.exists() else None)
    found.pop("notify", None)
    assert found and all(found.values())
    for name in there:
        mode = (machine / name).stat().st_mode
        assert mode & 0o444 == 0o444 and not mode & 0o022
    if key not in ("kilo", "opencode"):
        text = there[FILES[key]].decode()
        assert str(launcher.MANAGED / "hookstream-hook") in text and "--scope" not in text
    managed(run, "install", key)
    assert tree(machine) == there
    managed(run, "uninstall", key)
    assert tree(machine) == {} and folders(machine) <= {"usr", "usr/local", "usr/local/lib"}


@pytest.mark.parametrize("key", CLIENTS)
@pytest.mark.posix("Windows has other managed folders")
def test_what_was_there_comes_back_byte_for_byte(machine: Path, run: Callable, key: str) -> None:
    name, text = THEIRS[key]
    file = machine / name
    file.parent.mkdir(parents=True)
    file.write_bytes(text.encode())
    before = tree(machine)
    managed(run, "install", key)
    assert FILES[key] in tree(machine)
    managed(run, "uninstall", key)
    assert tree(machine) == before


@pytest.mark.parametrize("key", CLIENTS)
@pytest.mark.posix("Windows has other managed folders")
def test_an_edit_since_then_stays(machine: Path, run: Callable, key: str) -> None:
    """Only what is ours goes from a file that the administrator has changed."""
    managed(run, "install", key)
    file = machine / FILES[key]
    if file.suffix == ".toml":
        file.write_text("enforce_residency = 'us'\n" + file.read_text())
    else:
        file.write_text(file.read_text().replace("{", '{\n  "mine": 1,', 1))
    managed(run, "uninstall", key)
    left = file.read_text() if file.exists() else ""
    assert "hookstream" not in left
    if file.suffix == ".toml":
        assert tomllib.loads(left) == {"enforce_residency": "us"}
    else:
        rest = {k: v for k, v in json.loads(left).items() if v != {}}
        assert rest in ({"mine": 1}, {"mine": 1, "version": 1})


@pytest.mark.posix("launchers are POSIX shell scripts")
def test_the_umask_of_root_hides_nothing(machine: Path, run: Callable) -> None:
    before = os.umask(0o077)
    try:
        for key in CLIENTS:
            managed(run, "install", key)
    finally:
        os.umask(before)
    for path in (p for p in machine.rglob("*") if "usr" not in p.relative_to(machine).parts[:1]):
        assert path.stat().st_mode & 0o444 == 0o444, path
    assert (machine / "usr/local/lib/hookstream/hookstream-hook").stat().st_mode & 0o555 == 0o555


@pytest.mark.posix("Windows has no such modes")
def test_a_copilot_policy_that_others_can_write_is_mended(machine: Path, run: Callable) -> None:
    """The client silently drops it."""
    file = machine / FILES["copilot"]
    file.parent.mkdir(parents=True)
    file.write_text('{"version": 1, "hooks": {}}')
    file.chmod(0o666)
    managed(run, "install", "copilot")
    assert not file.stat().st_mode & 0o022


@pytest.mark.posix("launchers are POSIX shell scripts")
def test_claude_code_gets_a_file_of_its_own(machine: Path, run: Callable) -> None:
    """An earlier version wrote into the administrator's: taken out there."""
    main = machine / "etc/claude-code/managed-settings.json"
    main.parent.mkdir(parents=True)
    line = f"{launcher.MANAGED}/hookstream-hook claude-code Stop 2>/dev/null || :"
    guard = {"type": "command", "command": "/opt/guard"}
    hooks = [{"hooks": [{"type": "command", "command": line}, guard]}]
    main.write_text(json.dumps({"hooks": {"Stop": hooks}}))
    managed(run, "install", "claude-code")
    assert json.loads(main.read_text()) == {"hooks": {"Stop": [{"hooks": [guard]}]}}


@pytest.mark.posix("launchers are POSIX shell scripts")
def test_codex_pins_the_feature_and_names_its_folder(machine: Path, run: Callable) -> None:
    managed(run, "install", "codex")
    values = tomllib.loads((machine / FILES["codex"]).read_text())
    assert values["features"] == {"hooks": True}
    assert values["hooks"]["managed_dir"] == str(launcher.MANAGED)
    (group,) = values["hooks"]["PreToolUse"]
    (handler,) = group["hooks"]
    assert handler["type"] == "command" and "hookstream-hook codex PreToolUse" in handler["command"]
    assert not (machine / "etc/codex/hooks.json").exists()


@pytest.mark.posix("Windows has other managed folders")
def test_codex_tables_that_are_there_are_added_to(machine: Path, run: Callable) -> None:
    name, text = THEIRS["codex"]
    file = machine / name
    file.parent.mkdir(parents=True)
    file.write_text(text)
    managed(run, "install", "codex")
    values = tomllib.loads(file.read_text())
    assert values["features"] == {"x": 1, "hooks": True}
    assert values["allow_managed_hooks_only"] is True and "PreToolUse" in values["hooks"]


@pytest.mark.parametrize(
    "text",
    [
        "[features]\nhooks = false\n",
        "features = {hooks = false}\n",
        "hooks = {}\n",
        "hooks = [\n",
        "[features]\n[[hooks.PreToolUse]]\nhooks = [1",
    ],
)
@pytest.mark.posix("Windows has other managed folders")
def test_codex_requirements_that_cannot_be_added_to_are_left_alone(
    machine: Path, run: Callable, text: str
) -> None:
    """A broken file keeps the client from starting."""
    file = machine / FILES["codex"]
    file.parent.mkdir(parents=True)
    file.write_text(text)
    done = managed(run, "install", "codex", 2)
    assert "left alone" in done.stderr and file.read_text() == text


@pytest.mark.parametrize(
    ("key", "path", "value"),
    [("gemini-cli", ("hooksConfig", "enabled"), True), ("qwen-code", ("disableAllHooks",), False)],
)
@pytest.mark.posix("Windows has other managed folders")
def test_the_switch_is_pinned(machine: Path, run: Callable, key: str, path, value) -> None:
    managed(run, "install", key)
    file = machine / FILES[key]
    found = json.loads(file.read_text())
    for name in path:
        found = found[name]
    assert found is value
    # Of an administrator's own word nothing is turned around.
    managed(run, "uninstall", key)
    other: object = not value
    for name in reversed(path):
        other = {name: other}
    file.parent.mkdir(parents=True)
    file.write_text(json.dumps(other))
    done = managed(run, "install", key, 2)
    assert "left alone" in done.stderr and json.loads(file.read_text()) == other


@pytest.mark.parametrize("key", ["gemini-cli", "qwen-code"])
@pytest.mark.posix("launchers are POSIX shell scripts")
def test_no_repository_knows_the_name_of_the_hook(
    machine: Path, run: Callable, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lists of disabled hooks are united: a name that is the same everywhere could be named."""
    import socket

    names = set()
    for host in ("laptop-1", "laptop-2"):
        monkeypatch.setattr(socket, "gethostname", lambda host=host: host)
        managed(run, "install", key)
        settings = json.loads((machine / FILES[key]).read_text())
        names |= {
            handler["name"]
            for groups in settings["hooks"].values()
            for group in groups
            for handler in group["hooks"]
        }
        managed(run, "uninstall", key)
    assert len(names) == 2 and "hookstream" not in names


@pytest.mark.posix("Windows has other managed folders")
def test_opencode_names_the_plugin_by_its_address(machine: Path, run: Callable) -> None:
    managed(run, "install", "opencode")
    (address,) = json.loads((machine / FILES["opencode"]).read_text())["plugin"]
    plugin = Path(address.removeprefix("file://"))
    assert plugin.is_file() and str(launcher.MANAGED / "hookstream-feed") in plugin.read_text()


@pytest.mark.parametrize("key", ["cline", "openclaw"])
def test_clients_without_managed_settings_say_so(machine: Path, run: Callable, key: str) -> None:
    assert "has no managed configuration" in managed(run, "install", key, 2).stderr


def test_status_shows_the_scope(machine: Path, run: Callable) -> None:
    managed(run, "install", "qwen-code")
    report = json.loads(run("status", "--format", "json", "qwen-code").stdout)
    assert report["agents"][0]["registered"] == ["managed"]


@pytest.mark.parametrize(
    ("key", "variable"),
    [
        ("gemini-cli", "GEMINI_CLI_SYSTEM_SETTINGS_PATH"),
        ("qwen-code", "QWEN_CODE_SYSTEM_SETTINGS_PATH"),
        ("opencode", "OPENCODE_PURE"),
        ("kilo", "KILO_PURE"),
    ],
)
def test_status_shows_what_takes_managed_hooks_away(
    machine: Path, run: Callable, key: str, variable: str
) -> None:
    managed(run, "install", key)
    gaps = json.loads(run("status", "--format", "json", key).stdout)["agents"][0]["gaps"]
    assert not any(variable in gap for gap in gaps)
    done = run("status", "--format", "json", key, **{variable: "/nowhere"})
    gaps = json.loads(done.stdout)["agents"][0]["gaps"]
    assert any(gap.startswith(f"{variable} is set") for gap in gaps)


@pytest.mark.posix("Windows has no such modes")
def test_status_shows_a_policy_that_copilot_drops(machine: Path, run: Callable) -> None:
    managed(run, "install", "copilot")
    (machine / FILES["copilot"]).chmod(0o666)
    gaps = json.loads(run("status", "--format", "json", "copilot").stdout)["agents"][0]["gaps"]
    assert any("silently drops it" in gap for gap in gaps)
