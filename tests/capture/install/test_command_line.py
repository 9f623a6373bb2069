"""install, uninstall, status as commands: scopes, dry runs, several at once, odd surroundings."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
from reading import read

from hookstream.capture.install import registered
from hookstream.capture.install.registered import config_files, installable
from hookstream.normalizers.client import client_of

pytestmark = pytest.mark.long

Run = Callable[..., subprocess.CompletedProcess[str]]
KEYS = [agent.key for agent in installable()]


def tree(folder: Path) -> dict[str, bytes | None]:
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }


def test_all_means_every_client_found_here(home: Path, run: Run) -> None:
    done = run("install", "--all")
    assert done.returncode == 2 and "no client found" in done.stderr
    assert tree(home) == {}
    (home / ".claude").mkdir()
    (home / ".gemini").mkdir()
    done = run("install", "--all")
    assert done.returncode == 0, done.stderr
    assert (home / ".claude/settings.json").exists() and (home / ".gemini/settings.json").exists()
    assert not (home / ".cursor").exists()
    assert run("uninstall", "--all").returncode == 0
    assert [name for name in tree(home) if not name.startswith(".local")] == [".claude", ".gemini"]


@pytest.mark.long
def test_every_client_and_back_leaves_no_file_but_the_lock(home: Path, process: Run) -> None:
    assert process("install", *KEYS).returncode == 0
    status = json.loads(process("status", "--format", "json").stdout)
    for agent in status["agents"]:
        assert agent["registered"] == ["user"]
        for event in agent["events"]:
            assert (event["registered"] == ["user"]) == (event["left_out"] is None), event
    again = process("install", *KEYS)
    assert again.stdout.count("already installed") == len(KEYS)
    assert process("uninstall", "--all").returncode == 0
    left = [name for name, data in tree(home).items() if data is not None]
    assert left == [".local/state/hookstream/install.lock"]


def test_a_dry_run_shows_a_diff_and_writes_nothing(home: Path, run: Run) -> None:
    path = home / ".claude/settings.json"
    path.parent.mkdir()
    path.write_text('{\n  "model": "opus"\n}\n')
    before = tree(home)
    done = run("install", *KEYS, "--dry-run", "--wrap")
    assert done.returncode == 0, done.stderr
    assert tree(home) == before
    assert f"--- {path}\n+++ {path}\n" in done.stdout
    assert '-  "model": "opus"\n+  "model": "opus",\n+  "hooks": {\n' in done.stdout
    assert f"--- /dev/null\n+++ {home}/.cursor/hooks.json\n" in done.stdout
    run("install", "claude-code")
    before = tree(home)
    done = run("uninstall", "--all", "--dry-run")
    assert '+  "model": "opus"\n' in done.stdout and tree(home) == before
    assert run("install", "claude-code", "--dry-run").stdout == ""


def test_a_project_is_the_folder_it_is_called_in(home: Path, project: Path, run: Run) -> None:
    scoped = [key for key in KEYS if key not in ("openclaw", "kimi-code")]
    assert run("install", *scoped, "--scope", "project").returncode == 0
    assert {name for name in tree(home) if not name.startswith((".local", ".cache"))} == set()
    for name in (
        ".claude/settings.json",
        ".cursor/hooks.json",
        ".codex/hooks.json",
        ".gemini/settings.json",
        ".qwen/settings.json",
        ".windsurf/hooks.json",
        ".github/hooks/zz-hookstream.json",
    ):
        assert read(project / name)["hooks"], name
    assert (project / ".clinerules/hooks/PreToolUse").stat().st_mode & 0o111
    assert not (project / ".codex/config.toml").exists()
    status = json.loads(run("status", "claude-code", "--format", "json").stdout)
    assert status["agents"][0]["registered"] == ["project"]
    assert run("uninstall", "--all", "--scope", "project").returncode == 0
    assert tree(project) == {}


def test_what_a_client_does_not_have_is_said(home: Path, run: Run) -> None:
    for words in (["openclaw", "--scope", "managed"], ["openclaw", "--scope", "project"]):
        done = run("install", *words)
        assert done.returncode == 2 and "has no" in done.stderr
    for words in ([], ["nobody"], ["cursor", "--scope", "all"]):
        done = run("install", *words)
        assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
    assert tree(home) == {}


@pytest.mark.long
@pytest.mark.parametrize("rounds", range(3))
def test_two_at_once_leave_one_registration(home: Path, process: Run, rounds: int) -> None:
    path = home / ".claude/settings.json"
    path.parent.mkdir()
    path.write_text('{"model": "opus"}')
    done: list[Any] = []
    threads = [
        threading.Thread(target=lambda: done.append(process("install", "claude-code", "cursor")))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [one.returncode for one in done] == [0] * 4, [one.stderr for one in done]
    assert all(len(groups) == 1 for groups in read(path)["hooks"].values())
    assert process("uninstall", "claude-code", "cursor").returncode == 0
    assert path.read_text() == '{"model": "opus"}'
    assert not (home / ".cursor").exists()


def test_without_home_the_password_database_says_where(home: Path, run: Run) -> None:
    """Nothing is written: the account's own home is no place for a test."""
    env = {k: v for k, v in os.environ.items() if k != "HOME"}
    code = (
        "from hookstream.core import folders; folders.home = lambda env=None: None;"
        "from hookstream.cli.app import run_app; import sys; sys.exit(run_app())"
    )
    words = [sys.executable, "-c", code, "install", "claude-code"]
    done = subprocess.run(words, env=env, capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1 and "set HOME" in done.stderr
    from hookstream.capture.install.homes import InstallFolders

    assert str(InstallFolders(env={}).home) == os.path.expanduser(
        f"~{os.environ.get('USER', 'root')}"
    )


def test_a_state_folder_that_cannot_be_made_is_one_line(home: Path, run: Run) -> None:
    (home / ".local").write_text("no folder")
    done = run("install", "claude-code")
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1
    assert not (home / ".claude").exists()


def test_status_tells_what_came_and_what_did_not(home: Path, run: Run) -> None:
    run("install", "claude-code", "codex")
    payload = {
        "session_id": "s", "transcript_path": "/t", "cwd": "/c", "tool_name": "Bash",
        "hook_event_name": "PreToolUse", "tool_input": {"command": "ls"}, "tool_use_id": "t1",
    }  # fmt: skip
    command = read(home / ".claude/settings.json")["hooks"]["PreToolUse"][0]["hooks"][0]["command"]
    for data in (json.dumps(payload).encode(), b"garbage"):
        done = subprocess.run(["sh", "-c", command], input=data, capture_output=True, timeout=60)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    status = json.loads(run("status", "--format", "json").stdout)
    agent = next(a for a in status["agents"] if a["vendor"] == "claude-code")
    last = {event["event"]: event["last_seen"] for event in agent["events"]}
    assert last["PreToolUse"] == status["log"]["last_event"] and last["Stop"] is None
    assert any(gap.startswith("not seen ever: SessionStart") for gap in agent["gaps"])
    assert agent["errors"] == 1 and status["errors"][0]["event"] == "PreToolUse"
    assert status["log"]["bytes"] > 0 and status["log"]["whole"] is True
    codex = next(a for a in status["agents"] if a["vendor"] == "codex")
    assert any("not trusted" in gap and "PreToolUse" in gap for gap in codex["gaps"])
    text = run("status", "claude-code")
    assert text.returncode == 0 and "31 events registered (user)" in text.stdout
    assert "WorktreeCreate" in text.stdout and "replaces the making" in text.stdout


def test_in_the_home_folder_the_users_file_is_no_projects_file(
    home: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home)
    run("install", "claude-code")
    found = json.loads(run("status", "claude-code", "--format=json").stdout)
    (agent,) = found["agents"]
    assert agent["registered"] == ["user"]
    assert agent["gaps"] == []
    assert found["errors"] == []


def test_status_after_install_says_what_to_do_next_once(home: Path, run: Run) -> None:
    run("install", "claude-code", "codex")
    shown = run("status").stdout
    last = shown.splitlines()[-1]
    assert (
        last == "claude-code, codex: no event yet: use each once, then run hookstream status again"
    )
    assert "no event seen" not in shown
    for program in ("hook", "wrap", "feed"):
        (home / f".local/share/hookstream/hookstream-{program}").write_text("#!/bin/sh\n")
    told = run("status").stdout
    assert told.count("gap of claude-code, codex: ") == 3 and "gap of codex: " not in told
    assert told.count("hookstream-wrap is of another version") == 1


def test_status_shows_what_is_delivered(home: Path, run: Run, cache_home: Path) -> None:
    run("install", "claude-code")
    command = read(home / ".claude/settings.json")["hooks"]["Stop"][0]["hooks"][0]["command"]
    payload = b'{"session_id": "s", "cwd": "/c", "hook_event_name": "Stop"}'
    subprocess.run(["sh", "-c", command], input=payload, timeout=60, check=True)
    (home / "sinks.toml").write_text(f"[[sink]]\nuri = 'jsonl:{home}/out'\n")
    log = str(home / ".local/state/hookstream/log/agent-hooks.jsonl")
    rules = {"XDG_CACHE_HOME": str(cache_home)}
    done = run("run", log, "--config", str(home / "sinks.toml"), **rules)
    assert done.returncode == 0, done.stderr
    (delivery,) = json.loads(run("status", "--format", "json").stdout)["deliveries"]
    (sink,) = delivery["sinks"].values()
    assert (sink["delivered"], sink["undelivered"]) == (1, 0)
    assert "1 delivered, 0 waiting" in run("status").stdout


def test_trusted_codex_hooks_are_no_gap(home: Path, run: Run) -> None:
    run("install", "codex")
    config = home / ".codex/config.toml"
    table = f'[hooks.state."{home}/.codex/hooks.json:pre_tool_use:0:0"]\n'
    config.write_text(config.read_text() + table + 'trusted_hash = "sha256:0"\n')
    status = json.loads(run("status", "codex", "--format", "json").stdout)
    (gap,) = [gap for gap in status["agents"][0]["gaps"] if "not trusted" in gap]
    assert "PreToolUse," not in gap and "PostToolUse" in gap


SWITCHES = {
    "claude-code": (".claude/settings.json", '{"disableAllHooks": true}', "disableAllHooks"),
    "gemini-cli": (".gemini/settings.json", '{"hooksConfig": {"enabled": false}}', "hooksConfig"),
    "qwen-code": (".qwen/settings.json", '{"disableAllHooks": true}', "disableAllHooks"),
    "codex": (".codex/config.toml", "[features]\nhooks = false\n", "features.hooks"),
    "copilot": (".copilot/settings.json", '{"disableAllHooks": true}', "disableAllHooks"),
    "openclaw": (".openclaw/openclaw.json", "{plugins: {enabled: false}}", "plugins.enabled"),
}


@pytest.mark.parametrize("key", SWITCHES)
def test_a_switch_that_is_off_is_a_gap(home: Path, run: Run, key: str) -> None:
    name, text, word = SWITCHES[key]
    (home / name).parent.mkdir(parents=True)
    (home / name).write_text(text)
    assert run("install", key).returncode == 0
    status = json.loads(run("status", key, "--format", "json").stdout)
    assert any(word in gap for gap in status["agents"][0]["gaps"]), status["agents"][0]["gaps"]
    run("uninstall", key)
    assert (home / name).read_text() == text


def test_status_looks_at_the_end_of_a_long_log_only(
    home: Path, run: Run, within: Callable[[float], AbstractContextManager[None]]
) -> None:
    log = home / ".local/state/hookstream/log/agent-hooks.jsonl"
    log.parent.mkdir(parents=True, mode=0o700)
    event = {
        "source": {"tool": "cursor"}, "timestamp": "2026-01-01T00:00:00.000Z", "pad": "x" * 900,
        "metadata": {"dev.hookstream": {"native_event": "stop", "vendor": "cursor"}},
    }  # fmt: skip
    line = json.dumps(event).encode() + b"\n"
    log.write_bytes(line * 60_000 + line.replace(b"stop", b"preCompact") + b'{"torn')
    run("install", "cursor")
    with within(5):
        status = json.loads(run("status", "cursor", "--format", "json").stdout)
    last = {event["event"]: event["last_seen"] for event in status["agents"][0]["events"]}
    assert last["stop"] and last["preCompact"] and not last["sessionStart"]
    assert status["log"]["whole"] is False and status["log"]["events_read"] < 10_000
    assert any("in the last" in gap for gap in status["agents"][0]["gaps"])


def test_the_version_of_an_npm_client_is_read_not_run(home: Path, run: Run) -> None:
    package = home / "lib/node_modules/@google/gemini-cli"
    (package / "bundle").mkdir(parents=True)
    (package / "package.json").write_text('{"version": "0.61.0"}')
    program = package / "bundle/gemini.js"
    program.write_text("#!/bin/sh\ntouch $HOME/ran\n")
    program.chmod(0o755)
    (home / "bin").mkdir()
    (home / "bin/gemini").symlink_to(program)
    path = f"{home}/bin:{os.environ['PATH']}"
    status = json.loads(run("status", "gemini-cli", "--format", "json", PATH=path).stdout)
    client = status["agents"][0]["client"]
    assert (client["found"], client["version"]) == (True, "0.61.0")
    assert client["program"] == f"{home}/bin/gemini" and not (home / "ran").exists()
    assert "gemini-cli: installed" in run("install", "--all", PATH=path).stdout


def test_cursor_is_given_no_event_that_its_version_does_not_know(
    monkeypatch: Any, home: Path
) -> None:
    """One unknown name makes that client drop the whole file, hooks of others included."""

    from hookstream.capture.install.homes import InstallFolders

    monkeypatch.setattr(registered, "product_version", lambda client, homes: (1, 7, 28))
    (file,) = config_files(client_of("cursor"), InstallFolders(), "user")
    assert set(json.loads(file.with_ours(None))["hooks"]) == {
        "beforeShellExecution", "beforeMCPExecution", "beforeReadFile", "afterFileEdit",
        "beforeSubmitPrompt", "stop",
    }  # fmt: skip
    monkeypatch.setattr(registered, "product_version", lambda client, homes: None)
    assert (
        len(
            json.loads(
                config_files(client_of("cursor"), InstallFolders(), "user")[0].with_ours(None)
            )["hooks"]
        )
        == 21
    )


def test_what_another_version_registered_is_a_gap(home: Path, run: Run) -> None:
    assert run("install", *KEYS).returncode == 0
    assert "another version" not in run("status", "--all").stdout
    path = home / ".claude/settings.json"
    path.write_text(path.read_text().replace("/hookstream/hook", "/elsewhere/hookstream/hook"))
    said = run("status", "claude-code").stdout
    assert f"registered by another version or installation: {path}; run hookstream install" in said
    assert run("install", "claude-code").returncode == 0
    assert "another version" not in run("status", "claude-code").stdout
    script = home / ".local/share/hookstream/hookstream-hook"
    for damage, word in (
        (lambda: script.write_text("#!/bin/sh\n"), "is of"),
        (script.unlink, "is gone"),
    ):
        damage()
        assert f"{script} {word}" in run("status", "claude-code").stdout
        assert run("install", "claude-code").returncode == 0
        assert "run hookstream install" not in run("status", "claude-code").stdout


@pytest.mark.long
def test_hook_command_prints_what_install_registers(home: Path, run: Run) -> None:
    """For every client and event, whichever of its names the interpreter was called by."""
    from hookstream.normalizers.client import client_of

    forms = {"claude-code": "command", "cursor": "command", "gemini-cli": "command"}
    forms |= {"codex": "command", "copilot": "bash", "windsurf": "command", "qwen-code": "command"}
    forms |= {"devin": "command", "auggie": "command"}
    assert run("install", *forms).returncode == 0
    status = json.loads(run("status", *forms, "--format", "json").stdout)
    files = {agent["vendor"]: agent["files"] for agent in status["agents"]}
    for key, field in forms.items():
        (path, *_) = (file["path"] for file in files[key] if file["path"].endswith("json"))
        hooks = read(Path(path))["hooks"]
        events = [event for event in client_of(key).events if event != "notify"]
        for event in (events[0], events[-1]):
            (entry,) = hooks[event]
            (handler,) = entry.get("hooks", [entry])
            words = [sys.executable, "-m", "hookstream", "hook", "--command", key, event]
            printed = subprocess.run(words, capture_output=True, text=True, check=True).stdout
            assert printed == handler[field] + "\n"
