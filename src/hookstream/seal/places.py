"""Second places for checkpoints that a writer of this machine must not be able to change.

    file:PATH       a file, best on another machine's disk       one JSON object per line
    https://...     POST of one JSON object                      answered 2xx
    git:FOLDER      a commit per checkpoint, pushed if a remote is set
    syslog:...      as the sink of that name
    s3://...        an object per checkpoint in a bucket with Object Lock

What they get is {"type": "seal.checkpoint", "origin", "size", "note"}; `hookstream verify
--against FILE` takes such lines. Each end of an epoch is sent, and the newest at most every 10 s.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from hookstream.core.files import append, open_append, read_at
from hookstream.core.logs import say
from hookstream.seal import SealError
from hookstream.seal.note import Checkpoint, read_checkpoint

EVERY_S = 10.0
MOST_HELD = 1000
TYPE = "seal.checkpoint"


def event_of(checkpoint: Checkpoint) -> bytes:
    fields = {
        "type": TYPE,
        "origin": checkpoint.origin,
        "size": checkpoint.size,
        "note": checkpoint.note,
    }
    return json.dumps(fields).encode("ascii")


def checkpoints_in(data: bytes) -> Iterator[Checkpoint]:
    """The checkpoints of a second place: lines as sent, or one note. SealError if they are
    invalid."""
    text = data.decode("utf-8", "replace")
    if not text.lstrip().startswith("{"):
        yield read_checkpoint(text)
        return
    for line in text.splitlines():
        # It may hold them among other lines, and one that a crash has cut off.
        try:
            document = json.loads(line)
        except ValueError:
            continue
        if isinstance(document, dict) and document.get("type") == TYPE:
            yield read_checkpoint(str(document.get("note")))


class SecondPlace(Protocol):
    """One second place. OSError if it cannot be reached."""

    uri: str

    def send(self, event: bytes) -> None: ...

    def newest(self, origin: str) -> Checkpoint | None:
        """The newest it has of a log, if it can be asked."""
        ...


@dataclass(eq=False)
class FilePlace:
    uri: str
    path: Path

    def send(self, event: bytes) -> None:
        fd = open_append(self.path)
        try:
            torn = (size := os.fstat(fd).st_size) and read_at(fd, 1, size - 1) != b"\n"
            append(fd, (b"\n" if torn else b"") + event + b"\n")
        finally:
            os.close(fd)

    def newest(self, origin: str) -> Checkpoint | None:
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return None
        checkpoints = [
            checkpoint for checkpoint in checkpoints_in(data) if checkpoint.origin == origin
        ]
        return max(checkpoints, key=lambda one: one.size, default=None)


class GitPlace:
    """A file of checkpoints in a work tree, one commit each."""

    def __init__(self, uri: str, folder: Path) -> None:
        self.uri = uri
        self.folder = folder
        if not (folder / ".git").exists():
            raise SealError(f"{uri}: not a git work tree")

    def _git(self, *words: str) -> None:
        done = subprocess.run(
            ["git", "-C", str(self.folder), *words], capture_output=True, timeout=60, check=False
        )
        if done.returncode:
            said = done.stderr.decode("utf-8", "replace").strip().splitlines()
            raise OSError(5, said[-1] if said else f"git {words[0]} failed")

    def _file(self, origin: str) -> Path:
        return self.folder / f"{re.sub(r'[^A-Za-z0-9.]+', '-', origin)}.jsonl"

    def send(self, event: bytes) -> None:
        path = self._file(str(json.loads(event)["origin"]))
        FilePlace(self.uri, path).send(event)
        self._git("add", path.name)
        self._git("commit", "-q", "-m", f"seal: {json.loads(event)['size']} leaves", path.name)
        remotes = subprocess.run(
            ["git", "-C", str(self.folder), "remote"], capture_output=True, check=False
        )
        if remotes.stdout.strip():
            self._git("push", "-q", "origin", "HEAD")

    def newest(self, origin: str) -> Checkpoint | None:
        return FilePlace(self.uri, self._file(origin)).newest(origin)


class HttpPlace:
    def __init__(self, uri: str) -> None:
        from hookstream.sinks.http import HttpClient

        self.uri = uri
        self._client = HttpClient(f"seal:{uri}", uri, timeout_s=5.0)

    def send(self, event: bytes) -> None:
        from hookstream.sinks.http import Unreachable

        try:
            answer = self._client.post(event, "application/json", None, None)
        except Unreachable as error:
            raise OSError(5, str(error)) from None
        if not 200 <= answer.status < 300:
            raise OSError(5, f"HTTP {answer.status}")

    def newest(self, origin: str) -> Checkpoint | None:
        return None


class SyslogPlace:
    def __init__(self, uri: str) -> None:
        from hookstream.sinks.syslog import connect

        self.uri = uri
        self._send = connect(uri.partition(":")[2])

    def send(self, event: bytes) -> None:
        self._send("seal.checkpoint", event)

    def newest(self, origin: str) -> Checkpoint | None:
        return None


def open_place(uri: str) -> SecondPlace:
    """The second place of an address. SealError if it names none."""
    kind, _, target = uri.partition(":")
    if kind == "file" and target:
        return FilePlace(uri, Path(target).expanduser())
    if kind == "git" and target:
        return GitPlace(uri, Path(target).expanduser())
    if kind in ("http", "https"):
        return HttpPlace(uri)
    if kind == "s3":
        from hookstream.seal.buckets import BucketPlace

        return BucketPlace(uri)
    if kind == "syslog" and target:
        return SyslogPlace(uri)
    raise SealError(f"{uri}: not a second place; one of file:, git:, http(s)://, syslog:, s3://")


class Places:
    """All second places of one log. One that cannot be reached is visited again later."""

    def __init__(self, places: list[SecondPlace]) -> None:
        self.places = places
        self._held: dict[str, list[bytes]] = {one.uri: [] for one in places}
        self._newest: bytes | None = None
        self._sent_at = 0.0
        self._trouble: dict[str, str] = {}

    def refuse_rollback(self, head: Checkpoint) -> None:
        """Refuse a rollback: SealError if a place has seen more of the log than there is."""
        for place in self.places:
            try:
                known = place.newest(head.origin)
            except (OSError, SealError) as error:
                self._say(place.uri, str(error))
                continue
            if known is not None and known.size > head.size:
                raise SealError(
                    f"{place.uri} has a checkpoint of {known.size} leaves, here are {head.size}: "
                    "this was put back to an older state, and is not sealed on"
                )

    def offer(self, checkpoint: Checkpoint, *, lasting: bool) -> None:
        """Offer a checkpoint on disk here; a `lasting` one is sent even if newer ones follow."""
        event = event_of(checkpoint)
        if lasting:
            for held in self._held.values():
                held.append(event)
                del held[:-MOST_HELD]
            self._newest = None
        else:
            self._newest = event

    def visit(self, now: float) -> None:
        """Send what is due."""
        if self._newest is not None and now - self._sent_at >= EVERY_S:
            for held in self._held.values():
                held.append(self._newest)
                del held[:-MOST_HELD]
            self._newest = None
        if not any(self._held.values()):
            return
        if self._trouble and now - self._sent_at < EVERY_S:
            return
        self._sent_at = min(now, 1e12)
        for place in self.places:
            held = self._held[place.uri]
            try:
                while held:
                    place.send(held[0])
                    del held[0]
                self._trouble.pop(place.uri, None)
            except (OSError, subprocess.SubprocessError) as error:
                self._say(place.uri, getattr(error, "strerror", None) or str(error))

    def _say(self, uri: str, trouble: str) -> None:
        if self._trouble.get(uri) != trouble:
            self._trouble[uri] = trouble
            say(f"hookstream: seal: {uri}: {trouble}; tried again")
