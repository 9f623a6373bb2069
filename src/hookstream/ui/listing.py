"""A list page: one named question, filtered, grouped, sorted and cut into pages by SQL."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hookstream.queries.errors import QueryStopped
from hookstream.queries.nearest import out_of_range, unlike
from hookstream.queries.runner import moment
from hookstream.ui.cells import LINKING, has_few_values
from hookstream.ui.filters import PAGE_ROWS, PageFilters, filled, filter_name, quoted
from hookstream.ui.lake import NOBODY, ROWS
from hookstream.ui.page_sql import what_of
from hookstream.ui.pages import ORDERS, decisive

if TYPE_CHECKING:
    from hookstream.ui.lake import Answer, BrowsedLake, Who
    from hookstream.ui.pages import QuestionPage

GROUP_ROWS = 24
# How long groups may take; how many columns without a declaration are looked at for few values.
GROUPS_S = 5.0
MOST_FACETS = 8
# Values that are compared with one that no row has.
MOST_LIKE = 40
# A page of the newest rows is looked for in the events of this many days before in all.
NEWEST = (1, 8)
# Texts shorter than this are not looked for in ids.
ID_LENGTH = 6
# What a longer text is found in is kept: the facets and pages of one search are asked in turn.
KEPT_TEXT = 3
ORDERED = re.compile(r'"([^"]+)"')
FIRST_ORDER = re.compile(r'"((?:[^"]|"")+)"(?: (asc|desc))?(?: nulls \w+)?(?:,|\Z)')
IDENTITY = ("tool", "machine_id", "user_id")


@dataclass(frozen=True)
class ListPage:
    """The contents of a list page: `answer` is one page of rows, `total` their number, `groups` the
    most frequent values by column, `sql` the question as it was asked, `decisive` the columns that
    are shown where none are chosen, `sorted` the first column of the order and its direction,
    `reasons` why there are no rows, `skipped` whether groups took too long."""

    page: QuestionPage
    answer: Answer
    total: int
    groups: dict[str, list[tuple[Any, int]]]
    sql: str
    columns: dict[str, str]
    chosen: tuple[str, ...]
    decisive: list[str]
    sorted: tuple[str, str]
    reasons: list[str]
    skipped: bool

    @property
    def has_time(self) -> bool:
        """Return whether a range of time narrows the rows."""
        return self.page.time in self.columns

    @property
    def shows(self) -> list[str]:
        """The columns of the table: those chosen, or the decisive ones that have a value."""
        return list(self.chosen) or [name for name in self.decisive if name not in self.empty]

    @property
    def empty(self) -> list[str]:
        """Decisive columns of which no row of the page has a value: they are named, not shown."""
        held = {
            name
            for name, values in zip(
                self.answer.columns, zip(*self.answer.rows, strict=True), strict=False
            )
            if any(value is not None and value != "" and value != [] for value in values)
        }
        return [] if self.chosen else [name for name in self.decisive if name not in held]

    @property
    def offered(self) -> list[str]:
        """All columns: those shown in their order, then the others."""
        return list(dict.fromkeys((*self.chosen, *self.decisive, *self.columns)))


class Relation:
    """A question as a relation that filters, groups and sorts apply to. Raises QueryError if a
    sort or filter names no column."""

    def __init__(self, lake: BrowsedLake, page: QuestionPage, filters: PageFilters) -> None:
        self.lake = lake
        self.page = page
        self.filters = filters
        self.shown = f"from (\n{page.sql}\n)" if page.sql else f"from {page.question}"
        self.base = self.shown
        self.over: str | None = None
        # A row of a question may need the whole lake, such as when a host was first seen.
        self.dates = filters.dates() if page.sql and not page.kept else None
        self.who = _who(page, filters)
        if page.kept:
            self._keep(page.sql or self.shown)
        if any(self.who):
            told = page.apart("machine")
            self.shown = f"from (\n{told.sql}\n)"
        self.columns = self._described()
        if what := what_of(self.columns):
            self.shown = f"from (\nselect *, {what} as what {self.shown}\n)"
            self.base = f"from (select *, {what} as what {self.base})" if page.kept else self.shown
            self.columns = self._described()
        filters.check(self.columns, page.title)
        shown, values = self._where(filters)
        self.written = f"{self.shown}\nwhere {filled(shown, values)}"
        pushed = {name for name, value in zip(IDENTITY, self.who, strict=True) if value}
        filters = replace(filters, equal=tuple(e for e in filters.equal if e[0] not in pushed))
        self.condition, self.values = self._where(filters)
        self.session = dict(filters.equal).get("session_id")
        self.order = filters.order(self.columns, self._default(page))
        self.chosen = ", ".join(map(quoted, filters.columns)) or "*"
        if not page.kept and len(filters.text) >= KEPT_TEXT and not filters.dates():
            condition = filled(*self._where(PageFilters(text=filters.text)))
            self._keep(f"select * {self.shown}\nwhere {condition}")
            self.condition, self.values = self._where(replace(filters, text=""))

    def _described(self) -> dict[str, str]:
        """Column -> type."""
        answer = self.lake.ask(f"select * {self.base} limit 0", over=self.over, who=self.who)
        return dict(zip(answer.columns, answer.types, strict=True))

    def _keep(self, sql: str) -> None:
        self.base, self.over = f"from {ROWS}", sql

    def _where(self, filters: PageFilters) -> tuple[str, list[Any]]:
        time = self.page.time if self.page.time in self.columns else None
        texts = self.page.texts
        if texts and len(filters.text) >= ID_LENGTH:
            texts += self.page.ids
        return filters.where(self.columns, time, texts)

    def _default(self, page: QuestionPage) -> str:
        if self.session and page.question in ORDERS:
            return ORDERS[page.question]
        names = ORDERED.findall(page.order)
        return page.order if names and all(name in self.columns for name in names) else "1"

    def text(self) -> str:
        """The SQL with its filters written in, for the reader; fit for the SQL page."""
        return f"select {self.chosen} {self.written}\norder by {self.order}"

    @property
    def sorted(self) -> tuple[str, str]:
        """The column that rows are sorted by first, and `ascending` or `descending`; empty for an
        expression."""
        found = FIRST_ORDER.match(self.order)
        if found is None:
            return "", ""
        return found[1], "descending" if found[2] == "desc" else "ascending"

    @property
    def needed(self) -> str:
        """The columns that a page of rows shows or links to."""
        known = list(decisive(self.page, self.columns))
        names = dict.fromkeys((*known, *self.filters.columns, *self.page.keys, *LINKING))
        return ", ".join(quoted(name) for name in names if name in self.columns)

    def exported(self) -> Answer:
        """All rows with the columns chosen."""
        return self._ask(
            f"select {self.chosen} {self.base}\nwhere {self.condition}\norder by {self.order}"
        )

    def rows(self, limit: int | None = None, offset: int = 0) -> Answer:
        names = "*" if limit is None else self.needed
        sql = f"select {names} {self.base}\nwhere {self.condition}\norder by {self.order}"
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

    def _ask(self, sql: str, timeout_s: float | None = None) -> Answer:
        return self.lake.ask(
            sql,
            self.values,
            over=self.over,
            dates=self.dates,
            session=self.session if self.page.sql and not self.page.kept else None,
            timeout_s=timeout_s,
            who=self.who,
        )

    def facets(self, filters: PageFilters) -> list[str]:
        """The columns to group by: those chosen, declared and of identity, then others of which
        one may expect few values."""
        # A row of the fleet is of no machine.
        who = IDENTITY[:1] if self.page.keys else IDENTITY
        named = dict.fromkeys((*filters.facets, *self.page.groups, *who))
        found = [name for name in named if name in self.columns]
        more = [
            name
            for name in decisive(self.page, self.columns)
            if name not in named and has_few_values(name, self.columns[name])
        ]
        return found + more[: max(0, MOST_FACETS - len(found))]

    def count(self) -> int:
        """Return how many rows there are."""
        answer = self._ask(f"select count(*) {self.base}\nwhere {self.condition}")
        return int(answer.rows[0][0])

    def counted(self, columns: list[str]) -> tuple[int, dict[str, list[tuple[Any, int]]]]:
        """Return how many rows there are, and the most frequent values by column, in one scan.
        Raises QueryStopped where that takes too long."""
        names = [quoted(column) for column in columns]
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
        if plain:
            answer = self.lake.ask(f"from {ROWS}", over=sql, who=self.who)
        else:
            answer = self._ask(sql, GROUPS_S)
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

    def reasons(self, filters: PageFilters) -> list[str]:
        """Return why no row is left: values that no row has, a range without rows."""
        found: list[str] = []
        for column, value in filters.equal:
            name = f"cast({quoted(column)} as varchar)"
            sql = (
                f"select distinct {name} as v {self.base} where {name} is not null"
                f" order by v = ? desc, jaro_winkler_similarity(v, ?) desc limit {MOST_LIKE}"
            )
            answer = self.lake.ask(sql, [value, value], over=self.over)
            found += unlike(filter_name(column), value, [str(row[0]) for row in answer.rows])
        if self.page.time in self.columns and (filters.since or filters.until):
            time = f"cast({quoted(str(self.page.time))} as timestamp)"
            sql = f"select min({time}), max({time}) {self.base}"
            first, last = self.lake.ask(sql, over=self.over).rows[0]
            bounds = [moment(text) if text else None for text in (filters.since, filters.until)]
            found += out_of_range("row", first, last, *bounds) if last else ["there are no rows"]
        return found


def _who(page: QuestionPage, filters: PageFilters) -> Who:
    """The client, machine and user that rows of the fleet are counted for; the names of several
    clients in a cell are a value that a row has."""
    if not page.keys:
        return NOBODY
    wanted = dict(filters.equal)
    tool, machine, user = (wanted.get(name, "") for name in IDENTITY)
    return ("" if ", " in tool else tool, machine, user)


def listing(lake: BrowsedLake, page: QuestionPage, filters: PageFilters) -> ListPage:
    """The page as the filters ask for it. Raises QueryError for filters that cannot be asked."""
    relation = Relation(lake, page, filters)
    columns = relation.facets(filters)
    skipped = False
    try:
        total, groups = relation.counted(columns)
    except QueryStopped:
        total, groups, skipped = relation.count(), {}, True
    kept = {*filters.facets, *page.groups, *IDENTITY}
    answer = relation.rows(PAGE_ROWS, (filters.page - 1) * PAGE_ROWS)
    return ListPage(
        page=page,
        answer=answer,
        total=total,
        groups={
            name: rows
            for name, rows in groups.items()
            if _is_telling(rows)
            or (name in kept and any(one[0] not in (None, "") for one in rows))
            or name in filters.facets
        },
        sql=relation.text(),
        columns=relation.columns,
        chosen=filters.columns,
        decisive=decisive(page, relation.columns),
        sorted=relation.sorted,
        reasons=relation.reasons(filters) if not total and filters.narrow else [],
        skipped=skipped,
    )


def _is_telling(rows: list[tuple[Any, int]]) -> bool:
    """Return whether groups are of a column with few values, and more than one."""
    return 1 < len(rows) < GROUP_ROWS
