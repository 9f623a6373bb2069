"""`run kafka://HOST:9092/TOPIC[?group=NAME]`: consume capture records from Kafka.

A message is one record, its key the machine, so that a machine's log stays in one partition and in
order. Each partition has its own state and sinks (`partition`); more processes with the same state
folder take more partitions. The broker's own offset only informs.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import parse_qs, urlsplit

from hookstream.core.errors import HookstreamError, extra
from hookstream.core.logs import say_error
from hookstream.delivery.partition import Partition, TopicMessage

SCHEME = "kafka://"
MOST = 500
COMMIT_S = 1.0
COMMIT_RECORDS = 2000


class KafkaSource:
    """Consume until asked to stop, or with `once` to the end of all assigned partitions."""

    def __init__(
        self,
        uri: str,
        open_partition: Callable[[str], Partition],
        stopped: Callable[[], bool],
        config: Mapping[str, Any] | None = None,
        once: bool = False,
    ) -> None:
        servers, self.topic, group = address(uri)
        try:
            from confluent_kafka import Consumer, KafkaException
        except ImportError:
            raise HookstreamError(f"{uri}: {extra('kafka')}") from None
        settings = {
            "bootstrap.servers": servers,
            "client.id": "hookstream",
            "log_level": 2,
            # At the end of a topic the brokers answer nothing else while a fetch waits there.
            **({"fetch.wait.max.ms": 20} if once else {}),
            "error_cb": self._failed,
            **(config or {}),
            "group.id": group,
            "auto.offset.reset": "earliest",
            "enable.auto.commit": False,
            "enable.auto.offset.store": False,
            "enable.partition.eof": True,
        }
        try:
            self._consumer = Consumer(settings)
        except (KafkaException, ValueError, TypeError) as error:
            raise HookstreamError(f"{uri}: {' '.join(str(error).split())[:200]}") from None
        self._open = open_partition
        self._stopped = stopped
        self._once = once
        self._partitions: dict[int, Partition] = {}
        self._ended: set[int] = set()
        self._commit_at = 0.0
        self._uncommitted = 0
        self.counts: dict[str, int] = {}

    def run(self) -> None:
        """Consume. HookstreamError if a sink or the cluster cannot continue; nothing is lost
        then."""
        self._consumer.subscribe(
            [self.topic],
            on_assign=self._assigned,
            on_revoke=self._revoked,
            on_lost=self._lost,
        )
        try:
            while not self._stopped():
                self._take(self._consumer.consume(MOST, 0.2))
                due = time.monotonic() >= self._commit_at
                if due or self._uncommitted >= COMMIT_RECORDS:
                    self._commit()
                if self._once and self._ended >= set(self._partitions) and self._is_through():
                    break
            self._commit()
        finally:
            self._release(list(self._partitions))
            self._consumer.close()

    def _failed(self, error: Any) -> None:
        """Say that no broker can be reached: the library tries again without a word."""
        if error.name() == "_ALL_BROKERS_DOWN":
            say_error(f"{SCHEME}{self.topic}: no broker answers; tried again")

    def _is_through(self) -> bool:
        """Return whether every partition is read to its end; a broker may say so too early."""
        from confluent_kafka import KafkaException, TopicPartition

        for number, partition in self._partitions.items():
            try:
                low, high = self._consumer.get_watermark_offsets(
                    TopicPartition(self.topic, number), timeout=10, cached=False
                )
            except KafkaException:
                return False
            if max(low, partition.offset or 0) < high:
                return False
        return bool(self._partitions)

    def _take(self, found: list[Any]) -> None:
        by_partition: dict[int, list[TopicMessage]] = {}
        for one in found:
            number = one.partition()
            error = one.error()
            if error is None:
                self._ended.discard(number)
                key = one.key()
                machine = key.decode("utf-8", "replace") if key else None
                message = TopicMessage(one.offset(), machine, one.value() or b"")
                by_partition.setdefault(number, []).append(message)
            elif error.name() == "_PARTITION_EOF":
                self._ended.add(number)
            elif error.fatal() or error.name() == "UNKNOWN_TOPIC_OR_PART":
                raise HookstreamError(f"{SCHEME}{self.topic}: {error.str()}")
        for number, messages in by_partition.items():
            partition = self._partitions.get(number)
            if partition is not None:
                # What was read ahead before a seek is older than the offset that rules.
                fresh = [one for one in messages if one.offset >= (partition.offset or 0)]
                if fresh:
                    partition.take(fresh)
                    self._uncommitted += len(fresh)

    def _commit(self) -> None:
        from confluent_kafka import KafkaException, TopicPartition

        self._commit_at = time.monotonic() + COMMIT_S
        self._uncommitted = 0
        done = []
        for number, partition in self._partitions.items():
            offset = partition.commit()
            if offset is not None:
                done.append(TopicPartition(self.topic, number, offset))
            partition.note(self._lag(number, partition.offset))
        if done:
            with contextlib.suppress(KafkaException):  # a rebalance: ours rules
                self._consumer.commit(offsets=done, asynchronous=True)

    def _lag(self, number: int, offset: int | None) -> int | None:
        """Messages after the offset, by the broker's last answer."""
        from confluent_kafka import KafkaException, TopicPartition

        try:
            low, high = self._consumer.get_watermark_offsets(
                TopicPartition(self.topic, number), cached=True
            )
        except (KafkaException, RuntimeError):  # it has not been asked yet
            return None
        return max(0, high - max(low, offset or 0)) if high >= 0 else None

    def _assigned(self, consumer: Any, given: list[Any]) -> None:
        from confluent_kafka import OFFSET_BEGINNING

        for one in given:
            partition = self._open(f"{self.topic}-{one.partition}")
            self._partitions[one.partition] = partition
            one.offset = OFFSET_BEGINNING if partition.offset is None else partition.offset
        self._ended.clear()
        consumer.assign(given)

    def _revoked(self, consumer: Any, given: list[Any]) -> None:
        self._commit()
        self._release([one.partition for one in given])

    def _lost(self, consumer: Any, given: list[Any]) -> None:
        """Release partitions that another consumer already has: nothing more is written."""
        self._release([one.partition for one in given])

    def _release(self, numbers: list[int]) -> None:
        for number in numbers:
            partition = self._partitions.pop(number, None)
            if partition is not None:
                for name, count in partition.counts.items():
                    self.counts[name] = self.counts.get(name, 0) + count
                partition.close()


def address(uri: str) -> tuple[str, str, str]:
    """Return (servers, topic, group). HookstreamError if it is not such an address."""
    servers, _, topic = uri.removeprefix(SCHEME).partition("?")[0].partition("/")
    asked = parse_qs(urlsplit(uri).query)
    if not servers or not topic or "@" in servers or set(asked) - {"group"}:
        raise HookstreamError(
            f"{SCHEME}: write kafka://host:9092,host:9092/topic?group=NAME; credentials belong "
            "in the [kafka] table of a --config file"
        )
    return servers, topic, asked.get("group", ["hookstream"])[0]
