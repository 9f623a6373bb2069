"""A writer of a sealed stream as a process that may be killed at any time."""

from __future__ import annotations

import random
import signal
from collections.abc import Callable
from itertools import count
from multiprocessing.sharedctypes import Synchronized
from pathlib import Path

from hookstream.lake.compaction import compact
from hookstream.seal.operator import Operator

from .retaining import DAY_S, redactor, retain
from .stage import Stage

STEPS = ("start", "open", "write", "close", "rotate", "compact", "retain")
LIFE_S = 10**6
redactor()  # made once, and not in each life


def stage_of(tmp: Path, kind: str, life: int) -> Stage:
    """The stream as its writer finds it in a later life: with other records, and a later clock."""
    stage = Stage(tmp, kind, **({"tables": False} if kind == "parquet" else {}))
    stage.written = life * 1000
    stage.clock.now += life * LIFE_S
    return stage


def live(
    tmp: Path, kind: str, life: int, seed: str, doing: Synchronized[int], lives_s: float
) -> None:
    """Write, rotate or compact, and remove what is old, until the kernel ends the process after so
    much CPU time. `doing` tells the step, by its place in STEPS."""
    signal.setitimer(signal.ITIMER_PROF, max(1e-4, lives_s))
    stage = stage_of(tmp, kind, life)
    chance = random.Random(seed)
    operator = Operator.load(str(tmp / "operator.pem"))

    def does(step: str, work: Callable[[], object]) -> None:
        doing.value = STEPS.index(step)
        work()

    numbers = count(life * 1000)

    def rotate() -> None:
        if kind == "jsonl" and stage.data.exists():
            stage.data.rename(stage.data.with_name(f"{stage.data.name}.{next(numbers)}"))

    def write() -> None:
        for _ in range(chance.randrange(1, 8)):
            sink.write(stage.batch(chance.randrange(1, 6)))
            if chance.random() < 0.8:
                sink.flush()
            stage.clock.now += chance.choice((1, 40, 170, 400, 3600, 3 * 3600))
            sink.tick()
            if kind == "parquet" and chance.random() < 0.2:
                does("compact", lambda: compact(stage.folder))
                doing.value = STEPS.index("write")

    while True:
        if chance.random() < 0.3:
            does("rotate", rotate)
        doing.value = 1
        sink = stage.open()
        does("write", write)
        does("close", sink.close)
        if chance.random() < 0.4:
            does("retain", lambda: retain(stage, operator, max_age_s=9 * DAY_S))
