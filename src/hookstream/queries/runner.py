"""Questions and free SQL over a stream: what the command line calls.

with open_stream(path) as stream:
    result = ask(stream, "denies", Filters(since=moment("2026-11-01")), limit=50)
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

from hookstream.lake.damage import damaged as damaged_of
from hookstream.queries import costs, guard, own, unmatched
from hookstream.queries.catalog import NAME, Query, by, queries, query
from hookstream.queries.errors import QueryError
from hookstream.queries.sources import find
from hookstream.queries.stream import OpenStream
from hookstream.queries.unmatched import RulesHere
from hookstream.tables import manifest


def ends(
    stream: OpenStream, asked: Query, filters: Filters, limit: int | None, until: datetime | None
) -> Iterator[datetime | None]:
    """Until when events are asked: the first day's may fill a page of what comes day by day."""
    by_day = asked.passes and not (filters.session or filters.sort or filters.new)
    end = stream.end_of_first_day(filters.since) if by_day and limit is not None else None
    if end is not None and (until is None or end < until):
        yield end
    yield until


T = TypeVar("T")
LATE = "select {}_id from base.late_events"
CHUNK = 2048
ZONED = " WITH TIME ZONE"  # of a column's type
SPAN = re.compile(r"(\d{1,6})(s|m|h|d|w)\Z")
UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
# What may show the texts of events: a star (but count(*)), their names, a query without SELECT.
STAR = re.compile(r"count\s*\(\s*\*\s*\)", re.IGNORECASE)
WHOLE = re.compile(
    r"\*|agent_hooks|aarts|\bcolumns\b|(?:^|[(;,]|\bas)\s*(?:from|table|describe|summarize|show)\b",
    re.IGNORECASE,
)
# A table and its alias; either name standing alone elsewhere is a whole row.
TABLE = re.compile(r"\b(?:from|join)\s+(\w+)(?:\s+(?:as\s+)?(\w+))?", re.IGNORECASE)
COMMA = re.compile(r"\bfrom\s+\w+(?:\s+\w+){0,2}\s*,", re.IGNORECASE)
KEYWORDS = frozenset("where group order limit on using join left inner full having qualify".split())


@dataclass(slots=True, eq=False)
class Filters:
    """Filters of a question; None means no bound. Times are naive UTC, `until` excluded. `sort`
    names a column (turned around by a minus before it), `new` keeps rows with `is_new`, `threshold`
    says from how many failed attempts on a loop is one (None: as tables have it), `by` that rows
    about the fleet are told apart by `machine` or `session`."""

    since: datetime | None = None
    until: datetime | None = None
    tool: str | None = None
    session: str | None = None
    machine: str | None = None
    user: str | None = None
    sort: str | None = None
    new: bool = False
    threshold: int | None = None
    by: str | None = None


class Result:
    """Rows in order. `truncated` says that a limit cut them; `warnings` are lines for stderr;
    `shows` the columns a terminal has room for, if not all."""

    def __init__(self, columns: list[str], warnings: list[str]) -> None:
        self.columns = columns
        self.rows: list[tuple[Any, ...]] = []
        self.truncated = False
        self.shows: list[str] = []
        self.warnings = warnings

    @classmethod
    def of(
        cls, columns: Iterable[str], rows: Iterable[tuple[Any, ...]], shows: Iterable[str] = ()
    ) -> Result:
        """Rows that no question gave, as its answer."""
        made = cls(list(columns), [])
        made.rows, made.shows = list(rows), list(shows)
        return made


def rows_of(result: Result) -> list[dict[str, Any]]:
    return [dict(zip(result.columns, row, strict=True)) for row in result.rows]


def is_name(text: str) -> bool:
    """Return whether `hookstream query TEXT` means a question by name, not SQL."""
    return NAME.match(text) is not None


def open_stream(path: str | Path, sql: str | None = None) -> OpenStream:
    """The stream at a path: Parquet parts, or lines of agent-hooks.jsonl.

    `sql` is the free SQL that will be asked, if any: over lines it decides whether their texts must
    be held. Raises NothingToRead when the path holds no stream.
    """
    return open_whole(Path(path), sql)


def open_whole(path: Path, sql: str | None = None, found: Damage | None = None) -> OpenStream:
    """The stream at a path without what is known to be damaged."""
    found = found or Damage()
    texts = sql is not None and may_show_texts(sql)
    return OpenStream(path, texts, found.parts, found.tables)


class Damage:
    """Files that turned out to be damaged: Parquet files that look complete, and the tables next to
    them. `is_late` says that some of an answer is out already."""

    def __init__(self) -> None:
        self.parts: dict[str, str] = {}
        self.tables = ""
        self.is_late = False

    def look(self, path: Path, error: QueryError, stream: OpenStream | None) -> bool:
        """Return whether there is more of it than was known, that can explain an error."""
        if not error.unreadable or self.is_late:
            return False
        if stream is not None and stream.has_tables and not self.tables:
            # A file of theirs whose bytes are as they were written can be read.
            known, self.tables = manifest.look(manifest.folder_of(path), to_the_byte=True)
            if known is None:
                return True
        if not self.parts:
            self.parts = damaged_of(file for file in find(path).files if file.endswith(".parquet"))
            return bool(self.parts)
        return False


def read(path: str | Path, work: Callable[[OpenStream], T], sql: str | None = None) -> T:
    """Return the result of `work` on the stream at a path, opened as by `open_stream`.

    Parquet files that look complete and turn out to be damaged are left out, and so are damaged
    tables; then `work` is done once more: one file never blinds a question. Raises what `work` and
    `open_stream` raise.
    """
    import duckdb

    path, found = Path(path), Damage()
    while True:
        stream = None
        try:
            with open_whole(path, sql, found) as stream:
                return work(stream)
        except QueryError as error:
            if not found.look(path, error, stream):
                raise
        except duckdb.Error as error:
            refused = guard.refusal(error)
            if not found.look(path, refused, stream):
                raise refused from None


def may_show_texts(sql: str) -> bool:
    """Return whether SQL may show the columns agent_hooks or aarts. Wrong only on the side of
    yes.
    """
    text = STAR.sub("1", sql)
    if WHOLE.search(text) is not None or COMMA.search(text) is not None:
        return True
    names = {name for found in TABLE.finditer(text) for name in found.groups() if name}
    names -= {name for name in names if name.lower() in KEYWORDS}
    rest = TABLE.sub("", text)
    return any(re.search(rf"\b{re.escape(name)}\b(?!\s*[.(])", rest) for name in names)


def ask(
    stream: OpenStream,
    name: str,
    filters: Filters | None = None,
    limit: int | None = None,
    rules: RulesHere | None = None,
) -> Result:
    """A question by name; `rules` are those that `permissions` compares. Raises UnknownQuery, and
    for a fault in a question of the user's a QueryError with its file and line."""
    asked = by(query(name), filters.by if filters else None)
    try:
        return _ask(stream, asked, filters, limit, rules)
    except QueryError as error:
        if not asked.own or not error.hint:
            raise
        raise own.located(own.file_of(asked.name), asked.sql, error, queries()) from None


def _ask(
    stream: OpenStream,
    asked: Query,
    filters: Filters | None,
    limit: int | None,
    rules: RulesHere | None,
) -> Result:
    _check(limit)
    filters = filters or Filters()
    # If a row has a separate time the span is about the rows: what led to one and what followed
    # must still be seen.
    whole = asked.time is not None
    of_span = not whole and bool(filters.since or filters.until or filters.new)
    if asked.own:
        # It may name others; its own name in it would name itself.
        stream.name_questions(re.sub(rf"\b{asked.name}\b", "", asked.sql), of_span=of_span)
    if filters.threshold is not None:
        stream.count_loops_from(filters.threshold)
    stream.prepare(asked.sql, shipped=not asked.own, of_span=of_span)
    if filters.new and filters.since is None:
        filters.since = stream.last_day()
    since, until = (None, None) if whole else (filters.since, filters.until)
    heard = heard_late(stream, asked, filters)
    if asked.own or "heard(" in asked.sql:
        stream.hear(since, until)
    for end in ends(stream, asked, filters, limit, until):
        span = Filters(since, end, filters.tool, filters.session, filters.machine, filters.user)
        costs.fill_named(stream, asked.sql if asked.own else asked.name, span)
        stream.filter(filters.tool, filters.session, since, end, filters.machine, filters.user)
        unmatched.fill(stream, asked.name, rules)
        span_of_rows = within_span(asked, filters, heard)
        sql = _cut(_arranged(stream, asked.sql, filters), limit, span_of_rows)
        result = _collect(stream, sql, limit)
        if result.truncated:
            break
    result.shows = asked.shows
    if asked.wants_session and filters.session is None:
        result.warnings.append(
            f"{asked.name} is meant for one session: add --session ID"
            " (`hookstream query sessions LAKE` lists them)"
        )
    return result


def ask_sql(
    stream: OpenStream,
    sql: str,
    filters: Filters | None = None,
    limit: int | None = None,
    rules: RulesHere | None = None,
) -> Result:
    """Free SQL: one SELECT. Raises RefusedSQL."""
    guard.check(sql)
    _check(limit)
    filters = filters or Filters()
    if filters.threshold is not None:
        stream.count_loops_from(filters.threshold)
    of_span = bool(filters.since or filters.until)
    stream.name_questions(sql, of_span=of_span)
    stream.prepare(sql, of_span=of_span)
    costs.fill_named(stream, sql, filters)
    stream.hear(filters.since, filters.until)
    stream.filter(
        filters.tool, filters.session, filters.since, filters.until, filters.machine, filters.user
    )
    unmatched.fill(stream, sql, rules)
    return _collect(stream, _arranged(stream, sql, filters), limit)


def _arranged(stream: OpenStream, sql: str, filters: Filters) -> str:
    """The SQL sorted and narrowed as asked. Raises QueryError for a column that is not there."""
    if filters.sort is None and not filters.new:
        return sql
    text = f"(\n{_bare(sql)}\n) as asked"
    guard.execute(stream.connection, f"select * from {text} limit 0")  # noqa: S608
    columns = [column[0] for column in stream.connection.description or []]
    stream.connection.execute("rollback")
    made = f"from {text}"
    if filters.new:
        if "is_new" not in columns:
            raise QueryError("--new: this question has no column is_new")
        made += " where is_new"
    if filters.sort is not None:
        column = filters.sort.removeprefix("-")
        if column not in columns:
            raise QueryError(f"--sort: no column {column!r}; there are {', '.join(columns)}")
        quoted = column.replace('"', '""')
        made += f' order by "{quoted}"{" desc" if filters.sort.startswith("-") else ""} nulls last'
    return made


def _bare(sql: str) -> str:
    """SQL that can be put in brackets."""
    return sql.rstrip().rstrip(";")


def _cut(sql: str, limit: int | None, span: str) -> str:
    """No more than one row over the limit, of the span, in the order of the SQL: what sorts for a
    page need not sort all."""
    if limit is None and not span:
        return sql
    made = f"from (\n{_bare(sql)}\n) as asked"
    if span:
        made += f"\nwhere {span}"
    return made if limit is None else f"{made}\nlimit {limit + 1}"


def _check(limit: int | None) -> None:
    if limit is not None and limit < 0:
        raise QueryError(f"--limit: {limit} is less than 0")


def within_span(asked: Query, filters: Filters, heard: str = "") -> str:
    """The condition on a row's own time, or on what `heard_late` says of it."""
    bounds = ((">=", filters.since), ("<", filters.until))
    if asked.time is None:
        return ""
    own = " and ".join(
        f"\"{asked.time}\" {sign} timestamp '{bound}'" for sign, bound in bounds if bound
    )
    return f"({own}) or {heard}" if heard else own


def heard_late(stream: OpenStream, asked: Query, filters: Filters) -> str:
    """The condition on rows of events that were received in the span and say that they are older;
    empty where there are none."""
    if asked.time is None or not stream.hear(filters.since, filters.until):
        return ""
    guard.execute(stream.connection, f"select * from (\n{_bare(asked.sql)}\n) as asked limit 0")  # noqa: S608
    columns = {column[0] for column in stream.connection.description or []}
    stream.connection.execute("rollback")
    if "evidence" in columns:
        return f"exists (from unnest(evidence) as of(id) where id in ({LATE.format('event')}))"
    name = "event" if "event_id" in columns else "session"
    return f"{name}_id in ({LATE.format(name)})"


def _collect(stream: OpenStream, sql: str, limit: int | None) -> Result:
    guard.execute(stream.connection, sql)
    try:
        described = stream.connection.description or []
        columns = [column[0] for column in described]
        if any(ZONED in str(column[1]) for column in described):
            stream.connection.execute(_without_zones(sql, [str(c[1]) for c in described]))
        result = Result(columns, stream.warnings())
        for row in fetched(stream):
            if limit is not None and len(result.rows) >= limit:
                result.truncated = True
                break
            result.rows.append(row)
    finally:
        stream.connection.execute("rollback")
    return result


def _without_zones(sql: str, types: list[str]) -> str:
    """The same rows with times as plain UTC, which is what all times of a stream are; a time with
    a zone would need a module that is not installed."""
    names = [f"c{n}" for n in range(len(types))]
    shown = ", ".join(
        f"cast({name} as {kind.replace(ZONED, '')})" if ZONED in kind else name
        for name, kind in zip(names, types, strict=True)
    )
    text = sql.rstrip().rstrip(";")
    return f"select {shown} from (\n{text}\n) as asked({', '.join(names)})"  # noqa: S608


def fetched(stream: OpenStream) -> Iterator[tuple[Any, ...]]:
    """The rows of what was asked last, as they come."""
    while rows := guard.fetched(stream.connection, CHUNK):
        yield from rows


def moment(text: str, now: datetime | None = None) -> datetime:
    """A point in time as naive UTC: RFC 3339, a date, or so long ago (`90m`, `24h`, `7d`).

    Raises QueryError.
    """
    span = SPAN.match(text)
    if span is not None:
        ago = timedelta(**{UNITS[span[2]]: int(span[1])})
        return (now or datetime.now(UTC)).astimezone(UTC).replace(tzinfo=None) - ago
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise QueryError(
            f"invalid time {text!r}; use 2026-11-21, 2026-11-21T08:00:00Z or 24h (the last day)"
        ) from None
    return found.astimezone(UTC).replace(tzinfo=None) if found.tzinfo else found
