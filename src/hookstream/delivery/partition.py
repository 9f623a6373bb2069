"""One partition of a topic: pipeline state, committed offset and sinks.

State and offset are one commit, after a flush of the sinks: that offset rules, whatever the broker
has been sent. A crash between flush and commit brings the same records with the same ids again; a
lake drops them by place (the offset) and id. The folder is shared by all processes of a group, and
locked by the one that has the partition.
"""

from __future__ import annotations

import time
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from hookstream.core.errors import HookstreamError
from hookstream.core.files import make_private
from hookstream.core.jsons import ascii_line, canonical
from hookstream.core.lines import Lines
from hookstream.core.records import Rejection, records_of
from hookstream.core.shown import shown
from hookstream.delivery import dead_letters, stream_state
from hookstream.delivery.attempt import Backoff, attempt, log_failure
from hookstream.delivery.checkpoint import DeliveryCheckpoint
from hookstream.delivery.cursor import identity
from hookstream.delivery.folders import locked
from hookstream.delivery.loop import Run
from hookstream.pipeline.memory import DecryptionError, shape
from hookstream.pipeline.state import State
from hookstream.pipeline.turns import through
from hookstream.sinks.base import NEVER, Ticking

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from hookstream.core.tally import Tally
    from hookstream.pipeline.stages import Given, Pipeline
    from hookstream.sinks.base import Sink
    from hookstream.standards.rendered import Rendered

FORMAT = "hookstream/partition/1"
COUNTS = ("read", "events", "ignored", "rejected", "dead")


class TopicMessage(NamedTuple):
    """A line of a topic; `machine` is its key, None without one."""

    offset: int
    machine: str | None
    line: bytes


class DeliveryStopped(HookstreamError):
    """A sink did not take everything before the process had to end; it comes again."""


class Partition:
    """`offset` is that of the next message to take, None before the first."""

    def __init__(
        self,
        name: str,
        folder: Path,
        pipeline: Pipeline,
        sinks: Callable[[str], list[Sink]],
        key: bytes,
        clock: Callable[[], str],
        stopped: Callable[[], bool],
        closed: Callable[[], None] = lambda: None,
    ) -> None:
        self._closed = closed
        self.name = name
        self.folder = folder
        self.offset: int | None = None
        self.counts = dict.fromkeys(COUNTS, 0)
        # how many messages the broker has after the last one taken, None if it did not say
        self.lag: int | None = None
        self.said: dict[str, Any] = {}
        self._clock = clock
        self._stopped = stopped
        self._taken = 0
        # Where in the topic each of the records is that pass the stages.
        self._offsets: list[int] = []
        self._lock = locked(folder)
        try:
            self._pipeline = pipeline
            self._state = State.of(pipeline, key)
            stages = partial(through, pipeline, standard="both")
            self._run = Run((), stages, self._pass_on)
            self._checkpoint = DeliveryCheckpoint(folder / "state.db")
            self._load()
            self._sinks = sinks(name)
        except BaseException:
            self._lock.close()
            raise

    def _load(self) -> None:
        """The last commit. A state that cannot be used (another key, another build) costs what the
        sessions remembered, never the offset."""
        commits = self._checkpoint.load()
        try:
            for head, body in commits:
                self.offset = int(head["offset"])
                if head["format"] != FORMAT or head["shape"] != shape():
                    raise DecryptionError("of another build")
                self._state.apply(body)
        except DecryptionError:
            self._state.forget()
            self.offset = int(commits[-1][0]["offset"])
            self._checkpoint.close()

    @property
    def tally(self) -> Tally:
        return self._pipeline.tally

    def note(self, lag: int | None = None, **said: Any) -> None:
        """Note the lag, and what else a status shows."""
        self.lag = lag if lag is not None else self.lag
        self.said |= said
        stream_state.write(self.folder, {"lag": self.lag, **self.counts, **self.said})

    def take(self, messages: list[TopicMessage]) -> None:
        """Send messages through the pipeline to all sinks. Raises DeliveryStopped if stopped."""
        for machine, run in groupby(messages, key=lambda one: one.machine):
            inputs: list[Given] = []
            self._offsets = []
            for one in run:
                # A message may hold a stream; each record of it is at the message's place.
                parts = list(records_of(one.line, self.name, one.offset, check=False))
                inputs += parts
                self._offsets += [one.offset] * len(parts)
            self._run.take(Lines(inputs, machine or "", machine))
        self.offset = messages[-1].offset + 1
        self._taken += len(messages)

    def _pass_on(self, lines: Lines, made: Sequence[object]) -> None:
        batch: list[Rendered] = []
        rejected: list[bytes] = []
        for offset, one in zip(self._offsets, made, strict=True):
            self.counts["read"] += one is not None
            if isinstance(one, Rejection):
                self.counts["rejected"] += 1
                rejected.append(ascii_line(canonical(one.record())))
            elif isinstance(one, list) and one:
                self.counts["events"] += len(one)
                for item in one:
                    item.position = offset
                batch += one
            else:
                self.counts["ignored"] += one is not None
        for sink in self._sinks:
            if batch:
                self._deliver(sink, batch)
            if rejected:
                sink.reject(rejected)

    def _deliver(self, sink: Sink, batch: list[Rendered]) -> None:
        backoff = Backoff()
        while batch:
            made = attempt(sink, batch, isolate=backoff.failures >= 8)
            if made.dead:
                self._dead_letter(sink, made.dead)
            batch = made.again
            if not batch:
                if backoff.failures:
                    self.note(failures=0, last_error=None)
                return
            wait = backoff.wait(made.wait_s)
            self.note(
                failures=backoff.failures, last_error=shown(f"{sink.uri}: {made.reason}")[:300]
            )
            log_failure(shown(sink.uri), backoff.failures, made.reason)
            until = time.monotonic() + wait
            while time.monotonic() < until:
                if self._stopped() or wait == NEVER:
                    raise DeliveryStopped(f"{sink.uri}: {made.reason}; the records come again")
                time.sleep(0.05)

    def _dead_letter(self, sink: Sink, dead: list[tuple[Rendered, str]]) -> None:
        folder = self.folder / "dead"
        make_private(folder)
        at = self._clock()
        rows = dead_letters.encode(sink.uri, "both", at, dead)
        dead_letters.append(folder / f"{identity('', sink.uri)}.db", rows)
        self.counts["dead"] += len(dead)

    def commit(self) -> int | None:
        """Flush the sinks, then state and offset; return the offset, or None if nothing is new."""
        for sink in self._sinks:
            if isinstance(sink, Ticking):
                sink.tick()
        if not self._taken:
            return None
        for sink in self._sinks:
            sink.flush()
        head = {"format": FORMAT, "shape": shape(), "offset": self.offset}
        if self._checkpoint.is_due:
            self._checkpoint.begin(head, self._state.everything())
        else:
            self._checkpoint.add(head, self._state.changes())
        self._taken = 0
        return self.offset

    def close(self) -> None:
        """Give the partition up; what is not committed comes again to its next owner."""
        try:
            for sink in self._sinks:
                sink.close()
        finally:
            self._closed()
            self._checkpoint.close()
            self._lock.close()
