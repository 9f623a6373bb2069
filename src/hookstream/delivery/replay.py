"""`hookstream replay`: resend dead letters, and keep those rejected again."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from hookstream.core.errors import SinkError
from hookstream.core.progress import step
from hookstream.delivery import dead_letters
from hookstream.delivery.attempt import Backoff, attempt
from hookstream.sinks.base import NEVER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from hookstream.delivery.dead_letters import DeadLetter
    from hookstream.sinks.base import Sink

    Opening = Callable[[str | None, str], Sink]

BATCH = 256
TRIES = 4
LONGEST_WAIT_S = 5.0
STATE = "state.db"


class Replayed:
    """The result of a replay: records sent, records kept again, and unreadable lines (kept too)."""

    def __init__(self) -> None:
        self.sent = 0
        self.kept = 0
        self.unreadable = 0


def files_in(path: Path) -> list[Path]:
    """The files of kept records at a path: one file, a delivery's folder, or a state folder."""
    if path.is_file():
        return [path]
    folders = ("", "dead/", "waiting/", "delivery/*/dead/")
    found = {
        one
        for folder in folders
        for ending in ("*.db", "*.jsonl")
        for one in path.glob(folder + ending)
        if one.name != STATE
    }
    return sorted(found)


def replay(files: list[Path], sink_of: Opening) -> Replayed:
    """Send every record of the files to its sink. A file is gone when all of it was taken.

    `sink_of` opens the sink of an address and standard. What a crash interrupts is sent again by
    the next replay; `event_id` shows what came twice.
    """
    done = Replayed()
    for path in files:
        if path.suffix == ".db":
            _replay(path, sink_of, done)
            continue
        made, unreadable = dead_letters.import_lines(path)
        done.unreadable += unreadable
        if made.exists():
            _replay(made, sink_of, done)
    return done


def _replay(path: Path, sink_of: Opening, done: Replayed) -> None:
    """Send a file; what is not taken stays in it."""
    opened: tuple[str | None, str] | None = None
    sink: Sink | None = None
    try:
        for batch in _batches(path, done):
            destination = batch[0].destination
            if sink is None or destination != opened:
                # Two standards of one place cannot be open at once: a folder has one writer.
                if sink is not None:
                    sink.close()
                    sink = None
                sink, opened = sink_of(*destination), destination
            taken = _send(sink, batch)
            done.sent += len(taken)
            done.kept += len(batch) - len(taken)
            step(done.sent + done.kept)
            dead_letters.remove(path, taken)
    finally:
        if sink is not None:
            sink.close()


def _batches(path: Path, done: Replayed) -> Iterator[list[DeadLetter]]:
    """Letters for one sink at a time, in order, each once."""
    last_id = 0
    while path.exists() and (data := dead_letters.read(path, last_id, BATCH)):
        last_id = data[-1].id
        batch: list[DeadLetter] = []
        for letter in data:
            if letter.item is None:
                done.unreadable += 1
                continue
            if batch and letter.destination != batch[0].destination:
                yield batch
                batch = []
            batch.append(letter)
        if batch:
            yield batch


def _send(sink: Sink, batch: list[DeadLetter]) -> list[int]:
    """Send letters, and return the ids of those taken."""
    by_item = {id(letter.item): letter.id for letter in batch}
    waiting = [letter.item for letter in batch if letter.item is not None]
    kept: set[int] = set()
    backoff = Backoff()
    for number in range(TRIES):
        made = attempt(sink, waiting, isolate=number == TRIES - 1)
        kept |= {by_item[id(item)] for item, _ in made.dead}
        waiting = made.again
        wait = backoff.wait(made.wait_s) if waiting else 0.0
        if not waiting or wait == NEVER or wait > LONGEST_WAIT_S:
            break
        time.sleep(wait)
    kept |= {by_item[id(item)] for item in waiting}
    try:
        sink.flush()
    except SinkError:
        return []
    return [letter.id for letter in batch if letter.id not in kept]
