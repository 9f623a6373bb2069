"""A folder of parts that is a Delta Lake table: its log names them.

A flush notes its parts and the version of its transaction, renames the parts, and commits them as
one version of the table; what a crash leaves half done is finished from the note when the store is
opened again. A row is in every version at most once: a part that replaces others enters the log in
the commit that takes these out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hookstream.core.errors import SinkError
from hookstream.core.files import sync_folder
from hookstream.lake.compaction import recover, superseded
from hookstream.lake.deltalog import DeltaError, DeltaLog
from hookstream.lake.listing import parts_of
from hookstream.lake.stores import FolderStore, write_file

NOTE = ".commit.json"


class DeltaStore(FolderStore):
    """A folder of parts with their log. A lake that has none yet gets one of all its parts."""

    def __init__(self, target: str, uri: str) -> None:
        super().__init__(target)
        self._note = self.path / NOTE
        try:
            self._log = DeltaLog(self.path)
            recover(self.path)
            self._log.create(lambda: parts_in(self.path))
            self._recover()
        except (DeltaError, OSError) as error:
            self.close()
            raise SinkError(f"{uri}: {getattr(error, 'strerror', None) or error}") from None

    def publish(self, replaced: list[tuple[str, str]]) -> None:
        if self._note.exists():  # the last commit failed; nothing was put since
            self._recover()
        if not self._finished and not replaced:
            return
        added = [path.relative_to(self.path).as_posix() for _, path in self._finished]
        removed = [f"{key}/{name}" for key, name in replaced]
        try:
            version = self._log.last_transaction() + 1
            self._write_note({"version": version, "added": added, "removed": removed})
            self._rename()
            self._finish(added, removed, version)
        except DeltaError as error:
            raise OSError(0, str(error)) from None

    def _write_note(self, note: dict[str, Any]) -> None:
        temporary = self._note.with_suffix(".tmp")
        temporary.unlink(missing_ok=True)
        write_file(temporary, lambda file: file.write(json.dumps(note).encode()))
        temporary.replace(self._note)
        sync_folder(self.path)

    def _recover(self) -> None:
        """Finish what the note names. If a crash left some parts unnamed, none of them counts:
        their rows come again."""
        try:
            note = json.loads(self._note.read_bytes())
        except FileNotFoundError:
            return
        added, removed, version = note["added"], note["removed"], note["version"]
        self._rename()
        there = [path for path in added if (self.path / path).exists()]
        if len(there) == len(added) or self._log.last_transaction() >= version:
            self._finish(added, removed, version)
            return
        named = self._log.parts()
        for path in there:
            if path not in named:
                (self.path / path).unlink()
        self._note.unlink()

    def _finish(self, added: list[str], removed: list[str], version: int) -> None:
        self._log.commit(added, removed, version)
        for path in removed:
            (self.path / path).unlink(missing_ok=True)
        self._note.unlink()


def commit_parts(folder: Path, parts: Iterable[str]) -> None:
    """Name parts that other processes have renamed into the folder: one version. SinkError."""
    store = DeltaStore(str(folder), f"delta:{folder}")
    try:
        log = DeltaLog(folder)
        log.commit(parts, [], log.last_transaction() + 1)
    except DeltaError as error:
        raise SinkError(str(error)) from None
    finally:
        store.close()


def parts_in(folder: Path) -> list[str]:
    """List the parts below a folder, except those replaced by a compaction. OSError."""
    parts = parts_of(folder)
    old = {place: superseded(place) for place in {(folder / part).parent for part in parts}}
    return sorted(part for part in parts if (path := folder / part).name not in old[path.parent])
