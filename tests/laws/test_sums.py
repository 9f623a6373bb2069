"""A sum over a session is one witness's: however many report it, in whatever order, how often."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from hookstream.core.errors import NothingToRead
from hookstream.delivery.job import Job
from hookstream.delivery.run import execute
from hookstream.queries.formats import objects
from hookstream.queries.runner import ask, open_stream

sys.path.insert(0, str(Path(__file__).parents[1] / "transcripts"))
import test_witnesses as recorded

pytestmark = pytest.mark.long

RUNS = sorted(recorded.DATA.parent.glob("runs/*"))
KINDS = ("hook", "transcript", "telemetry")
TOKENS = ("input_tokens", "output_tokens", "cache_read_tokens", "cost_usd")
COUNTED = ("calls", "prompts", "agents", "compactions", "denies", "decisions", "turns")
Sums = dict[str, float]


def sources_of(name: str, folder: Path) -> dict[str, list[Path]]:
    """The sources of a recording, by witness."""
    if name.startswith("runs/"):
        run = recorded.DATA.parent / name
        hooks, home, spans = run / "hooks.jsonl", run / "home", run / "otlp.jsonl"
    else:
        home = recorded.home_of(name, folder)
        hooks = recorded.DATA / name / "hooks.jsonl"
        spans = recorded.SPANS.get(name, folder / "none")
    paths = dict(zip(KINDS, ((hooks,), (home,), (spans,)), strict=True))
    return {kind: [path for path in paths[kind] if path.exists()] for kind in KINDS}


def sums_of(sources: list[Path]) -> Sums:
    """What the questions add up to over everything that is read."""
    with tempfile.TemporaryDirectory() as folder:
        lake = Path(folder) / "lake"
        key = Path(folder) / "key"
        try:
            execute(
                Job(
                    [str(path) for path in sources],
                    [f"parquet:{lake}"],
                    now="2026-12-01T00:00:00Z",
                    machine="box",
                    pseudonym_key_file=key,
                )
            )
        except NothingToRead:
            return {}
        if not any(lake.rglob("*.parquet")):
            return {}
        with open_stream(lake) as stream:
            rows = {name: objects(ask(stream, name)) for name in (*COUNTED, "usage", "sessions")}
    sums: Sums = {name: len(rows[name]) for name in COUNTED}
    for name in TOKENS:
        sums[name] = round(sum(row[name] or 0 for row in rows["usage"]), 6)
    for name in ("actions", "prompts", "denies"):
        sums[f"sessions.{name}"] = sum(row[name] for row in rows["sessions"])
    return sums


@cache
def sums_by(name: str) -> dict[tuple[str, ...], Sums]:
    """The sums of each set of witnesses of a recording."""
    with tempfile.TemporaryDirectory() as folder:
        sources = {k: v for k, v in sources_of(name, Path(folder)).items() if v}
        return {
            kinds: sums_of([path for kind in kinds for path in sources[kind]])
            for size in range(1, len(sources) + 1)
            for kinds in combinations(sources, size)
        }


NAMES = [f"runs/{path.name}" for path in RUNS] + recorded.SEVERAL
# Hooks alone cannot tell more: a question without the id of its call is one, and so is a call of
# an MCP server, whose name telemetry has as a digest.
MORE_CALLS = {"qwen-code/approval-tui": ("hook",), "copilot/refusals-rules": ("hook", "telemetry")}
# Hooks that report no prompt and telemetry that names no call have no turn in common.
OTHER_TURNS = {("cline/subagent", "turns"): ("hook", "telemetry")}
# Telemetry alone counts a command of the client as a prompt.
MORE_PROMPTS = ("runs/claude-code-slow",)


def truth_of(name: str) -> dict[str, int]:
    """How many there were, as the model's server and the person know."""
    folder = recorded.DATA.parent / ("" if name.startswith("runs/") else "data") / name
    truth: dict[str, Any] = json.loads((folder / "truth.json").read_text("utf-8"))
    counts = {what: truth[what] for what in ("calls", "prompts", "agents")}
    return {what: n if type(n) is int else len(n) for what, n in counts.items()}


@pytest.mark.parametrize("name", NAMES)
def test_sums_are_those_of_the_best_witness(name: str) -> None:
    sums, truth = sums_by(name), truth_of(name)
    for kinds, together in sums.items():
        alone = [sums[(kind,)] for kind in kinds if sums[(kind,)]]
        for what in together:
            best = max((one[what] for one in alone), default=0)
            where = (kinds, what, [one[what] for one in alone], together[what])
            if what in TOKENS:
                assert together[what] == pytest.approx(best), where
            elif what in truth:
                is_more = (what == "calls" and MORE_CALLS.get(name) == kinds) or (
                    what == "prompts" and name in MORE_PROMPTS
                )
                assert is_more or min(best, truth[what]) <= together[what] <= truth[what], where
            elif (
                len(alone) > 1
                and min(one[what] for one in alone)
                and OTHER_TURNS.get((name, what)) != kinds
            ):
                assert together[what] < sum(one[what] for one in alone), where


@pytest.mark.parametrize("name", NAMES[:7])
def test_sums_are_the_same_in_any_order_and_twice(name: str, tmp_path: Path) -> None:
    sources = [path for paths in sources_of(name, tmp_path).values() for path in paths]
    copies = []
    for source in sources:
        copy = tmp_path / "again" / source.name
        copy.parent.mkdir(exist_ok=True)
        (shutil.copytree if source.is_dir() else shutil.copy2)(source, copy)
        copies.append(copy)
    complete = sums_by(name)[max(sums_by(name), key=len)]
    assert sums_of(sources[::-1]) == complete
    assert sums_of([*copies, *sources]) == complete
