"""Spans and our adapter at once: recorded runs of a CrewAI program, a call is one row.

The log is the adapter's own, without machine and user; the spans are those of OpenInference, as
wrappers or as a listener of the event bus.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

DATA = Path(__file__).parent / "data/both"
CASES = sorted(path.name.removesuffix(".otlp.jsonl") for path in DATA.glob("*.otlp.jsonl"))
# The mail that a hook forbids; wrappers see no call.
MAIL = {
    "crewai-openinference": ["callback"],
    "crewai-openinference-events": ["callback", "telemetry"],
}


def rows(folder: Path, state: Path) -> list[dict[str, Any]]:
    env = {**os.environ, "XDG_STATE_HOME": str(state)}
    program = [sys.executable, "-m", "hookstream"]
    lake = str(folder.parent / "lake")
    subprocess.run([*program, "run", str(folder), "--to", f"parquet:{lake}"], env=env, check=True)
    query = [*program, "query", "calls", lake, "--format", "json"]
    done = subprocess.run(query, env=env, check=True, capture_output=True, text=True)
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("name", CASES)
@pytest.mark.long
def test_a_call_is_one_row(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "recorded"
    folder.mkdir()
    for path in DATA.glob(f"{name}.*.jsonl"):
        shutil.copy(path, folder)
    found = rows(folder, tmp_path / "state")
    both = ["callback", "telemetry"]
    said = [
        (row["action_native"], row["outcome"], row["decision"], row["witnesses"]) for row in found
    ]
    assert sorted(said, key=str) == [
        ("read_file", "ok", None, both),
        ("run_shell", "error", None, both),
        ("send_mail", "denied", "deny", MAIL[name]),
    ]
    assert len({row["session_id"] for row in found}) == 1
