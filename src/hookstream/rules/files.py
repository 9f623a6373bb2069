"""The files that tools were given, as columns for rules about files.

file_name       the last part of the path
file_spellings  every spelling of the path (hookstream.shell.spelling)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hookstream.shell.spelling import every_spelling, one_spelling

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

COLUMNS = ("file_name", "file_spellings")


def parts(path: str) -> dict[str, Any]:
    """The columns of one path."""
    name = one_spelling(path).rpartition("/")[2]
    return {"file_name": name, "file_spellings": every_spelling(path)}


def fill(connection: duckdb.DuckDBPyConnection, table: str) -> None:
    """Make the temporary table `file_facts` of the distinct paths in a table."""
    import pyarrow as pa

    rows = connection.execute(
        f"select distinct file_path from {table} where file_path is not null order by 1"
    ).fetchall()
    facts = pa.Table.from_pylist([{"path": path, **parts(path)} for (path,) in rows], schema())
    connection.register("file_batch", facts)
    connection.execute("create or replace temp table file_facts as from file_batch")
    connection.unregister("file_batch")


def schema() -> pa.Schema:
    """The columns of `file_facts`."""
    import pyarrow as pa

    texts = [(name, pa.string()) for name in ("path", "file_name")]
    return pa.schema([*texts, ("file_spellings", pa.list_(pa.string()))])
