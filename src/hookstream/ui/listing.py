"""A list page: one named question, filtered, grouped, sorted and cut into pages by SQL."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hookstream.queries.errors import QueryError
from hookstream.ui.filters import PAGE_ROWS, PageFilters, filled
from hookstream.ui.lake import ROWS

if TYPE_CHECKING:
    from hookstream.ui.lake import Answer, BrowsedLake
    from hookstream.ui.pages import QuestionPage

GROUP_ROWS = 24
# A page of the newest rows is looked for in the events of this many days before in all.
NEWEST = (1, 8)
# Texts shorter than this are not looked for in ids.
ID_LENGTH = 6
# What a longer text is found in is kept: the facets and pages of one search are asked in turn.
KEPT_TEXT = 3
ORDERED = re.compile(r'"([^"]+)"')
IDENTITY = ("tool", "machine_id", "user_id")


@dataclass(frozen=True)
class ListPage:
    """The contents of a list page: `answer` is one page of rows, `total` their number, `groups` the
    most frequent values by column, `sql` the question as it was asked."""

    page: QuestionPage
    answer: Answer
    total: int
    groups: dict[str, list[tuple[Any, int]]]
    sql: str
    columns: dict[str, str]

    @property
    def has_time(self) -> bool:
        """Return whether a range of time narrows the rows."""
        return self.page.time in self.columns

    @property
    def shows(self) -> list[str]:
        return [name for name in self._wanted if name not in self.empty]

    @property
    def empty(self) -> list[str]:
        """Columns of which no row of the page has a value: they are named, not shown."""
        held = {
            name
            for name, values in zip(
                self.answer.columns, zip(*self.answer.rows, strict=True), strict=False
            )
            if any(value is not None and value != "" and value != [] for value in values)
        }
        return [name for name in self._wanted if name not in held]

    @property
    def _wanted(self) -> list[str]:
        known = [name for name in self.page.shows if name in self.answer.columns]
        return known or self.answer.columns


class Relation:
    """A question as a relation that filters, groups and sorts apply to. Raises QueryError if a
    sort or filter names no column."""

    def __init__(self, lake: BrowsedLake, page: QuestionPage, filters: PageFilters) -> None:
        self.lake = lake
        self.page = page
        self.shown = f"from (\n{page.sql}\n)" if page.sql else f"from {page.question}"
        self.base = self.shown
        self.over: str | None = None
        # A row of a question may need the whole lake, such as when a host was first seen.
        self.dates = filters.dates() if page.sql and not page.kept else None
        if page.kept:
            self._keep(page.sql or self.shown)
        described = lake.ask(f"select * {self.base} limit 0", over=self.over)
        self.columns = dict(zip(described.columns, described.types, strict=True))
        missing = [column for column, _ in filters.equal if column not in self.columns]
        if missing:
            raise QueryError(f"{page.title} have no column {missing[0]!r} to filter by")
        self.condition, self.values = self._where(filters)
        self.order = filters.order(self.columns, self._default(page))
        self.written = f"{self.shown}\nwhere {filled(self.condition, self.values)}"
        if not page.kept and len(filters.text) >= KEPT_TEXT and not filters.dates():
            condition = filled(*self._where(PageFilters(text=filters.text)))
            self._keep(f"select * {self.shown}\nwhere {condition}")
            self.condition, self.values = self._where(replace(filters, text=""))

    def _keep(self, sql: str) -> None:
        self.base, self.over = f"from {ROWS}", sql

    def _where(self, filters: PageFilters) -> tuple[str, list[Any]]:
        time = self.page.time if self.page.time in self.columns else None
        texts = self.page.texts
        if texts and len(filters.text) >= ID_LENGTH:
            texts += self.page.ids
        return filters.where(self.columns, time, texts)

    def _default(self, page: QuestionPage) -> str:
        names = ORDERED.findall(page.order)
        return page.order if names and all(name in self.columns for name in names) else "1"

    def text(self, columns: str = "*") -> str:
        """The SQL with its filters written in, for the reader; fit for the SQL page."""
        return f"select {columns} {self.written}\norder by {self.order}"

    def rows(self, limit: int | None = None, offset: int = 0) -> Answer:
        sql = f"select * {self.base}\nwhere {self.condition}\norder by {self.order}"
        if limit is None:
            return self._ask(sql)
        sql += f"\nlimit {limit} offset {offset}"
        for days in NEWEST if self._is_newest_first() else ():
            dates = self.lake.newest(days)
            if dates is None:
                break
            answer = self.lake.ask(sql, self.values, dates=dates)
            if len(answer.rows) == limit:
                return answer
        return self._ask(sql)

    def _is_newest_first(self) -> bool:
        """Return whether rows are single events in the order of their parts' dates, the last
        first.
        """
        single = self.over is None and self.dates is None and bool(self.page.sql)
        return single and self.order.startswith('"timestamp" desc')

    def _ask(self, sql: str) -> Answer:
        return self.lake.ask(sql, self.values, over=self.over, dates=self.dates)

    def counted(self, columns: list[str]) -> tuple[int, dict[str, list[tuple[Any, int]]]]:
        """Return how many rows there are, and the most frequent values by column, in one scan."""
        names = [f'"{column}"' for column in columns]
        listed = ", ".join(names)
        sets = ", ".join([*(f"({name})" for name in names), "()"])
        mark = f"grouping({listed})" if names else "0"
        weight = f'round(sum("{self.page.weight}"), 2)' if self.page.weight else "count(*)"
        measure = f"case when {mark} = {2 ** len(names) - 1} then count(*) else {weight} end as n"
        sql = (
            f"with counted as (select {', '.join([*names, f'{mark} as g', measure])}"
            f" {self.base}\nwhere {self.condition} group by grouping sets ({sets}))"
            f" from counted qualify row_number() over (partition by g order by n desc nulls last,"
            f" {listed or '1'}) <= {GROUP_ROWS} order by g, n desc nulls last"
        )
        groups: dict[str, list[tuple[Any, int]]] = {column: [] for column in columns}
        total = 0
        # Without filters the counts are the same until the lake changes.
        plain = self.over is None and not self.values
        answer = self.lake.ask(f"from {ROWS}", over=sql) if plain else self._ask(sql)
        for *values, mark, count in answer.rows:
            # A bit a column from the left, 0 where the row is grouped by it.
            at = next(
                (n for n in range(len(columns)) if not mark >> (len(columns) - 1 - n) & 1), None
            )
            if at is None or not columns:
                total = int(count)
            else:
                groups[columns[at]].append((values[at], count))
        return total, groups


def listing(lake: BrowsedLake, page: QuestionPage, filters: PageFilters) -> ListPage:
    """The page as the filters ask for it."""
    relation = Relation(lake, page, filters)
    wanted = dict.fromkeys((*page.groups, *IDENTITY))
    total, groups = relation.counted([one for one in wanted if one in relation.columns])
    answer = relation.rows(PAGE_ROWS, (filters.page - 1) * PAGE_ROWS)
    return ListPage(page, answer, total, groups, relation.text(), relation.columns)
