"""`delta:DIR`: a Delta Lake table whose files are the parts that `parquet:` writes (extra `delta`).

Databricks, Snowflake, Athena, Spark, DuckDB and polars open the folder as a table of the columns of
`hookstream.lake.columns`, partitioned by `date` and `tool`.
"""

from __future__ import annotations

from hookstream.core.errors import SinkError
from hookstream.lake.delta_store import DeltaStore
from hookstream.lake.partitions import GROUP_BYTES, GROUP_ROWS, HELD_BYTES
from hookstream.sinks.parquet import ParquetSink, open_segment

__all__ = ["open_segment", "open_sink"]


def open_sink(
    uri: str,
    target: str,
    *,
    standard: str,
    group_rows: int = GROUP_ROWS,
    group_bytes: int = GROUP_BYTES,
    held_bytes: int = HELD_BYTES,
    tables: bool = True,
    texts: bool = True,
) -> ParquetSink:
    if "://" in target and not target.startswith("file://"):
        raise SinkError(f"{uri}: delta: writes to a folder; mount the bucket, or use parquet:")
    store = DeltaStore(target.removeprefix("file://"), uri)
    made = ParquetSink(uri, store, standard, group_rows, group_bytes, held_bytes)
    made.tables = tables
    made.texts = texts
    return made
