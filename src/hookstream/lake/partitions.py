"""Buffer rows by partition until a part is full, memory is, or a flush is requested.

Where a part ends depends on the rows alone, not on batches or processes: same input, same bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hookstream.lake.rows import DATE

GROUP_ROWS = 122_880  # DuckDB's own row group
GROUP_BYTES = 64 << 20  # of JSON text, if events are large
HELD_BYTES = 128 << 20
MOST_CHUNKS = 12
ROW_BYTES = 400  # memory of a row except its two texts, about


class OpenPart:
    """The rows of one partition that are in no file yet."""

    def __init__(self) -> None:
        self.chunks: list[Any] = []
        self.rows = 0
        self.cost = 0

    def add(self, rows: Any) -> None:
        """Add rows. A chunk costs its 110 columns, however few its rows: there are never many."""
        import pyarrow as pa

        self.chunks.append(rows)
        if len(self.chunks) > MOST_CHUNKS:
            self.chunks = [pa.concat_tables(self.chunks).combine_chunks()]

    def is_full(self, group_rows: int, group_bytes: int) -> bool:
        return self.rows >= group_rows or self.cost >= group_bytes


class Partitions:
    """`write(key, chunks)` gets a part's rows; if it raises OSError they stay, `trouble` says
    why, and nothing more is written until `retry`."""

    def __init__(
        self,
        group_rows: int,
        held_bytes: int,
        write: Callable[[str, list[Any]], None],
        group_bytes: int = GROUP_BYTES,
    ) -> None:
        self.group_rows = group_rows
        self.group_bytes = group_bytes
        self.held_bytes = held_bytes
        self.trouble: str | None = None
        self._write = write
        self._parts: dict[str, OpenPart] = {}
        self._held = 0

    def retry(self) -> bool:
        """Return whether rows may be taken: not while what is due cannot be written."""
        if self.trouble is not None:
            self.trouble = None
            self._cut_due()
        return self.trouble is None

    def take(self, table: Any) -> None:
        """Put rows into partitions, one by one, so that only they decide where a part ends."""
        picks: dict[str, list[int]] = {}
        keys = table.column(DATE).to_pylist()
        table = table.drop_columns([DATE])
        for number, (key, cost) in enumerate(zip(keys, costs(table), strict=True)):
            part = self._parts.get(key)
            if part is None:
                part = self._parts[key] = OpenPart()
            picks.setdefault(key, []).append(number)
            part.rows += 1
            part.cost += cost
            self._held += cost
            due = part.is_full(self.group_rows, self.group_bytes) or self._held >= self.held_bytes
            if due and self.trouble is None:
                self._hand_out(table, picks)
                self._cut_due()
        self._hand_out(table, picks)

    def _hand_out(self, table: Any, picks: dict[str, list[int]]) -> None:
        for key, numbers in picks.items():
            # A slice would keep the whole table alive for a few of its rows.
            rows = table if len(numbers) == len(table) else table.take(numbers)
            self._parts[key].add(rows)
        picks.clear()

    def _cut_due(self) -> None:
        rows, size = self.group_rows, self.group_bytes
        for key in [key for key, part in self._parts.items() if part.is_full(rows, size)]:
            self._cut(key)
        while self._held >= self.held_bytes and self.trouble is None:
            self._cut(max(self._parts, key=lambda key: (self._parts[key].cost, key)))

    def cut_all(self) -> None:
        self.trouble = None
        for key in sorted(self._parts):
            self._cut(key)

    def _cut(self, key: str) -> None:
        if self.trouble is not None:
            return
        part = self._parts[key]
        try:
            self._write(key, part.chunks)
        except OSError as error:
            self.trouble = error.strerror or str(error)
            return
        self._held -= part.cost
        del self._parts[key]

    def drop(self) -> None:
        self._parts = {}
        self._held = 0


def costs(table: Any) -> list[int]:
    """About how many bytes each row takes: the same for a row wherever it comes from."""
    import pyarrow as pa
    import pyarrow.compute as pc

    total = pa.scalar(ROW_BYTES, pa.int32())
    for name in ("agent_hooks", "aarts"):
        total = pc.add(total, pc.fill_null(pc.binary_length(table.column(name)), 0))
    numbers: list[int] = total.to_pylist()
    return numbers
