"""Sigma rules over a lake: pySigma parses them, a backend of ours makes SQL for DuckDB.

    load       rule files to a checked collection; errors with file and line
    pipeline   Sigma's field names and log sources to our tables and columns
    backend    one rule to a condition over one table
    correlate  event_count, value_count, value_sum ..., temporal, temporal_ordered to SQL
    tuning     one TOML file: levels, known noise, critical machines and users
    evaluate   rules over an open lake to findings
    pack/      the rules that ship, their cases next to them

Everything of a rule that reaches SQL is a quoted literal, a number, or the name of a column that
the table has: a rule file cannot inject any.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from hookstream.standards.rendered import Rendered


def judge(places: Sequence[Path]) -> Callable[[list[list[Rendered]]], None]:
    """Compile the rules of files and folders; return what adds their findings to events."""
    from hookstream.rules.live import Live

    return Live(places).see
