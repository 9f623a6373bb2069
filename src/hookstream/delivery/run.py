"""`hookstream run` without `--follow`: sources to sinks, once, with a report."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from hookstream.core.errors import HookstreamError, NothingToRead, SinkError, Undelivered
from hookstream.core.records import Record, read_record
from hookstream.core.sources import began, each_once, find, span_of
from hookstream.core.tally import Tally
from hookstream.delivery.batch import FanOut, run_files, unread
from hookstream.delivery.job import Job, clock_of, make_pipeline, opener
from hookstream.pipeline.machines import claims_of, machine_of
from hookstream.sinks import Adopting, folder_of
from hookstream.sinks.base import Sink
from hookstream.transcripts.files import client_of

# More files than this, smaller than this on average, are read by one process.
MANY_FILES, SMALL_FILE_BYTES = 256, 16 << 10
# After every time.
LAST = "~"


def machines_in(path: Path) -> set[str]:
    """The machines that the first record of a file names; none where it is not a record."""
    if client_of(path) is not None:
        return set()  # no client's session file names one
    for raw in unread(path):
        line = raw[0] if isinstance(raw, tuple) else raw
        record = read_record(line) if isinstance(line, bytes) else line
        if record is not None:
            return claims_of(record) if isinstance(record, Record) else set()
    return set()


def reading_order(named: dict[Path, set[str]], path: Path | None) -> tuple[int, str, str]:
    """The order in which sources are read, whatever the order in which they are named: a session
    whose machine one source names continues in those that name none, and session files come last;
    each of these by the times in them. Sources without a time stay in their order, after others."""
    if path is None:
        return 1, LAST, ""
    if client_of(path) is not None:
        return 2, *span_of(path)
    return int(not named.get(path)), began(path) or LAST, ""


def only_machine(named: dict[Path, set[str]], sources: list[str]) -> str | None:
    """The machine of the session files in one source, next to logs that all name it: ids of
    sessions that are not random say nothing of where two records belong together."""
    files = [path for path in named if client_of(path) is not None]
    homes = {
        source for source in map(Path, sources) for path in files if path.is_relative_to(source)
    }
    claims = [claim for path, claim in named.items() if client_of(path) is None]
    names = set().union(*claims)
    return names.pop() if len(homes) == 1 and len(names) == 1 and all(claims) else None


class Outcome:
    """The result of a run, and where records wait that a sink could not take; `unkept` says by sink
    why they could not even wait; `notes` are lines about what was not written on purpose."""

    def __init__(self, tally: Tally, fan: FanOut, notes: list[str]) -> None:
        self.notes = notes
        self.tally = tally
        self.counts = fan.counts
        self.waiting = fan.keep_waiting()
        self.unkept = [f"{uri}: {why}" for uri, why in fan.unkept.items()]

    def report(self, elapsed_s: float) -> dict[str, Any]:
        return self.tally.report(elapsed_s, self.counts)


def execute(job: Job) -> Outcome:
    """Execute the run. Raises HookstreamError for what the user can fix."""
    files = each_once(find(job.sources))
    several = len(job.sources) > 1
    # Files of one source are not asked for machines: that takes reading a record of each.
    named = {path: machines_in(path) for path in files if path is not None} if several else {}
    if len(files) > 1:
        files.sort(key=partial(reading_order, {} if job.machine else named))
    if several and job.machine is None and None not in files:
        job = replace(job, machine=only_machine(named, job.sources))
    guard_against_loops(files, job.uris)
    guard_against_sharing(job.uris)
    sinks: list[Sink] = []
    try:
        for one in job.outputs:
            sinks.append(opener(job, one)())
        fan = FanOut(sinks, job.standard)
        machines = {path: machine_of(path, job.sources) for path in files if path is not None}
        # A destination takes records from one process only; files can be put together from several.
        together = all(isinstance(sink, Adopting) for sink in sinks)
        paths = [path for path in files if path is not None]
        tally = None
        if together and len(paths) == len(files) and worth_workers(job.workers, paths):
            from hookstream.delivery.parallel import SegmentWork, run_parallel

            outputs = tuple((uri, job.standard) for uri in job.uris)
            work = SegmentWork(partial(make_pipeline, job), outputs, job.standard, clock_of(job))
            tally = run_parallel(work, job.workers, paths, fan, machines)
        if tally is None:
            pipeline = make_pipeline(job)
            try:
                run_files(files, pipeline, fan, machines)
            finally:
                tally = pipeline.tally
    finally:
        unwritten = [trouble for sink in sinks if (trouble := close(sink))]
    if unwritten:
        raise Undelivered(f"{unwritten[0]}: not all is written; the input holds it, run again")
    if not tally.read:
        raise NothingToRead(f"{', '.join(job.sources)}: holds no record")
    notes = [note for sink in sinks for note in getattr(sink, "notes", ())]
    return Outcome(tally, fan, notes)


def worth_workers(workers: int, paths: list[Path]) -> bool:
    """Return whether several processes gain anything: a segment costs more than a small file."""
    if workers < 2 or len(paths) < 2:
        return False
    if len(paths) <= MANY_FILES:
        return True
    return sum(path.stat().st_size for path in paths) / len(paths) >= SMALL_FILE_BYTES


def close(sink: Sink) -> str:
    """Close a sink; return why it could not write the last it held, empty if it could."""
    try:
        sink.close()
    except SinkError as error:
        return str(error).partition(";")[0]
    return ""


def guard_against_loops(files: list[Path | None], sinks: list[str]) -> None:
    """Refuse a run that reads what it writes: it would never end, or destroy its input."""
    folders = {uri: folder for uri in sinks if (folder := folder_of(uri))}
    for file in files if folders else ():
        # resolve() fails on links in a circle, which are named as they are opened
        parents = set(Path(os.path.realpath(file)).parents) if file is not None else ()
        for uri, folder in folders.items():
            if folder in parents:
                raise HookstreamError(f"{file}: lies inside the sink {uri}; write elsewhere")


def guard_against_sharing(sinks: list[str]) -> None:
    """Refuse two sinks with one folder before anything is made there: same file names."""
    owner: dict[Path, str] = {}
    for uri in dict.fromkeys(sinks):
        folder = folder_of(uri)
        if folder is not None and owner.setdefault(folder, uri) != uri:
            raise HookstreamError(f"{owner[folder]} and {uri}: one folder each")
