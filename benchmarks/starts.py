"""CPU of starts as ratios to `python -c pass`: medians of alternated rounds. Prints Markdown.

python benchmarks/starts.py [--rounds 15]
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

SAMPLE = Path(__file__).parents[1] / "samples" / "codex"


def cpu_s(words: list[str]) -> float:
    """User and system time of one child, seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    command = [str(Path(sys.executable).parent / "hookstream")]
    with tempfile.TemporaryDirectory() as folder:
        lake, line = Path(folder, "lake"), Path(folder, "one.jsonl")
        subprocess.run([*command, "run", str(SAMPLE), "--to", f"parquet:{lake}"], check=True)
        line.write_bytes(next(SAMPLE.rglob("*.jsonl")).read_bytes().splitlines(keepends=True)[0])
        starts = {
            "python -c pass": [sys.executable, "-c", "pass"],
            "import typer": [sys.executable, "-c", "import typer"],
            "--version": [*command, "--version"],
            "--help": [*command, "--help"],
            "query --help": [*command, "query", "--help"],
            "status --help": [*command, "status", "--help"],
            "run --help": [*command, "run", "--help"],
            "a refused option": [*command, "query", "--frobnicate"],
            "run of one line": [*command, "run", str(line), "--to", f"jsonl:{folder}/out"],
            "query denies, 200 events": [*command, "query", "denies", str(lake)],
        }
        times: dict[str, list[float]] = {name: [] for name in starts}
        for _ in range(rounds):
            for name, words in starts.items():
                times[name].append(cpu_s(words))
    base = statistics.median(times["python -c pass"])
    print("| start | CPU ms | x `python -c pass` |\n|---|---|---|")
    for name, spent in times.items():
        median = statistics.median(spent)
        print(f"| {name} | {median * 1000:.0f} | {median / base:.1f} |")


if __name__ == "__main__":
    main()
