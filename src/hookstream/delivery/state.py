"""Read the delivery state for `hookstream status`, without disturbing a follower."""

from __future__ import annotations

import contextlib
import json
import time
from pathlib import Path

from hookstream.core.folders import state_folder
from hookstream.core.jsons import JsonObject
from hookstream.delivery import checkpoint
from hookstream.delivery.checkpoint import read_heads
from hookstream.delivery.spool import ENDING, Spool
from hookstream.delivery.spool_reader import Position, SpoolReader

SAID = ("last_error", "last_refusal", "failures")


def of_user() -> list[JsonObject]:
    """List what each follower and shipper of this user has delivered and still has to."""
    state = state_folder()
    folders = sorted(Path(state, "delivery").glob("*")) if state is not None else []
    found = []
    for folder in folders:
        with contextlib.suppress(OSError, ValueError):
            found.append(read(folder))
    return found


def read(folder: Path) -> JsonObject:
    """{"running", "records", "spool_bytes", "set_aside", totals..., "sources": {path: {"read",
    "size"}}, "sinks": {name or uri: {"delivered", "retried", "dead", "filtered", "undelivered",
    "oldest_undelivered_s" (None without any), "last_error"}}}.

    A folder without a delivery gives no sinks. OSError if it cannot be read.
    """
    heads = read_heads(folder / "state.db")
    end = Position(*heads[-1]["spool"]) if heads else Position(0, 0, 0)
    out: JsonObject = {
        "folder": str(folder),
        "running": is_running(folder),
        "records": end.offset,
        "spool_bytes": sum(_segments(folder).values()),
        "set_aside": checkpoint.damaged(folder),
    }
    out.update(heads[-1]["totals"] if heads else {})
    out["sources"] = _sources(heads)
    out["sinks"] = {}
    for path in sorted((folder / "sinks").glob("*.json")):
        try:
            document = json.loads(path.read_bytes())
            done = Position(*map(int, document["position"]))
            shown = {name: int(n) for name, n in document["counts"].items()}
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            continue
        shown["undelivered"] = max(0, end.offset - done.offset)
        age = _age(folder, done, end) if done.offset < end.offset else None
        called = str(document.get("name") or document["sink"])
        name = called if called not in out["sinks"] else path.stem
        said = {
            key: document[key]
            for key in ("last_error", "last_refusal", "failures")
            if key in document
        }
        out["sinks"][name] = {**shown, "oldest_undelivered_s": age, **said}
    return out


def _sources(heads: list[JsonObject]) -> dict[str, dict[str, int | None]]:
    from hookstream.delivery.discovery import Discovery

    watch = Discovery([])
    for head in heads:
        watch.restore(head["watch"])
    sources: dict[str, dict[str, int | None]] = {}
    for tail in watch.tails:
        if not tail.skipped:
            try:
                size: int | None = tail.path.stat().st_size
            except OSError:
                size = None
            sources[str(tail.path)] = {"read": tail.offset, "size": None if tail.packed else size}
    return sources


def _segments(folder: Path) -> dict[int, int]:
    """The sizes of the spool's segments by number, without those that a delivery removes now."""
    sizes = {}
    for path in sorted((folder / "spool").glob(f"*{ENDING}")):
        with contextlib.suppress(FileNotFoundError, ValueError):
            sizes[int(path.stem, 16)] = path.stat().st_size
    return sizes


def _age(folder: Path, done: Position, end: Position) -> float | None:
    """Seconds since the first record that is not delivered was written to the spool; None also
    where a delivery has just removed it."""
    spool = Spool(folder / "spool")
    spool.segments = _segments(folder)
    spool.end = end
    place, _ = spool.locate(done, done.offset)
    reading = SpoolReader(spool, place)
    items = []
    with contextlib.suppress(FileNotFoundError):
        items = reading.read(1, 1)
    reading.close()
    return max(0.0, round(time.time() - items[0].at_ms / 1000, 3)) if items else None


def is_running(folder: Path) -> bool:
    """Return whether a follower holds the folder's lock."""
    from hookstream.core.files import is_held

    return is_held(folder.resolve())
