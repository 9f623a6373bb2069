"""Real sessions of clients: each call, decider, exit code, prompt, compaction and token as the
model's server and the marks on disk say. `truth.json` labels the calls; the reader of it is
benchmarks/witness/run.py, which takes larger collections too."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from collections import defaultdict
from pathlib import Path
from types import ModuleType

import pytest

HERE = Path(__file__).resolve().parent
SCENARIOS = sorted(str(path.parent.relative_to(HERE)) for path in HERE.glob("*/*/truth.json"))


def scorer() -> ModuleType:
    return loaded(HERE.parents[1] / "benchmarks" / "witness" / "run.py")


def loaded(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))  # the scorers share the run of a scenario
    spec.loader.exec_module(made)
    return made


ALL = "hook,transcript,telemetry"
CASES = [
    (scenario, witness)
    for scenario in SCENARIOS
    for witness in ("transcript", "hook,transcript", ALL)
    if witness == ALL or (HERE / scenario / "transcript").is_dir()
]


@pytest.mark.long
@pytest.mark.parametrize(("scenario", "witness"), CASES)
def test_what_is_said_is_what_was(scenario: str, witness: str, tmp_path: Path) -> None:
    copy = tmp_path / scenario
    shutil.copytree(HERE / scenario, copy)
    loaded(HERE.parent / "transcripts" / "homes.py").fill_all(copy)
    module = scorer()
    claims = module.scored(copy / "truth.json", witness)
    assert claims
    assert module.added(defaultdict(lambda: [0, 0, 0, 0]), claims) == []
