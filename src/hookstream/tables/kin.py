"""Sessions that belong together: those of sub-agents, which a client's file reports within their
parent's (`sql/kin.sql`), are derived with it.

`links` are the rows of `kin` whose sub-agent has a separate session.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookstream.tables.connection import run_step

if TYPE_CHECKING:
    import duckdb

KEY = "machine, tool, session_id"


def fill_roots(connection: duckdb.DuckDBPyConnection) -> None:
    """Fill `group_roots`: each session in `links` with the one that its group is known by."""
    import pyarrow as pa

    rows = connection.execute(f"select {KEY}, parent from links").fetchall()
    above: dict[tuple[str, str, str], tuple[str, str, str]] = {}

    def top(one: tuple[str, str, str]) -> tuple[str, str, str]:
        while above.get(one, one) != one:
            above[one] = above.get(above[one], above[one])
            one = above[one]
        return one

    for machine, tool, session, parent in rows:
        a, b = sorted((top((machine, tool, session)), top((machine, tool, parent))))
        above[b] = a
        above.setdefault(a, a)
    made = [(*one, top(one)[2]) for one in above]
    names = ("machine", "tool", "session_id", "root")
    columns = {
        name: pa.array([row[n] for row in made], pa.string()) for n, name in enumerate(names)
    }
    connection.register("rows_in_memory", pa.table(columns))
    connection.execute("create or replace table group_roots as from rows_in_memory")
    connection.unregister("rows_in_memory")


def close_over(connection: duckdb.DuckDBPyConnection, table: str) -> None:
    """Add to a table of sessions all those that belong together with one of them."""
    while True:
        (added,) = run_step(connection, "linked_sessions", sessions=table).fetchone() or (0,)
        if not added:
            return


def select_known(connection: duckdb.DuckDBPyConnection, table: str) -> None:
    """Create `base.known` of a table of sessions and their parents out of `base.known_of_lake`:
    joining what is known of all sessions costs more than the rest."""
    run_step(connection, "known_of_sessions", sessions=table)
