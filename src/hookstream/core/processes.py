"""Processes of this machine, by their numbers."""

from __future__ import annotations

import errno
import os
from contextlib import suppress

# Files that a follower holds open, at most and at least; half of the limit is for everything else.
MOST_OPEN = 256
LEAST_OPEN = 8
# A soft limit is raised up to here.
WANTED = 4096
LACKS = frozenset(
    number
    for name in ("EMFILE", "ENFILE", "ENOMEM", "ENOSPC", "EDQUOT", "ENOBUFS")
    if (number := getattr(errno, name, None)) is not None
)


def is_lack(error: BaseException) -> bool:
    """Return whether an error says that the machine lacks something just now."""
    return isinstance(error, MemoryError) or getattr(error, "errno", None) in LACKS


def most_open_files() -> int:
    """The number of files to hold open; raises the process's soft limit where it is low."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return MOST_OPEN
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = WANTED if hard == resource.RLIM_INFINITY else min(WANTED, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
    if soft == resource.RLIM_INFINITY:
        return MOST_OPEN
    return max(LEAST_OPEN, min(MOST_OPEN, soft // 2 - 32))


def is_running(process: int) -> bool:
    """Return whether there is a process of this number; True if that cannot be asked."""
    if os.name != "posix":
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass
    return True
