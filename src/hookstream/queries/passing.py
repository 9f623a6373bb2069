"""A question of a whole lake as rows pass: day by day, written as they come.

    for text in Passing(stream, "timeline", Filters()).written("csv", 160): ...

The first lines are there when the first day is asked, and no more than a chunk of rows is held.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing
from datetime import date, datetime, time, timedelta
from itertools import chain, islice
from typing import Any

from hookstream.queries import guard
from hookstream.queries.catalog import query
from hookstream.queries.formats import as_csv, as_json, as_markdown
from hookstream.queries.runner import Filters, Result, fetched
from hookstream.queries.stream import OpenStream
from hookstream.queries.terminal import Layout

Row = tuple[Any, ...]
CHUNK = 1000


class Passing:
    """A question over an open stream, asked of one day after the other; `count` is how many rows
    have come."""

    def __init__(self, stream: OpenStream, name: str, filters: Filters) -> None:
        self.stream = stream
        self.asked = query(name)
        self.filters = filters
        self.columns: list[str] = []
        self.count = 0

    def days(self) -> list[date]:
        """The days that have events within the bounds, in order."""
        self.stream.reading.events_alone()
        found = 'select distinct cast("timestamp" as date) from base.events order by 1'
        guard.execute(self.stream.connection, found)
        days = [row[0] for row in fetched(self.stream) if row[0]]
        self.stream.connection.execute("rollback")
        first = self.filters.since.date() if self.filters.since else date.min
        last = self.filters.until.date() if self.filters.until else date.max
        return [day for day in days if first <= day <= last]

    def rows(self) -> Generator[Row, None, None]:
        """The rows of all days. `columns` are known from the first on."""
        stream, given = self.stream, self.filters
        stream.prepare(self.asked.sql)
        for day in self.days() or [date.min]:
            begin = datetime.combine(day, time())
            since = max(begin, given.since or begin)
            until = min(begin + timedelta(days=1), given.until or datetime.max)
            stream.filter(given.tool, None, since, until, given.machine, given.user)
            guard.execute(stream.connection, self.asked.sql)
            try:
                self.columns = [str(one[0]) for one in stream.connection.description or []]
                for row in fetched(stream):
                    self.count += 1
                    yield row
            finally:
                stream.connection.execute("rollback")

    def written(
        self, form: str, width: int | None, *, color: bool = False
    ) -> Generator[str, None, None]:
        """The answer as text, piece by piece, in one of the formats of a question."""
        with closing(self.rows()) as rows:
            yield from self._written(rows, form, width, color)

    def _written(
        self, rows: Iterator[Row], form: str, width: int | None, color: bool
    ) -> Iterator[str]:
        first = list(islice(rows, CHUNK))
        chunks = chain([first], iter(lambda: list(islice(rows, CHUNK)), []))
        if form == "json":
            yield from _json(self.columns, chunks)
        elif form == "table":
            shows = self.asked.shows or self.columns
            yield from _table(self.columns, shows, chunks, first, width, color)
        else:
            yield from _lines(self.columns, chunks, form)


def _lines(columns: list[str], chunks: Iterator[list[Row]], form: str) -> Iterator[str]:
    for number, chunk in enumerate(chunks):
        is_csv = form == "csv"
        text = as_csv(_result(columns, chunk)) if is_csv else as_markdown(columns, chunk)
        heading = as_csv(_result(columns, [])) if is_csv else as_markdown(columns, [])
        yield text if number == 0 else text.removeprefix(heading)


def _result(columns: list[str], rows: list[Row]) -> Result:
    made = Result(columns, [])
    made.rows = rows
    return made


def _json(columns: list[str], chunks: Iterator[list[Row]]) -> Iterator[str]:
    before = "[\n"
    for chunk in chunks:
        if chunk:
            yield before + as_json(_result(columns, chunk)).removeprefix("[\n").removesuffix(
                "\n]\n"
            )
            before = ",\n"
    yield "[]\n" if before == "[\n" else "\n]\n"


def _table(
    columns: list[str],
    shows: list[str],
    chunks: Iterator[list[Row]],
    first: list[Row],
    width: int | None,
    color: bool,
) -> Iterator[str]:
    """A table whose columns are as wide as the first rows want them."""
    if not first:
        yield "no rows\n"
        return
    begun = _result(columns, first)
    begun.shows = shows
    layout = Layout(begun, width, color=color)
    yield layout.heading()
    count = 0
    for chunk in chunks:
        count += len(chunk)
        yield "".join(map(layout.line, chunk))
    more = len(columns) - len(layout.widths)
    rest = f"; ... {more} more column{'' if more == 1 else 's'} (--columns all, --vertical)"
    yield f"{count:,} row{'' if count == 1 else 's'}{rest if more else ''}\n"
