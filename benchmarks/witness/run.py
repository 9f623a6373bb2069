"""Precision and recall of every fact over scenarios with several witnesses and a truth file.

python benchmarks/witness/run.py FOLDER [--witness hook,transcript] [--client NAME] [--recordings R]

FOLDER holds CLIENT/SCENARIO/{hooks.jsonl, otlp.jsonl, transcript/, truth.json}, or, where hooks
alone were recorded, CLIENT/SCENARIO.json, and R has CLIENT/SCENARIO.jsonl. Each scenario is
read by `hookstream run --witness ...` and its questions are asked; a fact counts as wanted where
the truth file says that one of these witnesses proves it. A truth file that labels its calls is
the log of the model's server: labelled.py has its facts. The witness `own` is hookstream's own log
of the run, FOLDER/_own/CLIENT__SCENARIO.jsonl, with the session files.
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

import labelled
from facts import FACTS, QUESTIONS, Claim, Scenario

from hookstream.queries.runner import ask, read

Counts = dict[str, list[int]]


def answers(
    sources: list[Path], options: list[str], scratch: Path, questions: Iterable[str] = QUESTIONS
) -> dict[str, list[dict[str, Any]]]:
    """The questions' rows over one scenario; none where these witnesses say nothing."""
    lake = scratch / "lake"
    words = [sys.executable, "-m", "hookstream", "run", *map(str, sources), *options]
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


def own_log(folder: Path) -> Path:
    return folder.parents[1] / "_own" / f"{folder.parent.name}__{folder.name}.jsonl"


def scored(path: Path, witnesses: str, recordings: Path | None = None) -> list[Claim]:
    """The claims about the scenario of a truth file."""
    truth = json.loads(path.read_text("utf-8"))
    is_labelled = any("label" in call for call in truth["calls"])
    questions = labelled.QUESTIONS if is_labelled else QUESTIONS
    with tempfile.TemporaryDirectory(prefix="witness-") as name:
        scratch = Path(name)
        copy = scratch / "scenario"
        if recordings is not None:
            copy = recordings / path.parent.name / f"{path.stem}.jsonl"
        else:
            shutil.copytree(path.parent, copy, ignore=shutil.ignore_patterns("truth.json"))
        if witnesses == "own":
            log = own_log(path.parent)
            rows = answers([log, copy / "transcript"], [], scratch, questions)
        else:
            rows = answers([copy], ["--witness", witnesses], scratch, questions)
    if is_labelled:
        return list(labelled.claims(truth, rows))
    scenario = Scenario(truth, rows, tuple(witnesses.split(",")))
    return [claim for fact in FACTS for claim in fact(scenario)]


def added(counts: Counts, claims: list[Claim]) -> list[tuple[str, Claim]]:
    """Counts claims as [wanted, found of these, false]; gives those that are missed or false."""
    wrong = []
    for claim in claims:
        count = counts[claim.fact]
        is_false = claim.said and not claim.is_true
        count[0] += bool(claim.wanted)
        count[1] += bool(claim.wanted and claim.said and claim.is_true)
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
    parser.add_argument(
        "--recordings", type=Path, help="what hooks were sent, of truth files alone"
    )
    given = parser.parse_args()
    counts: Counts = defaultdict(lambda: [0, 0, 0, 0])
    place = "{}.json" if given.recordings else "{}/truth.json"
    for path in sorted(given.folder.glob(f"{given.client}/{place.format(given.scenario)}")):
        if given.witness == "own" and not own_log(path.parent).exists():
            continue
        name = str((path if given.recordings else path.parent).relative_to(given.folder))
        for word, claim in added(counts, scored(path, given.witness, given.recordings)):
            print(f"{word:6} {claim.fact:20} {name}: {claim.text}")
    print(f"\n{given.witness}\n{'fact':24}{'proved':>7}{'found':>7}{'false':>7}  precision  recall")
    for fact, (wanted, found, false, true) in sorted(counts.items()):
        numbers = f"{wanted:7}{found:7}{false:7}"
        print(f"{fact:24}{numbers}{ratio(true, true + false):>11}{ratio(found, wanted):>8}")


if __name__ == "__main__":
    main()
