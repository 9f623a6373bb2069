"""One truth from several witnesses: `base.merged`, the events of sessions that hooks, session
files and telemetry report, as if one had reported them (design 5.24).

A call, a prompt, a sub-agent, a compaction becomes one, whatever its witnesses; if they differ the
one believed most is kept: a mod, which saw the call itself, before the client's own record before
its hook's payload before its telemetry, and any of them before a wording. Tokens are one witness's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookstream.tables.steps import run_step

if TYPE_CHECKING:
    import duckdb


def has_several(connection: duckdb.DuckDBPyConnection, witnesses: str = "base.events") -> bool:
    """Return whether rows, events by default, name more than one kind of `witness`."""
    row = run_step(connection, "witness_kinds", witnesses=witnesses).fetchone()
    return bool(row and row[0] > 1)


def fill_readable(connection: duckdb.DuckDBPyConnection) -> None:
    """`base.readable`: which kinds of witness can be read of the tools that are there."""
    from hookstream.normalizers import has_table

    connection.execute("create or replace table base.readable (tool varchar, kind varchar)")
    tools = connection.execute("select distinct tool from base.known").fetchall()
    for (tool,) in tools:
        for kind in ("hook", "transcript", "telemetry"):
            if has_table(tool, kind):
                connection.execute("insert into base.readable values (?, ?)", [tool, kind])


def leave_alone(connection: duckdb.DuckDBPyConnection) -> None:
    """Create `base.merged` of events that one kind of witness reported."""
    run_step(connection, "one_witness")
