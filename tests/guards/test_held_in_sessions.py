"""Real sessions of clients against a guard: each verdict, its effect and who answered, as the marks
that commands left on disk and the keys that were pressed say.

`truth.json` says it call by call; benchmarks/witness/guard.py reads it, and larger collections too.
The wrap's records are written by the program as it is. Long texts and clients' prompts are cut.
"""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from hookstream.delivery.job import Job
from hookstream.delivery.run import execute
from hookstream.queries.formats import objects
from hookstream.queries.runner import ask, open_stream

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SCENARIOS = sorted(str(path.parent.relative_to(HERE)) for path in HERE.glob("*/*/truth.json"))
PLACES = (
    *("samples", "tests/cases", "tests/guards/*/*", "tests/recordings"),
    *(f"tests/*/*/*/{name}" for name in ("hooks.jsonl", "otlp.jsonl", "transcript/**/*.jsonl")),
)


def scorer() -> ModuleType:
    path = ROOT / "benchmarks" / "witness" / "guard.py"
    spec = importlib.util.spec_from_file_location("guard", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.long
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_each_verdict_is_said_as_it_was(scenario: str) -> None:
    guard = scorer()
    truth: dict[str, Any] = json.loads((HERE / scenario / "truth.json").read_text("utf-8"))
    rows = guard.rows_of(HERE / scenario, "fresh", truth)
    wrong = [
        (call["label"], kind, note)
        for call in truth["calls"]
        for kind, is_right, note in guard.checks(rows, truth, call, True)
        if not is_right
    ]
    assert wrong == []


@pytest.mark.long
@pytest.mark.parametrize("places", PLACES)
def test_somebody_approved_what_was_approved(places: str, tmp_path: Path) -> None:
    """... in every sample, of which the demo is made, and in every recording, whole or one witness
    of it alone."""
    sources = [str(path) for path in sorted(ROOT.glob(places))]
    execute(Job(sources, [f"parquet:{tmp_path}/lake"], pseudonyms=tmp_path / "key"))
    with open_stream(f"{tmp_path}/lake") as stream:
        asks = list(objects(ask(stream, "asks")))
    shown = ("decision_evidence", "certainty")
    approved = [row for row in asks if row["resolution"] == "approved"]
    answered = [row for row in asks if row["resolution"] in ("approved", "denied")]
    assert [row for row in approved if not row["decided_by"]] == []
    assert [row for row in answered if not all(row[name] for name in shown)] == []
    assert [row for row in asks if row["resolution"] == "unknown" and row["decided_by"]] == []
