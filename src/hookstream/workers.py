"""`--workers N`: several processes, the same bytes.

Files that share a session go to one process together, in order, since state follows sessions.
Each process writes a segment a file and sink; the real sinks take the segments over in the order
of the files.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from hookstream.drive import Fan, run_files
from hookstream.job import Job, make_pipeline, state_folder
from hookstream.limits import CHUNK_BYTES, LINE_BYTES
from hookstream.sinks import open_segment
from hookstream.sources import open_bytes
from hookstream.tally import Tally

if TYPE_CHECKING:
    from hookstream.sinks.base import Sink

SESSION = re.compile(
    rb'"(?:session_?[iI][dD]|sessionKey|conversation_id|trajectory_id|taskId|rootSessionId|thread-id'
    rb'|parentID|parent_session_id|parentAgentId|parent_agent_id|agent_id|agentId)":\s?"([^"]{1,200})"'
)


NO_SESSION = (b"",)


def sessions_of(path: str) -> set[bytes]:
    """Every session id a file names (and what may be one: too many only costs parallelism).

    A line that names none gets a session made from its folder, which another file may share.
    """
    found: set[bytes] = set()
    held = b""
    with open_bytes(Path(path)) as file:
        while chunk := file.read(CHUNK_BYTES):
            *lines, held = (held[-LINE_BYTES:] + chunk).split(b"\n")
            for line in lines:
                found.update(SESSION.findall(line) or NO_SESSION)
    found.update(SESSION.findall(held))
    return found


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


def run_group(job: Job, files: list[tuple[int, str]], folder: str) -> list[Tally]:
    """One process's share: every file into segments of its own."""
    pipeline = make_pipeline(job)
    tallies = []
    for number, path in files:
        sinks: list[Sink] = [
            open_segment(uri, segment(folder, number, at), standard=job.standard)
            for at, uri in enumerate(dict.fromkeys(job.sinks))
        ]
        pipeline.tally = Tally()
        pipeline.sessions.duplicates = 0
        run_files([Path(path)], pipeline, Fan(sinks))
        for sink in sinks:
            sink.close()
        tallies.append(pipeline.tally)
    return tallies


def segment(folder: str, number: int, at: int) -> str:
    path = os.path.join(folder, f"{number:06}-{at}")  # noqa: PTH118
    os.makedirs(path, mode=0o700, exist_ok=True)  # noqa: PTH103
    return path


def run_parallel(job: Job, files: list[Path | None], fan: Fan) -> Tally:
    """All files through `job.workers` processes into the fan's sinks."""
    known = [path for path in files if path is not None]
    make_pipeline(job)  # fails early, in the process the user sees, and makes the keys once
    folder = tempfile.mkdtemp(prefix="segments-", dir=state_folder())
    total = Tally()
    try:
        with ProcessPoolExecutor(job.workers) as pool:
            sessions = list(pool.map(sessions_of, map(str, known), chunksize=4))
            shares = balanced(grouped(known, sessions), known, job.workers * 4)
            futures = [
                pool.submit(run_group, job, [(n, str(known[n])) for n in share], folder)
                for share in shares
            ]
            done: dict[int, Tally] = {}
            for share, future in zip(shares, futures, strict=True):
                done.update(zip(share, future.result(), strict=True))
        for number in range(len(known)):
            total.add(done[number])
            adopt(folder, number, fan, done[number].events)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return total


def adopt(folder: str, number: int, fan: Fan, events: int) -> None:
    from hookstream.sinks.base import Adopting, SinkError

    for at, sink in enumerate(fan.sinks):
        if not isinstance(sink, Adopting):
            raise SinkError(f"{sink.uri}: cannot be written with --workers; leave it out")
        receipt = sink.adopt(segment(folder, number, at))
        if receipt.status != "delivered":
            raise SinkError(f"{sink.uri}: {receipt.reason}; what was written before is whole")
        fan.counts[sink.uri]["delivered"] += events


def balanced(groups: list[list[int]], files: list[Path], most: int) -> list[list[int]]:
    """Groups packed into at most `most` shares of about equal bytes; groups stay whole.

    State is per session and per source, so packing groups together changes nothing in the output.
    """
    sized = sorted(groups, key=lambda group: -sum(files[n].stat().st_size for n in group))
    shares: list[list[int]] = [[] for _ in range(min(most, len(sized)))]
    weights = [0] * len(shares)
    for group in sized:
        at = weights.index(min(weights))
        shares[at] += group
        weights[at] += sum(files[n].stat().st_size for n in group) + 1
    return [sorted(share) for share in shares]
