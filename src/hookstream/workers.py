"""`--workers N`: several processes, the same bytes.

Files that share a session go to one process together, in order, since state follows sessions; a
session made for a record that names none never leaves its file. Each process writes a segment a
file and sink; the real sinks take the segments over in the order of the files.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from concurrent.futures import Future, ProcessPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from hookstream.drive import Fan, run_files
from hookstream.job import Job, make_pipeline, state_folder
from hookstream.limits import CHUNK_BYTES, LINE_BYTES
from hookstream.sinks import Adopting, SinkError, open_segment
from hookstream.sources import open_bytes
from hookstream.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hookstream.sinks.base import Sink

# Shares a process: more of them even out what bytes do not tell, each costs a start.
SHARES = 4
# A value may stand in a payload that is itself a text, with its quotes escaped.
VALUE = rb'\\?"\s*:\s*(?:\\?"([^"]*)"|(-?\d+))'
NAMES = rb"ession|onversation|rajectory|hread|ask|gent|arent"
SESSION = re.compile(
    rb"(?:"
    + NAMES
    + rb")[_-]?(?:id|Id|ID|Key|key)"
    + VALUE
    # OpenCode's session and that of AOS are called `id`.
    + rb'|"id\\?"\s*:\s*\\?"(ses[_-][^"]*)"'
    + rb'|"session\\?"\s*:\s*\{[^{}]*?"id'
    + VALUE
)
# Questions and answers that name each other only: JSON-RPC.
MESSAGE = re.compile(rb'"id' + VALUE)


def sessions_of(path: str) -> set[bytes]:
    """Every session id a file names (and what may be one: too many only costs parallelism)."""
    found: set[bytes] = set()
    try:
        for text in blocks(path):
            found.update(one for match in SESSION.findall(text) for one in match)
            if b"jsonrpc" in text:
                found.update(one for match in MESSAGE.findall(text) for one in match)
    except (OSError, EOFError):
        pass  # the run names what cannot be read
    found.discard(b"")
    return {plain(one) if b"\\" in one or b"__vscode-" in one else one for one in found}


def blocks(path: str) -> Iterator[bytes]:
    """The file's bytes in blocks of whole lines; a line beyond the limit may be cut."""
    held = b""
    with open_bytes(Path(path)) as file:
        while chunk := file.read(CHUNK_BYTES):
            end = chunk.rfind(b"\n") + 1
            if end:
                yield held + chunk[:end]
                held = chunk[end:]
            else:
                held = (held + chunk)[-2 * LINE_BYTES :]
    yield held


def plain(value: bytes) -> bytes:
    """One spelling of an id: escapes read, and without the counter that VS Code appends."""
    value = value.rstrip(b"\\")
    if b"\\" in value:
        try:
            value = json.loads(b'"' + value.replace(b"\\\\", b"\\") + b'"').encode(
                "utf-8", "replace"
            )
        except ValueError:
            return value
    return value.partition(b"__vscode-")[0]


def grouped(files: list[Path], sessions: list[set[bytes]]) -> list[list[int]]:
    """Numbers of files that must stay together, each group in order."""
    root = list(range(len(files)))

    def top(n: int) -> int:
        while root[n] != n:
            root[n] = root[root[n]]
            n = root[n]
        return n

    first: dict[bytes, int] = {}
    for n, ids in enumerate(sessions):
        for one in ids:
            a, b = top(first.setdefault(one, n)), top(n)
            root[max(a, b)] = min(a, b)
    groups: dict[int, list[int]] = {}
    for n in range(len(files)):
        groups.setdefault(top(n), []).append(n)
    return list(groups.values())


def balanced(groups: list[list[int]], sizes: list[int], most: int) -> list[list[int]]:
    """Groups packed into at most `most` shares of about equal bytes, the largest share first.

    State is per session and per source, so packing groups together changes nothing in the output.
    """
    weights = {n: sum(sizes[file] + 1 for file in group) for n, group in enumerate(groups)}
    shares: list[list[int]] = [[] for _ in range(min(most, len(groups)))]
    loads = [0] * len(shares)
    for n in sorted(weights, key=lambda n: -weights[n]):
        at = loads.index(min(loads))
        shares[at] += groups[n]
        loads[at] += weights[n]
    return [sorted(share) for share in shares]


class Part:
    """What became of one file: its counts, and what its sinks answered."""

    def __init__(self, tally: Tally, fan: Fan, uris: list[str]) -> None:
        self.tally = tally
        self.counts = {uri: fan.counts[sink.uri] for uri, sink in zip(uris, fan.sinks, strict=True)}
        self.waiting = {
            uri: fan.waiting[sink.uri]
            for uri, sink in zip(uris, fan.sinks, strict=True)
            if sink.uri in fan.waiting
        }


def run_share(job: Job, files: list[tuple[int, str]], folder: str) -> list[Part]:
    """One process's share: every file into segments of its own."""
    pipeline = make_pipeline(job)
    uris = list(dict.fromkeys(job.sinks))
    parts = []
    for number, path in files:
        sinks: list[Sink] = [
            open_segment(uri, segment(folder, number, at), standard=job.standard)
            for at, uri in enumerate(uris)
        ]
        pipeline.tally = Tally()
        pipeline.sessions.duplicates = 0
        fan = Fan(sinks, job.standard)
        run_files([Path(path)], pipeline, fan)
        for sink in sinks:
            sink.close()
        parts.append(Part(pipeline.tally, fan, uris))
    return parts


def segment(folder: str, number: int, at: int) -> str:
    path = os.path.join(folder, f"{number:06}-{at}")  # noqa: PTH118
    os.makedirs(path, mode=0o700, exist_ok=True)  # noqa: PTH103
    return path


def run_parallel(job: Job, files: list[Path], fan: Fan) -> Tally | None:
    """All files through `job.workers` processes into the fan's sinks; None where one process has
    to do it all, since every file shares sessions with another."""
    make_pipeline(job)  # fails early, in the process the user sees, and makes the keys once
    folder = tempfile.mkdtemp(prefix="segments-", dir=state_folder())
    sizes = [path.stat().st_size for path in files]
    pool = ProcessPoolExecutor(job.workers)
    try:
        sessions = list(pool.map(sessions_of, map(str, files), chunksize=4))
        shares = balanced(grouped(files, sessions), sizes, job.workers * SHARES)
        if len(shares) == 1:
            return None
        waiting: dict[int, tuple[Future[list[Part]], int]] = {}
        for share in shares:
            future = pool.submit(run_share, job, [(n, str(files[n])) for n in share], folder)
            waiting.update((n, (future, at)) for at, n in enumerate(share))
        total = Tally()
        for number in range(len(files)):
            # Taken over while later files are still being worked on.
            future, at = waiting.pop(number)
            part = future.result()[at]
            total.add(part.tally)
            adopt(folder, number, fan, part)
        return total
    finally:
        pool.shutdown(cancel_futures=True)
        shutil.rmtree(folder, ignore_errors=True)


def adopt(folder: str, number: int, fan: Fan, part: Part) -> None:
    for at, sink in enumerate(fan.sinks):
        if not isinstance(sink, Adopting):
            raise SinkError(f"{sink.uri}: cannot be written with --workers; leave it out")
        receipt = sink.adopt(segment(folder, number, at))
        if receipt.status != "delivered":
            raise SinkError(f"{sink.uri}: {receipt.reason}; what was written before is whole")
        counts = fan.counts[sink.uri]
        for name, n in part.counts[sink.uri].items():
            counts[name] += n
        fan.waiting.update(part.waiting)
