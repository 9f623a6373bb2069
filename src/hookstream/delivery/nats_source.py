"""`run nats://HOST:4222/STREAM[?subject=FILTER]`: consume capture records from NATS JetStream.

A message is one record; the last token of its subject is the machine (`audit.m1`). JetStream has no
partitions: a filter is one, read in order from the sequence that was committed here, and more
processes take more filters. A second process with the same filter and state folder waits until
the first has ended.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

from hookstream.core.errors import HookstreamError, extra
from hookstream.delivery.partition import Partition, TopicMessage

MOST = 500
COMMIT_S = 1.0
COMMIT_RECORDS = 2000
WAIT_S = 0.2
CONNECT_S = 5.0


class NatsSource:
    """Consume until asked to stop, or with `once` to the current end of the stream."""

    def __init__(
        self,
        uri: str,
        open_partition: Callable[[str], Partition],
        stopped: Callable[[], bool],
        once: bool = False,
    ) -> None:
        self.uri = uri
        self.server, self.stream, self.subject = address(uri)
        self._open = open_partition
        self._stopped = stopped
        self._once = once
        self.counts: dict[str, int] = {}

    def run(self) -> None:
        """Consume. HookstreamError if the server or a sink cannot continue; nothing is lost
        then."""
        try:
            import nats
        except ImportError:
            raise HookstreamError(f"{self.uri}: {extra('nats')}") from None
        partition = self._open(partition_name(self.stream, self.subject))
        try:
            asyncio.run(self._consume(partition))
        except (nats.errors.Error, OSError) as error:
            text = " ".join(str(error).split()) or type(error).__name__
            raise HookstreamError(f"nats://{self.server}: {text[:200]}") from None
        finally:
            self.counts = dict(partition.counts)
            partition.close()

    async def _consume(self, partition: Partition) -> None:
        import nats
        from nats.js.api import ConsumerConfig, DeliverPolicy

        await self._reach()
        # From here on the client comes back by itself, however long the server is away.
        client = await nats.connect(
            f"nats://{self.server}", max_reconnect_attempts=-1, error_cb=_quiet
        )
        try:
            stream = client.jetstream()
            start = partition.offset or 1
            end = (await stream.stream_info(self.stream)).state.last_seq
            subscription = await stream.subscribe(
                self.subject or ">",
                stream=self.stream,
                ordered_consumer=True,
                config=ConsumerConfig(
                    deliver_policy=DeliverPolicy.BY_START_SEQUENCE, opt_start_seq=start
                ),
            )
            commit_at, uncommitted = time.monotonic() + COMMIT_S, 0
            left: int | None = None
            while not self._stopped():
                found, pending = await self._batch(subscription)
                if found:
                    partition.take(found)
                    left = pending
                    uncommitted += len(found)
                if uncommitted >= COMMIT_RECORDS or time.monotonic() > commit_at:
                    partition.commit()
                    partition.note(left)
                    commit_at, uncommitted = time.monotonic() + COMMIT_S, 0
                if self._once and (pending == 0 or (not found and start > end)):
                    break
            partition.commit()
            partition.note(left)
        finally:
            await client.close()

    async def _reach(self) -> None:
        """Connect. OSError if no server listens: the client itself would retry forever."""
        parts = urlsplit(f"//{self.server}")
        opening = asyncio.open_connection(parts.hostname, parts.port or 4222)
        _, writer = await asyncio.wait_for(opening, CONNECT_S)
        writer.close()

    async def _batch(self, subscription: Any) -> tuple[list[TopicMessage], int | None]:
        """Return messages in order, and how many are left after the last (None if none came)."""
        messages: list[TopicMessage] = []
        pending: int | None = None
        until = time.monotonic() + WAIT_S
        while len(messages) < MOST and (left := until - time.monotonic()) > 0:
            try:
                message = await subscription.next_msg(timeout=left)
            except TimeoutError:
                break
            about = message.metadata
            machine = message.subject.rpartition(".")[2]
            messages.append(TopicMessage(about.sequence.stream, machine, message.data))
            pending = about.num_pending
        return messages, pending


async def _quiet(error: Exception) -> None:
    """Ignore a client error: nothing arrives, and the fetch is repeated."""


def partition_name(stream: str, subject: str) -> str:
    """The folder of a stream, or of a filter of it."""
    filtered = re.sub(r"[^A-Za-z0-9]+", "-", subject).strip("-")
    return f"{stream}-{filtered}" if filtered else stream


def address(uri: str) -> tuple[str, str, str]:
    """Return (server, stream, subject filter). HookstreamError if it is not such an address."""
    parts = urlsplit(uri)
    asked = parse_qs(parts.query)
    stream = parts.path.strip("/")
    if not parts.netloc or "@" in parts.netloc or not stream or "/" in stream:
        raise HookstreamError("nats://: write nats://host:4222/STREAM?subject=audit.*")
    if set(asked) - {"subject"}:
        raise HookstreamError("nats://: the only option is subject")
    return parts.netloc, stream, asked.get("subject", [""])[0]
