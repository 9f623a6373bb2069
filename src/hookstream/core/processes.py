"""Processes of this machine, by their numbers."""

from __future__ import annotations

import os


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
