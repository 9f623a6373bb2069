"""POST /ship: lines of a machine's log, appended to that machine's file before they are answered.

    DIR/MACHINE/agent-hooks.jsonl     each machine's lines, byte for byte, in the order they came
    DIR/MACHINE/foreign.lines         lines that say another machine's id (see `own_lines`)

200 `{"taken", "duplicates", "foreign"}`: on disk. 429 and 503 say with Retry-After when to come
again; the shipper waits, its agents never do. 413 asks for smaller requests.
"""

from __future__ import annotations

import os
import random
import re
import sqlite3
from array import array
from collections import OrderedDict
from threading import Lock
from time import monotonic
from zlib import crc32

from hookstream.capture.collector.fleet.seen import Seen
from hookstream.capture.collector.http_messages import HttpError, Reply
from hookstream.capture.collector.otlp import Unusable, unpacked
from hookstream.capture.log.append import Log, make_folders
from hookstream.capture.log.place import LOG_NAME
from hookstream.jsons import dumps, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from hookstream.capture.collector.fleet.senders import Senders
    from hookstream.capture.collector.http_messages import Request

PATH = "/ship"
FOREIGN_NAME = "foreign.lines"
UNPACKED_BYTES = 64 << 20
# Requests in work at once, and those that are let in a process before others are sent away.
IN_WORK = 64
# A machine may send so many compressed bytes a second for long, and those of so many seconds at
# once.
RATE_BYTES, BURST_S = 1 << 20, 32
STREAM = re.compile(r"[0-9a-f]{32}")
RUN = re.compile(r"(\d{1,15})(?:-(\d{1,15}))?")
# Lines a stream whose place and checksum are remembered, and streams.
RECENT, STREAMS = 4096, 4096
COUNTS = ("requests", "lines", "duplicates", "skipped", "foreign", "held_off")


class Recent:
    """Checksums of a stream's last lines by place: what came already is left out, and another
    line under a place that is taken, as a copied spool sends it, is not."""

    __slots__ = ("behind", "checksums", "lock", "places")

    def __init__(self) -> None:
        self.lock = Lock()
        self.behind = 0
        self.places = array("Q", bytes(8 * RECENT))
        self.checksums = array("I", bytes(4 * RECENT))

    def has(self, place: int, line: bytes) -> bool:
        at = place % RECENT
        return self.places[at] == place + 1 and self.checksums[at] == crc32(line)

    def add(self, place: int, line: bytes) -> None:
        at = place % RECENT
        self.places[at] = place + 1
        self.checksums[at] = crc32(line)


class Bucket:
    """How much a machine may send now: tokens that come back with time."""

    __slots__ = ("at", "left", "rate")

    def __init__(self, rate: float) -> None:
        self.rate = rate
        self.left = rate * BURST_S
        self.at = monotonic()

    def wait_s(self, size: int) -> float:
        """Take the bytes, or says after how many seconds they may come."""
        now = monotonic()
        self.left = min(self.rate * BURST_S, self.left + (now - self.at) * self.rate)
        self.at = now
        if self.left <= 0:
            return -self.left / self.rate + 1.0
        self.left -= size
        return 0.0


class Intake:
    """Takes requests; safe for many threads."""

    def __init__(
        self,
        folder: str,
        senders: Senders,
        note: Callable[[str], None],
        rate_bytes: int = RATE_BYTES,
        rotate_bytes: int = 64 << 20,
    ) -> None:
        self.folder = folder
        self.senders = senders
        self.note = note
        self.rate_bytes = rate_bytes
        self.rotate_bytes = rotate_bytes
        make_folders(folder)
        self.seen = Seen(folder)
        self.lock = Lock()
        self.in_work = 0
        self.recent: OrderedDict[tuple[str, str], Recent] = OrderedDict()
        self.buckets: dict[str, Bucket] = {}
        self.counts = dict.fromkeys(COUNTS, 0)

    def answer(self, request: Request) -> Reply:
        """Raise HttpError, with the seconds to wait where it is a matter of time."""
        machine = request.sender or ""
        with self.lock:
            if self.in_work >= IN_WORK:
                self.counts["held_off"] += 1
                raise HttpError(503, retry_s=random.randint(1, 5))  # noqa: S311  # no secret
            self.in_work += 1
        try:
            wait_s = self._bucket(machine).wait_s(len(request.body))
            if wait_s:
                self.counts["held_off"] += 1
                raise HttpError(429, retry_s=round(wait_s))
            return self._take(request, machine)
        except (OSError, sqlite3.Error) as error:
            self.note(f"ship: {getattr(error, 'strerror', None) or type(error).__name__}")
            raise HttpError(503, retry_s=random.randint(3, 9)) from None  # noqa: S311
        finally:
            with self.lock:
                self.in_work -= 1

    def _bucket(self, machine: str) -> Bucket:
        with self.lock:
            return self.buckets.setdefault(machine, Bucket(self.rate_bytes))

    def _take(self, request: Request, machine: str) -> Reply:
        stream = request.headers.get("hookstream-stream", "")
        try:
            lines = unpacked(request, UNPACKED_BYTES).split(b"\n")
        except Unusable as error:
            raise HttpError(error.status) from None
        places = places_of(request.headers.get("hookstream-records", ""), len(lines))
        if not STREAM.fullmatch(stream) or lines.pop() or len(places) != len(lines):
            raise HttpError(400)
        known = self._recent(machine, stream)
        with known.lock:
            fresh = [one for one in zip(places, lines, strict=True) if not known.has(*one)]
            own, foreign = self.own_lines(machine, [line for _, line in fresh])
            self._append(machine, LOG_NAME, own)
            self._append(machine, FOREIGN_NAME, foreign)
            for place, line in fresh:
                known.add(place, line)
            skipped = self._skipped(machine, stream, known, places)
            version = request.headers.get("user-agent", "").removeprefix("hookstream/")[:32]
            self.seen.add(
                machine, stream, known.behind, version,
                requests=1, lines=len(own), bytes=len(request.body), skipped=skipped,
                duplicates=len(lines) - len(fresh), foreign_lines=len(foreign),
            )  # fmt: skip
        said = {"taken": len(own), "duplicates": len(lines) - len(fresh), "foreign": len(foreign)}
        self.counts["requests"] += 1
        self.counts["lines"] += len(own)
        self.counts["duplicates"] += said["duplicates"]
        self.counts["foreign"] += len(foreign)
        self.counts["skipped"] += skipped
        return Reply(200, dumps(said))

    def own_lines(self, machine: str, lines: list[bytes]) -> tuple[list[bytes], list[bytes]]:
        """The lines in two parts: foreign are those under the id of a machine that has a
        credential of its own, which is not this one. They are kept apart, not refused: a wrong
        credential file must not stop a laptop's log."""
        own: list[bytes] = []
        foreign: list[bytes] = []
        is_bound = machine in self.senders.bound
        for line in lines:
            machine_id = machine_id_of(line)
            owner = self.seen.owner(machine_id, machine, is_bound) if machine_id else None
            if owner is not None and owner != machine and owner not in self.senders.bound:
                self.seen.take_over(machine_id, machine)
                owner = machine
            (own if owner in (None, machine) else foreign).append(line)
        return own, foreign

    def _recent(self, machine: str, stream: str) -> Recent:
        with self.lock:
            found = self.recent.get((machine, stream))
            if found is None:
                found = self.recent[machine, stream] = Recent()
                found.behind = self.seen.next_of(machine, stream) or 0
                if len(self.recent) > STREAMS:
                    self.recent.popitem(last=False)
            self.recent.move_to_end((machine, stream))
        return found

    def _skipped(self, machine: str, stream: str, known: Recent, places: list[int]) -> int:
        """How many places up to the last one were never sent, and moves on behind it."""
        if not places:
            return 0
        if places[0] > known.behind:
            # Another process may have taken what lies between.
            known.behind = max(known.behind, self.seen.next_of(machine, stream) or 0)
        above = [place for place in places if place >= known.behind]
        if not above:
            return 0
        missed = above[-1] + 1 - known.behind - len(above)
        known.behind = above[-1] + 1
        return missed

    def _append(self, machine: str, name: str, lines: list[bytes]) -> None:
        if lines:
            path = os.path.join(self.folder, machine, name)
            rotate_bytes = self.rotate_bytes if name == LOG_NAME else 0
            Log(path, "fdatasync", rotate_bytes).append(b"\n".join(lines) + b"\n")


def places_of(text: str, most: int) -> list[int]:
    """The numbers of `7-19,21`. HttpError unless they rise and are at most so many."""
    found: list[int] = []
    for part in text.split(","):
        run = RUN.fullmatch(part.strip())
        if run is None:
            raise HttpError(400)
        first, last = int(run[1]), int(run[2] or run[1])
        if last < first or last - first >= most or (found and first <= found[-1]):
            raise HttpError(400)
        found += range(first, last + 1)
    return found


def machine_id_of(line: bytes) -> str:
    """The machine id that a line says, empty where it says none."""
    try:
        value = loads(line)["metadata"]["dev.hookstream"]["machine_id"]
    except (ValueError, LookupError, TypeError, RecursionError):
        return ""
    return value if type(value) is str else ""
