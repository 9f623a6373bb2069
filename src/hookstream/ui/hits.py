"""Hits of the rules as the table `findings`, next to the lake's tables, for pages and SQL."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import duckdb

NAME = "findings"
COLUMNS = (
    "status", "level", "title", "timestamp", "machine_id", "user_id", "tool", "session_id",
    "shown", "rule_id", "event_id", "reason", "expires", "finding_id", "rule",
)  # fmt: skip
TYPES = {column: "TIMESTAMP" if column == "timestamp" else "VARCHAR" for column in COLUMNS}


def fill(connection: duckdb.DuckDBPyConnection, rows: list[dict[str, Any]]) -> None:
    """Make the temporary table `findings` of these rows."""
    import pyarrow as pa

    kinds = {"TIMESTAMP": pa.timestamp("us"), "VARCHAR": pa.string()}
    made = pa.table(
        {name: pa.array([row[name] for row in rows], kinds[TYPES[name]]) for name in COLUMNS}
    )
    connection.register("findings_now", made)
    connection.execute(f"create or replace temp table {NAME} as from findings_now")
    connection.unregister("findings_now")
