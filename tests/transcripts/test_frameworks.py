"""Files of frameworks and platforms: Continue's sessions, n8n's executions and event log, Glean."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from homes import DATA, Told, home_of

from hookstream.normalizers.n8n.transcript import unflatten

N8N = sorted(path.parent for path in (DATA / "n8n").glob("*/told.json"))
SCHEMA = """
create table execution_entity (id integer primary key, status text, startedAt text, stoppedAt text,
    workflowId text, finished integer, mode text);
create table execution_data (executionId integer primary key, workflowData text, data text);
"""


def calls(told: Told) -> list[tuple[str, str | None]]:
    """(tool, outcome) of each call in the order in which they were made."""
    found: dict[str, tuple[str, str | None]] = {}
    for event in told.once():
        facts = event.facts
        if event.type == "Action.Before":
            found[facts["call_id"]] = (facts["action_native"], None)
        elif event.type == "Action.After":
            found[facts["call_id"]] = (facts["action_native"], facts.get("outcome"))
    return list(found.values())


def truth_of(folder: Path) -> dict[str, Any]:
    truth: dict[str, Any] = json.loads((folder / "told.json").read_text("utf-8"))
    return truth


def check(told: Told, truth: dict[str, Any], outcome: str) -> None:
    assert not told.rejections
    assert not told.tally.unknown_events
    assert calls(told) == [(call["tool"], call[outcome]) for call in truth["calls"]]
    prompts = told.of("Prompt.Submitted")
    assert [event.facts["prompt_length"] for event in prompts] == [len(p) for p in truth["prompts"]]
    assert all("prompt" in event.synthesized for event in prompts)
    spent = told.of("Model.Responded")
    assert sum(e.facts["input_tokens"] for e in spent) == truth["tokens"]["input"]
    assert sum(e.facts["output_tokens"] for e in spent) == truth["tokens"]["output"]
    assert len(told.of("Model.Failed")) == truth["model_errors"]
    assert not told.of("Policy.Blocked")
    assert not any(event.unmapped for event in told.events)


@pytest.mark.parametrize("folder", N8N, ids=lambda path: path.name)
def test_an_execution_says_how_each_call_ended(folder: Path) -> None:
    told = Told([folder / f"{folder.name}.execution.json"])
    truth = truth_of(folder)
    check(told, truth, "outcome_in_execution_data")
    urls = [e.facts["url"] for e in told.of("Action.Before")]
    assert urls == [call["key"] for call in truth["calls"]]
    assert {event.facts["witness"] for event in told.events} == {"transcript"}
    ended = told.of("Session.End")[0].facts["end_reason"]
    assert ended == ("error" if truth["model_errors"] else "completed")


@pytest.mark.parametrize("folder", N8N, ids=lambda path: path.name)
def test_the_event_log_never_says_how_a_call_ended(folder: Path) -> None:
    told = Told([folder / "n8nEventLog.log"])
    check(told, truth_of(folder), "outcome_in_event_log")
    assert {event.facts["witness"] for event in told.events} == {"telemetry"}
    # The instance's own offset from UTC is taken into account.
    assert told.events[0].facts["timestamp"].startswith("2026-11-22T10:3")


@pytest.mark.parametrize("folder", N8N, ids=lambda path: path.name)
def test_execution_and_event_log_tell_of_the_same_calls(folder: Path) -> None:
    log = Told([folder / "n8nEventLog.log"]).of("Action.Before")
    stored = Told([folder / f"{folder.name}.execution.json"]).of("Action.Before")
    assert [e.facts["call_id"] for e in log] == [e.facts["call_id"] for e in stored]
    assert all("call_id" in e.synthesized for e in [*log, *stored])


def flatten(value: Any) -> str:
    """As the package `flatted` writes a value: each text, list and object by its place."""
    places: dict[Any, str] = {}
    parts: list[Any] = []

    def place(one: Any) -> Any:
        if not isinstance(one, str | list | dict):
            return one
        key = ("text", one) if isinstance(one, str) else id(one)
        if key not in places:
            places[key] = str(len(parts))
            parts.append(one)
        return places[key]

    place(value)
    for number, one in enumerate(parts):  # parts grows meanwhile
        if isinstance(one, dict):
            parts[number] = {name: place(inner) for name, inner in one.items()}
        elif isinstance(one, list):
            parts[number] = [place(inner) for inner in one]
    return json.dumps(parts)


def test_the_database_says_what_the_api_says(tmp_path: Path) -> None:
    path = tmp_path / ".n8n" / "database.sqlite"
    path.parent.mkdir()
    with sqlite3.connect(path) as database:
        database.executescript(SCHEMA)
        for number, folder in enumerate(N8N, 1):
            text = (folder / f"{folder.name}.execution.json").read_text("utf-8")
            one = json.loads(text)
            row = (number, one["status"], one["startedAt"], one["stoppedAt"])
            database.execute(
                "insert into execution_entity (id, status, startedAt, stoppedAt) values "
                "(?, ?, ?, ?)",
                row,
            )
            data = flatten(one["data"])
            database.execute("insert into execution_data values (?, '{}', ?)", (number, data))
    told = Told([tmp_path])
    assert not told.rejections
    wanted = [
        (call["tool"], call["outcome_in_execution_data"])
        for folder in N8N
        for call in truth_of(folder)["calls"]
    ]
    # The same node ran in several executions: sessions tell them apart.
    found = [
        (e.facts["action_native"], e.facts.get("outcome"))
        for e in told.once()
        if e.type == "Action.After"
    ]
    assert sorted(found) == sorted(wanted)
    assert {e.facts["session_id"] for e in told.events} == {"1", "2", "3"}


@pytest.mark.long
def test_a_value_that_names_itself_or_grows_without_end_is_bounded() -> None:
    assert unflatten('[{"a":"1"},{"b":"0"}]') == {"a": {"b": None}}
    doubling = [[str(n + 1), str(n + 1)] for n in range(60)]
    assert unflatten(json.dumps([*doubling, "end"])) is None
    assert unflatten('[{"a":"7"}]') is None
    assert unflatten("no json") is None


def test_continue_times_are_of_its_index_and_of_the_file(tmp_path: Path) -> None:
    home = home_of("continue/tools-auto", tmp_path)
    path = next(home.rglob("????????-*.json"))
    os.utime(path, (1_795_400_000, 1_795_400_000))
    told = Told([home])
    begun = told.of("Session.Start")[0]
    assert begun.facts["timestamp"] == "2026-11-22T15:44:26.546Z"
    assert "timestamp" not in begun.synthesized
    call = told.of("Action.Before")[0]
    assert call.facts["timestamp"].startswith("2026-11-23T")
    assert "timestamp" in call.synthesized


def test_a_forked_continue_session_counts_its_parents_messages_once(tmp_path: Path) -> None:
    home = home_of("continue/tools-auto", tmp_path)
    parent = next(home.rglob("????????-*.json"))
    fork = "aaaaaaaa-2222-4333-8444-555555555555"
    value = json.loads(parent.read_text("utf-8"))
    value["sessionId"] = fork
    said = {"message": {"role": "user", "content": "and now?"}, "contextItems": []}
    value["history"].append(said)
    parent.with_name(f"{fork}.json").write_text(json.dumps(value), "utf-8")
    alone, both = Told([parent]), Told([home])
    for kind in ("Action.Before", "Action.After", "Model.Responded"):
        assert len(both.of(kind)) == len(alone.of(kind)), kind
    assert len(both.of("Prompt.Submitted")) == len(alone.of("Prompt.Submitted")) + 1


def test_two_sessions_that_begin_alike_are_two(tmp_path: Path) -> None:
    home = home_of("continue/tools-auto", tmp_path)
    path = next(home.rglob("????????-*.json"))
    other = "bbbbbbbb-2222-4333-8444-555555555555"
    text = path.read_text("utf-8").replace(path.stem, other).replace('"call_', '"call_other_')
    path.with_name(f"{other}.json").write_text(text, "utf-8")
    both = Told([home])
    assert len(both.of("Prompt.Submitted")) == 2
    assert len(both.of("Action.Before")) == 18


def test_a_compaction_in_a_continue_session_is_one(tmp_path: Path) -> None:
    home = home_of("continue/tools-ask", tmp_path)
    path = next(home.rglob("????????-*.json"))
    value = json.loads(path.read_text("utf-8"))
    summary = {"message": {"role": "assistant", "content": "so far"}, "conversationSummary": "s"}
    value["history"] = [summary, *value["history"][1:]]
    path.write_text(json.dumps(value), "utf-8")
    assert len(Told([home]).of("Context.Compaction")) == 1


def test_a_waiting_call_of_continue_has_no_end(tmp_path: Path) -> None:
    home = home_of("continue/tools-ask", tmp_path)
    path = next(home.rglob("????????-*.json"))
    path.write_text(path.read_text("utf-8").replace('"canceled"', '"generated"'), "utf-8")
    told = Told([home])
    assert len(told.of("Action.Before")) == 3
    assert len(told.of("Action.After")) == 2
    assert not told.of("Policy.Blocked")


GLEAN = {
    "timestamp": "2026-11-22T10:00:00Z",
    "insertId": "i1",
    "jsonPayload": {
        "type": "WORKFLOW_RUN",
        "user": {"userid": "u-1"},
        "workflowrun": {
            "runid": "r1",
            "rootworkflowid": "w1",
            "feature": "AGENT",
            "sessiontrackingtoken": "s1",
            "workflowexecutions": [{"status": "FAILURE", "errortype": "TIMEOUT"}],
        },
    },
}


def test_glean_says_that_an_agent_ran_and_failed(tmp_path: Path) -> None:
    path = tmp_path / "export.jsonl"
    search = {**GLEAN, "insertId": "i2", "jsonPayload": {"type": "SEARCH"}}
    path.write_text("\n".join(map(json.dumps, (GLEAN, search))), "utf-8")
    told = Told([path])
    assert [e.type for e in told.once()] == ["vendor.glean.WorkflowRun", "Agent.Error"]
    assert {e.facts["session_id"] for e in told.events} == {"s1"}
    assert told.reasons == ["session file: SEARCH"]
    assert "u-1" not in str(told.events[0].facts)


def test_a_lake_of_both_has_one_row_a_call(tmp_path: Path) -> None:
    from hookstream.delivery.job import Job
    from hookstream.delivery.run import execute

    folder = tmp_path / "in"
    shutil.copytree(DATA / "n8n" / "tools", folder)
    (folder / "told.json").unlink()
    lake = tmp_path / "lake"
    execute(Job(sources=[str(folder)], sinks=[f"parquet:{lake}"]))
    from hookstream.queries.runner import ask, read

    result = read(lake, lambda stream: ask(stream, "calls"))
    rows = [dict(zip(result.columns, row, strict=True)) for row in result.rows]
    assert [(row["action_native"], row["outcome"]) for row in rows] == [
        ("fetch_build", "error"),
        ("read_page", "ok"),
    ]
    assert all(sorted(row["witnesses"]) == ["telemetry", "transcript"] for row in rows)
