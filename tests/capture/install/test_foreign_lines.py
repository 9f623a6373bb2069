"""Only the very line that install writes is ours: what else runs hookstream stays, and is told."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from reading import commands, read

from hookstream.capture.install.command import command_line
from hookstream.capture.install.commands import is_ours, mentions_us

Run = Callable[..., subprocess.CompletedProcess[str]]
LAUNCHER = "/home/dev/.local/share/hookstream/hookstream-hook"
LINE = f"{LAUNCHER} claude-code PreToolUse"
OURS = [
    LINE,
    f"{LINE} 2>/dev/null || :",
    f"{LAUNCHER} claude-code",
    f"{{ {LAUNCHER} cursor stop 2>/dev/null || echo '{{}}'; }}",
    "'/home/some one/hookstream/hookstream-hook' codex Stop 2>/dev/null || :",
    """'/home/o'"'"'dd one/hookstream/hookstream-hook' codex Stop 2>/dev/null || :""",
    "/usr/local/lib/hookstream/hookstream-hook codex Stop 2>/dev/null || :",
]
PROGRAM = (
    """'import sys;sys.excepthook=lambda*_:sys.exit(0);p=type(sys)('"'"'hookstream'"'"');"""
    """sys.modules[p.__name__]=p;from hookstream.capture.{module} import {name};{name}()'"""
)
# What earlier versions wrote: an upgrade replaces it.
OLD = [
    f"/v/bin/python3 -I -S -E -B -c {PROGRAM.format(module=module, name=name)} {words}"
    for module, name in (("forward", "forward"), ("start", "start"), ("hook.client", "forward"))
    for words in ("claude-code PreToolUse", "copilot preToolUse 2>/dev/null || :")
]
THEIRS = [
    "/opt/guard.sh && hookstream hook claude-code PreToolUse",
    f"/opt/guard.sh && {LINE}",
    f"/opt/guard.sh;{LINE}",
    f"/opt/guard.sh|{LINE}",
    f"{LINE} && /opt/guard.sh",
    f"{LINE} | tee /tmp/x",
    f"{LINE} ; rm -rf /",
    f"{LINE} 2>/dev/null || /opt/guard.sh",
    f"{LINE} $(/opt/guard.sh)",
    f"$(/opt/guard.sh){LINE}",
    f"env A=b {LINE}",
    f"sudo {LINE}",
    f"sh -c '{LINE}'",
    "hookstream hook claude-code PreToolUse",
    "/opt/bin/hookstream hook claude-code PreToolUse | jq .",
    "/opt/hookstream-hook claude-code PreToolUse",
    f"/opt/guard.sh && {OLD[0]}",
    f"{OLD[0]} && /opt/guard.sh",
    OLD[0].replace("forward()'", 'forward();import os;os.system("guard")\'') + " ; guard",
    "echo hookstream.capture.forward",
    "python3 -c 'import hookstream.capture.forward' x && y",
]


@pytest.mark.parametrize("line", OURS + OLD)
def test_what_install_writes_is_ours(line: str) -> None:
    assert is_ours(line) and not mentions_us(line)


@pytest.mark.parametrize("line", THEIRS)
def test_what_does_more_is_not(line: str) -> None:
    assert not is_ours(line) and mentions_us(line)


def settings(*lines: str) -> str:
    handlers = [{"type": "command", "command": line} for line in lines]
    return json.dumps({"hooks": {"PreToolUse": [{"matcher": "Bash", "hooks": handlers}]}}, indent=1)


@pytest.mark.long
@pytest.mark.parametrize("line", THEIRS)
def test_install_and_uninstall_leave_it_and_say_so(home: Path, run: Run, line: str) -> None:
    path = home / ".claude/settings.json"
    path.parent.mkdir()
    text = settings(line)
    path.write_text(text)
    done = run("install", "claude-code")
    assert (
        done.returncode == 0 and f"left alone, no line that install writes, {path}" in done.stdout
    )
    assert line in commands(read(path)["hooks"]["PreToolUse"])
    status = json.loads(run("status", "claude-code", "--format", "json").stdout)
    assert any(line in gap for gap in status["agents"][0]["gaps"])
    done = run("uninstall", "claude-code")
    assert line in done.stdout and path.read_text() == text


@pytest.mark.parametrize("line", THEIRS)
def test_without_a_record_of_the_install_it_stays_too(home: Path, run: Run, line: str) -> None:
    """Taken over from another machine, or the state folder is gone."""
    path = home / ".claude/settings.json"
    path.parent.mkdir()
    ours = command_line("claude-code", "PreToolUse")
    path.write_text(settings(line, ours, "/opt/other.sh"))
    before = path.read_bytes()
    done = run("uninstall", "claude-code")
    assert commands(read(path)["hooks"]["PreToolUse"]) == [line, "/opt/other.sh"]
    # The file was edited, not put back: its bytes are kept.
    (copy,) = (home / ".local/state/hookstream/backups").iterdir()
    assert copy.read_bytes() == before and str(copy) in done.stdout
    assert copy.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("line", OLD)
def test_an_upgrade_replaces_what_an_earlier_version_wrote(home: Path, run: Run, line: str) -> None:
    path = home / ".claude/settings.json"
    path.parent.mkdir()
    path.write_text(settings(line, "/opt/other.sh"))
    assert run("install", "claude-code").returncode == 0
    found = commands(read(path)["hooks"]["PreToolUse"])
    assert sorted(found) == sorted([command_line("claude-code", "PreToolUse"), "/opt/other.sh"])


@pytest.mark.posix("launchers are POSIX shell scripts")
def test_what_install_writes_can_be_read(home: Path, run: Run) -> None:
    run("install", "claude-code")
    text = (home / ".claude/settings.json").read_text()
    lines = [one for group in json.loads(text)["hooks"].values() for one in commands(group)]
    assert max(map(len, lines)) < len(str(home)) + 100
    script = home / ".local/share/hookstream/hookstream-hook"
    assert script.stat().st_mode & 0o777 == 0o755 and len(script.read_text().splitlines()) < 45


def test_a_dry_run_begins_with_a_summary(home: Path, run: Run) -> None:
    lines = run("install", "claude-code", "codex", "--dry-run").stdout.splitlines()
    assert lines[:2] == ["# claude-code: 31 events in 1 file", "# codex: 15 events in 2 files"]
    assert not (home / ".local").exists()


@pytest.mark.posix("launchers are POSIX shell scripts")
def test_the_launchers_go_with_the_last_client(home: Path, run: Run) -> None:
    folder = home / ".local/share/hookstream"
    run("install", "claude-code", "codex")
    assert sorted(path.name for path in folder.iterdir()) == [
        "hookstream-feed", "hookstream-hook", "hookstream-wrap",
    ]  # fmt: skip
    run("uninstall", "codex")
    assert (folder / "hookstream-hook").exists()
    run("uninstall", "claude-code")
    assert not folder.exists()
