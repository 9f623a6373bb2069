"""Convert rendered Events to Arrow rows, with partition and spool offset."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any
from urllib.parse import unquote

from hookstream.core.times import micros
from hookstream.lake.columns import COLUMNS, NO_PARTITION, row
from hookstream.standards.rendered import Rendered


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
        "artifacts": structs("type", "value", "source_field"),
        "secrets": structs("rule", "path", "fingerprint"),
    }
    return pa.schema([(name, types[kind]) for name, kind in COLUMNS.items()])


@cache
def part_schema() -> Any:
    """The schema of a lake's parts: `tool` is in the path only, as `date` is, since readers of Hive
    partitions refuse a column that is in both."""
    return schema().remove(schema().get_field_index("tool"))


def structs(*names: str) -> Any:
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


DATE = "__partition"
PLACE = "__place"  # the record's place in a follower's spool
_UNRESERVED = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_-")


@cache
def segment_schema() -> Any:
    """The table's schema, followed by each row's partition and place."""
    import pyarrow as pa

    return schema().append(pa.field(DATE, pa.string())).append(pa.field(PLACE, pa.int64()))


def rows_of(batch: list[Rendered], standard: str) -> tuple[Any | None, dict[int, str]]:
    """A batch to one table, with `DATE` and `PLACE` of each row, and the flaws: place in the
    batch -> why that record can be no row."""
    import pyarrow as pa

    flaws: dict[int, str] = {}
    rows: list[dict[str, Any]] = []
    places: list[int] = []
    for place, item in enumerate(batch):
        reason = _append(item, standard, rows)
        if reason is None:
            places.append(place)
        else:
            flaws[place] = reason
    try:
        return (_table(rows) if rows else None), flaws
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        good = []
        for place, one in zip(places, rows, strict=True):
            try:
                good.append(_table([one]))
            except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
                flaws[place] = f"no row of the table: {type(error).__name__}"
        return (pa.concat_tables(good) if good else None), flaws


def _append(item: Rendered, standard: str, rows: list[dict[str, Any]]) -> str | None:
    event = item.agent_hooks if standard in ("agent-hooks", "both") else None
    wrapper = item.aarts if standard in ("aarts", "both") else None
    for line in (event, wrapper):
        if line is not None and (reason := item.flaw(line)):
            return reason
    text = None if wrapper is None else wrapper.decode("ascii")
    made = row(item.event, "" if event is None else event.decode("ascii"), text)
    if event is None:
        made["agent_hooks"] = None
    made[PLACE] = item.position
    rows.append(made)
    return None


def _table(rows: list[dict[str, Any]]) -> Any:
    import pyarrow as pa

    arrays = []
    for field in schema():
        values = [one[field.name] for one in rows]
        if field.type == pa.timestamp("us"):
            arrays.append(instants(values))
        else:
            arrays.append(pa.array(values, field.type))
    dates = arrays[schema().get_field_index("timestamp")].cast(pa.date32()).cast(pa.string())
    keys = [
        f"date={date or NO_PARTITION}/tool={partition_value(one['tool'])}"
        for date, one in zip(dates.to_pylist(), rows, strict=True)
    ]
    arrays.append(pa.array(keys, pa.string()))
    arrays.append(pa.array([one[PLACE] for one in rows], pa.int64()))
    return pa.Table.from_arrays(arrays, schema=segment_schema())


def tool_in(folder: str) -> str | None:
    """The tool that a partition's last folder names, or None: the reverse of `partition_value`."""
    key, _, value = folder.partition("=")
    return unquote(value) if key == "tool" and value not in ("", NO_PARTITION) else None


@lru_cache(4096)
def partition_value(value: str | None) -> str:
    """A value as a path component: percent-encoded except lower-case letters, digits, `_` and `-`,
    so that no value names another folder, on file systems that fold case too."""
    if not value:
        return NO_PARTITION
    if len(value) > 64:
        from hashlib import sha256

        value = f"{value[:48]}~{sha256(value.encode('utf-8', 'replace')).hexdigest()[:12]}"
    return "".join(
        char
        if char in _UNRESERVED
        else "".join(f"%{byte:02X}" for byte in char.encode("utf-8", "replace"))
        for char in value
    )
