"""Disks that are full or fail, at any point: the agent has its answer, the log no torn line, and
what is not in the log is a failure that `hookstream status` shows."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from append_traced import Step, need_strace, steps_of, traced
from hook_runner import CURSOR, Home, command

HOOK = ("cursor", "beforeShellExecution")
GOOD = [0, "{}", ""]
INSIDE = Path(__file__).with_name("disk_inside.py")
# Calls that answer for a file; what the interpreter asks of memory and signals is left alone.
FILE_CALLS = frozenset(
    "openat read pread64 readv write pwrite64 close lseek newfstatat fstat statx getdents64 flock "
    "fcntl fdatasync fsync ftruncate mkdir rename unlink chmod fchmod ioctl socket connect".split()
)


@pytest.fixture
def short_home() -> Iterator[Path]:
    """The address of a collector's socket is short."""
    # A collector that is ending may still write there.
    with tempfile.TemporaryDirectory(prefix="hs", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


def on_a_small_disk(folder: Path, case: str) -> dict[str, Any]:
    words = ["unshare", "-rm", sys.executable, str(INSIDE), str(folder), case]
    done = subprocess.run(words, capture_output=True, text=True, timeout=300)
    if done.returncode in (1, 77) and not done.stdout and "Traceback" not in done.stderr:
        pytest.skip(f"no disk can be mounted here: {done.stderr.strip()}")
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_everything_of_ours_on_a_full_disk(short_home: Path) -> None:
    found = on_a_small_disk(short_home, "everything")
    assert found["answers"] == [GOOD] * 7
    assert found["full"] == {"numbers": [0], "torn": False}
    assert found["after"] == {"numbers": [0, 6], "torn": False}


@pytest.mark.long
def test_room_for_a_part_of_a_line(short_home: Path) -> None:
    found = on_a_small_disk(short_home, "rooms")
    kept = 0
    for room in found["rooms"]:
        assert room["answers"] == [GOOD] * 3
        assert not room["full"]["torn"] and not room["after"]["torn"]
        assert room["after"]["numbers"] == [*room["full"]["numbers"], 2]
        kept += room["full"]["numbers"] == [0, 1]
    # Room for none, and for all: both have been met, and what was not kept is known.
    assert 0 < kept < 10 and found["failures"] == 10 - kept


@pytest.mark.long
def test_many_at_once_on_a_disk_that_fills_up(short_home: Path) -> None:
    found = on_a_small_disk(short_home, "many")
    assert found["answers"] == [GOOD] * 16
    numbers = found["full"]["numbers"]
    assert not found["full"]["torn"]
    assert len(set(numbers)) == len(numbers) and 0 < len(numbers) < 16
    assert len(numbers) + found["failures"] == 16


def test_a_wrapped_hook_on_a_full_disk(short_home: Path) -> None:
    alone, wrapped = on_a_small_disk(short_home, "wrapped")["answers"]
    assert wrapped == alone == [2, "{}\n", "no\n"]


@pytest.mark.long
def test_a_collector_on_a_full_disk(short_home: Path) -> None:
    found = on_a_small_disk(short_home, "collected")
    assert found["answers"] == [GOOD] * 7
    assert found["full"] == {"numbers": [0], "torn": False}
    assert found["after"] == {"numbers": [0, 6], "torn": False}
    assert found["failures"] == 5


class Hooked:
    """One hook under strace, in a home where others have run before."""

    def __init__(self, home: Home, *paths: Path) -> None:
        self.home = home
        self.trace = home.path / "trace"
        self.only = [word for path in paths for word in ("-P", str(path))]
        home.configure({"budget_ms": 30_000})  # a busy machine is no failure
        home.hook(*HOOK, payload=CURSOR)
        home.hook(*HOOK, payload=CURSOR)

    def run(self, *expressions: str) -> subprocess.CompletedProcess[bytes]:
        return traced(
            [*self.only, *command(*HOOK)],
            self.trace,
            *expressions,
            input=json.dumps(CURSOR).encode(),
            env=self.home.environment(),
        )

    def fail(self, step: Step, error: str, for_ever: bool = False) -> None:
        """Runs with an error at that step; the agent's answer and the log's promise hold."""
        before = len(self.home.failures())
        self.home.log.write_bytes(b'{"before":1}\n')
        name, number = step
        done = self.run(f"inject={name}:error={error}:when={number}{'+' * for_ever}")
        what = (step, error, for_ever)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"{}", b""), what
        assert self.is_in_log() or len(self.home.failures()) > before, what

    def is_in_log(self) -> bool:
        data = self.home.log.read_bytes()
        assert data.endswith(b"}\n")
        return len([json.loads(line) for line in data.splitlines()]) == 2


@pytest.mark.parametrize(
    ("error", "for_ever"),
    [
        ("ENOSPC", True),
        pytest.param("ENOSPC", False, marks=pytest.mark.slow),
        pytest.param("EIO", True, marks=pytest.mark.slow),
        pytest.param("EIO", False, marks=pytest.mark.slow),
    ],
)
@pytest.mark.long
def test_an_error_at_every_system_call_on_the_log(home: Home, error: str, for_ever: bool) -> None:
    need_strace()
    hooked = Hooked(home, home.log, home.log.parent)
    assert hooked.run().returncode == 0
    steps = steps_of(hooked.trace, begin="")
    assert {"openat", "flock", "write", "fdatasync"} <= {name for name, _ in steps}
    for step in steps:
        hooked.fail(step, error, for_ever)


@pytest.mark.slow
def test_an_error_at_every_system_call_of_the_hook(home: Home) -> None:
    """Also where its own files cannot be read. The interpreter's folder of extension modules is
    left out, and its opening of the script: nothing of hookstream's runs without them."""
    need_strace()
    hooked = Hooked(home)
    assert hooked.run().returncode == 0
    begin = "capture/__init__.py"
    steps = steps_of(hooked.trace, begin=begin, end="exit_group", without="dynload")
    steps = [step for step in steps if step[0] in FILE_CALLS]
    assert len(steps) > 200
    for step in steps:
        hooked.fail(step, "EIO")
