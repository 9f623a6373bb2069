"""What a run costs: CPU of the whole run beside bare orjson, and what a second worker gives.

python benchmarks/throughput.py [SOURCE...] [--copies N] [--rounds N] [--peers]
python benchmarks/throughput.py [SOURCE...] --against REVISION [--at-most 1.03]

Prints ratios taken in one process and one run: machines differ, ratios less. Each figure is the
median of rounds in which both sides take turns. Lines that give events and lines that are known
to give none are measured apart too: their shares decide a ratio. The whole run is both
standards as JSON Lines with the privacy pass on. Line counts of the output are checked.
`--peers` compares with DuckDB, jaq and Tenzir at 0, 100 and 300 rules (peers.py).
`--against` runs the sources of another revision (or folder) over the same lines in turns, each run
a process of its own with the packages of this Python, and prints the ratio of CPU a line without
the start (a run over one copy of the lines); with `--at-most`, a larger ratio ends with 1.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path
from statistics import median

import orjson

from hookstream.delivery.job import Job, make_pipeline
from hookstream.delivery.run import execute

ROOT = Path(__file__).parent.parent
SAMPLES = ROOT / "samples"
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


def sources_of(revision: str, folder: Path) -> Path:
    """The src folder of a tree, or of a revision of this repository."""
    if (Path(revision) / "src").is_dir():
        return Path(revision).resolve() / "src"
    packed = subprocess.run(
        ["git", "-C", str(ROOT), "archive", revision, "src"], capture_output=True, check=True
    ).stdout
    with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
        archive.extractall(folder, filter="data")
    return folder / "src"


def process(src: Path, files: list[Path], out: Path) -> float:
    """CPU seconds of a process that runs over the files with the sources of a tree."""
    words = ["run", *map(str, files), "--to", f"jsonl:{out}", "--now", NOW, "--workers", "1"]
    code = "import sys; from hookstream.cli import main; sys.exit(main())"
    began = os.times()
    subprocess.run(
        [sys.executable, "-c", code, *words],
        env={**os.environ, "PYTHONPATH": str(src), "PYTHONDONTWRITEBYTECODE": ""},
        capture_output=True,
        check=True,
    )
    ended = os.times()
    user, system = ended.children_user, ended.children_system
    return user + system - began.children_user - began.children_system


def against(
    revision: str, files: list[Path], start: list[Path], folder: Path, rounds: int
) -> dict[str, object]:
    """CPU us a line of another revision and of this tree, and their ratio, without what a run over
    one copy of the lines costs: by then the tables are loaded and their patterns compiled."""
    trees = {
        name: sources_of(tree, folder / name)
        for name, tree in (("then", revision), ("now", str(ROOT)))
    }
    lines = sum(f.read_bytes().count(b"\n") for f in files)
    lines -= sum(f.read_bytes().count(b"\n") for f in start)
    costs: dict[str, list[float]] = {name: [] for name in trees}
    for number in range(-1, rounds):
        # Who goes first changes: the second finds the caches of the machine warm.
        for name in sorted(trees, reverse=number % 2 == 0):
            out = folder / f"{name}{number}"
            cpu = process(trees[name], files, out / "all")
            cpu -= process(trees[name], start, out / "one")
            if number >= 0:  # the first compiles sources and rules
                costs[name].append(cpu / lines * 1e6)
    ratios = [now / then for now, then in zip(costs["now"], costs["then"], strict=True)]
    return {
        "revision": revision,
        "then_us": round(median(costs["then"]), 1),
        "now_us": round(median(costs["now"]), 1),
        "ratio": round(median(ratios), 3),
        "ratios": [round(ratio, 3) for ratio in ratios],
        "ratio_of_least": round(min(costs["now"]) / min(costs["then"]), 3),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sources", nargs="*")
    parser.add_argument("--copies", type=int, default=12)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--against", metavar="REVISION", help="a revision, or a folder of one")
    parser.add_argument("--at-most", type=float, metavar="RATIO", help="exit 1 above it")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        files = copies(sources(given.sources), given.copies, folder)
        if given.against:
            begin = folder / "start"
            begin.mkdir()
            start = copies(sources(given.sources), 1, begin)
            figures = against(given.against, files, start, folder, given.rounds)
            print(json.dumps(figures, indent=1))
            sys.exit(given.at_most is not None and figures["ratio"] > given.at_most)
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
