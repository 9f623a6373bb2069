"""The lake as the pages see it: one open dataset, asked one question at a time, reopened when new
parts have arrived."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookstream.logs import say_error
from hookstream.queries import guard, unmatched
from hookstream.queries.errors import QueryError
from hookstream.queries.runner import Damage, open_whole
from hookstream.tables.manifest import date_of
from hookstream.ui import prices, rotated

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import duckdb

    from hookstream.queries.stream import Stream
    from hookstream.queries.unmatched import RulesHere

    Dates = tuple[date, date]

TIMEOUT_S = 30.0
KEEP_TIMEOUT_S = 300.0
# In SQL of ours: the rows that are kept; and what their tables are called.
ROWS = "kept_rows"
KEPT = "kept_"
MOST_KEPT = 24
REOPEN_S = 10.0


@dataclass(frozen=True)
class Answer:
    """Rows in order with their columns; `elapsed_ms` is the time the question took."""

    columns: list[str]
    types: list[str]
    rows: list[tuple[Any, ...]]
    elapsed_ms: float

    def dicts(self) -> list[dict[str, Any]]:
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


class Lake:
    """A lake, JSONL folder or hook log, open for questions from several threads. `rules` are the
    permission rules of this machine."""

    def __init__(self, path: Path, rules: RulesHere | None = None) -> None:
        self.path = path
        self.rules = rules
        self._lock = threading.Lock()
        self._stream: Stream | None = None
        self._damage = Damage()
        self._signature: tuple[int, int] = (0, 0)
        self._checked_s = 0.0
        self._kept: dict[str, str] = {}
        self._made = 0
        self._provided: set[str] = set()
        self.rotated = rotated.Rotated(path)
        # What makes tables of ours, by their names; a page may add its own.
        self.own = {prices.NAME: prices.fill, rotated.NAME: self.rotated.fill}

    def ask(
        self,
        sql: str,
        parameters: Sequence[Any] = (),
        limit: int | None = None,
        over: str | None = None,
        dates: Dates | None = None,
        client: str | None = None,
        session: str | None = None,
    ) -> Answer:
        """The rows of one SELECT. Raises RefusedSQL or QueryError with one line for the user.

        `over` is a SELECT of ours whose rows are called ROWS in `sql`: they are derived
        once for a state of the lake, so that filters, groups and pages do not derive them again.
        `dates` are the first and last whose events matter, `client` and `session` those whose:
        parts of others are not opened.
        """
        guard.check(sql)
        started = time.perf_counter()
        with self._lock:
            while True:
                try:
                    found = self._ask(sql, parameters, limit, over, dates, client, session)
                    break
                except QueryError as error:
                    if not self._damage.look(self.path, error, self._stream):
                        raise
                    self._reopen()
        elapsed_ms = (time.perf_counter() - started) * 1000
        described, rows = found
        columns = [str(column[0]) for column in described]
        return Answer(columns, [str(column[1]) for column in described], rows, elapsed_ms)

    def _ask(
        self,
        sql: str,
        parameters: Sequence[Any],
        limit: int | None,
        over: str | None,
        dates: Dates | None,
        client: str | None,
        session: str | None,
    ) -> tuple[list[Any], list[tuple[Any, ...]]]:
        """The description and the rows of one SELECT, the lock held."""
        stream = self._open()
        if over is not None:
            sql = sql.replace(ROWS, self._keep(stream, over))
        self._provide(stream, sql)
        with _bounded(stream.connection, TIMEOUT_S):
            stream.prepare(sql)
            stream.name_questions(sql)
            reading = stream.reading
            reading.narrow(reading.parts_of_dates(dates, session, client))
            stream.connection.execute("begin transaction read only")
            try:
                cursor = stream.connection.execute(sql, list(parameters))
                described = cursor.description or []
                rows = cursor.fetchall() if limit is None else cursor.fetchmany(limit)
            finally:
                stream.connection.execute("rollback")
        return described, rows

    def _keep(self, stream: Stream, sql: str) -> str:
        """The temporary table of the rows of a SELECT; the one not asked for longest goes."""
        if sql in self._kept:
            self._kept[sql] = self._kept.pop(sql)
            return self._kept[sql]
        run = stream.connection.execute
        with _bounded(stream.connection, KEEP_TIMEOUT_S):
            if len(self._kept) >= MOST_KEPT:
                run(f"drop table {self._kept.pop(next(iter(self._kept)))}")
            self._made += 1
            name = f"{KEPT}{self._made}"
            self._provide(stream, sql)
            stream.prepare(sql)
            stream.name_questions(sql)
            stream.filter()
            run(f"create or replace temp table {name} as {sql}")
        self._kept[sql] = name
        return name

    def _provide(self, stream: Stream, sql: str) -> None:
        """Make the tables of `own` that SQL names."""
        for name, fill in self.own.items():
            if name in sql and name not in self._provided:
                fill(stream.connection)
                self._provided.add(name)
        if "permissions" in sql and "permissions" not in self._provided:
            stream.prepare("derived.calls")
            unmatched.fill(stream, sql, self.rules)
            self._provided.add("permissions")

    def changed(self, name: str) -> None:
        """A table of `own` has other rows now: what was derived of it is derived again."""
        with self._lock:
            self._provided.discard(name)
            for sql in [sql for sql in self._kept if name in sql]:
                kept = self._kept.pop(sql)
                if self._stream is not None:
                    self._stream.connection.execute(f"drop table {kept}")

    def one(self, sql: str, parameters: Sequence[Any] = (), over: str | None = None) -> Any:
        """The first value of the first row, None for an empty answer."""
        rows = self.ask(sql, parameters, over=over).rows
        return rows[0][0] if rows else None

    def tables(self) -> dict[str, list[tuple[str, str]]]:
        """Every table and view with its (column, type) pairs, for the SQL page's completion."""
        answer = self.ask(  # listing names the questions, so that they are there as views
            "select table_name, column_name, data_type from information_schema.columns"
            f" where table_schema = 'main' and not starts_with(table_name, '{KEPT}')"
            " order by table_name, ordinal_position"
        )
        found: dict[str, list[tuple[str, str]]] = {}
        for table, column, kind in answer.rows:
            found.setdefault(table, []).append((column, kind))
        return found

    def newest(self, days: int) -> Dates | None:
        """The last N dates of the lake's parts; None if it has no more."""
        with self._lock:
            found = {date_of(file) for file in self._open().files} - {""}
        known = sorted(map(date.fromisoformat, found))
        return (known[-days], known[-1]) if len(known) > days else None

    def close(self) -> None:
        with self._lock:
            if self._stream is not None:
                self._stream.close()
                self._stream = None

    def _open(self) -> Stream:
        """The open dataset; a new one where files have changed since the last look."""
        now = time.monotonic()
        if self._stream is not None and now - self._checked_s < REOPEN_S:
            return self._stream
        self._checked_s = now
        signature = signature_of(self.path)
        if self._stream is None or signature != self._signature:
            self._damage = Damage()
            self._signature = signature
            return self._reopen()
        return self._stream

    def _reopen(self) -> Stream:
        """The dataset without what is known to be damaged, said once on stderr."""
        opened = open_whole(self.path, "select agent_hooks from events", self._damage)
        if self._stream is not None:
            self._stream.close()
        self._stream = opened
        self._kept.clear()
        self._provided.clear()
        for warning in opened.warnings():
            say_error(warning)
        return opened


@contextmanager
def _bounded(connection: duckdb.DuckDBPyConnection, seconds: float) -> Iterator[None]:
    """Stop what runs on the connection after so long; DuckDB's errors become ours."""
    import duckdb

    timer = threading.Timer(seconds, connection.interrupt)
    timer.start()
    try:
        yield
    except duckdb.InterruptException:
        raise QueryError(f"stopped after {seconds:.0f} s; narrow the time range") from None
    except duckdb.Error as error:
        raise guard.refusal(error) from None
    finally:
        timer.cancel()


def signature_of(path: Path) -> tuple[int, int]:
    """How many files there are and when the newest changed (ns)."""
    files = [path] if path.is_file() else [file for file in path.rglob("*") if file.is_file()]
    newest = 0
    for file in files:
        try:
            newest = max(newest, file.stat().st_mtime_ns)
        except OSError:  # gone since: a compaction
            continue
    return len(files), newest
