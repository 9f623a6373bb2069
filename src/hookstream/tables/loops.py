"""`base.found_loops`: the retry loops among the calls, decided as the stream decides them."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from hookstream.detect.attempts import Finished, SessionStep, Thresholds
from hookstream.tables.steps import run_step

if TYPE_CHECKING:
    import duckdb


def fill_found_loops(connection: duckdb.DuckDBPyConnection) -> None:
    """The table: a number, key, kind, attempts, failures, `calls` (numbers in `loop_attempts`),
    aborted."""
    import pyarrow as pa

    row = connection.execute(
        "select getvariable('loop_failures'), getvariable('loop_unchanged')"
    ).fetchone()
    thresholds = Thresholds(*(row or ()))
    rows = run_step(connection, "loop_steps").fetchall()
    made: list[tuple[Any, ...]] = []
    for session, steps in groupby(rows, key=lambda one: one[:3]):
        found = Finished(thresholds).loops(SessionStep(*one[3:]) for one in steps)
        made += [(len(made) + n, *session, *loop) for n, loop in enumerate(found)]
    text, number = pa.string(), pa.int64()
    types = {
        "number": number, "machine": text, "tool": text, "session_id": text, "agent": text,
        "turn": text, "action_fingerprint": text, "kind": text, "attempts": number,
        "failures": number, "calls": pa.list_(number), "aborted": pa.bool_(),
    }  # fmt: skip
    columns = zip(*made, strict=True) if made else ([] for _ in types)
    arrays = [pa.array(c, kind) for c, kind in zip(columns, types.values(), strict=True)]
    connection.register("loops_made", pa.table(arrays, names=list(types)))
    connection.execute("create or replace table base.found_loops as from loops_made")
    connection.unregister("loops_made")
