"""An exclusive lock on an open file, with a bounded wait: flock, or a locked byte on Windows; and
reads at an offset, which a locked file needs."""

from __future__ import annotations

import os
import sys
from time import monotonic, sleep

if sys.platform == "win32":
    import msvcrt

    # Locked far past the end, because Windows locks bytes against reading too.
    PLACE = 0x7FFF_0000

    def _try(handle: int) -> bool:
        os.lseek(handle, PLACE, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def unlock(handle: int) -> None:
        """Free the lock; closing the file does so too."""
        os.lseek(handle, PLACE, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)

else:
    from fcntl import LOCK_EX, LOCK_NB, LOCK_UN, flock

    def _try(handle: int) -> bool:
        try:
            flock(handle, LOCK_EX | LOCK_NB)
        except BlockingIOError:
            return False
        except InterruptedError:
            return False
        return True

    def unlock(handle: int) -> None:
        """Free the lock; closing the file does so too."""
        flock(handle, LOCK_UN)


def lock(handle: int, wait_s: float) -> bool:
    """Take the lock; False if it stayed taken, or if the file system has no locks."""
    until = monotonic() + wait_s
    pause = 0.0005
    while True:
        try:
            if _try(handle):
                return True
        except OSError:
            return False
        if monotonic() >= until:
            return False
        sleep(pause)
        pause = min(pause * 2, 0.008)


def read_at(handle: int, count: int, offset: int) -> bytes:
    """Read `count` bytes at an offset, without regard to the file's position."""
    if hasattr(os, "pread"):
        return os.pread(handle, count, offset)
    os.lseek(handle, offset, os.SEEK_SET)
    return os.read(handle, count)
