"""The first things to look at: a short ranked list of sentences, each with a link to its rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hookstream.queries import costs
from hookstream.ui import words
from hookstream.ui.cells import dollars, link_of, text_of
from hookstream.ui.lake import ROWS
from hookstream.ui.pages import page_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hookstream.ui.filters import PageFilters
    from hookstream.ui.lake import BrowsedLake

    Row = dict[str, Any]

MOST = 8
MOST_RULES = 3
HIGH_RISK = 70
# A day is a spike from so many times the median of the other days, and so many dollars.
SPIKE, SPIKE_USD, SPIKE_DAYS = 3, 1.0, 3
# Gaps because of which an empty answer may be wrong: something was lost or not captured.
DOUBTS = tuple(
    (
        "missing_machine silent_machine sessions_without_hooks hooks_not_run calls_without_hooks "
        "missing_events broken_lines rejected_records no_after_events no_before_events "
        "missing_witness cut_by_retention"
    ).split()
)
GRAVE = ("critical", "high")
LEVEL_ORDER = f"list_position({list(GRAVE)}, level)"


@dataclass(frozen=True)
class Lead:
    """One line of the list. `weight` ranks it; `level` is the style of its `kind`; `address` leads
    to the rows, `detail` is about the newest of them."""

    weight: int
    level: str
    kind: str
    text: str
    address: str
    detail: str = ""


class Attention:
    """Collects the lines for a lake and its filters."""

    def __init__(self, lake: BrowsedLake, filters: PageFilters) -> None:
        self.lake = lake
        self.filters = filters.span()

    def leads(self, *, with_findings: bool) -> list[Lead]:
        """The lines that matter most, the gravest first; doubts about zeros are never left out."""
        found = [*self.findings()] if with_findings else []
        for part in (
            self.waiting(), self.denies(), self.guards(), self.secrets(), self.sessions(),
            self.cost(),
        ):  # fmt: skip
            found += part
        doubts = list(self.doubts())
        ranked = sorted(found, key=lambda lead: -lead.weight)
        return ranked[: MOST - len(doubts)] + doubts

    def findings(self) -> Iterator[Lead]:
        """Rules of a high level whose findings are still open."""
        rows = self._rows(
            "findings",
            'level, title, count(*) as n, max("timestamp") as at, '
            'arg_max(shown, "timestamp") as what, arg_max(tool, "timestamp") as tool',
            f"status = 'open' and level in {GRAVE}",
            f"group by level, title order by {LEVEL_ORDER}, n desc, title limit {MOST_RULES}",
        )
        for place, row in enumerate(rows):
            grave = row["level"] == "critical"
            yield Lead(
                (100 if grave else 75) - place,
                row["level"],
                row["level"],
                f"{text_of(row['title'])}: {_many(row['n'], 'open finding')}",
                self._page("findings", status="open", level=row["level"], title=row["title"]),
                _about(row),
            )

    def waiting(self) -> Iterator[Lead]:
        """Sessions that wait for a person, of machines that were heard of within a day of it."""
        rows = self._rows(
            "q/waiting",
            "count(*) as n, min(since) as at, arg_min(what, since) as what,"
            " arg_min(tool, since) as tool",
            "heard_at <= since + interval 1 day",
        )
        for row in rows:
            if row["n"]:
                verb = "waits" if row["n"] == 1 else "wait"
                since = f"{row['at']:%d %b %H:%M}"
                text = f"{_many(row['n'], 'session')} {verb} for a person, since {since}"
                yield Lead(92, "medium", "waiting", text, self._page("q/waiting"), _about(row))

    def denies(self) -> Iterator[Lead]:
        """Refused actions that happened nevertheless."""
        for row in self._newest("denies", "executed_afterwards"):
            text = f"{_many(row['n'], 'denied action')} ran anyway later in the session"
            page = self._page("denies", executed_afterwards="true")
            yield Lead(90, "high", "ran anyway", text, page, _about(row))
        for row in self._newest("bypasses", "outcome = 'ok'"):
            text = f"{_many(row['n'], 'denied target')} reached another way"
            page = self._page("bypasses", outcome="ok")
            yield Lead(85, "high", "bypass", text, page, _about(row))

    def guards(self) -> Iterator[Lead]:
        """Calls that ran without the policy hook that should have judged them."""
        for row in self._newest("failed_open", "true"):
            text = f"{_many(row['n'], 'call')} ran although the policy hook had failed"
            yield Lead(80, "high", "no guard", text, self._page("failed_open"), _about(row))

        ran = "outcome in ('ok', 'error', 'timeout') and (decision <> 'allow' or modified)"
        for held, what in (("ignored", "ignored"), ("asked_nobody", "put to nobody")):
            for row in self._newest("q/decisions", f"held = '{held}' and {ran}"):
                text = f"{_many(row['n'], 'verdict')} of guards {what}: the call ran"
                page = self._page("q/decisions", held=held)
                yield Lead(88, "high", "not held", text, page, _about(row))

    def secrets(self) -> Iterator[Lead]:
        state = "used after rotation"
        for row in self._newest("secrets", f"state = '{state}'", "rule"):
            text = f"{_many(row['n'], 'secret')} used after rotation"
            yield Lead(95, "high", "secret", text, self._page("secrets", state=state), _about(row))

    def sessions(self) -> Iterator[Lead]:
        """The session of the highest risk, and the longest retry loop."""
        risky = self._rows(
            "sessions",
            "*",
            f"max_risk >= {HIGH_RISK}",
            "order by max_risk desc, denies desc, started_at desc limit 1",
        )
        for row in risky:
            text = (
                f"A session of {text_of(row['tool'])} has risk {row['max_risk']}: "
                f"{_many(row['actions'], 'action')}, {row['denies']} denied, "
                f"{row['failures']} failed"
            )
            address = str(link_of("session_id", row))
            yield Lead(70, "medium", "risk", text, address, text_of(row["started_at"]))
        loops = self._rows("loops", "*", "true", "order by attempts desc, first_at desc limit 1")
        for row in loops:
            how = {"failing": "failed", "denied": "was denied"}.get(row["kind"], "changed nothing")
            times = row["attempts"] if row["kind"] == "unchanged" else row["failures"]
            text = f"{text_of(row['tool'])} tried the same action again: it {how} {times} times"
            page = self._page("loops", session=row["session_id"])
            yield Lead(60, "medium", "loop", text, page, _about(row | {"at": row["first_at"]}))

    def cost(self) -> Iterator[Lead]:
        """The day that cost far more than the others."""
        days = self._rows(
            costs.NAME,
            'cast("date" as varchar) as day, sum(cost_usd) as cost',
            "cost_usd is not null",
            "group by 1 order by cost desc",
            over=f"from {costs.NAME}",
            time="date",
        )
        if len(days) < SPIKE_DAYS:
            return
        rest = sorted(row["cost"] for row in days[1:])
        usual = rest[len(rest) // 2]
        day, cost = days[0]["day"], days[0]["cost"]
        if cost >= SPIKE_USD and usual and cost >= SPIKE * usual:
            text = f"{day} cost {dollars(cost)}, {cost / usual:.0f} times a usual day"
            page = self._page("cost", date=day, since=None, until=None)
            yield Lead(50, "low", "cost", text, page, f"median of the other days {dollars(usual)}")

    def doubts(self) -> Iterator[Lead]:
        """The reasons why a zero may be wrong, in one line."""
        rows = self._rows(
            "gaps",
            "gap, cast(sum(case when gap = 'silent_machine' then 1 else \"count\" end) as bigint)"
            " as n",
            f"gap in {DOUBTS}",
            "group by gap order by n desc, gap",
            over="from gaps_by_machine",
            time=None,
        )
        if rows:
            told = [f"{row['n']:,} {words.GAPS[row['gap']]}" for row in rows[:3]]
            more = f" and {_many(len(rows) - 3, 'more kind')}" if len(rows) > 3 else ""
            text = f"Zeros may be wrong: {', '.join(told)}{more}"
            yield Lead(40, "low", "gap", text, self._page("gaps", since=None, until=None))

    def _newest(self, key: str, condition: str, what: str = "") -> list[Row]:
        """The number of rows and what the newest is about; nothing without rows."""
        page = page_of(key)
        time = page.time if page else None
        about = what or "what"
        rows = self._rows(
            key,
            f'count(*) as n, max("{time}") as at, arg_max({about}, "{time}") as what,'
            f' arg_max(tool, "{time}") as tool',
            condition,
        )
        return [row for row in rows if row["n"]]

    def _rows(
        self,
        key: str,
        columns: str,
        condition: str,
        rest: str = "",
        over: str = "",
        time: str | None = "timestamp",
    ) -> list[Row]:
        """Rows of a page that the filters let through, from those that are kept for it."""
        if not over:
            page = page_of(key)
            over = (page and page.sql) or f"from {page.question if page else key}"
            time = page.time if page else None
        # A relation without such a column, as gaps without sessions, is not narrowed by it.
        described = self.lake.ask(f"from {ROWS} limit 0", over=over)
        known = dict(zip(described.columns, described.types, strict=True))
        where, values = self.filters.where(known, time)
        sql = f"select {columns} from {ROWS} where ({where}) and ({condition}) {rest}"
        return self.lake.ask(sql, values, over=over).dicts()

    def _page(self, key: str, **changes: str | None) -> str:
        return f"/{key}{self.filters.query(**changes)}"


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def _about(row: Row) -> str:
    """The newest row in a few words: what, where, when."""
    what = row.get("what") or row.get("command")
    parts = (words.GAPS.get(str(what), what), row.get("tool"), row.get("at"))
    return ", ".join(text_of(part) for part in parts if part)
