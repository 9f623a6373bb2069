"""Files of lines to one temporary Parquet file with the columns of `events`, in their order.

A file and not memory: a question scans its few columns several times, and a million lines would
take gigabytes as Arrow. It is in the stream's private folder and is removed when that is closed. A
capture log, in which no session has been followed yet, and the lines of another emitter go through
the stages first.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hookstream.core.jsons import ascii_line, canonical
from hookstream.core.owners import Owner, owner_of
from hookstream.lake.rows import instants, schema
from hookstream.queries.capture_log import Completion, as_written, writer_of
from hookstream.queries.lines import BATCH, Columns
from hookstream.queries.side_tables import BROKEN_LIMIT
from hookstream.queries.strict import BrokenLine, numbered, read_line
from hookstream.standards.aarts import aarts
from hookstream.standards.agent_hooks_reader import read_agent_hooks

GROUP_ROWS = 131_072


class Loaded:
    """Return how many rows there are, and what was left out: the first BROKEN_LIMIT by name, all by
    number."""

    def __init__(self) -> None:
        self.rows = 0
        self.broken: list[tuple[str, int, str]] = []
        self.broken_count = 0

    def leave_out(self, file: str, line: int, reason: str) -> None:
        self.broken_count += 1
        if len(self.broken) < BROKEN_LIMIT:
            self.broken.append((file, line, reason))


def load(files: list[Path], name_of: Callable[[Path], str], texts: bool, target: Path) -> Loaded:
    """All readable lines of the files, in order, into `target`. Without `texts` the columns
    agent_hooks and aarts, by far the largest, are null: no question of ours asks for them."""
    import pyarrow.parquet as pq

    loaded = Loaded()
    columns = Columns()
    collecting = gc.isenabled()
    # Rows hold no cycles, and looking for some among millions of values takes long.
    gc.disable()
    try:
        with pq.ParquetWriter(target, schema(), compression="zstd", compression_level=1) as writer:
            group = Group(writer)
            completion = Completion() if any(map(writer_of, files)) else None
            for file in files:
                wrappers = wrappers_beside(file) if texts else None
                # Of a capture log the stages have seen to it.
                owner = None if completion else as_written(owner_of(file))
                for number, line in completion.lines(file) if completion else numbered(file):
                    _take(loaded, columns, name_of(file), number, line, wrappers, owner)
                    if columns.size == BATCH:
                        loaded.rows += columns.size
                        group.add(_batch(columns))
            loaded.rows += columns.size
            group.add(_batch(columns))
            group.write()
    finally:
        if collecting:
            gc.enable()
    return loaded


class Group:
    """Batches until there are enough for a row group."""

    def __init__(self, writer: Any) -> None:
        self.writer = writer
        self.batches: list[Any] = []

    def add(self, batch: Any) -> None:
        self.batches.append(batch)
        if len(self.batches) * BATCH >= GROUP_ROWS:
            self.write()

    def write(self) -> None:
        import pyarrow as pa

        table = pa.Table.from_batches(self.batches, schema())
        self.writer.write_table(table, row_group_size=GROUP_ROWS)
        self.batches = []


def _batch(columns: Columns) -> Any:
    size = columns.size
    return batch(columns.take(), size)


def _take(
    made: Loaded,
    columns: Columns,
    file: str,
    number: int,
    line: bytes | str,
    wrappers: dict[str, str] | None,
    owner: Owner | None,
) -> None:
    if isinstance(line, str):
        made.leave_out(file, number, line)
        return
    line = line.strip()
    if not line:
        return
    try:
        event = read_line(line)
        columns.add(event)
    except BrokenLine as broken:
        made.leave_out(file, number, str(broken))
        return
    if owner is not None:
        columns.amend("machine_id", owner.name)
    if wrappers is not None:
        columns.amend("agent_hooks", line.decode("utf-8"))
        columns.amend("aarts", wrappers.get(event["event_id"]) or wrapper_of(event))


def wrapper_of(event: dict[str, Any]) -> str | None:
    """The AARTS wrapper an event renders to (what aarts.jsonl would hold of it)."""
    try:
        wrapper = aarts(read_agent_hooks(event))
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
    return None if wrapper is None else ascii_line(canonical(wrapper)).decode("ascii")


def wrappers_beside(file: Path) -> dict[str, str]:
    """event id -> line of the aarts file written next to this one, if there is one."""
    beside = file.with_name(file.name.replace("agent-hooks", "aarts", 1))
    wrappers: dict[str, str] = {}
    if beside == file or not beside.is_file():
        return wrappers
    for _, line in numbered(beside):
        if isinstance(line, bytes) and line.strip():
            try:
                side = read_line(line.strip()).get("hookstream")
            except BrokenLine:
                continue
            if type(side) is dict and type(side.get("event_id")) is str:
                wrappers.setdefault(side["event_id"], line.strip().decode("utf-8"))
    return wrappers


def batch(values: dict[str, list[Any]], size: int) -> Any:
    """Columns of `size` rows; what `values` lacks is null."""
    import pyarrow as pa

    arrays = []
    for field in schema():
        value = values.get(field.name)
        if value is None:
            arrays.append(pa.nulls(size, field.type))
        elif field.type == pa.timestamp("us"):
            arrays.append(instants(value))
        else:
            arrays.append(pa.array(value, field.type))
    return pa.RecordBatch.from_arrays(arrays, schema=schema())
