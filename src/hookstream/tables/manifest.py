"""What the tables beside a lake cover: `LAKE.tables/manifest.json`, written last.

A part that it does not name is not in the tables yet; one that it names and that is gone was put
together with others, or its date was deleted.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from hookstream.columns import NO_PARTITION
from hookstream.deltalog import committed
from hookstream.tables.relations import LOOP_FAILURES, LOOP_UNCHANGED, detectors, sources

if sys.platform != "win32":
    import fcntl

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = "manifest.json"
FORMAT = 3


@cache
def version() -> str:
    """A mark of what the tables are made by: those of another build are made anew."""
    text = json.dumps([FORMAT, sorted(sources().items()), sorted(detectors().items())])
    return sha256(text.encode()).hexdigest()[:16]


def folder_of(lake: Path) -> Path:
    """The folder of a lake's tables: beside it, for readers of a lake look into all its folders."""
    lake = lake.resolve()
    return lake.with_name(f"{lake.name}.tables")


def parts_of(lake: Path) -> dict[str, int]:
    """The parts that are there: path below the lake -> size in bytes."""
    found = {}
    for path in committed(lake, sorted(lake.rglob("*.parquet"))):
        below = path.relative_to(lake)
        if not any(name.startswith(".") or name.endswith(".tables") for name in below.parts):
            with contextlib.suppress(OSError):
                found[below.as_posix()] = path.stat().st_size
    return found


def date_of(part: str) -> str:
    """The date in a part's path, empty where it has none."""
    found = re.search(r"(?:^|/)date=([^/]+)/", part)
    return "" if found is None or found[1] == NO_PARTITION else found[1]


def tool_of(part: str) -> str | None:
    """The tool in a part's path, None where it has none."""
    found = re.search(r"(?:^|/)tool=([^/]+)/", part)
    return None if found is None or found[1] == NO_PARTITION else unquote(found[1])


@dataclass
class Manifest:
    """`parts` are path -> size, `repeats` says whether `repeated` names rows told twice, `alike`
    whether all parts have the same columns, `several` whether more than one kind of witness tells
    of the sessions."""

    parts: dict[str, int] = field(default_factory=dict)
    repeats: bool = False
    alike: bool = False
    several: bool = True
    loop_failures: int = LOOP_FAILURES
    loop_unchanged: int = LOOP_UNCHANGED
    version: str = field(default_factory=version)

    def covers(self, part: str, size: int) -> bool:
        """Whether the tables are made of this part as it is."""
        return self.parts.get(part) == size

    def write(self, folder: Path) -> None:
        temporary = folder / f".{NAME}.{os.getpid()}"
        temporary.write_text(json.dumps(self.__dict__, indent=0) + "\n")
        with temporary.open("rb") as file:
            os.fsync(file.fileno())
        temporary.replace(folder / NAME)


def read(folder: Path) -> Manifest | None:
    """The manifest there; None where there is none, or one of another build."""
    try:
        made = Manifest(**json.loads((folder / NAME).read_bytes()))
    except (OSError, ValueError, TypeError):
        return None
    return made if made.version == version() else None


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[bool]:
    """Whether this process alone may write the tables."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    fd = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
    try:
        if sys.platform != "win32":
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield True
    except BlockingIOError:
        yield False
    finally:
        os.close(fd)
