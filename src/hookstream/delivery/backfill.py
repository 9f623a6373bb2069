"""`hookstream backfill`: run all session files of a machine through the pipeline, in parallel.

A file contains only its own sessions, so files are dealt out in shares of some megabytes; a share's
events go into segments that the sinks take over in the order of the shares.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from concurrent.futures import as_completed
from functools import partial
from typing import TYPE_CHECKING

from hookstream.core.errors import Interrupted, SinkError, Undelivered
from hookstream.core.interrupt import deaf_workers, kill_workers
from hookstream.core.processes import is_lack
from hookstream.core.records import BrokenOff
from hookstream.core.sources import UNREADABLE, name_of
from hookstream.core.tally import Tally
from hookstream.delivery.batch import FanOut, run_files
from hookstream.delivery.job import (
    Job,
    SinkSettings,
    clock_of,
    make_pipeline,
    opener,
    state_folder,
)
from hookstream.delivery.parallel import (
    FileResult,
    SegmentWork,
    adopt,
    clear_leftovers,
    pool_of,
)
from hookstream.delivery.run import close
from hookstream.sinks import COLUMNS_ONLY, Adopting, open_sink
from hookstream.transcripts.files import given
from hookstream.transcripts.secrets import SecretPlaces

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from hookstream.pipeline.stages import Given
    from hookstream.transcripts.places import ListedSession
    from hookstream.transcripts.secrets import SecretPlace

# Bytes per share: progress is reported share by share.
SHARE_BYTES = 24 << 20
LEAST_BYTES = 1 << 20
SHARE_FILES = 400
TURNS = 3  # shares for each worker: none waits long for another's last


class Read(FileResult):
    """The result of a share."""

    def __init__(self, tally: Tally, fan: FanOut, secrets: SecretPlaces) -> None:
        super().__init__(tally, fan)
        self.secrets = secrets.places


class Backfilled:
    """Totals of a backfill: counts, and locations of secrets."""

    def __init__(self) -> None:
        self.tally = Tally()
        self.secrets: dict[tuple[str, str], SecretPlace] = {}


def shares_of(files: list[ListedSession], workers: int) -> list[list[ListedSession]]:
    """Cut files into shares, in their order, so that every worker has some of a few files too."""
    shares: list[list[ListedSession]] = []
    total = sum(file.size for file in files)
    most = min(SHARE_BYTES, max(LEAST_BYTES, total // (workers * TURNS)))
    held = most
    for file in files:
        if held >= most or len(shares[-1]) >= SHARE_FILES:
            shares.append([])
            held = 0
        shares[-1].append(file)
        held += file.size
    return shares


def read_file(file: ListedSession, since_ms: int) -> Iterator[Given]:
    source = ""
    try:
        source = name_of(file.path)
        yield from given(file.path, file.client, source, since_ms)
    except UNREADABLE as error:
        if is_lack(error):
            raise
        yield BrokenOff(error, source or str(file.path), 0, str(file.path))


def read_share(
    work: SegmentWork, share: list[ListedSession], number: int, folder: str, since_ms: int
) -> Read:
    """Run one share through a separate pipeline into its segments."""
    pipeline = work.pipeline()
    secrets = SecretPlaces()
    sinks = work.open(folder, number)
    fan = FanOut([*sinks, secrets], work.standard, [*work.uris, secrets.uri])

    def read(path: Path) -> Iterator[Given]:
        secrets.file = str(path)
        return read_file(by_path[path], since_ms)

    by_path = {file.path: file for file in share}
    run_files(list(by_path), pipeline, fan, read=read)
    for sink in sinks:
        sink.close()
    return Read(pipeline.tally, fan, secrets)


def backfill(
    job: Job,
    lake: str,
    files: list[ListedSession],
    since_ms: int,
    progress: Callable[[int, int], None],
) -> Backfilled:
    """Read the files into the lake and the job's sinks; `progress` is called with (files, bytes)
    of each share that is done. Raises HookstreamError if a sink cannot take everything."""
    result = Backfilled()
    shares = shares_of(files, job.workers)
    make_pipeline(job)  # fails early, and makes the keys once
    clock = clock_of(job)
    # The report's lake needs columns alone, and asks a few questions once: no tables.
    work = SegmentWork(
        partial(make_pipeline, job),
        ((lake, COLUMNS_ONLY), *((uri, job.standard) for uri in job.uris)),
        job.standard if job.sinks else COLUMNS_ONLY,
        clock,
    )
    sinks = [
        open_sink(lake, standard=COLUMNS_ONLY, now=clock, tables=False),
        *(opener(job, SinkSettings(uri, uri, job.standard))() for uri in job.uris),
    ]
    for sink in sinks:
        if not isinstance(sink, Adopting):
            raise SinkError(f"{sink.uri}: backfill writes to folders; run sends events on")
    clear_leftovers()
    folder = tempfile.mkdtemp(prefix=f"segments-{os.getpid()}-", dir=state_folder())
    fan = FanOut(sinks, job.standard)
    stopped: dict[str, str] = {}
    pool = pool_of(max(1, min(job.workers, len(shares))))
    try:
        with deaf_workers():
            tasks = {
                pool.submit(read_share, work, share, number, folder, since_ms): number
                for number, share in enumerate(shares)
            }
        results: dict[int, Read] = {}
        turn = 0
        for task in as_completed(tasks):
            number = tasks[task]
            results[number] = task.result()
            progress(len(shares[number]), sum(file.size for file in shares[number]))
            while turn in results:
                done = results.pop(turn)
                result.tally.add(done.tally)
                result.secrets.update(done.secrets)
                adopt(folder, turn, fan, done, stopped)
                turn += 1
    except KeyboardInterrupt:
        kill_workers()
        raise Interrupted("interrupted; the session files hold everything: run again") from None
    finally:
        pool.shutdown(cancel_futures=True)
        shutil.rmtree(folder, ignore_errors=True)
        unwritten = [trouble for sink in sinks if (trouble := close(sink))]
    if unwritten or stopped:
        why = unwritten[0] if unwritten else next(iter(stopped.values()))
        raise Undelivered(f"{why}: not all is written; the session files hold it, run again")
    return result
