"""CPU of `hookstream backfill` and of other readers over the same Claude Code files.

python benchmarks/backfill/run.py [--mb 1000] [--home HOME] [--ccusage PATH] [--rounds 1]

Prints one JSON object: seconds of user and system CPU and of the wall, the load average of the
machine, and the tokens that backfill and ccusage count, which must be equal. ccusage is taken from
--ccusage, the PATH, or npm (its newest version whose native program is published: 20.0.24).
`jq length`, agentsview (`sync`) and superbased-observer (`scan`) are measured where they are on the
PATH, each with a fresh database. Figures are medians of alternated rounds.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

from sessions import write

VERSION = "20.0.24"
MB = 1_000_000
ROW = re.compile(r"claude-code\s+(\S+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+([\d.]+)")
# Programs that read the same files: the words, and what must not exist for a first reading.
READERS = {
    "agentsview": (["agentsview", "sync"], ".agentsview"),
    "superbased-observer": (["observer", "scan", "--adapter", "claude-code"], ".observer"),
}
NAMES = ("inputTokens", "outputTokens", "cacheReadTokens", "cacheCreationTokens")


def measured(words: list[str], env: dict[str, str], **more: Any) -> tuple[dict[str, float], str]:
    """CPU and wall seconds of a command and its children, and what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.monotonic()
    done = subprocess.run(words, env=env, capture_output=True, text=True, check=True, **more)
    wall = time.monotonic() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "user_s": round(after.ru_utime - before.ru_utime, 2),
        "system_s": round(after.ru_stime - before.ru_stime, 2),
        "wall_s": round(wall, 2),
        "load": round(os.getloadavg()[0], 1),
    }, done.stdout


def ccusage_of(given: str | None, folder: Path) -> str | None:
    found = given or shutil.which("ccusage")
    if found or not shutil.which("npm"):
        return found
    words = ["npm", "install", "--silent", "--no-fund", "--no-audit", f"ccusage@{VERSION}"]
    done = subprocess.run([*words, "--prefix", str(folder)], capture_output=True, check=False)
    program = folder / "node_modules" / ".bin" / "ccusage"
    return str(program) if done.returncode == 0 and program.exists() else None


def readers_of(
    home: Path, files: list[Path], workers: str, ccusage: str | None
) -> dict[str, list[str]]:
    """The command of each program that is there."""
    backfill = [sys.executable, "-m", "hookstream", "backfill", "claude-code", "--since", "all"]
    readers = {"backfill": [*backfill, "--home", str(home), "--workers", workers]}
    if shutil.which("jq"):
        listed = ["sh", "-c", 'cat "$@" | jq length > /dev/null', "sh", *map(str, files)]
        readers["jq length"] = listed
    if ccusage:
        readers["ccusage"] = [ccusage, "claude", "daily", "--json", "--offline"]
    return readers | {name: words for name, (words, _) in READERS.items() if shutil.which(words[0])}


def tokens(report: str) -> dict[str, Any]:
    """Input, output, read from and written to the cache, and cost, as the report's table says."""
    sums = [0.0] * 5
    for _, _, *counts in ROW.findall(report):
        sums = [one + float(more) for one, more in zip(sums, counts, strict=True)]
    return {**dict(zip(NAMES, map(int, sums), strict=False)), "cost": round(sums[4], 2)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mb", type=int, default=1000)
    parser.add_argument("--home", type=Path, help="A home with .claude; made anew by default.")
    parser.add_argument("--ccusage")
    parser.add_argument("--workers", default="2")
    parser.add_argument("--rounds", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="backfill-bench-") as name:
        folder = Path(name)
        home = given.home or folder / "home"
        if given.home is None:
            write(home, max(1, given.mb), MB)
        files = sorted(home.rglob("*.jsonl"))
        size = sum(file.stat().st_size for file in files)
        env = {**os.environ, "HOME": str(home), "XDG_STATE_HOME": str(folder / "state")}
        env |= {"XDG_CACHE_HOME": str(folder / "cache"), "AGENTSVIEW_NO_DAEMON": "1"}
        for other in ("CLAUDE_CONFIG_DIR", "XDG_CONFIG_HOME"):
            env.pop(other, None)
        made: dict[str, Any] = {"bytes": size, "files": len(files)}
        readers = readers_of(home, files, given.workers, ccusage_of(given.ccusage, folder / "npm"))
        spent: dict[str, list[dict[str, float]]] = {name: [] for name in readers}
        outputs: dict[str, str] = {}
        measured(readers["backfill"], env)  # compiles its rules, once for each user
        for _ in range(given.rounds):
            for name, words in readers.items():
                if name in READERS:
                    shutil.rmtree(home / READERS[name][1], ignore_errors=True)
                cost, outputs[name] = measured(words, env)
                spent[name].append(cost)
        for name, costs in spent.items():
            made[name] = {key: median(cost[key] for cost in costs) for key in costs[0]}
        made["backfill"]["tokens"] = tokens(outputs["backfill"])
        if "ccusage" in outputs:
            totals = json.loads(outputs["ccusage"])["totals"]
            counted = {**{one: totals[one] for one in NAMES}, "cost": round(totals["totalCost"], 2)}
            made["ccusage"]["tokens"] = counted
            made["equal"] = counted == made["backfill"]["tokens"]
        cpu = made["backfill"]["user_s"] + made["backfill"]["system_s"]
        made["backfill"]["cpu_s_per_gb"] = round(cpu * 1e9 / size, 1)
        print(json.dumps(made, indent=1))


if __name__ == "__main__":
    main()
