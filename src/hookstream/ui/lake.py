"""The lake as the pages see it: one open dataset, asked one question at a time, reopened when new
parts have arrived."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookstream.queries import guard
from hookstream.queries.errors import QueryError
from hookstream.queries.runner import open_stream

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookstream.queries.stream import Stream

TIMEOUT_S = 30.0
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
    """A lake, JSONL folder or hook log, open for questions from several threads."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._stream: Stream | None = None
        self._signature: tuple[int, int] = (0, 0)
        self._checked_s = 0.0

    def ask(self, sql: str, parameters: Sequence[Any] = (), limit: int | None = None) -> Answer:
        """The rows of one SELECT. Raises RefusedSQL or QueryError with one line for the user."""
        import duckdb

        guard.check(sql)
        started = time.perf_counter()
        with self._lock:
            stream = self._open()
            connection = stream.connection
            timer = threading.Timer(TIMEOUT_S, connection.interrupt)
            timer.start()
            try:
                stream.prepare(sql)
                stream.name_questions(sql)
                connection.execute("begin transaction read only")
                try:
                    cursor = connection.execute(sql, list(parameters))
                    described = cursor.description or []
                    rows = cursor.fetchall() if limit is None else cursor.fetchmany(limit)
                finally:
                    connection.execute("rollback")
            except duckdb.InterruptException:
                raise QueryError(
                    f"stopped after {TIMEOUT_S:.0f} s; narrow the time range"
                ) from None
            except duckdb.Error as error:
                raise guard.refusal(error) from None
            finally:
                timer.cancel()
        elapsed_ms = (time.perf_counter() - started) * 1000
        columns = [str(column[0]) for column in described]
        return Answer(columns, [str(column[1]) for column in described], rows, elapsed_ms)

    def one(self, sql: str, parameters: Sequence[Any] = ()) -> Any:
        """The first value of the first row, None where there is no row."""
        rows = self.ask(sql, parameters).rows
        return rows[0][0] if rows else None

    def tables(self) -> dict[str, list[tuple[str, str]]]:
        """Every table and view with its (column, type) pairs, for the SQL page's completion."""
        answer = self.ask(
            "select table_name, column_name, data_type from information_schema.columns"
            " order by table_name, ordinal_position"
        )
        found: dict[str, list[tuple[str, str]]] = {}
        for table, column, kind in answer.rows:
            found.setdefault(table, []).append((column, kind))
        return found

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
            opened = open_stream(self.path, "select agent_hooks from events")
            if self._stream is not None:
                self._stream.close()
            self._stream, self._signature = opened, signature
        return self._stream


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
