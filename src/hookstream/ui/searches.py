"""Saved searches: pages with their filters under a name, in the file next to the lake.

`/saved/NAME` leads to the page, so a saved search is an address that can be shared like any other.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode, urlsplit

from hookstream.queries.errors import QueryError
from hookstream.ui.casebook import beside, opened

if TYPE_CHECKING:
    from pathlib import Path

SCHEMA = """create table if not exists search (
    name text primary key, address text not null, saved_at text not null)"""
MOST_NAME = 100
MOST_ADDRESS = 8000
# What belongs to one visit, not to the search.
PASSING = ("token", "page", "export")


class Searches:
    """The table of saved searches; the file is made at the first one."""

    def __init__(self, lake: Path) -> None:
        self.path = beside(lake)

    def all(self) -> list[tuple[str, str, str]]:
        """(name, address, when saved) by name."""
        if not self.path.exists():
            return []
        with closing(self._connect()) as database:
            return database.execute(
                "select name, address, saved_at from search order by name"
            ).fetchall()

    def address(self, name: str) -> str | None:
        return next((address for one, address, _ in self.all() if one == name), None)

    def save(self, name: str, address: str) -> None:
        """Under a new name or in place of what it named. Raises QueryError."""
        name = " ".join(name.split())
        if not name or len(name) > MOST_NAME:
            raise QueryError(f"a search needs a name of at most {MOST_NAME} characters")
        now = datetime.now(UTC).isoformat(timespec="seconds")
        kept = local(address)
        with closing(self._connect()) as database, database:
            database.execute("insert or replace into search values (?, ?, ?)", (name, kept, now))

    def remove(self, name: str) -> None:
        with closing(self._connect()) as database, database:
            database.execute("delete from search where name = ?", (name,))

    def _connect(self) -> sqlite3.Connection:
        return opened(self.path, SCHEMA)


def local(address: str) -> str:
    """The address without what belongs to one visit. QueryError unless it is a page of ours."""
    try:
        parts = urlsplit(address)
    except ValueError:
        raise QueryError("that is no page of this application") from None
    path = parts.path
    is_page = path.startswith("/") and not path.startswith(("//", "/\\", "/saved"))
    if parts.scheme or parts.netloc or not is_page or len(address) > MOST_ADDRESS:
        raise QueryError("that is no page of this application")
    pairs = [(name, value) for name, value in parse_qsl(parts.query) if name not in PASSING]
    return f"{path}?{urlencode(pairs)}" if pairs else path
