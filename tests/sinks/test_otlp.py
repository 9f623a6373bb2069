"""OTLP logs against a receiver that decodes everything with the protocol's own messages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest

from hookstream.core.event import Event
from hookstream.sinks import SinkError, open_sink
from hookstream.sinks.formats.trace import trace_id
from hookstream.sinks.formats.words import sentence, severity, snake
from hookstream.sinks.otlp import endpoint

from .events import SESSION, claude, rendered, rich, shell, stream
from .receivers import Receiver, Request, otlp_answer, otlp_records, serve, uid


@pytest.fixture
def far() -> Iterator[Receiver]:
    with serve(Receiver(lambda _: otlp_answer())) as receiver:
        yield receiver


def plain(value: Any) -> Any:
    kind = value.WhichOneof("value")
    if kind == "array_value":
        return [plain(one) for one in value.array_value.values]
    return getattr(value, kind)


def attributes(record: Any) -> dict[str, Any]:
    return {one.key: plain(one.value) for one in record.attributes}


def send(far: Receiver, events: list[Event], **options: Any) -> list[Any]:
    sink = open_sink(f"otlp:{far.url()}", **options)
    assert {r.status for r in sink.write(rendered(events))} == {"delivered"}
    sink.close()
    return [record for request in far.requests for record in otlp_records(request)]


def test_every_record_is_as_the_mapping_says(far: Receiver) -> None:
    events = rich()
    records = send(far, events)
    assert len(records) == len(events)
    for event, record in zip(events, records, strict=True):
        found = attributes(record)
        assert record.event_name == f"agent_hooks.{snake(event.type)}"
        assert record.severity_number == severity(event)
        assert record.severity_text == ""
        assert plain(record.body) == sentence(event)
        assert (len(record.trace_id), len(record.span_id), record.flags) == (16, 8, 1)
        assert record.time_unix_nano > 0
        assert record.observed_time_unix_nano > 0
        assert found["log.record.uid"] == event.facts["event_id"]
        assert found["agent_hooks.event_type"] == event.type
        assert len(found) == len(record.attributes) < 128
        assert "event.name" not in found
        assert all(value not in ("", []) for value in found.values())


def test_the_resource_tells_nothing_of_the_machine(far: Receiver) -> None:
    send(far, stream(1))
    (logs,) = ExportLogsServiceRequest.FromString(far.requests[0].body).resource_logs
    names = {one.key for one in logs.resource.attributes}
    assert "service.instance.id" not in names
    assert not any(name.startswith(("host.", "process.")) for name in names)
    assert logs.scope_logs[0].scope.name == "hookstream"


def test_types_survive(far: Receiver) -> None:
    event = shell(1)
    event.facts.update(exit_code=2**62, success=False, percentage_used=99.5, tokens_used=10**30)
    event.facts["decision_reason"] = "broken \ud800 text"
    found = attributes(send(far, [event])[0])
    assert found["process.exit.code"] == 2**62
    assert found["agent_hooks.result.success"] is False
    assert found["agent_hooks.context.percentage_used"] == 99.5
    assert found["agent_hooks.context.tokens_used"] == str(10**30)
    assert found["agent_hooks.decision.reason"] == "broken ? text"


def test_arguments_leave_only_when_asked_for(far: Receiver) -> None:
    event = shell(1, command="cat /srv/ledger")
    assert b"/srv/ledger" not in far_bytes(far, event)
    assert b"/srv/ledger" in far_bytes(far, event, arguments=True)


def far_bytes(far: Receiver, event: Event, **options: Any) -> bytes:
    far.requests.clear()
    send(far, [event], **options)
    return far.requests[0].body


def test_ids_join_what_belongs_together_and_replay_changes_nothing(far: Receiver) -> None:
    before = shell(1)
    after = claude(
        "PostToolUse",
        tool_name="Bash",
        tool_input={"command": "x"},
        tool_use_id="toolu_0001",
        tool_response={},
    )[0]
    other = shell(2)
    child = shell(3)
    child.facts.update(session_id="child", parent_session_id=SESSION)
    a, b, c, d = send(far, [before, after, other, child])
    assert a.trace_id == b.trace_id == c.trace_id == d.trace_id
    assert a.span_id == b.span_id != c.span_id
    first = far.requests[0].body
    far.requests.clear()
    send(far, [before, after, other, child])
    assert far.requests[0].body == first
    assert SESSION.replace("-", "").encode() not in trace_id(before).hex().encode()


@pytest.mark.parametrize(
    ("kind", "facts", "risk", "expected"),
    [
        ("Context.UntilCompaction", {}, None, 5),
        ("Model.Requested", {}, None, 5),
        ("Action.Before", {}, None, 9),
        ("Action.Before", {"decision": "allow"}, (95, "critical", ()), 17),
        ("Action.Before", {"decision": "deny"}, (95, "critical", ()), 13),
        ("Action.Before", {"decision": "ask"}, None, 13),
        ("Action.After", {"success": False}, None, 13),
        ("Policy.Blocked", {"decision": "deny"}, None, 13),
        ("Session.Abort", {}, None, 13),
        ("Retry.Loop.Detected", {}, None, 13),
        ("Retry.Loop.Aborted", {}, None, 17),
        ("Agent.Error", {"success": False}, None, 17),
        ("Model.Failed", {}, None, 17),
    ],
)
def test_severity(kind: str, facts: dict[str, Any], risk: Any, expected: int) -> None:
    event = Event(kind, None, {"session_id": "s", "tool": "t", **facts})
    event.risk = risk
    assert severity(event) == expected


def test_event_names_are_lower_snake() -> None:
    assert snake("Context.UntilCompaction") == "context.until_compaction"
    assert snake("vendor.cursor.TabFileEdit") == "vendor.cursor.tab_file_edit"
    assert snake("vendor.claude-code.MCPThing") == "vendor.claude_code.mcp_thing"


def rejecting(poison: set[str]) -> Any:
    def answer(request: Request) -> Any:
        return otlp_answer(sum(uid(r) in poison for r in otlp_records(request)), "bad\nrecord")

    return answer


@pytest.mark.parametrize("places", [[], [0], [9], [3, 4], [0, 5, 9], list(range(10))])
def test_partial_success_is_read_and_the_records_found(far: Receiver, places: list[int]) -> None:
    events = stream(10)
    far.answer = rejecting({events[place].facts["event_id"] for place in places})
    sink = open_sink(f"otlp:{far.url()}")
    receipts = sink.write(rendered(events))
    sink.close()
    assert [n for n, r in enumerate(receipts) if r.status == "rejected"] == places
    assert all(r.status == "delivered" for n, r in enumerate(receipts) if n not in places)
    assert all("bad record" in receipts[n].reason for n in places)
    arrived = {uid(r) for request in far.requests for r in otlp_records(request)}
    assert len(arrived) == 10


def test_a_page_instead_of_an_answer_is_no_delivery(far: Receiver) -> None:
    far.script = [(200, {"Content-Type": "text/html"}, b"<html>sign in</html>")]
    sink = open_sink(f"otlp:{far.url()}")
    assert {r.status for r in sink.write(rendered(stream(2)))} == {"retry"}
    far.script = [
        (
            200,
            {"Content-Type": "application/json"},
            b'{"partialSuccess":{"rejectedLogRecords":"2"}}',
        )
    ]
    assert {r.status for r in sink.write(rendered(stream(2)))} == {"rejected"}
    far.script = [(200, {}, b"\xff\xff\xff")]
    assert {r.status for r in sink.write(rendered(stream(2)))} == {"retry"}
    sink.close()


def test_requests_stay_under_the_size_collectors_take(far: Receiver) -> None:
    events = stream(1200)
    for event in events:
        event.facts["decision_reason"] = "r" * 8000
    send(far, events)
    assert len(otlp_records(far.requests[0])) < 512
    assert max(len(request.body) for request in far.requests) < 4 << 20


def test_a_refusal_before_the_body_was_read_is_heard(far: Receiver) -> None:
    """Otherwise a record that is too large for the far end would be retried for ever."""
    large = shell(1)
    large.facts["decision_reason"] = "r" * (6 << 20)
    far.script = ["early"]
    sink = open_sink(f"otlp:{far.url()}")
    (receipt,) = sink.write(rendered([large]))
    assert (receipt.status, receipt.reason) == ("rejected", "HTTP 413")
    assert sink.write(rendered(stream(1)))[0].status == "delivered"
    sink.close()


def test_gzip_is_decoded_by_the_receiver(far: Receiver) -> None:
    assert len(send(far, stream(3), compression="gzip")) == 3
    assert far.requests[0].headers["content-encoding"] == "gzip"
    with pytest.raises(SinkError, match="compression"):
        open_sink(f"otlp:{far.url()}", compression="zip")


def test_a_base_address_gets_the_path_of_logs() -> None:
    assert endpoint("http://host:4318") == "http://host:4318/v1/logs"
    assert endpoint("http://host:4318/") == "http://host:4318/v1/logs"
    assert endpoint("https://host/otlp") == "https://host/otlp/v1/logs"
    assert endpoint("http://host:4318/v1/logs") == "http://host:4318/v1/logs"
    assert endpoint("https://host/v1/logs?tenant=a") == "https://host/v1/logs?tenant=a"


def test_the_token_goes_out_as_a_header_and_stays_out_of_messages(far: Receiver) -> None:
    token = "to" + "ken-" + "q" * 12
    sink = open_sink(f"otlp:{far.url()}", token=token, headers={"x-tenant": "a"})
    far.script = [(401, {}, token.encode())]
    (receipt,) = sink.write(rendered(stream(1)))
    assert far.requests[0].headers["authorization"] == f"Bearer {token}"
    assert far.requests[0].headers["x-tenant"] == "a"
    assert token not in repr(receipt) + sink.uri
    sink.close()


def test_no_module_of_the_sink_imports_the_sdk() -> None:
    source = Path(__file__).parents[2] / "src" / "hookstream" / "sinks"
    for path in source.rglob("*.py"):
        assert "opentelemetry.sdk" not in path.read_text(encoding="utf-8"), path.name
