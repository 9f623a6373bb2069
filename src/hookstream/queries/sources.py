"""Which files of a path are a stream: Parquet parts, or lines of agent-hooks.jsonl."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path

from hookstream.core.errors import NothingToRead
from hookstream.core.files import NOT_PLAIN
from hookstream.lake.listing import Listing, Parts, parts_of

# agent-hooks.jsonl, rotated and compressed ones next to it
STREAM = re.compile(r"(?i)agent-hooks.*?\.(?:jsonl|ndjson)(?:\.(\d{1,6}))?(?:\.gz|\.zst)?\Z")
LINES = re.compile(r"(?i).*\.(?:jsonl|ndjson)(?:\.(\d{1,6}))?(?:\.gz|\.zst)?\Z")
# hookstream's other files, which hold no further event
REJECTED = "rejected*.jsonl*"
OTHER = re.compile(r"(?i)(?:aarts|rejected).*")
# A folder that sinks write parts into, and nothing else.
PARTITION = re.compile(r"[/\\]date=[^/\\]+[/\\]tool=[^/\\]+\Z")


class StreamFiles:
    """The files of a stream in reading order: `kind` is parquet or jsonl; `named` says whether
    their names promise a stream, so that even an empty one is one; `sizes` are their bytes where a
    folder was listed; `closed` are the folders among them that may not be listed, `strays` the
    files that are left out, with the reason."""

    def __init__(self, kind: str, files: Iterable[str], named: bool) -> None:
        self.kind = kind
        self.files = list(files)
        self.named = named
        self.sizes: dict[str, int] = {}
        self.closed: list[Path] = []
        self.strays: dict[str, str] = {}


def find(path: Path) -> StreamFiles:
    """The stream at a path. A folder that holds both forms is read as Parquet, the faster one.

    Raises NothingToRead when the path does not exist or nothing in it can be a stream.
    """
    if path.is_dir():
        return _inside(path.resolve())
    if not path.exists():
        raise NothingToRead(f"{path}: no such file or folder")
    if not path.is_file():
        raise NothingToRead(f"{path}: neither a file nor a folder")
    if path.suffix == ".parquet":
        return StreamFiles("parquet", [str(path.resolve())], True)
    return StreamFiles("jsonl", [str(path.resolve())], STREAM.match(path.name) is not None)


def _inside(folder: Path) -> StreamFiles:
    listing = Listing(folder)
    parts = Parts(folder, listing)
    if parts.sizes or parts.strays:
        found = StreamFiles("parquet", (os.path.join(folder, part) for part in parts.sizes), True)  # noqa: PTH118
        found.sizes = dict(zip(found.files, parts.sizes.values(), strict=True))
        found.strays = parts.strays
        found.closed = listing.closed
        return found
    paths = [Path(file) for file in listing.sizes]
    for pattern, named in ((STREAM, True), (LINES, False)):
        lines = [f for f in paths if pattern.match(f.name) and not OTHER.match(f.name)]
        if lines:
            found = StreamFiles("jsonl", map(str, sorted(lines, key=_age)), named)
            found.sizes, found.closed = listing.sizes, listing.closed
            found.strays = _beside(folder, paths, lines) | _odd(folder, listing)
            return found
    raise NothingToRead(
        f"{folder}: holds no stream (no *.parquet and no agent-hooks.jsonl in it); a sink writes "
        "the first part of a lake up to 60 s after its first record"
    )


def _beside(folder: Path, paths: list[Path], read: list[Path]) -> dict[str, str]:
    """The files of lines that `run` would read and a question does not, except our own outputs."""
    chosen = set(read)
    return {
        file.relative_to(folder).as_posix(): "left out next to agent-hooks.jsonl"
        for file in paths
        if LINES.match(file.name) and file not in chosen and not OTHER.match(file.name)
    }


def _odd(folder: Path, listing: Listing) -> dict[str, str]:
    """Files named like files of lines that cannot be read as such."""
    return {
        Path(path).relative_to(folder).as_posix(): NOT_PLAIN
        for path in listing.odd
        if LINES.match(Path(path).name)
    }


def _age(file: Path) -> tuple[str, int, str]:
    """Oldest first: name.jsonl.2, name.jsonl.1, then name.jsonl; dated names in their own order."""
    found = LINES.match(file.name)
    number = found[1] if found else None
    stem = re.sub(r"\.(?:jsonl|ndjson).*", "", file.name)
    # The live file has the shortest name: everything named after it is older.
    live = 0 if number is None else -int(number)
    order = "~" if stem == "agent-hooks" else stem
    return str(file.parent), live if number else 1, order


def read_at(folder: Path) -> set[Path]:
    """Every file of a folder that a question or a run reads. HookstreamError."""
    from hookstream.core.sources import inside

    lines = {*inside(folder), *folder.glob(REJECTED)}
    return lines | {folder / part for part in parts_of(folder)}


def places(files: Iterable[str]) -> tuple[list[str], list[str]]:
    """Paths that SQL may open to read these files: their folders if they hold only parts, since
    DuckDB takes longer to allow thousands of names than to answer; the others by name."""
    lone, folders = [], set()
    for file in files:
        folder = os.path.dirname(file)  # noqa: PTH120
        if folder in folders or PARTITION.search(folder):
            folders.add(folder)
        else:
            lone.append(file)
    return lone, sorted(folders)
