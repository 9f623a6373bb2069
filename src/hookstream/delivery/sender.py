"""Sender: one thread per sink, from its offset in the spool to the destination.

A record leaves in order, again and again until the sink takes it or refuses it for good; refused
ones become dead letters. The cursor moves after a flush only. Nothing is queued in memory but one
batch: a slow sink reads the spool later.
"""

from __future__ import annotations

import contextlib
import threading
import time
from typing import TYPE_CHECKING

from hookstream.core.errors import SinkError
from hookstream.core.shown import shown
from hookstream.delivery import dead_letters
from hookstream.delivery.attempt import LOG, AddressRefused, Backoff, attempt, before, log_failure
from hookstream.delivery.spool_reader import Position, SpoolEntry, SpoolReader, SpoolRecord
from hookstream.sinks.base import NEVER, SETUP_WAIT_S, Ticking

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from hookstream.delivery.cursor import Cursor
    from hookstream.delivery.spool import Spool
    from hookstream.sinks.base import Sink
    from hookstream.standards.rendered import Rendered

BATCH = 512
BATCH_BYTES = 4 << 20
FLUSH_RECORDS = 4096
# A sink is opened again, from its cursor, after this many failed flushes.
FLUSHES = 5
ISOLATE_AFTER = 8


class Sender(threading.Thread):
    """Deliver to one sink until `stop` is called; `ended` says that the sink takes no more."""

    def __init__(
        self,
        name: str,
        make: Callable[[], Sink],
        cursor: Cursor,
        spool: Spool,
        dead: Path,
        clock: Callable[[], str],
        flush_s: float = 1.0,
        sink: Sink | None = None,
        standard: str = "both",
    ) -> None:
        super().__init__(name=f"sink {name}", daemon=True)
        self.label = name
        self.cursor = cursor
        self.standard = standard
        self.ended = self.is_refused = False
        self.backoff = Backoff()
        self._make = make
        self._sink = sink
        self._spool = spool
        self._dead = dead
        self._clock = clock
        self._flush_s = flush_s
        self._told = threading.Event()
        self._is_last = False
        self._until = float("inf")
        self._sent: Position = self._start()
        self._reading = SpoolReader(spool, self._sent)
        self._since: float | None = None  # when the oldest record was sent that is not flushed
        self._flushes = self._unflushed = self._gone = 0  # failed; taken, dropped, not flushed
        self._saved_at = 0.0

    def _start(self) -> Position:
        done = self.cursor.done
        place, gone = self._spool.locate(done, done.offset if done else 0)
        if done is not None:
            self.cursor.counts["gap"] += gone
        self.cursor.done = place
        return place

    @property
    def is_done(self) -> bool:
        """Return whether everything that is committed is delivered and flushed."""
        done = self.cursor.done
        return done is not None and done.offset >= self._spool.end.offset

    @property
    def is_stuck(self) -> bool:
        return self.ended or self.is_refused or self.backoff.failures >= 4

    def finish(self) -> None:
        """Note that nothing more comes: flush as soon as there is nothing to send."""
        self._is_last = True

    def stop(self, until: float) -> None:
        """End when all is delivered, at the first retry, or at `until` (monotonic seconds)."""
        self._until = until
        self._told.set()
        self._spool.wake()

    def run(self) -> None:
        while not self.ended:
            try:
                if self._sink is None:
                    self._sink = self._make()
                self._work(self._sink)
                break
            except SinkError as error:
                trouble = str(error)
                self.is_refused = isinstance(error, AddressRefused)
            except Exception as error:  # a fault in a sink's code is this sink's trouble only
                trouble = f"{type(error).__name__}: {error}"
            self._drop()
            if not self._pause(SETUP_WAIT_S if self.is_refused else 0.0, trouble):
                break
        self._finish()

    def _work(self, sink: Sink) -> None:
        while True:
            items = self._reading.read(BATCH, BATCH_BYTES)
            self._account()
            if items:
                if not self._deliver(sink, items):
                    return
            elif self._reading.at != self._sent:
                self._advance(self._reading.at)  # after lines that cannot be read
            self._flush_if_due(sink, idle=not items)
            if isinstance(sink, Ticking):
                sink.tick()
            if not items:
                if self._told.is_set():
                    return
                self._rest()
            if self._told.is_set() and time.monotonic() >= self._until:
                return

    def _rest(self) -> None:
        with self._spool.changed:
            if self._spool.end.offset <= self._reading.at.offset and not self._told.is_set():
                self._spool.changed.wait(0.2 if self._since is not None else 1.0)

    def _account(self) -> None:
        self.cursor.counts["damaged"] += self._reading.damaged
        self._gone += self._reading.gone
        self._reading.damaged = self._reading.gone = 0

    def _deliver(self, sink: Sink, items: list[SpoolEntry]) -> bool:
        """Settle every record of the batch; False if the sink stops before."""
        batch: list[Rendered] = [SpoolRecord(item) for item in items if item.kind == "E"]
        while batch:
            made = attempt(sink, batch, isolate=self.backoff.failures >= ISOLATE_AFTER)
            self._unflushed += made.delivered
            self.cursor.counts["filtered"] += made.filtered
            if not self._dead_letter(made.dead):
                return False
            if not made.again:
                break
            if made.delivered or made.dead:
                self.backoff.reset()
            self.cursor.counts["retried"] += len(made.again)
            self._advance_before(made.again[0], batch)
            batch = made.again
            if made.is_setup_fault:
                if self._since is not None:
                    self._flush(sink)  # else what it has taken would come again
                raise AddressRefused(made.reason)
            if not self._pause(made.wait_s, made.reason, sink):
                return False
        if self.backoff.failures:
            LOG.info("sink %s: delivers again", self.label)
            self.backoff.reset()
            self.is_refused = False
        refused = [item.line for item in items if item.kind == "R"]
        if refused:
            sink.reject(refused)
        self._advance(items[-1].behind)
        return True

    def _advance(self, position: Position) -> None:
        self._sent = position
        if self._since is None:
            self._since = time.monotonic()

    def _advance_before(self, waiting: Rendered, batch: list[Rendered]) -> None:
        """Settle what comes before the first record that waits."""
        last = before(waiting, batch)
        if isinstance(last, SpoolRecord):
            self._advance(last.behind)

    def _dead_letter(self, dead: list[tuple[Rendered, str]]) -> bool:
        """Write dead letters to disk before anything moves past them; False if we must stop."""
        lines = dead_letters.encode(self.cursor.uri, self.standard, self._clock(), dead)
        while lines:
            try:
                dead_letters.append(self._dead, lines)
                self.cursor.counts["dead"] += len(lines)
                self._say_refused(shown(dead[-1][1])[: dead_letters.REASON], len(lines))
                break
            except OSError as error:
                if not self._pause(0.0, f"dead letters: {error.strerror or error}"):
                    return False
        return True

    def _say_refused(self, reason: str, records: int) -> None:
        """Warn of refused records, once while the reason stays the same."""
        if reason != self.cursor.said.get("last_refusal"):
            text = "sink %s: %d refused: %s; kept in %s"
            LOG.warning(text, self.label, records, reason, self._dead)
        self.cursor.said["last_refusal"] = reason

    def _pause(self, asked_s: float, reason: str, sink: Sink | None = None) -> bool:
        """Wait before the next try; False if none is to follow."""
        wait = self.backoff.wait(asked_s)
        if wait == NEVER:
            self.ended = True
            return False
        self.cursor.said["last_error"] = shown(" ".join(reason.split()))[: dead_letters.REASON]
        self.cursor.said["failures"] = self.backoff.failures
        log_failure(self.label, self.backoff.failures, self.cursor.said["last_error"])
        if sink is not None:
            self._flush_if_due(sink, idle=True)
        self._save(self.cursor.done)
        if self._told.is_set():
            return False
        return not self._told.wait(wait)

    # flush and cursor

    def _flush_if_due(self, sink: Sink, idle: bool) -> None:
        if self._since is None:
            return
        done = self.cursor.done
        count = self._sent.offset - (done.offset if done else 0)
        quick = self._flush_s <= 1.0 and (count >= FLUSH_RECORDS or idle)
        if (
            time.monotonic() - self._since < self._flush_s
            and not quick
            and not (self._is_last and idle)
        ):
            return
        try:
            self._flush(sink)
        except SinkError as error:
            self._flushes += 1
            self._since = time.monotonic()
            self.cursor.said["last_error"] = shown(str(error))[: dead_letters.REASON]
            if self._flushes >= FLUSHES:
                self._flushes = 0
                raise

    def _flush(self, sink: Sink) -> None:
        """Flush the sink, then save that in the cursor. SinkError: the cursor does not move."""
        sink.flush()
        self._flushes = 0
        self.cursor.counts["delivered"] += self._unflushed
        self.cursor.counts["gap"] += self._gone
        self._unflushed = self._gone = 0
        if not self.backoff.failures:
            self.cursor.said.pop("last_error", None)
            self.cursor.said.pop("failures", None)
        self._save(self._sent, force=True)
        self._since = None

    def _save(self, done: Position | None, force: bool = False) -> None:
        now = time.monotonic()
        if not force and now - self._saved_at < 1.0:
            return
        before, self.cursor.done = self.cursor.done, done
        try:
            self.cursor.save()
        except OSError as error:
            # Only later: what is already delivered would come twice after a crash.
            if force:
                self.cursor.done = before
                raise SinkError(f"cursor: {error.strerror or error}") from None
        self._saved_at = now

    def _drop(self) -> None:
        """Give the sink up; what was not flushed is read again from the cursor."""
        sink, self._sink = self._sink, None
        if sink is not None:
            try:
                sink.close()
            except Exception as error:  # it is being given up for its faults
                self.cursor.said["last_error"] = f"close: {type(error).__name__}"
        self._reading.close()
        place, self._gone = self._spool.locate(self.cursor.done, self.cursor.done.offset)  # type: ignore[union-attr]
        self._sent = place
        self._reading = SpoolReader(self._spool, place)
        self._since = None
        self._unflushed = 0

    def _finish(self) -> None:
        steps: list[Callable[[], None]] = []
        if (sink := self._sink) is not None:
            if self._since is not None and not self.ended:
                steps.append(lambda: self._flush(sink))
            steps.append(sink.close)
        for step in steps:
            try:
                step()
            except Exception as error:  # nothing is lost: the cursor has not moved
                text = f"{type(error).__name__}: {error}"
                self.cursor.said["last_error"] = shown(text)[: dead_letters.REASON]
        self._reading.close()
        with contextlib.suppress(SinkError):
            self._save(self.cursor.done, force=True)
