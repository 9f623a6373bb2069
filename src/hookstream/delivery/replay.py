"""`hookstream replay`: sends kept records again, and keeps what is refused again."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from hookstream.delivery import letters
from hookstream.delivery.attempt import Backoff, attempt
from hookstream.errors import HookstreamError
from hookstream.sinks.base import NEVER, SinkError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from hookstream.delivery.letters import Letter
    from hookstream.sinks.base import Sink

    Opening = Callable[[str | None, str], Sink]

BATCH = 256
TRIES = 4
LONGEST_WAIT_S = 5.0


class Replayed:
    """What became of the records: sent, kept again, and lines that are no records (kept too)."""

    def __init__(self) -> None:
        self.sent = 0
        self.kept = 0
        self.unreadable = 0


def files_in(path: Path) -> list[Path]:
    """The files of kept records at a path: one file, a delivery's folder, or a state folder."""
    if path.is_file():
        return [path]
    found = {
        one
        for pattern in ("*.jsonl", "dead/*.jsonl", "waiting/*.jsonl", "delivery/*/dead/*.jsonl")
        for ending in ("", ".replaying")
        for one in path.glob(pattern + ending)
    }
    return sorted({one.with_name(one.name.removesuffix(".replaying")) for one in found})


def replay(files: list[Path], sink_of: Opening) -> Replayed:
    """Sends every record of the files to its sink. A file is gone when all of it was taken.

    `sink_of` opens the sink of an address and standard. What a crash interrupts is sent again by
    the next replay; `event_id` shows what came twice.
    """
    done = Replayed()
    for path in files:
        work = path.with_name(f"{path.name}.replaying")
        if work.exists():
            _replay(work, path, sink_of, done)
        if path.exists() and path.stat().st_size:
            letters.take_away(path, work)
            _replay(work, path, sink_of, done)
    return done


def _replay(work: Path, path: Path, sink_of: Opening, done: Replayed) -> None:
    """Sends a file; whatever is not taken goes back under the old name."""
    open_sinks: dict[tuple[str | None, str], Sink] = {}
    rest: list[bytes] = []
    try:
        for batch in _batches(work, done, rest):
            name = batch[0].place
            if name not in open_sinks:
                # Two standards of one place cannot be open at once: a folder has one writer.
                for other in open_sinks.values():
                    other.close()
                open_sinks = {name: sink_of(*name)}
            rest += _send(open_sinks[name], batch, done)
            letters.keep(path, rest, most=1 << 62)
            rest.clear()
        letters.keep(path, rest, most=1 << 62)
    except (SinkError, HookstreamError):
        # No sink to send to: the whole file goes back; what was sent comes twice.
        letters.keep(path, work.read_bytes().splitlines(), most=1 << 62)
        work.unlink()
        raise
    finally:
        for sink in open_sinks.values():
            sink.close()
    work.unlink()


def _batches(work: Path, done: Replayed, rest: list[bytes]) -> Iterator[list[Letter]]:
    """Letters for one sink at a time, in order; lines that are none go to `rest`."""
    batch: list[Letter] = []
    for one in letters.read(work):
        if isinstance(one, bytes):
            done.unreadable += 1
            rest.append(one)
            continue
        if batch and (len(batch) >= BATCH or one.place != batch[0].place):
            yield batch
            batch = []
        batch.append(one)
    if batch:
        yield batch


def _send(sink: Sink, batch: list[Letter], done: Replayed) -> list[bytes]:
    """The lines of what was not taken."""
    by_item = {id(letter.item): letter.line for letter in batch}
    waiting = [letter.item for letter in batch]
    kept: list[bytes] = []
    backoff = Backoff()
    for number in range(TRIES):
        made = attempt(sink, waiting, lonely=number == TRIES - 1)
        kept += [by_item[id(item)] for item, _ in made.dead]
        waiting = made.again
        wait = backoff.wait(made.wait_s) if waiting else 0.0
        if not waiting or wait == NEVER or wait > LONGEST_WAIT_S:
            break
        time.sleep(wait)
    kept += [by_item[id(item)] for item in waiting]
    try:
        sink.flush()
    except SinkError:
        kept = [letter.line for letter in batch]
    done.sent += len(batch) - len(kept)
    done.kept += len(kept)
    return kept
