"""Files that replace others, all or none: the changes of retention to a folder.

New files wait in `FOLDER/.retention/NAME/` until `commit.json` says where they belong and what
is removed. From then on a crash only delays it: the next writer there finishes it. In a sealed
folder the log's statement commits, and only the owner of the log finishes.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Any

from hookstream.core.files import create, make_private, sync, sync_folder, write_atomic
from hookstream.lake.deltalog import DeltaError, DeltaLog, is_table

PLACE = ".retention"
SESSIONS = "sessions.json"  # the sessions that retention cut, next to the changes in work
COMMIT = "commit.json"
FORMAT = "hookstream/staged/1"
CHUNK = 4 << 20


class Staged:
    """One set of changes to a folder; `put` are (staged file, target, bytes the old one had)."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder = folder
        self.place = folder / PLACE / name
        self.put: list[tuple[str, str, int | None]] = []
        self.remove: list[str] = []

    def begin(self) -> None:
        """Drop what an earlier try left uncommitted. OSError."""
        self.discard()
        make_private(self.place)

    def file(self) -> Path:
        """The name for one more new file."""
        return self.place / f"{len(self.put)}.staged"

    def add(self, path: Path, target: Path, size: int | None = None) -> None:
        """Add a new file for `target`; `size` is what the old one had when it was read: what it
        grows by until the change is made is kept."""
        self.put.append((path.name, target.relative_to(self.folder).as_posix(), size))

    def digest_of(self, target: Path) -> str | None:
        """The digest of the new file for a target; None without one. OSError."""
        name = target.relative_to(self.folder).as_posix()
        for file, put, _ in self.put:
            if put == name:
                return sha256((self.place / file).read_bytes()).hexdigest()
        return None

    def drop(self, target: Path) -> None:
        self.remove.append(target.relative_to(self.folder).as_posix())

    def commit(self, *, sealed: bool) -> str:
        """Write what is to be done; return its digest. OSError."""
        for name, _, _ in self.put:
            _sync(self.place / name)
        fields = {"format": FORMAT, "sealed": sealed, "put": self.put, "remove": self.remove}
        text = json.dumps(fields).encode("ascii")
        temporary = self.place / f"{COMMIT}.tmp"
        fd = create(temporary)
        try:
            os.write(fd, text)
            sync(fd)
        finally:
            os.close(fd)
        temporary.rename(self.place / COMMIT)
        sync_folder(self.place)
        return sha256(text).hexdigest()

    def finish(self) -> None:
        """Do what is committed, or what is left of it. OSError."""
        for name, target, size in self.put:
            staged, path = self.place / name, self.folder / target
            if staged.exists():
                if size is not None and path.exists():
                    _keep_growth(path, size, staged)
                make_private(path.parent)
                staged.rename(path)
                sync_folder(path.parent)
        parts = [target for _, target, _ in self.put if target.endswith(".parquet")]
        if is_table(self.folder) and (parts or self.remove):
            log = DeltaLog(self.folder)
            try:
                log.commit(parts, self.remove, log.last_transaction() + 1)
            except DeltaError as error:
                raise OSError(0, str(error)) from None
        for target in self.remove:
            (self.folder / target).unlink(missing_ok=True)
        self.discard()

    def discard(self) -> None:
        shutil.rmtree(self.place, ignore_errors=True)
        if self.place.parent.is_dir():
            sync_folder(self.place.parent)

    def overlay(self) -> dict[Path, Path | None]:
        """Target -> the file that is to be there, None if none is to be."""
        found: dict[Path, Path | None] = {}
        for name, target, _ in self.put:
            if (self.place / name).exists():
                found[self.folder / target] = self.place / name
        return found | {self.folder / target: None for target in self.remove}


def _keep_growth(path: Path, size: int, staged: Path) -> None:
    """Append records that a writer has added since the file was read to those that stay."""
    with path.open("rb") as file, staged.open("r+b") as new:
        mark = staged.with_name(f"{staged.name}.size")
        if mark.exists():  # broken off in here before
            new.truncate(int(mark.read_text()))
        else:
            write_atomic(mark, str(staged.stat().st_size).encode("ascii"))
        file.seek(size)
        new.seek(0, os.SEEK_END)
        shutil.copyfileobj(file, new, CHUNK)
        new.flush()
        sync(new.fileno())


def _sync(path: Path) -> None:
    with path.open("rb") as file:
        sync(file.fileno())


def read(place: Path) -> tuple[Staged, str, bool] | None:
    """The commit at a place, its digest, whether a log has to confirm it; None without."""
    try:
        text = (place / COMMIT).read_bytes()
        document: dict[str, Any] = json.loads(text)
        if document["format"] != FORMAT:
            return None
        staged = Staged(place.parent.parent, place.name)
        staged.put = [(str(a), _inside(b), c) for a, b, c in document["put"]]
        staged.remove = [_inside(one) for one in document["remove"]]
        return staged, sha256(text).hexdigest(), document["sealed"] is True
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _inside(target: str) -> str:
    path = PurePosixPath(target)
    if path.is_absolute() or ".." in path.parts:
        raise ValueError("outside of the folder")
    return target


def committed(folder: Path) -> Iterator[tuple[Staged, str, bool]]:
    for place in sorted((folder / PLACE).glob("*/")):
        found = read(place)
        if found is not None:
            yield found


def finish(folder: Path) -> bool:
    """Finish what is committed in a folder without other writers, and drop what is not; False if a
    log has to confirm something first. OSError."""
    clear = True
    for place in sorted((folder / PLACE).glob("*/")):
        found = read(place)
        if found is None:
            Staged(folder, place.name).discard()
        elif found[2]:
            clear = False
        else:
            found[0].finish()
    return clear
