"""A retention that is killed leaves a folder that verifies, and is finished by the next one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from seal.stage import Stage

from .test_retention import told


def killed(tmp_path: Path, kind: str, sealed: bool, step: int) -> str:
    import shutil

    stage = Stage(tmp_path / "whole", kind, standard="both")
    stage.standard = "both"
    told(stage)
    if not sealed:
        shutil.rmtree(stage.folder / ".seal")
    done = subprocess.run(
        [sys.executable, "-m", "retention.kills", str(tmp_path), kind, str(step)],
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        timeout=500,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.long
@pytest.mark.parametrize("sealed", [True, False])
@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_some_kills(tmp_path: Path, kind: str, sealed: bool) -> None:
    assert "steps" in killed(tmp_path, kind, sealed, 23)


@pytest.mark.slow
@pytest.mark.parametrize("sealed", [True, False])
@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_a_kill_at_every_step(tmp_path: Path, kind: str, sealed: bool) -> None:
    assert "steps" in killed(tmp_path, kind, sealed, 1)
