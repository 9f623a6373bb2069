"""The files of this machine that its own lake is made of: session files, and the capture log."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

from hookstream.core.errors import NothingToRead

if TYPE_CHECKING:
    from hookstream.transcripts.places import ListedSession

DAYS = 30


def since() -> float:
    """The time, in epoch seconds, from which on a session file has to be changed."""
    return time.time() - DAYS * 86400


def session_files() -> list[ListedSession]:
    """The session files of the last DAYS."""
    from hookstream.transcripts.clients import CLIENTS
    from hookstream.transcripts.places import find

    return find(Path.home(), CLIENTS, since(), os.environ)[0]


def captured() -> list[Path]:
    """The files of the capture log that a run reads, rotated ones too; none without a log."""
    from hookstream.capture.log.place import default_log
    from hookstream.core.sources import find

    log = default_log()
    if log is None:
        return []
    try:
        files = find([str(Path(log).parent)])
    except NothingToRead:
        return []
    return [path for path in files if path is not None and path.stat().st_size]
