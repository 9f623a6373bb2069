"""No engine may overlook what the patterns match: a random search over mixed-up examples.

Hyperscan once did, for a pattern whose literal stood behind a long optional run.
"""

from __future__ import annotations

import random

import pytest
from privacy_cases import entry, scanner_of

from hookstream.redaction.scanner import finder_of

GLUE = [
    "",
    "\n",
    " ",
    "=",
    ": ",
    '"',
    "'",
    "{",
    "}",
    ", ",
    "-",
    "_",
    "/",
    "a",
    "0",
    "ä",
    "\n\x1f\n",
    "\n}",
    "(",
]


@pytest.mark.long
@pytest.mark.parametrize("engine", ["hyperscan", "re2"])
@pytest.mark.parametrize("seed", range(4))
def test_every_match_is_a_candidate(engine: str, seed: int) -> None:
    scanner = scanner_of(engine)
    rng = random.Random(seed)
    rules = scanner.rules[:-1]
    finders = [finder_of(rule, scanner_of("python").decoded) for rule in rules]
    fragments = [
        text for rule in rules for text in entry(rule).examples + entry(rule).counter_examples
    ]
    for number in rng.choices(range(len(rules)), k=500):
        parts = []
        for _ in range(rng.randint(1, 4)):
            text = rng.choice(fragments)
            start = rng.randrange(len(text))
            parts += [text[start : start + rng.randrange(1, 60)], rng.choice(GLUE)]
        parts.insert(rng.randrange(len(parts) + 1), rng.choice(entry(rules[number]).examples))
        whole = "".join(parts)
        if finders[number](whole):
            assert number in scanner.candidates(whole), (rules[number].id, whole)
