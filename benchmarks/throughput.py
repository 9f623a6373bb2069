"""What a run costs: CPU of the whole run beside bare orjson, and what a second worker gives.

python benchmarks/throughput.py [SOURCE...] [--copies N] [--rounds N] [--peers]

Prints ratios taken in one process and one run: machines differ, ratios less. Each figure is the
median of rounds in which both sides take turns. Lines that give events and lines that are known
to give none are measured apart too: their shares decide a ratio. The whole run is both
standards as JSON Lines with the privacy pass on. Line counts of the output are checked.
`--peers` compares with DuckDB, jaq and Tenzir at 0, 100 and 300 rules (peers.py).
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
import time
from pathlib import Path
from statistics import median

import orjson

from hookstream.delivery.job import Job, make_pipeline
from hookstream.delivery.run import execute

SAMPLES = Path(__file__).parent.parent / "samples"
# Not the id of an event of a standard, which has to be a UUID.
IDENTIFIER = re.compile(rb'"(?!event_id\b)[\w-]*(?:[iI][dD]|[kK]ey)\\?":\s*\\?"')
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


def apart(files: list[Path], folder: Path) -> dict[str, list[Path]]:
    """The lines that give events and those that give none, a file each."""
    pipeline = make_pipeline(Job([], [], now=NOW))
    kinds: dict[str, list[bytes]] = {"produced": [], "ignored": []}
    for file in files:
        lines = [line for line in file.read_bytes().split(b"\n") if line]
        made = pipeline.outcomes([(line, file.name, at) for at, line in enumerate(lines)])
        for line, one in zip(lines, made, strict=True):
            if isinstance(one, list | str):
                kinds["produced" if isinstance(one, list) else "ignored"].append(line)
    out = {}
    for name, lines in kinds.items():
        out[name] = [folder / f"{name}.jsonl"]
        out[name][0].write_bytes(b"\n".join(lines) + b"\n")
    return out


def ratio(files: list[Path], folder: Path, rounds: int) -> dict[str, float]:
    """Medians over rounds in turns: CPU us a line of a run, and of bare orjson; their ratio."""
    lines = sum(file.read_bytes().count(b"\n") for file in files)
    turns = []
    for number in range(rounds):
        alone, (cpu, _, _) = bare(files), run(files, folder / f"{files[0].stem}-{number}", 1)
        turns.append((cpu / alone, cpu / lines * 1e6, alone / lines * 1e6))
    found = [median(column) for column in zip(*turns, strict=True)]
    return {"ratio": round(found[0], 2), "us": round(found[1], 1), "orjson_us": round(found[2], 2)}


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
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--peers", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        files = copies(sources(given.sources), given.copies, folder)
        run(files[:1], folder / "warm", 1)
        _, wall, events = run(files, folder / "count", 1)
        whole = ratio(files, folder, given.rounds)
        one, two = [], []
        for number in range(given.rounds):
            one.append(run(files, folder / f"single-{number}", 1)[1])
            _, wall, again = run(files, folder / f"two-{number}", 2)
            two.append(wall)
            assert again == events
        lines = sum(file.read_bytes().count(b"\n") for file in files)
        figures = {
            "lines": lines,
            "events": events,
            "cpu_ratio_to_orjson": whole["ratio"],
            "cpu_us_a_line": whole["us"],
            "events_per_cpu_second": round(events / (whole["us"] * lines) * 1e6),
            "two_workers_speedup": round(median(one) / median(two), 2),
        }
        for name, part in apart(files, folder).items():
            figures[f"{name}_lines"] = part[0].read_bytes().count(b"\n")
            figures[f"{name}_lines_cpu"] = ratio(part, folder, given.rounds)
        if given.peers:
            import peers

            figures["peers"] = peers.compare(files, folder, given.rounds)
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
