"""A lake as one DuckDB file: tables, and the questions as views over them, all with comments.

    base.NAME      tables: events, stream and what is derived of them
    derived.NAME, spanned.NAME    the same, as questions name them
    NAME            every question, as a view; `events` and `stream` too

Any tool that opens DuckDB files opens it: its own command line and page, DBeaver, Grafana,
Metabase, notebooks. The JSON of each event stays in the lake.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookstream.core.errors import HookstreamError
from hookstream.core.files import PRIVATE
from hookstream.core.progress import step
from hookstream.lake.dictionary import MEANINGS
from hookstream.queries import costs
from hookstream.queries.catalog import shipped
from hookstream.queries.names import MACROS, MORE, read_in
from hookstream.queries.prices import read_prices
from hookstream.queries.runner import read
from hookstream.tables.relations import sources

if TYPE_CHECKING:
    import duckdb

    from hookstream.queries.stream import OpenStream

JSON = ("agent_hooks", "aarts")
# What could not be read, for the question about gaps.
# The oldest DuckDB that opens the file: a newer one writes its newest format by default.
STORAGE = "v1.2.0"
SIDE = ("broken_lines", "rejected", "cut_sessions", "roster", "unmatched_rules", "usage_costs")
ROWS = 50_000
# Endings of files that are of another kind.
OTHER_FILES = (".csv", ".json", ".jsonl", ".parquet", ".sqlite", ".xlsx")


def relations() -> list[str]:
    """The names of all relations that questions read."""
    named = {"events", "stream"}
    for one in shipped().values():
        named |= read_in(one.sql)
    return sorted(
        name for name in named | set(MORE.values()) if name in sources() or name == "events"
    )


def views() -> str:
    """The SQL of the views over the tables, in an order in which it can be run."""
    made = [
        "create schema if not exists derived;",
        "create schema if not exists spanned;",
        *(m.replace("create macro", "create or replace macro").strip() + ";" for m in MACROS),
    ]
    made += [
        f"create or replace view {schema}.{name} as from base.{name};"
        for schema in ("derived", "spanned")
        for name in relations()
    ]
    made += [f"create or replace view {name} as from base.{name};" for name in ("events", "stream")]
    known = {name: one.sql for name, one in shipped().items()}
    known |= {name: f"from derived.{of}" for name, of in MORE.items() if name not in known}
    made += [
        f'create or replace view "{name}" as\n{sql.rstrip().rstrip(";")};'
        for name, sql in sorted(known.items())
    ]
    return "\n\n".join(made) + "\n"


def export(lake: Path, target: Path, force: bool = False) -> dict[str, int]:
    """Write the complete file or nothing; table -> rows. HookstreamError if it is there."""
    if target.suffix in OTHER_FILES:
        raise HookstreamError(
            f"{target}: a DuckDB file is written: name it {target.stem}.duckdb; for rows as CSV or "
            "JSON: hookstream query QUESTION --format csv"
        )
    if target.exists() and not force:
        raise HookstreamError(f"{target}: already exists; --force replaces it")
    if not target.parent.is_dir():
        raise HookstreamError(f"{target.parent}: no such folder")
    return read(lake, lambda stream: _written(stream, target))


def _written(stream: OpenStream, target: Path) -> dict[str, int]:
    """`_write`. Raises HookstreamError with what the system says of the file that is written."""
    import duckdb

    try:
        return _write(stream, target)
    except (duckdb.IOException, duckdb.TransactionException, duckdb.FatalException) as error:
        if f".{target.name}-" not in str(error):  # of the lake
            raise
        # DuckDB names its temporary file before the reason.
        reason = str(error).partition("\n")[0].rpartition('": ')[2]
        raise HookstreamError(f"{target}: {reason}") from None


def _write(stream: OpenStream, target: Path) -> dict[str, int]:
    import duckdb

    with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name}-") as folder:
        file = Path(folder) / "export.duckdb"
        with duckdb.connect(str(file), config={"storage_compatibility_version": STORAGE}) as out:
            counts = _fill(stream, out)
            # One statement at a time: comments in them hold semicolons.
            for statement in duckdb.extract_statements(views()):
                out.execute(statement).fetchall()
            _describe(out)
            out.execute("checkpoint").fetchall()
        file.chmod(PRIVATE)
        file.replace(target)
    return counts


def _fill(stream: OpenStream, out: duckdb.DuckDBPyConnection) -> dict[str, int]:
    stream.filter()
    out.execute("create schema base").fetchall()
    counts: dict[str, int] = {}
    names = relations()
    stream.relations.ensure(names)
    for number, name in enumerate(names):
        step(number, len(names))
        counts[name] = _copy(stream, out, f"base.{name}")
    costs.fill(stream, read_prices(None))
    stream.filter()
    for name in (*SIDE, "base.late_events"):
        _copy(stream, out, name)
    return counts


def _copy(stream: OpenStream, out: duckdb.DuckDBPyConnection, name: str) -> int:
    """Copy a table through batches of Arrow; the number of its rows."""
    described = stream.connection.execute(f"describe {name}").fetchall()
    kept = ", ".join(f'"{row[0]}"' for row in described if row[0] not in JSON)
    rows = stream.connection.sql(f"select {kept} from {name}")  # noqa: S608
    # Its name before and since DuckDB 2.
    batches: Any = getattr(rows, "to_arrow_reader", None) or rows.fetch_record_batch
    out.register("copied", batches(ROWS))
    out.execute(f"create table {name} as from copied").fetchall()
    out.unregister("copied")
    return int(out.execute(f"from {name} select count(*)").fetchall()[0][0])


def _describe(out: duckdb.DuckDBPyConnection) -> None:
    """Comments of tables, views and columns."""
    columns = out.execute(
        "select schema_name, table_name, column_name from duckdb_columns() where not internal"
    ).fetchall()
    for schema, table, column in columns:
        if column in MEANINGS and schema == "base":
            text = MEANINGS[column].replace("'", "''")
            out.execute(f"comment on column {schema}.{table}.\"{column}\" is '{text}'").fetchall()
    for name, one in shipped().items():
        text = one.description.replace("'", "''")
        out.execute(f"comment on view main.\"{name}\" is '{text}'").fetchall()
