"""Folders of a follower: where its state is stored; it is alone there and reads nothing of what it
writes."""

from __future__ import annotations

import contextlib
import os
import time
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from hookstream.core.errors import HookstreamError, NothingToRead, SinkError
from hookstream.core.files import Folder, check_folder
from hookstream.core.folders import state_path
from hookstream.delivery.cursor import identity, place_of
from hookstream.sinks import folder_of

if TYPE_CHECKING:
    from hookstream.delivery.job import Job

STREAMS = ("kafka://", "nats://")


def folder_for(base: Path, sources: list[str], *rest: str) -> Path:
    """The state folder of a stream: it follows from the sources and what is made of them."""
    known = [str(Path(source).resolve()) if source != "-" else source for source in sources]
    text = "\0".join([*sorted(known), "", *rest])
    return base / "delivery" / sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:16]


def state_of(job: Job) -> Path:
    """The state folder of a job's delivery: the one that is set, else one that follows from the
    sources and what is made of them. Another delivery of the same sources, to none of the sinks
    that are known there, has a separate one."""
    if job.state is not None:
        return job.state
    if any(map(is_stream, job.sources)):
        return folder_for(state_path(), ["-"], job.sources[0], job.privacy)
    key = str(job.hash_key_file.resolve()) if job.hash_key_file else ""
    first = folder_for(state_path(), job.sources, job.privacy, job.vendor or "", key)
    sinks = [(output.label, output.uri) for output in job.outputs]
    others = sorted(first.parent.glob(f"{first.name}-*"))
    for folder in (first, *others):
        if any(place_of(folder, *sink).exists() for sink in sinks):
            return folder
    if not any((first / "sinks").glob("*.json")):
        return first
    made = sha256("\0".join(sorted(identity(*sink) for sink in sinks)).encode()).hexdigest()
    return first.with_name(f"{first.name}-{made[:8]}")


def is_stream(source: str) -> bool:
    return source.startswith(STREAMS)


def demand_sources(sources: list[str]) -> None:
    """Refuse a source that is not there or cannot be read; a follower waits for it instead."""
    from hookstream.core.sources import find

    for source in sources:
        path = Path(source)
        if is_stream(source):
            continue
        if not path.exists() and any(mark in source for mark in "*?["):
            find([source])
        elif not path.exists():
            raise NothingToRead(f"{source}: no such file or folder")
        elif not os.access(path, os.R_OK | (os.X_OK if path.is_dir() else 0)):
            raise HookstreamError(f"{source}: permission denied")


def check_sources(sources: list[str], sinks: list[str], folder: Path) -> None:
    """Refuse a follower that reads what it writes, which would never end, and two sinks of one
    folder. Raises HookstreamError."""
    if "-" in sources:
        raise HookstreamError(
            "-: standard input cannot be followed (nothing could be read again after a crash); "
            "write it to a file"
        )
    written = [
        (folder.resolve(), f"the state folder {folder}: name another with --state or `state`")
    ]
    owners: dict[Path, str] = {}
    for uri in sinks:
        output = folder_of(uri)
        if output is None:
            continue
        if output in owners:
            raise HookstreamError(f"{owners[output]} and {uri}: one folder each")
        owners[output] = uri
        written.append((output, f"the sink {uri}: write elsewhere"))
    for source in sources:
        plain = source.split("*")[0].split("?")[0].split("[")[0]
        place = Path(plain).resolve()
        for output, what in written:
            inside = output == place or output in place.parents
            around = place in output.parents and _descends(source)
            if inside or around:
                raise HookstreamError(f"{source}: {'lies inside' if inside else 'holds'} {what}")


def _descends(source: str) -> bool:
    """Return whether a source reads files of folders below it: a folder or a pattern of them."""
    return Path(source).is_dir() or any(mark in str(Path(source).parent) for mark in "*?[")


def check_state(folder: Path) -> None:
    """Refuse a state folder that cannot be written; nothing is made. SinkError."""
    try:
        check_folder(folder)
    except SinkError as error:
        raise SinkError(f"{error}; another folder with --state or `state`") from None


def locked(folder: Path) -> Folder:
    """Lock the folder for one follower; a reader holds it for a moment. SinkError."""
    check_state(folder)
    for _ in range(10):
        with contextlib.suppress(SinkError):
            return Folder(str(folder))
        time.sleep(0.05)
    try:
        return Folder(str(folder))
    except SinkError as error:
        raise SinkError(f"{error}; one follower a source, or another folder with --state") from None
