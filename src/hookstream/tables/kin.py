"""Sessions that belong together: those of sub-agents, which a client's file reports within their
parent's (`sql/kin.sql`), are derived with it.

`links` are the rows of `kin` whose sub-agent has a separate session.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb

KEY = "machine, tool, session_id"
EMPTY = """
create or replace table links (
    machine varchar, tool varchar, session_id varchar, parent varchar
)
"""
NEIGHBOURS = """
select machine, tool, parent as session_id from links
semi join {table} using (machine, tool, session_id)
union
select l.machine, l.tool, l.session_id from links as l join {table} as t
    on l.machine = t.machine and l.tool = t.tool and l.parent = t.session_id
"""
# What is known of some sessions and of their parents.
NEAR = """
create or replace table whole.known as
from whole.known_of_lake semi join (
    from {table}
    union
    select machine, tool, parent_session_id as session_id
    from whole.known_of_lake semi join {table} using (machine, tool, session_id)
) using (machine, tool, session_id)
"""


def fill_roots(connection: duckdb.DuckDBPyConnection) -> None:
    """The table `rooted`: each session in `links` with the one that its group is known by."""
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
    connection.register("rooted_made", pa.table(columns))
    connection.execute("create or replace table rooted as from rooted_made")
    connection.unregister("rooted_made")


def close_over(connection: duckdb.DuckDBPyConnection, table: str) -> None:
    """Add to a table of sessions all those that belong together with one of them."""
    while True:
        (added,) = connection.execute(
            f"insert into {table} from ({NEIGHBOURS.format(table=table)}) as q "
            f"anti join {table} using ({KEY})"
        ).fetchone() or (0,)
        if not added:
            return


def know_near(connection: duckdb.DuckDBPyConnection, table: str) -> None:
    """`whole.known` of a table of sessions and their parents, out of `whole.known_of_lake`: joining
    what is known of all sessions costs more than the rest."""
    connection.execute(NEAR.format(table=table))
