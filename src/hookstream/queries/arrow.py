"""Rows of the `events` table as Arrow, with the types the Parquet sink writes (a test holds both
to one schema)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

from hookstream.columns import COLUMNS

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@cache
def schema() -> Any:
    """Explicit, never inferred; times are plain UTC in microseconds."""
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


def _structs(*names: str) -> Any:
    import pyarrow as pa

    return pa.list_(pa.struct([(name, pa.string()) for name in names]))


def batch(values: dict[str, list[Any]], size: int) -> Any:
    """Columns of `size` rows; what `values` lacks is null."""
    import pyarrow as pa

    arrays = []
    for field in schema():
        given = values.get(field.name)
        if given is None:
            arrays.append(pa.nulls(size, field.type))
        elif field.type == pa.timestamp("us"):
            arrays.append(instants(given))
        else:
            arrays.append(pa.array(given, field.type))
    return pa.RecordBatch.from_arrays(arrays, schema=schema())


def instants(texts: list[str | None]) -> Any:
    """RFC 3339 texts to plain UTC; digits finer than microseconds are cut, what is no time is
    null."""
    import pyarrow as pa

    try:
        zoned = pa.array(texts, pa.string()).cast(pa.timestamp("us", "UTC"))
        return zoned.cast(pa.timestamp("us"))
    except pa.ArrowException:
        return pa.array([_micros(text) for text in texts], pa.timestamp("us"))


def _micros(text: str | None) -> int | None:
    try:
        moment = datetime.fromisoformat(text or "")
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        return (moment - EPOCH) // timedelta(microseconds=1)
    except (ValueError, OverflowError):
        return None
