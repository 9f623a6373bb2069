"""The published figure holds: the benchmark's own corpora, our row, the targets."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

RUN = Path(__file__).parents[2] / "benchmarks" / "redaction" / "run.py"


def test_recall_and_false_alarms_keep_to_the_targets() -> None:
    ran = subprocess.run(
        [sys.executable, str(RUN), "--only", "hookstream"],
        capture_output=True,
        text=True,
        check=True,
    )
    first, *_, row = ran.stdout.strip().splitlines()
    secrets, clean = int(first.split()[0]), int(first.split()[-3])
    _, recall, personal, lost, alarms, _ = (cell.strip() for cell in row.strip("|").split("|"))
    assert secrets >= 5000 and clean >= 5000
    assert float(recall) >= 0.99 and float(personal) >= 0.99
    assert float(lost.rstrip("%")) <= 0.5
    assert float(alarms.rstrip("%")) <= 0.5
