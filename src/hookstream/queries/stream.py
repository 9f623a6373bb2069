"""A stream opened for questions: one DuckDB connection with the same `events` view over Parquet
parts or over lines, locked down before anybody's SQL runs.

    events          the columns of hookstream.lake.columns, equal event ids once (the first is kept)
    broken_lines    file, line, reason of what could not be read and was left out
    rejected        file, line, reason of the rejection records next to the stream
    cut_sessions    machine_id, tool, session_id, records, removed_at of what retention cut
    calls, denies ...   the questions by name, as views, where SQL names them

A lake is scanned in place; lines are first made columns in a private temporary folder.
"""

from __future__ import annotations

import os
import weakref
from contextlib import suppress
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

from hookstream.core.errors import NothingToRead
from hookstream.lake.damage import is_whole, unreadable
from hookstream.queries import guard, names, side_tables
from hookstream.queries.bounds import unwatch, watch
from hookstream.queries.names import FILTERED, LATE_EVENTS, LISTING, MACROS, MORE, READ, WORD
from hookstream.queries.reading import StreamScan
from hookstream.queries.sources import StreamFiles, find, places
from hookstream.tables import manifest
from hookstream.tables.connection import close, connect, lock, spill_folder
from hookstream.tables.events import NoEvents
from hookstream.tables.manifest import Lake
from hookstream.tables.relations import NAMED, TABLES
from hookstream.tables.stored import Merged, relations_of

if TYPE_CHECKING:
    from datetime import datetime

    import duckdb

    from hookstream.tables.manifest import TablesManifest


# Parquet files of up to this size hold few events: some thousand.
FEW_BYTES = 1 << 20


class OpenStream:
    """An open stream. `broken` counts what could not be read; `close` frees what it holds.

    `damaged` is why Parquet files that look complete cannot be read: they are left out. `doubted`
    is what is wrong with the tables, which are not read then; `has_tables` whether they are.
    """

    def __init__(
        self,
        path: Path,
        texts: bool,
        damaged: dict[str, str] | None = None,
        doubted: str = "",
    ) -> None:
        found = find(path)
        self.path = path
        self._root = str(path.resolve()).rstrip(os.sep) + os.sep
        self.damaged = damaged or {}
        self.doubted = doubted
        self.kind = found.kind
        self.files: list[str] = []
        self.broken: list[tuple[str, int, str]] = []
        self.broken_count = 0
        self._views: set[str] = set()
        self._filters: dict[str, object] = {}
        self._heard: tuple[datetime, datetime | None] | None = None
        self._stored: Merged | None = None
        # What the tables lack is derived over a second connection.
        self._rest: duckdb.DuckDBPyConnection | None = None
        # Whether a question reads no events but those its filters leave.
        self._prunes = False
        spill = spill_folder()
        self.connection = connect(spill)
        watch(self.connection)
        self._finish = weakref.finalize(self, close, self.connection, spill)
        try:
            for stray, why in found.strays.items():
                self._break(stray, 0, why)
            if found.kind == "parquet":
                self._parquet(found.files, found.sizes)
            else:
                self._lines(found, texts, spill)
            for folder in found.closed:
                self._break(self._name(folder), 0, "the folder may not be listed")
            self._side_tables()
            files, folders = places(self.files)
            if self._stored is not None:
                folders.append(os.fspath(self._stored.lake.tables))
            lock(self.connection, files, folders)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> OpenStream:
        return self

    def __exit__(self, *gone: object) -> None:
        self.close()

    def interrupt(self) -> None:
        """Stop what is being computed."""
        for one in filter(None, (self.connection, self._rest)):
            one.interrupt()

    def close(self) -> None:
        import duckdb

        if self._rest is not None:
            unwatch(self._rest)
            # One that was interrupted may still be running.
            with suppress(duckdb.Error):
                self._rest.close()
        unwatch(self.connection)
        self._finish()

    def _parquet(self, files: list[str], sizes: dict[str, int]) -> None:
        """`events` over Parquet files: what is torn is left out, what an older version did not
        write is null."""
        import duckdb

        known = self._manifest()
        parts = {self._name(file): sizes.get(file, -1) for file in files}
        names = dict(zip(files, parts, strict=True))
        # What tables were made of had a footer that could be read; it may be torn since.
        torn = {file: reason for file in files if (reason := is_whole(Path(file))) is not None}
        doubtful = [
            file
            for file, name in names.items()
            if file not in self.damaged
            and file not in torn
            and not (known and known.covers(name, parts[name]))
        ]
        flaws = torn | self.damaged | unreadable(doubtful, self.connection)
        for file, name in names.items():
            if file in flaws:
                self._break(name, 0, flaws[file])
                del parts[name]
            else:
                self.files.append(file)
        if not self.files:
            raise NothingToRead(f"{self.path}: no readable Parquet file; {self._first_broken()}")
        try:
            self._relate(known, parts)
        except NoEvents as lack:
            raise NothingToRead(f"{self.path}: Parquet, but no events (no column {lack})") from None
        except duckdb.Error as error:
            raise guard.refusal(error, f"{self.path}: ") from None

    def _lines(self, found: StreamFiles, texts: bool, spill: str) -> None:
        """`events` over lines: through a temporary Parquet file."""
        from hookstream.queries.load import load

        target = Path(spill) / "lines.parquet"
        loaded = load([Path(file) for file in found.files], self._name, texts, target)
        self.broken += loaded.broken
        self.broken_count += loaded.broken_count
        if not loaded.rows and (self.broken_count or not found.named):
            what = self._first_broken() if self.broken else "it is empty"
            if "event_type: missing" in what:  # lines of a log: what events are made of
                what += f"; make a stream of them: hookstream run {self.path} --to parquet:lake"
            raise NothingToRead(f"{self.path}: holds no Agent Hooks event; {what}")
        self._parquet([str(target)], {str(target): target.stat().st_size})

    def _manifest(self) -> TablesManifest | None:
        """The manifest of the tables next to the lake; None if none can be used."""
        if not self.path.is_dir() or self.kind != "parquet" or self.damaged or self.doubted:
            return None
        known, self.doubted = manifest.look(manifest.folder_of(self.path))
        return known

    @property
    def has_tables(self) -> bool:
        return self._stored is not None

    def _relate(self, known: TablesManifest | None, sizes: dict[str, int]) -> None:
        """The relations: read from the tables next to the lake if these have them, else derived."""
        merged = None
        if known is not None:
            self._rest = self.connection.cursor()
            watch(self._rest)
            merged = Merged(self.connection, Lake.at(self.path, sizes), known, self._rest)
        self.relations, merged = relations_of(self.connection, merged)
        self.reading = StreamScan(self.connection, self.files, merged, self.relations)
        self.relations.ready["events"] = self.reading.show_events
        is_small = min(sizes.values()) >= 0 and sum(sizes.values()) <= FEW_BYTES
        if merged is None and is_small:
            self.relations.copy_few()
        self._stored = merged
        run = self.connection.execute
        run("create schema derived")
        run("create schema whole")
        run("create schema spanned")
        for text in (LATE_EVENTS, *MACROS):
            run(text)
        if merged is None:
            self._show_filtered()

    def count_loops_from(self, failures: int) -> None:
        """Decide retry loops by another threshold than the tables'; for a stream just opened."""
        if self._stored is None or self._stored.manifest.loop_failures != failures:
            self.relations.count_loops_from(failures)

    def _show_filtered(self) -> None:
        """`events` and `stream`, without what is filtered away."""
        if "stream" in self._views:
            return
        self._views |= {"events", "stream"}
        self.relations.ensure(["events", "stream"])
        for name in ("events", "stream"):
            self.connection.execute(
                f"create view {name} as from base.{name} "
                f'where heard_within("timestamp", received_at) and {FILTERED}'
            )

    def _side_tables(self) -> None:
        folder = self.path.resolve() if self.path.is_dir() else self.path.resolve().parent
        beside = self.path.is_dir() or self.path.name.startswith("agent-hooks")
        rejected = side_tables.rejections(folder, self._name) if beside else []
        side_tables.fill(self.connection, self.broken, rejected, folder)

    def prepare(self, sql: str, *, shipped: bool = False, of_span: bool = False) -> None:
        """Make what SQL names: relations and views. SQL that is `shipped` reads events only where
        it says `from` or `join`; `of_span` says that a time will bound the events."""
        import duckdb

        try:
            self._prepare(sql, shipped, of_span)
        except duckdb.Error as error:
            raise guard.refusal(error) from None

    def _prepare(self, sql: str, shipped: bool, of_span: bool) -> None:
        self._bind()
        self.reading.begin()
        if names.reads_events(sql) if shipped else names.names_events(sql):
            self._show_filtered()
        self._prunes = names.read_in(sql) <= {*TABLES, "evidence", "known"}
        self.relations.ensure(name for name in NAMED.findall(sql) if name in READ)
        for view, needs, text in names.views_in(sql, of_span):
            if self._views.isdisjoint((view, f"{view} of_span")):
                self._views.add(view)
                if "events" in needs:
                    self._show_filtered()
                self.relations.ensure(needs)
                self.connection.execute(text)

    def last_day(self) -> datetime | None:
        """When the last day that has an event begins."""
        self.reading.events_alone()
        found = "select date_trunc('day', max(\"timestamp\")) from base.events"
        row = self.connection.execute(found).fetchone()
        return row[0] if row else None

    def end_of_first_day(self, since: datetime | None) -> datetime | None:
        """When the first day that has parts ends, where their names say it."""
        return None if self._stored is None else self._stored.end_of_first_date(since)

    def name_questions(
        self, sql: str, *, of_span: bool = False, within: frozenset[str] = frozenset()
    ) -> None:
        """Make a view of each question that free SQL names, or of all if it asks for names. SQL of
        own questions names others; those whose SQL it is `within` are not made again."""
        import duckdb

        from hookstream.queries.catalog import finer, queries
        from hookstream.queries.own import file_of, located

        asked = {**finer(), **queries()}
        known = {name: one.sql for name, one in asked.items()}
        known |= {name: f"from derived.{of}" for name, of in MORE.items()}
        words = {word.lower() for word in WORD.findall(sql)}
        if names.names_events(sql):
            self._show_filtered()
        wanted = (set(known) if words & LISTING else words & set(known)) - within
        is_ordered = not names.is_sorted_anew(sql)
        for name in sorted(wanted):
            # What has been made in order does for all.
            known_so = f"{name} in order" in self._views or (name in self._views and not is_ordered)
            if known_so and not of_span:  # it may have been made for no span
                continue
            text = known[name]
            own = name in asked and asked[name].own
            self.prepare(text, shipped=not own, of_span=of_span)
            if own:
                self.name_questions(text, of_span=of_span, within=within | {name})
            if not is_ordered:
                text = names.without_order(text)
            try:
                self.connection.execute(f'create or replace view "{name}" as\n{text}')
            except duckdb.Error as error:
                if not own:
                    raise
                if words & LISTING and name not in words:
                    continue  # one that is not asked for stops nothing
                fault = guard.refusal(error)
                raise located(file_of(name), asked[name].sql, fault) from None
            self._views |= {name, f"{name} in order"} if is_ordered else {name}

    def filter(
        self,
        tool: str | None = None,
        session: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
        machine: str | None = None,
        user: str | None = None,
    ) -> None:
        """Narrow `events` (and all that is made of it) from now on; None takes a bound away."""
        import duckdb

        self._bind(tool, session, since, until, machine, user)
        parts = None
        try:
            if self._stored is not None and self._stored.is_current and self._prunes:
                parts = self.reading.parts_of(session, since, until)
                if since is not None:
                    parts = [*parts, *self.reading.parts_heard(parts, since)]
            self.reading.narrow(parts)
        except duckdb.Error as error:
            raise guard.refusal(error) from None

    def hear(self, since: datetime | None, until: datetime | None) -> bool:
        """Make rows of a span count by their receipt too: fill `base.late_events`. Return whether
        there are any."""
        if since is None:
            return False
        run = self.connection.execute
        if (since, until) != self._heard:
            self.reading.events_alone()
            run("delete from base.late_events")
            late = (
                "insert into base.late_events "
                "select event_id, session_id, concat(session_id, ' ', epoch_us(\"timestamp\")) "
                'from base.events where "timestamp" < ? '
                "and received_at >= ? and (? is null or received_at < cast(? as timestamp))"
            )
            run(late, [since, since, until, until])
            self._heard = since, until
        return run("from base.late_events limit 1").fetchone() is not None

    def _bind(self, *values: object) -> None:
        names = ("f_tool", "f_session", "f_since", "f_until", "f_machine", "f_user")
        for name, value in zip_longest(names, values):
            if value != self._filters.get(name):
                self.connection.execute(f"set variable {name} = ?", [value])
                self._filters[name] = value

    def warnings(self) -> list[str]:
        """One line where something could not be read: how much, and where the first is; one where
        the tables are damaged."""
        doubts = []
        if self.doubted:
            folder = manifest.folder_of(self.path)
            doubts.append(
                f"{folder}: damaged tables ({self.doubted}): answered from the events; "
                f"hookstream tables {self.path} builds them again"
            )
        if not self.broken_count:
            return doubts
        lines = "1 line or file" if (n := self.broken_count) == 1 else f"{n} lines or files"
        return [*doubts, f"{lines} could not be read and were left out: {self._first_broken()}"]

    def _break(self, file: str, line: int, reason: str) -> None:
        self.broken.append((file, line, reason))
        self.broken_count += 1

    def _first_broken(self) -> str:
        file, line, reason = self.broken[0]
        more = f" (and {self.broken_count - 1} more)" if self.broken_count > 1 else ""
        return f"{file}:{line}: {reason}{more}" if line else f"{file}: {reason}{more}"

    def _name(self, file: Path | str) -> str:
        """The file as the user would name it: below the path that was given."""
        whole = str(file)
        below = whole.removeprefix(self._root)
        return Path(whole).name if below == whole else below.replace(os.sep, "/")
