"""The filters of a page: read from its URL, written into SQL as parameters, kept in every link."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from hookstream.queries.runner import moment

if TYPE_CHECKING:
    from collections.abc import Mapping

NAMES = ("tool", "machine", "user", "session")
COLUMNS = {
    "tool": "tool",
    "machine": "machine_id",
    "user": "user_id",
    "session": "session_id",
}
PAGE_ROWS = 100


@dataclass(frozen=True)
class PageFilters:
    """`since` and `until` as the user wrote them (24h, a date, RFC 3339); `equal` the columns that
    must have a value; `text` what any text column must contain."""

    since: str = ""
    until: str = ""
    equal: tuple[tuple[str, str], ...] = ()
    text: str = ""
    sort: str = ""
    page: int = 1

    @classmethod
    def read(cls, query: Mapping[str, str], facets: tuple[str, ...]) -> PageFilters:
        """From a URL's query. Unknown names are left out. Raises QueryError for a bad time."""
        equal = [(COLUMNS[name], query[name]) for name in NAMES if query.get(name)]
        known = {column for column, _ in equal}
        equal += [(f, query[f]) for f in facets if query.get(f) and f not in known]
        for bound in ("since", "until"):
            if query.get(bound):
                moment(query[bound])
        page = query.get("page", "1")
        return cls(
            query.get("since", ""),
            query.get("until", ""),
            tuple(equal),
            query.get("q", "")[:200],
            query.get("sort", ""),
            max(1, int(page)) if page.isascii() and page.isdigit() and len(page) < 7 else 1,
        )

    def where(
        self, columns: dict[str, str], time: str | None, texts: tuple[str, ...] = ()
    ) -> tuple[str, list[Any]]:
        """The condition and its parameters, over a relation with these columns and types; `texts`
        are the columns that `text` is looked for in (empty: all texts)."""
        parts: list[str] = []
        values: list[Any] = []
        for column, value in self.equal:
            if column in columns:
                parts.append(f'cast("{column}" as varchar) = ?')
                values.append(value)
        if time is not None:
            for bound, sign in ((self.since, ">="), (self.until, "<")):
                if bound:
                    parts.append(f'"{time}" {sign} cast(? as timestamp)')
                    values.append(moment(bound).isoformat(sep=" "))
        if self.text:
            looked = texts or [name for name, kind in columns.items() if kind == "VARCHAR"]
            parts.append(
                "(" + " or ".join(f'contains(lower("{n}"), lower(?))' for n in looked) + ")"
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
        """An ORDER BY of one column: `name`, or `-name` for the largest first."""
        name = self.sort.removeprefix("-")
        if name not in columns:
            return default
        return f'"{name}" {"desc" if self.sort.startswith("-") else "asc"} nulls last'

    def query(self, **changes: str | int | None) -> str:
        """The URL's query with some names changed; None or an empty text takes a name away."""
        back = {column: name for name, column in COLUMNS.items()}
        known: dict[str, Any] = {"since": self.since, "until": self.until, "q": self.text}
        known |= {back.get(column, column): value for column, value in self.equal}
        known |= {"sort": self.sort, "page": self.page if self.page > 1 else ""}
        if "page" not in changes:
            known["page"] = ""
        known |= {back.get(name, name): value for name, value in changes.items()}
        text = urlencode([(name, value) for name, value in known.items() if value])
        return f"?{text}" if text else ""

    def span(self) -> PageFilters:
        """Only the time range and the identity filters: what a link to another page carries."""
        kept = tuple(pair for pair in self.equal if pair[0] in COLUMNS.values())
        return replace(self, equal=kept, text="", sort="", page=1)


def literal(value: Any) -> str:
    """A value as SQL text, for showing a query that ran with parameters."""
    if isinstance(value, datetime):
        value = value.isoformat(sep=" ")
    return "'" + str(value).replace("'", "''") + "'"


def filled(condition: str, values: list[Any]) -> str:
    """A condition of `Filters.where` with its values written in, for the reader."""
    pieces = condition.split("?")
    made = pieces[0]
    for value, piece in zip(values, pieces[1:], strict=True):
        made += literal(value) + piece
    return made
