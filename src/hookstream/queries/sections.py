"""Tables of the report: each a question's answer, newest first, cut to ROWS rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hookstream.core.progress import step
from hookstream.queries.page import Section
from hookstream.queries.runner import Filters, ask, rows_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from hookstream.queries.stream import OpenStream

    Row = dict[str, Any]

ROWS = 20
TIMES = ("timestamp", "first_at", "first_seen", "last_at")


class CatalogAnswers:
    """Answers of the catalog as dicts, each question asked once."""

    def __init__(self, stream: OpenStream, filters: Filters) -> None:
        self.stream = stream
        self.filters = filters
        self.answers: dict[tuple[str, str | None], list[Row]] = {}

    def __call__(
        self, name: str, keep: Callable[[Row], bool] | None = None, by: str | None = None
    ) -> list[Row]:
        key = (name, by)
        if key not in self.answers:
            step(len(self.answers), unit="questions")
            self.filters.by = by
            self.answers[key] = rows_of(ask(self.stream, name, self.filters))
            self.filters.by = None
        rows = self.answers[key]
        return rows if keep is None else [row for row in rows if keep(row)]


def cut(rows: list[Row], columns: str) -> tuple[list[str], list[tuple[Any, ...]], int]:
    """(columns, the newest ROWS rows of them, how many rows there are); rows that have no time
    keep their order."""
    names = columns.split()
    time = next((name for name in names if name in TIMES), None)
    if time is not None and "risk_score" not in names:
        rows = sorted(rows, key=lambda row: (row[time] is not None, row[time]), reverse=True)
    return names, [tuple(row[name] for name in names) for row in rows[:ROWS]], len(rows)


def asks_nobody(row: Row) -> bool:
    return bool(row["unguarded"] == "everything")


def outside(row: Row) -> bool:
    return not row["internal"]


def guards(asked: CatalogAnswers, denies: list[Row]) -> list[Section]:
    for row in denies:
        row["target"] = row["command"] or row["file_path"] or row["url"] or row["mcp_server"]
    ran = [row for row in denies if row["executed_afterwards"] is True]
    return [
        Section(
            "Denied, and run afterwards",
            "The same action ran later in the session that was refused it.",
            *cut(ran, "timestamp tool action_name target decided_by certainty session_id"),
            "denies",
        ),
        Section(
            "Denied, then bypassed",
            "A later action of the session named the same target.",
            *cut(
                asked("bypasses"),
                "timestamp tool target denied_native action_native command session_id",
            ),
            "bypasses",
        ),
        Section(
            "Failed open",
            "Actions that ran although their guard had failed.",
            *cut(
                asked("failed_open"),
                "timestamp tool failure decided_by action_name command outcome session_id",
            ),
            "failed_open",
        ),
        Section(
            "Denied",
            "Inferred: nothing followed the action; an interrupted one looks the same. "
            "Not enforced: nothing carried the verdict out.",
            *cut(
                denies,
                "timestamp tool action_name target decided_by decision_reason certainty "
                "session_id subject enforced",
            ),
            "denies",
        ),
    ]


def behaviour(asked: CatalogAnswers) -> list[Section]:
    return [
        Section(
            "Retry loops",
            "The same action again and again in one turn.",
            *cut(
                asked("retry_loops"),
                "first_at tool action_name command kind attempts failures aborted session_id",
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
            "Modes that ask less or never, and options of commands that bypass checks.",
            *cut(
                asked("risky_modes"),
                "first_seen tool kind mode unguarded machines sessions actions max_risk",
            ),
            "risky_modes",
        ),
    ]


def reach(asked: CatalogAnswers) -> list[Section]:
    return [
        Section(
            "Secrets",
            "What the rules found; the values are nowhere in the stream.",
            *cut(asked("secrets"), "rule fingerprint where count first_seen last_seen"),
            "secrets",
        ),
        Section(
            "Egress",
            "External hosts that actions named.",
            *cut(
                asked("egress", outside),
                "host tool via machines calls ran denied first_seen max_risk example",
            ),
            "egress",
        ),
        Section(
            "Credential files",
            "Paths of keys, tokens and secrets that actions named.",
            *cut(
                asked("sensitive_files"),
                "path tool action_name machines calls ran denied first_seen max_risk",
            ),
            "sensitive_files",
        ),
        Section(
            "Packages",
            "What install commands named.",
            *cut(asked("packages"), "package manager tool machines calls ran first_seen"),
            "packages",
        ),
        Section(
            "MCP servers",
            "Who the agents talked to.",
            *cut(asked("mcp_servers"), "server tool machines calls failures denied first_seen"),
            "mcp_servers",
        ),
    ]
