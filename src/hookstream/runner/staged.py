"""`--workers N` where files cannot be shared out: one long file, or files that share sessions.

The stages share the work instead. One process reads and normalizes; with N above two another
completes, redacts and detects; this one does the rest and writes. Every stage sees every record in
order and keeps its own state, so that the bytes are those of one process. A pipe holds less than a
batch: who waits for the next stage holds one batch, whatever the length of the file.
"""

from __future__ import annotations

import pickle
import signal
from contextlib import suppress
from multiprocessing import Pipe, Process
from typing import TYPE_CHECKING

from hookstream.batch import Batch
from hookstream.errors import HookstreamError
from hookstream.interrupt import shielded
from hookstream.progress import step
from hookstream.runner.batch import BATCH, hand_over, rarely_collected, unread
from hookstream.runner.options import make_pipeline
from hookstream.runner.parallel import end_with_parent
from hookstream.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from multiprocessing.connection import Connection
    from pathlib import Path

    from hookstream.batch import Given
    from hookstream.pipeline import Pipeline
    from hookstream.runner.batch import FanOut
    from hookstream.runner.options import Job

    Machines = dict[Path, str | None]
    # A batch, None where another file begins, and at the end the counts or what went wrong.
    Message = Batch | Tally | Exception | None


def run_staged(job: Job, files: list[Path], fan: FanOut, machines: Machines) -> Tally:
    """All files in order into the fan; what has come here is written even on Ctrl-C."""
    pipeline = make_pipeline(job)  # fails early, and makes the keys once
    started: list[Process] = []
    try:
        # Each end is closed here once a process has it: when that dies, the stream ends.
        end, into = Pipe(duplex=False)
        started.append(begun(into, read, job, files, machines))
        if job.workers > 2:
            lines = end
            end, into = Pipe(duplex=False)
            started.append(begun(into, judge, job, lines))
            lines.close()
        with end, rarely_collected(), shielded() as shield:
            for message in received(end):
                shield.held = True
                if isinstance(message, Batch):
                    if job.workers == 2:
                        pipeline.judged(message)
                    hand_over(pipeline.rendered(message, fan.standard), fan)
                    step(pipeline.tally.read)
                else:
                    note(message, pipeline)
                shield.release()
    finally:
        for process in started:
            process.kill()  # where this stage was interrupted; else it has ended
            process.join()
    return pipeline.tally


def begun(into: Connection, stage: Callable[..., None], job: Job, *given: object) -> Process:
    process = Process(target=run_stage, args=(into, stage, job, *given), daemon=True)
    process.start()
    into.close()
    return process


def run_stage(into: Connection, stage: Callable[..., None], job: Job, *given: object) -> None:
    """A process's stage, to its end. What goes wrong is raised where the user sees it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that writes decides when to stop
    end_with_parent()
    try:
        with rarely_collected():
            pipeline = make_pipeline(job)
            stage(into, pipeline, *given)
            send(into, pipeline.tally)
    except BrokenPipeError:
        pass  # nobody reads this any more
    except Exception as error:
        with suppress(OSError):
            send(into, error)


def read(into: Connection, pipeline: Pipeline, files: list[Path], machines: Machines) -> None:
    """Every line of the files as what its vendor's table makes of it."""
    for path in files:
        send(into, None)
        pipeline.new_source(machines.get(path))
        held: list[Given] = []
        for line in unread(path):
            held.append(line)
            if len(held) >= BATCH:
                pass_on(into, pipeline, held)
                held = []
        pass_on(into, pipeline, held)


def pass_on(into: Connection, pipeline: Pipeline, held: list[Given]) -> None:
    batch = Batch(held)
    pipeline.read(batch)
    batch.given = [
        line if type(made) is list else "" for line, made in zip(held, batch.made, strict=True)
    ]
    send(into, batch)


def judge(into: Connection, pipeline: Pipeline, lines: Connection) -> None:
    """Events with what history knows of them, without what privacy removes."""
    for message in received(lines):
        if isinstance(message, Batch):
            pipeline.judged(message)
            send(into, message)
        else:
            note(message, pipeline)


def note(message: Tally | None, pipeline: Pipeline) -> None:
    """Another file begins, or there is none: what the stage before has counted."""
    if message is None:
        pipeline.new_source()
    else:
        pipeline.tally.add(message)


def send(into: Connection, message: Message) -> None:
    into.send_bytes(pickle.dumps(message, pickle.HIGHEST_PROTOCOL))


def received(end: Connection) -> Iterator[Batch | Tally | None]:
    """What the stage before has sent, to its counts at the end. Raises what went wrong there."""
    message: Message = None
    while not isinstance(message, Tally):
        try:
            message = end.recv()
        except (EOFError, OSError):
            raise HookstreamError(
                "a worker was ended before its work was done; run again with --workers 1"
            ) from None
        if isinstance(message, Exception):
            raise message
        yield message
