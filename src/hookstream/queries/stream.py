"""A stream opened for questions: one DuckDB connection with the same `events` view over Parquet
parts or over lines, locked down before anybody's SQL runs.

    events          the columns of hookstream.columns, equal event ids once (the first is kept)
    broken_lines    file, line, reason of what could not be read and was left out
    rejected        file, line, reason of the rejection records beside the stream
    calls, denied, asked, compacted, looped   what views.sql makes of them

A lake is scanned where it lies; lines are first made columns in a private temporary folder.
"""

from __future__ import annotations

import shutil
import tempfile
import weakref
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookstream.columns import COLUMNS
from hookstream.errors import NothingToRead
from hookstream.queries import guard, load
from hookstream.queries.connection import connect, lock
from hookstream.queries.sources import Found, find, is_whole

if TYPE_CHECKING:
    from datetime import datetime

    import duckdb

# Parts of one version need not be opened each time a view is bound; of several they must be.
SCAN = "read_parquet(getvariable('parts'), hive_partitioning = false, union_by_name = "
VERSIONS = """
select count(distinct said) from (
    select file_name, sum(hash(name, type, num_children, converted_type, logical_type)) as said
    from parquet_schema(getvariable('parts')) group by file_name
)
"""
# Whether there may be any: by hashes, so that the usual no is quick.
REUSED = """
select exists (
    select 1 from call_rows where is_before group by hash(tool, session_id, call)
    having min(hash(turn, agent)) <> max(hash(turn, agent))
)
"""
NEEDED = ("event_id", "event_type", "timestamp", "tool", "session_id")
# What an event must be to be seen through the filters of a question.
FILTERED = """
(getvariable('f_tool') is null or tool = cast(getvariable('f_tool') as varchar))
and (getvariable('f_session') is null or session_id = cast(getvariable('f_session') as varchar))
and (getvariable('f_since') is null or "timestamp" >= cast(getvariable('f_since') as timestamp))
and (getvariable('f_until') is null or "timestamp" < cast(getvariable('f_until') as timestamp))
"""
TYPES = {
    "text": "VARCHAR",
    "int": "BIGINT",
    "float": "DOUBLE",
    "flag": "BOOLEAN",
    "time": "TIMESTAMP",
    "texts": "VARCHAR[]",
    "artifacts": 'STRUCT("type" VARCHAR, "value" VARCHAR, source_field VARCHAR)[]',
    "secrets": 'STRUCT("rule" VARCHAR, "path" VARCHAR, fingerprint VARCHAR)[]',
}


class Stream:
    """An open stream. `broken` counts what could not be read; `close` frees what it holds.

    `damaged` says of Parquet files that look whole why they cannot be read: they are left out.
    """

    def __init__(self, path: Path, texts: bool, damaged: dict[str, str] | None = None) -> None:
        found = find(path)
        self.path = path
        self.damaged = damaged or {}
        self.kind = found.kind
        self.files: list[Path] = []
        self.broken: list[tuple[str, int, str]] = []
        self.broken_count = 0
        self._paired = False
        self._scan = ""
        spill = tempfile.mkdtemp(prefix="hookstream-query-")
        self.connection = connect(spill)
        self._finish = weakref.finalize(self, _free, self.connection, spill)
        try:
            if found.kind == "parquet":
                self._parquet(found.files)
            else:
                self._lines(found, texts, spill)
            for folder in found.closed:
                self._break(self._name(folder), 0, "the folder may not be listed")
            self._side_tables()
            self.connection.execute(views())
            lock(self.connection, self.files)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *gone: object) -> None:
        self.close()

    def close(self) -> None:
        self._finish()

    def _parquet(self, files: list[Path]) -> None:
        """`events` over Parquet files: what is torn is left out, what an older version did not
        write is null."""
        self.files = []
        for file in files:
            reason = self.damaged.get(str(file)) or is_whole(file)
            if reason is None:
                self.files.append(file)
            else:
                self._break(self._name(file), 0, reason)
        if not self.files:
            raise NothingToRead(f"{self.path}: no readable Parquet file; {self._first_broken()}")
        self.connection.execute("set variable parts = ?", [[str(file) for file in self.files]])
        self._scan = SCAN + ("true" if self._one(VERSIONS) != 1 else "false")
        held = self._held()
        missing = [name for name in NEEDED if name not in held]
        if missing:
            raise NothingToRead(f"{self.path}: Parquet, but no events (no column {missing[0]})")
        self._events([_column(name, kind, held) for name, kind in COLUMNS.items()])

    def _held(self) -> dict[str, str]:
        import duckdb

        try:
            rows = self.connection.execute(f"describe from {self._scan})").fetchall()
        except duckdb.Error as error:
            raise guard.refusal(error, f"{self.path}: ") from None
        return {row[0]: row[1] for row in rows}

    def _lines(self, found: Found, texts: bool, spill: str) -> None:
        """`events` over lines: through a Parquet file of our own."""
        target = Path(spill) / "lines.parquet"
        loaded = load.load(found.files, self._name, texts, target)
        self.broken = loaded.broken
        self.broken_count = loaded.broken_count
        if not loaded.rows and (self.broken_count or not found.named):
            what = self._first_broken() if self.broken else "it is empty"
            raise NothingToRead(f"{self.path}: holds no Agent Hooks event; {what}")
        self._parquet([target])

    def _events(self, columns: list[str]) -> None:
        """The view; what repeats an event id is listed once, in its own table, and left out."""
        scan = f"{self._scan})"
        # Of their hashes: half the work, and two ids of one hash only cost the slow way.
        if self._one(f"select count(*) - count(distinct hash(event_id)) from {scan}"):  # noqa: S608
            scan = f"{self._scan}, filename = true, file_row_number = true)"
            place = "filename, file_row_number"
            rank = f"row_number() over (partition by event_id order by {place})"
            self.connection.execute(
                f"create table repeated as from {scan} select {place} qualify {rank} > 1"
            )
            scan = f"(from {scan} anti join repeated using ({place}))"
        self.connection.execute(
            f"create view events as select {', '.join(columns)} from {scan} where {FILTERED}"  # noqa: S608
        )

    def _one(self, query: str) -> Any:
        import duckdb

        try:
            row = self.connection.execute(query).fetchone()
        except duckdb.Error as error:
            raise guard.refusal(error, f"{self.path}: ") from None
        return row[0] if row else None

    def _side_tables(self) -> None:
        folder = self.path.resolve() if self.path.is_dir() else self.path.resolve().parent
        beside = self.path.is_dir() or self.path.name.startswith("agent-hooks")
        rejected = load.rejections(folder, self._name) if beside else []
        for table, rows in (("broken_lines", self.broken), ("rejected", rejected)):
            self.connection.execute(
                f"create table {table} (file VARCHAR, line BIGINT, reason VARCHAR)"
            )
            if rows:
                self.connection.executemany(f"insert into {table} values (?, ?, ?)", rows)  # noqa: S608

    def pair(self) -> None:
        """What questions about calls need beyond the views; costs nothing the second time."""
        if self._paired:
            return
        self.filter()
        if self._one("select exists (from call_events where call_id is null and is_before)"):
            self.connection.execute("insert into paired from found_pairs")
        if self._one(REUSED):
            self.connection.execute("insert into reused from found_reused")
        self._paired = True

    def filter(
        self,
        tool: str | None = None,
        session: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> None:
        """Narrows `events` (and all that is made of it) from now on; None takes a bound away."""
        for name, value in (
            ("f_tool", tool),
            ("f_session", session),
            ("f_since", since),
            ("f_until", until),
        ):
            self.connection.execute(f"set variable {name} = ?", [value])

    def warnings(self) -> list[str]:
        """One line where something could not be read: how much, and where the first is."""
        if not self.broken_count:
            return []
        lines = (
            "1 line or file" if self.broken_count == 1 else f"{self.broken_count} lines or files"
        )
        return [f"{lines} could not be read and were left out: {self._first_broken()}"]

    def _break(self, file: str, line: int, reason: str) -> None:
        self.broken.append((file, line, reason))
        self.broken_count += 1

    def _first_broken(self) -> str:
        file, line, reason = self.broken[0]
        more = f" (and {self.broken_count - 1} more)" if self.broken_count > 1 else ""
        return f"{file}:{line}: {reason}{more}" if line else f"{file}: {reason}{more}"

    def _name(self, file: Path) -> str:
        """The file as the user would name it: below the path that was given."""
        root = self.path.resolve()
        return file.relative_to(root).as_posix() if root in file.parents else file.name


def find_damaged(path: Path) -> dict[str, str]:
    """Which Parquet files at a path cannot be read to their end, and why: each is read whole."""
    import duckdb

    made: dict[str, str] = {}
    with duckdb.connect() as connection:
        for file in find(path).files:
            if file.suffix != ".parquet" or is_whole(file) is not None:
                continue
            try:
                connection.execute(
                    "select bit_xor(hash(part)) from read_parquet(?) as part", [str(file)]
                ).fetchall()
            except duckdb.Error as error:
                _, _, why = guard.one_line(error).rpartition('": ')
                made[str(file)] = f"damaged: {why[:120].strip()}"
    return made


def views() -> str:
    return resources.files("hookstream.queries").joinpath("views.sql").read_text("utf-8")


def _column(name: str, kind: str, held: dict[str, str]) -> str:
    want = TYPES[kind]
    if name not in held:
        return f'cast(null as {want}) as "{name}"'
    if held[name].replace('"', "") == want.replace('"', ""):
        return f'"{name}"'
    return f'try_cast("{name}" as {want}) as "{name}"'


def _free(connection: duckdb.DuckDBPyConnection, spill: str) -> None:
    connection.close()
    shutil.rmtree(spill, ignore_errors=True)
