"""Crash-safe files: atomic writes; damaged files are renamed and counted."""

from __future__ import annotations

import os
from pathlib import Path

from hookstream.sinks.files import sync, sync_folder

# As bytes, and not handed on to a child; Windows knows no O_CLOEXEC, others no O_BINARY.
PLAIN = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_OPEN = getattr(os, "O_NOFOLLOW", 0) | PLAIN


def write_all(fd: int, data: bytes) -> None:
    """Every byte, or OSError."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(fd, rest) :]


def write_atomic(path: Path, data: bytes) -> None:
    """Replace the file: a reader sees the old bytes or the new ones, on disk when this returns.

    OSError, and then the old file is untouched.
    """
    temporary = path.with_name(f"{path.name}.tmp")
    fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | _OPEN, 0o600)
    try:
        try:
            write_all(fd, data)
            sync(fd)
        finally:
            os.close(fd)
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def open_append(path: Path) -> int:
    """A 0600 file to append to, made at need. OSError."""
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | _OPEN, 0o600)


def append(fd: int, data: bytes) -> None:
    """All of the data at the file's end and on disk, or OSError and the file as it was."""
    before = os.fstat(fd).st_size
    try:
        write_all(fd, data)
        sync(fd)
    except OSError:
        os.ftruncate(fd, before)
        raise


def read_at(fd: int, count: int, offset: int) -> bytes:
    """So many bytes from a place on. Windows has no pread: there the file's position moves."""
    if hasattr(os, "pread"):
        return os.pread(fd, count, offset)
    os.lseek(fd, offset, os.SEEK_SET)
    return os.read(fd, count)


def set_aside(path: Path) -> Path | None:
    """Rename what cannot be used, so that it can be looked at; None where there is nothing.

    The files named `.damaged-N` are the count of such events.
    """
    number = 1
    while (other := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    try:
        path.rename(other)
        sync_folder(path.parent)
    except OSError:
        return None
    return other


def damaged(folder: Path) -> int:
    """How many files were ever set aside below a folder."""
    return sum(1 for _ in folder.rglob("*.damaged-*"))
