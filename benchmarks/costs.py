"""Tokens that programs count in the same session files, next to what the model's server served.

python benchmarks/costs.py FOLDER [--clients claude-code,codex] [--ccusage PATH]

FOLDER holds CLIENT/SCENARIO/{transcript/, truth.json}: `transcript` is a home with the client's
files, `tokens_served` of truth.json what the server's log counted, `input` with what came from its
cache. Scenarios of a client share a home unless a path would be there twice. ccusage is taken from
--ccusage, the PATH or npm, agentsview and SuperBased observer from the PATH; what is not there, or
fails, is left out with the reason. Prints input tokens as a Markdown table, and the costs as JSON.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent / "backfill"))

from run import ccusage_of

WAIT_S = 180
# Our name of a client -> ccusage's, agentsview's and SuperBased observer's.
NAMES = {
    "claude-code": ("claude", "claude", "claude-code"),
    "codex": ("codex", "codex", "codex"),
    "copilot": ("copilot", "copilot", "copilot-cli"),
    "gemini-cli": ("gemini", "gemini", "gemini-cli"),
    "qwen-code": ("qwen", "qwen", "qwen-code"),
    "opencode": ("opencode", "opencode", "opencode"),
    "kimi-code": ("kimi", "kimi", "kimi-code"),
    "pi": ("pi", "pi", "pi"),
}
Sum = tuple[int, float | None]


class Missing(Exception):
    """A program that is not there or failed, with the reason."""


def output_of(words: list[str], home: Path) -> str:
    """Standard output of a program with that home. Raises Missing."""
    kept = {"PATH": os.environ["PATH"], "HOME": str(home), "TZ": "UTC"}
    done = subprocess.run(words, env=kept, capture_output=True, text=True, timeout=WAIT_S)
    if done.returncode:
        raise Missing(f"{' '.join(words[:2])}: {done.stderr.strip()[-200:]}")
    return done.stdout


def hookstream(home: Path, client: str) -> Sum:
    from hookstream.queries.prices import with_cache

    words = [sys.executable, "-m", "hookstream"]
    lake = home / "lake"
    output_of(
        [
            *words,
            "backfill",
            client,
            "--since",
            "all",
            "--home",
            str(home),
            "--to",
            f"parquet:{lake}",
        ],
        home,
    )
    rows = json.loads(
        output_of([*words, "cost", str(lake), "--by", "client", "--format", "json"], home)
    )
    shutil.rmtree(lake)
    kinds = ("input_tokens", "cache_read_tokens", "cache_write_tokens")
    number = sum(
        row["input_tokens"] if client in with_cache() else sum(row[kind] for kind in kinds)
        for row in rows
    )
    costs = [row["cost_usd"] for row in rows if row["cost_usd"] is not None]
    return number, sum(costs) if costs else None


def ccusage(program: str) -> Callable[[Path, str], Sum]:
    def counted(home: Path, client: str) -> Sum:
        words = [program, NAMES[client][0], "daily", "--json", "--offline"]
        totals = json.loads(output_of(words, home)).get("totals") or {}
        return _camel(totals), totals.get("totalCost")

    return counted


def agentsview(home: Path, client: str) -> Sum:
    try:
        output_of(["agentsview", "sync"], home)
        words = ["agentsview", "usage", "daily", "--json", "--all", "--agent", NAMES[client][1]]
        totals = json.loads(output_of(words, home)).get("totals") or {}
    finally:
        subprocess.run(["agentsview", "daemon", "stop"], env={**os.environ, "HOME": str(home)},
                       capture_output=True, timeout=WAIT_S)  # fmt: skip
    return _camel(totals), totals.get("totalCost", {}).get("microdollars", 0) / 1e6


def observer(home: Path, client: str) -> Sum:
    output_of(["observer", "scan"], home)
    words = ["observer", "cost", "--days", "0", "--group-by", "tool", "--json"]
    rows = json.loads(output_of(words, home)).get("rows") or []
    mine = [row for row in rows if row["key"] == NAMES[client][2]]
    kinds = ("input", "cache_read", "cache_creation")
    number = sum(row["tokens"][kind] for row in mine for kind in kinds)
    return number, sum(row["cost_usd"] for row in mine)


def _camel(totals: dict[str, Any]) -> int:
    kinds = ("inputTokens", "cacheReadTokens", "cacheCreationTokens")
    return sum(totals.get(kind, 0) for kind in kinds)


def scenarios_of(folder: Path) -> dict[str, list[tuple[Path, int]]]:
    """The scenarios of each client with the input tokens that were served in them."""
    scenarios = defaultdict(list)
    for truth in sorted(folder.glob("*/*/truth.json")):
        served = json.loads(truth.read_text("utf-8")).get("tokens_served") or {}
        if served.get("input") and (truth.parent / "transcript").is_dir():
            scenarios[truth.parent.parent.name].append((truth.parent, served["input"]))
    return scenarios


def homes_of(scenarios: list[Path], below: Path) -> list[Path]:
    """Homes with the session files of scenarios: as few as can be without a path twice."""
    homes: list[tuple[Path, set[str]]] = []
    for scenario in scenarios:
        source = scenario / "transcript"
        files = {str(file.relative_to(source)) for file in source.rglob("*") if file.is_file()}
        home = next((home for home, taken in homes if taken.isdisjoint(files)), None)
        if home is None:
            home = below / f"home{len(homes)}"
            homes.append((home, set()))
        shutil.copytree(source, home, dirs_exist_ok=True)
        next(taken for one, taken in homes if one == home).update(files)
    return [home for home, _ in homes]


def programs_of(given: str | None, folder: Path) -> dict[str, Callable[[Path, str], Sum]]:
    """The programs that are there; the others are named with the reason."""
    programs: dict[str, Callable[[Path, str], Sum]] = {"hookstream": hookstream}
    found = ccusage_of(given, folder)
    if found:
        programs["ccusage"] = ccusage(found)
    for name, word, program in (
        ("agentsview", "agentsview", agentsview),
        ("SuperBased observer", "observer", observer),
    ):
        if shutil.which(word):
            programs[name] = program
    for name in ("ccusage", "agentsview", "SuperBased observer"):
        if name not in programs:
            print(f"{name}: left out, not installed (pip, npm)", file=sys.stderr)
    return programs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--clients", help="with commas between; default: all that have a truth")
    parser.add_argument("--ccusage")
    given = parser.parse_args()
    scenarios = scenarios_of(given.folder)
    clients = given.clients.split(",") if given.clients else sorted(set(scenarios) & set(NAMES))
    if not any(scenarios.get(client) for client in clients):
        sys.exit(f"{given.folder}: no CLIENT/SCENARIO/truth.json with tokens_served")
    costs: dict[str, dict[str, float | None]] = defaultdict(dict)
    with tempfile.TemporaryDirectory(prefix="costs-") as name:
        below = Path(name)
        programs = programs_of(given.ccusage, below)
        print(f"| client | served | {' | '.join(programs)} |")
        print(f"|---|---|{'---|' * len(programs)}")
        for client in clients:
            served = sum(tokens for _, tokens in scenarios[client])
            homes = homes_of([path for path, _ in scenarios[client]], below / client)
            cells = []
            for program, count in programs.items():
                try:
                    sums = [count(home, client) for home in homes]
                except (Missing, subprocess.TimeoutExpired, ValueError, KeyError) as error:
                    print(f"{program}, {client}: {error}", file=sys.stderr)
                    cells.append("")
                    continue
                number = sum(tokens for tokens, _ in sums)
                costs[client][program] = round(sum(cost or 0.0 for _, cost in sums), 4)
                cells.append(f"**{number:,}**" if number == served else f"{number:,}")
            print(f"| {client} | {served:,} | {' | '.join(cells)} |", flush=True)
    print(json.dumps({"cost_usd": costs}))


if __name__ == "__main__":
    main()
