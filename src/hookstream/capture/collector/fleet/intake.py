"""POST /ship: lines of a machine's log, appended to that machine's file before they are answered.

    DIR/MACHINE/agent-hooks.jsonl     each machine's lines, byte for byte, in the order they came
    DIR/MACHINE/agent-hooks-refused.jsonl   an event for each refused line, never its content

The folder says whose a line is (`hookstream.core.owners`); a line that names another machine by
a name or id that the operator registered for that one is refused.

200 `{"taken", "duplicates", "foreign"}`: on disk. 422 has `refused` as well, `[{"place",
"reason"}]`: the shipper keeps these as dead letters, the others are on disk. 429 and 503 say with
Retry-After when to come again; the shipper waits, its agents never do. 413 asks for smaller
requests.
"""

from __future__ import annotations

import os
import random
import re
import sqlite3
from array import array
from collections import OrderedDict
from hashlib import sha256
from threading import Lock
from time import monotonic
from zlib import crc32

from hookstream.capture.collector.fleet.seen import SeenFile
from hookstream.capture.collector.http_messages import HttpError, Reply
from hookstream.capture.collector.packed import Unusable, unpacked
from hookstream.capture.hook.request import now_text
from hookstream.capture.log.append import LogFile, make_folders
from hookstream.capture.log.links import LogRefused
from hookstream.capture.log.place import LOG_NAME
from hookstream.core.event import Event
from hookstream.core.identity import uuid_of
from hookstream.core.jsons import dumps
from hookstream.core.jsons import line as json_line
from hookstream.core.limits import OUTPUT_LINE_BYTES
from hookstream.core.owners import REGISTERED
from hookstream.core.records import Record, read_record, torn_apart
from hookstream.pipeline.machines import claims_of
from hookstream.standards.agent_hooks import agent_hooks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from hookstream.capture.collector.fleet.senders import Identity, Senders
    from hookstream.capture.collector.http_messages import HttpRequest

PATH = "/ship"
REFUSED_NAME = "agent-hooks-refused.jsonl"
# File of foreign lines of earlier versions, and the name under which it is read as the sender's.
FOREIGN_NAMES = ("foreign.lines", "agent-hooks-foreign.jsonl")
UNPACKED_BYTES = 16 << 20
LINES = 10_000
# A machine's steady rate in compressed bytes per second, and the seconds' worth of it that it may
# send at once. Of what is unpacked it may send 16 times as many bytes; a line counts for 256 bytes.
RATE_BYTES, BURST_S = 1 << 20, 32
UNPACKED_PER_BYTE, BYTES_PER_LINE = 16, 256
STREAM = re.compile(r"[0-9a-f]{32}")
RUN = re.compile(r"(\d{1,15})(?:-(\d{1,15}))?")
# Lines a stream whose place and checksum are remembered; streams of a process, and of a machine.
RECENT, STREAMS, STREAMS_OF_ONE = 4096, 4096, 8
# Machines that shared credentials may name.
NAMED_MACHINES = 10_000
FOREIGN = "it names a machine that belongs to another credential"
# The events of refused lines: their tool, session and native name.
TOOL, SESSION, NAME = "hookstream", "intake", "LineRefused"
COUNTS = ("requests", "lines", "duplicates", "skipped", "foreign", "held_off")


class Recent:
    """Checksums of a stream's last lines by place. A line sent twice is a duplicate; a different
    line at a used place, as a copied spool sends it, is new."""

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
    """The amount a machine may send now: tokens that come back with time."""

    def __init__(self, rate: float) -> None:
        self.rate = rate
        self.left = rate * BURST_S
        self.at = monotonic()

    def wait_s(self) -> float:
        """Seconds until the next request may come, 0 if it may now."""
        now = monotonic()
        self.left = min(self.rate * BURST_S, self.left + (now - self.at) * self.rate)
        self.at = now
        return 0.0 if self.left > 0 else -self.left / self.rate + 1.0

    def take(self, size: float) -> None:
        self.left -= size


class Intake:
    """Receiver of requests; safe for many threads."""

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
        self.seen = SeenFile(folder)
        self.lock = Lock()
        self.recent: OrderedDict[tuple[str, str], Recent] = OrderedDict()
        self.buckets: dict[str, Bucket] = {}
        self.counts = dict.fromkeys(COUNTS, 0)
        self.named = self.seen.names()
        self.refusals = 0
        rename_foreign_lines(folder)
        senders.registered = self.register
        self.register(senders.ids)

    def register(self, ids: dict[str, tuple[str, ...]]) -> None:
        """Write the operator's registrations for readers of the folder."""
        path = os.path.join(self.folder, REGISTERED)
        draft = f"{path}.{os.getpid()}"
        body = dumps({"machines": {name: list(names) for name, names in sorted(ids.items())}})
        try:
            with open(draft, "wb", opener=private) as file:
                file.write(body)
                file.flush()
                os.fsync(file.fileno())
            os.replace(draft, path)
        except OSError as error:
            self.note(f"ship: {REGISTERED}: {error.strerror}")

    def admit(self, sender: Identity) -> None:
        """Look at a request before its body is read. Raises HttpError if it has to wait, or
        if a shared credential names too many machines."""
        wait_s = self._bucket(sender.machine).wait_s()
        if wait_s:
            self.hold_off()
            raise HttpError(429, retry_s=round(wait_s), reason="over this machine's rate")
        with self.lock:
            is_new = sender.machine not in self.named and self.senders.owner(sender.machine) is None
            if is_new and len(self.named) >= NAMED_MACHINES:
                reason = f"shared credentials name {NAMED_MACHINES} machines already"
                raise HttpError(403, reason=reason)
            self.named.add(sender.machine)

    def hold_off(self) -> None:
        with self.lock:
            self.counts["held_off"] += 1

    def answer(self, request: HttpRequest) -> Reply:
        """Append a request's lines. Raises HttpError, with the seconds to wait if that helps."""
        assert request.sender is not None
        try:
            return self._take(request, request.sender.machine)
        except (OSError, LogRefused, sqlite3.Error) as error:
            words = str(error) if isinstance(error, LogRefused) else None
            words = words or getattr(error, "strerror", None) or type(error).__name__
            self.note(f"ship: {words}")
            raise HttpError(503, retry_s=random.randint(3, 9)) from None  # noqa: S311

    def _bucket(self, machine: str) -> Bucket:
        with self.lock:
            return self.buckets.setdefault(machine, Bucket(self.rate_bytes))

    def _take(self, request: HttpRequest, machine: str) -> Reply:
        stream = request.headers.get("hookstream-stream", "")
        lines = self._lines(request, machine)
        places = places_of(request.headers.get("hookstream-records", ""), len(lines))
        if not STREAM.fullmatch(stream) or len(places) != len(lines):
            raise HttpError(400, reason="Hookstream-Stream and -Records do not fit the lines")
        recent = self._recent(machine, stream)
        with recent.lock:
            fresh = [entry for entry in zip(places, lines, strict=True) if not recent.has(*entry)]
            own, refused = self.own_lines(machine, fresh)
            self._append(machine, LOG_NAME, [line for _, line in own])
            self._append(machine, REFUSED_NAME, refusal_lines(refused, stream))
            for number, line in own:
                recent.add(number, line)
            skipped = self._skipped(machine, stream, recent, places)
            version = request.headers.get("user-agent", "").removeprefix("hookstream/")[:32]
            self.seen.add(
                machine, stream, recent.behind, version,
                requests=1, lines=len(own), bytes=len(request.body), skipped=skipped,
                duplicates=len(lines) - len(fresh), foreign_lines=len(refused),
            )  # fmt: skip
        counts = {"taken": len(own), "duplicates": len(lines) - len(fresh), "foreign": len(refused)}
        with self.lock:
            self.counts["requests"] += 1
            self.counts["lines"] += len(own)
            self.counts["duplicates"] += counts["duplicates"]
            self.counts["foreign"] += len(refused)
            self.counts["skipped"] += skipped
        if not refused:
            return Reply(200, dumps(counts))
        self._note_refused(machine, len(refused))
        places_refused = [{"place": number, "reason": FOREIGN} for number, _ in refused]
        return Reply(422, dumps({**counts, "refused": places_refused}))

    def _lines(self, request: HttpRequest, machine: str) -> list[bytes]:
        """The lines of a body. Raises HttpError. They are counted before the body is split."""
        bucket = self._bucket(machine)
        size = len(request.body)
        bucket.take(size)
        try:
            body = unpacked(request, UNPACKED_BYTES)
        except Unusable as error:
            raise HttpError(error.status, reason=error.message) from None
        count = body.count(b"\n")
        spent = max(size, len(body) / UNPACKED_PER_BYTE, count * BYTES_PER_LINE)
        bucket.take(min(spent, LINES * BYTES_PER_LINE) - size)
        if count > LINES:
            raise HttpError(413, reason=f"more than {LINES} lines")
        if not body.endswith(b"\n"):
            raise HttpError(400, reason="the last line has no end")
        return body[:-1].split(b"\n")

    def own_lines(
        self, machine: str, lines: list[tuple[int, bytes]]
    ) -> tuple[list[tuple[int, bytes]], list[tuple[int, bytes]]]:
        """Split lines into those that may be the machine's and those that name a machine of another
        credential."""
        own: list[tuple[int, bytes]] = []
        refused: list[tuple[int, bytes]] = []
        for number, line in lines:
            owners = {claim: self.senders.owner(claim) for claim in claims_in(line)}
            if any(owner not in (None, machine) for owner in owners.values()):
                refused.append((number, line))
                continue
            own.append((number, line))
            for claim, owner in owners.items():
                if owner is None:
                    self.seen.claim(machine, claim)
        return own, refused

    def _note_refused(self, machine: str, count: int) -> None:
        """Note refused lines for `hookstream status` on the 1st, 2nd, 4th ... request, so that no
        sender can fill its file."""
        with self.lock:
            self.refusals += 1
            times = self.refusals
        if times & (times - 1) == 0:
            lines = "1 line" if count == 1 else f"{count} lines"
            self.note(f"ship: {lines} of {machine} refused: {FOREIGN} ({times} requests so far)")

    def _recent(self, machine: str, stream: str) -> Recent:
        with self.lock:
            recent = self.recent.get((machine, stream))
            if recent is None:
                recent = self.recent[machine, stream] = Recent()
                recent.behind = self.seen.next_of(machine, stream) or 0
                own = [key for key in self.recent if key[0] == machine]
                if len(own) > STREAMS_OF_ONE:
                    del self.recent[own[0]]
                if len(self.recent) > STREAMS:
                    self.recent.popitem(last=False)
            self.recent.move_to_end((machine, stream))
        return recent

    def _skipped(self, machine: str, stream: str, recent: Recent, places: list[int]) -> int:
        """Count the places up to the last one that were never sent, and move on past it."""
        if not places:
            return 0
        if places[0] > recent.behind:
            # Another process may have taken the places between.
            recent.behind = max(recent.behind, self.seen.next_of(machine, stream) or 0)
        above = [number for number in places if number >= recent.behind]
        if not above:
            return 0
        missed = above[-1] + 1 - recent.behind - len(above)
        recent.behind = above[-1] + 1
        return missed

    def _append(self, machine: str, name: str, lines: list[bytes]) -> None:
        """Raises OSError or LogRefused if nothing is written: no link in the folder is followed."""
        if lines:
            folder = os.path.join(self.folder, machine)
            if os.path.islink(folder):
                raise LogRefused(f"{machine}: its folder is a symbolic link")
            path = os.path.join(folder, name)
            LogFile(path, "fdatasync", self.rotate_bytes).append(b"\n".join(lines) + b"\n")


def private(path: str, flags: int) -> int:
    """Open a file that only this user may read."""
    return os.open(path, flags, 0o600)


def rename_foreign_lines(folder: str) -> None:
    """Rename files of foreign lines that earlier versions stored separately, so that they are read
    as the sender's."""
    with os.scandir(folder) as entries:
        machines = [entry.path for entry in entries if entry.is_dir(follow_symlinks=False)]
    for machine in machines:
        before, after = (os.path.join(machine, name) for name in FOREIGN_NAMES)
        if os.path.isfile(before) and not os.path.lexists(after):
            os.rename(before, after)


def claims_in(line: bytes) -> set[str]:
    """The machines that a line names, as a run reads it. A line longer than hookstream writes is
    not parsed: its folder names the owner."""
    if len(line) > OUTPUT_LINE_BYTES:
        return set()
    record = read_record(line)
    if record is None:
        return set()
    parts = [record] if isinstance(record, Record) else torn_apart(record, line) or []
    return {name for part in parts if isinstance(part, Record) for name in claims_of(part)}


def places_of(text: str, most: int) -> list[int]:
    """The numbers of `7-19,21`. Raises HttpError unless they rise and are at most `most`."""
    places: list[int] = []
    for part in text.split(","):
        run = RUN.fullmatch(part.strip())
        if run is None:
            raise HttpError(400, reason="Hookstream-Records names no places")
        first, last = int(run[1]), int(run[2] or run[1])
        if last < first or last - first >= most or (places and first <= places[-1]):
            raise HttpError(400, reason="Hookstream-Records does not fit the lines")
        places += range(first, last + 1)
        if len(places) > most:
            raise HttpError(400, reason="Hookstream-Records does not fit the lines")
    return places


def refusal_lines(refused: list[tuple[int, bytes]], stream: str) -> list[bytes]:
    """One Agent Hooks event for each refused line, given as (place in the sender's spool, bytes),
    for `gaps`. A line that is sent again gives the same event id."""
    return [_refusal_line(number, line, stream) for number, line in refused]


def _refusal_line(number: int, line: bytes, stream: str) -> bytes:
    digest = sha256(line).hexdigest()
    event = Event(
        f"vendor.{TOOL}.{NAME}",
        None,
        {
            "event_id": uuid_of(f"refused\0{stream}\0{number}\0{digest}"),
            "timestamp": now_text(),
            "session_id": SESSION,
            "tool": TOOL,
            "native_event": NAME,
            "error_message": FOREIGN,
        },
        TOOL,
    )
    event.native = {"place": number, "length": len(line), "sha256": digest}
    return json_line(agent_hooks(event))
