"""Which sessions a refresh has derived again, for what is made of the tables, such as findings.

    LAKE.tables/touched/BEFORE-AFTER.json   digests of the ids of these sessions

BEFORE and AFTER are marks of the lake's parts. To a state after a rebuild, or after a date was
deleted, no chain of refreshes leads: what was made of earlier ones is made again.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable, Mapping
from hashlib import md5, sha256
from pathlib import Path

from hookstream.core.files import make_private, write_atomic

FOLDER = "touched"
MOST = 256


def mark_of(parts: Mapping[str, int]) -> str:
    """A mark of a lake's parts: path -> size."""
    text = "".join(f"{name} {size}\n" for name, size in sorted(parts.items()))
    return sha256(text.encode()).hexdigest()[:16]


def digest_of(session_id: str) -> str:
    """The digest of a session's id here: DuckDB's `md5`."""
    return md5(session_id.encode("utf-8", "replace"), usedforsecurity=False).hexdigest()


def note(folder: Path, before: Mapping[str, int], after: Mapping[str, int], ids: list[str]) -> None:
    """Keep that a refresh from some parts to others derived these sessions, given as digests. If
    that cannot be written, later states are made again."""
    place = folder / FOLDER
    with contextlib.suppress(OSError):
        make_private(place)
        name = f"{mark_of(before)}-{mark_of(after)}.json"
        write_atomic(place / name, json.dumps(sorted(set(ids))).encode("ascii"))
        _forget(place)


def _forget(place: Path) -> None:
    found = sorted(place.glob("*.json"), key=lambda file: -file.stat().st_mtime_ns)
    for file in found[MOST:]:
        file.unlink()


def between(folder: Path, before: str, after: str) -> set[str] | None:
    """Digests of all sessions that refreshes from one mark to another derived; None if no chain
    of them is kept."""
    steps: dict[str, list[str]] = {}
    place = folder / FOLDER
    for file in place.glob("*.json"):
        begin, _, end = file.stem.partition("-")
        steps.setdefault(end, []).append(begin)
    chain = _chain(steps, before, after)
    if chain is None:
        return None
    found: set[str] = set()
    try:
        for begin, end in chain:
            found.update(json.loads((place / f"{begin}-{end}.json").read_bytes()))
    except (OSError, ValueError):
        return None
    return found


def _chain(
    steps: Mapping[str, Iterable[str]], before: str, after: str
) -> list[tuple[str, str]] | None:
    """The shortest way back from `after`, as steps; None if it does not exist."""
    ways: dict[str, list[tuple[str, str]]] = {after: []}
    waiting = [after]
    for here in waiting:
        if here == before:
            return ways[here]
        for earlier in steps.get(here, ()):
            if earlier not in ways:
                ways[earlier] = [*ways[here], (earlier, here)]
                waiting.append(earlier)
    return None
