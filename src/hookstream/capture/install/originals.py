"""The bytes of each file before hookstream changed it, so that uninstall can restore them.

One folder per file in the state folder (0700, files 0600): `record.json` names the file and says
whether it existed, and the digest of what was written; `original` holds the bytes from before.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from hookstream.capture.install import atomic
from hookstream.capture.log.locks import lock, unlock
from hookstream.core import folders
from hookstream.core.errors import HookstreamError

LOCK_WAIT_S = 20.0


def digest(data: bytes | None) -> str | None:
    return None if data is None else sha256(data).hexdigest()


@dataclass(eq=False)
class OriginalFile:
    """One file: `before` its bytes (None: it did not exist), `after` the digest of what
    hookstream wrote, `folders` those it made, `wrap` whether existing hooks were to be wrapped,
    `wrapped` how many were."""

    path: Path
    vendor: str
    before: bytes | None
    after: str | None
    folders: list[str]
    wrap: bool
    wrapped: int = 0


class Originals:
    """The records of one user, in the state folder."""

    def __init__(self) -> None:
        state = folders.state_folder()
        if state is None:
            raise HookstreamError("no home folder: set HOME or XDG_STATE_HOME")
        self.folder = Path(state) / "install"
        self._read: dict[Path, OriginalFile] | None = None

    def folder_of(self, path: Path) -> Path:
        """The folder of a file's record; its backup is there under the name `original`."""
        real = os.path.realpath(path)
        return self.folder / sha256(os.fsencode(real)).hexdigest()[:24]

    def load(self, path: Path) -> OriginalFile | None:
        """The record of a file, None if it does not exist or is damaged."""
        return self._load(self.folder_of(path))

    def all(self) -> list[OriginalFile]:
        """Every record that is whole, by path. They are read once."""
        if self._read is None:
            folders = [path.parent for path in self.folder.glob("*/record.json")]
            self._read = {
                folder: record for folder in folders if (record := self._load(folder)) is not None
            }
        return sorted(self._read.values(), key=lambda record: record.path)

    def _load(self, folder: Path) -> OriginalFile | None:
        try:
            about: dict[str, Any] = json.loads((folder / "record.json").read_bytes())
            before = (folder / "original").read_bytes() if about["existed"] else None
            if digest(before) != about["before"]:
                return None
            return OriginalFile(
                Path(about["path"]),
                about["vendor"],
                before,
                about["after"],
                list(about["folders"]),
                bool(about["wrap"]),
                int(about.get("wrapped", 0)),
            )
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def save(self, record: OriginalFile) -> None:
        """Keep a record. Raises HookstreamError; then the file itself must not be touched."""
        folder = self.folder_of(record.path)
        about = {
            "path": str(record.path),
            "vendor": record.vendor,
            "existed": record.before is not None,
            "before": digest(record.before),
            "after": record.after,
            "folders": record.folders,
            "wrap": record.wrap,
            "wrapped": record.wrapped,
        }
        atomic.make_folders(folder, 0o700)
        if record.before is not None:
            atomic.replace(folder / "original", record.before, 0o600)
        atomic.replace(folder / "record.json", json.dumps(about, indent=1).encode(), 0o600)
        if self._read is not None:
            self._read[folder] = record

    def drop(self, path: Path) -> None:
        """Forget a file that is as it was."""
        folder = self.folder_of(path)
        shutil.rmtree(folder, ignore_errors=True)
        if self._read is not None:
            self._read.pop(folder, None)
        with contextlib.suppress(OSError):
            self.folder.rmdir()

    def back_up(self, path: Path, data: bytes | None) -> Path | None:
        """Keep the bytes of a file that is edited, not put back; where. Raises HookstreamError."""
        if data is None:
            return None
        folder = self.folder.parent / "backups"
        atomic.make_folders(folder, 0o700)
        name = f"{path.name}.{sha256(os.fsencode(path) + data).hexdigest()[:12]}"
        atomic.replace(folder / name, data, 0o600)
        return folder / name

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Only one install or uninstall of a user at a time."""
        atomic.make_folders(self.folder.parent, 0o700)
        name = self.folder.parent / "install.lock"
        handle = os.open(name, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600)
        try:
            if not lock(handle, LOCK_WAIT_S):
                raise HookstreamError("another install or uninstall is running")
            yield
            unlock(handle)
        finally:
            os.close(handle)
