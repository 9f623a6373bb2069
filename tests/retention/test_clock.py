"""Evidence is kept by our clock: an agent writes a record's own time, and decides nothing by it."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from hookstream.retention.policy import aged
from hookstream.retention.records import facts_of

NOW = datetime.now(UTC)


def record(session: str, own: str, receipt: str) -> str:
    payload = {
        "session_id": session, "hook_event_name": "BeforeTool", "timestamp": own,
        "cwd": "/x", "tool_name": "read_file", "tool_input": {"file_path": "/x/a"},
    }  # fmt: skip
    return json.dumps({"vendor": "gemini-cli", "received_at": receipt, "payload": payload})


def run(*words: str) -> str:
    return subprocess.run(
        [sys.executable, "-m", "hookstream", *words], capture_output=True, text=True, check=True
    ).stdout


@pytest.mark.parametrize("sink", ["parquet", "jsonl"])
@pytest.mark.long
def test_a_record_is_as_old_as_its_receipt(tmp_path: Path, sink: str) -> None:
    now = NOW.strftime("%Y-%m-%dT%H:%M:%S.000Z")
    lines = [
        record("antedated", "1990-01-01T00:00:00.000Z", now),
        record("postdated", "2099-01-01T00:00:00.000Z", "2024-01-01T00:00:00.000Z"),
        record("plain", now, now),
        record("old", "2024-01-01T00:00:00.000Z", "2024-01-01T00:00:00.000Z"),
    ]
    source = tmp_path / "in.jsonl"
    source.write_text("\n".join(lines) + "\n", "utf-8")
    lake = tmp_path / "lake"
    run("run", str(source), "--to", f"{sink}:{lake}")
    gaps = json.loads(run("query", "gaps", str(lake), "--format", "json"))
    assert [row["count"] for row in gaps if row["gap"] == "own_time_ahead"] == [1]
    run("retain", str(lake), "--max-age", "90d")
    if sink == "parquet":
        sessions = set(pq.read_table(lake).column("session_id").to_pylist())
    else:
        text = (lake / "agent-hooks.jsonl").read_text("utf-8")
        sessions = {json.loads(line)["session_id"] for line in text.splitlines()}
    assert sessions == {"antedated", "plain"}


def test_without_a_receipt_the_own_time_counts() -> None:
    assert aged(5, None) == 5
    assert aged(None, 7) == 7
    assert aged(9, 7) == 7
    line = json.dumps({"event_id": "e", "timestamp": "2024-01-01T00:00:00Z"}).encode()
    assert facts_of(line)[1].at == 1704067200000000


@pytest.mark.parametrize("tables", [False, True])
@pytest.mark.long
def test_what_was_received_in_a_span_is_in_it(tmp_path: Path, tables: bool) -> None:
    """A call that says it is of 1990 cannot leave the last day."""
    now = NOW.strftime("%Y-%m-%dT%H:%M:%S.000Z")
    lines = [
        record("antedated", "1990-01-01T00:00:00.000Z", now),
        record("plain", now, now),
        record("old", "2024-01-01T00:00:00.000Z", "2024-01-01T00:00:00.000Z"),
    ]
    source, lake = tmp_path / "in.jsonl", tmp_path / "lake"
    source.write_text("\n".join(lines) + "\n", "utf-8")
    run("run", str(source), "--to", f"parquet:{lake}")
    if tables:
        run("tables", str(lake))
    for question in ("calls", "timeline", "sessions", "select session_id from events"):
        rows = json.loads(run("query", question, str(lake), "--since", "24h", "--format", "json"))
        assert {row["session_id"] for row in rows} == {"antedated", "plain"}, question
        rows = json.loads(run("query", question, str(lake), "--until", "24h", "--format", "json"))
        assert "old" in {row["session_id"] for row in rows}, question


def command_record(session: str, own: str, receipt: str, word: str) -> str:
    command = f"curl https://{word}.example/a && pip install {word}"
    line = json.loads(record(session, own, receipt))
    line["payload"] |= {"tool_name": "run_shell_command", "tool_input": {"command": command}}
    return json.dumps(line)


@pytest.mark.parametrize("tables", [False, True])
@pytest.mark.long
def test_a_sum_counts_what_was_received_in_a_span(tmp_path: Path, tables: bool) -> None:
    """A call that says it is of 1990 went to a new host; one of 2024 is not of today."""
    now = NOW.strftime("%Y-%m-%dT%H:%M:%S.000Z")
    lines = [
        command_record("antedated", "1990-01-01T00:00:00.000Z", now, "far"),
        command_record("plain", now, now, "near"),
        command_record("old", "2024-01-01T00:00:00.000Z", "2024-01-01T00:00:00.000Z", "old"),
        command_record("again", now, now, "old"),
    ]
    source, lake = tmp_path / "in.jsonl", tmp_path / "lake"
    source.write_text("\n".join(lines) + "\n", "utf-8")
    run("run", str(source), "--to", f"parquet:{lake}")
    if tables:
        run("tables", str(lake))

    def asked(question: str, *words: str) -> list[dict[str, object]]:
        answer = run("query", question, str(lake), "--since", "24h", "--format", "json", *words)
        rows: list[dict[str, object]] = json.loads(answer)
        return rows

    hosts = {str(row["host"]).partition(".")[0]: row["calls"] for row in asked("egress")}
    packages = {row["package"]: row["calls"] for row in asked("packages")}
    assert hosts == packages == {"far": 1, "near": 1, "old": 1}
    assert {row["host"] for row in asked("egress", "--new")} == {"far.example", "near.example"}
    assert {row["package"] for row in asked("select * from packages where is_new")} == {
        "far",
        "near",
    }
    for question in ("tools", "permissions"):
        assert sum(int(str(row["calls"])) for row in asked(question)) == 3
