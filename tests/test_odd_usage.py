"""What a user may do by mistake or by force: broken archives, closed folders, closed streams, two
sinks in one place, a disk that is full everywhere. One line, the right exit code, nothing lost."""

from __future__ import annotations

import ctypes
import gzip
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.same_process import hookstream

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
    assert counts(report)["by_rejection"] == {"unreadable: PermissionError": 1}
    assert counts(report)["produced"] == 2


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
