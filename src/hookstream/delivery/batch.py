"""Process files in batches from the pipeline into the sinks: the work of one process."""

from __future__ import annotations

import gc
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookstream.core.interrupt import shielded
from hookstream.core.jsons import ascii_line, canonical
from hookstream.core.lines import Lines
from hookstream.core.owners import owner_of
from hookstream.core.processes import is_lack
from hookstream.core.progress import step
from hookstream.core.records import BrokenOff, Rejection
from hookstream.core.shown import shown
from hookstream.core.sources import UNREADABLE, head_of, lines, name_of
from hookstream.core.times import system_clock
from hookstream.delivery import dead_letters
from hookstream.delivery.attempt import Backoff, attempt
from hookstream.delivery.job import waiting_file
from hookstream.delivery.loop import Run
from hookstream.pipeline.stages import Pipeline
from hookstream.pipeline.turns import through
from hookstream.sinks import COLUMNS_ONLY
from hookstream.transcripts.files import client_of, given

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from hookstream.pipeline.stages import Given, Outcome
    from hookstream.sinks.base import Sink
    from hookstream.standards.rendered import Rendered

BATCH = 256
ATTEMPTS = 4
# A sink that asks for a longer wait than this is left for later.
LONGEST_WAIT_S = 5.0


def unread(path: Path | None) -> Iterator[Given]:
    """Every line of a source, not read yet, or what a session file says; a source that breaks off
    ends in a rejection."""
    source = ""
    offset = 0
    try:
        source = name_of(path)
        client = None if path is None else client_of(path)
        if path is not None and client is not None:
            yield from given(path, client, source)
            return
        for offset, line in lines(path, source):
            yield line, source, offset
    except UNREADABLE as error:
        if is_lack(error):
            raise
        yield BrokenOff(error, source or str(path), offset, str(path or "-")), source, offset


class FanOut:
    """The sinks of a run: every sink is offered every record, none holds another back.

    What a sink refuses, or cannot take after some tries, waits in a file that `hookstream replay`
    sends; a sink that could not take a batch is not tried again in this run. `names` are the URIs
    of the real sinks if these are segments: what waits is sent to those.
    """

    def __init__(
        self, sinks: list[Sink], standard: str = "both", names: list[str] | None = None
    ) -> None:
        self.sinks = sinks
        self.standard = standard
        own = [sink.uri for sink in sinks]
        self._name = dict(zip(own, names or own, strict=True))
        # In reports: the addresses without what opens them.
        self._label = labels(self._name.values())
        self.counts = {
            label: {"delivered": 0, "retried": 0, "dead": 0} for label in self._label.values()
        }
        self.waiting: dict[str, Path] = {}
        self.why: dict[str, str] = {}  # the first reason, by sink
        self.unkept: dict[str, str] = {}  # why a file to wait in could not be written, by sink
        self._given_up: set[str] = set()

    def take(self, lines: Lines, made: list[Outcome]) -> None:
        """Offer events and rejections to every sink."""
        if items := [item for one in made if type(one) is list for item in one]:
            self.write(items)
        if rejections := [one for one in made if isinstance(one, Rejection)]:
            self.reject(rejections)

    def write(self, batch: list[Rendered]) -> None:
        for sink in self.sinks:
            if sink.uri in self._given_up:
                self.keep(sink, [(item, "behind a batch that was not taken") for item in batch])
            else:
                self._offer(sink, batch)

    def _offer(self, sink: Sink, batch: list[Rendered]) -> None:
        counts = self.counts[self._label[self._name[sink.uri]]]
        backoff = Backoff()
        for number in range(ATTEMPTS):
            made = attempt(sink, batch, isolate=number == ATTEMPTS - 1)
            counts["delivered"] += made.delivered
            counts["dead"] += len(made.dead)
            self.keep(sink, made.dead)
            if not made.again:
                return
            batch = made.again
            counts["retried"] += len(batch)
            wait = backoff.wait(made.wait_s)
            if wait > LONGEST_WAIT_S or number == ATTEMPTS - 1:
                break
            time.sleep(wait)
        self._given_up.add(sink.uri)
        self.keep(sink, [(item, made.reason) for item in batch])

    def keep(self, sink: Sink, kept: list[tuple[Rendered, str]]) -> None:
        if not kept:
            return
        uri = self._name[sink.uri]
        self.why.setdefault(uri, kept[0][1])
        at = system_clock()
        standard = "both" if self.standard == COLUMNS_ONLY else self.standard
        lines = dead_letters.encode(uri, standard, at, kept)
        try:
            path = self.waiting.get(uri) or waiting_file(uri)
            dead_letters.append(path, lines, most=1 << 62)
        except OSError as error:
            # Often the same full disk. The other sinks continue, and the input still holds it all.
            self.unkept.setdefault(self._label[uri], error.strerror or type(error).__name__)
        else:
            self.waiting[uri] = path

    def reject(self, batch: list[Rejection]) -> None:
        written = [ascii_line(canonical(rejection.record())) for rejection in batch]
        for sink in self.sinks:
            sink.reject(written)

    def keep_waiting(self) -> list[str]:
        """The files in which records wait, each with the first reason if known."""
        return [
            f"{path} ({shown(self.why[uri])})" if uri in self.why else str(path)
            for uri, path in self.waiting.items()
        ]


def labels(uris: Iterable[str]) -> dict[str, str]:
    """Each address as it is shown, and no two alike."""
    found: dict[str, str] = {}
    for uri in uris:
        label, number = shown(uri), 1
        while label in found.values():
            number += 1
            label = f"{shown(uri)} ({number})"
        found[uri] = label
    return found


def run_files(
    files: Sequence[Path | None],
    pipeline: Pipeline,
    fan: FanOut,
    machines: dict[Path, str | None] | None = None,
    read: Callable[[Any], Iterator[Given]] = unread,
) -> None:
    """Pass all files in order to the fan, in batches; what was read is written even on Ctrl-C.
    `machines`: the default machine of a file's records that name none; `read` reads a file."""
    gc.freeze()
    threshold = gc.get_threshold()
    # The trees of a batch are not garbage: looking at them often costs as much as the work.
    gc.set_threshold(1_000_000, 20, 50)
    try:
        with shielded() as shield:

            def stages(lines: Lines) -> list[Outcome]:
                shield.held = True  # Ctrl-C waits for the end of the batch
                return through(pipeline, lines, fan.standard)

            def commit() -> None:
                step(pipeline.tally.read)
                shield.release()

            source = lines_of(files, machines or {}, read)
            Run(source, stages, fan.take, commit).all()
    finally:
        gc.set_threshold(*threshold)
        gc.unfreeze()


def lines_of(
    files: Iterable[Path | None],
    machines: dict[Path, str | None],
    read: Callable[[Any], Iterator[Given]],
) -> Iterator[Lines]:
    """The lines of files in batches; on Ctrl-C what was read comes before it."""
    for path in files:
        owner = owner_of(path) if path is not None else None
        head = partial(head_of, path) if path is not None else None
        machine = machines.get(path) if path else None
        batch = Lines([], None, machine, owner, begins=True, head=head)
        try:
            for line in read(path):
                batch.given.append(line)  # type: ignore[attr-defined]
                if len(batch.given) >= BATCH:
                    full, batch = batch, batch._replace(given=[], begins=False)
                    yield full
        except KeyboardInterrupt:
            yield batch
            raise
        yield batch
