"""What a run costs: CPU of the whole run beside bare orjson, and what a second worker gives.

python benchmarks/throughput.py [SOURCE...] [--copies N]

Prints ratios taken in one process and one run: machines differ, ratios less. The whole run is both
standards as JSON Lines with the privacy pass on. Line counts of the output are checked.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
import time
from pathlib import Path

import orjson

from hookstream.runner.options import Job
from hookstream.runner.run import execute

SAMPLES = Path(__file__).parent.parent / "samples"
IDENTIFIER = re.compile(rb'"[\w-]*(?:[iI][dD]|[kK]ey)\\?":\s*\\?"')
NOW = "2026-11-21T12:00:00Z"
ROUNDS = 5


def sources(given: list[str]) -> list[Path]:
    roots = [Path(name) for name in given] or [SAMPLES]
    files = [f for root in roots for f in ([root] if root.is_file() else root.rglob("*.jsonl"))]
    return sorted(f for f in files if not f.name.endswith(".expected.jsonl"))


def copies(files: list[Path], n: int, folder: Path) -> list[Path]:
    """The lines of the files n times, as sessions of their own, in four files."""
    out = [folder / f"part-{at}.jsonl" for at in range(4)]
    handles = [path.open("wb") for path in out]
    text = b"\n".join(f.read_bytes().strip() for f in files).split(b"\n")
    for at in range(n):
        mark = rb"\g<0>" + f"{at:04x}-".encode()
        for line in text:
            # Whatever names a session names another one in each copy.
            handles[at % 4].write(IDENTIFIER.sub(mark, line) + b"\n")
    for handle in handles:
        handle.close()
    return out


def bare(files: list[Path]) -> float:
    """CPU seconds of loads and dumps of every line."""
    lines = [line for f in files for line in f.read_bytes().split(b"\n") if line]
    began = time.process_time()
    for line in lines:
        orjson.dumps(orjson.loads(line))
    return time.process_time() - began


def run(files: list[Path], out: Path, workers: int) -> tuple[float, float, int]:
    """CPU and wall seconds of a run, and how many events it wrote; the counts are checked."""
    job = Job([str(f) for f in files], [f"jsonl:{out}"], workers=workers, now=NOW)
    cpu, wall = time.process_time(), time.monotonic()
    outcome = execute(job)
    cpu, wall = time.process_time() - cpu, time.monotonic() - wall
    written = sum(1 for _ in (out / "agent-hooks.jsonl").open("rb"))
    report = outcome.report(wall)
    assert written == report["events"], "lines written are not the events counted"
    assert report["read"] == report["produced"] + sum(report["ignored"].values())
    return cpu, wall, written


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sources", nargs="*")
    parser.add_argument("--copies", type=int, default=12)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        files = copies(sources(given.sources), given.copies, folder)
        run(files[:1], folder / "warm", 1)
        # Taken in turns, the best of each: both see the same weather.
        turns = [(bare(files), run(files, folder / f"one-{n}", 1)) for n in range(ROUNDS)]
        base = min(alone for alone, _ in turns)
        cpu, wall, events = min(whole for _, whole in turns)
        _, second, again = min(
            (run(files, folder / f"two-{n}", 2) for n in range(ROUNDS)), key=lambda r: r[1]
        )
        assert again == events
        figures = {
            "events": events,
            "cpu_ratio_to_orjson": round(cpu / base, 2),
            "events_per_cpu_second": round(events / cpu),
            "two_workers_speedup": round(wall / second, 2),
        }
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
