"""Which leaves the lines of a sealed file are, in their order: as sealed, less what retention took.

A log covers one file after another if outputs are rotated: each `rotated` statement ends a file.
A `pruned` statement says which records retention removed, and which have a new line in their place:
the hashes of the new lines are the leaves right before the statement.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from hookstream.seal.journal import Statement


class LeafRun(NamedTuple):
    """Leaves that follow one another, of lines that do."""

    first: int
    size: int


def files_of(statements: Iterable[Statement], size: int) -> list[list[LeafRun]]:
    """The runs of each file, the open one last. ValueError if a statement cannot be."""
    files: list[list[LeafRun]] = [[]]
    at = 0
    for statement in statements:
        if statement.index >= size:
            break
        new = (
            sum(run.size for run in runs_in(statement.said["replaced"]))
            if statement.kind == "pruned"
            else 0
        )
        if statement.index - at < new:
            raise ValueError(
                f"statement {statement.index} replaces more records than it has new ones"
            )
        _add(files[-1], at, statement.index - new - at)
        if statement.kind == "pruned":
            files = [list(runs) for runs in pruned(files, statement)]
        elif statement.kind == "rotated":
            files.append([])
        at = statement.index + 1
    _add(files[-1], at, size - at)
    return files


def _add(runs: list[LeafRun], first: int, count: int) -> None:
    if count > 0:
        runs.append(LeafRun(first, count))


def runs_in(given: Any) -> list[LeafRun]:
    """`[[first, count], ...]` of a statement. ValueError for anything else."""
    runs = []
    if type(given) is not list:
        raise ValueError("no list of ranges")
    for pair in given:
        if type(pair) is not list or len(pair) != 2 or not all(type(n) is int for n in pair):
            raise ValueError("no list of ranges")
        if pair[0] < 0 or pair[1] < 1:
            raise ValueError("a range that cannot be")
        runs.append(LeafRun(*pair))
    return runs


def ranges(indices: Iterable[int]) -> list[list[int]]:
    """Ascending or not, leaf indices as `[[first, count], ...]` in their order."""
    made: list[list[int]] = []
    for index in indices:
        if made and index == made[-1][0] + made[-1][1]:
            made[-1][1] += 1
        else:
            made.append([index, 1])
    return made


def indices(runs: Iterable[LeafRun]) -> Iterator[int]:
    for first, count in runs:
        yield from range(first, first + count)


def pruned(files: list[list[LeafRun]], statement: Statement) -> Iterator[list[LeafRun]]:
    """The files after a retention. ValueError unless each record that it names was there."""
    edits: list[tuple[int, int, int | None]] = [
        (first, count, None) for first, count in runs_in(statement.said["dropped"])
    ]
    replaced = runs_in(statement.said["replaced"])
    new = statement.index - sum(run.size for run in replaced)
    for first, count in replaced:
        edits.append((first, count, new))
        new += count
    edits.sort()
    for one, other in pairwise(edits):
        if one[0] + one[1] > other[0]:
            raise ValueError(f"statement {statement.index} names a record twice")
    starts = [edit[0] for edit in edits]
    met = 0
    for runs in files:
        left: list[LeafRun] = []
        for run in runs:
            met += _edit(run, edits, starts, left)
        yield left
    if met != sum(count for _, count, _ in edits):
        raise ValueError(f"statement {statement.index} names a record that is not there")


def _edit(
    run: LeafRun, edits: list[tuple[int, int, int | None]], starts: list[int], left: list[LeafRun]
) -> int:
    """Add the remainder of a run to `left`; return how many of its records were named."""
    at, end = run.first, run.first + run.size
    met = 0
    number = max(0, bisect_right(starts, at) - 1)
    while number < len(edits) and edits[number][0] < end:
        first, count, new = edits[number]
        start, stop = max(first, at), min(first + count, end)
        if start < stop:
            _add(left, at, start - at)
            if new is not None:
                _add(left, new + start - first, stop - start)
            met += stop - start
            at = stop
        number += 1
    _add(left, at, end - at)
    return met
