"""Files that are written safely: private (0600, folders 0700 whatever the umask), through no link,
complete or not at all, one writer at a time."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from hookstream.core.errors import SinkError

if sys.platform != "win32":
    import fcntl

if TYPE_CHECKING:
    from collections.abc import Iterator

# As bytes, and not handed on to a child; Windows knows no O_CLOEXEC, others no O_BINARY.
PLAIN = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
NO_LINK = getattr(os, "O_NOFOLLOW", 0) | PLAIN
# A FIFO put in a file's place must not hang anybody: opened so, it does not wait.
NO_WAIT = getattr(os, "O_NONBLOCK", 0)
SAFE = NO_LINK | NO_WAIT
NOT_PLAIN = "not a plain file"
PRIVATE = 0o600
PRIVATE_FOLDER = 0o700


class NotPlain(OSError):
    """A pipe, a device or a socket is where a plain file should be."""

    def __init__(self, path: Path) -> None:
        super().__init__(errno.EINVAL, NOT_PLAIN, str(path))


def make_private(path: Path) -> None:
    """Make the folder and what is missing above it, 0700; an existing one stays as it is.
    OSError."""
    missing = []
    while not path.is_dir():
        missing.append(path)
        if path == path.parent:
            break
        path = path.parent
    for folder in reversed(missing):
        with contextlib.suppress(FileExistsError):
            folder.mkdir(mode=PRIVATE_FOLDER)
        if not folder.is_dir():
            raise NotADirectoryError(20, "not a folder", str(folder))


def create(path: Path) -> int:
    """Open a new 0600 file for writing; OSError if the name is taken by anything."""
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | SAFE, PRIVATE)


def open_private(path: Path) -> int:
    """Open a 0600 file for writing, emptied if it exists. OSError."""
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | NO_LINK, PRIVATE)


def open_append(path: Path) -> int:
    """Open a 0600 file to append to, made at need. OSError."""
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | NO_LINK, PRIVATE)


def keep_private(path: Path) -> Path:
    """Make a file that a library is about to open, such as a database, 0600, and one that exists
    private again. OSError."""
    fd = os.open(path, os.O_RDWR | os.O_CREAT | NO_LINK, PRIVATE)
    try:
        if sys.platform != "win32" and os.fstat(fd).st_mode & 0o077:
            os.fchmod(fd, PRIVATE)
    finally:
        os.close(fd)
    return path


def sync(fd: int) -> None:
    """Sync the file's bytes to disk. OSError."""
    if sys.platform == "darwin":
        fcntl.fcntl(fd, fcntl.F_FULLFSYNC)
    else:
        os.fsync(fd)


def sync_folder(path: Path) -> None:
    """Sync the names in the folder to disk; not known on Windows."""
    if sys.platform == "win32":
        return
    fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def write_all(fd: int, data: bytes) -> None:
    """Write every byte, or raise OSError."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(fd, rest) :]


def write_atomic(path: Path, data: bytes) -> None:
    """Replace the file: a reader sees the old bytes or the new ones, on disk when this returns.

    OSError, and then the old file is untouched.
    """
    temporary = path.with_name(f"{path.name}.tmp")
    fd = open_private(temporary)
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


def write_private(path: Path, text: str) -> None:
    """Write a file that the user named: 0600 if it is new, the mode of one that exists; links
    and devices are followed, for the user named them. OSError."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | PLAIN | NO_WAIT
    fd = os.open(path, flags, PRIVATE)
    if NO_WAIT:  # before Python 3.12 Windows has no set_blocking
        os.set_blocking(fd, True)
    with os.fdopen(fd, "w", encoding="utf-8", newline="") as file:
        file.write(text)


def read_plain(path: Path) -> bytes:
    """Read a plain file, or one that a link names: a pipe or a device is an error at once, not a
    read that waits or never ends. OSError."""
    fd = os.open(path, os.O_RDONLY | PLAIN | NO_WAIT)
    with os.fdopen(fd, "rb") as file:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise NotPlain(path)
        return file.read()


def append(fd: int, data: bytes) -> None:
    """Append all of the data, on disk when this returns, or OSError and the file as it was."""
    before = os.fstat(fd).st_size
    try:
        write_all(fd, data)
        sync(fd)
    except OSError:
        os.ftruncate(fd, before)
        raise


def read_at(fd: int, count: int, offset: int) -> bytes:
    """Read `count` bytes at an offset. Windows has no pread: there the file's position moves."""
    if hasattr(os, "pread"):
        return os.pread(fd, count, offset)
    os.lseek(fd, offset, os.SEEK_SET)
    return os.read(fd, count)


@contextlib.contextmanager
def locked(path: Path) -> Iterator[bool]:
    """Yield whether this process alone holds the lock file, until the end of the block; the file is
    made at need. OSError."""
    fd = os.open(path, os.O_RDWR | os.O_CREAT | NO_LINK, PRIVATE)
    try:
        if sys.platform != "win32":
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield True
    except BlockingIOError:
        yield False
    finally:
        os.close(fd)


def is_held(path: Path) -> bool:
    """Return whether another process holds the lock file."""
    if sys.platform == "win32":
        return False
    try:
        fd = os.open(path, os.O_RDONLY | NO_LINK)
    except OSError:
        return False
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        os.close(fd)
    return False


class Folder:
    """A folder with one writer: made 0700, locked until `close`. SinkError names the trouble."""

    def __init__(self, path: str) -> None:
        self.path = Path(path)
        self._fd = -1
        try:
            make_private(self.path)
            if sys.platform != "win32":
                self._fd = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
                self._lock()
        except OSError as error:
            self.close()
            raise SinkError(f"{path}: {error.strerror or error}") from None

    def _lock(self) -> None:
        if sys.platform != "win32":
            try:
                fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise SinkError(f"{self.path}: another run is writing there") from None
            except OSError:
                return  # a file system without locks

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


def check_folder(path: Path) -> None:
    """Refuse a path that cannot be a folder to write in; nothing is made. SinkError."""
    folder = path
    while not os.path.lexists(folder) and folder != folder.parent:
        folder = folder.parent
    if not folder.is_dir():
        raise SinkError(f"{path}: not a folder")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise SinkError(f"{path}: Permission denied")
