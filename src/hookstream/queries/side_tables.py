"""Tables next to `events` that questions may name: what could not be read, what was rejected, what
retention cut."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from hookstream.core.jsons import loads_text
from hookstream.lake.staged import PLACE, SESSIONS
from hookstream.queries import costs, roster, unmatched
from hookstream.queries.sources import REJECTED

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import duckdb

BROKEN_LIMIT = 10_000


def rejections(folder: Path, name_of: Callable[[Path], str]) -> list[tuple[str, int, str]]:
    """(file, line, reason) of the rejection records in a folder, at most BROKEN_LIMIT."""
    rows: list[tuple[str, int, str]] = []
    files = sorted(folder.glob(REJECTED))
    if not files:
        return rows
    from hookstream.queries.strict import numbered

    for file in files:
        for number, line in numbered(file):
            if isinstance(line, str) or not line.strip():
                continue
            record = loads_text(line.decode("utf-8", "replace"))
            reason = record.get("reason") if type(record) is dict else None
            rows.append((name_of(file), number, reason if type(reason) is str else "unreadable"))
            if len(rows) >= BROKEN_LIMIT:
                return rows
    return rows


def cut_sessions(connection: Any, folder: Path) -> None:
    """The table of sessions of which retention removed some records, and left some."""
    connection.execute(
        "create table cut_sessions (machine_id VARCHAR, tool VARCHAR, session_id VARCHAR, "
        "records BIGINT, removed_at TIMESTAMP)"
    )
    try:
        rows = json.loads((folder / PLACE / SESSIONS).read_bytes())
    except (OSError, ValueError):
        return
    if rows:
        connection.executemany(
            "insert into cut_sessions values (nullif(?, ''), nullif(?, ''), nullif(?, ''), ?, "
            "make_timestamp(?::BIGINT * 1000000))",
            rows,
        )


def fill(
    connection: duckdb.DuckDBPyConnection,
    broken: list[tuple[str, int, str]],
    rejected: list[tuple[str, int, str]],
    folder: Path,
) -> None:
    """The tables `broken_lines`, `rejected`, `cut_sessions` of a stream's folder, `roster`,
    `unmatched_rules`, `usage_costs`."""
    roster.fill(connection)
    unmatched.create(connection)
    costs.create(connection)
    cut_sessions(connection, folder)
    for table, rows in (("broken_lines", broken), ("rejected", rejected)):
        connection.execute(f"create table {table} (file VARCHAR, line BIGINT, reason VARCHAR)")
        if rows:
            connection.executemany(f"insert into {table} values (?, ?, ?)", rows)  # noqa: S608
