"""docs/guarantees.md publishes the whole fault table, and in it nothing is missing or altered."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_fault_table_is_there_and_says_that_nothing_was_lost() -> None:
    text = (ROOT / "docs" / "guarantees.md").read_text("utf-8")
    table = text.split("<!-- faults -->")[1].split("<!-- /faults -->")[0]
    rows = [re.split(r"\s*\|\s*", line)[1:-1] for line in table.strip().splitlines()[2:]]
    tree = ast.parse((ROOT / "benchmarks" / "delivery" / "faults.py").read_text("utf-8"))
    (made,) = (
        node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "rows"
    )
    (given,) = (one for one in ast.walk(made) if isinstance(one, ast.Dict))
    assert len(rows) == len(given.keys)
    for name, _records, missing, altered, *_ in rows:
        assert (missing, altered) == ("0", "0"), name
    assert re.search(r"kill -9 of the follower, 1000 rounds \| 100000 ", table)
