"""`delta:DIR`: a Delta Lake table whose files are the parts that `parquet:` writes (extra `delta`).

Databricks, Snowflake, Athena, Spark, DuckDB and polars open the folder as a table of the columns of
`hookstream.lake.columns`, partitioned by `date` and `tool`.
"""

from __future__ import annotations

from typing import Any

from hookstream.core.errors import SinkError
from hookstream.lake.delta_store import DeltaStore
from hookstream.sinks.base import Sink
from hookstream.sinks.kinds import Opening, SinkKind, local_folder
from hookstream.sinks.parquet import LAKE_FLUSH_S, PARTS, ParquetSegment, ParquetSink, no_lines


def open_sink(at: Opening, **options: Any) -> Sink:
    if at.segment is not None:
        return ParquetSegment(at.segment, at.standard)
    if "://" in at.target:
        raise SinkError(f"{at.uri}: delta: writes to a folder; mount the bucket, or use parquet:")
    return ParquetSink(at, DeltaStore(at.target, at.uri), **options)


KIND = SinkKind(
    name="delta",
    open=open_sink,
    options=PARTS,
    targets="folder",
    delivered="the files are synced and renamed, and a version of the table names them",
    duplicates="none: each row is in every version once",
    example='uri = "delta:lake"\n',
    place=local_folder,
    files=no_lines,
    is_lake=True,
    is_queried=True,
    has_segments=True,
    flush_s=LAKE_FLUSH_S,
)
