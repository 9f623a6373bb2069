"""Next steps: one line after a command, or all of them for `hookstream` alone."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from hookstream.core.errors import NothingToRead
from hookstream.version import __version__

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


def hint(text: str) -> None:
    """Name the next command on stderr, if somebody is there to read it."""
    if sys.stderr.isatty():
        print(f"next: {text}", file=sys.stderr)  # to be copied: not folded


def start() -> str:
    """Describe what this machine holds, and name the commands to continue with."""

    files = session_files()
    clients = sorted({file.client for file in files})
    log = captured()
    steps = []
    if files or log:
        steps.append(("ui", "look at them in a browser"))
        steps.append(("query denies", "what was denied, in this terminal"))
    if files:
        steps.append(("backfill", "a report of the session files, in this terminal"))
    if not log:
        steps.append(("install --all", "record from now on (--dry-run shows the changes)"))
    else:
        steps.append(("status", "what is registered, and when it was last seen"))
    if not files and not log:
        steps.append(("demo", "see what it does, on the shipped samples"))
    count = "1 session file" if len(files) == 1 else f"{len(files)} session files"
    found = f"{count} of {', '.join(clients)}" if files else "no session files"
    seen = "a capture log" if log else "no capture log"
    width = max(len(command) for command, _ in steps)
    lines = [f"  hookstream {command:{width}}  {text}" for command, text in steps]
    return "\n".join(
        [
            f"hookstream {__version__}: one audit stream from every AI coding agent.",
            f"On this machine: {found} in the last {DAYS} days; {seen}. Next:",
            *lines,
            "All commands: hookstream --help",
        ]
    )
