"""The lake as the pages see it: a few open datasets, each asked one question at a time, opened
again when new parts have arrived."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookstream.core.logs import say_error
from hookstream.queries import costs, guard, unmatched
from hookstream.queries.errors import QueryError, QueryStopped
from hookstream.queries.runner import Damage, Filters, open_whole
from hookstream.tables.connection import memory_of, share_of_memory
from hookstream.tables.manifest import date_of
from hookstream.ui.casebook import ROTATED, Casebook

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hookstream.queries.stream import OpenStream
    from hookstream.queries.unmatched import RulesHere

    Dates = tuple[date, date]
    Who = tuple[str, str, str]

TIMEOUT_S = 30.0
KEEP_TIMEOUT_S = 300.0
# In SQL of ours: the rows that are kept; and what their tables are called.
ROWS = "kept_rows"
NOBODY = ("", "", "")
KEPT = "kept_"
MOST_KEPT = 48
REOPEN_S = 10.0
# Questions at once, each with a dataset and so much memory; rows of one answer.
MOST_READERS = 3
MEMORY_BYTES = 640 << 20
MOST_ROWS = 1_000_000


@dataclass(frozen=True)
class Answer:
    """Rows in order with their columns; `elapsed_ms` is the time the question took."""

    columns: list[str]
    types: list[str]
    rows: list[tuple[Any, ...]]
    elapsed_ms: float

    def dicts(self) -> list[dict[str, Any]]:
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


# How many people a list of people adds up at least.
SMALLEST_GROUP = 5


class BrowsedLake:
    """A lake, JSONL folder or hook log, open for questions from several threads: each has a
    separate reader while it is asked, so that none waits for another's. `rules` are the permission
    rules of this machine, `readers` how many may be open; `quiet`: damaged files are not
    reported."""

    def __init__(
        self,
        path: Path,
        rules: RulesHere | None = None,
        readers: int = MOST_READERS,
        quiet: bool = False,
    ) -> None:
        self.path = path
        self.rules = rules
        self.casebook = Casebook(path)
        # What makes tables of ours, by their names; a page may add its own.
        self.own = {ROTATED: self.casebook.fill_rotated}
        # Warnings that were said: each once, whichever reader has them.
        self.said: set[str] = set()
        self.quiet = quiet
        self.smallest_group = SMALLEST_GROUP
        self._most = readers
        self._readers: list[DatasetReader] = []
        self._idle: list[DatasetReader] = []
        self._free = threading.Condition()

    def ask(
        self,
        sql: str,
        parameters: Sequence[Any] = (),
        limit: int | None = None,
        over: str | None = None,
        dates: Dates | None = None,
        client: str | None = None,
        session: str | None = None,
        timeout_s: float | None = None,
        who: Who = NOBODY,
    ) -> Answer:
        """The rows of one SELECT. Raises RefusedSQL or QueryError with one line for the user, also
        where there are more than MOST_ROWS and no `limit`.

        `over` is a SELECT of ours whose rows are called ROWS in `sql`: they are derived
        once for a state of the lake, so that filters, groups and pages do not derive them again.
        `dates` are the first and last whose events matter, `client` and `session` those whose:
        parts of others are not opened. `over` is derived of `who` alone, a client, machine and user
        (empty: of all). QueryStopped after `timeout_s` (None: TIMEOUT_S).
        """
        guard.check(sql)
        with self._reader(over) as reader:
            answer = reader.ask(
                sql,
                parameters,
                limit or MOST_ROWS + 1,
                over,
                dates,
                client,
                session,
                timeout_s,
                who,
            )
        if limit is None and len(answer.rows) > MOST_ROWS:
            raise QueryError(f"more than {MOST_ROWS} rows; narrow them, or use hookstream query")
        return answer

    def cost_of(self, session: str, machine: str, tool: str) -> tuple[float | None, int]:
        """The cost of a session's answers in dollars (None without any price), and the number of
        those without a price; empty `machine` and `tool` take all."""
        from hookstream.queries.prices import read_prices

        filters = Filters(session=session, machine=machine or None, tool=tool or None)
        with self._reader() as reader:
            stream = reader.open()
            with _bounded(stream, TIMEOUT_S):
                try:
                    rows = costs.costs(stream, read_prices(None), filters)
                finally:
                    stream.filter()
        known = [row["cost_usd"] for row in rows if row["cost_usd"] is not None]
        unpriced = sum(row["answers"] for row in rows if row["cost_usd"] is None)
        return (sum(known) if known else None), unpriced

    @contextmanager
    def _reader(self, over: str | None = None) -> Iterator[DatasetReader]:
        """An idle reader, best the one that has kept the rows of `over`."""
        with self._free:
            until = time.monotonic() + TIMEOUT_S
            while not self._idle and len(self._readers) >= self._most:
                if not self._free.wait(until - time.monotonic()):
                    raise QueryError("too many questions at once; ask again in a moment")
            if not self._idle:
                self._idle.append(DatasetReader(self))
                self._readers.append(self._idle[0])
            reader = next((one for one in self._idle if over in one.kept), self._idle[0])
            self._idle.remove(reader)
        try:
            yield reader
        finally:
            with self._free:
                # The one used last is asked first: it has kept what pages in a row need.
                self._idle.insert(0, reader)
                self._free.notify()

    def changed(self, name: str) -> None:
        """A table of `own` has other rows now: what was derived of it is derived again."""
        with self._free:
            for reader in self._readers:
                reader.outdated.add(name)

    def open_again(self) -> None:
        """Open the lake again for the next question of each reader: its tables have changed."""
        with self._free:
            for reader in self._readers:
                reader.is_outdated = True

    def one(self, sql: str, parameters: Sequence[Any] = (), over: str | None = None) -> Any:
        """The first value of the first row, None for an empty answer."""
        rows = self.ask(sql, parameters, over=over).rows
        return rows[0][0] if rows else None

    def hides_people(self) -> bool:
        """Return whether lists of people add them up: in a lake of more than one person."""
        people = "select count(distinct user_id) from base.known"
        return self.smallest_group > 1 and bool(self.one(people) > 1)

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
        with self._reader() as reader:
            found = {date_of(file) for file in reader.open().files} - {""}
        known = sorted(map(date.fromisoformat, found))
        return (known[-days], known[-1]) if len(known) > days else None

    def close(self) -> None:
        """Close every reader that is idle; a busy one closes with the process."""
        with self._free:
            for reader in self._idle:
                reader.close()


class DatasetReader:
    """One open dataset for one question at a time, opened again when new parts have arrived.
    `outdated` names tables of ours that have other rows since they were made here;
    `is_outdated`: the lake's tables have."""

    def __init__(self, lake: BrowsedLake) -> None:
        self.lake = lake
        self.kept: dict[str, str] = {}
        self.outdated: set[str] = set()
        self.is_outdated = False
        self._stream: OpenStream | None = None
        self._damage = Damage()
        self._signature: tuple[int, int] = (0, 0)
        self._checked_s = 0.0
        self._made = 0
        self._provided: set[str] = set()

    def ask(
        self,
        sql: str,
        parameters: Sequence[Any],
        limit: int,
        over: str | None,
        dates: Dates | None,
        client: str | None,
        session: str | None,
        timeout_s: float | None = None,
        who: Who = NOBODY,
    ) -> Answer:
        started = time.perf_counter()
        while True:
            try:
                described, rows = self._ask(
                    sql,
                    parameters,
                    limit,
                    over,
                    dates,
                    client,
                    session,
                    timeout_s or TIMEOUT_S,
                    who,
                )
                break
            except QueryError as error:
                if not self._damage.look(self.lake.path, error, self._stream):
                    raise
                self._open_again()
        elapsed_ms = (time.perf_counter() - started) * 1000
        columns = [str(column[0]) for column in described]
        return Answer(columns, [str(column[1]) for column in described], rows, elapsed_ms)

    def _ask(
        self,
        sql: str,
        parameters: Sequence[Any],
        limit: int,
        over: str | None,
        dates: Dates | None,
        client: str | None,
        session: str | None,
        timeout_s: float,
        who: Who,
    ) -> tuple[list[Any], list[tuple[Any, ...]]]:
        """The description and the rows of one SELECT."""
        stream = self.open()
        while self.outdated:
            self._derive_again(stream, self.outdated.pop())
        if over is not None:
            sql = sql.replace(ROWS, self._keep(stream, over, who))
        self._provide(stream, sql)
        with _bounded(stream, timeout_s):
            stream.prepare(sql)
            stream.name_questions(sql)
            reading = stream.reading
            reading.narrow(reading.parts_of_dates(dates, session, client))
            stream.connection.execute("begin transaction read only")
            try:
                cursor = stream.connection.execute(sql, list(parameters))
                described = cursor.description or []
                rows = cursor.fetchmany(limit)
            finally:
                stream.connection.execute("rollback")
        return described, rows

    def _keep(self, stream: OpenStream, sql: str, who: Who) -> str:
        """The temporary table of the rows of a SELECT; the one not asked for longest goes."""
        key = "\n".join((sql, *who)).rstrip("\n")
        if key in self.kept:
            self.kept[key] = self.kept.pop(key)
            return self.kept[key]
        run = stream.connection.execute
        with _bounded(stream, KEEP_TIMEOUT_S):
            if len(self.kept) >= MOST_KEPT:
                run(f"drop table {self.kept.pop(next(iter(self.kept)))}")
            self._made += 1
            name = f"{KEPT}{self._made}"
            self._provide(stream, sql)
            stream.prepare(sql)
            stream.name_questions(sql)
            tool, machine, user = (value or None for value in who)
            stream.filter(tool, machine=machine, user=user)
            run(f"create or replace temp table {name} as {sql}")
            stream.filter()
        self.kept[key] = name
        return name

    def _provide(self, stream: OpenStream, sql: str) -> None:
        """Make the tables of `own` that SQL names."""
        for name, fill in self.lake.own.items():
            if name in sql and name not in self._provided:
                fill(stream.connection)
                self._provided.add(name)
        if costs.NAMED.search(sql) and costs.NAME not in self._provided:
            from hookstream.queries.prices import read_prices

            costs.fill(stream, read_prices(None))
            self._provided.add(costs.NAME)
        if "permissions" in sql and "permissions" not in self._provided:
            stream.prepare("derived.calls")
            unmatched.fill(stream, sql, self.lake.rules)
            self._provided.add("permissions")

    def _derive_again(self, stream: OpenStream, name: str) -> None:
        self._provided.discard(name)
        for sql in [sql for sql in self.kept if name in sql]:
            stream.connection.execute(f"drop table {self.kept.pop(sql)}")

    def open(self) -> OpenStream:
        """The open dataset; a new one where files have changed since the last look."""
        now = time.monotonic()
        outdated, self.is_outdated = self.is_outdated, False
        if self._stream is not None and not outdated and now - self._checked_s < REOPEN_S:
            return self._stream
        self._checked_s = now
        signature = signature_of(self.lake.path)
        if self._stream is None or outdated or signature != self._signature:
            self._damage = Damage()
            self._signature = signature
            return self._open_again()
        return self._stream

    def _open_again(self) -> OpenStream:
        """The dataset without what is known to be damaged, said once on stderr."""
        with memory_of(min(MEMORY_BYTES, share_of_memory(2 * MOST_READERS))):
            opened = open_whole(self.lake.path, "select agent_hooks from events", self._damage)
        self.close()
        self._stream = opened
        self.kept.clear()
        self._provided.clear()
        for warning in opened.warnings():
            if warning not in self.lake.said and not self.lake.quiet:
                self.lake.said.add(warning)
                say_error(warning)
        return opened

    def close(self) -> None:
        if self._stream is not None:
            self._stream.close()
            self._stream = None


@contextmanager
def _bounded(stream: OpenStream, seconds: float) -> Iterator[None]:
    """Stop what is computed over a stream after so long; DuckDB's errors become ours."""
    import duckdb

    timer = threading.Timer(seconds, stream.interrupt)
    timer.start()
    try:
        yield
    except duckdb.InterruptException:
        raise QueryStopped(f"stopped after {seconds:.0f} s; narrow the time range") from None
    except duckdb.Error as error:
        raise guard.refusal(error) from None
    finally:
        timer.cancel()


def signature_of(path: Path) -> tuple[int, int]:
    """Return how many files there are and when the newest changed (ns)."""
    files = [path] if path.is_file() else [file for file in path.rglob("*") if file.is_file()]
    newest = 0
    for file in files:
        try:
            newest = max(newest, file.stat().st_mtime_ns)
        except OSError:  # gone since: a compaction
            continue
    return len(files), newest
