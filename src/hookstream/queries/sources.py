"""Which files of a path are a stream: Parquet parts, or lines of agent-hooks.jsonl."""

from __future__ import annotations

import os
import re
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING

from hookstream.deltalog import LOG, committed
from hookstream.errors import NothingToRead
from hookstream.owners import is_link_in_fleet
from hookstream.queries import guard

if TYPE_CHECKING:
    from collections.abc import Iterable

# agent-hooks.jsonl, rotated and compressed ones beside it
STREAM = re.compile(r"agent-hooks.*?\.(?:jsonl|ndjson)(?:\.(\d{1,6}))?(?:\.gz|\.zst)?\Z")
LINES = re.compile(r".*\.(?:jsonl|ndjson)(?:\.(\d{1,6}))?(?:\.gz|\.zst)?\Z")
# hookstream's other files, which hold no event of their own
OTHER = re.compile(r"(?:aarts|rejected).*")
PARQUET_MAGIC = b"PAR1"
# A folder that sinks write parts into, and nothing else.
PARTITION = re.compile(r"[/\\]date=[^/\\]+[/\\]tool=[^/\\]+\Z")


class Found:
    """The files of a stream in reading order: `kind` is parquet or jsonl; `named` says whether
    their names promise a stream, so that even an empty one is one; `sizes` are their bytes where a
    folder was listed; `closed` are the folders among them that may not be listed."""

    __slots__ = ("closed", "files", "kind", "named", "sizes")

    def __init__(self, kind: str, files: Iterable[str], named: bool) -> None:
        self.kind = kind
        self.files = list(files)
        self.named = named
        self.sizes: dict[str, int] = {}
        self.closed: list[Path] = []


class Listing:
    """One walk through a folder, in the order of names: plain files with their bytes, none that is
    hidden (such a name may mean it is still written), and none of derived tables, which lie beside
    their lake. `is_delta` says that there is a Delta log, `closed` which folders may not be
    listed."""

    def __init__(self, folder: Path) -> None:
        self.sizes: dict[str, int] = {}
        self.closed: list[Path] = []
        self.is_delta = False
        left = self._entries(os.fspath(folder))
        while left:
            entry = left.pop()
            try:
                if entry.is_dir(follow_symlinks=False):
                    self.is_delta = self.is_delta or entry.name == LOG
                    left += self._entries(entry.path)
                elif entry.is_file() and not (entry.is_symlink() and is_link_in_fleet(entry.path)):
                    self.sizes[entry.path] = entry.stat().st_size
            except OSError:  # gone since
                continue

    def _entries(self, folder: str) -> list[os.DirEntry[str]]:
        """What is in a folder, the last name first."""
        try:
            with os.scandir(folder) as entries:
                shown = [
                    one
                    for one in entries
                    if one.name[0] != "." and not one.name.endswith(".tables")
                ]
        except PermissionError:
            self.closed.append(Path(folder))
            return []
        except OSError:
            return []
        return sorted(shown, key=attrgetter("name"), reverse=True)


def find(path: Path) -> Found:
    """The stream at a path. A folder that holds both forms is read as Parquet, the faster one.

    Raises NothingToRead when the path does not exist or nothing in it can be a stream.
    """
    if path.is_dir():
        listing = Listing(path.resolve())
        found = _inside(path.resolve(), listing)
        found.sizes, found.closed = listing.sizes, listing.closed
        return found
    if not path.exists():
        raise NothingToRead(f"{path}: no such file or folder")
    if not path.is_file():
        raise NothingToRead(f"{path}: neither a file nor a folder")
    if path.suffix == ".parquet":
        return Found("parquet", [str(path.resolve())], True)
    return Found("jsonl", [str(path.resolve())], STREAM.match(path.name) is not None)


def _inside(folder: Path, listing: Listing) -> Found:
    parquet = [file for file in listing.sizes if file.endswith(".parquet")]
    if listing.is_delta:
        parquet = [str(file) for file in committed(folder, map(Path, parquet))]
    if parquet:
        return Found("parquet", parquet, True)
    paths = [Path(file) for file in listing.sizes]
    for pattern, named in ((STREAM, True), (LINES, False)):
        found = [f for f in paths if pattern.match(f.name) and not OTHER.match(f.name)]
        if found:
            return Found("jsonl", map(str, sorted(found, key=_age)), named)
    raise NothingToRead(f"{folder}: holds no stream (no *.parquet and no agent-hooks.jsonl in it)")


def _age(file: Path) -> tuple[str, int, str]:
    """Oldest first: name.jsonl.2, name.jsonl.1, then name.jsonl; dated names in their own order."""
    found = LINES.match(file.name)
    number = found[1] if found else None
    stem = re.sub(r"\.(?:jsonl|ndjson).*", "", file.name)
    # The live file has the shortest name: everything named after it is older.
    live = 0 if number is None else -int(number)
    order = "~" if stem == "agent-hooks" else stem
    return str(file.parent), live if number else 1, order


def places(files: Iterable[str]) -> tuple[list[str], list[str]]:
    """What SQL may open to read these files: their folders where they hold nothing but parts, for
    DuckDB takes longer to allow thousands of names than to answer; the others by name."""
    lone, folders = [], set()
    for file in files:
        folder = os.path.dirname(file)  # noqa: PTH120
        if folder in folders or PARTITION.search(folder):
            folders.add(folder)
        else:
            lone.append(file)
    return lone, sorted(folders)


def is_whole(file: Path) -> str | None:
    """Why a Parquet file cannot be read, by its first and last bytes, or None."""
    try:
        with file.open("rb") as stream:
            head = stream.read(4)
            size = stream.seek(0, 2)
            stream.seek(max(0, size - 4))
            tail = stream.read(4)
    except OSError as error:
        return error.strerror or type(error).__name__
    if size < 12 or head != PARQUET_MAGIC or tail != PARQUET_MAGIC:
        return "torn: not a whole Parquet file"
    return None


def find_damaged(path: Path) -> dict[str, str]:
    """Which Parquet files at a path cannot be read to their end, and why: each is read whole."""
    import duckdb

    made: dict[str, str] = {}
    with duckdb.connect() as connection:
        for file in find(path).files:
            if not file.endswith(".parquet") or is_whole(Path(file)) is not None:
                continue
            try:
                connection.execute(
                    "select bit_xor(hash(part)) from read_parquet(?) as part", [file]
                ).fetchall()
            except duckdb.Error as error:
                _, _, why = guard.one_line(error).rpartition('": ')
                made[file] = f"damaged: {why[:120].strip()}"
    return made
