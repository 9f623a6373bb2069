"""The order of reading changes no answer: what happened when is what the records say."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.same_process import hookstream

pytestmark = pytest.mark.long

SESSION = "5e9a0000-0000-4000-8000-00000000e001"
QUESTIONS = ("denies", "bypasses", "calls", "retry_loops", "usage", "prompts", "timeline", "agents")
# Where rows stand in the order of reading.
OF_READING = {"sequence", "turn_id", "evidence"}


def record(kind: str, agent: str, number: int, second: float, content: Any, **more: Any) -> bytes:
    """A record of Claude Code's session files."""
    value = {
        "parentUuid": None,
        "isSidechain": bool(agent),
        "cwd": "/home/dev/shop",
        "sessionId": SESSION,
        "version": "2.1.231",
        "uuid": f"{number:08d}-2222-4333-8444-{len(agent):012d}",
        "timestamp": f"2026-11-20T09:00:{second:06.3f}Z",
        "type": kind,
        "message": {"role": kind, "content": content, **more.pop("message", {})},
        **({"agentId": agent} if agent else {}),
        **more,
    }
    return json.dumps(value).encode() + b"\n"


def call(
    agent: str, number: int, second: float, command: str, refused: bool = False
) -> list[bytes]:
    """A call and its result."""
    call_id = f"toolu_{agent}{number}"
    usage = {"input_tokens": 10 + number, "output_tokens": 5}
    asked = record(
        "assistant", agent, 2 * number, second,
        [{"type": "tool_use", "id": call_id, "name": "Bash", "input": {"command": command}}],
        message={"id": f"msg_{agent}{number}", "model": "claude-sonnet-4-5", "usage": usage},
        requestId=f"req_{agent}{number}",
    )  # fmt: skip
    text = "Permission to use Bash has been denied." if refused else "ok"
    result = {"tool_use_id": call_id, "type": "tool_result", "content": text, "is_error": refused}
    return [asked, record("user", agent, 2 * number + 1, second + 0.2, [result])]


MAIN = [
    record("user", "", 90, 0, "clean up"),
    *call("", 1, 1, "make lint"),
    *call("", 2, 9, "rm -rf build", refused=True),
    *call("", 3, 12, "make lint"),
]
AGENT = [
    record("user", "a1", 91, 2, "look around"),
    *call("a1", 4, 7, "rm -rf build"),
    *call("a1", 5, 10, "ls"),
]


def answers_of(files: list[tuple[str, list[bytes]]], times: list[int]) -> dict[str, list[str]]:
    with tempfile.TemporaryDirectory() as folder:
        home, lake = Path(folder, "home"), Path(folder, "lake")
        for (name, lines), time in zip(files, times, strict=True):
            path = home / ".claude/projects/-home-dev-shop" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(b"".join(lines))
            os.utime(path, (1_790_000_000 + time, 1_790_000_000 + time))
        words = ("--home", home, "--since", "36500d", "--to", f"parquet:{lake}")
        done = hookstream("backfill", *words)
        assert done.returncode == 0, done.stderr
        return {question: rows_of(question, lake) for question in QUESTIONS}


def rows_of(question: str, lake: Path) -> list[str]:
    done = hookstream("query", question, lake, "--format", "json", "--limit", "1000")
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)
    kept = [{k: v for k, v in row.items() if k not in OF_READING} for row in rows]
    return sorted(json.dumps(row, sort_keys=True) for row in kept)


# A result in another file than its call has the call's id alone, which `timeline` shows.
@settings(max_examples=4)
@given(st.permutations(range(3)), st.sampled_from([1, 3, 5]))
def test_times_of_writing_and_a_split_change_no_row(times: list[int], at: int) -> None:
    agent = (f"{SESSION}/subagents/agent-a1.jsonl", AGENT)
    complete = answers_of([(f"{SESSION}.jsonl", MAIN), agent], [0, 1])
    (refusal,) = map(json.loads, complete["denies"])
    assert refusal["executed_afterwards"] is False
    assert complete["bypasses"] == []
    parts = [(f"{SESSION}.jsonl", MAIN[:at]), ("part.jsonl", MAIN[at:])]
    assert answers_of([*parts, agent], times) == complete
