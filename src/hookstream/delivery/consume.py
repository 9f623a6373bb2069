"""Message brokers as sources: kafka:// and nats:// URIs of `run`."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hookstream.core.errors import HookstreamError, SinkError
from hookstream.delivery.metrics import Sample
from hookstream.delivery.partition import Partition
from hookstream.delivery.stream_state import not_ready, stream_samples
from hookstream.pipeline.stages import Pipeline
from hookstream.sinks.base import Sink


class Consuming:
    """Settings of every partition; `sinks` gives those of a partition by its name."""

    def __init__(
        self,
        folder: Path,
        pipeline: Callable[[], Pipeline],
        sinks: Callable[[str], list[Sink]],
        key: bytes,
        clock: Callable[[], str],
    ) -> None:
        self.folder = folder
        self.pipeline = pipeline
        self.sinks = sinks
        self.key = key
        self.clock = clock
        self.stopping = threading.Event()
        # those that are open, by name
        self.partitions: dict[str, Partition] = {}
        self.counts: dict[str, int] = {}

    def open(self, name: str) -> Partition:
        """Open a partition. HookstreamError if its state is held by another process for long."""
        folder = self.folder / name
        while True:
            try:
                partition = self.partitions[name] = Partition(
                    name,
                    folder,
                    self.pipeline(),
                    self.sinks,
                    self.key,
                    self.clock,
                    self.stopping.is_set,
                    lambda: self.closed(name),
                )
                return partition
            except SinkError as error:
                # The one that had the partition is still writing its last.
                if self.stopping.wait(0.5):
                    raise HookstreamError(str(error)) from None

    def closed(self, name: str) -> None:
        """Keep the counts of a partition that was given up."""
        value = self.partitions.pop(name, None)
        for count, n in value.counts.items() if value is not None else ():
            self.counts[count] = self.counts.get(count, 0) + n

    def samples(self) -> list[Sample]:
        return stream_samples(list(self.partitions.values()), self.counts)

    def not_ready(self) -> list[str]:
        return not_ready(list(self.partitions.values()))

    def run(self, uri: str, config: dict[str, Any], once: bool) -> dict[str, int]:
        """Consume one source; return the counts. HookstreamError for what the user can fix."""
        if uri.startswith("nats://"):
            from hookstream.delivery.nats_source import NatsSource

            source: Any = NatsSource(uri, self.open, self.stopping.is_set, once)
        else:
            from hookstream.delivery.kafka_source import KafkaSource

            source = KafkaSource(uri, self.open, self.stopping.is_set, config, once)
        before: dict[signal.Signals, Any] = {}
        with contextlib.suppress(ValueError):  # not in the main thread
            for number in (signal.SIGTERM, signal.SIGINT):
                before[number] = signal.signal(number, lambda *_: self.stopping.set())
        try:
            source.run()
        except SinkError as error:
            raise HookstreamError(str(error)) from None
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
        counts: dict[str, int] = source.counts
        return counts
