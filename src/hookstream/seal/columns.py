"""Check that parts that replace others hold their rows with all columns, as a compaction does.

The leaf of a row is that of its JSON: a writer of a part could change a column and leave the
JSON. So the statement of a part has a digest of its columns; a compaction concatenates parts,
and each must be found complete.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from hookstream.core.jsons import loads_text
from hookstream.lake.rows import DATE, PLACE, rows_of
from hookstream.standards.agent_hooks_reader import read_agent_hooks
from hookstream.standards.rendered import Rendered

# What a damaged part raises, in pyarrow or here; pyarrow's own errors are among them.
UNREADABLE = (ValueError, LookupError, TypeError, NotImplementedError)
TEXTS = ["agent_hooks", "aarts"]  # the leaf covers them
OF_PATH = ("tool", "date")


class Rows(NamedTuple):
    """A part: its name below the lake, its leaves, the digest of its columns if known."""

    name: str
    leaves: list[bytes]
    columns: str | None


def filled(file: Any) -> list[str]:
    """Columns that are not null throughout: a part has a hundred, and most are."""
    names: dict[str, None] = {}
    for group in range(file.metadata.num_row_groups):
        of = file.metadata.row_group(group)
        for number in range(of.num_columns):
            column = of.column(number)
            known = column.statistics
            name, nested, _ = column.path_in_schema.partition(".")  # an empty list is not a null
            if nested or known is None or known.null_count != column.num_values:
                names[name] = None
    return [name for name in names if name not in TEXTS]


def digest(table: Any) -> str:
    """The digest of the columns of a table, whatever chunks it is in. What is null throughout does
    not count: a later version has more columns."""
    found = sha256()
    for name in sorted(table.column_names):
        column = table.column(name)
        if name in TEXTS or name in OF_PATH or column.null_count == len(column):
            continue
        kind = str(column.type).replace("<element:", "<item:")  # Parquet's word and Arrow's
        found.update(f"\n{name} {kind}\n".encode())
        for values in _flat(column.combine_chunks()):
            found.update(_bytes(values))
    return found.hexdigest()


def _flat(column: Any) -> Iterator[Any]:
    """Arrays of plain values that say the same: of a list its lengths and what is in it."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_list(column.type):
        yield pc.list_value_length(column)
        yield from _flat(pc.list_flatten(column))
    elif pa.types.is_struct(column.type):
        yield pc.is_valid(column)
        for field in column.flatten():
            yield from _flat(field)
    else:
        yield column


def _bytes(column: Any) -> Any:
    """The same bytes for the same values: the bytes under a null are arbitrary."""
    import pyarrow as pa
    import pyarrow.compute as pc

    made = [column]
    if column.null_count and not pa.types.is_string(column.type):
        zero = pa.scalar(0).cast(column.type)
        made = [pc.fill_null(column, zero), pc.is_valid(column)]
    return pa.record_batch(made, names=[str(n) for n in range(len(made))]).serialize()


def explains(lake: Path, gone: Iterable[Rows], fresh: Iterable[Rows]) -> bool:
    """Return whether all rows of the parts that went are in fresh ones of their partition,
    unchanged. OSError, pyarrow.ArrowException."""
    gone, made = list(gone), _Fresh(lake, list(fresh))
    return all(made.take(part) for part in gone if part.leaves)


class _Fresh:
    """The new parts; rows that replace old ones are taken."""

    def __init__(self, lake: Path, parts: list[Rows]) -> None:
        self.lake = lake
        self.parts = {part.name: part for part in parts}
        self.at: dict[bytes, list[tuple[str, int]]] = defaultdict(list)
        self.taken: set[tuple[str, int]] = set()
        self.tables: dict[str, Any] = {}
        for part in parts:
            for number, leaf in enumerate(part.leaves):
                self.at[leaf].append((part.name, number))

    def take(self, part: Rows) -> bool:
        """Return whether the part is found, as a unit or row by row."""
        folder = PurePosixPath(part.name).parent
        size = len(part.leaves)
        for name, first in self.at.get(part.leaves[0], ()):
            places = {(name, number) for number in range(first, first + size)}
            if (
                PurePosixPath(name).parent == folder
                and not places & self.taken
                and self.parts[name].leaves[first : first + size] == part.leaves
                and self._same(name, first, size, part.columns)
            ):
                self.taken |= places
                return True
        return self._by_rows(part, folder)

    def _by_rows(self, part: Rows, folder: PurePosixPath) -> bool:
        """Compare rows in another order: each by itself, its columns derived again."""
        for leaf in part.leaves:
            for name, number in self.at.get(leaf, ()):
                if (
                    (name, number) not in self.taken
                    and PurePosixPath(name).parent == folder
                    and self._same(name, number, 1, None)
                ):
                    self.taken.add((name, number))
                    break
            else:
                return False
        return True

    def _same(self, name: str, first: int, size: int, columns: str | None) -> bool:
        import pyarrow.parquet as pq

        if name not in self.tables:
            with pq.ParquetFile(self.lake / name) as file:
                self.tables[name] = file.read()
        rows = self.tables[name].slice(first, size)
        found = digest(rows)
        return found == columns or found == _derived(rows)


def _derived(rows: Any) -> str | None:
    """The digest of the columns that the rows' texts say; that of the rows themselves where they
    have none, for then their leaves are of all columns."""
    texts = rows.column("agent_hooks").to_pylist()
    if all(text is None for text in texts):
        return digest(rows)
    try:
        events = [Rendered(read_agent_hooks(loads_text(text or "") or {})) for text in texts]
        both = rows.column("aarts").null_count < len(rows)
        table, flaws = rows_of(events, "both" if both else "agent-hooks")
    except (ValueError, TypeError, KeyError, AttributeError):
        return None
    return None if table is None or flaws else digest(table.drop_columns([DATE, PLACE]))
