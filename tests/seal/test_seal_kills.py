"""A writer that is killed leaves a stream that verifies, whatever it was at."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
from collections import Counter
from pathlib import Path

import pytest

from hookstream.seal.chain import BrokenSeal
from hookstream.seal.sealed import SEALS
from hookstream.seal.verify import verify

from .retaining import new_operator
from .test_tampering import place
from .writers import LIFE_S, STEPS, live, stage_of

pytestmark = pytest.mark.long

__all__ = ["place"]
EACH = 40  # lives of one stream
LIVES_S = 0.25  # at most, in CPU time: the same on a busy machine


def _killed(place: Path, kind: str, seed: str, lives: int) -> tuple[Counter[str], list[int]]:
    """How often it was killed in which step, and how many records were unsealed then."""
    operator = str(new_operator(place / "operator.pem").verifier)
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["seal.writers", "pyarrow.parquet"])
    chance = random.Random(seed)
    steps: Counter[str] = Counter()
    tails = []
    for life in range(lives):
        doing = context.Value("i", 0)
        given = (place, kind, life, f"{seed}-{life}", doing, chance.random() * LIVES_S)
        writer = context.Process(target=live, args=given)
        writer.start()
        writer.join()
        assert writer.exitcode == -signal.SIGPROF, f"ended by itself; seed {seed}, life {life}"
        steps[STEPS[doing.value]] += 1
        stage = stage_of(place, kind, life)
        try:
            if not list((stage.folder / SEALS).glob("[!.]*")):
                assert not stage.data.exists()  # nothing was written before there was a seal
                continue
            made = verify(
                stage.folder,
                against=stage.second if stage.second.exists() else None,
                now=stage.clock.now + LIFE_S,
                operators={operator},
            )
        except BrokenSeal as broken:
            pytest.fail(f"false alarm in {place}, seed {seed}, life {life}: {broken}")
        tails.append(sum(one.unsealed for one in made))
    return steps, tails


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_some_kills_raise_no_false_alarm(place: Path, kind: str) -> None:
    steps, _ = _killed(place, kind, "1", 4)
    assert steps.total() == 4


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_kills_raise_no_false_alarm(place: Path, kind: str) -> None:
    count = int(os.environ.get("SEAL_KILLS", "1000")) // 2
    seed = os.environ.get("SEAL_SEED", os.urandom(4).hex())
    steps: Counter[str] = Counter()
    tails: list[int] = []
    for number, first in enumerate(range(0, count, EACH)):
        of_one = place / str(number)
        of_one.mkdir()
        found, more = _killed(of_one, kind, f"{seed}-{number}", min(EACH, count - first))
        steps, tails = steps + found, tails + more
    print(f"\n{kind}, seed {seed}: {steps.total()} kills, 0 false alarms; {dict(steps)}")
    print(f"  unsealed: {sum(tails) / len(tails):.1f} records on average, at most {max(tails)}")
