"""Memory is flat however long the input: state is bounded by limits, not by what was read.

The peak is that of the whole process, so each run is a process of its own.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from hookstream.core.limits import SESSIONS

# The peak resident memory of a run, in KiB, on standard output.
RUN = """
import resource, sys
from hookstream.delivery.job import Job
from hookstream.delivery.run import execute
*sources, sink = sys.argv[1:]
execute(Job(sources, [sink], now="2026-11-21T12:00:00Z"))
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(peak // 1024 if sys.platform == "darwin" else peak)
"""
pytestmark = [
    pytest.mark.slow,
    pytest.mark.posix("no resource module"),
]


def peak_kib(sources: list[Path], sink: str) -> int:
    words = [sys.executable, "-c", RUN, *map(str, sources), sink]
    done = subprocess.run(words, capture_output=True, check=True, timeout=1800)
    return int(done.stdout)


def record(session: str, at: int, name: str) -> str:
    """Events as agents send them; every input, output and error is another one."""
    payload = {
        "session_id": session,
        "hook_event_name": name,
        "transcript_path": f"/home/dev/.claude/projects/p/{session}.jsonl",
        "cwd": "/home/dev/project",
        "permission_mode": "default",
    }
    if name == "UserPromptSubmit":
        payload["prompt"] = f"what is number {at}? " * 20
    else:
        payload |= {"tool_name": "Bash", "tool_use_id": f"toolu_{session}_{at}"}
        payload["tool_input"] = {"command": f"make target-{at} --jobs 4"}  # type: ignore[assignment]
    if name == "PostToolUseFailure":
        payload["error"] = f"Exit code 2\nno rule to make target-{at}\n" * 10
    return json.dumps({"vendor": "claude-code", "payload": payload})


NAMES = ("UserPromptSubmit", "PreToolUse", "PostToolUseFailure", "PreToolUse")


def one_long_session(path: Path, events: int) -> list[Path]:
    with path.open("w", encoding="utf-8") as file:
        for at in range(events):
            file.write(record("one", at // 2, NAMES[1 + at % 2]) + "\n")
    return [path]


def many_sessions(folder: Path, sessions: int, files: int) -> list[Path]:
    folder.mkdir()
    paths = [folder / f"{number:04}.jsonl" for number in range(files)]
    share = sessions // files
    for number, path in enumerate(paths):
        with path.open("w", encoding="utf-8") as file:
            for session in range(number * share, (number + 1) * share):
                for at, name in enumerate(NAMES):
                    file.write(record(f"s{session}", at, name) + "\n")
    return paths


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_a_session_ten_times_as_long_takes_no_more_memory(tmp_path: Path, kind: str) -> None:
    """Parquet holds rows up to a bound; the shorter run fills it."""
    short = 20_000 if kind == "jsonl" else 150_000
    peaks = [
        peak_kib(one_long_session(tmp_path / f"{n}.jsonl", n), f"{kind}:{tmp_path}/out-{n}")
        for n in (short, short * (10 if kind == "jsonl" else 3))
    ]
    assert peaks[1] <= 1.15 * peaks[0], peaks


@pytest.mark.parametrize("files", [1, 200])
def test_five_times_as_many_sessions_take_no_more_memory(tmp_path: Path, files: int) -> None:
    """More sessions than are remembered, in one file and in many."""
    counts = [SESSIONS + 3_600, 5 * (SESSIONS + 3_600)]
    peaks = [
        peak_kib(many_sessions(tmp_path / str(n), n, files), f"jsonl:{tmp_path}/out-{n}")
        for n in counts
    ]
    assert peaks[1] <= 1.15 * peaks[0], peaks
    assert peaks[0] < 300_000, peaks
