"""Runs whose truth is the model server's log: one row of everything, whoever reports it."""

from __future__ import annotations

import json
import shutil
import tempfile
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from hookstream.core.errors import NothingToRead
from hookstream.delivery.job import Job
from hookstream.delivery.run import execute
from hookstream.queries.formats import objects
from hookstream.queries.runner import ask, open_stream

pytestmark = pytest.mark.long

RUNS = Path(__file__).parent / "runs"
NAMES = sorted(path.name for path in RUNS.iterdir())
KINDS = ("hook", "transcript", "telemetry")
QUESTIONS = ("calls", "sessions", "prompts", "agents", "usage", "errors", "gaps", "denies")
# The title of a session: a request that no witness reports.
TITLE = {"opencode-nested": (1200, 40)}
Rows = list[dict[str, Any]]


@cache
def answers(run: str, kinds: tuple[str, ...]) -> dict[str, Rows]:
    return found_in(RUNS / run, kinds)


def found_in(source: Path, kinds: tuple[str, ...]) -> dict[str, Rows]:
    with tempfile.TemporaryDirectory() as folder:
        lake = Path(folder) / "lake"
        job = Job(
            [str(source)],
            [f"parquet:{lake}"],
            now="2026-12-01T00:00:00Z",
            witness=kinds,
            machine="box",
            pseudonym_key_file=Path(folder) / "key",
        )
        execute(job)
        if not any(lake.rglob("*.parquet")):
            return {name: [] for name in QUESTIONS}
        with open_stream(lake) as stream:
            return {name: objects(ask(stream, name)) for name in QUESTIONS}


def truth_of(run: str) -> dict[str, Any]:
    made: dict[str, Any] = json.loads((RUNS / run / "truth.json").read_text("utf-8"))
    return made


def tokens(rows: Rows) -> tuple[int, int]:
    return (
        sum(row["input_tokens"] or 0 for row in rows),
        sum(row["output_tokens"] or 0 for row in rows),
    )


@pytest.mark.parametrize("run", NAMES)
def test_all_witnesses_together_say_what_was(run: str) -> None:
    truth, found = truth_of(run), answers(run, KINDS)
    calls = {call["call_id"]: call for call in found["calls"]}
    assert len(calls) == len(found["calls"])
    assert set(calls) == set(truth["calls"])
    for name, expected in truth["calls"].items():
        assert expected == "any" or calls[name]["outcome"] == expected, name
    assert {d["call_id"]: d["decided_by"] for d in found["denies"]} == truth["denied_by"]
    roots = [one for one in found["sessions"] if one["parent_session_id"] is None]
    assert len(roots) == truth["sessions"]
    assert len(found["prompts"]) == sum(one["prompts"] for one in roots) == truth["prompts"]
    assert len(found["agents"]) == truth["agents"]
    missing = TITLE.get(run, (0, 0))
    served = truth["tokens"]
    assert tokens(found["usage"]) == (served["input"] - missing[0], served["output"] - missing[1])


@pytest.mark.parametrize("run", NAMES)
def test_each_failure_is_one_error_and_a_refusal_is_none(run: str) -> None:
    found = answers(run, KINDS)
    failed = sorted(c["call_id"] for c in found["calls"] if c["outcome"] in ("error", "timeout"))
    assert sorted(e["call_id"] for e in found["errors"]) == failed


@pytest.mark.parametrize("run", NAMES)
def test_one_more_witness_never_loses_tokens(run: str) -> None:
    """A file may lack what a compaction took, telemetry what was never sent."""
    for n in range(1, len(KINDS)):
        for fewer in combinations(KINDS, n):
            for more in combinations(KINDS, n + 1):
                if set(fewer) < set(more) and has(run, fewer):
                    one, all_ = (
                        sum(tokens(answers(run, kinds)["usage"])) for kinds in (fewer, more)
                    )
                    assert all_ >= one, (fewer, more)


@pytest.mark.parametrize("lost", [(), (0,), (1,), (2,), (2, 4), (1, 3, 5), tuple(range(7))])
def test_requests_that_telemetry_lost_are_counted_by_the_file(
    lost: tuple[int, ...], tmp_path: Path
) -> None:
    """Side calls are in the file's running totals, and each of them among telemetry's requests."""
    run = RUNS / "claude-code-compact-batch"
    shutil.copytree(run / "home", tmp_path / "run" / "home")
    requests, lines = 0, []
    for line in (run / "otlp.jsonl").read_text("utf-8").splitlines():
        record = json.loads(line)
        for resource in record.get("resourceLogs", ()):
            for scope in resource["scopeLogs"]:
                kept = []
                for one in scope["logRecords"]:
                    is_request = "api_request" in one["body"].get("stringValue", "")
                    if not (is_request and requests in lost):
                        kept.append(one)
                    requests += is_request
                scope["logRecords"] = kept
        lines.append(json.dumps(record))
    (tmp_path / "run" / "otlp.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    assert requests == 7
    served = truth_of(run.name)["tokens"]
    found = found_in(tmp_path / "run", KINDS)
    assert tokens(found["usage"]) == (served["input"], served["output"])


def has(run: str, kinds: tuple[str, ...]) -> bool:
    try:
        answers(run, kinds)
    except NothingToRead:
        return False
    return True


def test_a_sub_agent_in_a_sub_agent_has_its_parent_and_its_call() -> None:
    found = answers("copilot-nested", KINDS)
    ids = {agent["agent_id"] for agent in found["agents"]}
    (deep,) = [agent for agent in found["agents"] if agent["parent_agent_id"] in ids]
    starters = {call["call_id"]: call for call in found["calls"]}
    assert starters[deep["call_id"]]["agent_id"] == deep["parent_agent_id"]
    assert deep["witnesses"] == ["hook", "telemetry", "transcript"]
    assert {gap["gap"] for gap in found["gaps"]}.isdisjoint({"no_session_start", "no_session_end"})


def test_a_file_without_its_header_belongs_to_the_session_its_name_begins() -> None:
    alone = answers("gemini-cli-twins", ("transcript",))
    assert "db29404b" in {one["session_id"] for one in alone["sessions"]}
    folders = {one["session_id"]: one["cwd"] for one in alone["sessions"]}
    assert folders.pop("db29404b") is None
    assert set(folders.values()) == {"/home/dev/project"}  # of the client's list, by its digest
    found = answers("gemini-cli-twins", KINDS)
    assert all(len(one["session_id"]) == 36 for one in found["sessions"])
    gaps = {gap["gap"] for gap in found["gaps"]}
    assert gaps.isdisjoint({"sessions_without_hooks", "no_session_start", "no_session_end"})
