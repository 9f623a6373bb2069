"""`normalise`: record batches of lines to record batches of events."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from hookstream.core.errors import HookstreamError
from hookstream.core.lines import Lines
from hookstream.pipeline.turns import through

if TYPE_CHECKING:
    from hookstream.pipeline.batch import Unread
    from hookstream.pipeline.state import State
    from hookstream.standards.rendered import Rendered


def normalise(batch: Any, state: State) -> tuple[Any, State]:
    """Convert a `pyarrow.RecordBatch` of lines and a state to one of events and the next state.

    Columns of the input: `line` (text or bytes, one JSON object per row; null rows are left out),
    and optionally `source` (name of the file or topic), `offset` (int64, where the line begins
    there; rows are counted if absent) and `machine` (the default for records without a machine).
    Sources may come in turns; rows of one source must come in their order. The output has the
    columns of the `events` table (`hookstream.lake.arrow.schema()`), no row for a known non-event,
    and none for what is rejected: `state.counts` says how many and why.

    The state is changed in place and returned: continue with what is returned. Raises
    HookstreamError for a batch without the column `line`.
    """
    import pyarrow as pa

    from hookstream.lake.arrow import schema
    from hookstream.lake.rows import DATE, PLACE, rows_of

    made: list[Rendered] = []
    for (source, machine), rows in groupby(_rows(batch, state), key=lambda row: row[0]):
        given = [line for _, line in rows]
        lines = Lines(given, f"{machine or ''}\0{source}", machine)
        for one in through(state.pipeline, lines, state.standard):
            made += one if type(one) is list else ()
    table, _ = rows_of(made, state.standard) if made else (None, {})
    if table is None:
        return pa.RecordBatch.from_pylist([], schema()), state
    table = table.drop_columns([DATE, PLACE]).combine_chunks()
    return table.to_batches()[0], state


def _rows(batch: Any, state: State) -> list[tuple[tuple[str, str | None], Unread]]:
    names = batch.schema.names
    if "line" not in names:
        raise HookstreamError(f"a batch has a column `line`; this one has {', '.join(names)}")

    def column(name: str, default: Any) -> list[Any]:
        return batch.column(name).to_pylist() if name in names else [default] * len(batch)

    rows: list[tuple[tuple[str, str | None], Unread]] = []
    lines, sources = column("line", None), column("source", "")
    for line, source, offset, machine in zip(
        lines, sources, column("offset", None), column("machine", None), strict=True
    ):
        name = source or ""
        if offset is None:
            offset = state.lines
            state.lines += 1
        if line is not None:
            data = line.encode("utf-8", "surrogatepass") if isinstance(line, str) else line
            rows.append(((name, machine), (data, name, offset)))
    return rows
