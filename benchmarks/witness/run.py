"""Precision and recall of every fact over scenarios with several witnesses and a truth file.

python benchmarks/witness/run.py FOLDER [--witness hook,transcript] [--client NAME] [--misses N]

FOLDER holds CLIENT/SCENARIO/{hooks.jsonl, otlp.jsonl, transcript/, truth.json}. Each scenario is
read by `hookstream run --witness ...` and its questions are asked; a fact counts as wanted where
the truth file says that one of these witnesses proves it.
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
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from facts import FACTS, QUESTIONS, Claim, Scenario

from hookstream.queries.runner import ask, read

Counts = dict[str, list[int]]


def answers(
    folder: Path, witnesses: str, scratch: Path, questions: Iterable[str] = QUESTIONS
) -> dict[str, list[dict[str, Any]]]:
    """The questions' rows over one scenario; none where these witnesses say nothing."""
    lake = scratch / "lake"
    words = [sys.executable, "-m", "hookstream", "run", str(folder), "--witness", witnesses]
    env = {**os.environ, "XDG_STATE_HOME": str(scratch / "state")}
    subprocess.run(
        [*words, "--to", f"parquet:{lake}"], env=env, check=True, capture_output=True, text=True
    )
    if not any(lake.rglob("*.parquet")):
        return {name: [] for name in questions}

    def rows(stream: Any) -> dict[str, list[dict[str, Any]]]:
        found = {}
        for name in questions:
            result = ask(stream, name)
            found[name] = [dict(zip(result.columns, row, strict=True)) for row in result.rows]
        return found

    return read(lake, rows)


def scored(folder: Path, witnesses: str) -> list[Claim]:
    truth = json.loads((folder / "truth.json").read_text("utf-8"))
    with tempfile.TemporaryDirectory(prefix="witness-") as name:
        scratch = Path(name)
        beside = scratch / "scenario"
        shutil.copytree(folder, beside, ignore=shutil.ignore_patterns("truth.json"))
        found = answers(beside, witnesses, scratch)
    given = Scenario(truth, found, tuple(witnesses.split(",")))
    return [claim for fact in FACTS for claim in fact(given)]


def added(counts: Counts, claims: list[Claim]) -> list[tuple[str, Claim]]:
    """Counts claims as [wanted, found of these, false]; gives those that are missed or false."""
    wrong = []
    for claim in claims:
        count = counts[claim.fact]
        is_false = claim.said and not claim.is_true
        count[0] += claim.wanted
        count[1] += claim.wanted and claim.said and claim.is_true
        count[2] += is_false
        count[3] += claim.said and claim.is_true
        if is_false or (claim.wanted and not claim.said):
            wrong.append(("false" if is_false else "missed", claim))
    return wrong


def ratio(part: int, whole: int) -> str:
    return f"{part / whole:.2f}" if whole else "-"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--witness", default="hook,transcript")
    parser.add_argument("--client", default="*")
    parser.add_argument("--scenario", default="*")
    given = parser.parse_args()
    counts: Counts = defaultdict(lambda: [0, 0, 0, 0])
    for path in sorted(given.folder.glob(f"{given.client}/{given.scenario}/truth.json")):
        name = str(path.parent.relative_to(given.folder))
        for word, claim in added(counts, scored(path.parent, given.witness)):
            print(f"{word:6} {claim.fact:20} {name}: {claim.text}")
    print(f"\n{given.witness}\n{'fact':24}{'proved':>7}{'found':>7}{'false':>7}  precision  recall")
    for fact, (wanted, found, false, true) in sorted(counts.items()):
        numbers = f"{wanted:7}{found:7}{false:7}"
        print(f"{fact:24}{numbers}{ratio(true, true + false):>11}{ratio(found, wanted):>8}")


if __name__ == "__main__":
    main()
