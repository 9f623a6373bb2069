"""What a user may do by mistake or by force: broken archives, closed folders, closed streams, two
sinks in one place, a disk that is full everywhere. One line, the right exit code, nothing lost."""

from __future__ import annotations

import ctypes
import gzip
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.same_process import hookstream

from hookstream.delivery import dead_letters

pytestmark = pytest.mark.long

PROMPT = {
    "session_id": "11111111-1111-4111-8111-111111111111",
    "transcript_path": "/t",
    "cwd": "/w",
    "hook_event_name": "UserPromptSubmit",
    "permission_mode": "default",
}
POSIX = pytest.mark.skipif(sys.platform != "linux", reason="rights as Linux has them")


def prompts(count: int) -> bytes:
    # No two alike, so that an archive of them is not tiny.
    lines = ({**PROMPT, "prompt": f"{n} {n * 7919 % 104729:x} {n * n:o}"} for n in range(count))
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


def counts(report: Path) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(report.read_text("utf-8"))
    return made


def as_nobody_special() -> None:
    """In a child: even root is held to the modes of files (PR_CAPBSET_DROP of two rights)."""
    libc = ctypes.CDLL(None)
    for right in (1, 2):
        libc.prctl(24, right, 0, 0, 0)


def apart(*words: str | Path) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "hookstream", *map(str, words)],
        capture_output=True,
        check=False,
        timeout=120,
        preexec_fn=as_nobody_special,
    )


@pytest.fixture
def torn(tmp_path: Path) -> Path:
    """A .gz that ends in the middle: most of its lines are still there."""
    whole = gzip.compress(prompts(2000))
    file = tmp_path / "torn.jsonl.gz"
    file.write_bytes(whole[: len(whole) * 3 // 4])
    return file


def test_a_torn_archive_gives_the_lines_before_the_tear(tmp_path: Path, torn: Path) -> None:
    report = tmp_path / "r.json"
    done = hookstream("run", torn, "--to", f"jsonl:{tmp_path / 'out'}", "--report", report)
    assert done.returncode == 0
    said = counts(report)
    assert said["rejected"] == 1
    assert 1000 < said["produced"] < 2000


def test_a_torn_archive_of_a_stream_is_asked_and_checked(tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl"
    source.write_bytes(prompts(2000))
    hookstream("run", source, "--to", f"jsonl:{tmp_path / 'out'}")
    whole = gzip.compress((tmp_path / "out" / "agent-hooks.jsonl").read_bytes())
    file = tmp_path / "agent-hooks.jsonl.gz"
    file.write_bytes(whole[: len(whole) * 3 // 4])
    asked = hookstream("query", "select count(*) as n from events", file, "--format", "json")
    assert asked.returncode == 0
    assert 1000 < json.loads(asked.stdout)[0]["n"] < 2000
    assert b"left out: agent-hooks.jsonl.gz" in asked.stderr
    checked = hookstream("validate", file)
    assert checked.returncode == 1
    assert b"cannot be read further" in checked.stdout
    assert b"1 failed" in checked.stderr


def test_an_archive_that_is_none_fails_validation_by_name(tmp_path: Path) -> None:
    file = tmp_path / "agent-hooks.jsonl.gz"
    file.write_bytes(prompts(1))
    done = hookstream("validate", file)
    assert (done.returncode, done.stdout.count(b"agent-hooks.jsonl.gz:1: ")) == (1, 1)


def test_a_pattern_that_names_a_folder_means_what_is_in_it(tmp_path: Path) -> None:
    (tmp_path / "captures-1").mkdir()
    (tmp_path / "captures-1" / "a.jsonl").write_bytes(prompts(3))
    report = tmp_path / "r.json"
    done = hookstream(
        "run", tmp_path / "capt*", "--to", f"jsonl:{tmp_path / 'out'}", "--report", report
    )
    assert (done.returncode, counts(report)["produced"]) == (0, 3)


@POSIX
def test_a_closed_standard_input_is_said_in_one_line(tmp_path: Path) -> None:
    done = subprocess.run(
        ["sh", "-c", '"$0" -m hookstream run - --to "$1" <&-', sys.executable, f"jsonl:{tmp_path}"],
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (2, b"hookstream: -: standard input is closed\n")


@POSIX
def test_a_folder_that_may_not_be_listed_is_counted(tmp_path: Path) -> None:
    source, out = tmp_path / "in", tmp_path / "out"
    (source / "locked").mkdir(parents=True)
    (source / "a.jsonl").write_bytes(prompts(2))
    (source / "locked" / "b.jsonl").write_bytes(prompts(5))
    (source / "locked").chmod(0)
    report = tmp_path / "r.json"
    try:
        done = apart("run", source, "--to", f"jsonl:{out}", "--report", report, "--strict")
    finally:
        (source / "locked").chmod(0o700)
    assert done.returncode == 1, done.stderr
    assert counts(report)["by_rejection"] == {"unreadable: Permission denied": 1}
    assert counts(report)["produced"] == 2


@pytest.mark.long
@POSIX
def test_a_question_says_which_folder_it_could_not_list(tmp_path: Path) -> None:
    source, out = tmp_path / "in.jsonl", tmp_path / "out"
    source.write_bytes(prompts(2))
    hookstream("run", source, "--to", f"jsonl:{out}")
    (out / "older").mkdir()
    (out / "older").chmod(0)
    try:
        asked = apart("query", "sessions", out)
        checked = apart("validate", out)
    finally:
        (out / "older").chmod(0o700)
    assert asked.returncode == 0
    assert b"left out: older: the folder may not be listed" in asked.stderr
    assert checked.returncode == 1
    assert b"older:1: the file cannot be read further: " in checked.stdout


def wide_and_narrow(folder: Path) -> tuple[Path, Path]:
    """Two files of sessions of their own; a record of the first makes a line of over a mebibyte."""
    for n in (1, 2):
        lines = prompts(3).replace(b"11111111-1111", b"11111111-%04d" % n)
        (folder / f"{n}.jsonl").write_bytes(lines)
    wide = {**PROMPT, "prompt": "x", "numbers": list(range(400_000))}
    with (folder / "1.jsonl").open("a", encoding="ascii") as file:
        file.write(json.dumps(wide) + "\n")
    return folder / "1.jsonl", folder / "2.jsonl"


@pytest.mark.parametrize("workers", ["1", "2"])
def test_an_event_that_makes_too_long_a_line_is_cut_and_says_so(
    tmp_path: Path, workers: str
) -> None:
    out = tmp_path / "out"
    files = wide_and_narrow(tmp_path)
    done = hookstream("run", *files, "--to", f"jsonl:{out}", "--workers", workers)
    assert done.returncode == 0
    assert hookstream("validate", out).returncode == 0
    events = [json.loads(line) for line in (out / "agent-hooks.jsonl").open("rb")]
    assert len(events) == 7
    cut = events[3]["metadata"]["dev.hookstream"]
    assert cut["native"]["cut"].startswith("a line of 2")
    assert events[3]["data"]["prompt_length"] == 1


@POSIX
def test_what_a_worker_could_not_write_waits_for_the_sink_that_was_named(tmp_path: Path) -> None:
    """Its replay goes to the sink, not to a worker's own segment."""
    uncut = "from hookstream.pipeline import turns\nturns.fitting = lambda item, standard: item\n"
    (tmp_path / "sitecustomize.py").write_text(uncut)  # read by every worker
    state = tmp_path / "state"
    files = wide_and_narrow(tmp_path)
    out = f"jsonl:{tmp_path / 'out'}"
    env = {**os.environ, "XDG_STATE_HOME": str(state), "PYTHONPATH": str(tmp_path)}
    done = hookstream("run", *files, "--to", out, "--workers", "2", env=env)
    assert done.returncode == 3
    [waiting] = (state / "hookstream" / "waiting").iterdir()
    assert str(waiting).encode() in done.stderr
    assert b"line longer than" in done.stderr
    (letter,) = dead_letters.read(waiting)
    assert letter.row.sink == out


@pytest.mark.posix("no resource limits there")
@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_disk_that_is_full_everywhere_is_no_wrong_usage(tmp_path: Path, workers: str) -> None:
    """Not even the file to wait in can grow: exit 3, and what is there are whole lines."""
    for n in (1, 2):
        lines = prompts(2000).replace(b"11111111-1111", b"11111111-%04d" % n)
        (tmp_path / f"{n}.jsonl").write_bytes(lines)
    hookstream("run", tmp_path / "1.jsonl", "--to", f"jsonl:{tmp_path / 'warm'}")
    words = f"run 1.jsonl 2.jsonl --to jsonl:out --workers {workers}"
    done = subprocess.run(
        ["sh", "-c", f'ulimit -f 100; exec "$0" -m hookstream {words}', sys.executable],
        cwd=tmp_path,
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 3, done.stderr
    assert b"the input holds it: make room and run again" in done.stderr
    for file in (tmp_path / "out").iterdir():
        assert file.read_bytes()[-1:] in (b"", b"\n")


def test_a_closed_standard_output_is_no_sink() -> None:
    done = subprocess.run(
        ["sh", "-c", '"$0" -m hookstream run - --to jsonl:- >&-', sys.executable],
        input=prompts(1),
        stderr=subprocess.PIPE,
        check=False,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (
        2,
        b"hookstream: jsonl:-: standard output is closed\n",
    )


def test_two_sinks_of_one_folder_are_refused_before_anything_is_made(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_bytes(prompts(1))
    out = tmp_path / "out"
    done = hookstream(
        "run", tmp_path / "in.jsonl", "--to", f"jsonl:{out}", "--to", f"parquet:{out}/"
    )
    assert done.returncode == 2
    assert b"one folder each" in done.stderr
    assert not out.exists()


def test_a_home_behind_a_sinks_kind_is_the_users(tmp_path: Path) -> None:
    """No shell expands it there, and nobody wants a folder called ~."""
    (tmp_path / "in.jsonl").write_bytes(prompts(1))
    env = {**os.environ, "HOME": str(tmp_path / "home"), "USERPROFILE": str(tmp_path / "home")}
    (tmp_path / "home").mkdir()
    done = hookstream("run", "in.jsonl", "--to", "jsonl:~/out", cwd=tmp_path, env=env)
    assert done.returncode == 0
    assert (tmp_path / "home" / "out" / "agent-hooks.jsonl").stat().st_size
    assert not (tmp_path / "~").exists()
    again = hookstream(
        "run", tmp_path / "home" / "out", "--to", "jsonl:~/out", cwd=tmp_path, env=env
    )
    assert (again.returncode, b"lies inside the sink" in again.stderr) == (2, True)


def test_only_lines_go_to_standard_output(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_bytes(prompts(1))
    done = hookstream("run", "in.jsonl", "--to", "parquet:-", cwd=tmp_path)
    assert (done.returncode, b"parquet: does not write to standard" in done.stderr) == (2, True)
    assert not (tmp_path / "-").exists()


def test_a_report_that_cannot_be_written_says_what_is_done(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_bytes(prompts(1))
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("no /dev/full here")
    done = hookstream(
        "run", tmp_path / "in.jsonl", "--to", f"jsonl:{tmp_path / 'out'}", "--report", full
    )
    assert done.returncode == 2
    assert b"read 1, events 1" in done.stderr
    assert b"--report: /dev/full: No space left on device; the stream itself is" in done.stderr


@pytest.mark.long
def test_no_encoding_of_an_output_ends_a_command(tmp_path: Path) -> None:
    lake = stream_at(tmp_path)
    env = {**os.environ, "PYTHONIOENCODING": "ascii"}
    for words in (
        ["report", lake, "--format", "html"],
        ["query", "sessions", lake],
        ["query", "select 'caf\u00e9' as x", lake, "--format", "csv"],
        ["vendors"],
    ):
        done = subprocess.run(
            [sys.executable, "-m", "hookstream", *map(str, words)],
            capture_output=True,
            check=False,
            timeout=120,
            env=env,
        )
        assert (done.returncode, done.stderr) == (0, b""), words
        assert done.stdout.isascii()


@POSIX
def test_a_terminal_gets_no_control_character_of_a_stream(tmp_path: Path) -> None:
    """Nor as CSV, which keeps them for a program."""
    import pty

    stream = stream_at(tmp_path)
    words: list[str | Path] = ["query", "select chr(27) || ']0;x' || chr(7) as a, 'b' as b", stream]
    words += ["--format", "csv"]
    kept = hookstream(*words)
    assert kept.stdout == b"a,b\n\x1b]0;x\x07,b\n"
    ours, its = pty.openpty()
    done = subprocess.run(
        [sys.executable, "-m", "hookstream", *map(str, words)], stdout=its, check=False, timeout=120
    )
    os.close(its)
    assert done.returncode == 0
    assert os.read(ours, 1000) == b"a,b\r\n\\x1b]0;x\\x07,b\r\n"
    os.close(ours)


@pytest.mark.long
@POSIX
@pytest.mark.parametrize("words", ["demo", "vendors claude-code", "queries"])
def test_a_reader_that_leaves_early_is_no_failure(words: str) -> None:
    """As `| head -1`: the pipe is closed before anything is written."""
    run = subprocess.Popen(
        [sys.executable, "-m", "hookstream", *words.split()],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert run.stdout is not None and run.stderr is not None
    run.stdout.close()
    said = run.stderr.read()
    assert (run.wait(120), said) == (0, b"")


def test_what_an_interrupt_left_behind_is_said_of_runs_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("hookstream.queries.runner.ask", stop)
    done = hookstream("query", "sessions", stream_at(tmp_path))
    assert (done.returncode, done.stderr.strip()) == (130, b"hookstream: interrupted")


def stream_at(folder: Path, count: int = 1) -> Path:
    (folder / "in.jsonl").write_bytes(prompts(count))
    hookstream("run", folder / "in.jsonl", "--to", f"jsonl:{folder / 'stream'}")
    return folder / "stream"


@POSIX
def test_workers_end_with_the_run_that_was_killed(tmp_path: Path) -> None:
    for n in (1, 2):
        lines = prompts(20_000).replace(b"11111111-1111", b"11111111-%04d" % n)
        (tmp_path / f"{n}.jsonl").write_bytes(lines)
    run = subprocess.Popen(
        [sys.executable, *"-m hookstream run 1.jsonl 2.jsonl --workers 2 --to jsonl:out".split()],
        cwd=tmp_path,
        stderr=subprocess.DEVNULL,
    )
    until(lambda: len(children(run.pid)) == 3)  # workers, and the tracker of what they share
    started = children(run.pid)
    run.kill()
    run.wait()
    until(lambda: not any(is_running(child) for child in started))


def children(process: int) -> list[str]:
    return Path(f"/proc/{process}/task/{process}/children").read_text("ascii").split()


def is_running(process: str) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text("ascii")
    except OSError:
        return False
    return state.rpartition(")")[2].split()[0] != "Z"


def until(holds: Callable[[], bool], seconds: float = 30.0) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "not in time"
        time.sleep(0.05)
