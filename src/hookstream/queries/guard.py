"""Free SQL: one SELECT by DuckDB's own parser, in a transaction that cannot write."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookstream.queries.errors import RefusedSQL

if TYPE_CHECKING:
    import duckdb


def check(sql: str) -> str:
    """The SQL, if it is a single SELECT (WITH, VALUES, FROM ..., DESCRIBE and SHOW count as one).

    Raises RefusedSQL naming what it is instead.
    """
    import duckdb

    try:
        statements = duckdb.extract_statements(sql)
    except duckdb.Error as error:
        raise RefusedSQL(one_line(error)) from None
    if len(statements) != 1:
        raise RefusedSQL(f"one SELECT is answered, not {len(statements)} statements")
    kind = statements[0].type
    if kind != duckdb.StatementType.SELECT:
        raise RefusedSQL(f"{kind.name}: only a SELECT is answered")
    return sql


def one_line(error: Exception) -> str:
    """DuckDB's message without the hints and the drawing below it."""
    text = str(error).strip().split("\n", 1)[0]
    return text if len(text) <= 400 else text[:397] + "..."


def execute(connection: duckdb.DuckDBPyConnection, sql: str) -> None:
    """Runs it so that a WITH ... INSERT cannot write. Raises RefusedSQL with DuckDB's reason."""
    import duckdb

    connection.execute("begin transaction read only")
    try:
        connection.execute(sql)
    except duckdb.Error as error:
        connection.execute("rollback")
        raise RefusedSQL(one_line(error)) from None
