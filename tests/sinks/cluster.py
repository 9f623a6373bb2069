"""librdkafka's own mock cluster, and what its topics hold."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest


class Cluster:
    def __init__(self, servers: str) -> None:
        self.servers = servers

    def messages(self, topic: str, expected: int, within_s: float = 10.0) -> list[Any]:
        """Everything the topic holds, by partition and offset; waits for `expected` of them."""
        from confluent_kafka import Consumer, TopicPartition

        consumer = Consumer(
            {
                "bootstrap.servers": self.servers,
                "group.id": "test",
                "enable.auto.commit": False,
                "auto.offset.reset": "earliest",
                "enable.partition.eof": True,
            }
        )
        try:
            found = consumer.list_topics(topic, timeout=10).topics[topic].partitions
            consumer.assign([TopicPartition(topic, number, 0) for number in found])
            ended: set[int] = set()
            messages = []
            while len(ended) < len(found):
                message = consumer.poll(within_s)
                assert message is not None, "the cluster says nothing"
                if message.error() is None:
                    messages.append(message)
                else:
                    ended.add(message.partition())
            assert len(messages) >= expected
            return sorted(messages, key=lambda one: (one.partition(), one.offset()))
        finally:
            consumer.close()


@contextmanager
def cluster() -> Iterator[Cluster]:
    kafka = pytest.importorskip("confluent_kafka", reason="needs the extra kafka")
    host = kafka.Producer({"bootstrap.servers": "mock", "test.mock.num.brokers": 3, "log_level": 2})
    brokers = host.list_topics(timeout=10).brokers.values()
    yield Cluster(",".join(f"{one.host}:{one.port}" for one in brokers))
    host.flush(1)
