"""State of a consumer of Kafka or JetStream, partition by partition, for `status` and figures.

Each partition's folder has a small file next to its checkpoint: counts since its process
began, how many messages are left after the last one taken (as the broker said), and what a sink
last refused. It informs, so it is not synced; the checkpoint's offset rules.
"""

from __future__ import annotations

import contextlib
import json
import time
from typing import TYPE_CHECKING

from hookstream.core.files import write_atomic
from hookstream.delivery.checkpoint import read_heads
from hookstream.delivery.figures import FAILURES, STUCK_S
from hookstream.delivery.metrics import Sample, build_info
from hookstream.delivery.state import is_running

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from hookstream.core.jsons import JsonObject
    from hookstream.delivery.partition import Partition

NAME, HEADS = "status.json", "state.db"


def write(folder: Path, said: JsonObject) -> None:
    """Write the status of a partition. A full disk is reported by what matters more."""
    with contextlib.suppress(OSError):
        data = json.dumps({"at": round(time.time(), 3), **said}).encode("ascii")
        write_atomic(folder / NAME, data)


def read_stream(folder: Path) -> JsonObject:
    """{"folder", "running", "partitions": {name: {"running", "offset", "lag" (None: not known),
    "at", "failures", "last_error", counts...}}}; no partitions if nothing ever ran."""
    partitions = {}
    found = {path.parent for what in (HEADS, NAME) for path in folder.glob(f"*/{what}")}
    for place in sorted(found):
        heads = read_heads(place / HEADS)
        try:
            said: JsonObject = json.loads((place / NAME).read_bytes())
        except (OSError, ValueError):
            said = {}
        partitions[place.name] = {
            "running": is_running(place),
            "offset": heads[-1]["offset"] if heads else None,
            "lag": None,
            **said,
        }
    running = any(partition["running"] for partition in partitions.values())
    return {"folder": str(folder), "running": running, "partitions": partitions}


def stream_problems(state: JsonObject, stuck_s: float = STUCK_S) -> list[str]:
    """Reasons why messages do not move, one per partition or cause; empty if they do."""
    problems = []
    for name, one in state["partitions"].items():
        silent_s = time.time() - one.get("at", 0.0)
        if one.get("failures", 0) >= FAILURES:
            problems.append(f"{name}: {one.get('last_error')}")
        elif one["lag"] and silent_s > stuck_s:
            why = (
                "and its consumer says nothing" if one["running"] else "and no consumer is running"
            )
            problems.append(f"{name}: {one['lag']} messages are not read, {why}")
    return problems


def stream_samples(partitions: Iterable[Partition], counts: dict[str, int]) -> list[Sample]:
    """Figures of a running consumer; `counts` are those of partitions it has given up."""
    open_now = list(partitions)
    sums = dict(counts)
    rules: dict[str, int] = {}
    redactions: dict[str, int] = {}
    samples = [build_info()]
    for one in open_now:
        labels = {"partition": one.name}
        if one.lag is not None:
            samples.append(Sample("hookstream_source_lag_records", one.lag, labels))
        failures = one.said.get("failures", 0)
        samples.append(Sample("hookstream_partition_failures", failures, labels))
        for name, count in list(one.counts.items()):
            sums[name] = sums.get(name, 0) + count
        for total, part in ((rules, one.tally.by_rule), (redactions, one.tally.redactions)):
            for rule, count in list(part.items()):
                total[rule] = total.get(rule, 0) + count
    samples.append(Sample("hookstream_partitions", len(open_now)))
    for name in ("read", "ignored", "rejected"):
        samples.append(Sample("hookstream_records_total", sums.get(name, 0), {"outcome": name}))
    samples.append(Sample("hookstream_events_total", sums.get("events", 0)))
    samples.append(Sample("hookstream_dead_letters_total", sums.get("dead", 0)))
    for family, given in (
        ("hookstream_rule_hits_total", rules),
        ("hookstream_redactions_total", redactions),
    ):
        samples += [Sample(family, n, {"rule": rule}) for rule, n in given.items()]
    return samples


def not_ready(partitions: Iterable[Partition]) -> list[str]:
    """The reason why a running consumer is not ready, in words."""
    return [
        f"{partition.name}: {partition.said.get('last_error')}"
        for partition in list(partitions)
        if partition.said.get("failures", 0) >= FAILURES
    ]
