"""No tampering with what is sealed goes unseen; `make tamper` does it 100,000 times."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from .tampering import Tampering, Victim


def _run(tmp_path: Path, count: int) -> Counter[str]:
    victim = Victim(tmp_path)
    tampering = Tampering(victim, seed=int(os.environ.get("SEAL_SEED", "1")))
    folder = victim.laid_out(tmp_path / "again")
    assert tampering.said(folder) == ""  # untouched
    seen: Counter[str] = Counter()
    for _ in range(count):
        kind, said = tampering.once(folder)
        assert said, f"unseen: {kind} (files left in {folder})"
        seen[kind] += 1
    assert tampering.said(victim.laid_out(folder)) == ""
    return seen


def test_every_kind_of_tampering_is_seen(tmp_path: Path) -> None:
    seen = _run(tmp_path, 250)
    assert len(seen) > 15


@pytest.mark.slow
def test_many_random_tamperings_are_seen(tmp_path: Path) -> None:
    seen = _run(tmp_path, int(os.environ.get("SEAL_TAMPERINGS", "100000")))
    for kind, count in sorted(seen.items()):
        print(f"{kind}: {count} of {count} seen")
