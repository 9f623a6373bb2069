"""A list page: one named question, filtered, grouped, sorted and cut into pages by SQL."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hookstream.queries.errors import QueryError
from hookstream.ui.filters import PAGE_ROWS, filled

if TYPE_CHECKING:
    from hookstream.ui.filters import Filters
    from hookstream.ui.lake import Answer, Lake
    from hookstream.ui.pages import Page

GROUP_ROWS = 8
IDENTITY = ("tool", "machine_id", "user_id")


@dataclass(frozen=True)
class Listing:
    """What a list page shows: `answer` is one page of rows, `total` how many there are, `groups`
    the most frequent values by column, `sql` the question as it was asked."""

    page: Page
    answer: Answer
    total: int
    groups: dict[str, list[tuple[Any, int]]]
    sql: str
    columns: dict[str, str]

    @property
    def shows(self) -> list[str]:
        known = [name for name in self.page.shows if name in self.answer.columns]
        return known or self.answer.columns


class Relation:
    """A question as a relation that filters, groups and sorts apply to. Raises QueryError where a
    sort or filter names no column."""

    def __init__(self, lake: Lake, page: Page, filters: Filters) -> None:
        self.lake = lake
        self.filters = filters
        self.base = f"from (\n{page.sql}\n)" if page.sql else f"from {page.question}"
        described = lake.ask(f"select * {self.base} limit 0")
        self.columns = dict(zip(described.columns, described.types, strict=True))
        time = page.time if page.time in self.columns else None
        self.condition, self.values = filters.where(self.columns, time)
        missing = [column for column, _ in filters.equal if column not in self.columns]
        if missing:
            raise QueryError(f"{page.title} have no column {missing[0]!r} to filter by")
        self.order = filters.order(self.columns, self._default(page))

    def _default(self, page: Page) -> str:
        name = page.order.partition('" ')[0].strip('"')
        return page.order if name in self.columns else "1"

    def text(self, columns: str = "*") -> str:
        """The SQL with its filters written in, for the reader; fit for the SQL page."""
        condition = filled(self.condition, self.values)
        return f"select {columns} {self.base}\nwhere {condition}\norder by {self.order}"

    def rows(self, limit: int | None = None, offset: int = 0) -> Answer:
        sql = f"select * {self.base}\nwhere {self.condition}\norder by {self.order}"
        if limit is not None:
            sql += f"\nlimit {limit} offset {offset}"
        return self.lake.ask(sql, self.values)

    def count(self) -> int:
        sql = f"select count(*) {self.base}\nwhere {self.condition}"
        return int(self.lake.one(sql, self.values))

    def grouped(self, column: str) -> list[tuple[Any, int]]:
        sql = (
            f'select "{column}", count(*) as n {self.base}\nwhere {self.condition}'
            f" group by 1 order by n desc, 1 limit {GROUP_ROWS}"
        )
        return [(row[0], row[1]) for row in self.lake.ask(sql, self.values).rows]


def listing(lake: Lake, page: Page, filters: Filters) -> Listing:
    """The page as the filters ask for it."""
    relation = Relation(lake, page, filters)
    groups = {
        column: relation.grouped(column)
        for column in dict.fromkeys((*IDENTITY, *page.groups))
        if column in relation.columns
    }
    answer = relation.rows(PAGE_ROWS, (filters.page - 1) * PAGE_ROWS)
    return Listing(page, answer, relation.count(), groups, relation.text(), relation.columns)
