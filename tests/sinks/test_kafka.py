"""Kafka on librdkafka's mock cluster: keys, order, headers, faults."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from hookstream.sinks import SinkError, open_sink

from .cluster import Cluster, cluster
from .events import rendered, rich, shell, stream


@pytest.fixture
def far() -> Iterator[Cluster]:
    with cluster() as made:
        yield made


def test_a_session_stays_in_order_in_one_partition(far: Cluster) -> None:
    events = []
    for number, event in enumerate(stream(60)):
        event.facts["session_id"] = f"session-{number % 5}"
        events.append(event)
    sink = open_sink(f"kafka:{far.servers}/agents", standard="agent-hooks")
    for at in range(0, 60, 13):
        assert {r.status for r in sink.write(rendered(events[at : at + 13]))} == {"delivered"}
    sink.close()
    found = far.messages("agents", 60)
    for number in range(5):
        key = f"session-{number}".encode()
        own = [message for message in found if message.key() == key]
        assert len({message.partition() for message in own}) == 1
        wanted = [e.facts["event_id"] for e in events if e.facts["session_id"].encode() == key]
        assert [json.loads(message.value())["event_id"] for message in own] == wanted


def test_cloudevents_travel_in_the_binary_mode_of_the_binding(far: Cluster) -> None:
    from cloudevents.core.bindings.kafka import KafkaMessage, from_binary_event
    from cloudevents.core.formats.json import JSONFormat

    items = rendered(rich())
    sink = open_sink(f"kafka:{far.servers}/agents", format="cloudevents")
    assert {r.status for r in sink.write(items)} == {"delivered"}
    sink.close()
    expected = [data for item in items for data in (item.agent_hooks, item.aarts) if data]
    found = far.messages("agents", len(expected))
    seen = []
    for message in found:
        given = KafkaMessage(
            headers=dict(message.headers()), key=message.key(), value=message.value()
        )
        event = from_binary_event(given, JSONFormat())
        assert message.key() == event.get_extension("partitionkey").encode()
        seen.append(event.get_data())
    assert seen == [json.loads(data) for data in expected]


def test_a_message_that_is_too_large_is_rejected_alone(far: Cluster) -> None:
    events = [shell(1), shell(2, command="x" * 20_000), shell(3)]
    sink = open_sink(
        f"kafka:{far.servers}/agents", standard="agent-hooks", config={"message.max.bytes": 10_000}
    )
    receipts = sink.write(rendered(events))
    assert [r.status for r in receipts] == ["delivered", "rejected", "delivered"]
    assert "MSG_SIZE_TOO_LARGE" in receipts[1].reason
    sink.close()


def test_a_cluster_that_is_away_is_a_retry() -> None:
    pytest.importorskip("confluent_kafka")
    sink = open_sink("kafka:127.0.0.1:9/agents", timeout_s=0.5, config={"log_level": 0})
    receipts = sink.write(rendered(stream(2)))
    assert {r.status for r in receipts} == {"retry"}
    sink.close()


@pytest.mark.parametrize("uri", ["host:9092", "host:9092/", "/topic", "u:p@host/topic"])
def test_a_wrong_address_is_one_line(uri: str) -> None:
    with pytest.raises(SinkError, match="kafka: write"):
        open_sink(f"kafka:{uri}")


@pytest.mark.parametrize("config", [{"no.such.setting": 1}, {"acks": 0, "compression.type": "x"}])
def test_a_setting_librdkafka_refuses_is_one_line(config: dict[str, Any]) -> None:
    pytest.importorskip("confluent_kafka")
    with pytest.raises(SinkError) as refused:
        open_sink("kafka:127.0.0.1:9/agents", config=config)
    assert "\n" not in str(refused.value)


def test_the_configuration_cannot_weaken_delivery(far: Cluster) -> None:
    sink = open_sink(
        f"kafka:{far.servers}/agents", config={"acks": "0", "enable.idempotence": False}
    )
    assert {r.status for r in sink.write(rendered(stream(1)))} == {"delivered"}
    sink.close()
