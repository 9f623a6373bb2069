"""Free SQL: one SELECT by DuckDB's own parser, in a transaction that cannot write."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from hookstream.queries.errors import QueryError, RefusedSQL

if TYPE_CHECKING:
    import duckdb

# The errors of DuckDB that a question earns, whatever the files are like.
OF_QUESTIONS = frozenset(
    "BinderException CatalogException ConstraintException ConversionException InterruptException "
    "NotImplementedException OutOfMemoryException OutOfRangeException ParserException "
    "PermissionException SyntaxException TransactionException TypeMismatchException".split()
)
# Lines of a hint, and of the drawing that shows where in the SQL it is meant.
HINTS = 4
# Before the first word of a statement: space, comments, brackets.
LEAD = re.compile(r"(?:\s|--[^\n]*(?:\n|\Z)|/\*.*?\*/|\()*", re.DOTALL)
WORD = re.compile(r"\w+")
FIRST = frozenset("select with from values table describe desc show summarize".split())


def check(sql: str) -> str:
    """The SQL, if it is a single SELECT (WITH, VALUES, FROM ..., DESCRIBE and SHOW count as one).

    Raises RefusedSQL naming what it is instead.
    """
    import duckdb

    try:
        statements = duckdb.extract_statements(sql)
    except duckdb.Error as error:
        refused = RefusedSQL(one_line(error))
        refused.hint = hint_of(error)
        raise refused from None
    if len(statements) != 1:
        raise RefusedSQL(f"one SELECT is answered, not {len(statements)} statements")
    kind = statements[0].type
    if kind != duckdb.StatementType.SELECT:
        raise RefusedSQL(f"{kind.name}: only a SELECT is answered")
    # Some versions turn others into a SELECT before they say what a statement is.
    lead = LEAD.match(sql)
    first = WORD.match(sql, lead.end() if lead else 0)
    if first is None or first[0].lower() not in FIRST:
        raise RefusedSQL(f"{first[0].upper() if first else 'this'}: only a SELECT is answered")
    return sql


def refusal(error: duckdb.Error, at: str = "", kind: type[QueryError] = QueryError) -> QueryError:
    """DuckDB's error as one of ours, with `at` before its reason."""
    made = kind(f"{at}{one_line(error)}")
    made.hint = hint_of(error)
    made.out_of_memory = type(error).__name__ == "OutOfMemoryException"
    # An error of a question has a separate kind; one of a damaged file mostly does not.
    made.unreadable = type(error).__name__ not in OF_QUESTIONS
    return made


def one_line(error: Exception) -> str:
    """DuckDB's message without the hints and the drawing below it."""
    return _shown(str(error).strip().split("\n", 1)[0])


def hint_of(error: Exception) -> str:
    """The lines of DuckDB below its message: a name it knows, and the place in the SQL."""
    lines = [line for line in str(error).strip().split("\n")[1:] if line.strip()]
    drawing = next((at for at, line in enumerate(lines) if line.startswith("LINE ")), len(lines))
    kept = lines[: min(drawing, HINTS - 2)] + lines[drawing : drawing + 2]
    return "\n".join(_shown(line) for line in kept)


def _shown(line: str) -> str:
    text = "".join(char if char.isprintable() else "?" for char in line)
    return text if len(text) <= 400 else text[:397] + "..."


def fetched(
    connection: duckdb.DuckDBPyConnection, count: int | None = None
) -> list[tuple[Any, ...]]:
    """The next rows of what was executed last, or all. Raises QueryError with DuckDB's reason."""
    import duckdb

    try:
        return connection.fetchall() if count is None else connection.fetchmany(count)
    except duckdb.Error as error:
        raise refusal(error) from None


def execute(connection: duckdb.DuckDBPyConnection, sql: str) -> None:
    """Run it so that a WITH ... INSERT cannot write. Raises RefusedSQL with DuckDB's reason."""
    import duckdb

    connection.execute("begin transaction read only")
    try:
        connection.execute(sql)
    except duckdb.Error as error:
        connection.execute("rollback")
        raise refusal(error, kind=RefusedSQL) from None
