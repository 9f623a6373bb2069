"""The morning page: what a SOC lead reads first, as Markdown or as one HTML file.

Every table is a question of the catalog, cut to ROWS rows, newest first, with the command
that shows the rest. Without a span nothing in it depends on the clock: the same stream gives the
same page. With one, the headline says what changed against the span of the same length before.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookstream.queries import page
from hookstream.queries.errors import QueryError
from hookstream.queries.page import ReportPage, Section
from hookstream.queries.runner import Filters, ask_sql, read, rows_of
from hookstream.queries.sections import (
    ROWS,
    CatalogAnswers,
    asks_nobody,
    behaviour,
    cut,
    guards,
    outside,
    reach,
)
from hookstream.queries.totals import by_key, by_time, totals

if TYPE_CHECKING:
    from hookstream.queries.stream import OpenStream

    Row = dict[str, Any]

FORMATS = ("table", "markdown", "html", "json")
MOST_TIMES = 72
RISKY = """
select "timestamp", tool, session_id, risk_score, risk_level, action_name,
    coalesce(command, file_path, url) as target, coalesce(result, decision) as outcome,
    array_to_string(risk_factors, ', ') as factors
from stream
where risk_score >= 60 and (starts_with(event_type, 'Action.') or event_type = 'Policy.Blocked')
qualify row_number() over (
    partition by tool, session_id, coalesce(call_id, event_id)
    order by risk_score desc, place, event_id
) = 1
order by risk_score desc, "timestamp" desc, tool, session_id, event_id
"""


def report(
    path: str | Path,
    format: str = "markdown",
    filters: Filters | None = None,
    first: list[Section] | None = None,
    width: int | None = None,
) -> str:
    """One page about the stream at a path, `first` after its headline; tables within `width`.
    Raises NothingToRead, and QueryError for a format that is not one of FORMATS."""
    if format not in FORMATS:
        raise QueryError(f"--format: {format!r} is not one of {', '.join(FORMATS)}")
    made = read(path, lambda stream: compose(stream, filters or Filters(), first))
    return page.as_tables(made, width) if format == "table" else page.WRITERS[format](made)


def compose(stream: OpenStream, filters: Filters, first: list[Section] | None = None) -> ReportPage:
    """The page's parts, in the order of their urgency."""
    asked = CatalogAnswers(stream, filters)
    counts = totals(stream, filters)
    denies = asked("denies")
    sections = [
        _headline(stream, counts, asked, filters),
        *(first or []),
        *_over_time(stream, filters),
        *_by(stream, filters),
        *guards(asked, denies),
        *behaviour(asked),
        *reach(asked),
        Section(
            "Highest risk",
            "Actions with a risk score of 60 or more, each once.",
            *cut(
                rows_of(ask_sql(stream, RISKY, filters)),
                "timestamp tool risk_score action_name target outcome factors session_id",
            ),
            "timeline",
        ),
        Section(
            "Gaps: why an empty table above may not be trusted",
            "What was lost, not captured or not understood.",
            *cut(asked("gaps"), "gap tool where count machines detail"),
            "gaps",
        ),
    ]
    return ReportPage(
        "What the coding agents did",
        _period(counts),
        stream.warnings(),
        sections,
        str(stream.path),
    )


def _period(counts: Row) -> str:
    if counts["first_at"] is None:
        return "The stream holds no event."
    first, last = (page.cell(counts[name]) for name in ("first_at", "last_at"))
    return f"From {first} to {last}."


def _headline(stream: OpenStream, found: Row, asked: CatalogAnswers, filters: Filters) -> Section:
    counts = _counts(found, asked)
    before = _before(found, filters)
    if before is None:
        return Section("Headline", "", ["what", "count"], counts, len(counts), None)
    earlier = _counts(totals(stream, before), CatalogAnswers(stream, before))
    rows = [
        (what, count, was, f"{count - was:+d}" if count != was else "")
        for (what, count), (_, was) in zip(counts, earlier, strict=True)
    ]
    said = f"Against {page.cell(before.since)} to {page.cell(before.until)}."
    return Section("Headline", said, ["what", "count", "before", "change"], rows, len(rows), None)


def _before(found: Row, filters: Filters) -> Filters | None:
    """The span of the same length before the one that was asked for."""
    end = filters.until or found["last_at"]
    if filters.since is None or end is None or end <= filters.since:
        return None
    length = end - filters.since
    return Filters(filters.since - length, filters.since, filters.tool, filters.session)


def _over_time(stream: OpenStream, filters: Filters) -> list[Section]:
    rows, what = by_time(stream, "hour", filters), "Hour by hour"
    if len(rows) >= MOST_TIMES:
        rows, what = by_time(stream, "day", filters)[:MOST_TIMES], "Day by day"
    if len(rows) < 2:
        return []
    values = [tuple(row.values()) for row in rows]
    section = Section(what, "", list(rows[0]), values, len(rows), None)
    section.chart = True
    return [section]


def _by(stream: OpenStream, filters: Filters) -> list[Section]:
    made = []
    for key, title in (("user_id", "By user"), ("machine_id", "By machine")):
        rows = by_key(stream, key, filters)
        if rows:
            shown = [tuple(row.values()) for row in rows[:ROWS]]
            made.append(Section(title, "Riskiest first.", list(rows[0]), shown, len(rows), None))
    return made


def _counts(found: Row, asked: CatalogAnswers) -> list[tuple[str, int]]:
    denies = asked("denies")
    observed = [row for row in denies if row["certainty"] == "observed"]
    return [
        ("sessions", found["sessions"]),
        ("clients", found["clients"]),
        ("users", found["users"]),
        ("prompts", found["prompts"]),
        ("calls", found["calls"]),
        ("failed calls", found["failed"]),
        ("denied, observed", len(observed)),
        ("denied, inferred", len(denies) - len(observed)),
        ("of the denied: not an action", sum(row["subject"] != "action" for row in denies)),
        ("of the denied: not enforced", sum(not row["enforced"] for row in denies)),
        ("denied and run afterwards", sum(row["executed_afterwards"] is True for row in denies)),
        ("denied, then bypassed", len(asked("bypasses"))),
        ("verdicts of guards not held", len(asked("decisions", is_lost))),
        ("run while a guard failed", len(asked("failed_open"))),
        ("approval prompts with unknown outcome", len(asked("asks", _unanswered))),
        ("retry loops", len(asked("retry_loops"))),
        ("compactions", sum(row["completed"] is not False for row in asked("compactions"))),
        (
            "sessions with approval prompts off",
            len({row["session_id"] for row in asked("risky_modes", asks_nobody, "session")}),
        ),
        ("secrets seen", len(asked("secrets"))),
        ("external hosts", len({row["host"] for row in asked("egress", outside)})),
        ("events", found["events"]),
    ]


def is_lost(row: Row) -> bool:
    """Return whether a call ran against a guard's verdict, or without the question it wanted."""
    is_plain = row["decision"] == "allow" and not row["modified"]
    ran = row["outcome"] in ("ok", "error", "timeout")
    return bool(row["held"] in ("ignored", "asked_nobody") and ran and not is_plain)


def _unanswered(row: Row) -> bool:
    return bool(row["resolution"] == "unknown")
