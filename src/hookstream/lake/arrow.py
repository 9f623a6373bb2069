"""Arrow schema of the `events` table and timestamp conversion, for writing and querying."""

from __future__ import annotations

from functools import cache
from typing import Any

from hookstream.core.times import micros
from hookstream.lake.columns import COLUMNS


@cache
def schema() -> Any:
    """The `pyarrow.Schema`: explicit, never inferred; times are plain UTC in microseconds."""
    import pyarrow as pa

    types = {
        "text": pa.string(),
        "int": pa.int64(),
        "float": pa.float64(),
        "flag": pa.bool_(),
        "time": pa.timestamp("us"),
        "texts": pa.list_(pa.string()),
        "artifacts": _structs("type", "value", "source_field"),
        "secrets": _structs("rule", "path", "fingerprint"),
    }
    return pa.schema([(name, types[kind]) for name, kind in COLUMNS.items()])


@cache
def part_schema() -> Any:
    """The schema of a lake's parts: `tool` is in the path only, as `date` is, since readers of Hive
    partitions refuse a column that is in both."""
    return schema().remove(schema().get_field_index("tool"))


def _structs(*names: str) -> Any:
    import pyarrow as pa

    return pa.list_(pa.struct([(name, pa.string()) for name in names]))


def instants(texts: list[str | None]) -> Any:
    """Convert RFC 3339 texts to plain UTC microseconds; cut finer digits; null if not a time."""
    import pyarrow as pa

    try:
        zoned = pa.array(texts, pa.string()).cast(pa.timestamp("us", "UTC"))
        return zoned.cast(pa.timestamp("us"))
    except pa.ArrowException:
        return pa.array([micros(text) for text in texts], pa.timestamp("us"))
