"""install --wrap where a hook is a script of another's: Cline."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from hookstream.capture.install.homes import InstallFolders
from hookstream.capture.install.registered import gaps
from hookstream.capture.install.script_wrap import beside
from hookstream.normalizers.client import client_of

pytestmark = pytest.mark.posix("hooks are not wrapped on Windows, and scripts are shell scripts")

Run = Callable[..., subprocess.CompletedProcess[str]]
DENY = '#!/bin/sh\ncat > "$0.got"\necho \'{"cancel": true, "errorMessage": "no"}\'\n'
PAYLOAD = {
    "clineVersion": "",
    "hookName": "tool_call",
    "timestamp": "2026-11-21T02:10:10.012Z",
    "taskId": "conv_1",
    "sessionContext": {"rootSessionId": "conv_1"},
    "workspaceRoots": ["/home/dev/project"],
    "tool_call": {"id": "call_1", "name": "run_commands", "input": {"commands": ["ls"]}},
    "preToolUse": {"toolName": "run_commands", "parameters": {"commands": '["ls"]'}},
}


@pytest.fixture
def script(home: Path) -> Path:
    path = home / "Documents/Cline/Hooks/PreToolUse"
    path.parent.mkdir(parents=True)
    path.write_text(DENY)
    path.chmod(0o750)
    return path


def call(path: Path, *before: str) -> subprocess.CompletedProcess[bytes]:
    data = json.dumps(PAYLOAD).encode()
    return subprocess.run([*before, str(path)], input=data, capture_output=True, timeout=60)


def decisions(home: Path) -> list[str]:
    log = home / ".local/state/hookstream/log/agent-hooks.jsonl"
    for _ in range(150):
        lines = log.read_bytes().splitlines() if log.exists() else []
        if len(lines) >= 2:
            break
        time.sleep(0.1)
    found = [json.loads(line)["metadata"]["dev.hookstream"] for line in lines]
    return [one["decided_by"] for one in found if "decided_by" in one]


def test_a_script_is_wrapped_runs_as_it_did_and_comes_back(
    home: Path, run: Run, script: Path
) -> None:
    names = [path.name for path in script.parent.iterdir()]
    done = run("install", "cline", "--wrap")
    assert done.returncode == 0, done.stderr
    kept = beside(script)
    assert kept.read_text() == DENY
    assert [path.stat().st_mode & 0o777 for path in (script, kept)] == [0o750, 0o750]
    answer = call(script)
    assert json.loads(answer.stdout) == {"cancel": True, "errorMessage": "no"}
    assert (answer.returncode, answer.stderr) == (0, b"")
    got = Path(f"{kept}.got")
    assert json.loads(got.read_bytes()) == PAYLOAD
    got.unlink()
    assert decisions(home) == ["hook"]
    assert "already installed" in run("install", "cline", "--wrap").stdout
    assert "already installed" in run("install", "cline").stdout
    assert "wrapped: 1 hooks of others" in run("status", "cline").stdout
    assert run("uninstall", "cline").returncode == 0
    assert [path.name for path in script.parent.iterdir()] == names
    assert (script.read_text(), script.stat().st_mode & 0o777) == (DENY, 0o750)


def test_without_our_interpreter_the_guard_still_runs(home: Path, run: Run, script: Path) -> None:
    run("install", "cline", "--wrap")
    text = script.read_text()
    python = text.partition("[ -x ")[2].partition(" ]")[0]
    script.write_text(text.replace(python, "/nonexistent/python"))
    assert json.loads(call(script).stdout)["cancel"] is True
    os.chdir(script.parent)
    assert json.loads(call(Path("PreToolUse"), "sh").stdout)["cancel"] is True


def test_edits_of_the_script_are_not_lost(home: Path, run: Run, script: Path) -> None:
    run("install", "cline", "--wrap")
    edited = DENY.replace("no", "never")
    beside(script).write_text(edited)
    assert "already installed" in run("install", "cline").stdout
    assert run("uninstall", "cline").returncode == 0
    assert script.read_text() == edited
    assert not beside(script).exists()


def test_a_wrapper_whose_script_is_gone_gets_the_copy_back(
    home: Path, run: Run, script: Path
) -> None:
    run("install", "cline", "--wrap")
    beside(script).unlink()
    assert run("uninstall", "cline").returncode == 0
    assert script.read_text() == DENY


def test_scripts_of_other_interpreters_are_left_alone_and_told(home: Path, run: Run) -> None:
    folder = home / ".cline/hooks"
    folder.mkdir(parents=True)
    (folder / "PreToolUse.py").write_text("print('{}')\n")
    (folder / "PostToolUse.bash").write_text(DENY)
    (folder / "TaskStart").write_text("#!/bin/sh\nexec hookstream wrap cline TaskStart -- g\n")
    told = run("install", "cline", "--wrap", "--dry-run").stdout
    assert "PreToolUse: a .py script" in told
    assert "TaskStart: wrapped by hand" in told
    assert not (folder / ".PostToolUse.bash.hookstream").exists()
    done = run("install", "cline", "--wrap")
    assert done.returncode == 0, done.stderr
    assert (folder / "PreToolUse.py").read_text() == "print('{}')\n"
    assert json.loads(call(folder / "PostToolUse.bash", "bash").stdout)["cancel"] is True
    (folder / ".PostToolUse.bash.hookstream.got").unlink()
    assert run("uninstall", "cline").returncode == 0
    left = sorted(path.name for path in folder.iterdir())
    assert left == ["PostToolUse.bash", "PreToolUse.py", "TaskStart"]
    assert (folder / "PostToolUse.bash").read_text() == DENY


def test_a_script_in_the_way_is_named_with_the_way_out(home: Path, run: Run, script: Path) -> None:
    done = run("install", "cline")
    assert done.returncode == 2
    assert "--wrap wraps it" in done.stderr
    assert script.read_text() == DENY


@pytest.mark.parametrize(("platform", "runs"), [("win32", False), ("linux", True)])
def test_a_system_that_runs_no_shell_scripts_is_named(
    platform: str, runs: bool, tmp_path: Path
) -> None:
    folders = InstallFolders(env={"HOME": str(tmp_path)}, platform=platform)
    reasons = gaps(client_of("cline"), folders)
    assert [one for one in reasons if ".ps1" in one] == ([] if runs else reasons[:1])
