"""Alerts when they are due: the lake is asked, what is new is sent, then noted as sent."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from hookstream.alerts.channels import send
from hookstream.alerts.sent import Sent
from hookstream.core.errors import HookstreamError, NothingToRead, SinkError
from hookstream.core.shown import shown
from hookstream.queries.runner import Filters, read
from hookstream.queries.runner import ask as ask_question
from hookstream.rules.ask import ask
from hookstream.rules.findings import Finding
from hookstream.rules.options import DetectOptions

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from hookstream.alerts.settings import Alert

TIMES = ("timestamp", "first_at", "started_at", "first_seen")
SHOWN = ("command", "file_path", "url", "server", "host", "package", "gap", "detail", "target")


class AlertWatch:
    """Alerts over one lake; `folder` keeps what was sent, `said` takes lines for stderr, `before`
    is called before each alert: it has questions go by the roster as it is now."""

    def __init__(
        self,
        lake: Path,
        alerts: list[Alert],
        folder: Path,
        said: Callable[[str], None],
        before: Callable[[], None] = lambda: None,
    ) -> None:
        self.before = before
        self.lake = lake
        self.alerts = alerts
        self.sent = {one.name: Sent(folder, one.name) for one in alerts}
        self.said = said

    def due(self, alert: Alert, now: float) -> bool:
        last = self.sent[alert.name].last_run
        if alert.at is None:
            return now - last >= alert.every_s
        midnight = datetime.fromtimestamp(now, UTC).replace(
            hour=0, minute=0, second=0, microsecond=0
        )
        point = midnight.timestamp() + alert.at * 60
        return last < point <= now

    def run(self, now: float, all_of_them: bool = False) -> tuple[int, int]:
        """Run what is due; (findings sent, alerts that failed). A failed one is tried again."""
        sent = failed = 0
        for alert in self.alerts:
            if all_of_them or self.due(alert, now):
                try:
                    sent += self._one(alert, now)
                except (SinkError, HookstreamError, OSError) as error:
                    failed += 1
                    self.said(shown(f"hookstream: alert {alert.name!r}: {error}"))
        return sent, failed

    def _one(self, alert: Alert, now: float) -> int:
        self.before()
        known = self.sent[alert.name]
        since = datetime.fromtimestamp(now, UTC).replace(tzinfo=None)
        since -= timedelta(seconds=alert.since_s)
        try:
            found = self._asked(alert, since)
        except NothingToRead:
            found = []  # a lake without any event yet
        new = {one.finding_id: one for one in found if one.finding_id not in known.ids}
        if new:
            send(alert, list(new.values()))
        known.add(list(new), now)
        return len(new)

    def _asked(self, alert: Alert, since: datetime) -> list[Finding]:
        if alert.question is not None:
            question = alert.question
            result = read(
                self.lake, lambda stream: ask_question(stream, question, Filters(since=since))
            )
            today = (since + timedelta(seconds=alert.since_s)).replace(
                hour=0, minute=0, second=0, microsecond=0
            )
            rows = [dict(zip(result.columns, row, strict=True)) for row in result.rows]
            return [_of_row(alert, row, today) for row in rows]
        asked = DetectOptions(
            rules=alert.rules, tuning=alert.tuning, since=since, level=alert.level, only=alert.rule
        )
        return ask(self.lake, asked).findings


def _of_row(alert: Alert, row: dict[str, Any], today: datetime) -> Finding:
    """A row of a question as a finding of a rule named like it. A row without a time is a state,
    as a machine that is missing: one finding per day for as long as it lasts."""
    when = next((row[name] for name in TIMES if isinstance(row.get(name), datetime)), today)
    shown = next((str(row[name]) for name in SHOWN if row.get(name)), None)
    gap = f"/{row['gap']}" if row.get("gap") else ""
    if gap and row.get("where"):
        shown = f"{row['gap']}: {row['where']}"
    text = {name: _text(row.get(name)) for name in ("machine_id", "user_id", "tool", "session_id")}
    return Finding(
        rule_id=f"question:{alert.question}{gap}",
        title=f"{alert.question}: {alert.name}",
        level="medium",
        timestamp=when,
        machine_id=text["machine_id"],
        user_id=text["user_id"],
        tool=text["tool"],
        session_id=text["session_id"],
        event_id=_text(row.get("event_id") or row.get("call_id")),
        shown=shown,
        rule=str(alert.question),
    )


def _text(value: Any) -> str | None:
    return None if value is None else str(value)
