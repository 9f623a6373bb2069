"""`run --follow`: one reader, one sender thread per sink, one folder of durable state."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hookstream.core.errors import HookstreamError, SinkError
from hookstream.core.files import make_private
from hookstream.core.progress import step as report_step
from hookstream.core.shown import shown
from hookstream.delivery.afterwards import Afterwards, Later
from hookstream.delivery.cursor import Cursor, place_of
from hookstream.delivery.folders import check_sources, locked
from hookstream.delivery.reader import COMMIT_RECORDS, Normalized, SourceReader
from hookstream.delivery.sender import Sender
from hookstream.delivery.spool import SEGMENT_BYTES, SPOOL_BYTES, Spool
from hookstream.delivery.verbatim import Verbatim
from hookstream.pipeline.stages import Pipeline
from hookstream.sinks import flush_s_of
from hookstream.sinks.base import Sink
from hookstream.standards.rendered import Rendered

POLL_S = 0.1
# From the signal to the end of the process: below two seconds.
DRAIN_S = 0.9
# By then the process of a command has ended, whatever its main thread is in the middle of.
LATEST_S = 1.1
# With `once`: how long to wait for room on the disk.
GIVE_UP_S = 10.0
# What was sent in this time is sent twice if a crash falls into it.


@dataclass(frozen=True)
class Plan:
    """A sink to deliver to: `make` opens it, `name` separates two with the same address."""

    uri: str
    make: Callable[[], Sink]
    name: str = ""
    flush_s: float | None = None
    standard: str = "both"


@dataclass(frozen=True)
class Delivery:
    """The options of a follower. `folder` holds its state, `key` encrypts it; without a
    `pipeline` lines are delivered as they are. `once` ends when everything there is has been
    delivered; `drops`: a full spool drops its oldest records instead of waiting for its sinks.
    `linger_s` is how long what was read may wait for more, `later` what is asked of what a sink has
    stored. `opened` gets the follower. `must_end`: once asked to stop, the process ends in
    time, whatever it is doing; a program that embeds it leaves that alone."""

    sources: list[str]
    plans: list[Plan]
    folder: Path
    pipeline: Callable[[], Pipeline] | None
    key: bytes
    clock: Callable[[], str]
    spool_bytes: int = SPOOL_BYTES
    segment_bytes: int = SEGMENT_BYTES
    commit_records: int = COMMIT_RECORDS
    once: bool = False
    drops: bool = False
    linger_s: float = 0.0
    later: Later | None = None
    must_end: bool = False
    opened: Callable[[Follower], None] = lambda follower: None
    said: Callable[[str], None] = field(default=lambda text: print(text, file=sys.stderr))


@dataclass
class FollowEnding:
    """The result of a follower: totals, counts per sink, what waits, why not all was read (None if
    it was), whether a sink still hangs, the last error of each sink for which something waits."""

    totals: dict[str, int]
    sinks: dict[str, dict[str, int]]
    waiting: dict[str, int]
    trouble: str | None
    hung: bool
    tally: Any
    errors: dict[str, str] = field(default_factory=dict)


def stage_of(delivery: Delivery) -> Normalized | Verbatim:
    """The stage that lines go through. A shipper imports no pipeline."""
    if delivery.pipeline is None:
        return Verbatim()
    from hookstream.delivery.reader import Normalized

    return Normalized(delivery.pipeline(), delivery.key)


class Follower:
    """Wires the stages; `run` returns when asked to stop, or at the end with `once`."""

    def __init__(self, delivery: Delivery) -> None:
        self.delivery = delivery
        self.stopping = threading.Event()
        self._said: str | None = None
        self._since = 0.0
        folder = delivery.folder
        check_sources(delivery.sources, [plan.uri for plan in delivery.plans], folder)
        self._lock = locked(folder)
        try:
            for name in ("sinks", "dead"):
                make_private(folder / name)
            self.spool = Spool(
                folder / "spool", delivery.spool_bytes, delivery.segment_bytes, delivery.drops
            )
            self.reader = SourceReader(
                folder,
                delivery.sources,
                stage_of(delivery),
                self.spool,
                self.stopping.is_set,
                delivery.commit_records,
                self._tick,
                0.0 if delivery.once else delivery.linger_s,
            )
            cursors = [self._cursor(plan) for plan in delivery.plans]
            self.reader.load(max((one.done.offset for one in cursors if one.done), default=0))
            self.senders = [
                self._sender(plan, cursor)
                for plan, cursor in zip(delivery.plans, cursors, strict=True)
            ]
            self.afterwards = self._afterwards(delivery.later)
        except BaseException:
            self._lock.close()
            raise

    def _afterwards(self, later: Later | None) -> Afterwards | None:
        if later is None:
            return None
        uris = [plan.uri for plan in self.delivery.plans]
        sender = self.senders[uris.index(later.uri)]
        end = self.spool.end.offset
        if self.delivery.once:
            return Afterwards(later, sender, end, rest=0.0)
        return Afterwards(later, sender, end)

    def _cursor(self, plan: Plan) -> Cursor:
        folder = self.delivery.folder
        cursor = Cursor(place_of(folder, plan.name, plan.uri), plan.uri, plan.name)
        cursor.load()
        return cursor

    def _sender(self, plan: Plan, cursor: Cursor) -> Sender:
        gone = self.spool.first().offset
        if cursor.done is None and gone:
            self.delivery.said(
                f"hookstream: {plan.name or shown(plan.uri)}: new here; {gone} records that were"
                " delivered before are not sent to it (a run with another --state sends all)"
            )
        flush_s = plan.flush_s
        if flush_s is None:
            flush_s = flush_s_of(plan.uri)
        return Sender(
            plan.name or shown(plan.uri),
            plan.make,
            cursor,
            self.spool,
            self.delivery.folder / "dead" / f"{cursor.path.stem}.db",
            self.delivery.clock,
            flush_s,
            plan.make(),
            standard=plan.standard,
        )

    def stop(self, *_: object) -> None:
        self.stopping.set()

    @contextmanager
    def ended_by_signals(self) -> Iterator[None]:
        """Within, SIGTERM and SIGINT drain and end; afterwards they do what they did before. In a
        thread other than the main one they are left alone."""
        before: list[tuple[signal.Signals, Any]] = []
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGTERM, signal.SIGINT):
                before.append((number, signal.signal(number, self.stop)))
        try:
            yield
        finally:
            for number, handler in before:
                # None: one that was not set by Python, and cannot be set by it
                signal.signal(number, signal.SIG_DFL if handler is None else handler)

    def run(self) -> FollowEnding:
        for sender in self.senders:
            sender.start()
        if self.afterwards is not None:
            self.afterwards.start()
        try:
            self._loop()
        finally:
            hung = self._drain()
        return self._ending(hung)

    def _loop(self) -> None:
        while not self.stopping.is_set():
            progress = self.reader.step()
            if (tally := self.reader.stage.tally) is not None:
                report_step(tally.read)
            self._tick()
            if all(sender.ended for sender in self.senders):
                return
            progress |= self._follow_up()
            said = self.reader.trouble
            if self.delivery.once and not progress and not said:
                for sender in self.senders:
                    sender.finish()
                if self._is_through():
                    return
            if not progress:
                self.stopping.wait(POLL_S)

    def _follow_up(self) -> bool:
        """Return whether events were added that follow from what is stored."""
        if self.afterwards is None or not self.afterwards.made:
            return False
        made = [Rendered(event) for event in self.afterwards.made]
        tally = self.reader.stage.tally
        if tally is not None:
            tally.batch([item.event for item in made])
        self.afterwards.put(self.reader.add(made))
        self.reader.commit()
        return True

    def _tick(self) -> None:
        """Do the periodic work between two looks, and while the reader waits."""
        self._trim()
        if self.reader.trouble != self._said:
            self._said = self.reader.trouble
            self.delivery.said(f"hookstream: {self._said or 'writes again'}")
            self._since = time.monotonic()
        if self._said and self.delivery.once and time.monotonic() - self._since > GIVE_UP_S:
            self.stop()

    def _is_through(self) -> bool:
        through = all(sender.is_done or sender.is_stuck for sender in self.senders)
        return through and (self.afterwards is None or self.afterwards.is_settled)

    def _trim(self) -> None:
        done = [sender.cursor.done.offset for sender in self.senders if sender.cursor.done]
        self.spool.trim(min(done, default=0))

    def _drain(self) -> bool:
        until = time.monotonic() + DRAIN_S
        self.reader.commit()
        for sender in self.senders:
            sender.stop(until)
        if self.afterwards is not None:
            self.afterwards.stop()
        threads = [*self.senders, *([self.afterwards] if self.afterwards else [])]
        for thread in threads:
            thread.join(max(0.0, until - time.monotonic()))
        hung = any(thread.is_alive() for thread in threads)
        self._trim()
        self.reader.close()
        if not hung:
            self._lock.close()
        return hung

    def _ending(self, hung: bool) -> FollowEnding:
        end = self.spool.end.offset
        sinks, waiting, errors = {}, {}, {}
        for plan, sender in zip(self.delivery.plans, self.senders, strict=True):
            sinks[plan.name or shown(plan.uri)] = dict(sender.cursor.counts)
            done = sender.cursor.done
            left = end - (done.offset if done else 0)
            if left > 0:
                waiting[plan.name or shown(plan.uri)] = left
                errors[plan.name or shown(plan.uri)] = sender.cursor.said.get("last_error", "")
        totals = self.reader.totals
        tally = self.reader.stage.tally
        return FollowEnding(totals, sinks, waiting, self.reader.trouble, hung, tally, errors)


def leave_late(follower: Follower, done: threading.Event) -> None:
    """End this process in time if the follower's own end does not: what is not committed is
    read again by the next run, as after a crash. With status 3 if records wait."""
    follower.stopping.wait()
    if done.wait(LATEST_S):
        return
    end = follower.spool.end.offset
    waits = any(
        (sender.cursor.done.offset if sender.cursor.done else 0) < end
        for sender in follower.senders
    )
    os._exit(3 if waits else 0)


def follow(delivery: Delivery, begun: Callable[[], None] = lambda: None) -> FollowEnding:
    """Run until asked to stop; call `begun` once everything is open. HookstreamError for what the
    user can fix."""
    try:
        follower = Follower(delivery)
        done = threading.Event()
        if delivery.must_end:
            watch = threading.Thread(target=leave_late, args=(follower, done), daemon=True)
            watch.start()
        try:
            with follower.ended_by_signals():
                delivery.opened(follower)
                begun()
                return follower.run()
        finally:
            done.set()
    except SinkError as error:
        raise HookstreamError(str(error)) from None
