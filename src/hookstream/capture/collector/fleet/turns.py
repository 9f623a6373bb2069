"""Fair turns: which requests of a fleet are let in, and whose is worked on next.

What one credential sends at once is bounded in requests and bytes before a body is read, and again
in threads; those that wait are served in turns, one of each sender. So one credential takes a share
of the collector, however much it sends. Used by one event loop.
"""

from __future__ import annotations

import asyncio
import random
from collections import Counter, deque
from contextlib import asynccontextmanager, contextmanager

from hookstream.capture.collector.http_messages import HttpError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator
    from typing import TypeAlias

    from hookstream.capture.collector.fleet.senders import Identity

    Sender: TypeAlias = tuple[str, str]

# Requests inside at once, and the bytes of their bodies.
INSIDE, INSIDE_BYTES = 256, 512 << 20
# ... of one machine, and of all machines with one credential.
INSIDE_OF_ONE, INSIDE_OF_SHARED = 8, 128
# Threads that work on requests; of one machine; of all machines with one credential.
THREADS, THREADS_OF_ONE, THREADS_OF_SHARED = 16, 1, 8


class Turns:
    """Queue of requests; `admit` may refuse a sender for its own reasons; `held_off` counts
    those that wait."""

    def __init__(
        self, admit: Callable[[Identity], None], held_off: Callable[[], None] = lambda: None
    ) -> None:
        self.admit = admit
        self.held_off = held_off
        self.inside: Counter[str | Sender] = Counter()
        self.count = self.bytes = 0
        self.working: Counter[str | Sender] = Counter()
        self.free = THREADS
        # senders with requests that wait for a thread, the next one first
        self.waiting: dict[Sender, deque[asyncio.Future[None]]] = {}

    @contextmanager
    def entered(self, sender: Identity, size: int) -> Iterator[None]:
        """Count a request inside with a body of that size. Raises HttpError: 429 if its sender
        has enough inside, 503 if the collector has."""
        self.admit(sender)
        pair = (sender.credential, sender.machine)
        of_one, of_all = self.inside[pair], self.inside[sender.credential]
        if of_one >= INSIDE_OF_ONE or of_all >= INSIDE_OF_SHARED:
            self.held_off()
            raise HttpError(429, retry_s=1, reason="this credential has enough requests under way")
        if self.count >= INSIDE or self.bytes + size > INSIDE_BYTES:
            self.held_off()
            raise HttpError(503, retry_s=random.randint(1, 5))  # noqa: S311  # no secret
        self.inside.update((pair, sender.credential))
        self.count += 1
        self.bytes += size
        try:
            yield
        finally:
            _less(self.inside, pair, sender.credential)
            self.count -= 1
            self.bytes -= size

    @asynccontextmanager
    async def turn(self, sender: Identity) -> AsyncIterator[None]:
        """Wait for a thread."""
        pair = (sender.credential, sender.machine)
        if self.free and pair not in self.waiting and self._may_work(pair):
            self._begin(pair)
        else:
            ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self.waiting.setdefault(pair, deque()).append(ready)
            try:
                await ready
            except asyncio.CancelledError:
                self._withdraw(pair, ready)
                raise
        try:
            yield
        finally:
            self._end(pair)

    def _may_work(self, pair: Sender) -> bool:
        return self.working[pair] < THREADS_OF_ONE and self.working[pair[0]] < THREADS_OF_SHARED

    def _begin(self, pair: Sender) -> None:
        self.free -= 1
        self.working.update((pair, pair[0]))

    def _end(self, one: Sender) -> None:
        self.free += 1
        _less(self.working, one, one[0])
        for sender in list(self.waiting):
            if not self.free:
                return
            if not self._may_work(sender):
                continue
            queue = self.waiting.pop(sender)
            ready = next((future for future in _taken(queue) if not future.done()), None)
            if ready is not None:
                self._begin(sender)
                ready.set_result(None)
            if queue:
                self.waiting[sender] = queue  # after all others

    def _withdraw(self, pair: Sender, ready: asyncio.Future[None]) -> None:
        """Remove a request without a connection from the queue, or give back what it just got."""
        if ready.done() and not ready.cancelled():
            self._end(pair)
        queue = self.waiting.get(pair)
        if queue is not None and ready in queue:
            queue.remove(ready)
            if not queue:
                del self.waiting[pair]


def _taken(queue: deque[asyncio.Future[None]]) -> Iterator[asyncio.Future[None]]:
    """Remove and yield a queue's futures in order. A future without a connection is done."""
    while queue:
        yield queue.popleft()


def _less(counts: Counter[str | Sender], *keys: str | Sender) -> None:
    for key in keys:
        counts[key] -= 1
        if not counts[key]:
            del counts[key]
