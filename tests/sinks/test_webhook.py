"""`webhook:`: what a request holds, by body and format."""

from __future__ import annotations

import json
from typing import Any

import pytest

from hookstream.sinks import SinkError, open_sink
from hookstream.sinks.formats.render import FORMATS

from .events import rendered, rich, shell
from .receivers import Receiver, plain, serve


def sent(events: list[Any], **options: Any) -> Receiver:
    with serve(Receiver(plain)) as far:
        sink = open_sink(f"webhook:{far.url('/in?tenant=a')}", **options)
        assert {r.status for r in sink.write(rendered(events))} == {"delivered"}
        sink.close()
    assert {request.path for request in far.requests} == {"/in?tenant=a"}
    return far


@pytest.mark.parametrize("format", [name for name in FORMATS if name != "cef"])
def test_lines_and_arrays_hold_the_same_messages(format: str) -> None:
    now = {"now": lambda: "2026-03-01T12:00:02.000Z"}
    (lines,) = sent(rich(), format=format, body="ndjson", **now).requests
    (array,) = sent(rich(), format=format, body="json", **now).requests
    singles = sent(rich(), format=format, body="single", **now).requests
    assert lines.headers["content-type"] == "application/x-ndjson"
    expected = [json.loads(line) for line in lines.body.splitlines()]
    assert json.loads(array.body) == expected
    assert [json.loads(request.body) for request in singles] == expected
    assert len(expected) >= len(rich())
    batch = "cloudevents-batch+json" if format == "cloudevents" else "json"
    assert array.headers["content-type"] == f"application/{batch}"


def test_what_follows_the_host_may_be_a_credential() -> None:
    with serve(Receiver(plain)) as far:
        for base in ("/", "/services"):
            sink = open_sink(f"webhook:{far.url(base)}", path="/T0/B0?key=x")
            assert {r.status for r in sink.write(rendered([shell(1)]))} == {"delivered"}
            assert "T0" not in sink.uri
            sink.close()
    paths = [request.path for request in far.requests]
    assert paths == ["/T0/B0?key=x", "/services/T0/B0?key=x"]
    for uri, path in (
        ("http://localhost/?a=b", "x"),
        ("http://localhost/", "a b"),
        ("http://far.example/", "x"),
    ):
        with pytest.raises(SinkError):
            open_sink(f"webhook:{uri}", path=path)
    with pytest.raises(SinkError, match="path"):
        open_sink("splunk:http://localhost/", path="x")


@pytest.mark.parametrize(
    ("standard", "kind"),
    [
        ("agent-hooks", "application/vnd.agent-hooks.stream+jsonl"),
        ("aarts", "application/x-ndjson"),
        ("both", "application/x-ndjson"),
    ],
)
def test_lines_of_agent_hooks_alone_have_the_registered_type(standard: str, kind: str) -> None:
    (request,) = sent(rich(), standard=standard).requests
    assert request.headers["content-type"] == kind
    if standard == "agent-hooks":
        lines = [json.loads(line) for line in request.body.splitlines()]
        assert all(line["spec_version"] == "0.1.0" for line in lines)
        (array,) = sent(rich(), standard=standard, body="json").requests
        assert array.headers["content-type"] == "application/json"


def test_cef_is_text() -> None:
    (request,) = sent([shell(1)], format="cef").requests
    assert request.headers["content-type"].startswith("text/plain")
    assert request.body.startswith(b"CEF:0|")
    with pytest.raises(SinkError, match="CEF"):
        open_sink("webhook:http://localhost/", format="cef", body="json")


@pytest.mark.parametrize(("name", "value"), [("body", "xml"), ("format", "leef")])
def test_a_wrong_word_names_the_right_ones(name: str, value: str) -> None:
    with pytest.raises(SinkError, match="one of"):
        open_sink("webhook:http://localhost/", **{name: value})


def test_a_header_cannot_be_broken_out_of() -> None:
    with pytest.raises(SinkError, match="header"):
        open_sink("webhook:http://localhost/", headers={"x-a": "b\r\nx-c: d"})


@pytest.mark.parametrize("format", ["ecs", "ocsf", "cef"])
def test_a_record_a_format_cannot_say_is_rejected_alone(format: str) -> None:
    broken = shell(2)
    broken.facts["timestamp"] = "soon"
    with serve(Receiver(plain)) as far:
        sink = open_sink(f"webhook:{far.url()}", format=format)
        receipts = sink.write(rendered([shell(1), broken, shell(3)]))
        sink.close()
    assert [r.status for r in receipts] == ["delivered", "rejected", "delivered"]
    assert "time" in receipts[1].reason
