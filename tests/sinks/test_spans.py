"""Spans for finished pairs, and OTLP over gRPC."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from hookstream.core.event import Event
from hookstream.sinks import SinkError, open_sink
from hookstream.sinks.base import FILTERED
from hookstream.sinks.formats import spans
from hookstream.sinks.formats.trace import call_span, session_span, turn_span
from hookstream.standards.rendered import Rendered

from .events import SESSION, rendered, stream
from .receivers import GrpcReceiver, Receiver, otlp_answer, serve, serve_grpc


def event(kind: str, at: int, point: str | None = None, **facts: Any) -> Event:
    base = {
        "event_id": f"{kind}-{at}-{facts.get('call_id', '')}",
        "timestamp": f"2026-03-01T12:00:{at:02d}.000Z",
        "tool": "claude-code",
        "session_id": SESSION,
    }
    return Event(kind, point, {**base, **facts}, "claude-code")


CALL = {"call_id": "c-1", "turn_id": "t-1", "action_native": "Bash", "action_name": "shell"}
SESSION_OF_ONE_CALL = [
    event("Session.Start", 0),
    event("Prompt.Submitted", 1, turn_id="t-1"),
    event("Action.Before", 2, **CALL),
    event("Action.After", 4, success=True, outcome="ok", **CALL),
    event("Agent.Response", 5, turn_id="t-1", final=True),
    event("Session.End", 6),
]


def made(events: list[Event]) -> list[Any]:
    pairs = spans.Pairs()
    return [span for one in events if (span := pairs.see(one)) is not None]


def seconds(span: Any) -> tuple[int, int]:
    start = span.start_time_unix_nano // 10**9 % 60
    return start, span.end_time_unix_nano // 10**9 % 60


def test_a_call_a_turn_and_a_session_are_nested_spans() -> None:
    call, turn, session = made(SESSION_OF_ONE_CALL)
    first = SESSION_OF_ONE_CALL[2]
    assert [one.name for one in (call, turn, session)] == [
        "execute_tool Bash",
        "invoke_agent claude-code",
        "invoke_agent claude-code",
    ]
    assert [seconds(one) for one in (call, turn, session)] == [(2, 4), (1, 5), (0, 6)]
    assert call.span_id == call_span(first)
    assert call.parent_span_id == turn.span_id == turn_span(first)
    assert turn.parent_span_id == session.span_id == session_span(first)
    assert session.parent_span_id == b""
    assert len({one.trace_id for one in (call, turn, session)}) == 1
    assert {one.kind for one in (call, turn, session)} == {1}


def test_a_sub_agents_calls_hang_under_it_and_it_under_the_call_that_began_it() -> None:
    caller = {"call_id": "c-0", "turn_id": "t-1", "action_native": "Task", "action_name": "other"}
    agent = {"agent_id": "a-1", "agent_type": "reviewer", "turn_id": "t-1", "parent_call_id": "c-0"}
    deeper = {**agent, "agent_id": "a-2", "agent_type": "tester", "parent_agent_id": "a-1"}
    del deeper["parent_call_id"]
    begin, end = "PreSubAgentSpawn", "PostSubAgentResult"
    events = [
        *SESSION_OF_ONE_CALL[:2],
        event("Action.Before", 2, **caller),
        event("Agent.Plan.Start", 2, **agent, point=begin),
        event("Agent.Plan.Start", 3, **deeper, point=begin),
        event("Action.Before", 3, **CALL, agent_id="a-2"),
        event("Action.After", 4, **CALL, agent_id="a-2"),
        event("Agent.Plan.End", 4, **deeper, point=end),
        event("Agent.Plan.End", 5, **agent, point=end),
        event("Action.After", 5, **caller),
        *SESSION_OF_ONE_CALL[4:],
    ]
    shell, tester, reviewer, task, turn, _ = made(events)
    assert [one.name for one in (shell, tester, reviewer, task)] == [
        "execute_tool Bash",
        "invoke_agent tester",
        "invoke_agent reviewer",
        "execute_tool Task",
    ]
    assert shell.parent_span_id == tester.span_id
    assert tester.parent_span_id == reviewer.span_id
    assert reviewer.parent_span_id == task.span_id
    assert task.parent_span_id == turn.span_id
    assert len({one.span_id for one in (shell, tester, reviewer, task, turn)}) == 5


def test_half_a_pair_makes_no_span() -> None:
    for left_out in (0, 1, 2):
        events = [one for n, one in enumerate(SESSION_OF_ONE_CALL) if n != left_out]
        assert len(made(events)) == 2
    assert made([SESSION_OF_ONE_CALL[3]]) == []


def test_a_denied_call_has_no_length_and_is_an_error() -> None:
    denied = event("Policy.Blocked", 3, decision="deny", **CALL)
    late = event("Action.After", 4, outcome="denied", **CALL)
    (span,) = made([SESSION_OF_ONE_CALL[2], denied, late])
    assert seconds(span) == (3, 3)
    assert span.status.code == 2
    assert {a.key: a.value.string_value for a in span.attributes}["error.type"] == "denied"


def test_a_tool_of_a_server_is_a_client_span_and_the_only_one() -> None:
    facts = {**CALL, "mcp_server": "files", "action_native": "read_file"}
    (span,) = made([event("Action.Before", 1, **facts), event("Action.After", 2, **facts)])
    assert (span.name, span.kind) == ("tools/call read_file", 3)


def test_a_clock_that_went_back_gives_no_negative_span() -> None:
    (span,) = made([event("Action.Before", 9, **CALL), event("Action.After", 4, **CALL)])
    assert span.start_time_unix_nano == span.end_time_unix_nano


def test_what_is_reported_twice_is_one_span_and_a_replay_is_the_same_span() -> None:
    before, after = SESSION_OF_ONE_CALL[2:4]
    twice = event("Action.After", 5, duplicate_of=after.facts["event_id"], **CALL)
    again = event("Action.After", 6, **CALL)
    pairs = spans.Pairs()
    found = [pairs.see(one) for one in (before, after, twice, again, after)]
    assert [one is not None for one in found] == [False, True, False, False, True]
    assert found[1] == found[4]


def test_open_pairs_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spans, "MOST_OPEN", 3)
    pairs = spans.Pairs()
    for number in range(10):
        pairs.see(event("Action.Before", 1, **{**CALL, "call_id": f"c-{number}"}))
    ends = [event("Action.After", 2, **{**CALL, "call_id": f"c-{n}"}) for n in range(10)]
    assert [pairs.see(end) is not None for end in ends] == [False] * 7 + [True] * 3


def test_spans_go_out_behind_the_logs_and_hold_their_record_back() -> None:
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    with serve(Receiver(lambda _: otlp_answer())) as far:
        sink = open_sink(f"otlp:{far.url()}", spans=True)
        items = [Rendered(one) for one in SESSION_OF_ONE_CALL]
        far.script = [otlp_answer(), (503, {"Retry-After": "2"}, b"")]
        statuses = [r.status for r in sink.write(items)]
        assert statuses == ["delivered"] * 3 + ["retry"] * 3
        assert {r.status for r in sink.write(items[3:])} == {"delivered"}
        sink.close()
    assert [r.path for r in far.requests] == ["/v1/logs", "/v1/traces"] * 2
    traces = ExportTraceServiceRequest.FromString(far.requests[-1].body)
    assert len(traces.resource_spans[0].scope_spans[0].spans) == 3


def sent(far: Receiver) -> list[Any]:
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    found = []
    for request in far.requests:
        assert request.path == "/v1/traces"
        message = ExportTraceServiceRequest.FromString(request.body)
        found += [one for r in message.resource_spans for s in r.scope_spans for one in s.spans]
    return found


def test_a_receiver_of_traces_gets_spans_alone() -> None:
    with serve(Receiver(lambda _: otlp_answer())) as far:
        sink = open_sink(f"otlp:{far.url()}", spans="only")
        receipts = sink.write([Rendered(one) for one in SESSION_OF_ONE_CALL])
        sink.flush()
        sink.close()
    assert {r.status for r in receipts} == {"delivered"}
    # What makes no span was not sent, and is not counted as if it was.
    assert [r is FILTERED for r in receipts] == [True] * 3 + [False] * 3
    assert len(sent(far)) == 3


def test_spans_takes_no_other_word() -> None:
    with pytest.raises(SinkError, match="only"):
        open_sink("otlp:http://127.0.0.1:4318", spans="alone")


def test_every_parent_is_sent_though_its_end_never_comes() -> None:
    """A turn that was interrupted, a session whose client was killed."""
    with serve(Receiver(lambda _: otlp_answer())) as far:
        sink = open_sink(f"otlp:{far.url()}", spans="only")
        sink.write([Rendered(one) for one in SESSION_OF_ONE_CALL[:4]])
        sink.close()
    _, turn, session = found = sent(far)
    assert {one.parent_span_id for one in found} == {turn.span_id, session.span_id, b""}
    assert [seconds(one) for one in found] == [(2, 4), (1, 4), (0, 4)]
    said = {a.key: a.value.array_value.values for a in turn.attributes}
    assert [one.string_value for one in said["hookstream.synthesized"]] == ["end"]


def test_a_parent_whose_beginning_was_not_seen_is_not_named() -> None:
    (call,) = made(SESSION_OF_ONE_CALL[2:4])
    assert call.parent_span_id == b""
    call, turn = made(SESSION_OF_ONE_CALL[1:5])
    assert (call.parent_span_id, turn.parent_span_id) == (turn.span_id, b"")


def test_a_parent_that_makes_room_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spans, "MOST_OPEN", 3)
    pairs = spans.Pairs()
    for one in SESSION_OF_ONE_CALL[:4]:
        pairs.see(one)
    for number in range(3):
        pairs.see(event("Action.Before", 1, **{**CALL, "call_id": f"c-{number}"}))
    # The session had no child yet; the turn is the parent of a call that was sent.
    assert [(seconds(one), one.parent_span_id) for one in pairs.overdue] == [((1, 4), b"")]
    assert pairs.unfinished() and not pairs.unfinished()


@pytest.fixture
def grpc() -> Iterator[GrpcReceiver]:
    with serve_grpc() as far:
        yield far


def test_grpc_carries_logs_and_spans(grpc: GrpcReceiver) -> None:
    word = "q" * 8
    uri = f"otlp:grpc://127.0.0.1:{grpc.port}"
    sink = open_sink(uri, spans=True, token=word, compression="gzip")
    items = [Rendered(one) for one in SESSION_OF_ONE_CALL]
    assert {r.status for r in sink.write(items)} == {"delivered"}
    sink.close()
    assert (len(grpc.logs), len(grpc.spans)) == (6, 3)
    assert grpc.metadata[0]["authorization"] == f"Bearer {word}"


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        ("UNAVAILABLE", "retry"),
        ("RESOURCE_EXHAUSTED", "retry"),
        ("UNAUTHENTICATED", "retry"),
        ("UNIMPLEMENTED", "retry"),
        ("INTERNAL", "retry"),
        ("INVALID_ARGUMENT", "rejected"),
    ],
)
def test_grpc_statuses(grpc: GrpcReceiver, status: str, expected: str) -> None:
    grpc.script = [status] * 3
    sink = open_sink(f"otlp:grpc://127.0.0.1:{grpc.port}")
    assert {r.status for r in sink.write(rendered(stream(2)))} == {expected}
    sink.close()


def test_grpc_reads_partial_success(grpc: GrpcReceiver) -> None:
    events = stream(8)
    grpc.refuse = {events[5].facts["event_id"]}
    sink = open_sink(f"otlp:grpc://127.0.0.1:{grpc.port}")
    statuses = [r.status for r in sink.write(rendered(events))]
    assert statuses == ["delivered"] * 5 + ["rejected"] + ["delivered"] * 2
    sink.close()


def test_grpc_addresses_and_credentials(grpc: GrpcReceiver) -> None:
    with pytest.raises(SinkError, match="grpcs only"):
        open_sink("otlp:grpc://example.com:4317", token="t")
    for uri in ("otlp:grpc://", "otlp:grpc://u:p@h:4317"):
        with pytest.raises(SinkError):
            open_sink(uri)
    dead = open_sink("otlp:grpc://127.0.0.1:9", timeout_s=0.5)
    assert dead.write(rendered(stream(1)))[0].status == "retry"
    dead.close()
