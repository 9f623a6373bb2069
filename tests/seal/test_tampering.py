"""No tampering with what is sealed goes unseen; `make tamper` does it 100,000 times."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from .tampering import LineTampering, Tampering, Victim, signatures_checked_once
from .tampering_lake import LakeTampering, LakeVictim

KINDS: dict[str, tuple[type[Victim], type[Tampering]]] = {
    "lines": (Victim, LineTampering),
    "lake": (LakeVictim, LakeTampering),
}
SEED = os.environ.get("SEAL_SEED", "1")
MEMORY = Path("/dev/shm")
EACH = 2_500  # tamperings of one stream; then another one is written
LOOK = 100  # and so often it is verified untouched


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Path]:
    """A folder in memory where there is one: each tampering writes a stream again."""
    if not os.access(MEMORY, os.W_OK):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir=MEMORY) as name:
        yield Path(name)


def _run(place: Path, kind: str, count: int, seed: str) -> tuple[Counter[str], int]:
    """How often each kind of tampering was seen, and how often untouched streams were whole."""
    of, tamper = KINDS[kind]
    victim = of(place)
    tampering = tamper(victim, seed)
    folder = place / "again"
    seen: Counter[str] = Counter()
    whole = 0
    with signatures_checked_once():
        for number in range(count):
            if number % LOOK == 0:
                assert tampering.said(victim.laid_out(folder)) == "", f"false alarm, seed {seed}"
                whole += 1
            name, said = tampering.once(folder)
            assert said, f"unseen: {name}, the {number}th of seed {seed}"
            seen[name] += 1
    assert tampering.said(victim.laid_out(folder)) == ""
    return seen, whole + 1


@pytest.mark.parametrize(("kind", "count"), [("lines", 120), ("lake", 60)])
def test_every_kind_of_tampering_is_seen(place: Path, kind: str, count: int) -> None:
    seen, _ = _run(place, kind, count, SEED)
    assert len(seen) > 10


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "share"), [("lines", 0.9), ("lake", 0.1)])
def test_many_random_tamperings_are_seen(place: Path, kind: str, share: float) -> None:
    count = int(share * int(os.environ.get("SEAL_TAMPERINGS", "100000")))
    seed = os.environ.get("SEAL_SEED", os.urandom(4).hex())
    seen: Counter[str] = Counter()
    whole = 0
    for number, first in enumerate(range(0, count, EACH)):
        of_one = place / str(number)
        of_one.mkdir()
        found, untouched = _run(of_one, kind, min(EACH, count - first), f"{seed}-{number}")
        seen, whole = seen + found, whole + untouched
        shutil.rmtree(of_one)
    print(f"\n{kind}, seed {seed}: {seen.total()} seen, 0 not; {whole} times untouched and whole")
    for name, times in sorted(seen.items()):
        print(f"  {name}: {times}")
