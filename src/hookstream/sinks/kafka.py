"""`kafka:host:9092[,host:9092]/topic`: Apache Kafka through confluent-kafka (extra `kafka`).

Keyed by session, so that a session stays in one partition and in order; the producer is idempotent
and waits for all replicas. What librdkafka needs beyond the address (SASL, TLS, limits) is the
option `config`, a table of librdkafka settings. With `format="cloudevents"` events travel in the
binary mode of the Kafka binding, attributes as `ce_` headers.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from hookstream.core.errors import SinkError, extra
from hookstream.sinks.base import DELIVERED, Receipt, rejected, retry
from hookstream.sinks.delivery import merged, rendering, worst
from hookstream.sinks.formats.cloudevents import CloudEvents
from hookstream.sinks.formats.render import checked, renderer_at
from hookstream.sinks.kinds import (
    ARGUMENTS,
    OCSF_VERSION,
    SIGNING_KEY,
    SinkKind,
    SinkOption,
    format_option,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cloudevents.core.v1.event import CloudEvent

    from hookstream.sinks.kinds import Opening
    from hookstream.standards.rendered import Rendered

    Record = list[tuple[bytes, dict[str, str]]]

# The record's own fault; everything else is the cluster's or the set-up's.
REFUSED = frozenset(("MSG_SIZE_TOO_LARGE", "INVALID_MSG", "INVALID_RECORD", "INVALID_MSG_SIZE"))


def open_sink(
    at: Opening,
    *,
    format: str,
    config: Mapping[str, Any] | None,
    timeout_s: float,
    arguments: bool | None,
    version: str,
    signing_key_file: str | None,
) -> Kafka:
    servers, slash, topic = at.target.partition("/")
    if not slash or not servers or not topic or "@" in at.target:
        raise SinkError("kafka: write kafka:host:9092/topic, several hosts with commas between")
    try:
        from confluent_kafka import KafkaException, Producer
    except ImportError:
        raise SinkError(f"kafka: {extra('kafka')}") from None
    settings = {
        "bootstrap.servers": servers,
        "client.id": "hookstream",
        "compression.type": "zstd",
        "linger.ms": 5,
        "log_level": 2,  # what goes wrong is in receipts; the client's own lines are in the way
        **(config or {}),
        # Not for the configuration to weaken: order, no duplicates, all replicas.
        "enable.idempotence": True,
        "acks": "all",
        "message.timeout.ms": int(timeout_s * 1000),
    }
    try:
        producer = Producer(settings)
    except (KafkaException, ValueError, TypeError) as error:
        raise SinkError(f"kafka: {' '.join(str(error).split())[:200]}") from None
    form = CloudEvents(at.standard, at.now, at.installation)
    render = renderer_at(
        at, format, arguments=arguments, version=version, signing_key_file=signing_key_file
    )

    def messages(item: Rendered) -> Record:
        if format == "cloudevents":
            return [_binary(event) for event in form.events(item)]
        return [(one.data, {"content-type": one.content_type}) for one in render(item)]

    return Kafka(at.uri, producer, topic, messages, timeout_s)


KIND = SinkKind(
    name="kafka",
    open=open_sink,
    options=(
        format_option("native", "cloudevents", "ecs", "ocsf"),
        SinkOption("config", dict, None, "Settings of librdkafka, for SASL and TLS."),
        SinkOption("timeout_s", float, 30.0, "Longest wait for a delivery report."),
        ARGUMENTS,
        OCSF_VERSION,
        SIGNING_KEY,
    ),
    targets="`host:9092,host:9092/topic`",
    delivered="all replicas have it",
    duplicates="what was in flight",
    example="""\
uri = "kafka:broker-1.example:9093,broker-2.example:9093/agent-audit"
config = {"security.protocol" = "SSL"}
""",
)


def _binary(event: CloudEvent) -> tuple[bytes, dict[str, str]]:
    """The event in the binary mode of the SDK's Kafka binding; the key is the sink's own."""
    from cloudevents.core.bindings.kafka import to_binary
    from cloudevents.core.formats.json import JSONFormat

    message = to_binary(event, JSONFormat())
    headers = {name: value.decode("utf-8") for name, value in message.headers.items()}
    data = checked("cloudevents", message.value, headers["content-type"]).data
    return data, headers


class Kafka:
    """One topic. `write` returns when every message has its delivery report."""

    def __init__(
        self,
        uri: str,
        producer: Any,
        topic: str,
        messages: Callable[[Rendered], Record],
        timeout_s: float,
    ) -> None:
        self.uri = uri
        self._producer = producer
        self._topic = topic
        self._messages = messages
        self._timeout_s = timeout_s

    def write(self, batch: list[Rendered]) -> list[Receipt]:
        made, refused = rendering(batch, lambda item: (item, self._messages(item)))
        answers: list[list[Receipt | None]] = []
        for item, record in made:
            key = item.event.facts["session_id"].encode("utf-8", "replace")
            places: list[Receipt | None] = [None] * len(record)
            answers.append(places)
            for place, (data, headers) in enumerate(record):
                self._produce(key, data, headers, places, place)
        # Reports come within message.timeout.ms; what has none by then is not delivered.
        until = time.monotonic() + self._timeout_s + 5
        while any(None in places for places in answers) and time.monotonic() < until:
            self._producer.poll(0.05)
        silent = retry("no delivery report")
        receipts = [worst([one or silent for one in places]) for places in answers]
        return merged(receipts, refused)

    def _produce(
        self,
        key: bytes,
        data: bytes,
        headers: dict[str, str],
        places: list[Receipt | None],
        place: int,
    ) -> None:
        def report(error: Any, message: Any) -> None:
            places[place] = DELIVERED if error is None else receipt_of(error)

        pairs = [(name, value.encode("utf-8", "replace")) for name, value in headers.items()]
        try:
            self._producer.produce(
                self._topic, value=data, key=key, headers=pairs, on_delivery=report
            )
        except BufferError:
            self._producer.poll(0.5)
            places[place] = retry("the producer's queue is full")
        except Exception as error:  # KafkaException: what the client refuses by itself
            found = error.args[0] if error.args else error
            places[place] = receipt_of(found)
        self._producer.poll(0)

    def reject(self, lines: list[bytes]) -> None:
        """Ignore rejections: they are not events."""

    def flush(self) -> None:
        """Do nothing: every write waited for its reports."""

    def close(self) -> None:
        self._producer.flush(self._timeout_s)


def receipt_of(error: Any) -> Receipt:
    """A KafkaError as a receipt."""
    name = error.name() if hasattr(error, "name") else type(error).__name__
    if str(name).lstrip("_") in REFUSED:
        return rejected(f"kafka: {name}")
    return retry(f"kafka: {name}")
