"""A disk that stops reading while the snapshot is loaded: the event comes through the sources."""

import json
import os
import shutil
import subprocess

import pytest
from hook_runner import CURSOR, Home, program, read_log
from test_hook import assert_silent_success

import hookstream

SECRET = {**CURSOR, "command": "export KEY=" + "AKIA" + "Q" * 16}
# From the given read of the snapshot on, each fails; or each gives half of what it should.
FAILING = (
    "import os;C=[0];R=os.pread;B=lambda h:os.readlink('/proc/self/fd/%d'%h).endswith('.bin');"
    "os.pread=lambda h,n,a:R(h,n,a)if not B(h)or C.append(0)or len(C)<={first} else {fault};"
)
REDACTED = ["export KEY=[REDACTED:aws-access-key-id]"]
FAULTS = {"error": "os.read(-1,1)", "half": "R(h,n//2,a)"}


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site") / "hookstream"
    ignored = shutil.ignore_patterns("__pycache__", "*.sql")
    shutil.copytree(hookstream.__path__[0], folder, ignore=ignored)
    return folder


def hook(home, package, before="", payload=SECRET):
    words = program(before or "pass", "cursor", "beforeShellExecution")
    return subprocess.run(
        [word.replace(hookstream.__path__[0], str(package)) for word in words],
        input=json.dumps(payload).encode(),
        capture_output=True,
        env=home.environment(),
        check=False,
        timeout=120,
    )


def snapshots(package):
    return list(package.rglob("hook-cursor-*.bin"))


def commands_of(home):
    return [line["data"]["action"]["input"]["command"] for line in read_log(home.log)]


@pytest.fixture(scope="module")
def snapshot(package, tmp_path_factory):
    """Where the snapshot of this hook lies, and its bytes after two events."""
    home = Home(tmp_path_factory.mktemp("home"))
    for _ in range(2):
        assert_silent_success(hook(home, package), b"{}")
    assert commands_of(home) == REDACTED * 2
    (path,) = snapshots(package)
    return path, path.read_bytes()


@pytest.mark.long
@pytest.mark.skipif(not os.path.exists("/proc/self/fd"), reason="needs /proc")
@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("first", [0, 1, 12, 25, 40, 60])
def test_an_image_that_cannot_be_read_costs_no_event(home, package, snapshot, fault, first):
    path, whole = snapshot
    path.write_bytes(whole)
    before = FAILING.format(first=first, fault=FAULTS[fault])
    assert_silent_success(hook(home, package, before), b"{}")
    assert commands_of(home) == REDACTED
    assert home.failures() == []
    for _ in range(3):  # and the snapshot heals
        hook(home, package)
    assert path.stat().st_size > len(whole) // 2


def test_where_no_module_can_be_read_the_answer_goes_out_and_it_is_said(home, package):
    hook(home, package)
    gone = FAILING.format(first=0, fault="os.read(-1,1)")
    copy = package.parent.parent / "bad" / "hookstream"
    shutil.copytree(package, copy, ignore=shutil.ignore_patterns("*.bin", "__pycache__"))
    for name in ("collector/intake", "hook/failures"):
        path = copy / "capture" / f"{name}.py"
        path.unlink()
        path.mkdir()
    done = hook(home, copy, gone)
    assert_silent_success(done, b"{}")
    assert len(read_log(home.log)) == 1
    assert {one["stage"] for one in home.failures()} == {"load"}
