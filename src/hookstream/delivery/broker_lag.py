"""The number of messages that the broker has after the offsets committed here, asked now."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hookstream.core.errors import HookstreamError, extra
from hookstream.core.shown import shown
from hookstream.delivery import kafka_source, nats_source
from hookstream.delivery.stream_state import read_stream, stream_problems

ANSWER_S = 5.0


def lags(
    uri: str, offsets: Mapping[str, int | None], config: Mapping[str, Any] | None = None
) -> dict[str, int]:
    """Partition -> unread messages, including partitions never consumed here. HookstreamError if
    the broker does not answer."""
    if uri.startswith(kafka_source.SCHEME):
        return of_kafka(uri, offsets, config or {})
    return of_nats(uri, offsets)


def of_kafka(
    uri: str, offsets: Mapping[str, int | None], config: Mapping[str, Any]
) -> dict[str, int]:
    servers, topic, group = kafka_source.address(uri)
    try:
        from confluent_kafka import Consumer, KafkaException, TopicPartition
    except ImportError:
        raise HookstreamError(f"{uri}: {extra('kafka')}") from None
    fields = {"bootstrap.servers": servers, "log_level": 0, **config, "group.id": group}
    try:
        consumer = Consumer(fields)
        try:
            found = {}
            known = consumer.list_topics(topic, timeout=ANSWER_S).topics[topic].partitions
            for number in known:
                low, high = consumer.get_watermark_offsets(
                    TopicPartition(topic, number), timeout=ANSWER_S
                )
                name = f"{topic}-{number}"
                found[name] = max(0, high - max(low, offsets.get(name) or 0))
            return found
        finally:
            consumer.close()
    except (KafkaException, ValueError, TypeError) as error:
        said = " ".join(str(error).split())[:200]
        raise HookstreamError(f"{uri}: no answer: {said}") from None


def of_nats(uri: str, offsets: Mapping[str, int | None]) -> dict[str, int]:
    """Count what a consumer at the offset would get; the consumer is removed again."""
    try:
        import nats
    except ImportError:
        raise HookstreamError(f"{uri}: {extra('nats')}") from None
    server, stream, subject = nats_source.address(uri)
    name = nats_source.partition_name(stream, subject)

    async def ask() -> int:
        from nats.js.api import AckPolicy, ConsumerConfig, DeliverPolicy

        client = await nats.connect(
            f"nats://{server}", allow_reconnect=False, connect_timeout=int(ANSWER_S)
        )
        try:
            made = await client.jetstream().add_consumer(
                stream,
                ConsumerConfig(
                    deliver_policy=DeliverPolicy.BY_START_SEQUENCE,
                    opt_start_seq=offsets.get(name) or 1,
                    filter_subject=subject or None,
                    ack_policy=AckPolicy.NONE,
                    inactive_threshold=ANSWER_S,
                ),
            )
            await client.jetstream().delete_consumer(stream, made.name)
            return int(made.num_pending or 0)
        finally:
            await client.close()

    try:
        return {name: asyncio.run(asyncio.wait_for(ask(), 2 * ANSWER_S))}
    except (nats.errors.Error, OSError, TimeoutError) as error:
        text = " ".join(str(error).split()) or type(error).__name__
        raise HookstreamError(f"{uri}: no answer: {text[:200]}") from None


def problems_of_stream(
    folder: Path, source: str, kafka: dict[str, Any], stuck_s: float
) -> tuple[dict[str, Any], list[str]]:
    """A stream's state, partition by partition, with what the broker has now, and what is wrong
    with it. HookstreamError if it has never run."""
    state = {"source": shown(source), **read_stream(folder)}
    if not state["partitions"]:
        raise HookstreamError(f"has never run (no state in {folder})")
    problems = []
    try:
        offsets = {name: one["offset"] for name, one in state["partitions"].items()}
        for name, lag in lags(source, offsets, kafka).items():
            unknown = {"running": False, "offset": None, "at": 0.0}
            state["partitions"].setdefault(name, unknown)["lag"] = lag
    except HookstreamError as error:
        problems.append(str(error))
    return state, [*problems, *stream_problems(state, stuck_s)]
