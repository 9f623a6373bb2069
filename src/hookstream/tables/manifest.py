"""The manifest of a lake's tables: `LAKE.tables/manifest.json`, written last.

A part that it does not name is not in the tables yet; one that it names and that does not exist was
put together with others, or its date was deleted. It names every file of the tables with its size,
time and digest: tables of which a file is missing, changed or added are damaged, and not read.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from hashlib import file_digest, sha256
from pathlib import Path
from urllib.parse import unquote

from hookstream.core import files
from hookstream.core.files import make_private, write_atomic
from hookstream.lake.columns import NO_PARTITION
from hookstream.tables.connection import steps
from hookstream.tables.relations import LOOP_FAILURES, LOOP_UNCHANGED, TABLES, detectors, sources

NAME = "manifest.json"
LOCK = ".lock"
# While a refresh renames files; what it leaves when it breaks off, the next one derives again.
UNFINISHED = ".unfinished"
FORMAT = 4
# What is kept next to the tables, for refreshes.
BESIDE = ("evidence", "kin", "repeated")
TRIES = 3


@cache
def version() -> str:
    """A mark of the build that made the tables: those of another build are made again."""
    texts = (sources(), steps(), detectors())
    text = json.dumps([FORMAT, *(sorted(named.items()) for named in texts)])
    return sha256(text.encode()).hexdigest()[:16]


def folder_of(lake: Path) -> Path:
    """The folder of a lake's tables: next to it, since readers of a lake look into all its
    folders.
    """
    lake = lake.resolve()
    return lake.with_name(f"{lake.name}.tables")


def date_of(part: str) -> str:
    """The date in a part's path, empty if it has none."""
    match = re.search(r"(?:^|/)date=([^/]+)/", part)
    return "" if match is None or match[1] == NO_PARTITION else match[1]


def tool_of(part: str) -> str | None:
    """The tool in a part's path, None if it has none."""
    match = re.search(r"(?:^|/)tool=([^/]+)/", part)
    return None if match is None or match[1] == NO_PARTITION else unquote(match[1])


@dataclass
class TablesManifest:
    """`parts` are path -> size, `files` those of the tables: path -> (size, time of change in ns,
    SHA-256). `repeats` is whether `repeated` names rows reported twice, `alike` whether all parts
    have the same columns, `several` whether more than one kind of witness reports the sessions."""

    parts: dict[str, int] = field(default_factory=dict)
    files: dict[str, tuple[int, int, str]] = field(default_factory=dict)
    repeats: bool = False
    alike: bool = False
    several: bool = True
    loop_failures: int = LOOP_FAILURES
    loop_unchanged: int = LOOP_UNCHANGED
    version: str = field(default_factory=version)

    def covers(self, part: str, size: int) -> bool:
        """Return whether the tables are made of this part as it is."""
        return self.parts.get(part) == size

    def flaw(self, folder: Path, *, to_the_byte: bool = False) -> str:
        """The first file that is not as it was written, with what is wrong; empty if all are.
        A digest is compared where the time differs, or `to_the_byte`."""
        found = dict(files_in(folder))
        for name, given in sorted(self.files.items()):
            size, changed, digest = given
            if (is_there := found.pop(name, None)) is None:
                return f"{name}: missing"
            if is_there[0] != size:
                return f"{name}: {is_there[0]} bytes, written were {size}"
            if to_the_byte or is_there[1] != changed:
                try:
                    if digest_of(folder / name) != digest:
                        return f"{name}: changed since it was written"
                except OSError as error:
                    return f"{name}: {error.strerror or type(error).__name__}"
        return next((f"{name}: not written with these tables" for name in sorted(found)), "")

    def name_files(self, folder: Path, known: TablesManifest | None) -> None:
        """Take down the files that are there; the digests of those `known` as they are stay."""
        old = {} if known is None else known.files
        self.files = {}
        for name, (size, changed) in files_in(folder):
            before = old.get(name)
            if before is not None and (before[0], before[1]) == (size, changed):
                self.files[name] = before
            else:
                self.files[name] = (size, changed, digest_of(folder / name))

    def write(self, folder: Path) -> None:
        write_atomic(folder / NAME, (json.dumps(self.__dict__, indent=0) + "\n").encode("ascii"))


def files_in(folder: Path) -> Iterator[tuple[str, tuple[int, int]]]:
    """The files of the tables in a folder, with size and time of change (ns)."""
    for table in (*TABLES, *BESIDE):
        for file in listed(folder / table):
            with contextlib.suppress(OSError):
                state = os.stat(file)  # noqa: PTH116
                name = file.removeprefix(os.fspath(folder) + os.sep).replace(os.sep, "/")
                yield name, (state.st_size, state.st_mtime_ns)


def listed(table: Path) -> list[str]:
    """The files of a table, as they are now, in order."""
    with contextlib.suppress(OSError):
        return sorted(_below(os.fspath(table)))
    return []


def _below(place: str) -> Iterator[str]:
    with os.scandir(place) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                yield from _below(entry.path)
            elif entry.name[0] != "." and entry.name.endswith(".parquet"):
                yield entry.path


def digest_of(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def read(folder: Path) -> TablesManifest | None:
    """The manifest; None if it does not exist, is of another build, or is damaged."""
    return look(folder)[0]


def look(
    folder: Path, *, to_the_byte: bool = False, ours: bool = False
) -> tuple[TablesManifest | None, str]:
    """The manifest that can be used, and what is damaged. Files that do not match are not damage
    while a refresh is running, which renames them one by one, or if one broke off; `ours` says that
    it is this one that is running. `to_the_byte` accepts neither."""
    text = None
    for _ in range(TRIES):
        before, text = text, _text(folder)
        if text is None:
            return None, ""
        made = _parsed(text)
        if made is None:
            return None, f"{NAME}: cannot be read"
        if made.version != version():
            return None, ""
        flaw = made.flaw(folder, to_the_byte=to_the_byte)
        broke_off = not to_the_byte and (folder / UNFINISHED).exists()
        if not flaw or broke_off or (not ours and files.is_held(folder / LOCK)):
            return made, ""
        if text == before:
            break
    return None, flaw


def _text(folder: Path) -> bytes | None:
    try:
        return (folder / NAME).read_bytes()
    except FileNotFoundError:
        return None
    except OSError:
        return b""


def _parsed(text: bytes) -> TablesManifest | None:
    try:
        manifest = TablesManifest(**json.loads(text))
        is_sound = all(type(size) is int for size in manifest.parts.values()) and all(
            (type(size), type(changed), type(digest)) == (int, int, str)
            for size, changed, digest in manifest.files.values()
        )
    except (ValueError, TypeError, AttributeError, RecursionError):
        return None
    numbers = (manifest.loop_failures, manifest.loop_unchanged)
    return manifest if is_sound and all(type(number) is int for number in numbers) else None


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[bool]:
    """Return whether this process alone may write the tables."""
    make_private(folder)
    with files.locked(folder / LOCK) as free:
        yield free


@dataclass(frozen=True)
class Lake:
    """`parts` are those that are read: path below the lake -> size; `tables` is the folder that is
    read and written."""

    path: Path
    parts: dict[str, int]
    tables: Path

    @classmethod
    def at(cls, path: Path, parts: dict[str, int], tables: Path | None = None) -> Lake:
        """The lake of a folder, whose tables are next to it unless others are named."""
        return cls(path.resolve(), parts, tables or folder_of(path))

    def files(self, parts: Iterable[str] | None = None) -> list[str]:
        """The files of some parts, of all by default."""
        return [str(self.path / part) for part in (self.parts if parts is None else parts)]
