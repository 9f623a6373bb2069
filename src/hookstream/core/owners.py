"""The machine that owns a file in a fleet's folder: files in DIR/NAME belong to the machine NAME.

The collector (`serve --fleet DIR`) appends what a credential sends to the folder of that
credential's machine. The machine that a line names is a claim; every reader goes by the folder.

    DIR/fleet.db      marks the folder as a fleet's, and counts what each machine sent
    DIR/fleet.json    the ids that the operator registered: {"machines": {NAME: [ID, ...]}}
"""

# Asked of every file of a source: with pathlib it takes five times as long.
# ruff: noqa: PTH100, PTH114, PTH116, PTH118, PTH119, PTH120, PTH123
from __future__ import annotations

import os
from dataclasses import dataclass

from hookstream.core.errors import HookstreamError
from hookstream.core.jsons import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    Stamp = tuple[int, int]
    Ids = dict[str, tuple[str, ...]]

MARK = "fleet.db"
REGISTERED = "fleet.json"
MAGIC = b"SQLite format 3\0"
# Names in a fleet's folder that are the collector's own, with what SQLite puts next to its file.
RESERVED = (MARK, f"{MARK}-wal", f"{MARK}-shm", f"{MARK}-journal", REGISTERED)
_known: dict[str, tuple[Stamp | None, Ids]] = {}


@dataclass(slots=True, eq=False)
class Owner:
    """A machine of a fleet by its registered name. `machine_id` is the id that the operator
    registered for it, None if its name identifies it."""

    name: str
    machine_id: str | None = None


def is_reserved(name: str) -> bool:
    """Return whether a machine cannot have this name: its folder would be the collector's own
    file.
    """
    return name.casefold() in RESERVED


def owner_of(path: str | os.PathLike[str]) -> Owner | None:
    """The machine whose folder a file is in, None for a file in no fleet's folder. Raises
    HookstreamError if the registered ids cannot be read."""
    whole, real = os.path.abspath(path), os.path.realpath(path)
    position = _place(whole)
    if position is None and real != whole:
        position = _place(real)
    if position is None:
        return None
    fleet, name = position
    ids = registered(fleet).get(name)
    return Owner(name, ids[0] if ids else None)


def is_link_in_fleet(path: str | os.PathLike[str]) -> bool:
    """Return whether a path leaves a machine's folder by a symbolic link: such a file is not
    read.
    """
    whole = os.path.abspath(path)
    position = _place(whole)
    if position is None:
        return False
    fleet, _ = position
    while whole != fleet:
        if os.path.islink(whole):
            return True
        whole = os.path.dirname(whole)
    return False


def registered(fleet: str) -> Ids:
    """The ids that the operator registered, by name of the machine; the first is the one that is
    written. Raises HookstreamError if the file cannot be read."""
    path = os.path.join(fleet, REGISTERED)
    try:
        info = os.stat(path)
        stamp = (info.st_mtime_ns, info.st_size)
    except FileNotFoundError:
        stamp = None
    except OSError as error:
        raise HookstreamError(f"{path}: {error.strerror}") from None
    entry = _known.get(path)
    if entry is None or entry[0] != stamp:
        entry = _known[path] = (stamp, _read(path) if stamp else {})
    return entry[1]


def _read(path: str) -> Ids:
    try:
        with open(path, "rb") as file:
            machines = loads(file.read())["machines"]
        return {name: tuple(map(str, ids)) for name, ids in machines.items()}
    except OSError as error:
        raise HookstreamError(f"{path}: {error.strerror}") from None
    except (ValueError, LookupError, TypeError, AttributeError):
        raise HookstreamError(f"{path}: damaged; start the collector again to write it") from None


def _place(path: str) -> tuple[str, str] | None:
    """The fleet's folder and the machine's name of an absolute path."""
    folder = os.path.dirname(path)
    above = os.path.dirname(folder)
    while above != folder:
        if is_fleet(above):
            return above, os.path.basename(folder)
        folder, above = above, os.path.dirname(above)
    return None


def is_fleet(folder: str) -> bool:
    """Return whether a collector writes the logs of a fleet to this folder."""
    try:
        with open(os.path.join(folder, MARK), "rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False
