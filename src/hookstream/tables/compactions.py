"""`base.found_compactions`: the compactions of sessions, decided as the stream decides them."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from hookstream.detect.compactions import CompactionStep, found
from hookstream.tables.steps import run_step

if TYPE_CHECKING:
    import duckdb


def fill_found_compactions(connection: duckdb.DuckDBPyConnection) -> None:
    """The table: a number, key, agent, the `steps` (numbers in `context_steps`), the ids of their
    events and what they add up to."""
    import pyarrow as pa

    made: list[tuple[Any, ...]] = []
    rows = run_step(connection, "context_steps").fetchall()
    for (*session, confirms), steps in groupby(rows, key=lambda one: one[:4]):
        for one in found([CompactionStep(*step[4:]) for step in steps]):
            numbers = [step.number for step in one.steps]
            made.append((
                len(made), *session, one.steps[0].agent, numbers, [s.event_id for s in one.steps],
                one.trigger, one.most("tokens_before"), one.most("tokens_after"), one.removed,
                one.is_completed(confirms), one.end(confirms),
                "observed" if one.is_observed(confirms) else "inferred",
            ))  # fmt: skip
    text, number = pa.string(), pa.int64()
    types = {
        "number": number, "machine": text, "tool": text, "session_id": text, "agent": text,
        "steps": pa.list_(number), "evidence": pa.list_(text), "trigger": text,
        "tokens_before": number, "tokens_after": number, "tokens_removed": number,
        "completed": pa.bool_(), "end": text, "certainty": text,
    }  # fmt: skip
    columns = zip(*made, strict=True) if made else ([] for _ in types)
    arrays = [pa.array(c, kind) for c, kind in zip(columns, types.values(), strict=True)]
    connection.register("compactions_made", pa.table(arrays, names=list(types)))
    connection.execute("create or replace table base.found_compactions as from compactions_made")
    connection.unregister("compactions_made")
