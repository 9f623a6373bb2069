"""`--workers N`: process sources in parallel with byte-identical output.

Files that share a session belong to one group and go to one process, in order, since state follows
sessions; a session made for a record that names none never leaves its file. Which files those are
is guessed from their first and last lines, and proved by the sessions that were met: groups that
turn out to share one are done again together. Each process writes a segment per file and sink; the
real sinks take the segments over in the order of the files.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import threading
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context, parent_process
from pathlib import Path
from typing import TYPE_CHECKING

from hookstream.core.errors import Interrupted, SinkError
from hookstream.core.interrupt import deaf_workers, kill_workers
from hookstream.core.jsons import loads
from hookstream.core.processes import is_running
from hookstream.core.progress import step
from hookstream.core.sources import UNREADABLE, open_bytes
from hookstream.core.tally import Tally
from hookstream.delivery.batch import FanOut, run_files
from hookstream.delivery.job import state_folder
from hookstream.sessions import Sessions
from hookstream.sinks import Adopting, open_segment
from hookstream.standards.agent_hooks_reader import read_agent_hooks
from hookstream.standards.rendered import Rendered

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from multiprocessing.process import BaseProcess
    from typing import Any

    from hookstream.pipeline.stages import Pipeline
    from hookstream.sinks.base import Sink

    Shares = list[list[list[int]]]
    Machines = dict[Path, str | None]

# Shares per process: more of them even out what bytes do not show, each costs a message.
SHARES = 4
# Bytes read at either end of a file.
LOOK = 32 << 10
SESSION = re.compile(
    rb"(?:ession|onversation|rajectory|hread|ask)[_-]?(?:id|Id|ID|Key|key)"
    rb'\\?"\s*:\s*\\?"([^"\\]+)'
)


@dataclass(frozen=True)
class SegmentWork:
    """The parts of a run that each worker opens: its pipeline, and a segment for each sink, named
    by URI and standard. Events are rendered in `standard`."""

    pipeline: Callable[[], Pipeline]
    sinks: tuple[tuple[str, str], ...]
    standard: str
    clock: Callable[[], str]

    @property
    def uris(self) -> list[str]:
        return [uri for uri, _ in self.sinks]

    def open(self, folder: str, number: int) -> list[Sink]:
        """The segments of one file or share. SinkError."""
        return [
            open_segment(uri, segment(folder, number, at), standard=standard, now=self.clock)
            for at, (uri, standard) in enumerate(self.sinks)
        ]


def guess(path: Path) -> set[str]:
    """Session ids at either end of a file: a session that continues in another file is mostly one
    of these."""
    try:
        with open_bytes(path) as file:
            text = file.read(LOOK)
            if path.suffix not in (".gz", ".zst"):
                file.seek(max(len(text), path.stat().st_size - LOOK))
                text += file.read(LOOK)
    except UNREADABLE:
        return set()  # the run names what cannot be read
    return {one.decode("utf-8", "replace") for one in SESSION.findall(text)}


def grouped(named: Iterable[tuple[list[int], set[str]]]) -> list[list[int]]:
    """Numbers of files that must stay together, each group in order; of (files, sessions)."""
    root: dict[int, int] = {}

    def top(n: int) -> int:
        while root[n] != n:
            root[n] = root[root[n]]
            n = root[n]
        return n

    def join(n: int, m: int) -> None:
        a, b = top(n), top(m)
        root[max(a, b)] = min(a, b)

    first: dict[str, int] = {}
    for files, sessions in named:
        root.update((n, n) for n in files)
        for n in files[1:]:
            join(files[0], n)
        for session in sessions:
            join(first.setdefault(session, files[0]), files[0])
    groups: dict[int, list[int]] = {}
    for n in sorted(root):
        groups.setdefault(top(n), []).append(n)
    return list(groups.values())


def balanced(groups: list[list[int]], sizes: list[int], most: int) -> Shares:
    """Groups dealt out to at most `most` shares of about equal bytes, the largest share first."""
    weights = {n: sum(sizes[file] + 1 for file in group) for n, group in enumerate(groups)}
    shares: Shares = [[] for _ in range(min(most, len(groups)))]
    loads = [0] * len(shares)
    for n in sorted(weights, key=lambda n: -weights[n]):
        at = loads.index(min(loads))
        shares[at].append(groups[n])
        loads[at] += weights[n]
    return shares


class FileResult:
    """The result of one file: its counts, and the answers of its sinks."""

    def __init__(self, tally: Tally, fan: FanOut) -> None:
        self.tally = tally
        self.counts = fan.counts
        self.waiting = fan.waiting
        self.why = fan.why
        self.unkept = fan.unkept


@dataclass(eq=False)
class Done:
    """A group's parts, every session and message its state depended on, and the sub-agents its
    events have named."""

    group: list[int]
    named: set[str]
    children: set[str]
    parts: list[FileResult]


def run_share(
    work: SegmentWork, groups: list[list[int]], paths: list[str], folder: str, machines: Machines
) -> list[Done]:
    """Run one process's share: group after group, each with a separate state."""
    pipeline = work.pipeline()
    done = []
    for group in groups:
        pipeline.sessions = Sessions()
        named: set[str] = set()
        pipeline.sessions.named = named
        pipeline.machines.sessions = {}
        pipeline.machines.named_by = {}
        pipeline.machines.met = named
        pipeline.detectors = pipeline.detectors.without_history()
        parts = []
        for number in group:
            sinks = work.open(folder, number)
            pipeline.tally = Tally()
            pipeline.sessions.duplicates = 0
            fan = FanOut(sinks, work.standard, work.uris)
            run_files([Path(paths[number])], pipeline, fan, machines)
            for sink in sinks:
                sink.close()
            parts.append(FileResult(pipeline.tally, fan))
        done.append(Done(group, named, pipeline.sessions.named_children, parts))
    return done


def segment(folder: str, number: int, at: int) -> str:
    path = os.path.join(folder, f"{number:06}-{at}")  # noqa: PTH118
    os.makedirs(path, mode=0o700, exist_ok=True)  # noqa: PTH103
    return path


def run_parallel(
    work: SegmentWork, workers: int, files: list[Path], fan: FanOut, machines: Machines
) -> Tally | None:
    """Run all files through `workers` processes into the fan's sinks; None if one process has to do
    it all, since every file shares sessions with another."""
    work.pipeline()  # fails early, in the process the user sees, and makes the keys once
    groups = grouped(([n], guess(path)) for n, path in enumerate(files))
    if len(groups) == 1:
        return None
    clear_leftovers()
    folder = tempfile.mkdtemp(prefix=f"segments-{os.getpid()}-", dir=state_folder())
    pool = pool_of(min(workers, len(groups)))
    try:
        try:
            parts = settle(work, workers, files, groups, pool, folder, machines)
        except KeyboardInterrupt:
            kill_workers()
            raise Interrupted(
                "interrupted; several workers write at the end, so nothing is written"
            ) from None
        total = Tally()
        stopped: dict[str, str] = {}
        for number, part in enumerate(parts):
            total.add(part.tally)
            adopt(folder, number, fan, part, stopped)
        return total
    finally:
        pool.shutdown(cancel_futures=True)
        shutil.rmtree(folder, ignore_errors=True)


def pool_of(workers: int) -> ProcessPoolExecutor:
    """A pool whose processes are spawned. A fork would hold this one's database connections, and
    crash where it collects them: the threads that they wait for are not in it."""
    return ProcessPoolExecutor(workers, get_context("spawn"), initializer=end_with_parent)


def end_with_parent() -> None:
    """End a worker when its parent process was killed. Its queue would not: every
    worker holds both of the queue's ends open."""
    parent = parent_process()
    if parent is not None:
        threading.Thread(target=_leave_after, args=(parent,), daemon=True).start()


def _leave_after(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)


def clear_leftovers() -> None:
    """Remove the segments of runs that were killed."""
    for old in state_folder().glob("segments-*"):
        owner = old.name.split("-")[1]
        if not owner.isdigit() or not is_running(int(owner)):
            shutil.rmtree(old, ignore_errors=True)


def settle(
    work: SegmentWork,
    workers: int,
    files: list[Path],
    groups: list[list[int]],
    pool: ProcessPoolExecutor,
    folder: str,
    machines: Machines,
) -> list[FileResult]:
    """Run the groups until no two of them met the same session; return the parts in order."""
    paths, sizes = [str(path) for path in files], [path.stat().st_size for path in files]
    known: dict[int, Done] = {}
    while groups:
        shares = balanced(groups, sizes, workers * SHARES)
        with deaf_workers():
            futures = [
                pool.submit(run_share, work, share, paths, folder, machines) for share in shares
            ]
        for future in futures:
            known.update((done.group[0], done) for done in future.result())
            step(sum(part.tally.read for done in known.values() for part in done.parts))
        # A sub-agent's id joins groups only if some file has a session of that id: clients
        # number their sub-agents, so equal ids alone say nothing.
        sessions = set().union(*(done.named for done in known.values()))
        whole = grouped(
            (done.group, done.named | (done.children & sessions)) for done in known.values()
        )
        groups = [group for group in whole if known[group[0]].group != group]
        for number in [number for group in groups for number in group]:
            known.pop(number, None)
            for at in range(len(work.sinks)):
                shutil.rmtree(segment(folder, number, at))
    made = {n: part for d in known.values() for n, part in zip(d.group, d.parts, strict=True)}
    return [made[number] for number in range(len(files))]


def adopt(folder: str, number: int, fan: FanOut, part: FileResult, stopped: dict[str, str]) -> None:
    """Put one file's segments into the sinks. What a sink cannot take over waits, and so does all
    that comes after it; `stopped` says why, by sink."""
    for at, sink in enumerate(fan.sinks):
        if not isinstance(sink, Adopting):
            raise SinkError(f"{sink.uri}: cannot be written with --workers; leave it out")
        place = segment(folder, number, at)
        counts = part.counts[sink.uri]
        if sink.uri not in stopped:
            receipt = sink.adopt(place)
            if receipt.status != "delivered":
                stopped[sink.uri] = receipt.reason
        if sink.uri in stopped:
            counts = {**counts, "delivered": 0, "retried": counts["delivered"]}
            fan.keep(sink, [(item, stopped[sink.uri]) for item in held(Path(place))])
        for name, n in counts.items():
            fan.counts[sink.uri][name] += n
        fan.waiting.update(part.waiting)
        fan.unkept.update(part.unkept)
        fan.why = part.why | fan.why


def held(place: Path) -> Iterator[Rendered]:
    """The records of a closed segment, read back from its lines or rows."""
    lines: list[Any] = []
    if (place / "agent-hooks.jsonl").exists():
        lines = (place / "agent-hooks.jsonl").read_bytes().splitlines()
    elif (place / "rows.arrow").exists():
        import pyarrow as pa

        with pa.OSFile(str(place / "rows.arrow")) as file, pa.ipc.open_stream(file) as stream:
            lines = stream.read_all().column("agent_hooks").to_pylist()
    for line in lines:
        if line:
            yield Rendered(read_agent_hooks(loads(line)))
