"""Reader: followed files through the pipeline into the spool, with a checkpoint.

A commit writes the records to the spool, then the checkpoint that covers them (places in the
sources, end of the spool, changed state), and only then shows them to the senders. What a crash
leaves after the last checkpoint is cut off and made again.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from hookstream.core.jsons import ascii_line, canonical
from hookstream.core.lines import Lines
from hookstream.core.owners import owner_of
from hookstream.core.processes import LEAST_OPEN, is_lack, most_open_files
from hookstream.core.records import Rejection
from hookstream.core.sources import UNREADABLE
from hookstream.delivery.checkpoint import DeliveryCheckpoint
from hookstream.delivery.content import ComparisonStopped
from hookstream.delivery.discovery import IDLE_S, Discovery
from hookstream.delivery.loop import Run
from hookstream.delivery.spool import Spool
from hookstream.delivery.spool_reader import Position
from hookstream.pipeline.machines import machine_of
from hookstream.pipeline.memory import DecryptionError, shape
from hookstream.pipeline.state import State
from hookstream.pipeline.turns import through
from hookstream.transcripts.following import Following

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from hookstream.core.lines import Lines
    from hookstream.core.tally import Tally
    from hookstream.delivery.tail import Line, Tail
    from hookstream.delivery.verbatim import Copied, Verbatim
    from hookstream.pipeline.stages import Outcome, Pipeline
    from hookstream.standards.rendered import Rendered


class Normalized:
    """Records become events; their state is encrypted under `key` wherever it is saved."""

    def __init__(self, pipeline: Pipeline, key: bytes) -> None:
        self.pipeline = pipeline
        self.state = State.of(pipeline, key)
        self.following = Following()
        # State of another build is not poured into this one.
        self.shape = shape()

    @property
    def tally(self) -> Tally:
        return self.pipeline.tally

    def lines(self, tail: Tail, lines: list[Line], sources: list[str]) -> Lines:
        """The records of a file's lines, and whose they are."""
        given = self.following.given(tail.path, tail.name, lines)
        return Lines(given, tail.source, machine_of(tail.path, sources), owner_of(tail.path))

    def outcomes(self, lines: Lines) -> list[Outcome]:
        """Return the outcome of each record."""
        return through(self.pipeline, lines, "agent-hooks")

    def everything(self) -> bytes:
        return self.state.everything()

    def changes(self) -> bytes:
        return self.state.changes()

    def apply(self, body: bytes) -> None:
        """Restore what `everything` or `changes` gave. Raises DecryptionError."""
        self.state.apply(body)

    def forget(self) -> None:
        self.state.forget()


FORMAT = "hookstream/checkpoint/2"
COMMIT_RECORDS = 2000
COMMIT_S = 0.5
SCAN_S = 1.0
SWEEP = 512  # files at rest that one turn asks for their size; a scan asks all of them, more seldom


class SourceReader:
    """`step` reads what there is; `trouble` says why nothing can be written just now."""

    def __init__(
        self,
        folder: Path,
        sources: list[str],
        stage: Normalized | Verbatim,
        spool: Spool,
        stopped: Callable[[], bool] = lambda: False,
        commit_records: int = COMMIT_RECORDS,
        tick: Callable[[], None] = lambda: None,
        linger_s: float = 0.0,
    ) -> None:
        self.stage = stage
        self.spool = spool
        self.stopped = stopped
        self.commit_records = commit_records
        self.tick = tick
        # What is read may wait this long for a commit, so that one request holds many records.
        self.linger_s = linger_s
        self.discovery = Discovery(sources, stopped)
        # Open files by number, the one read last at the end.
        self._open: dict[int, Tail] = {}
        self._most_open = most_open_files()
        self.checkpoint = DeliveryCheckpoint(folder / "state.db")
        self.totals = {"read": 0, "events": 0, "ignored": 0, "rejected": 0, "state_lost": 0}
        self.trouble: str | None = None
        self._uncommitted: Position | None = None
        self._swept = self._looked_at = 0
        self._awake: set[int] | None = None  # numbers of open and new files; None: look again
        self._dirty = False
        self._scan_at = self._commit_at = 0.0
        self._shape = stage.shape
        self._progress = False
        self.run = Run(self, stage.outcomes, self._keep)

    # start

    def load(self, least: int) -> None:
        """Go back to the last commit. `least` is an offset that no new record may fall below."""
        commits = self.checkpoint.load()
        end = None
        try:
            for head, _ in commits:
                if head["format"] != FORMAT:
                    raise ValueError("another format")
                self.discovery.restore(head["watch"])
                self.totals.update(head["totals"])
                end = Position(*head["spool"])
        except (KeyError, TypeError, ValueError):
            self.checkpoint.close()
            self.checkpoint.set_aside()
            commits, end = [], None
        self._recall(commits)
        self.spool.recover(end, least)
        if not commits:
            # Else a crash in the first commit leaves records that look like those of a lost
            # checkpoint.
            self.commit()

    def _recall(self, commits: list[tuple[dict[str, Any], bytes]]) -> None:
        """Restore the state of sessions and detectors; without it the offsets still hold."""
        try:
            for head, body in commits:
                if head["shape"] != self._shape:
                    raise DecryptionError("saved by another build")
                self.stage.apply(body)
        except DecryptionError:
            self.totals["state_lost"] += 1
            self.stage.forget()
            # What follows may not build on commits that cannot be opened.
            self.checkpoint.close()
        self._dirty = not commits

    # work

    def step(self) -> bool:
        """Return whether anything was read."""
        if self.trouble is not None:
            self.commit()
            if self.trouble is not None:
                return False
        self._scan()
        self._progress = False
        self.run.all()
        if self._progress:
            self._awake = None
        if not self.linger_s or time.monotonic() >= self._commit_at:
            self.commit()
        return self._progress

    def __iter__(self) -> Iterator[Lines]:
        """The lines there are now, file by file."""
        for tail in self._turn():
            if self.stopped():
                break
            if self._should_poll(tail):
                yield from self._read(tail)

    def _turn(self) -> list[Tail]:
        """The files to look at now, in reading order: open and new ones, and as many of those at
        rest as `SWEEP` says; all of them if one is new, as it may continue any."""
        tails = self.discovery.tails
        numbers: Sequence[int] = range(len(tails))
        if len(tails) > SWEEP:
            if self._awake is None or self._looked_at != len(tails):
                self._looked_at = len(tails)
                self._awake = {
                    number
                    for number, tail in enumerate(tails)
                    if (tail.is_open or tail.seen is None) and not tail.skipped
                }
            if all(tails[number].seen is not None for number in self._awake):
                low = self._swept if self._swept < len(tails) else 0
                self._swept = low + SWEEP
                numbers = sorted(self._awake.union(numbers[low : self._swept]))
        return [tails[number] for number in numbers if not tails[number].skipped]

    def _scan(self) -> None:
        now = time.monotonic()
        if now < self._scan_at:
            return
        before = len(self.discovery.tails)
        self._awake = None
        self.discovery.scan()
        self._dirty |= before != len(self.discovery.tails)
        self._dirty |= any(tail.is_dirty for tail in self.discovery.tails)
        # A folder of many files is looked through less often.
        self._scan_at = time.monotonic() + max(SCAN_S, 20 * (time.monotonic() - now))
        self._close_idle(now)

    def _should_poll(self, tail: Tail) -> bool:
        if tail.is_open:
            return True
        if tail.gone_at is not None:
            return False
        if tail.seen is None:
            return True
        try:
            return tail.is_changed(tail.path.stat())
        except OSError:
            return False

    def _close_idle(self, now: float) -> None:
        """Close files at rest; one that is gone is closed once nothing came for a while."""
        held = [tail for tail in self.discovery.tails if tail.is_open]
        for tail in held:
            rest = now - tail.touched
            gone = tail.gone_at is not None and now - tail.gone_at > 5 and rest > 5
            if gone or (rest > IDLE_S and tail.gone_at is None and not tail.waits):
                tail.close()

    def _open_file(self, tail: Tail) -> None:
        """Open a file; the one that was read the longest time ago makes room for it."""
        self._open.pop(tail.number, None)
        if not tail.is_open:
            self._open = {number: other for number, other in self._open.items() if other.is_open}
            while len(self._open) >= self._most_open:
                # One that is gone cannot be opened again.
                oldest = min(self._open.values(), key=lambda other: other.gone_at is not None)
                self._open.pop(oldest.number).close()
        tail.open()
        self._open[tail.number] = tail

    def _read(self, tail: Tail) -> Iterator[Lines]:
        try:
            self._open_file(tail)
            info = tail.stat()
            if tail.is_changed(info) and not tail.is_same(info):
                self._renew(tail)
                self._progress = True
                return
            if tail.renewed and self.discovery.has_older(tail):
                self._progress = True
                return
            for lines in tail.chunks():
                self._progress = True
                if tail.renewed and self.discovery.has_older(tail):
                    # Cut off again while it was read: the copy's lines come first.
                    tail.restart()
                    return
                yield self._lines(tail, lines)
                tail.renewed = not tail.offset  # a copy has the rest
                if tail.renewed or self.stopped() or not self._has_room():
                    return
            last = tail.settled()
            if last is not None:
                yield self._lines(tail, [last])
            yield from self._broken(tail)
        except FileNotFoundError:
            self._scan_at = 0.0
        except (*UNREADABLE, MemoryError) as error:
            if is_lack(error):
                self._lack(tail)
                return
            tail.failed = getattr(error, "strerror", None) or type(error).__name__
            yield from self._broken(tail)

    def _lack(self, tail: Tail) -> None:
        """The machine lacks descriptors, memory or disk: hold fewer files, read on from the same
        place later."""
        tail.seen = None
        tail.close()
        self._most_open = max(LEAST_OPEN, self._most_open // 2)
        for number in list(self._open)[: len(self._open) // 2]:
            self._open.pop(number).close()

    def _lines(self, tail: Tail, lines: list[Line]) -> Lines:
        self._progress = True
        tail.is_dirty = self._dirty = True
        return self.stage.lines(tail, lines, self.discovery.sources)

    def _renew(self, tail: Tail) -> None:
        """Reread a truncated or rewritten file: a copy of what it had comes first, then its new
        beginning. If interrupted before it is known, the next run finds out."""
        if not self.discovery.scan():
            return
        if tail.offset:
            try:
                self.discovery.recover_copy(tail)
            except ComparisonStopped:
                return
            self.discovery.truncated(tail)
        self._scan_at = 0.0
        self._dirty = True

    def _has_room(self) -> bool:
        """Commit when it is time; wait while the spool is full or cannot be written."""
        due = self.spool.held >= self.commit_records or self.spool.is_due
        if due or time.monotonic() > self._commit_at:
            self.commit()
        while self.trouble is not None or self.spool.is_full:
            if self.stopped():
                return False
            if self.spool.is_full:
                if self.spool.drops:
                    self.spool.drop()
                    continue
                self.trouble = "the spool is full: a sink is far behind"
            time.sleep(0.1)
            self.tick()
            self.commit()
        return True

    def _broken(self, tail: Tail) -> Iterator[Lines]:
        """Reject a file that breaks off once it is at rest: before, it may still be written."""
        if tail.failed is None or tail.broken or not tail.rests:
            return
        tail.broken = True
        reason = f"unreadable: {tail.failed}"
        rejection = Rejection(reason, 0, "", tail.name, tail.offset)
        yield self._lines(tail, [(tail.offset, rejection)])

    def _keep(self, lines: Lines, outcomes: Sequence[Any]) -> None:
        """Hold the outcomes of lines for the next commit."""
        now = time.time_ns() // 1_000_000
        for outcome in outcomes:
            if outcome is not None:
                self._hold(outcome, now)

    def _hold(self, made: Sequence[Rendered | Copied] | Rejection | str, now: int) -> None:
        self.totals["read"] += 1
        if isinstance(made, Rejection):
            self.totals["rejected"] += 1
            self.spool.put("R", ascii_line(canonical(made.record())), now)
        elif isinstance(made, str) or not made:
            self.totals["ignored"] += 1
        else:
            self.totals["events"] += len(made)
            for item in made:
                self.spool.put("E", item.agent_hooks, now)

    def add(self, items: Sequence[Rendered]) -> int:
        """Add records that were not read but follow from what was; return the offset after them."""
        now = time.time_ns() // 1_000_000
        for item in items:
            self.spool.put("E", item.agent_hooks, now)
        self.totals["events"] += len(items)
        self._dirty = True
        return self.spool.next

    # commit

    def commit(self) -> None:
        """Commit to spool, checkpoint, senders; if the disk refuses, set `trouble` and hold all."""
        self._commit_at = time.monotonic() + max(COMMIT_S, self.linger_s)
        if self._dirty or self.spool.held or self._uncommitted is not None:
            try:
                self._commit()
            except OSError as error:
                self.trouble = f"cannot write the spool: {error.strerror or error}"
                return
        self.trouble = None

    def _commit(self) -> None:
        position = self._uncommitted = self.spool.write()
        whole = self.checkpoint.is_due
        head = {
            "format": FORMAT,
            "shape": self._shape,
            "spool": list(position),
            "watch": self.discovery.saved(whole),
            "totals": self.totals,
        }
        try:
            if whole:
                self.checkpoint.begin(head, self.stage.everything())
            else:
                self.checkpoint.add(head, self.stage.changes())
        except OSError:
            # What has changed is not known any more: the next checkpoint is a complete one.
            self.checkpoint.close()
            raise
        self._dirty = False
        self._uncommitted = None
        self.spool.publish(position)

    def close(self) -> None:
        for tail in self.discovery.tails:
            tail.close()
        self.checkpoint.close()
        self.spool.close()
