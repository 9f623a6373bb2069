"""Bounds of a rule's size, checked before pySigma reads it: its cost grows with these numbers.

Measured: 2,000 values take 0.5 s to read and compile and 1.2 s in a query; 20,000 tests take 20 s.
"""

from __future__ import annotations

from typing import Any

# Lines and commas of a file: what YAML reads one by one. Values of a rule's detection, words of
# its conditions, and both multiplied: a condition may name a selection often.
MOST_ITEMS, MOST_VALUES, MOST_WORDS, MOST_TESTS = 20_000, 2_000, 500, 20_000
# Rules that one correlation refers to.
MOST_RULES = 100
# Seconds in which all rules of a run have to be compiled.
COMPILE_S = 30.0


def too_much(document: dict[str, Any]) -> tuple[str, str] | None:
    """The key that is too large and the reason, None if the rule is within the bounds."""
    correlation = document.get("correlation")
    rules = correlation.get("rules") if isinstance(correlation, dict) else None
    if isinstance(rules, list) and len(rules) > MOST_RULES:
        return "correlation", f"a correlation of {len(rules)} rules; at most {MOST_RULES}"
    for key in ("detection", "filter"):
        found = document.get(key)
        if isinstance(found, dict) and (excess := _excess(found)) is not None:
            return excess
    return None


def _excess(detection: dict[str, Any]) -> tuple[str, str] | None:
    given = detection.get("condition")
    conditions = given if isinstance(given, list) else [given]
    words = sum(len(str(one).split()) for one in conditions[: MOST_WORDS + 1])
    if words > MOST_WORDS:
        return "condition", f"a condition of more than {MOST_WORDS} words"
    values = 0
    left: list[Any] = [value for name, value in detection.items() if name != "condition"]
    while left:
        value = left.pop()
        if isinstance(value, dict):
            left += value.values()
        elif isinstance(value, list):
            left += value
        else:
            values += 1
        # Aliases of YAML make a small file name many.
        if values + len(left) > MOST_VALUES:
            return "detection", f"a detection of more than {MOST_VALUES} values"
    if words * values > MOST_TESTS:
        return "condition", f"{words} words of a condition over {values} values: too many tests"
    return None
