"""Killed with SIGKILL at every system call of an append: nothing acknowledged is missing, and the
next start leaves no torn line."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from append_traced import append_words, need_strace, steps_of, traced
from hook_runner import CURSOR, Home, command

from hookstream.capture.log.append import LogFile

HELD = b'{"line":"a"}\n{"line":"b"}\n'
TORN = b'{"line":"torn","x":"' + b"x" * 70_000
# What stands in the log, and how the process that is killed appends.
SITUATIONS: dict[str, tuple[bytes | None, dict[str, object]]] = {
    "no folder": (None, {}),
    "lines": (HELD, {}),
    "synced in full": (HELD, {"sync": "full"}),
    "a torn line": (HELD + TORN, {}),
    "only a torn line": (TORN, {}),
    "no newline": (HELD[:-1], {}),
    "rotation": (HELD, {"rotate": 30}),
    "large lines": (HELD, {"size": 1_000_000}),
    "a short write": (HELD, {"size": 3000, "limit": 2000}),
    "a short write after a torn line": (HELD + TORN, {"size": 3000, "limit": 2000}),
}
# Those in which a kill must have left a torn line, or the test shows nothing.
TEARING = [situation for situation in SITUATIONS if "torn" in situation or "short" in situation]
QUICK = ("a torn line",)
SERVE = "from hookstream.capture.collector.serve import Options, serve; serve(Options())"


def files(folder: Path) -> list[Path]:
    """The log's files in the order they are read."""
    return sorted(folder.glob("log*.jsonl"))


def names(folder: Path) -> list[str]:
    """The lines of the log by name, each of which has to be whole."""
    found = []
    for path in files(folder):
        data = path.read_bytes()
        assert data.endswith(b"\n") or not data, path
        found += [json.loads(line)["line"] for line in data.splitlines()]
    return found


class Trial:
    """A folder in a situation, made anew for each kill."""

    def __init__(self, tmp_path: Path, situation: str) -> None:
        self.base = tmp_path
        self.held, self.options = SITUATIONS[situation]
        self.count = 0

    def folder(self) -> Path:
        self.count += 1
        folder = self.base / f"log-{self.count}"
        if self.held is not None:
            folder.mkdir(mode=0o700)
            (folder / "log.jsonl").write_bytes(self.held)
            (folder / "log.jsonl").chmod(0o600)
        return folder

    def before(self) -> list[str]:
        text = (self.held or b"").decode()
        return [name for name in ("a", "b") if f'"{name}"' in text]

    def run(self, folder: Path, *expressions: str) -> subprocess.CompletedProcess[bytes]:
        words = append_words(folder / "log.jsonl", "one", "two", **self.options)  # type: ignore[arg-type]
        return traced(words, self.base / "trace", *expressions)


@pytest.mark.long
@pytest.mark.parametrize(
    "situation", [s if s in QUICK else pytest.param(s, marks=pytest.mark.slow) for s in SITUATIONS]
)
def test_killed_at_every_system_call_of_an_append(tmp_path: Path, situation: str) -> None:
    need_strace()
    trial = Trial(tmp_path, situation)
    assert trial.run(trial.folder()).returncode == 0
    steps = steps_of(tmp_path / "trace")
    assert {"openat", "flock", "write", "close"} <= {name for name, _ in steps}
    kills = torn = 0
    for name, number in steps:
        folder = trial.folder()
        done = trial.run(folder, f"inject={name}:signal=SIGKILL:when={number}")
        kills += done.returncode == -9
        acknowledged = [
            line.split()[1] for line in done.stdout.decode().splitlines() if " " in line
        ]
        torn += any(path.read_bytes()[-1:] not in (b"", b"\n") for path in files(folder))
        LogFile(str(folder / "log.jsonl")).append(b'{"line":"next"}\n')
        found = names(folder)
        expected = [*trial.before(), *acknowledged]
        assert [n for n in found if n in expected] == expected, (name, number)
        # What nobody acknowledged may be there, whole and once.
        assert sorted(set(found)) == sorted(found), (name, number)
        assert found[-1] == "next"
        assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o600}
        assert folder.stat().st_mode & 0o777 == 0o700
    assert kills == len(steps) >= 10
    assert torn or situation not in TEARING


@pytest.mark.slow
def test_a_collector_killed_at_every_system_call_of_an_append(tmp_path: Path) -> None:
    """The hook that was waiting for it does the work, and answers."""
    need_strace()
    # The address of a socket is short.
    with tempfile.TemporaryDirectory(prefix="hs") as short:
        home = Home(Path(short))
        shutil.copytree(prepared(home), tmp_path / "folder")
        hook_through_collector(home, tmp_path / "trace")
        steps = steps_of(tmp_path / "trace", begin="")
        assert {"openat", "flock", "write", "fdatasync"} <= {name for name, _ in steps}
        for name, number in steps:
            shutil.rmtree(home.log.parent)
            shutil.copytree(tmp_path / "folder", home.log.parent)
            kill = f"inject={name}:signal=SIGKILL:when={number}"
            done = hook_through_collector(home, tmp_path / "trace", kill)
            assert (done.returncode, done.stdout, done.stderr) == (0, b"{}", b""), (name, number)
            LogFile(str(home.log)).append(b'{"event_id":"next"}\n')
            ids = [json.loads(line)["event_id"] for line in home.log.read_bytes().splitlines()]
            # Where the collector had already written it, both wrote the same event.
            assert len(set(ids[1:-1])) == 1 and len(ids) in (3, 4), (name, number)
            assert (ids[0], ids[-1]) == ("torn", "next")


def prepared(home: Home) -> Path:
    """A log that has lines and needs healing, so that an append has much to do."""
    home.hook("cursor", "beforeShellExecution", payload=CURSOR)  # keys and caches are there
    home.log.write_bytes(b'{"event_id":"torn"}\n{"event_id":"')
    return home.log.parent


def hook_through_collector(
    home: Home, trace: Path, *expressions: str
) -> subprocess.CompletedProcess[bytes]:
    """One hook whose collector is traced where it touches the log, and gone afterwards."""
    words = ["strace", "-f", "-o", str(trace), "-P", str(home.log), "-P", str(home.log.parent)]
    words += [word for expression in expressions for word in ("-e", expression)]
    with subprocess.Popen(
        [*words, sys.executable, "-c", SERVE], env=home.environment(), stderr=subprocess.PIPE
    ) as serving:
        assert serving.stderr is not None
        assert b"listening on" in serving.stderr.readline()
        done = subprocess.run(
            command("cursor", "beforeShellExecution"),
            input=json.dumps(CURSOR).encode(),
            capture_output=True,
            env=home.environment(),
            timeout=60,
        )
        if expressions:
            assert serving.wait(20) == -signal.SIGKILL, expressions
        else:
            assert serving.poll() is None
            children = Path(f"/proc/{serving.pid}/task/{serving.pid}/children").read_text().split()
            for child in children:
                os.kill(int(child), signal.SIGKILL)
    return done
