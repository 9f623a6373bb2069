"""CloudEvents 1.0: attributes by the specification, read back by the official SDK."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from cloudevents.core.bindings.http import HTTPMessage, from_http_event
from cloudevents.core.formats.json import JSONFormat
from cloudevents.core.v1.event import CloudEvent

from hookstream.sinks import SinkError, open_sink
from hookstream.standards.rendered import Rendered
from hookstream.standards.validate import Validator

from .events import NOW, rendered, rich, shell, stream
from .receivers import Receiver, plain, serve

CLOCK = "2026-03-01T12:00:02.000Z"
EXTENSIONS = {
    "partitionkey": str,
    "sequence": str,
    "recordedtime": str,
    "traceparent": str,
    "severitynumber": int,
    "severitytext": str,
    "correlationid": str,
    "causationid": str,
    "authtype": str,
    "authid": str,
    "sampledrate": int,
}
CORE = {"id", "source", "type", "specversion", "datacontenttype", "dataschema", "subject", "time"}


def to_file(folder: Path, items: list[Rendered], **options: Any) -> list[bytes]:
    sink = open_sink(f"cloudevents:{folder}", now=lambda: CLOCK, **options)
    assert {r.status for r in sink.write(items)} == {"delivered"}
    sink.close()
    return (folder / "cloudevents.jsonl").read_bytes().splitlines()


def check(attributes: dict[str, Any]) -> None:
    """The specification's rules for attributes, which the SDK does not check."""
    assert attributes["specversion"] == "1.0"
    for name in ("id", "source", "type"):
        assert attributes[name]
    for name, value in attributes.items():
        assert re.fullmatch(r"[a-z0-9]{1,20}", name)
        assert value != ""
        if name not in CORE:
            assert type(value) is EXTENSIONS[name], name
        if type(value) is int:
            assert -(2**31) <= value < 2**31
        else:
            assert not re.search("[\x00-\x1f\x7f-\x9f\ud800-\udfff]", value)
    assert re.fullmatch(r"urn:[a-z0-9]{2,32}:[A-Za-z0-9%._~:-]+", attributes["source"])
    assert re.fullmatch(r"00-[0-9a-f]{32}-[0-9a-f]{16}-01", attributes["traceparent"])
    assert attributes["authtype"] in ("user", "system", "unknown")


def test_the_sdk_reads_every_line_and_finds_the_event_in_it(tmp_path: Path) -> None:
    items = rendered(rich())
    lines = to_file(tmp_path, items)
    validators = {one.schema["$id"]: one for one in Validator().by_name.values()}
    expected = [data for item in items for data in (item.agent_hooks, item.aarts) if data]
    assert len(lines) == len(expected)
    for line, data in zip(lines, expected, strict=True):
        given = json.loads(line)
        check({name: value for name, value in given.items() if name != "data"})
        event = JSONFormat().read(CloudEvent, line)
        assert event.get_data() == json.loads(data)
        schema = validators[given["dataschema"]]
        assert list(schema.iter_errors(given["data"])) == []
        assert event.get_time() is not None
        assert line.endswith(b'"data":' + data + b"}")


def test_attributes_are_those_of_the_mapping(tmp_path: Path) -> None:
    event = shell(1)
    event.facts.update(turn_id="t-1", user_id="user-1", about="before-1", decision="deny")
    first, second = to_file(tmp_path, [Rendered(event, position=7, sampled_rate=10)])
    found = json.loads(first)
    del found["data"]
    trace = found.pop("traceparent")
    session = event.facts["session_id"]
    assert found == {
        "specversion": "1.0",
        "id": event.facts["event_id"],
        "source": "urn:hookstream:local:claude-code",
        "type": "dev.agent-hooks.Action.Before",
        "subject": session,
        "time": NOW,
        "datacontenttype": "application/vnd.agent-hooks.event+json",
        "dataschema": "urn:hookstream:schema:agent-hooks-event:0.1.0",
        "partitionkey": session,
        "sequence": "00000000000000000007",
        "recordedtime": CLOCK,
        "severitynumber": 13,
        "severitytext": "WARN",
        "correlationid": "t-1",
        "causationid": "before-1",
        "authtype": "unknown",
        "authid": "user-1",
        "sampledrate": 10,
    }
    wrapper = json.loads(second)
    assert wrapper["type"] == "com.gendigital.aarts.PreToolUse"
    assert wrapper["datacontenttype"] == "application/json"
    assert wrapper["id"] != found["id"]
    assert wrapper["traceparent"] == trace


def test_ids_are_stable_and_the_installation_is_named(tmp_path: Path) -> None:
    a = to_file(tmp_path / "a", rendered(stream(2)), installation="01J")
    b = to_file(tmp_path / "b", rendered(stream(2)), installation="01J")
    assert a == b
    assert json.loads(a[0])["source"] == "urn:hookstream:01J:claude-code"


def test_hostile_words_stay_legal_attributes(tmp_path: Path) -> None:
    event = shell(1)
    event.facts.update(session_id="a\x00b\x85\n", tool="a b/\u00e9:\U0001f600", turn_id="\ufffe")
    for line in to_file(tmp_path, [Rendered(event)]):
        given = json.loads(line)
        check({name: value for name, value in given.items() if name != "data"})


@pytest.mark.parametrize("mode", ["structured", "batch", "binary"])
def test_a_real_receiver_reads_them_with_the_sdk(mode: str) -> None:
    items = rendered(rich())
    with serve(Receiver(plain)) as far:
        sink = open_sink(f"cloudevents:{far.url('/events')}", mode=mode)
        assert {r.status for r in sink.write(items)} == {"delivered"}
        sink.close()
    found = []
    for request in far.requests:
        assert request.path == "/events"
        kind = request.headers["content-type"]
        if mode != "batch":
            message = HTTPMessage(headers=request.headers, body=request.body)
            found.append(from_http_event(message))
        else:
            assert kind.startswith("application/cloudevents-batch+json")
            for one in json.loads(request.body):
                found.append(JSONFormat().read(CloudEvent, json.dumps(one).encode()))
    expected = [data for item in items for data in (item.agent_hooks, item.aarts) if data]
    assert [event.get_data() for event in found] == [json.loads(data) for data in expected]
    assert {event.get_extension("partitionkey") for event in found} == {
        items[0].event.facts["session_id"]
    }


def test_binary_headers_carry_any_text() -> None:
    event = shell(1)
    event.facts["session_id"] = 'a b"c%d\u00e9\u4e2d\U0001f600'
    with serve(Receiver(plain)) as far:
        sink = open_sink(f"cloudevents:{far.url()}", mode="binary", standard="agent-hooks")
        assert sink.write([Rendered(event)])[0].status == "delivered"
        sink.close()
    (request,) = far.requests
    assert request.headers["ce-subject"] == "a%20b%22c%25d%C3%A9%E4%B8%AD%F0%9F%98%80"
    read = from_http_event(HTTPMessage(headers=request.headers, body=request.body))
    assert read.get_subject() == event.facts["session_id"]


def test_an_unknown_mode_is_refused() -> None:
    with pytest.raises(SinkError, match="mode"):
        open_sink("cloudevents:http://localhost:1/", mode="carrier-pigeon")
