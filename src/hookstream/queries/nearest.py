"""What a filter that matches nothing may have meant: a session by the beginning of its id, the
nearest tool, the newest data, gaps that make a zero doubtful."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from hookstream.queries import guard
from hookstream.queries.errors import QueryError

if TYPE_CHECKING:
    from datetime import datetime

    from hookstream.queries.runner import Filters, Result
    from hookstream.queries.stream import OpenStream

UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
# Values that a message lists.
LISTED = 5


def full_session(stream: OpenStream, text: str) -> str:
    """Return the one session id that begins with `text`; `text` itself if none does, or if it is a
    complete UUID, for which no part is read. Raises QueryError if several do."""
    if UUID.fullmatch(text):
        return text
    sql = (
        "select distinct session_id from base.events where starts_with(session_id, ?) "
        "order by session_id limit ?"
    )
    ids = [str(row[0]) for row in _rows(stream, sql, [text, LISTED + 1])]
    if text in ids or not ids:
        return text
    if len(ids) > 1:
        more = ", ..." if len(ids) > LISTED else ""
        raise QueryError(
            f"--session {text}: several sessions begin so: {', '.join(ids[:LISTED])}{more}"
        )
    return ids[0]


def reasons(stream: OpenStream, filters: Filters) -> list[str]:
    """Return why an answer is empty: filters without a match, the newest data."""
    found = []
    for option, column in (("tool", "tool"), ("machine", "machine_id"), ("user", "user_id")):
        value = getattr(filters, option)
        if value is not None:
            found += _unknown(stream, option, column, str(value))
    if filters.session is not None and not _rows(
        stream, "select 1 from base.events where session_id = ? limit 1", [filters.session]
    ):
        found.append(f"no session begins with {filters.session!r}: query sessions lists them")
    if filters.since is not None or filters.until is not None:
        found += _out_of_range(stream, filters)
    return found


def explain(result: Result, stream: OpenStream, question: str, filters: Filters) -> None:
    """Warn of an empty answer why it is empty, or may be wrong."""
    from hookstream.queries.runner import is_name

    if result.rows:
        return
    result.warnings += (found := reasons(stream, filters))
    if not found and question != "gaps" and is_name(question) and (kinds := doubts(stream)):
        count = "1 kind of gap" if kinds == 1 else f"{kinds} kinds of gaps"
        result.warnings.append(f"{count} in this stream: see query gaps before trusting a zero")


def doubts(stream: OpenStream) -> int:
    """Return how many kinds of gaps the stream has."""
    from hookstream.queries.runner import ask_sql

    result = ask_sql(stream, "select count(distinct gap) from gaps")
    return int(result.rows[0][0])


def _unknown(stream: OpenStream, option: str, column: str, value: str) -> list[str]:
    sql = f'select distinct "{column}" from base.events where "{column}" is not null order by 1'  # noqa: S608
    return unlike(option, value, [str(row[0]) for row in _rows(stream, sql, [])])


def unlike(name: str, value: str, known: list[str]) -> list[str]:
    """Return what a value that is not a known one may have meant, in a sentence; [] for a known
    one."""
    if value in known:
        return []
    near = [one for one in known if value.lower() in one.lower()]
    near = near or get_close_matches(value, known, 1, 0.5)
    if near:
        return [f"no {name} {value!r}; did you mean {near[0]}?"]
    listed = ", ".join(known[:LISTED]) + (", ..." if len(known) > LISTED else "")
    return [f"no {name} {value!r}" + (f"; there are {listed}" if listed else "")]


def _out_of_range(stream: OpenStream, filters: Filters) -> list[str]:
    ((first, last),) = _rows(
        stream, 'select min("timestamp"), max("timestamp") from base.events', []
    )
    if last is None:
        return ["the stream holds no event"]
    return out_of_range("event", first, last, filters.since, filters.until)


def out_of_range(
    what: str, first: datetime, last: datetime, since: datetime | None, until: datetime | None
) -> list[str]:
    """Return that a range of time misses everything between `first` and `last`; [] if it does
    not."""
    if since is not None and since > last:
        return [f"no {what} in the range: the newest is of {last:%Y-%m-%d %H:%M:%S} UTC"]
    if until is not None and until <= first:
        return [f"no {what} in the range: the oldest is of {first:%Y-%m-%d %H:%M:%S} UTC"]
    return []


def _rows(stream: OpenStream, sql: str, values: list[Any]) -> list[tuple[Any, ...]]:
    """The rows of a statement about all events, whatever the filters."""
    import duckdb

    stream.reading.events_alone()
    try:
        return stream.connection.execute(sql, values).fetchall()
    except duckdb.Error as error:
        raise guard.refusal(error) from None
