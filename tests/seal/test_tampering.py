"""No tampering with what is sealed goes unseen; `make tamper` does it 100,000 times."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

import pytest

from .tampering import LineTampering, Tampering, Victim
from .tampering_lake import LakeTampering, LakeVictim

KINDS: dict[str, tuple[type[Victim], type[Tampering]]] = {
    "lines": (Victim, LineTampering),
    "lake": (LakeVictim, LakeTampering),
}
SEED = int(os.environ.get("SEAL_SEED", "1"))


def _run(tmp_path: Path, kind: str, count: int) -> Counter[str]:
    of, tamper = KINDS[kind]
    victim = of(tmp_path)
    tampering = tamper(victim, SEED)
    folder = victim.laid_out(tmp_path / "again")
    assert tampering.said(folder) == ""  # untouched
    seen: Counter[str] = Counter()
    for _ in range(count):
        name, said = tampering.once(folder)
        assert said, f"unseen: {name} (files left in {folder})"
        seen[name] += 1
    assert tampering.said(victim.laid_out(folder)) == ""
    return seen


@pytest.mark.parametrize(("kind", "count"), [("lines", 120), ("lake", 60)])
def test_every_kind_of_tampering_is_seen(tmp_path: Path, kind: str, count: int) -> None:
    seen = _run(tmp_path, kind, count)
    assert len(seen) > 10


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "share"), [("lines", 0.9), ("lake", 0.1)])
def test_many_random_tamperings_are_seen(tmp_path: Path, kind: str, share: float) -> None:
    seen = _run(tmp_path, kind, int(share * int(os.environ.get("SEAL_TAMPERINGS", "100000"))))
    print(f"\n{kind}, seed {SEED}: {seen.total()} of {seen.total()} seen")
    for name, count in sorted(seen.items()):
        print(f"  {name}: {count}")
