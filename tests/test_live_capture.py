"""Live capture says what files say: the payloads of every sample, taken one by one by the collector
into logs and read from there, answer every question as the samples do, in every form."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from hookstream.capture.collector.handler import Handler
from hookstream.capture.hook import lines as capture_lines
from hookstream.capture.hook.request import HookRequest
from hookstream.core.records import Record, read_record
from hookstream.core.sources import lines, name_of
from hookstream.delivery.job import Job
from hookstream.delivery.run import execute
from hookstream.queries.catalog import queries
from hookstream.queries.formats import objects
from hookstream.queries.runner import Filters, ask, open_stream
from hookstream.tables.update import update

SAMPLES = Path(__file__).parent.parent / "samples"
NOW = "2026-11-21T12:00:00.000Z"


def capture(path: Path, log: Path, handler: Handler) -> Path:
    log.parent.mkdir(parents=True, exist_ok=True)
    log.touch(0o600)
    # A session that no payload names is made up from the source: the same one on both ways.
    for offset, line in lines(path, name_of(path)):
        record = read_record(line, name_of(path), offset)
        assert isinstance(record, Record)
        handler.record(record, None, None, NOW, {}, (HookRequest(["--log", str(log)]), ""))
    return log


def answers(folder: Path) -> dict[str, list[str]]:
    told = {}
    with open_stream(folder) as stream:
        for name in queries():
            rows = objects(ask(stream, name, limit=100_000))
            told[name] = sorted(json.dumps(row, default=str, sort_keys=True) for row in rows)
    return told


def asked(number: int, method: str, params: dict[str, Any]) -> dict[str, Any]:
    context = {
        "agent": {"id": "a", "name": "triage"}, "session": {"id": "s-1"}, "turnId": "t-1",
        "timestamp": f"2026-05-10T10:00:0{number}Z",
    }  # fmt: skip
    return {
        "jsonrpc": "2.0", "id": f"00000000-0000-4000-8000-{number:012}", "method": method,
        "params": {**params, "context": context},
    }  # fmt: skip


def text(role: str, words: str) -> dict[str, Any]:
    return {"message": {"role": role, "content": [{"kind": "text", "text": words}]}}


# What a guardian is asked about, what it makes of it, and the path of the change.
CHANGES: list[tuple[str, dict[str, Any], dict[str, Any], str | None]] = [
    ("steps/message", text("user", "a 1"), text("user", "a *"), "prompt"),
    ("steps/message", text("agent", "b 1"), text("agent", "b *"), "response"),
    ("steps/memoryStore", {"memory": ["c", "d"]}, {"memory": ["c", "*"]}, "memory[1]"),
    ("steps/memoryStore", {"memory": ["e"]}, {"memory": ["e"]}, None),
    (
        "steps/knowledgeRetrieval",
        {"knowledgeStep": {"query": "q", "results": ["f", "g"]}},
        {"knowledgeStep": {"query": "q", "results": ["f", "*"]}},
        "output",
    ),
]


def test_a_change_of_a_text_is_named_alike_live_and_in_a_recording(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    payloads = []
    for number, (method, params, wanted, _) in enumerate(CHANGES):
        question = asked(number, method, params)
        answer = {"decision": "modify", "message": "m", "modifiedRequest": {"params": wanted}}
        payloads += [question, {"jsonrpc": "2.0", "id": question["id"], "result": answer}]
    recording = tmp_path / "recording.jsonl"
    recording.write_text("".join(json.dumps(one) + "\n" for one in payloads))
    log = capture(recording, tmp_path / "log" / "hooks.jsonl", Handler())
    for source in (recording, log):
        execute(Job([str(source)], [f"jsonl:{tmp_path / source.stem}"], now=NOW))
        with open_stream(tmp_path / source.stem) as stream:
            rows = objects(ask(stream, "decisions", Filters(sort="timestamp")))
        assert [row["changed_paths"] for row in rows] == [path for *_, path in CHANGES], source
        for row in rows:
            is_same = row["input_hash"] == row["modified_input_hash"]
            assert is_same == (row["changed_paths"] is None)


@pytest.mark.long
def test_what_is_captured_live_answers_every_question_as_the_recordings_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A hook knows whose machine it runs on; recordings do not, so that each client's are of one.
    for name in ("machine_name", "user_name"):
        monkeypatch.setattr(capture_lines, name, lambda: None)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / "config" / "hookstream").mkdir(parents=True)
    (tmp_path / "config" / "hookstream" / "config.json").write_text('{"sync": "none"}')
    handler = Handler()
    clients = sorted({path.parent.name for path in SAMPLES.glob("*/*.jsonl")})
    forms = [f"{kind}:{tmp_path / kind}" for kind in ("jsonl", "parquet", "delta")]
    for client in clients:
        recordings, logs = tmp_path / "recordings" / client, tmp_path / "logs" / client
        recordings.mkdir(parents=True)
        for path in sorted((SAMPLES / client).glob("*.jsonl")):
            if not path.name.endswith(".expected.jsonl"):
                shutil.copy(path, recordings)
                capture(path, logs / path.name, handler)
        execute(Job([str(logs)], [f"jsonl:{tmp_path / 'live'}"], now=NOW))
        execute(Job([str(recordings)], forms, now=NOW))
    update(tmp_path / "delta")
    assert len(list((tmp_path / "delta.tables").rglob("*.parquet"))) > 10
    live = answers(tmp_path / "live")
    for kind in ("jsonl", "parquet", "delta"):
        for name, rows in answers(tmp_path / kind).items():
            differing = sorted(set(live[name]) ^ set(rows))
            assert not differing, "\n".join((kind, name, *differing[:4]))
            assert live[name] == rows, (kind, name)


@pytest.mark.long
def test_a_log_answers_as_what_a_run_makes_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    (tmp_path / "config" / "hookstream").mkdir(parents=True)
    (tmp_path / "config" / "hookstream" / "config.json").write_text('{"sync": "none"}')
    handler = Handler()
    log = tmp_path / "log" / "hooks.jsonl"
    for path in sorted(SAMPLES.glob("*/*.jsonl")):
        if not path.name.endswith(".expected.jsonl"):
            capture(path, log, handler)
    execute(Job([str(log)], [f"jsonl:{tmp_path / 'run'}"], now=NOW))
    directly, expected = answers(log), answers(tmp_path / "run")
    assert len(expected["denies"]) > 20
    for name, rows in expected.items():
        assert directly[name] == rows, name
    with log.open("ab") as file:
        file.write(b'{"torn": \n')
    with open_stream(log) as stream:
        assert stream.broken[0][2].startswith("torn")
