"""Fit how CPU and memory of each part grow: its law. Prints Markdown; exit 1 where one is broken.

    python -m benchmarks.growth [NAME...] [--rounds 3]

Every part runs over inputs of size 1, n, 2n and 4n, in alternated rounds, each time in a process of
its own. CPU is user and system time of it and its children, medians. What size 1 costs (the start,
imports, the compilation of statements) is subtracted: the exponent of CPU is that of
cost(n) - cost(1) over n - 1. Memory is the peak above what the process had before the work.
Exponents are least squares in log-log over n, 2n, 4n.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.growth.inputs import ROOT
from benchmarks.growth.parts import PARTS

CPU_LAW, FLAT_LAW = 1.1, 0.2
STATUS = Path("/proc/self/status")


@dataclass(frozen=True)
class Cost:
    """CPU seconds of a work, and MB of memory that it took."""

    cpu_s: float
    peak_mb: float


@dataclass(frozen=True)
class Growth:
    """What was measured of a part: size -> cost, the start in size 1."""

    name: str
    costs: dict[int, Cost]

    @property
    def sizes(self) -> list[int]:
        return sorted(self.costs)[1:]

    @property
    def cpu(self) -> float:
        start = self.costs[1].cpu_s
        return exponent({n - 1: self.costs[n].cpu_s - start for n in self.sizes})

    @property
    def memory(self) -> float:
        return exponent({n: self.costs[n].peak_mb for n in self.sizes})

    @property
    def broken(self) -> bool:
        return self.cpu > CPU_LAW or (PARTS[self.name].flat and self.memory > FLAT_LAW)

    def row(self) -> str:
        part, (first, *_, last) = PARTS[self.name], self.sizes
        times = " / ".join(f"{self.costs[n].cpu_s:.2f}" for n in (1, *self.sizes))
        peak = " / ".join(f"{self.costs[n].peak_mb:.0f}" for n in (first, last))
        sizes = f"{first:,} to {last:,} {part.unit}"
        law = f"{self.memory:.2f}" + (" (flat)" if part.flat else "")
        return f"| {self.name} | {sizes} | {times} | {self.cpu:.2f} | {peak} | {law} |"


HEAD = (
    "| part | n to 4n | CPU s: 1 / n / 2n / 4n | exponent | MB: n / 4n | exponent |\n"
    "|---|---|---|---|---|---|"
)


def exponent(costs: dict[int, float]) -> float:
    """The slope of log cost over log n, least squares; what cost nothing counts as little."""
    points = [(math.log(n), math.log(max(cost, 1e-3))) for n, cost in costs.items()]
    middle_x = statistics.mean(x for x, _ in points)
    middle_y = statistics.mean(y for _, y in points)
    over = sum((x - middle_x) * (y - middle_y) for x, y in points)
    return over / sum((x - middle_x) ** 2 for x, _ in points)


def measure(name: str, folder: Path, rounds: int) -> Growth:
    """The medians of the rounds."""
    part = PARTS[name]
    costs: dict[int, list[Cost]] = {n: [] for n in (1, part.size, 2 * part.size, 4 * part.size)}
    for n in costs:
        (folder / f"{n}").mkdir()
        part.make(folder / f"{n}", n)
    in_a_process(name, folder / "1")  # fills caches, as of compiled rules
    for _ in range(rounds):
        for n, found in costs.items():
            found.append(in_a_process(name, folder / f"{n}"))
    middle = {
        n: Cost(
            statistics.median(one.cpu_s for one in found),
            statistics.median(one.peak_mb for one in found),
        )
        for n, found in costs.items()
    }
    return Growth(name, middle)


def in_a_process(name: str, made: Path) -> Cost:
    """The cost of a work over a copy of its input."""
    copy = made.with_name("copy")
    shutil.copytree(made, copy)
    words = [sys.executable, "-m", "benchmarks.growth", name, "--in", str(copy)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    shutil.rmtree(copy)
    if done.returncode:
        raise RuntimeError(f"{name}: {done.stderr[-2000:]}")
    return Cost(**json.loads(done.stdout.splitlines()[-1]))


def here(name: str, folder: Path) -> Cost:
    """The cost of a work in this process."""
    before, held = cpu_s(), resident("VmRSS")
    PARTS[name].work(folder)
    return Cost(cpu_s() - before, resident("VmHWM") - held)


def cpu_s() -> float:
    used = [resource.getrusage(of) for of in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def resident(field: str) -> float:
    """MB of this process, now or at its peak."""
    line = next(line for line in STATUS.read_text().splitlines() if line.startswith(field))
    return int(line.split()[1]) / 1024


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.growth", description=__doc__)
    parser.add_argument("names", nargs="*", help=", ".join(PARTS))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--in", dest="folder", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    names = [name for name in PARTS if not options.names or name in options.names]
    if options.folder is not None:
        print(json.dumps(vars(here(names[0], options.folder))))
        return 0
    print(HEAD, flush=True)
    broken = False
    with tempfile.TemporaryDirectory(prefix="growth-") as scratch:
        home(Path(scratch, "home"))
        for name in names:
            place = Path(scratch, name.replace(" ", "-"))
            place.mkdir()
            growth = measure(name, place, options.rounds)
            print(growth.row(), flush=True)
            broken |= growth.broken
            shutil.rmtree(place)
    return int(broken)


def home(folder: Path, put: Callable[[str, str], object] = os.environ.__setitem__) -> None:
    """Keys, state and configuration of this benchmark alone."""
    for variable in ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        place = folder / variable.lower()
        place.mkdir(parents=True)
        put(variable, str(place))
    put("AGENT_HOOKS_LOG", "")


if __name__ == "__main__":
    sys.exit(main())
