"""What install prepares is all that hooks and wraps load: the first is as fast as the second."""

import json
import shutil
import subprocess
import sys

import pytest
from hook_runner import CLAUDE, COPILOT, CURSOR, GEMINI, read_log

import hookstream
from hookstream.capture.hook import launch

PREPARE = "from hookstream.capture.install.command import prepare; prepare('{}')"
PATH = "import sys; sys.path.insert(0, {!r}); sys.path_importer_cache.clear(); "
SECRET = {**CLAUDE, "tool_input": {"command": "export KEY=" + "AKIA" + "Q" * 16}}
DENY = """import json,sys
print(json.dumps({"hookSpecificOutput": {"hookEventName": "PreToolUse",
 "permissionDecision": "deny", "permissionDecisionReason": "no"}}))"""


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """A copy of the package, whose bytecode no other test makes."""
    folder = tmp_path_factory.mktemp("site") / "hookstream"
    ignored = shutil.ignore_patterns("__pycache__", "*.sql")
    shutil.copytree(hookstream.__path__[0], folder, ignore=ignored)
    return folder


def run(package, home, program, vendor, *argv, payload=None):
    """A program of launch.py, with that copy."""
    file = package / "capture" / "hook" / "launch.py"
    return subprocess.run(
        [sys.executable, "-I", "-S", "-E", "-B", file, program, vendor, *argv],
        input=b"" if payload is None else payload,
        capture_output=True,
        env=home.environment(),
        check=False,
        timeout=60,
    )


def files(package):
    return {
        str(path): (path.stat().st_ino, path.stat().st_mtime_ns) for path in package.rglob("*.pyc")
    }


@pytest.mark.long
@pytest.mark.parametrize(
    ("vendor", "event", "payload"),
    [
        ("claude-code", "PreToolUse", CLAUDE),
        ("claude-code", "PreToolUse", SECRET),
        ("cursor", "beforeShellExecution", CURSOR),
        ("gemini-cli", "BeforeTool", GEMINI),
        ("copilot", "preToolUse", COPILOT),
    ],
)
def test_hooks_and_wraps_find_all_they_need(home, package, vendor, event, payload):
    words = [
        sys.executable,
        "-I",
        "-B",
        "-c",
        PATH.format(str(package.parent)) + PREPARE.format(vendor),
    ]
    assert subprocess.run(words, capture_output=True, check=True).stderr == b""
    before = files(package)
    assert len(before) > 100
    data = json.dumps(payload).encode()
    run(package, home, "hook", vendor, event, payload=data)
    run(package, home, "hook", vendor, event, payload=b"garbage")
    kinds = [line["event_type"] for line in read_log(home.log)]
    assert len(kinds) == 2 and kinds[1].endswith(".CaptureFailed")
    guard = ("--", sys.executable, "-c", DENY)
    assert b"deny" in run(package, home, "wrap", vendor, event, *guard, payload=data).stdout
    for _ in range(30):  # the recorder is a process of its own; not each guard denies here
        if len(home.log.read_bytes().splitlines()) >= 3:
            break
        subprocess.run(["sleep", "0.1"], check=True)
    subprocess.run(["sleep", "0.3"], check=True)
    assert files(package) == before


def test_bytecode_is_python_s_own_and_whole_or_not_there(tmp_path, monkeypatch):
    source = tmp_path / "light.py"
    source.write_text("value = 1\n")
    launch.Loader("light", str(source)).get_code("light")
    words = [sys.executable, "-B", "-v", "-c", "import light"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, check=True)
    assert b"light.cpython" in done.stderr and b"code object from" in done.stderr
    (made,) = (tmp_path / "__pycache__").iterdir()
    made.write_bytes(made.read_bytes()[:30])
    assert launch.Loader("light", str(source)).get_code("light") is not None
    monkeypatch.setattr("os.write", lambda handle, data: len(data) // 2)
    assert launch.Loader("light", str(source)).get_code("light") is not None
    assert list((tmp_path / "__pycache__").iterdir()) == []
