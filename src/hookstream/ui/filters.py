"""The state of a page: read from its URL, written into SQL as parameters, kept in every link."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any
from urllib.parse import urlencode

from hookstream.core.errors import did_you_mean
from hookstream.queries.errors import QueryError
from hookstream.queries.runner import moment

NAMES = ("tool", "machine", "user", "session")
COLUMNS = {
    "tool": "tool",
    "machine": "machine_id",
    "user": "user_id",
    "session": "session_id",
}
BACK = {column: name for name, column in COLUMNS.items()}
PAGE_ROWS = 100
# Names in a URL that do not name a column. A column so named is filtered as NAME__is.
ADDING = ("add_column", "add_operator", "add_value")
RESERVED = frozenset(
    [*"since until q sort page columns facet tz refresh export at token by".split(), *ADDING]
)
# Operator in the URL -> its words, and its SQL over a column as it is, as text, and its type.
OPERATORS = {
    "is": ("is", "{text} = ?"),
    "not": ("is not", "{text} is distinct from ?"),
    "contains": ("contains", "contains(lower({text}), lower(?))"),
    "starts": ("starts with", "starts_with(lower({text}), lower(?))"),
    "gte": ("at least", "{column} >= cast(? as {type})"),
    "lte": ("at most", "{column} <= cast(? as {type})"),
    "empty": ("is empty", "coalesce({text}, '') in ('', '[]')"),
    "filled": ("is not empty", "coalesce({text}, '') not in ('', '[]')"),
}
# The least and the most seconds until a page is loaded again.
LIVELY = (5, 3600)
WITHOUT_VALUE = ("empty", "filled")
# A name in quotes, or the place of a value.
PLACE = re.compile(r'("(?:[^"]|"")*")|\?')
NUMBER = re.compile(r"(TINY|SMALL|BIG|HUGE|U)*INT|DOUBLE|FLOAT|DECIMAL")
MOST_CONDITIONS = 24


@dataclass(frozen=True)
class ColumnCondition:
    """A filter on a column other than equality: `operator` is one of OPERATORS."""

    column: str
    operator: str
    value: str

    def sql(self, kind: str) -> tuple[str, list[Any]]:
        """The condition for a column of that type, and its parameters. Raises QueryError for a
        value that cannot be compared with the column."""
        name = quoted(self.column)
        text = OPERATORS[self.operator][1].format(
            column=name, text=f"cast({name} as varchar)", type=kind
        )
        if self.operator in WITHOUT_VALUE:
            return text, []
        value = self.value
        if self.operator in ("gte", "lte"):
            if kind.startswith(("TIMESTAMP", "DATE")):
                value = moment(value).isoformat(sep=" ")
            elif NUMBER.match(kind) and not _is_number(value):
                raise QueryError(f"{self.column} is a number, and {value!r} is not")
        return text, [value]

    @property
    def words(self) -> str:
        return f"{OPERATORS[self.operator][0]} {self.value}".rstrip()


@dataclass(frozen=True)
class PageFilters:
    """`since` and `until` as the user wrote them (24h, a date, RFC 3339); `equal` the columns that
    must have a value, `conditions` what else columns must be; `text` what any text column must
    contain; `columns` and `facets` those chosen (empty: the page's); `zone` "local" for times of
    the browser's zone, `refresh` seconds after which the page is loaded again (0: never), `own`
    names and values of one page alone, which its links keep."""

    since: str = ""
    until: str = ""
    equal: tuple[tuple[str, str], ...] = ()
    text: str = ""
    sort: str = ""
    page: int = 1
    conditions: tuple[ColumnCondition, ...] = ()
    columns: tuple[str, ...] = ()
    facets: tuple[str, ...] = ()
    zone: str = ""
    refresh: int = 0
    own: tuple[tuple[str, str], ...] = ()

    @classmethod
    def read(cls, query: Mapping[str, str], facets: tuple[str, ...] | None = None) -> PageFilters:
        """From a URL's query. Any name that is not reserved filters the column of that name, or
        only those of `facets`; what cannot be used is an error where it is used."""
        given = list(getattr(query, "multi_items", query.items)())
        equal: dict[str, str] = {}
        conditions: list[ColumnCondition] = []
        for name, value in given:
            stem, _, operator = name.rpartition("__")
            if stem and operator in OPERATORS:
                if facets is None and operator == "is":
                    equal[stem] = value
                elif facets is None:
                    conditions.append(ColumnCondition(stem, operator, value))
            elif name not in RESERVED and value:
                column = COLUMNS.get(name, name)
                if facets is None or name in COLUMNS or column in facets:
                    equal[column] = value
        page = query.get("page", "1")
        return cls(
            query.get("since", ""),
            query.get("until", ""),
            tuple(list(equal.items())[:MOST_CONDITIONS]),
            query.get("q", "")[:200],
            query.get("sort", ""),
            max(1, int(page)) if page.isascii() and page.isdigit() and len(page) < 7 else 1,
            tuple(conditions[:MOST_CONDITIONS]),
            _listed(given, "columns"),
            _listed(given, "facet"),
            "local" if query.get("tz") == "local" else "",
            _seconds(query.get("refresh", "")),
        )

    @property
    def narrow(self) -> bool:
        """Return whether anything is filtered."""
        return bool(self.equal or self.conditions or self.text or self.since or self.until)

    def check(self, columns: dict[str, str], title: str) -> None:
        """Raise QueryError for a column that a relation with these columns does not have."""
        named = [(column, "filter by") for column, _ in self.equal]
        named += [(one.column, "filter by") for one in self.conditions]
        named += [(column, "show") for column in self.columns]
        named += [(column, "group by") for column in self.facets]
        for column, use in named:
            if column not in columns:
                near = did_you_mean(column, [*columns, *COLUMNS, "since", "until"])
                raise QueryError(f"{title}: no column {column!r} to {use}{near}")

    def where(
        self, columns: dict[str, str], time: str | None, texts: tuple[str, ...] = ()
    ) -> tuple[str, list[Any]]:
        """The condition and its parameters, over a relation with these columns and types; `texts`
        are the columns that `text` is looked for in (empty: all texts). Raises QueryError."""
        parts: list[str] = []
        values: list[Any] = []
        for column, value in self.equal:
            if column in columns:
                parts.append(f"cast({quoted(column)} as varchar) = ?")
                values.append(value)
        for one in self.conditions:
            text, more = one.sql(columns[one.column])
            parts.append(text)
            values += more
        for bound, sign in ((self.since, ">="), (self.until, "<")):
            if bound:
                at = moment(bound).isoformat(sep=" ")
                if time is not None:
                    parts.append(f'"{time}" {sign} cast(? as timestamp)')
                    values.append(at)
        if self.text:
            looked = texts or [name for name, kind in columns.items() if kind == "VARCHAR"]
            parts.append(
                "(" + " or ".join(f"contains(lower({quoted(n)}), lower(?))" for n in looked) + ")"
            )
            values += [self.text] * len(looked)
        return " and ".join(parts) or "true", values

    def dates(self) -> tuple[date, date] | None:
        """The first and last date that the bounds let through; None without bounds."""
        if not self.since and not self.until:
            return None
        return (
            moment(self.since).date() if self.since else date.min,
            moment(self.until).date() if self.until else date.max,
        )

    def order(self, columns: dict[str, str], default: str) -> str:
        """An ORDER BY of one column: `name`, or `-name` for the largest first. Raises QueryError
        for one that does not exist."""
        if not self.sort:
            return default
        name = self.sort.removeprefix("-")
        if name not in columns:
            raise QueryError(f"no column {name!r} to sort by{did_you_mean(name, columns)}")
        return f"{quoted(name)} {'desc' if self.sort.startswith('-') else 'asc'} nulls last"

    def fields(self, *without: str, **changes: str | int | None) -> list[tuple[str, str]]:
        """The (name, value) pairs of the URL's query with some changed; None or an empty text
        removes one. Any change leads to the first page of rows."""
        known: dict[str, Any] = {"since": self.since, "until": self.until, "q": self.text}
        known |= {filter_name(column): value for column, value in self.equal}
        known |= {filter_name(c.column, c.operator): c.value or "1" for c in self.conditions}
        known |= {"sort": self.sort, "columns": ",".join(self.columns)}
        known |= {"facet": ",".join(self.facets), "tz": self.zone}
        known |= {"refresh": self.refresh or ""} | dict(self.own)
        known |= {filter_name(n) if n not in RESERVED else n: v for n, v in changes.items()}
        return [(n, str(v)) for n, v in known.items() if v not in (None, "") and n not in without]

    def query(self, **changes: str | int | None) -> str:
        """The URL's query with some names changed, with its question mark; empty for none."""
        if changes.get("page") == 1:
            changes.pop("page")
        text = urlencode(self.fields(**changes))
        return f"?{text}" if text else ""

    def having(self, column: str, value: Any) -> str:
        """The query that also asks for a value in a column, as its cells and facets link to it."""
        if value is None or value == "":
            return self.query(**{filter_name(column, "empty"): "1"})
        text = str(value).lower() if isinstance(value, bool) else str(value)
        return self.query(**{filter_name(column): text})

    def of_row(self, keys: Iterable[str], row: Mapping[str, Any]) -> str:
        """The query for the machines that a row of the fleet counts."""
        names = {}
        for column in keys:
            is_empty = row[column] is None or row[column] == ""
            names[filter_name(column, "empty" if is_empty else "is")] = (
                "1" if is_empty else str(row[column])
            )
        return self.query(by="machine", sort=None, **names)

    def chips(self) -> list[tuple[str, str]]:
        """(words, the query without it) of everything that narrows the rows."""
        made = [(f"contains {self.text}", self.query(q=None))] if self.text else []
        made += [(f"since {self.since}", self.query(since=None))] if self.since else []
        made += [(f"until {self.until}", self.query(until=None))] if self.until else []
        made += [(f"{c} = {v}", self.query(**{filter_name(c): None})) for c, v in self.equal]
        for one in self.conditions:
            name = filter_name(one.column, one.operator)
            made.append((f"{one.column} {one.words}", self.query(**{name: None})))
        return made

    def span(self) -> PageFilters:
        """Only the time range and the identity filters: what a link to another page carries."""
        kept = tuple(pair for pair in self.equal if pair[0] in COLUMNS.values())
        return PageFilters(self.since, self.until, kept, zone=self.zone, refresh=self.refresh)

    def added(self, query: Mapping[str, str]) -> PageFilters | None:
        """With the filter that the form adds; None where it adds none."""
        column, operator = query.get("add_column", ""), query.get("add_operator", "is")
        value = query.get("add_value", "").strip()
        if not column or operator not in OPERATORS or not (value or operator in WITHOUT_VALUE):
            return None
        if operator == "is":
            return replace(self, equal=tuple((dict(self.equal) | {column: value}).items()))
        more = ColumnCondition(column, operator, "" if operator in WITHOUT_VALUE else value)
        return replace(self, conditions=(*self.conditions, more))


def _seconds(text: str) -> int:
    """Seconds between refreshes, within LIVELY; 0 for none."""
    if not (text.isascii() and text.isdigit() and len(text) < 6) or not int(text):
        return 0
    least, most = LIVELY
    return min(max(int(text), least), most)


def filter_name(column: str, operator: str = "is") -> str:
    """The name in a URL of a filter on a column."""
    if operator != "is" or column in RESERVED:
        return f"{column}__{operator}"
    return BACK.get(column, column)


def quoted(name: str) -> str:
    """A column's name in SQL."""
    return '"' + name.replace('"', '""') + '"'


def _listed(given: Iterable[tuple[str, str]], name: str) -> tuple[str, ...]:
    """The values of a name that may be given more than once, or as `a,b`."""
    every = ",".join(value for known, value in given if known == name).split(",")
    return tuple(dict.fromkeys(one.strip() for one in every if one.strip()))


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def literal(value: Any) -> str:
    """A value as SQL text, for showing a query that ran with parameters."""
    if isinstance(value, datetime):
        value = value.isoformat(sep=" ")
    return "'" + str(value).replace("'", "''") + "'"


def filled(condition: str, values: list[Any]) -> str:
    """A condition of `PageFilters.where` with its values written in, for the reader."""
    rest = iter(values)
    return PLACE.sub(lambda found: found[1] or literal(next(rest)), condition)
