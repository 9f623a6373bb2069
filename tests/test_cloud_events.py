"""CloudEvents as input: the data is read as it would be without them, and none is lost."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from hookstream.core.records import Record, Rejection, read_record
from hookstream.core.sources import lines
from hookstream.pipeline.stages import Pipeline
from hookstream.redaction import Redactor
from hookstream.sinks import open_sink
from hookstream.standards.rendered import Rendered
from hookstream.standards.validate import Validator

NOW = "2026-11-24T10:00:00Z"
PAYLOAD = {
    "hook_event_name": "PreToolUse",
    "session_id": "s1",
    "cwd": "/w",
    "transcript_path": "/t.jsonl",
    "tool_name": "Bash",
    "tool_use_id": "toolu_1",
    "tool_input": {"command": "ls"},
}
CAPTURE = {"vendor": "claude-code", "received_at": NOW, "payload": PAYLOAD}


def carried(data: Any, **more: Any) -> dict[str, Any]:
    return {
        "specversion": "1.0",
        "id": "1",
        "source": "urn:x:y",
        "type": "org.example.audit",
        "time": NOW,
        **({} if data is None else {"data": data}),
        **more,
    }


def pipeline() -> Pipeline:
    return Pipeline(Redactor("hash", b"k" * 16), lambda: NOW, machine="m", user="u")


def taken(value: Any) -> list[Rendered]:
    record = read_record(json.dumps(value).encode())
    assert isinstance(record, Record), vars(record) if record else None
    made = pipeline().outcomes([record])[0]
    assert type(made) is list, made
    return made


def written(tmp_path: Path, standard: str) -> list[bytes]:
    sink = open_sink(f"cloudevents:{tmp_path}", standard=standard)
    sink.write(taken(CAPTURE))
    sink.close()
    return (tmp_path / "cloudevents.jsonl").read_bytes().splitlines()


@pytest.mark.parametrize("standard", ["agent-hooks", "aarts"])
def test_what_the_sink_wrote_is_read_again(tmp_path: Path, standard: str) -> None:
    (line,) = written(tmp_path, standard)
    (again,) = taken(json.loads(line))
    (event,) = taken(CAPTURE)
    assert again.event.facts["event_id"] == event.event.facts["event_id"]
    assert again.aarts is not None
    assert event.aarts is not None
    assert json.loads(again.aarts)["aarts"] == json.loads(event.aarts)["aarts"]
    assert Validator().problems(line) == []


@pytest.mark.parametrize(
    "value",
    [
        carried(CAPTURE),
        carried(PAYLOAD),
        carried(json.dumps(CAPTURE)),
        carried(None, data_base64=base64.b64encode(json.dumps(CAPTURE).encode()).decode()),
        carried(CAPTURE, specversion="0.3"),
        carried(CAPTURE, subject="s", partitionkey="p", datacontenttype="application/json"),
    ],
)
def test_the_data_is_read_as_it_would_be_alone(value: dict[str, Any]) -> None:
    (event,) = taken(value)
    (alone,) = taken(CAPTURE)
    assert event.agent_hooks == alone.agent_hooks


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (carried(None), "cloudevent_without_object"),
        (carried([1]), "cloudevent_without_object"),
        (carried(7), "cloudevent_without_object"),
        (carried("no json"), "not_json"),
        (carried(None, data_base64="a"), "invalid_cloudevent"),
        (carried(PAYLOAD, id=""), "invalid_cloudevent: id"),
        (carried(PAYLOAD, source=7), "invalid_cloudevent: source"),
        (carried(PAYLOAD, time="yesterday"), "invalid_cloudevent"),
        (carried(PAYLOAD, time=7), "invalid_cloudevent"),
        (carried(PAYLOAD, Big="x"), "invalid_cloudevent: extension"),
        (carried(carried(PAYLOAD)), "cloudevent_in_cloudevent"),
        (carried(PAYLOAD, specversion="9.9"), "invalid_cloudevent"),
    ],
)
def test_what_cannot_be_read_is_rejected_with_the_reason(value: Any, reason: str) -> None:
    line = json.dumps(value).encode()
    rejection = read_record(line)
    assert isinstance(rejection, Rejection)
    assert rejection.reason.startswith(reason)
    assert rejection.length == len(line)
    assert Validator().problems(line)


def test_an_event_about_something_else_is_a_rejection() -> None:
    record = read_record(json.dumps(carried({"order": 5})).encode())
    assert isinstance(record, Record)
    made = pipeline().outcomes([record])[0]
    assert isinstance(made, Rejection)
    assert made.reason == "unknown_vendor"


@pytest.mark.parametrize("indent", [None, 2])
def test_a_batch_is_its_events(tmp_path: Path, indent: int | None) -> None:
    batch = [carried(CAPTURE), carried({**CAPTURE, "payload": {**PAYLOAD, "tool_use_id": "ü"}})]
    file = tmp_path / "batch.json"
    text = json.dumps(batch, indent=indent, ensure_ascii=False)
    file.write_text(text, "utf-8")
    found = list(lines(file, "x"))
    assert [json.loads(line) for _, line in found if isinstance(line, bytes)] == batch
    data = file.read_bytes()
    assert all(data[offset : offset + 1] == b"{" for offset, _ in found)


@pytest.mark.parametrize(
    "text",
    [
        "[1, 2]\n{}\n",
        "[{}\n{}\n",
        "[{},\n{}\n",
        "[\n{}\n",
        "[{}] x\n{}\n",
        "[" * 5000 + "\n{}\n",
        "[\xff\n{}\n",
    ],
)
def test_what_is_no_batch_stays_its_lines(tmp_path: Path, text: str) -> None:
    file = tmp_path / "x.jsonl"
    file.write_bytes(text.encode("latin-1"))
    found = [line for _, line in lines(file, "x")]
    assert found == text.encode("latin-1").splitlines()


def test_lines_after_a_batch_are_read(tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    file.write_bytes(b'\xef\xbb\xbf[{"a": 1}, {"b": 2}]\n{"c": 3}\n')
    assert [line for _, line in lines(file, "x")] == [b'{"a": 1}', b'{"b": 2}', b'{"c": 3}']
