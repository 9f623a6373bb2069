"""Retention of the capture log: complete rotated files are removed once every delivery has taken
them.

A delivery has taken a file when it has read all of it and each of its sinks answers for all that it
had read by then (what is sealed is sealed before that). Sinks answer later than reading, so
`FOLDER/.retention/taken.json` remembers the position of reading when a file was first seen read.
Never removed: the current file, the newest of the others (numbers continue from it, so that no name
comes twice), and a file with a line that a legal hold covers.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from hookstream.capture.log.place import LOG_NAME
from hookstream.capture.log.rotation import DIGITS, numbered
from hookstream.core.errors import HookstreamError
from hookstream.core.files import make_private, write_atomic
from hookstream.core.jsons import JsonObject
from hookstream.lake.staged import PLACE
from hookstream.retention import holds
from hookstream.retention.records import facts_of

NAME = "taken.json"
# A hook that was stopped in the middle may still write to a file that was renamed under it.
RESTED_S = 60.0
# delivery -> file (see `mark_of`) -> records read when it was first seen read to its end
Marks = dict[str, dict[str, int]]


@dataclass
class Pruned:
    """Files removed (or to be), with their bytes, and those that stay although they are due."""

    removed: list[tuple[Path, int]] = field(default_factory=list)
    kept: list[tuple[Path, str]] = field(default_factory=list)


@dataclass(frozen=True)
class Limits:
    """Age in seconds of a file's last line, and bytes of the entire log; None: no limit."""

    max_age_s: int | None = None
    max_bytes: int | None = None


def prune(
    folder: Path,
    limits: Limits,
    deliveries: Iterable[JsonObject],
    now: float | None = None,
    *,
    dry_run: bool = False,
) -> Pruned:
    """Remove what is due and taken. `deliveries` are states as `delivery.state.read` gives them.
    HookstreamError if none follows this log or holds cannot be read: then nothing goes."""
    at = time.time() if now is None else now
    readers = [delivery for delivery in deliveries if follows(delivery, folder)]
    if not readers:
        raise HookstreamError(f"{folder}: no delivery of this log is known; nothing is removed")
    held = holds.read(folder)
    done, marks = Pruned(), read_marks(folder)
    files = list(rotated(folder))
    taken = note(marks, readers, files)
    for path in due(files, folder, limits, at):
        missing = [reader for reader in readers if not taken(reader, path)]
        if missing:
            names = ", ".join(str(one["folder"]) for one in missing)
            done.kept.append((path, f"not taken yet by {names}"))
        elif at - path.stat().st_mtime < RESTED_S:
            done.kept.append((path, "written to just now"))
        elif held and is_held(path, held):
            done.kept.append((path, "held"))
        else:
            done.removed.append((path, path.stat().st_size))
            if not dry_run:
                path.unlink()
    if not dry_run:
        make_private(folder / PLACE)
        write_atomic(folder / PLACE / NAME, json.dumps(marks).encode())
    return done


def rotated(folder: Path) -> Iterator[Path]:
    """The numbered files of the log, oldest first."""
    stem, dot, ending = LOG_NAME.rpartition(".")
    for number in numbered(str(folder), stem, dot + ending):
        yield folder / f"{stem}.{number:0{DIGITS}d}{dot}{ending}"


def due(files: list[Path], folder: Path, limits: Limits, now: float) -> list[Path]:
    """Those past the age, and the oldest of the others while the log is too large."""
    current = folder / LOG_NAME
    total = sum(file.stat().st_size for file in files)
    total += current.stat().st_size if current.exists() else 0
    paths = []
    for path in files[:-1]:
        info = path.stat()
        is_old = limits.max_age_s is not None and info.st_mtime < now - limits.max_age_s
        if is_old or (limits.max_bytes is not None and total > limits.max_bytes):
            paths.append(path)
            total -= info.st_size
    return paths


def follows(delivery: JsonObject, folder: Path) -> bool:
    """Return whether a delivery reads this log, and delivers it anywhere."""
    text = f"{folder.resolve()}/"
    return bool(delivery["sinks"]) and any(path.startswith(text) for path in delivery["sources"])


def note(
    marks: Marks, readers: list[JsonObject], files: list[Path]
) -> Callable[[JsonObject, Path], bool]:
    """Remember which files are read to their end now; then say whether a delivery took one."""
    names = {path: mark_of(path) for path in files}

    def mark(one: JsonObject) -> dict[str, int]:
        return marks.setdefault(str(one["folder"]), {})

    for one in readers:
        known = {name: n for name, n in mark(one).items() if name in names.values()}
        for path, name in names.items():
            source = one["sources"].get(str(path.resolve()))
            if source is not None and source["size"] is not None:
                is_read = source["read"] >= source["size"] == path.stat().st_size
                if is_read and known.get(name, 0) <= one["records"]:
                    known.setdefault(name, one["records"])
                elif is_read:  # the state was started again since
                    known[name] = one["records"]
        marks[str(one["folder"])] = known

    def taken(one: JsonObject, path: Path) -> bool:
        settled = one["records"] - max(sink["undelivered"] for sink in one["sinks"].values())
        seen = mark(one).get(names[path])
        return seen is not None and settled >= seen

    return taken


def mark_of(path: Path) -> str:
    """A mark of a file that no longer changes, unlike one that gets its inode later."""
    info = path.stat()
    return f"{info.st_ino}-{info.st_size}-{info.st_mtime_ns}"


def read_marks(folder: Path) -> Marks:
    """Read the stored marks; nothing if they are damaged, which costs a run."""
    try:
        document = json.loads((folder / PLACE / NAME).read_bytes())
        return {str(one): {str(k): int(n) for k, n in of.items()} for one, of in document.items()}
    except (OSError, ValueError, AttributeError, TypeError):
        return {}


def is_held(path: Path, held: tuple[holds.Hold, ...]) -> bool:
    """Return whether a hold covers a line of the file."""
    with path.open("rb") as file:
        return any(hold.covers(facts_of(line)[1]) for line in file for hold in held)
