"""Splunk's collector: what an event looks like, whose fault an answer is, acknowledgements."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest

from hookstream.sinks import SinkError, open_sink

from .events import rendered, rich, stream
from .receivers import Collector, Receiver, serve

TOKEN = "collector-" + "7" * 8


class Far:
    def __init__(self, collector: Collector, receiver: Receiver) -> None:
        self.collector = collector
        self.receiver = receiver

    def open(self, **options: Any) -> Any:
        return open_sink(f"splunk:{self.receiver.url()}", token=TOKEN, **options)


@pytest.fixture
def far(request: pytest.FixtureRequest) -> Iterator[Far]:
    collector = Collector(TOKEN, ack=getattr(request, "param", False))
    with serve(Receiver(collector)) as receiver:
        yield Far(collector, receiver)


acked = pytest.mark.parametrize("far", [True], indirect=True)


def test_events_carry_time_source_type_and_the_standard_itself(far: Far) -> None:
    events = rich()
    sink = far.open(index="agents", source="laptop-7", host="h")
    assert {r.status for r in sink.write(rendered(events))} == {"delivered"}
    sink.close()
    first = far.collector.events[0]
    assert first["time"] == "1772366400.000000"
    assert (first["index"], first["source"], first["host"]) == ("agents", "laptop-7", "h")
    kinds = {one["sourcetype"] for one in far.collector.events}
    assert kinds == {"hookstream:agent_hooks", "hookstream:aarts"}
    hooks = [e for e in far.collector.events if e["sourcetype"] == "hookstream:agent_hooks"]
    assert [e["event"] for e in hooks] == [json.loads(i.agent_hooks) for i in rendered(events)]


@pytest.mark.parametrize("places", [[0], [3], [9], [2, 3, 7]])
def test_the_event_the_collector_names_is_rejected_and_the_rest_sent(
    far: Far, places: list[int]
) -> None:
    events = stream(10)
    far.collector.poison = {events[n].facts["event_id"] for n in places}
    sink = far.open()
    receipts = sink.write(rendered(events))
    assert [n for n, r in enumerate(receipts) if r.status == "rejected"] == places
    assert all(r.status == "delivered" for n, r in enumerate(receipts) if n not in places)
    sink.close()
    arrived = {e["event"]["event_id"] for e in far.collector.events if "event_id" in e["event"]}
    assert arrived == {e.facts["event_id"] for n, e in enumerate(events) if n not in places}


@pytest.mark.parametrize("code", [7, 10, 11, 14])
def test_a_wrong_index_or_channel_costs_no_record(far: Far, code: int) -> None:
    far.receiver.script = [far.collector.say(400, code, "Incorrect index")]
    sink = far.open()
    assert {r.status for r in sink.write(rendered(stream(3)))} == {"retry"}
    assert len(far.receiver.requests) == 1
    sink.close()


def test_a_wrong_token_costs_no_record_and_is_not_repeated_in_words(far: Far) -> None:
    wrong = "not-" + "right"
    sink = open_sink(f"splunk:{far.receiver.url()}", token=wrong)
    (receipt,) = sink.write(rendered(stream(1)))
    assert receipt.status == "retry"
    assert wrong not in repr(receipt) + sink.uri
    sink.close()


def test_a_page_instead_of_an_answer_is_no_delivery(far: Far) -> None:
    far.receiver.script = [(200, {}, b"<html>")]
    sink = far.open()
    assert {r.status for r in sink.write(rendered(stream(1)))} == {"retry"}
    sink.close()


@acked
def test_flush_waits_for_the_indexers(far: Far) -> None:
    sink = far.open(ack=True, ack_timeout_s=0.2)
    far.collector.indexing = False
    assert {r.status for r in sink.write(rendered(stream(3)))} == {"delivered"}
    with pytest.raises(SinkError, match="unacknowledged"):
        sink.flush()
    far.collector.indexing = True
    sink.flush()
    asked = len(far.receiver.requests)
    sink.flush()
    assert len(far.receiver.requests) == asked, "what is acknowledged is not asked for again"
    sink.close()


@acked
def test_what_waits_for_the_indexers_is_bounded(far: Far, monkeypatch: Any) -> None:
    monkeypatch.setattr("hookstream.sinks.splunk.MOST_HELD", 4)
    sink = far.open(ack=True, ack_timeout_s=0.2)
    far.collector.indexing = False
    statuses = [sink.write(rendered(stream(1)))[0].status for _ in range(6)]
    assert statuses == ["delivered"] * 4 + ["retry"] * 2
    far.collector.indexing = True
    assert sink.write(rendered(stream(1)))[0].status == "delivered"
    sink.close()


@acked
def test_what_is_never_acknowledged_is_sent_again(far: Far, monkeypatch: Any) -> None:
    sink = far.open(ack=True, ack_timeout_s=2.0)
    far.collector.indexing = False
    sink.write(rendered(stream(2)))
    far.collector.waiting.clear()  # the indexer lost them
    far.collector.indexing = True
    monkeypatch.setattr("hookstream.sinks.splunk.RESEND_S", 0.01)
    time.sleep(0.02)
    sink.flush()
    ids = [e["event"].get("event_id") for e in far.collector.events]
    assert len([one for one in ids if one]) == 4
    sink.close()


@acked
def test_a_token_without_acknowledgement_is_a_fault_of_the_set_up(far: Far) -> None:
    far.collector.ack = False
    sink = far.open(ack=True)
    (receipt,) = sink.write(rendered(stream(1)))
    assert receipt.status == "retry"
    assert "acknowledgement" in receipt.reason
    sink.close()


def test_it_needs_a_token_and_knows_its_formats(far: Far) -> None:
    with pytest.raises(SinkError, match="token"):
        open_sink("splunk:https://localhost:8088")
    with pytest.raises(SinkError, match="format"):
        far.open(format="cef")
    assert len(far.receiver.requests) == 0


@pytest.mark.parametrize("path", ["", "/", "/services/collector", "/services/collector/event"])
def test_every_common_way_to_write_the_address_works(far: Far, path: str) -> None:
    sink = open_sink(f"splunk:{far.receiver.url(path)}", token=TOKEN)
    assert sink.write(rendered(stream(1)))[0].status == "delivered"
    sink.close()
