"""A wrap that an upgrade moved or rewrote records nothing: status says so and what to do."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.posix("hooks are not wrapped on Windows, and scripts are shell scripts")

Run = Callable[..., subprocess.CompletedProcess[str]]
GUARD = {"matcher": "Bash", "hooks": [{"type": "command", "command": "/opt/guard"}]}
SETTINGS = {"hooks": {"PreToolUse": [GUARD]}}


@pytest.fixture
def settings(home: Path) -> Path:
    path = home / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text(json.dumps(SETTINGS))
    return path


def told(run: Run, vendor: str = "claude-code") -> list[str]:
    """The lines of status that say that a wrap is lost."""
    lines = run("status").stdout.splitlines()
    assert lines
    (agent,) = json.loads(run("status", vendor, "--format", "json").stdout)["agents"]
    found = [line.strip() for line in lines if "wraps lost" in line]
    assert found == [f"gap: {gap}" for gap in agent["gaps"] if "wraps lost" in gap]
    return found


def line(path: Path, how: str, vendor: str = "claude-code", more: str = "") -> str:
    return (
        f"gap: wraps lost, {path} {how} since install: what its hooks decide is not recorded; "
        f"run hookstream install {vendor} --wrap{more}"
    )


def test_a_file_that_an_upgrade_rewrote(run: Run, settings: Path) -> None:
    run("install", "claude-code", "--wrap")
    assert told(run) == []
    settings.write_text(json.dumps({"version": 2, **SETTINGS}))
    assert told(run) == [line(settings, "was rewritten")]
    run("install", "claude-code")  # wrapped once, it is wrapped again
    assert told(run) == []
    assert "hookstream-wrap" in settings.read_text()


def test_a_file_that_an_upgrade_moved(run: Run, settings: Path) -> None:
    run("install", "claude-code", "--wrap")
    settings.rename(settings.with_name("settings.v2.json"))
    assert told(run) == [line(settings, "is gone")]
    run("install", "claude-code", "--wrap")
    assert told(run) == []


def test_a_guard_that_its_owner_took_away_is_missed_until_the_next_install(
    run: Run, settings: Path
) -> None:
    run("install", "claude-code", "--wrap")
    given = json.loads(settings.read_text())
    given["hooks"]["PreToolUse"] = [
        group for group in given["hooks"]["PreToolUse"] if "guard" not in json.dumps(group)
    ]
    settings.write_text(json.dumps(given, indent=2) + "\n")
    assert told(run) == [line(settings, "was rewritten")]
    run("install", "claude-code", "--wrap")
    assert told(run) == []


def test_the_scope_is_named(run: Run, home: Path, project: Path) -> None:
    path = project / ".claude" / "settings.json"
    path.parent.mkdir()
    path.write_text(json.dumps(SETTINGS))
    run("install", "claude-code", "--wrap", "--scope", "project")
    assert told(run) == []
    path.write_text(json.dumps(SETTINGS))
    assert told(run) == [line(path, "was rewritten", more=" --scope project")]


@pytest.mark.parametrize("how", ["was rewritten", "is gone"])
def test_a_script_of_cline(run: Run, home: Path, how: str) -> None:
    path = home / "Documents/Cline/Hooks/PreToolUse"
    path.parent.mkdir(parents=True)
    guard = b"#!/bin/sh\ncat >/dev/null\necho '{\"cancel\": true}'\n"
    path.write_bytes(guard)
    path.chmod(0o755)
    assert run("install", "cline", "--wrap").returncode == 0
    assert told(run, "cline") == []
    if how == "is gone":
        path.unlink()
    else:
        path.write_bytes(guard + b"# 2\n")
        path.chmod(0o755)
    assert told(run, "cline") == [line(path, how, "cline")]
    run("install", "cline", "--wrap")
    assert told(run, "cline") == []


def test_where_nothing_was_wrapped_nothing_is_lost(run: Run, settings: Path) -> None:
    settings.write_text("{}")
    run("install", "claude-code", "--wrap")
    settings.write_text(json.dumps(SETTINGS))
    assert told(run) == []
