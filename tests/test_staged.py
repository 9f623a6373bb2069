"""One long file with `--workers N` gives the bytes of one process, whatever its lines are."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from hookstream.errors import HookstreamError
from hookstream.limits import LINE_BYTES
from hookstream.normalizers import VENDORS
from hookstream.runner import run, staged
from hookstream.runner.options import Job
from hookstream.runner.run import execute

if TYPE_CHECKING:
    from multiprocessing import Process

NOW = "2026-11-21T12:00:00Z"
SAMPLES = Path(__file__).parent.parent / "samples"
HOSTILE = [
    b"",
    b"{",
    b"no json",
    b"[" * 5000 + b"]" * 5000,
    b'{"session_id":"' + b"x" * (LINE_BYTES + 9) + b'"}',
    b'{"a":1,"a":2,"hook_event_name":"Stop","session_id":"s"}',
    b"\xff\xfe{}",
]


@pytest.fixture(autouse=True)
def started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Process]:
    """Files of any length are long; the processes that were started for them."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(run, "LONG_BYTES", 0)
    monkeypatch.setattr(run, "SMALL_FILE_BYTES", 0)
    made: list[Process] = []
    begun = staged.begun
    monkeypatch.setattr(staged, "begun", lambda *given: made.append(begun(*given)) or made[-1])
    return made


def joined() -> bytes:
    """The lines of all samples, hostile ones among them; the last has no newline."""
    files = sorted(SAMPLES.rglob("*.jsonl"))
    lines = [
        line
        for file in files
        if not file.name.endswith(".expected.jsonl")
        for line in file.read_bytes().splitlines()
    ]
    for number, line in enumerate(HOSTILE):
        lines.insert(len(lines) * (number + 1) // 9, line)
    return b"\n".join(lines)


def planted() -> bytes:
    """A token of a rule that an allow-list may name, in a command and as an unknown event."""
    token = "ghp_" + sha256(b"a token of nobody").hexdigest()[:36]
    call = {"tool_name": "Bash", "tool_input": {"command": f"echo {token}"}, "tool_use_id": "t1"}
    lines = [b""]
    for name in ("PreToolUse", f"On {token}"):
        payload = {"session_id": "s", "cwd": "/w", "hook_event_name": name, **call}
        record = {"vendor": "claude-code", "native_event": name, "payload": payload}
        lines.append(json.dumps(record).encode())
    return b"\n".join(lines)


def made(source: Path, out: Path, workers: int) -> tuple[dict[str, bytes], dict[str, object]]:
    sinks = [f"{kind}:{out}/{kind}" for kind in ("jsonl", "parquet", "cloudevents")]
    report = execute(Job([str(source)], sinks, workers=workers, now=NOW)).report(0.0)
    report["sinks"] = list(report["sinks"].values())
    files = {str(p.relative_to(out)): p.read_bytes() for p in out.rglob("*") if p.is_file()}
    return files, report


def assert_same(source: Path, tmp_path: Path) -> tuple[dict[str, bytes], dict[str, object]]:
    one = made(source, tmp_path / "1", 1)
    for workers in (2, 3):
        assert made(source, tmp_path / str(workers), workers) == one, workers
    return one


def test_all_samples_in_one_file(tmp_path: Path, started: list[Process]) -> None:
    source = tmp_path / "all.jsonl"
    source.write_bytes(joined())
    files, report = assert_same(source, tmp_path)
    assert len(started) == 1 + 2
    assert report["by_rejection"]["too_long"] == 1  # type: ignore[index]
    assert set(report["by_vendor"]) == set(VENDORS)  # type: ignore[call-overload]
    assert files["jsonl/rejected.jsonl"].count(b"\n") >= 4


@pytest.mark.parametrize("mode", ["redact", "full"])
def test_rules_and_counts_of_every_privacy_mode(tmp_path: Path, mode: str) -> None:
    source, allow = tmp_path / "all.jsonl", tmp_path / "allow"
    source.write_bytes(joined()[:400_000] + planted())
    allow.write_text("github-pat\n")
    found = []
    for workers in (1, 2, 3):
        out = tmp_path / str(workers)
        job = Job([str(source)], [f"jsonl:{out}"], "both", mode, None, workers, NOW)
        tally = execute(replace(job, rules=("pack",), allow=allow)).tally
        assert tally.allowed and tally.by_rule
        found.append((vars(tally), (out / "agent-hooks.jsonl").read_bytes()))
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("size", [1, 7])
def test_batches_may_end_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    source = tmp_path / "all.jsonl"
    source.write_bytes(joined()[:400_000])
    one = made(source, tmp_path / "1", 1)
    monkeypatch.setattr(staged, "BATCH", size)
    for workers in (2, 3):
        assert made(source, tmp_path / str(workers), workers) == one


def test_a_compressed_file_and_one_that_breaks_off(tmp_path: Path) -> None:
    with pa.CompressedOutputStream(str(tmp_path / "all.jsonl.zst"), "zstd") as file:
        file.write(joined()[:300_000])
    assert_same(tmp_path / "all.jsonl.zst", tmp_path)
    whole = (tmp_path / "all.jsonl.zst").read_bytes()
    (tmp_path / "cut").mkdir()
    (tmp_path / "cut" / "cut.jsonl.zst").write_bytes(whole[: len(whole) // 2])
    _, report = assert_same(tmp_path / "cut" / "cut.jsonl.zst", tmp_path / "cut")
    assert any("unreadable" in reason for reason in report["by_rejection"])  # type: ignore[attr-defined]


def test_files_that_share_a_session_are_read_in_stages(
    tmp_path: Path, started: list[Process]
) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    text = b'{"session_id":"s","hook_event_name":"UserPromptSubmit","prompt":"p","cwd":"/w"}\n'
    for name in "ab":
        (folder / f"{name}.jsonl").write_bytes(text * 3 + joined()[:300_000])
    assert_same(folder, tmp_path)
    assert len(started) == 1 + 2


def test_short_files_start_no_process(
    tmp_path: Path, started: list[Process], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "LONG_BYTES", 1 << 30)
    (tmp_path / "all.jsonl").write_bytes(joined())
    execute(Job([str(tmp_path / "all.jsonl")], [f"jsonl:{tmp_path}/out"], workers=2, now=NOW))
    assert started == []


@pytest.mark.parametrize("workers", [2, 3])
def test_what_goes_wrong_in_a_stage_is_raised_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, started: list[Process], workers: int
) -> None:
    def exhausted(*given: object) -> None:
        raise MemoryError

    (tmp_path / "all.jsonl").write_bytes(joined())
    monkeypatch.setattr(staged, "pass_on", exhausted)
    job = Job([str(tmp_path / "all.jsonl")], [f"jsonl:{tmp_path}/out"], workers=workers, now=NOW)
    with pytest.raises(MemoryError):
        execute(job)
    assert len(started) == workers - 1
    assert not any(process.is_alive() for process in started)


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
@pytest.mark.parametrize(("workers", "which"), [(2, 0), (3, 0), (3, 1)])
def test_a_worker_that_is_killed_ends_the_run_with_a_line(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    started: list[Process],
    workers: int,
    which: int,
) -> None:
    (tmp_path / "all.jsonl").write_bytes(joined() * 3)
    hand_over = staged.hand_over

    def killing(*given: object) -> None:
        if started[which].is_alive():
            os.kill(started[which].pid or 0, signal.SIGKILL)
        hand_over(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(staged, "hand_over", killing)
    job = Job([str(tmp_path / "all.jsonl")], [f"jsonl:{tmp_path}/out"], workers=workers, now=NOW)
    with pytest.raises(HookstreamError, match="run again with --workers 1"):
        execute(job)
    assert not any(process.is_alive() for process in started)


@pytest.mark.skipif(sys.platform == "win32", reason="no process groups")
@pytest.mark.parametrize("workers", ["2", "3"])
def test_ctrl_c_leaves_whole_lines_in_order(tmp_path: Path, workers: str) -> None:
    source, out = tmp_path / "all.jsonl", tmp_path / "out"
    with source.open("wb") as file:
        for _ in range(8):
            file.write(joined() + b"\n")
    words = ["run", str(source), "--to", f"jsonl:{out}", "--now", NOW, "--workers", workers]
    running = subprocess.Popen(
        [sys.executable, "-m", "hookstream", *words],
        start_new_session=True,
        stderr=subprocess.PIPE,
        text=True,
    )
    written = out / "agent-hooks.jsonl"
    until = time.monotonic() + 60
    while not (written.exists() and written.stat().st_size) and time.monotonic() < until:
        time.sleep(0.01)
    os.killpg(running.pid, signal.SIGINT)
    _, said = running.communicate(timeout=60)
    assert (running.returncode, said.count("\n")) == (130, 1), said
    assert "what was read until then is written" in said
    with pytest.raises(ProcessLookupError):  # no process of it is left
        os.killpg(running.pid, 0)
    execute(Job([str(source)], [f"jsonl:{tmp_path}/whole"], now=NOW))
    whole = (tmp_path / "whole" / "agent-hooks.jsonl").read_bytes()
    part = written.read_bytes()
    assert part.endswith(b"\n") and len(part) < len(whole) and whole.startswith(part)
