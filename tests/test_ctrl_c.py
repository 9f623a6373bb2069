"""Ctrl-C ends a command with 130 and one line, at any moment, and no word of what it removed."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.posix("Windows has no signal to send")
HOME = Path(__file__).parent / "transcripts" / "data" / "claude-code" / "subagent" / "home"
# A command that meets the loss of its own folder, as fast as it can.
COMMAND = """
import os, sys, tempfile
from hookstream.core.interrupt import ending_at_once
def work():
    with tempfile.TemporaryDirectory(prefix="hookstream-") as folder:
        names = [os.path.join(folder, str(number)) for number in range(2000)]
        for name in names:
            open(name, "w").close()
        print("ready", flush=True)
        while True:
            try:
                for name in names:
                    os.stat(name)
            except OSError as error:
                print("hookstream:", error, file=sys.stderr, flush=True)
                return 2
with ending_at_once():
    code = work()
sys.exit(code)
"""


# One that makes a folder in its own again where it is gone, and gives up at the third error.
WRITER = """
import os, sys, tempfile
from hookstream.core.interrupt import ending_at_once
with ending_at_once(), tempfile.TemporaryDirectory(prefix="hookstream-") as folder:
    print(folder, flush=True)
    place, lost, number = os.path.join(folder, "lake"), 0, 0
    while lost < 3:
        number += 1
        try:
            if not os.path.isdir(place):
                os.mkdir(place)
            open(os.path.join(place, str(number % 500)), "w").close()
        except OSError:
            lost += 1
"""


# One whose folder is being removed at its end.
REMOVER = """
import os
from hookstream.core.interrupt import ending_at_once, temporary_folder
with ending_at_once():
    with temporary_folder("hookstream-") as folder:
        for number in range(3000):
            open(os.path.join(folder, str(number)), "w").close()
        print(folder, flush=True)
    print("over", flush=True)
"""


@pytest.mark.long
@pytest.mark.parametrize(("command", "step_s"), [(WRITER, 0.003), (REMOVER, 0.0005)])
def test_a_folder_in_use_is_removed_too(command: str, step_s: float) -> None:
    ends = set()
    for number in range(20):
        run = subprocess.Popen([sys.executable, "-c", command], stdout=subprocess.PIPE, text=True)
        assert run.stdout is not None
        folder = Path(run.stdout.readline().strip())
        time.sleep(number * step_s)
        run.send_signal(signal.SIGINT)
        run.communicate(timeout=20)
        ends.add((run.returncode, folder.exists()))
    assert (130, False) in ends
    assert not any(is_left for _, is_left in ends)  # one may have ended before the signal


@pytest.mark.parametrize("number", range(5))
@pytest.mark.long
def test_a_command_says_nothing_of_what_it_removed(number: int) -> None:
    run = subprocess.Popen(
        [sys.executable, "-c", COMMAND], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert run.stdout is not None
    assert run.stdout.readline() == "ready\n"
    time.sleep(number / 100)
    run.send_signal(signal.SIGINT)
    _, errors = run.communicate(timeout=20)
    assert (run.returncode, errors) == (130, "hookstream: interrupted\n")


@pytest.mark.parametrize("words", ["demo", "backfill --since all --to parquet:lake"])
@pytest.mark.parametrize(
    "tries", [pytest.param(3, marks=pytest.mark.long), pytest.param(50, marks=pytest.mark.slow)]
)
def test_at_any_moment_of_a_long_command(tmp_path: Path, words: str, tries: int) -> None:
    """Moments from when it hears the signal to its end, evenly: one in Python's own start ends it
    as Python does."""
    home = shutil.copytree(HOME, tmp_path / "home")
    env = {**os.environ, "HOME": str(home), "TMPDIR": str(home), "USERPROFILE": str(home)}
    command = [sys.executable, "-m", "hookstream", *words.split()]

    def started() -> tuple[subprocess.Popen[str], float]:
        shutil.rmtree(home / "lake", ignore_errors=True)
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        run = subprocess.Popen(command, env=env, cwd=home, text=True, **pipes)
        threads = Path("/proc", str(run.pid), "task")
        while threads.exists() and run.poll() is None and len(list(threads.iterdir())) < 2:
            time.sleep(0.001)
        return run, time.monotonic()

    run, began = started()
    run.communicate(timeout=180)
    took = time.monotonic() - began
    ends = []
    for number in range(tries):
        run, _ = started()
        time.sleep(took * number / tries)
        run.send_signal(signal.SIGINT)
        errors = run.communicate(timeout=180)[1]
        ends.append((run.returncode, errors.rpartition("\r")[2]))
    over = [end for end in ends if end[0] == 0]  # the machine was quicker than the first time
    assert set(ends) <= {(130, "hookstream: interrupted\n"), *over}
    assert len(over) < tries
    assert not list(home.glob("hookstream-*")), "what it removed at its end is still there"


# Ctrl-C at an import, counted from when the program is reached.
AT_IMPORT = """
import builtins, os, signal, sys
at = int(sys.argv.pop(1))
from hookstream.cli import main
real = builtins.__import__
def counted(*words, **named):
    global at
    at -= 1
    if not at:
        os.kill(os.getpid(), signal.SIGINT)
    return real(*words, **named)
builtins.__import__ = counted
main()
"""


@pytest.mark.parametrize("words", ["demo", "run - --to jsonl:out", "install", "retain nowhere"])
@pytest.mark.parametrize(
    "at",
    [1, 40, 600, *(pytest.param(n, marks=pytest.mark.long) for n in (2, 7, 20, 90, 200, 300))],
)
def test_at_any_import_of_its_start(tmp_path: Path, words: str, at: int) -> None:
    env = {**os.environ, "HOME": str(tmp_path), "TMPDIR": str(tmp_path)}
    command = [sys.executable, "-c", AT_IMPORT, str(at), *words.split()]
    run = subprocess.run(
        command,
        env=env,
        cwd=tmp_path,
        text=True,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert run.returncode == 130
    assert run.stderr.startswith("hookstream: interrupted")
    assert len(run.stderr.splitlines()) == 1


# Ctrl-C while the interpreter would be taken apart, where Python hears it no more.
AT_TEARDOWN = """
import os, signal, sys
class Last:
    def __del__(self, kill=os.kill, number=signal.SIGINT, pid=os.getpid()):
        kill(pid, number)
sys.last = Last()
from hookstream.cli import main
main()
"""


@pytest.mark.parametrize(("words", "code"), [("queries", 0), ("retain nowhere", 2), ("status", 0)])
def test_no_command_ends_after_it_has_stopped_listening(
    tmp_path: Path, words: str, code: int
) -> None:
    env = {**os.environ, "HOME": str(tmp_path), "TMPDIR": str(tmp_path)}
    run = subprocess.run(
        [sys.executable, "-c", AT_TEARDOWN, *words.split()],
        env=env,
        cwd=tmp_path,
        capture_output=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert run.returncode == code
