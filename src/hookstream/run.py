"""`hookstream run`: sources through the pipeline into the sinks, once, with a report."""

from __future__ import annotations

import gc
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from hookstream.jsons import ascii_line, canonical
from hookstream.pipeline import Pipeline
from hookstream.records import Record, Rejection, read_record
from hookstream.sinks.base import Rendered
from hookstream.sources import lines, name_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from hookstream.sinks.base import Sink

BATCH = 512


def system_clock() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def fixed_clock(moment: str) -> Callable[[], str]:
    return lambda: moment


def records(path: Path | None) -> Iterator[Record | Rejection]:
    """Every record and rejection of a source; one that breaks off ends in a rejection."""
    source = ""
    offset = 0
    try:
        source = name_of(path)
        for offset, line in lines(path, source):
            record = line if isinstance(line, Rejection) else read_record(line, source, offset)
            if record is not None:
                yield record
    except (OSError, EOFError) as error:
        reason = f"unreadable: {type(error).__name__}"
        yield Rejection(reason, 0, "", source or str(path), offset)


class Fan:
    """The sinks of a run: every sink is offered every record, none holds another back."""

    def __init__(self, sinks: list[Sink]) -> None:
        self.sinks = sinks
        self.counts = {sink.uri: {"delivered": 0, "retried": 0, "dead": 0} for sink in sinks}
        self.waiting: dict[str, list[bytes]] = {sink.uri: [] for sink in sinks}

    def write(self, batch: list[Rendered]) -> None:
        for sink in self.sinks:
            self._offer(sink, batch)

    def _offer(self, sink: Sink, batch: list[Rendered], attempts: int = 4) -> None:
        counts = self.counts[sink.uri]
        for attempt in range(1, attempts + 1):
            again: list[Rendered] = []
            wait = 0.0
            for item, receipt in zip(batch, sink.write(batch), strict=True):
                if receipt.status == "delivered":
                    counts["delivered"] += 1
                elif receipt.status == "rejected":
                    counts["dead"] += 1
                    self.waiting[sink.uri].append(item.agent_hooks)
                else:
                    again.append(item)
                    wait = max(wait, receipt.after_s)
            if not again:
                return
            batch = again
            counts["retried"] += len(again)
            if attempt < attempts:
                time.sleep(min(wait, 5.0))
        self.waiting[sink.uri] += [item.agent_hooks for item in batch]

    def reject(self, batch: list[Rejection]) -> None:
        written = [ascii_line(canonical(rejection.record())) for rejection in batch]
        for sink in self.sinks:
            sink.reject(written)

    def close(self) -> None:
        for sink in self.sinks:
            sink.close()


def run_files(files: list[Path | None], pipeline: Pipeline, fan: Fan) -> None:
    """All files in order into the fan, in batches; what was read is written even on Ctrl-C."""
    events: list[Rendered] = []
    rejections: list[Rejection] = []
    gc.collect()
    gc.freeze()
    threshold = gc.get_threshold()
    # The trees of a batch are not garbage: looking at them often costs as much as the work.
    gc.set_threshold(100_000, 20, 50)
    try:
        for path in files:
            pipeline.sessions.new_source()
            for record in records(path):
                taken = pipeline.take(record)
                if isinstance(taken, Rejection):
                    rejections.append(taken)
                else:
                    events += [Rendered(event) for event in taken]
                if len(events) >= BATCH:
                    fan.write(events)
                    events = []
                if len(rejections) >= BATCH:
                    fan.reject(rejections)
                    rejections = []
    finally:
        gc.set_threshold(*threshold)
        gc.unfreeze()
        if events:
            fan.write(events)
        if rejections:
            fan.reject(rejections)
