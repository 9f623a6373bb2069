"""The log: complete lines, appended by many processes at once, never torn, never in another file.

A writer holds the file's lock from the look at its end to its one write, so that it can take back
what a full disk cut short, and cut off what a killed writer left unfinished. When `append` returns,
the line is on disk to the degree of the configured sync.
"""

from __future__ import annotations

import errno
import os

from hookstream.capture.log.links import LogRefused, refuse_foreign
from hookstream.capture.log.locks import lock, read_at, unlock
from hookstream.capture.log.place import default_log

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.capture.log.place import LogTarget
    from hookstream.capture.settings import CaptureSettings

LOCK_WAIT_S = 2.0
REOPENS = 64
# A write that failed for lack of room or at the device is tried once more.
AGAIN = (errno.ENOSPC, errno.EIO, errno.EDQUOT, errno.EAGAIN) if hasattr(errno, "EDQUOT") else ()
OPEN_FLAGS = (
    os.O_RDWR
    | os.O_APPEND
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NONBLOCK", 0)  # a FIFO without reader must not hold the agent
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_BINARY", 0)
    | getattr(os, "O_NOINHERIT", 0)
)


class LogFile:
    """A log file. `sync` is an fsync mode (`none`, fdatasync, full); `rotate_bytes` 0 means
    never."""

    def __init__(
        self, path: str, sync: str = "fdatasync", rotate_bytes: int = 0, keep: int = 0
    ) -> None:
        self.path = path
        self.sync = sync
        self.rotate_bytes = rotate_bytes
        self.keep = keep
        self.wait_s = LOCK_WAIT_S
        self.written = False  # whether the lines of `append` are in the file, synced or not

    def append(self, data: bytes) -> None:
        """Append lines (each ends in a newline) with one write, and sync.

        Raises LogRefused or OSError; then none of the lines is in the log, except after a failed
        sync: then they are in it, and may not outlive the machine.
        """
        self.written = False
        for _ in range(REOPENS):
            handle = open_log(self.path, self.sync != "none")
            try:
                locked = lock(handle, self.wait_s)
                if _is_moved(handle, self.path):
                    continue
                size = os.fstat(handle).st_size
                if (
                    self.rotate_bytes
                    and locked
                    and size > 0
                    and size + len(data) > self.rotate_bytes
                ):
                    from hookstream.capture.log.rotation import rotate

                    rotate(self.path, self.keep)
                    continue
                offset = _write(handle, data, size, locked, self.path)
                self.written = True
                if locked:
                    unlock(handle)
                self._sync(handle, data, offset)
                return
            finally:
                os.close(handle)
        raise LogRefused("the file is replaced faster than it can be opened")

    def _sync(self, handle: int, data: bytes, offset: int) -> None:
        if self.sync == "none":
            return
        flush = os.fsync
        if self.sync == "fdatasync":
            flush = getattr(os, "fdatasync", os.fsync)
        try:
            flush(handle)
        except OSError as failure:
            if failure.errno == errno.EINVAL:  # a file system that cannot sync
                return
            # After a failed sync the system takes the pages for clean, and a second sync would
            # succeed without writing anything. They are made dirty again with the same bytes.
            if not _rewrite(handle, data, offset):
                raise
            flush(handle)


def log_for(target: LogTarget, settings: CaptureSettings) -> LogFile:
    """The log at a target, with its configured settings."""
    from hookstream.capture.settings import ROTATE_BYTES

    rotate_bytes = settings.rotate_bytes
    if rotate_bytes is None:
        rotate_bytes = 0 if target.named else ROTATE_BYTES
    return LogFile(target.path, settings.sync, rotate_bytes, settings.keep)


def open_log(path: str, durable: bool) -> int:
    """A handle to append to, of a regular file of ours with mode 0600 if made now.

    Folders that are missing are made with mode 0700. Raises LogRefused or OSError.
    """
    for _ in range(3):
        refuse_foreign(path)
        try:
            handle = os.open(path, OPEN_FLAGS)
        except FileNotFoundError:
            new_handle = _make(path, durable)
            if new_handle is not None:
                return new_handle
            continue
        except OSError as error:
            if error.errno in (errno.ELOOP, errno.EMLINK):
                raise LogRefused("the log is a symbolic link") from None
            if error.errno == errno.ENXIO:
                raise LogRefused("the log is not a regular file") from None
            raise
        handle = _checked(handle, path)
        try:
            refuse_foreign(path, os.fstat(handle))
        except BaseException:
            os.close(handle)
            raise
        return handle
    raise LogRefused("the log appears and disappears")


def _make(path: str, durable: bool) -> int | None:
    folder = os.path.dirname(path) or "."
    if not os.path.isdir(folder):
        parent = make_folders(folder)
        if durable and parent is not None:
            sync_folder(parent)
    try:
        handle = os.open(path, OPEN_FLAGS | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        if os.path.islink(path):
            raise LogRefused("the log is a symbolic link") from None
        return None
    if hasattr(os, "fchmod"):
        os.fchmod(handle, 0o600)  # whatever the umask says
    if durable:
        sync_folder(folder)
    return _above_standard(handle)


def make_folders(folder: str) -> str | None:
    """Make a folder and those above it with mode 0700; the parent of the topmost one made."""
    missing = []
    while folder and not os.path.isdir(folder):
        missing.append(folder)
        above = os.path.dirname(folder)
        if above == folder:
            break
        folder = above
    for path in reversed(missing):
        try:
            os.mkdir(path, 0o700)
            os.chmod(path, 0o700)
        except FileExistsError:
            if not os.path.isdir(path):
                raise
    return folder if missing else None


def sync_folder(folder: str) -> None:
    """Make a new name in a folder durable, if the system can."""
    try:
        handle = os.open(folder, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        pass
    finally:
        os.close(handle)


def _checked(handle: int, path: str) -> int:
    info = os.fstat(handle)
    problem = None
    if info.st_mode & 0o170000 != 0o100000:
        problem = "the log is not a regular file"
    elif os.name != "nt" and os.geteuid() not in (0, info.st_uid) and info.st_uid != 0:
        problem = "the log belongs to another user"
    elif not hasattr(os, "O_NOFOLLOW") and os.path.islink(path):
        problem = "the log is a symbolic link"
    if problem is not None:
        os.close(handle)
        raise LogRefused(problem)
    is_open = os.name != "nt" and info.st_mode & 0o077 and os.geteuid() in (0, info.st_uid)
    if is_open and path == default_log():  # one that the user named keeps its mode
        os.fchmod(handle, 0o600)
    return _above_standard(handle)


def _above_standard(handle: int) -> int:
    """Move a handle above the standard streams' numbers. If the client closed one, its number is
    free: the log must not take it, or the answer would be written into the log."""
    low = []
    while handle <= 2:
        low.append(handle)
        handle = os.dup(handle)
    for number in low:
        os.close(number)
    return handle


def _is_moved(handle: int, path: str) -> bool:
    """Another process rotated or removed the file between open and lock."""
    if os.name == "nt":
        return False
    mine = os.fstat(handle)
    try:
        named = os.stat(path, follow_symlinks=False)
    except FileNotFoundError:
        return True
    return (mine.st_dev, mine.st_ino) != (named.st_dev, named.st_ino)


def _write(handle: int, data: bytes, size: int, locked: bool, path: str) -> int:
    """Write `data` once at the end of the file; return its offset. Raises OSError with nothing of
    it left in the file."""
    whole = data
    if size and read_at(handle, 1, size - 1) != b"\n":
        from hookstream.capture.log.tail import heal

        size, healed = heal(handle, size, locked, path)
        whole = healed + data
    for attempt in (1, 2):
        problem: OSError | None = None
        try:
            written = os.write(handle, whole)
        except OSError as error:
            written = 0
            problem = error
        if written == len(whole):
            return os.lseek(handle, 0, os.SEEK_CUR) - len(data)
        _take_back(handle, size, written, locked)
        if problem is not None and (problem.errno not in AGAIN or attempt == 2):
            raise problem
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _take_back(handle: int, size: int, written: int, locked: bool) -> None:
    """Cut off what a write left unfinished, unless another process wrote after it."""
    if written and locked and os.fstat(handle).st_size == size + written:
        try:
            os.ftruncate(handle, size)
        except OSError:
            return  # the next writer heals it


def _rewrite(handle: int, data: bytes, offset: int) -> bool:
    """Write the same bytes again at `offset`; return whether all were written."""
    if not hasattr(os, "pwrite"):
        return False
    from fcntl import F_GETFL, F_SETFL, fcntl

    # With O_APPEND Linux appends whatever the offset says.
    fcntl(handle, F_SETFL, fcntl(handle, F_GETFL) & ~os.O_APPEND)
    return os.pwrite(handle, data, offset) == len(data)
