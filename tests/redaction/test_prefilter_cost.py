"""No rule costs the pass over an event more than a tenth of a microsecond."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).parents[2] / "benchmarks" / "redaction" / "prefilters.py"


@pytest.mark.slow
def test_no_prefilter_is_dear() -> None:
    """Each rule is left out in turn; one over the budget wants a `prefilter` in its data."""
    pytest.importorskip("hyperscan")
    done = subprocess.run([sys.executable, PROGRAM], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
