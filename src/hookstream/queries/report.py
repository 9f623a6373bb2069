"""The morning page: what a SOC lead reads first, as Markdown or as one HTML file.

Every table is a question of the catalog, cut to ROWS rows, with the command that shows the rest.
Nothing in it depends on the clock: the same stream gives the same page.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookstream.queries import page
from hookstream.queries.errors import QueryError
from hookstream.queries.page import Page, Section
from hookstream.queries.runner import Filters, Result, ask, ask_sql, read

if TYPE_CHECKING:
    from collections.abc import Callable

    from hookstream.queries.stream import Stream

    Row = dict[str, Any]

FORMATS = ("markdown", "html")
ROWS = 20
TOTALS = """
select
    count(distinct (tool, session_id)) as sessions, count(distinct tool) as clients,
    count(distinct user_id) as users, count(distinct machine_id) as machines, count(1) as events,
    count(1) filter (event_type = 'Prompt.Submitted') as prompts,
    min("timestamp") as first_at, max("timestamp") as last_at
from stream
"""
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
order by risk_score desc, "timestamp", tool, session_id, event_id
"""


def report(path: str | Path, format: str = "markdown", filters: Filters | None = None) -> str:
    """One page about the stream at a path. Raises NothingToRead, and QueryError for a format that
    is none of FORMATS."""
    if format not in FORMATS:
        raise QueryError(f"--format: {format!r} is none of {', '.join(FORMATS)}")
    made = read(path, lambda stream: compose(stream, filters or Filters()))
    return page.as_html(made) if format == "html" else page.as_markdown(made)


def compose(stream: Stream, filters: Filters) -> Page:
    """The page's parts, in the order of their urgency."""
    asked = Asked(stream, filters)
    totals = rows_of(ask_sql(stream, TOTALS, filters))[0]
    denies = asked("denies")
    sections = [
        _headline(totals, asked, denies),
        *_guards(asked, denies),
        *_behaviour(asked),
        *_reach(asked),
        Section(
            "Highest risk",
            "Actions with a risk score of 60 or more, each once.",
            *cut(
                rows_of(ask_sql(stream, RISKY, filters)),
                "timestamp tool session_id risk_score action_name target outcome factors",
            ),
            "timeline",
        ),
        Section(
            "Gaps: why an empty table above may not be trusted",
            "What was lost, not captured or not understood.",
            *cut(asked("gaps"), "gap tool where count detail"),
            "gaps",
        ),
    ]
    return Page(
        "What the coding agents did",
        _period(totals),
        stream.warnings(),
        sections,
        str(stream.path),
    )


class Asked:
    """Answers of the catalog as dicts, each question asked once."""

    def __init__(self, stream: Stream, filters: Filters) -> None:
        self.stream = stream
        self.filters = filters
        self.answers: dict[str, list[Row]] = {}

    def __call__(self, name: str, keep: Callable[[Row], bool] | None = None) -> list[Row]:
        if name not in self.answers:
            self.answers[name] = rows_of(ask(self.stream, name, self.filters))
        rows = self.answers[name]
        return rows if keep is None else [row for row in rows if keep(row)]


def rows_of(result: Result) -> list[Row]:
    return [dict(zip(result.columns, row, strict=True)) for row in result.rows]


def cut(rows: list[Row], columns: str) -> tuple[list[str], list[tuple[Any, ...]], int]:
    """(columns, the first ROWS rows of them, how many rows there are)."""
    names = columns.split()
    return names, [tuple(row[name] for name in names) for row in rows[:ROWS]], len(rows)


def _period(totals: Row) -> str:
    if totals["first_at"] is None:
        return "The stream holds no event."
    first, last = (page.cell(totals[name]) for name in ("first_at", "last_at"))
    return f"From {first} to {last}."


def _headline(totals: Row, asked: Asked, denies: list[Row]) -> Section:
    sessions = asked("sessions")
    observed = [row for row in denies if row["certainty"] == "observed"]
    counts = [
        ("sessions", totals["sessions"]),
        ("clients", totals["clients"]),
        ("users", totals["users"]),
        ("prompts", totals["prompts"]),
        ("actions", sum(row["actions"] for row in sessions)),
        ("failed actions", sum(row["failures"] for row in sessions)),
        ("denied, observed", len(observed)),
        ("denied, inferred", len(denies) - len(observed)),
        ("denied and run afterwards", sum(row["executed_afterwards"] is True for row in denies)),
        ("denied and reached another way", len(asked("bypasses"))),
        ("run while a guard failed", len(asked("failed_open"))),
        ("questions without a known answer", len(asked("asks", _unanswered))),
        ("retry loops", len(asked("retry_loops"))),
        ("compactions", sum(row["completed"] is not False for row in asked("compactions"))),
        (
            "sessions that ask nobody",
            len({row["session_id"] for row in asked("risky_modes", _mode)}),
        ),
        ("secrets seen", len(asked("secrets"))),
        ("hosts outside", len({row["host"] for row in asked("egress", _outside)})),
        ("events", totals["events"]),
    ]
    return Section("Headline", "", ["what", "count"], counts, len(counts), None)


def _unanswered(row: Row) -> bool:
    return bool(row["resolution"] == "unknown")


def _mode(row: Row) -> bool:
    return bool(row["unguarded"] == "everything")


def _outside(row: Row) -> bool:
    return not row["internal"]


def _guards(asked: Asked, denies: list[Row]) -> list[Section]:
    for row in denies:
        row["target"] = row["command"] or row["file_path"] or row["url"] or row["mcp_server"]
    ran = [row for row in denies if row["executed_afterwards"] is True]
    return [
        Section(
            "Denied, and run afterwards",
            "The same action ran later in the session that was refused it.",
            *cut(ran, "timestamp tool session_id action_name target decided_by certainty"),
            "denies",
        ),
        Section(
            "Denied, and reached another way",
            "A later action of the session named the same target.",
            *cut(
                asked("bypasses"),
                "timestamp tool session_id target denied_native action_native command",
            ),
            "bypasses",
        ),
        Section(
            "Failed open",
            "Actions that ran although their guard had failed.",
            *cut(
                asked("failed_open"),
                "timestamp tool session_id failure decided_by action_name command outcome",
            ),
            "failed_open",
        ),
        Section(
            "Denied",
            "Inferred: nothing followed the action; an interrupted one looks the same.",
            *cut(
                denies,
                "timestamp tool session_id action_name target decided_by decision_reason certainty",
            ),
            "denies",
        ),
    ]


def _behaviour(asked: Asked) -> list[Section]:
    return [
        Section(
            "Retry loops",
            "The same action again and again in one turn.",
            *cut(
                asked("retry_loops"),
                "first_at tool session_id action_name command kind attempts failures aborted",
            ),
            "retry_loops",
        ),
        Section(
            "Compactions after a deny",
            "What was refused may be forgotten from here on.",
            *cut(
                asked("compactions", lambda row: row["denies_before"] > 0),
                "timestamp tool session_id trigger tokens_before tokens_after completed "
                "denies_before",
            ),
            "compactions",
        ),
        Section(
            "Guards switched off",
            "Sessions in a mode that asks less or nobody, and commands that bypass checks.",
            *cut(
                asked("risky_modes"),
                "first_seen tool session_id kind mode unguarded actions max_risk",
            ),
            "risky_modes",
        ),
    ]


def _reach(asked: Asked) -> list[Section]:
    return [
        Section(
            "Secrets",
            "What the rules found; the values are nowhere in the stream.",
            *cut(asked("secrets"), "rule fingerprint where count first_seen last_seen"),
            "secrets",
        ),
        Section(
            "Egress",
            "Hosts outside that actions named.",
            *cut(
                asked("egress", _outside),
                "host tool via calls ran denied first_seen max_risk example",
            ),
            "egress",
        ),
        Section(
            "Credential files",
            "Paths of keys, tokens and secrets that actions named.",
            *cut(
                asked("sensitive_files"),
                "path tool action_name calls ran denied first_seen max_risk",
            ),
            "sensitive_files",
        ),
        Section(
            "Packages",
            "What install commands named.",
            *cut(asked("packages"), "package manager tool calls ran first_seen"),
            "packages",
        ),
        Section(
            "MCP servers",
            "Who the agents talked to.",
            *cut(asked("mcp_servers"), "server tool calls failures denied first_seen"),
            "mcp_servers",
        ),
    ]
