"""Correlations: spans, order, groups, runs; held against a slow walk over random rows."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from lake import found

from hookstream.rules.cases import CaseLake
from hookstream.rules.load import RuleError

SMALL = CaseLake()
BASES = """title: A
id: 3f0e8f2c-5a0c-4a55-9d5c-1b8b8d6a0b21
name: a
status: test
logsource: {product: hookstream, service: calls}
detection: {s: {command: a}, condition: s}
---
title: B
id: 3f0e8f2c-5a0c-4a55-9d5c-1b8b8d6a0b22
name: b
status: test
logsource: {product: hookstream, service: calls}
detection: {s: {command: b}, condition: s}
---
title: C
id: 3f0e8f2c-5a0c-4a55-9d5c-1b8b8d6a0b23
name: c
status: test
logsource: {product: hookstream, service: calls}
detection: {s: {command: c}, condition: s}
---
title: Several
id: 3f0e8f2c-5a0c-4a55-9d5c-1b8b8d6a0b24
status: test
level: high
correlation:
"""


def several(tmp_path: Path, correlation: str) -> Path:
    file = tmp_path / "corr_several.yml"
    body = "\n".join("  " + line for line in correlation.strip().splitlines())
    file.write_text(BASES + body + "\n", "utf-8")
    return file


def asked(tmp_path: Path, correlation: str, rows: list[dict[str, Any]]) -> list[str]:
    hits = found(SMALL.fill({"calls": rows}), several(tmp_path, correlation))
    return [str(one.event_id) for one in hits]


def at(*pairs: tuple[str, float], **more: Any) -> list[dict[str, Any]]:
    return [{"command": command, "at": minute, **more} for command, minute in pairs]


ORDERED = "type: temporal_ordered\nrules: [a, b]\ngroup-by: [session_id]\ntimespan: 10m"
TEMPORAL = "type: temporal\nrules: [a, b]\ngroup-by: [session_id]\ntimespan: 10m"
COUNT = "type: event_count\nrules: [a]\ngroup-by: [session_id]\ntimespan: 10m\ncondition: {gte: 3}"


@pytest.mark.parametrize(
    ("correlation", "rows", "want"),
    [
        (ORDERED, at(("a", 0), ("b", 4)), ["e1"]),
        (ORDERED, at(("b", 0), ("a", 4)), []),
        (ORDERED, at(("a", 0), ("b", 10)), ["e1"]),
        (ORDERED, at(("a", 0), ("b", 10.01)), []),
        (ORDERED, at(("a", -120), ("a", 0), ("b", 10)), ["e2"]),
        (ORDERED, at(("a", 0), ("b", 0)), ["e1"]),
        (ORDERED, at(("b", 0), ("a", 0)), []),
        (ORDERED, at(("a", 0), ("b", 1), ("b", 2)), ["e1"]),
        (ORDERED, at(("a", 0), ("b", 1), ("a", 2), ("b", 3)), ["e1", "e3"]),
        (TEMPORAL, at(("b", 0), ("a", 4)), ["e1"]),
        (TEMPORAL, at(("b", 0), ("a", 11)), []),
        (TEMPORAL, at(("b", 0), ("b", 4)), []),
        (COUNT, at(("a", 0), ("a", 1), ("a", 2), ("a", 3)), ["e2"]),
        (COUNT, at(("a", 0), ("a", 9), ("a", 18)), []),
        (COUNT, at(("a", 0), ("a", 1), ("a", 2), ("a", 60), ("a", 61), ("a", 62)), ["e2", "e5"]),
        (COUNT.replace("gte: 3", "eq: 2"), at(("a", 0), ("a", 1), ("a", 2)), ["e1"]),
        (COUNT.replace("gte: 3", "gt: 1, lt: 3"), at(("a", 0), ("a", 1), ("a", 2)), ["e1"]),
        (COUNT.replace("gte: 3", "gte: 4, lte: 9"), at(("a", 0), ("a", 1), ("a", 2)), []),
    ],
)
def test_a_correlation_keeps_its_span_and_order(
    tmp_path: Path, correlation: str, rows: list[dict[str, Any]], want: list[str]
) -> None:
    assert asked(tmp_path, correlation, rows) == want


def test_groups_are_apart_and_an_unknown_machine_is_one(tmp_path: Path) -> None:
    rows = [*at(("a", 0), session_id="1"), *at(("b", 1), session_id="2")]
    assert asked(tmp_path, ORDERED, rows) == []
    both = ORDERED.replace("[session_id]", "[machine_id, session_id]")
    assert asked(tmp_path, both, at(("a", 0), ("b", 1), machine_id=None)) == ["e1"]


def test_evidence_names_every_step(tmp_path: Path) -> None:
    three = ORDERED.replace("[a, b]", "[a, b, c]")
    rows = at(("a", 0), ("x", 1), ("b", 2), ("c", 3))
    (hit,) = found(SMALL.fill({"calls": rows}), several(tmp_path, three))
    assert hit.events == ("e0", "e2", "e3")


def test_sums_and_distinct_values_are_counted(tmp_path: Path) -> None:
    rows = [{"command": "a", "input_tokens": n, "file_path": f"/{n % 2}"} for n in (5, 6, 7)]
    total = COUNT.replace("event_count", "value_sum").replace(
        "{gte: 3}", "{gt: 17, field: input_tokens}"
    )
    assert asked(tmp_path, total, rows) == ["e2"]
    kinds = COUNT.replace("event_count", "value_count").replace(
        "{gte: 3}", "{gte: 2, field: file_path}"
    )
    assert asked(tmp_path, kinds, rows) == ["e1"]


def slowly(rows: list[dict[str, Any]], span: float) -> set[str]:
    """Ends of a, then b, then c within the span: for every c the latest start is tried."""
    ends = set()
    for n, last in enumerate(rows):
        if last["command"] != "c":
            continue
        starts = [
            i
            for i in range(n)
            if rows[i]["command"] == "a" and any(rows[j]["command"] == "b" for j in range(i + 1, n))
        ]
        if starts and last["at"] - rows[starts[-1]]["at"] <= span:
            ends.add((starts[-1], n))
    first: dict[int, int] = {}
    for start, end in sorted(ends):
        first.setdefault(start, end)
    return {rows[end]["evidence"][0] for end in first.values()}


def test_ordered_agrees_with_a_slow_walk(tmp_path: Path) -> None:
    choose = random.Random(3)
    correlation = ORDERED.replace("[a, b]", "[a, b, c]")
    rows: list[dict[str, Any]] = []
    want = set()
    for session in map(str, range(8)):
        minute = 0.0
        own = []
        for _ in range(40):
            minute += choose.choice((0, 0.5, 1, 4))
            event = f"e{len(rows) + len(own)}"
            own.append({"command": choose.choice("abcxx"), "at": minute, "session_id": session,
                        "evidence": [event]})  # fmt: skip
        want |= slowly(own, 10)
        rows += own
    assert set(asked(tmp_path, correlation, rows)) == want


@pytest.mark.parametrize(
    ("correlation", "reason"),
    [
        (COUNT.replace("group-by", "group_by"), "a correlation has no key 'group_by'"),
        (f"{ORDERED}\nordered: true", "has no key 'ordered'"),
        (COUNT.replace("gte: 3", "gte: 3, field: tool"), "event_count: a field is not taken"),
        (COUNT.replace("gte: 3", "gte: 3, percentile: 9"), "event_count: takes no percentile"),
        (COUNT.replace("gte: 3", "lt: 1"), "event_count: reports at an event"),
        (f"{TEMPORAL}\ncondition: {{gte: 3}}", "temporal: reports at an event"),
        (
            "type: value_percentile\nrules: [a]\ntimespan: 10m\n"
            "condition: {gte: 3, field: duration_ms, percentile: 99.9}",
            "a percentile is a whole number",
        ),
    ],
)
def test_what_a_correlation_cannot_heed_is_refused_by_name(
    tmp_path: Path, correlation: str, reason: str
) -> None:
    with pytest.raises(RuleError, match=reason):
        asked(tmp_path, correlation, [])
