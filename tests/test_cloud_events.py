"""CloudEvents as input: the data is read as it would be without them, and none is lost."""

from __future__ import annotations

import base64
import json
import time
from pathlib import Path
from typing import Any

import pytest

from hookstream.core.cloud_events import STREAM
from hookstream.core.limits import STREAM_LINES
from hookstream.core.records import Record, Rejection, read_record, records_of
from hookstream.core.sources import lines
from hookstream.delivery.job import Job
from hookstream.delivery.run import execute
from hookstream.pipeline.machines import claims_of
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


def stream(*lines: Any, **more: Any) -> dict[str, Any]:
    """A CloudEvent that carries lines."""
    text = "".join(f"{line if type(line) is str else json.dumps(line)}\n" for line in lines)
    return carried(text, datacontenttype=STREAM, **more)


def call(number: int) -> dict[str, Any]:
    return {**CAPTURE, "payload": {**PAYLOAD, "tool_use_id": f"toolu_{number}"}}


def reported(tmp_path: Path, text: bytes, **options: Any) -> tuple[list[Any], dict[str, Any]]:
    """(the lines written, the report) of a run over a file."""
    source = tmp_path / "in.jsonl"
    source.write_bytes(text)
    outcome = execute(Job([str(source)], [f"jsonl:{tmp_path / 'out'}"], **options))
    written = (tmp_path / "out" / "agent-hooks.jsonl").read_text("utf-8").splitlines()
    return list(map(json.loads, written)), outcome.report(0)


@pytest.mark.parametrize(
    "value",
    [
        stream(call(1), call(2)),
        stream(call(1), "", "   ", call(2)),
        stream(
            call(1),
            call(2),
        )
        | {"datacontenttype": f"{STREAM.upper()}; charset=utf-8"},
        stream(call(1), call(2)) | {"datacontenttype": "application/x-ndjson"},
        carried([call(1), call(2)], datacontenttype=STREAM),
        carried(
            None,
            data_base64=base64.b64encode(
                b"\n".join(json.dumps(call(number)).encode() for number in (1, 2))
            ).decode(),
            datacontenttype=STREAM,
        ),
    ],
)
def test_a_stream_gives_what_its_lines_give_alone(tmp_path: Path, value: dict[str, Any]) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
    text = b"".join(json.dumps(call(number)).encode() + b"\n" for number in (1, 2))
    lines, report = reported(tmp_path / "a", json.dumps(value).encode() + b"\n")
    alone, expected = reported(tmp_path / "b", text)
    assert lines == alone
    assert len(lines) == 2
    assert [report[name] for name in ("read", "produced")] == [2, 2]
    assert report["by_type"] == expected["by_type"]


def test_lines_of_a_stream_are_rejected_one_by_one(tmp_path: Path) -> None:
    bad = ["no json", "[1]", json.dumps(carried(PAYLOAD)), json.dumps(stream(call(1)))]
    value = stream(call(1), *bad, {"order": 5}, call(2))
    text = json.dumps(value) + "\n" + json.dumps(call(3)) + "\n"
    lines, report = reported(tmp_path, text.encode())
    calls = [line["metadata"]["dev.hookstream"]["call_id"] for line in lines]
    assert calls == ["toolu_1", "toolu_1", "toolu_2", "toolu_3"], "one CloudEvent, no stream in one"
    assert report["by_rejection"] == {
        "cloudevent_in_cloudevent": 1,
        "not_an_object": 1,
        "not_json": 1,
        "unknown_vendor": 1,
    }
    rejected = (tmp_path / "out" / "rejected.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["offset"] for line in rejected] == [1, 2, 4, 5]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "cloudevent_without_object"),
        ("\n\n", "cloudevent_without_object"),
        ("\n" * (STREAM_LINES + 1), "cloudevent_stream_too_long"),
    ],
)
def test_a_stream_without_lines_or_with_too_many_is_rejected(text: str, reason: str) -> None:
    rejection = read_record(json.dumps(carried(text, datacontenttype=STREAM)).encode())
    assert isinstance(rejection, Rejection)
    assert rejection.reason == reason


def test_a_long_stream_costs_what_its_lines_cost() -> None:
    value = stream(*(call(number) for number in range(2000)))
    started = time.process_time()
    found = list(records_of(json.dumps(value).encode(), "x"))
    assert len(found) == 2000
    assert time.process_time() - started < 2


def test_a_streams_machines_are_all_of_its_lines() -> None:
    value = stream({**call(1), "machine": "a"}, {**call(2), "machine": "b"})
    record = read_record(json.dumps(value).encode())
    assert isinstance(record, Record)
    assert claims_of(record) == {"a", "b"}


def test_validate_names_the_line_of_a_stream(tmp_path: Path) -> None:
    (line,) = written(tmp_path, "agent-hooks")
    event = json.loads(line)["data"]
    value = json.dumps(stream(event, {**event, "event_type": 7}, event)).encode()
    problems = Validator().problems(value)
    assert problems
    assert all(problem.startswith("line 2 of the stream: ") for problem in problems)
    assert Validator().problems(json.dumps(stream(event, event)).encode()) == []


def test_a_query_reads_the_stream_in_a_file(tmp_path: Path) -> None:
    (line,) = written(tmp_path, "agent-hooks")
    event = json.loads(line)["data"]
    event["metadata"].pop("dev.hookstream")
    other = {**event, "event_id": "0" * 8 + event["event_id"][8:]}
    lines = [stream(event), other]
    batch = pipeline().finish([(json.dumps(one).encode(), "x", at) for at, one in enumerate(lines)])
    assert list(batch.origins) == [0, 1]
    many = [stream(event, "x", other), other]
    batch = pipeline().finish([(json.dumps(one).encode(), "x", at) for at, one in enumerate(many)])
    assert list(batch.origins) == [0, 0, 0, 1]
