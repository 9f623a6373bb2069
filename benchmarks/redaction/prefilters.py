"""What each rule's prefilter adds to Hyperscan's pass over the samples, the dearest first.

    python benchmarks/redaction/prefilters.py [--budget US] [RULE...]

Every rule, or those named, is left out of the database in turn; what the pass gets cheaper is its
share, in microseconds an event of 484 characters. Alone a pattern costs something else: automata of
one database share work. A share over the budget (0.1 us) is worth a `prefilter` of its own in the
rule's data. Where a database lies in memory moves a pass by as much, so a rule is printed only
if further measurements agree, each with both databases made anew and in turns; the exit code is
then 1.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import hyperscan

from hookstream.redaction.prefilters import prefilter, prefix_groups, shared_prefilter
from hookstream.redaction.rules import Rule, rules

SAMPLES = Path(__file__).parents[2] / "samples"
SIZE = 484
ROUNDS = 5
AGAIN = 4  # measurements that must agree


def texts() -> list[bytes]:
    lines = (path.read_bytes().splitlines() for path in sorted(SAMPLES.rglob("*.jsonl")))
    return [line[:SIZE] for found in lines for line in found][:2000]


def database(known: tuple[Rule, ...], without: str = "") -> tuple[Any, Any]:
    patterns = []
    for numbers in prefix_groups(known):
        several = [known[number] for number in numbers if known[number].id != without]
        if several:
            one = prefilter(several[0]) if len(several) == 1 else shared_prefilter(several)
            patterns.append(one.encode())
    made = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
    made.compile(
        expressions=patterns,
        ids=list(range(len(patterns))),
        flags=[hyperscan.HS_FLAG_SINGLEMATCH] * len(patterns),
    )
    return made, hyperscan.Scratch(made)


def once(made: tuple[Any, Any], data: list[bytes]) -> float:
    """Microseconds of processor time a text."""
    found, scratch = made
    began = time.process_time()
    for text in data:
        found.scan(text, lambda *_: None, scratch=scratch)
    return (time.process_time() - began) / len(data) * 1e6


def cost(made: tuple[Any, Any], data: list[bytes]) -> float:
    """The best of some rounds."""
    return min(once(made, data) for _ in range(ROUNDS))


def share_of(name: str, known: tuple[Rule, ...], data: list[bytes]) -> float:
    """What a rule adds: databases with and without it, made anew, in turns."""
    both = database(known), database(known, without=name)
    rounds = [(once(both[0], data), once(both[1], data)) for _ in range(ROUNDS)]
    return min(one for one, _ in rounds) - min(other for _, other in rounds)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rule", nargs="*")
    parser.add_argument("--budget", type=float, default=0.1)
    options = parser.parse_args()
    data, known = texts(), rules()
    whole = database(known)
    print(f"{len(known)} rules: {cost(whole, data):.2f} us an event")
    over = 0
    for rule in known:
        if options.rule and rule.id not in options.rule:
            continue
        share = cost(whole, data) - cost(database(known, without=rule.id), data)
        for _ in range(AGAIN):
            if share > options.budget:
                share = min(share, share_of(rule.id, known, data))
        if share > options.budget or options.rule:
            print(f"{share:6.2f} {rule.id}", flush=True)
            over += share > options.budget
    return int(over > 0)


if __name__ == "__main__":
    raise SystemExit(main())
