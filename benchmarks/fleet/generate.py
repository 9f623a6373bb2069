"""Writes the capture records of a fleet of developers, with planted stories and the truth of them.

    python -m benchmarks.fleet.generate OUT [--developers 300] [--days 3] [--events 300000]

One file a machine, `OUT/records/laptop-NNN.jsonl`, and `OUT/truth.json`: the planted sessions, the
machines that fall silent after the first day, those whose clients report no end of any call, and
the sessions of plain work.
The same options give the same bytes. `samples/` is replayed under new ids; the rest is made-up
plain work of Claude Code.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.fleet.claude import Session
from benchmarks.fleet.plants import DEAF, PLANTS, SILENT
from benchmarks.fleet.recordings import recordings

SAMPLES = Path(__file__).parents[2] / "samples"
SHARES = {  # per cent of the sessions
    "claude-code": 46, "cursor": 16, "copilot": 14, "codex": 10, "opencode": 5, "gemini-cli": 4,
    "qwen-code": 2, "cline": 2, "openclaw": 1,
}  # fmt: skip
MADE_UP = 0.8  # of the sessions of Claude Code
REPOS = [
    f"{area}-{kind}"
    for area in "web api data infra mobile auth billing search".split()
    for kind in "core ui jobs tools svc".split()
]
AFTER = re.compile(r'"native_event": "(?:[Pp]ost|[Aa]fter|tool\.execute\.after)')
DAY_S = 86400


@dataclass
class Fleet:
    """`logs` are machine -> (time, record) in order, `session_of` one session of each machine."""

    logs: dict[str, list[tuple[float, str]]]
    silent: list[str]
    deaf: list[str]
    planted: list[dict[str, object]] = field(default_factory=list)
    plain: list[str] = field(default_factory=list)
    session_of: dict[str, str] = field(default_factory=dict)

    def truth(self) -> dict[str, object]:
        return {
            "planted": self.planted, "silent": self.silent, "deaf": self.deaf,
            "plain": self.plain, "session_of": self.session_of,
            "records": {name: len(records) for name, records in self.logs.items()},
        }  # fmt: skip


def fleet(developers: int, days: int, events: int, start: str, seed: int) -> Fleet:
    """The fleet's records. `start` is a date; at least 27 developers, for the plants."""
    rng = random.Random(seed)
    begin = dt.datetime.fromisoformat(start).replace(tzinfo=dt.UTC).timestamp()
    names = [f"laptop-{number:03d}" for number in range(developers)]
    made = Fleet({name: [] for name in names}, names[-SILENT:], names[-SILENT - DEAF : -SILENT])

    def when(day: int) -> float:
        return begin + DAY_S * day + rng.triangular(8, 19, 14) * 3600

    _plain(made, rng, events, lambda name: when(0 if name in made.silent else rng.randrange(days)))
    others = names[: -SILENT - DEAF]
    for kind, plant in PLANTS.items():
        for name in rng.sample(others, plant.machines):
            day = days - 1 if plant.last_day else rng.randrange(days)
            session = Session(rng, when(day), f"/home/dev{name[-3:]}", rng.choice(REPOS))
            plant.tell(session)
            made.logs[name] += session.end()
            made.planted.append({"kind": kind, "machine": name, "session_id": session.session_id})
    for name in made.deaf:
        made.logs[name] = [one for one in made.logs[name] if not AFTER.search(one[1])]
    for records in made.logs.values():
        records.sort(key=lambda one: one[0])
    return made


def _plain(made: Fleet, rng: random.Random, events: int, when: Callable[[str], float]) -> None:
    """Sessions without a story, one machine after the other, until there are enough records."""
    pools = recordings(SAMPLES)
    vendors = [vendor for vendor in SHARES if vendor in pools]
    shares = [SHARES[vendor] for vendor in vendors]
    names = list(made.logs)
    total = turn = 0
    while total < events:
        name = names[turn % len(names)]
        turn += 1
        start, home, repo = when(name), f"/home/dev{name[-3:]}", rng.choice(REPOS)
        vendor = rng.choices(vendors, shares)[0]
        # The first session of each machine has an id that its pseudonym is found by.
        if name not in made.session_of or (vendor == "claude-code" and rng.random() < MADE_UP):
            session = Session(rng, start, home, repo)
            for _ in range(rng.randrange(1, 5)):
                session.work(rng.randrange(3, 14))
            records = session.end()
            made.plain.append(session.session_id)
            made.session_of.setdefault(name, session.session_id)
        else:
            pool = pools[vendor]
            one = rng.choices(pool, [each.weight for each in pool])[0]
            records = one.again(rng, start, home, repo)
        made.logs[name] += records
        total += len(records)


def write(made: Fleet, out: Path) -> int:
    """Writes the records with their machine and user; how many there are."""
    (out / "records").mkdir(parents=True, exist_ok=True)
    count = 0
    for name, records in made.logs.items():
        who = f'"machine": "{name}", "user": "dev{name[-3:]}"'
        with (out / "records" / f"{name}.jsonl").open("w", encoding="utf-8") as file:
            for _, text in records:
                file.write("{" + who + ", " + text[1:] + "\n")
        count += len(records)
    (out / "truth.json").write_text(json.dumps(made.truth(), indent=1) + "\n")
    return count


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--developers", type=int, default=300)
    parser.add_argument("--days", type=int, default=3)
    parser.add_argument("--events", type=int, default=300_000)
    parser.add_argument("--start", default="2026-11-18")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    made = fleet(options.developers, options.days, options.events, options.start, options.seed)
    count = write(made, options.out)
    print(f"{count:,} records of {len(made.logs)} machines, {len(made.planted)} sessions planted")


if __name__ == "__main__":
    main()
