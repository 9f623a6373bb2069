"""Figures and health of a delivery: of the running follower, and of a stored state folder."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from hookstream.delivery.metrics import Sample, build_info
from hookstream.delivery.state import read

if TYPE_CHECKING:
    from pathlib import Path

    from hookstream.core.jsons import JsonObject
    from hookstream.delivery.follow import Follower

SINK = {
    "delivered": "hookstream_sink_delivered_total",
    "retried": "hookstream_sink_retried_total",
    "dead": "hookstream_sink_dead_letters_total",
    "filtered": "hookstream_sink_filtered_total",
    "gap": "hookstream_sink_dropped_total",
    "damaged": "hookstream_sink_damaged_total",
    "undelivered": "hookstream_sink_queue_records",
    "failures": "hookstream_sink_failures",
    "oldest_undelivered_s": "hookstream_sink_lag_seconds",
}
# A sink with this many failures in a row, or whose oldest record waits this long, is stuck.
FAILURES, STUCK_S = 4, 300.0


def samples(follower: Follower) -> list[Sample]:
    """Figures of the follower's state, and counts of its pipeline since it began."""
    found = of_state(read(follower.delivery.folder))
    tally = follower.reader.stage.tally
    if tally is not None:
        for family, counts in (
            ("hookstream_rule_hits_total", tally.by_rule),
            ("hookstream_redactions_total", tally.redactions),
        ):
            found += [Sample(family, n, {"rule": rule}) for rule, n in list(counts.items())]
    return [build_info(), *found]


def of_state(state: JsonObject) -> list[Sample]:
    """The samples of what `delivery.state.read` gives."""
    found = [
        Sample("hookstream_records_total", state.get(name, 0), {"outcome": name})
        for name in ("read", "ignored", "rejected")
    ]
    found.append(Sample("hookstream_events_total", state.get("events", 0)))
    found.append(Sample("hookstream_source_lag_bytes", unread(state)))
    found.append(Sample("hookstream_spool_bytes", state["spool_bytes"]))
    found.append(Sample("hookstream_state_damaged", state["set_aside"]))
    for name, counts in state["sinks"].items():
        found += [
            Sample(family, counts.get(key) or 0, {"sink": name}) for key, family in SINK.items()
        ]
    return found


def unread(state: JsonObject) -> int:
    """Unread bytes of the sources."""
    known = [one for one in state["sources"].values() if one["size"] is not None]
    return sum(max(0, one["size"] - one["read"]) for one in known)


def problems(state: JsonObject, stuck_s: float = STUCK_S) -> list[str]:
    """Reasons why records do not move, one per sink or cause; empty if they do."""
    found = []
    for name, counts in state["sinks"].items():
        waiting = counts["undelivered"]
        age_s = counts["oldest_undelivered_s"] or 0.0
        failures = counts.get("failures", 0)
        if waiting and (failures >= FAILURES or age_s > stuck_s):
            why = counts.get("last_error", "no follower is running")
            found.append(f"{name}: {waiting} records wait, the oldest for {age_s:.0f} s: {why}")
    if not state["running"]:
        for path, one in state["sources"].items():
            if one["size"] is not None and one["size"] > one["read"] and rested(path) > stuck_s:
                left = one["size"] - one["read"]
                found.append(f"{path}: {left} bytes are not read, and no follower is running")
    return found


def rested(path: str) -> float:
    """Seconds since a file was written to."""
    try:
        return time.time() - os.stat(path).st_mtime  # noqa: PTH116
    except OSError:
        return 0.0


def ready(follower: Follower) -> list[str]:
    """The reason why the follower is not ready, in words."""
    trouble = follower.reader.trouble
    return [*([trouble] if trouble else []), *problems(read(follower.delivery.folder))]


def state_problems(folder: Path, stuck_s: float = STUCK_S) -> tuple[JsonObject, list[str]]:
    """A delivery's state and what is wrong with it. OSError if it cannot be read."""
    state = read(folder)
    return state, problems(state, stuck_s)
