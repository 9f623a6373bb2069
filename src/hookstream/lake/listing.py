"""The files of a lake, listed in one place: whatever reads, writes, seals, compacts or prunes one
asks here, so that no file is seen by one command and not by another.

A part of a lake is a plain file `date=D/tool=T/NAME.parquet`: `date` is a day or the null
partition, no name begins with a dot, and a Delta log, if one exists, names it. Every other
`*.parquet` in a lake is a stray: no command reads it, and commands name it. A folder without any
part in such a place holds loose files, which are all read; a folder of several lakes holds the
parts of each.
"""

from __future__ import annotations

import os
import re
from operator import attrgetter
from pathlib import Path

from hookstream.core.files import NOT_PLAIN
from hookstream.core.owners import is_link_in_fleet
from hookstream.lake.columns import NO_PARTITION
from hookstream.lake.deltalog import LOG, committed

ENDING = ".parquet"
# Of a part that a sink is writing.
UNFINISHED = f"{ENDING}.tmp"
# The folder of derived tables, next to its lake.
TABLES = ".tables"
SEAL = ".seal"
SEALED_LAKE = f"{SEAL}/lake"
PLACE = re.compile(
    rf"(?P<lake>(?:.*/)?)date=(?:\d{{4}}-\d\d-\d\d|{NO_PARTITION})/tool=[^/]+/[^/]+\Z"
)
ELSEWHERE = "not a part of the lake, which has them at date=D/tool=T/NAME.parquet"
HIDDEN = "hidden: not a part of the lake"
LINK = "a link: not a part of the lake"
FOLDER = "a folder where a part should be"


class Listing:
    """One walk through a folder, in the order of names: plain files with their bytes, none that is
    hidden (such a name may mean it is still written), and none of derived tables, which are next to
    their lake. `folders` are named like parts, `odd` are pipes, sockets, devices and links to
    nothing, `links` are links to files, which are among the files; `is_delta` says that there is a
    Delta log, `closed` which folders may not be listed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.sizes: dict[str, int] = {}
        self.closed: list[Path] = []
        self.folders: list[str] = []
        self.hidden: list[str] = []
        self.odd: list[str] = []
        self.links: set[str] = set()
        self.is_delta = False
        left = self._entries(os.fspath(folder))
        while left:
            entry = left.pop()
            try:
                if entry.is_dir(follow_symlinks=False):
                    self.is_delta = self.is_delta or entry.name == LOG
                    if entry.name.endswith(ENDING):
                        self.folders.append(entry.path)
                    left += self._entries(entry.path)
                elif not entry.is_file():
                    if not entry.is_dir():
                        self.odd.append(entry.path)
                elif not entry.is_symlink() or not is_link_in_fleet(entry.path):
                    self.sizes[entry.path] = entry.stat().st_size
                    if entry.is_symlink():
                        self.links.add(entry.path)
            except OSError:  # gone since, or links in a circle
                if entry.is_symlink():
                    self.odd.append(entry.path)

    def _entries(self, folder: str) -> list[os.DirEntry[str]]:
        """List the entries of a folder, the last name first."""
        try:
            with os.scandir(folder) as entries:
                names = list(entries)
        except PermissionError:
            self.closed.append(Path(folder))
            return []
        except OSError:
            return []
        siblings = {entry.name for entry in names}
        shown = []
        for entry in names:
            of_tables = entry.name.endswith(TABLES)
            if entry.name[0] != "." and not of_tables:
                shown.append(entry)
            elif not of_tables or entry.name.removesuffix(TABLES) not in siblings:
                self.hidden.append(entry.path)
        return sorted(shown, key=attrgetter("name"), reverse=True)


class Parts:
    """The parts of the lakes at and below a folder, by their paths below it: `sizes` in bytes, in
    the order of names; `strays` are the Parquet files that are left out, and why. HookstreamError
    if a Delta table's log cannot be read."""

    def __init__(self, folder: Path, listing: Listing | None = None) -> None:
        self.folder = folder
        listing = listing or Listing(folder)
        self.closed = listing.closed
        self.is_delta = listing.is_delta
        self.strays: dict[str, str] = {}
        # A link is not a part: the file that it names may be where no question may read.
        found = {
            below: size
            for path, size in listing.sizes.items()
            if path.endswith(ENDING)
            and path not in listing.links
            and LOG not in (below := _below(folder, path)).split("/")
        }
        places = {below: match for below in found if (match := PLACE.match(below))}
        lakes = {match["lake"] for match in places.values()}
        if (folder / SEALED_LAKE).is_dir():
            lakes.add("")
        # A lake inside a lake does not count.
        lakes = {lake for lake in lakes if not any(_is_inside(lake, other) for other in lakes)}
        self.is_lake = "" in lakes
        self.sizes = {
            below: size
            for below, size in found.items()
            if not lakes or (below in places and places[below]["lake"] in lakes)
        }
        if lakes:
            self.strays.update((below, ELSEWHERE) for below in found if below not in self.sizes)
            self.strays.update((_below(folder, path), FOLDER) for path in listing.folders)
        if self.is_lake:
            self._name_odd(listing)
        if self.is_delta:
            self._leave_uncommitted()
        for path in (*listing.odd, *listing.links):
            if path.endswith(ENDING):
                self.strays[_below(folder, path)] = LINK if path in listing.links else NOT_PLAIN
        self.strays = dict(sorted(self.strays.items()))

    def _name_odd(self, listing: Listing) -> None:
        """Strays by their names: hidden, in another case or packed, in a folder that looks like
        tables."""
        for path in listing.sizes:
            if not path.endswith((ENDING, UNFINISHED)) and ENDING in path.lower():
                self.strays[_below(self.folder, path)] = ELSEWHERE
        for path in listing.hidden:
            below = _below(self.folder, path)
            if below in (SEAL, ".retention"):
                continue
            if Path(path).is_dir():
                files = (os.path.join(at, name) for at, _, names in os.walk(path) for name in names)  # noqa: PTH118
            else:
                files = (only for only in [path])
            self.strays.update(
                (_below(self.folder, file), HIDDEN) for file in files if file.endswith(ENDING)
            )

    def _leave_uncommitted(self) -> None:
        named = set(committed(self.folder, [self.folder / below for below in self.sizes]))
        for below in [below for below in self.sizes if self.folder / below not in named]:
            del self.sizes[below]  # one that an engine has replaced stays until it is vacuumed


def parts_of(lake: Path) -> dict[str, int]:
    """The parts that are there: path below the lake -> size in bytes. HookstreamError."""
    return Parts(lake).sizes


def _below(folder: Path, path: str) -> str:
    below = path.removeprefix(os.fspath(folder).rstrip(os.sep) + os.sep)
    return below.replace(os.sep, "/")


def _is_inside(lake: str, other: str) -> bool:
    return lake != other and lake.startswith(other)
