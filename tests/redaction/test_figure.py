"""The published figure holds: the benchmark's own corpora, our row, the targets."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

RUN = Path(__file__).parents[2] / "benchmarks" / "redaction" / "run.py"


@pytest.mark.long
def test_recall_and_false_alarms_keep_to_the_targets() -> None:
    ran = subprocess.run(
        [sys.executable, str(RUN), "--only", "hookstream"],
        capture_output=True,
        text=True,
        check=True,
    )
    own, apart = ran.stdout.split("## Held-out contexts and kinds")
    secrets, clean, recall, personal, lost, alarms = figures(own)
    assert secrets >= 5000 and clean >= 5000
    # A base64 text next to what decodes it is removed as a whole, with the name in it.
    assert recall >= 0.99 and float(personal) >= 0.99 and lost <= 0.6 and alarms <= 0.5
    secrets, clean, recall, _, lost, alarms = figures(apart)
    assert secrets >= 5000 and clean >= 5000
    assert recall >= 0.975 and lost <= 1 and alarms <= 0.5


def figures(text: str) -> tuple[int, int, float, str, float, float]:
    """Secrets, clean strings, recall, personal data, words lost in %, false alarms in %."""
    first, *_, row = text.strip().splitlines()
    _, recall, personal, lost, alarms, _ = (cell.strip() for cell in row.strip("|").split("|"))
    counts = first.split()
    return (
        int(counts[0]),
        int(counts[-3]),
        float(recall),
        personal,
        float(lost.rstrip("%")),
        float(alarms.rstrip("%")),
    )
