"""Open output files safely: private, regular, no links, complete lines only."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterable
from pathlib import Path

from hookstream.core.errors import SinkError
from hookstream.core.files import SAFE, sync, sync_folder


def check_files(folder: Path, names: Iterable[str]) -> None:
    """Refuse files of a folder that a sink could not append to. SinkError."""
    for path in (folder / name for name in names):
        with contextlib.suppress(FileNotFoundError):
            _plain(path, os.lstat(path))
            if not os.access(path, os.R_OK | os.W_OK):
                raise SinkError(f"{path}: Permission denied")


class LineFile:
    """An append-only file of complete lines; an earlier torn last line is closed at once.

    `durable` says whether `sync` reaches the disk; segments need not. SinkError when the path is
    no plain file.
    """

    def __init__(self, path: Path, *, durable: bool = True) -> None:
        self.path = path
        self.durable = durable
        self._dirty = False
        try:
            self._fd = _open_append(path)
            try:
                self.size = os.fstat(self._fd).st_size
                self._heal()
            except OSError:
                os.close(self._fd)
                raise
        except OSError as error:
            raise SinkError(f"{path}: {error.strerror or error}") from None

    def _heal(self) -> None:
        if self.size:
            os.lseek(self._fd, -1, os.SEEK_END)
            if os.read(self._fd, 1) != b"\n":
                self.append(b"\n")

    def append(self, data: bytes) -> None:
        """Append all of it or nothing: after an OSError the file is as long as before."""
        if os.fstat(self._fd).st_size > self.size:
            self.cut(self.size)
        rest = memoryview(data)
        try:
            while rest:
                rest = rest[os.write(self._fd, rest) :]
        except BaseException:
            self.cut(self.size)
            raise
        self.size += len(data)
        self._dirty = True

    def cut(self, size: int) -> None:
        """Cut the file back to an earlier length; if that fails the next `append` tries again."""
        self.size = size
        with contextlib.suppress(OSError):
            os.ftruncate(self._fd, size)

    def sync(self) -> None:
        if self._dirty and self.durable:
            sync(self._fd)
            sync_folder(self.path.parent)
        self._dirty = False

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


def _open_append(path: Path) -> int:
    with contextlib.suppress(FileNotFoundError):
        _plain(path, os.lstat(path))
    fd = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | SAFE, 0o600)
    try:
        _plain(path, os.fstat(fd))
    except SinkError:
        os.close(fd)
        raise
    return fd


def _plain(path: Path, found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise SinkError(f"{path}: not a plain file; a sink follows no link and writes to no device")
