"""The records of retention in a folder, in `.retention/`.

sessions.json   sessions of which some records went and some stayed: questions say that they are cut
content.json    up to when records have lost their content, by file: they are not read again
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from hookstream.core.files import make_private, write_atomic
from hookstream.lake.staged import PLACE, SESSIONS, Staged

CONTENT = "content.json"

Key = tuple[str, str, str]  # machine, tool, session; empty if a record names none


def sessions(folder: Path) -> dict[Key, tuple[int, int]]:
    """(records that went, when last, in seconds since 1970) by session."""
    given = _read(folder / PLACE / SESSIONS)
    found = {}
    try:
        for machine, tool, session, count, at in given or ():
            found[str(machine), str(tool), str(session)] = (int(count), int(at))
    except (TypeError, ValueError):
        return {}
    return found


def sessions_text(
    known: dict[Key, tuple[int, int]], dropped: dict[Key, int], kept: set[Key], now: float
) -> bytes:
    """The file after a retention: `dropped` records by session, `kept` those with records left.
    What is gone altogether is not cut."""
    made = dict(known)
    for key, count in dropped.items():
        made[key] = (made.get(key, (0, 0))[0] + count, int(now))
    rows = [[*key, *said] for key, said in sorted(made.items()) if key in kept]
    return json.dumps(rows).encode("ascii")


def stage_sessions(staged: Staged, dropped: dict[Key, int], kept: set[Key], now: float) -> None:
    """Stage the list of cut sessions, committed with what cuts them. OSError."""
    path = staged.file()
    write_atomic(path, sessions_text(sessions(staged.folder), dropped, kept, now))
    staged.add(path, staged.folder / PLACE / SESSIONS)


def content_done(folder: Path) -> dict[str, Any]:
    found = _read(folder / PLACE / CONTENT)
    return found if type(found) is dict else {}


def note_content(folder: Path, done: dict[str, Any]) -> None:
    """Note lost content. OSError. Without it records are only looked at again."""
    make_private(folder / PLACE)
    write_atomic(folder / PLACE / CONTENT, json.dumps(done, sort_keys=True).encode("ascii"))


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
