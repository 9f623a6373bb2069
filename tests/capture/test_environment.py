"""A repository's `.env`, which clients load into their hooks, moves and silences nothing.

What `hookstream install` resolved holds. The environment adds a place; it takes the registered one
away only where the user's configuration lets it, and then an event says so.
"""

import json
import os
import subprocess
from pathlib import Path

import pytest
from hook_runner import CLAUDE, Home, read_log
from test_hook import assert_silent_success

from hookstream.capture.install import command as commands
from hookstream.capture.install import launcher

FOLDERS = ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME")


@pytest.fixture
def project(home, as_own_home, tmp_path):
    """Where the agent works: a repository with a configuration of its own for hookstream."""
    launcher.write()
    folder = tmp_path / "project"
    for name in (".config", ".", ".local/state"):
        place = folder / name / "hookstream"
        place.mkdir(parents=True, exist_ok=True)
        settings = {"hooks": [{"event": "*", "log": "off"}], "privacy": "full"}
        (place / "config.json").write_text(json.dumps(settings))
    return folder


def hook(home: Home, project: Path, env: dict[str, str], vendor="claude-code", event="PreToolUse"):
    return subprocess.run(
        ["sh", "-c", commands.command_line(vendor, event)],
        input=json.dumps(CLAUDE).encode(),
        capture_output=True,
        env=home.environment(env),
        cwd=project,
        check=False,
    )


HOSTILE = [
    {"AGENT_HOOKS_LOG": "off"},
    {"AGENT_HOOKS_LOG": " OFF "},
    {"AGENT_HOOKS_LOG": "0"},
    {"AGENT_HOOKS_LOG": "/dev/null"},
    {"AGENT_HOOKS_LOG": "/dev/null/log.jsonl"},
    {"XDG_CONFIG_HOME": "/proc/self/cwd/.config"},
    {"XDG_CONFIG_HOME": "{project}/.config"},
    {"XDG_STATE_HOME": "/proc/self/cwd/.local/state"},
    {"XDG_CACHE_HOME": "/proc/self/cwd"},
    {"HOME": "{project}"},
    {"HOME": ""},
    {"HOOKSTREAM_SOCKET": "{project}/sock"},
    dict.fromkeys(FOLDERS, "{project}") | {"AGENT_HOOKS_LOG": "off"},
    {"PYTHONPATH": "{project}", "PYTHONHOME": "{project}", "PYTHONSTARTUP": "{project}/x.py"},
    {"OPENSSL_CONF": "{project}/openssl.cnf", "HOOKSTREAM_TOKEN": "x" * 20},
]


@pytest.mark.parametrize("env", HOSTILE, ids=lambda env: ",".join(env))
@pytest.mark.posix("launchers are POSIX shell scripts")
def test_no_variable_takes_the_registered_log_away(home, project, env):
    env = {name: value.replace("{project}", str(project)) for name, value in env.items()}
    before = {path: path.read_bytes() for path in project.rglob("*") if path.is_file()}
    assert_silent_success(hook(home, project, env))
    (line,) = read_log(home.log)
    assert "ls -la" in json.dumps(line) and "/.claude/" in json.dumps(line)
    assert line["user"]["id"].startswith("user-")  # the project's `privacy: full` is not read
    assert {path: path.read_bytes() for path in project.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("variable", ["HOOKSTREAM_SOCKET", "XDG_STATE_HOME"])
@pytest.mark.posix("launchers are POSIX shell scripts")
def test_nobody_else_gets_the_payload(home, project, variable, tmp_path):
    """HOOKSTREAM_SOCKET named a collector of the repository's."""
    import socket

    path = tmp_path / "s"
    with socket.socket(socket.AF_UNIX) as theirs:
        theirs.bind(str(path))
        theirs.listen(8)
        theirs.settimeout(0.2)
        assert_silent_success(hook(home, project, {variable: str(path)}))
        with pytest.raises(TimeoutError):
            theirs.accept()
    assert len(read_log(home.log)) == 1


@pytest.mark.posix("launchers are POSIX shell scripts")
def test_the_environment_adds_a_place(home, project, tmp_path):
    for value in ("*", str(tmp_path / "more.jsonl"), str(tmp_path / "folder") + "/"):
        assert_silent_success(hook(home, project, {"AGENT_HOOKS_LOG": value}))
    registered = read_log(home.log)
    assert len(registered) == 3
    assert read_log(tmp_path / "more.jsonl") == [registered[1]]
    assert read_log(tmp_path / "folder/agent-hooks.jsonl") == [registered[2]]


@pytest.mark.posix("launchers are POSIX shell scripts")
def test_a_place_that_takes_nothing_keeps_the_other_from_nothing(home, project, tmp_path):
    assert_silent_success(hook(home, project, {"AGENT_HOOKS_LOG": "/proc/version"}))
    assert len(read_log(home.log)) == 1
    (failure,) = home.failures()
    assert failure["stage"] == "append"


@pytest.mark.posix("launchers are POSIX shell scripts")
def test_what_is_ignored_is_said_once(home, project):
    for _ in range(3):
        hook(home, project, {"AGENT_HOOKS_LOG": "off"})
    (failure,) = home.failures()
    assert failure["problem"] == "AGENT_HOOKS_LOG=off in the environment: ignored"


@pytest.mark.posix("launchers are POSIX shell scripts")
def test_the_log_that_was_registered_holds(home, as_own_home, monkeypatch, tmp_path):
    """Where the user's shell named a place when hookstream was installed."""
    monkeypatch.setenv("AGENT_HOOKS_LOG", str(tmp_path / "named.jsonl"))
    launcher.write()
    hook(home, tmp_path, {"AGENT_HOOKS_LOG": "off"})
    hook(home, tmp_path, {})
    assert len(read_log(tmp_path / "named.jsonl")) == 2 and not home.log.exists()


@pytest.mark.parametrize("value", ["off", "{tmp}/other.jsonl"])
@pytest.mark.posix("launchers are POSIX shell scripts")
def test_a_configuration_may_let_the_environment_replace_it(home, project, tmp_path, value):
    """One event a session says so, and `hookstream status` shows it."""
    home.configure({"environment": "replace"})
    env = {"AGENT_HOOKS_LOG": value.replace("{tmp}", str(tmp_path))}
    for _ in range(3):
        assert_silent_success(hook(home, project, env))
    (line,) = read_log(home.log)
    assert line["event_type"] == "vendor.claude-code.CaptureReplaced"
    assert line["session_id"] == CLAUDE["session_id"]
    (failure,) = home.failures()
    assert "capture taken away" in failure["problem"]
    other = tmp_path / "other.jsonl"
    assert value == "off" or len(read_log(other)) == 3


@pytest.mark.posix("launchers are POSIX shell scripts")
def test_a_wrap_records_where_it_was_registered_and_sets_no_variable(home, as_own_home, tmp_path):
    launcher.write()
    env = {"AGENT_HOOKS_LOG": "off", "XDG_STATE_HOME": str(tmp_path / "x"), "HOME": str(tmp_path)}
    words = [launcher.path("wrap"), "claude-code", "PreToolUse", "--", "env"]
    given = {**home.environment(), **env}
    done = subprocess.run(
        words, input=json.dumps(CLAUDE).encode(), capture_output=True, env=given, check=False
    )
    assert done.returncode == 0
    seen = dict(line.split("=", 1) for line in done.stdout.decode().splitlines())
    assert {name: seen.get(name) for name in given} == given
    wait_for(home.log)
    assert "Action.Before" in {line["event_type"] for line in read_log(home.log)}
    assert not (tmp_path / "x").exists()


@pytest.mark.posix("launchers are POSIX shell scripts")
def test_a_plugin_records_where_it_was_registered(home, as_own_home, tmp_path):
    launcher.write()
    record = {"vendor": "claude-code", "native_event": "PreToolUse", "payload": CLAUDE}
    env = {"AGENT_HOOKS_LOG": "off", "HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path)}
    subprocess.run(
        [launcher.path("feed"), "claude-code"],
        input=json.dumps(record).encode() + b"\n",
        env=home.environment(env),
        check=True,
    )
    assert len(read_log(home.log)) == 1


@pytest.mark.posix("launchers are POSIX shell scripts")
def test_without_folders_they_are_those_of_the_account(home, tmp_path, monkeypatch):
    """The launcher for all users of a machine names none; HOME is not believed."""
    from hookstream.capture.hook import registered

    posix = pytest.importorskip("posix")
    before = dict(posix.environ)
    try:
        posix.environ[b"HOME"] = posix.environ[b"XDG_STATE_HOME"] = b"/nowhere"
        registered.fix_environment([""] * 6)
        assert os.environ["HOME"] == os.path.expanduser(f"~{own_name()}")
        assert "XDG_STATE_HOME" not in os.environ
    finally:
        posix.environ.clear()
        posix.environ.update(before)


def own_name() -> str:
    import pwd

    return pwd.getpwuid(os.getuid()).pw_name


def wait_for(path: Path) -> None:
    import time

    until = time.monotonic() + 20
    while time.monotonic() < until:
        if path.exists() and path.read_bytes().endswith(b"\n"):
            return
        time.sleep(0.05)
