"""Alerts: a rule or a question asked on a schedule, its new answers sent to people, each once.

Their settings in the configuration file:

    [[alert]]
    name = "grave findings"
    level = "high"                    # rules of at least this level; or rule = ["call_hooks_off"]
    every = "15m"                     # or at = "07:30" (UTC, daily)
    since = "24h"                     # how far back is looked
    to = "slack:https://hooks.slack.com"
    path_env = "SLACK_PATH"           # credentials by NAME_env or NAME_file, as in [[sink]]
    link = "https://soc.example/findings/{finding_id}"
    ui = "http://127.0.0.1:8600"      # or instead: `hookstream ui LAKE --port 8600`

    [[alert]]
    question = "failed_open"          # rows of a question instead of findings
    every = "5m"
    to = "mailto:soc@example.org"
    host = "mail.example.org"         # port, starttls, from, user, password_env

`to` is `slack:URL`, `mailto:ADDRESS` or any sink: webhook:, syslog:, splunk:, elastic: ...
`rules` and `tuning` name files for this alert; without them the shipped pack is asked.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from hookstream.configuration.reading import Wrong, read_toml
from hookstream.core.errors import HookstreamError, NothingToRead, SinkError
from hookstream.core.files import make_private, write_atomic
from hookstream.core.jsons import JsonObject
from hookstream.core.shown import shown
from hookstream.delivery.checkpoint import set_aside
from hookstream.delivery.credentials import known, open_at
from hookstream.delivery.settings import SinkReading
from hookstream.queries.catalog import queries
from hookstream.queries.runner import Filters, read
from hookstream.queries.runner import ask as ask_question
from hookstream.rules.ask import ask
from hookstream.rules.findings import Finding
from hookstream.rules.load import LEVELS
from hookstream.rules.tuning import DetectOptions
from hookstream.sinks.http import HttpClient, Unreachable, meaning
from hookstream.standards.rendered import Rendered
from hookstream.tables.update import freshen

SPAN = re.compile(r"(\d{1,5})([smhdw])\Z")
SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}
CLOCK = re.compile(r"([01]\d|2[0-3]):([0-5]\d)\Z")
KEYS = "name, level, rule, question, every, at, since, to, link, ui, rules, tuning, options of `to`"


@dataclass(frozen=True)
class Alert:
    """One alert. `every_s` or `at` (minutes after midnight, UTC) says when; `since_s` how far back;
    `options` are passed to the channel by name, credentials in them read when it is opened."""

    name: str
    to: str
    level: str = "low"
    rule: frozenset[str] = frozenset()
    question: str | None = None
    every_s: int = 0
    at: int | None = None
    since_s: int = 86400
    link: str = ""
    ui: str = ""
    rules: tuple[Path, ...] = ()
    tuning: Path | None = None
    options: JsonObject = field(default_factory=dict)


def load_alerts(path: Path) -> list[Alert]:
    """The alerts in a file. Wrong, in one line, for what does not belong there."""
    reading = SinkReading(path)
    tables = reading.take(read_toml(path), "", "alert", list, [])
    if not tables:
        raise Wrong(f"{path}: alert: none given; write at least one [[alert]] with a to")
    alerts = [_alert(reading, table, f"alert[{n}].") for n, table in enumerate(tables)]
    names = [alert.name for alert in alerts]
    for name in names:
        if names.count(name) > 1:
            raise Wrong(f"{path}: alert: the name {name!r} is given twice")
    return alerts


def _alert(reading: SinkReading, given: Any, at: str) -> Alert:
    if type(given) is not dict:
        raise reading.wrong(at[:-1], "needs to be a table: write [[alert]]")
    to = reading.take(given, at, "to", str, None)
    if to is None:
        raise reading.wrong(f"{at}to", "missing")
    level = reading.word(given, at, "level", LEVELS)
    rule = frozenset(reading.texts(given, at, "rule"))
    question = reading.take(given, at, "question", str, None)
    if question is not None and question not in queries():
        raise reading.wrong(f"{at}question", f"no question {question!r}; see `hookstream queries`")
    if question is not None and (rule or level):
        raise reading.wrong(f"{at}question", "stands alone: leave out rule and level")
    every, clock = _schedule(reading, given, at)
    since = reading.take(given, at, "since", str, "24h")
    tuning = reading.take(given, at, "tuning", str, None)
    link = reading.take(given, at, "link", str, "")
    ui = reading.take(given, at, "ui", str, "")
    if link and ui:
        raise reading.wrong(f"{at}ui", "leave out either link or ui")
    if ui and not ui.startswith(("http://", "https://")):
        raise reading.wrong(f"{at}ui", f"{ui!r} is not an address such as http://127.0.0.1:8600")
    return Alert(
        name=reading.take(given, at, "name", str, question or to),
        to=to,
        level=level or ("informational" if rule else "low"),
        rule=rule,
        question=question,
        every_s=every,
        at=clock,
        since_s=_span(reading, f"{at}since", since),
        link=link,
        ui=ui.rstrip("/"),
        rules=tuple(Path(name).expanduser() for name in reading.texts(given, at, "rules")),
        tuning=Path(tuning).expanduser() if tuning else None,
        options=reading.options(given, at),
    )


def _schedule(reading: SinkReading, given: JsonObject, at: str) -> tuple[int, int | None]:
    every = reading.take(given, at, "every", str, None)
    clock = reading.take(given, at, "at", str, None)
    if (every is None) == (clock is None):
        raise reading.wrong(f"{at}every", 'say either every = "15m" or at = "07:30"')
    if clock is None:
        return _span(reading, f"{at}every", every), None
    match = CLOCK.match(clock)
    if match is None:
        raise reading.wrong(f"{at}at", f"{clock!r} is not a time of day such as 07:30")
    return 0, int(match[1]) * 60 + int(match[2])


def _span(reading: SinkReading, where: str, text: str) -> int:
    match = SPAN.match(text)
    if match is None or not int(match[1]):
        raise reading.wrong(where, f"{text!r} is not a span such as 15m or 24h")
    return int(match[1]) * SECONDS[match[2]]


# Ids kept of each alert, the newest; more than any span of time that is looked at should hold.
KEPT = 100_000


class Sent:
    """One alert's file: ids of findings that were sent (oldest first), and when it last ran."""

    def __init__(self, folder: Path, name: str) -> None:
        from hashlib import sha256

        make_private(folder)
        self.path = folder / f"{sha256(name.encode()).hexdigest()[:16]}.json"
        self.name = name
        self.ids: dict[str, None] = {}
        self.last_run = 0.0
        try:
            saved: JsonObject = json.loads(self.path.read_bytes())
            self.ids = dict.fromkeys(str(finding_id) for finding_id in saved["sent"])
            self.last_run = float(saved["last_run"])
        except FileNotFoundError:
            pass
        except (OSError, ValueError, KeyError, TypeError):
            set_aside(self.path)

    def add(self, ids: list[str], at: float) -> None:
        """Note what was sent, on disk when this returns. OSError."""
        self.ids |= dict.fromkeys(ids)
        newest = list(self.ids)[-KEPT:]
        self.ids = dict.fromkeys(newest)
        self.last_run = at
        state = {"alert": self.name, "last_run": at, "sent": newest}
        write_atomic(self.path, json.dumps(state).encode())


# Findings that a message spells out; the rest is counted.
SPELT = 20
PLACES = tuple("finding_id event_id session_id machine_id user_id tool rule rule_id".split())


def send(alert: Alert, findings: Sequence[Finding]) -> None:
    """Send what is new. SinkError, in one line, if the far end did not take it."""
    options = known(alert.options)
    grave = sorted(findings, key=lambda one: -LEVELS.index(one.level))
    kind = alert.to.partition(":")[0]
    if kind == "slack":
        _chat(alert, grave, options)
    elif kind == "mailto":
        _mail(alert, grave, options)
    else:
        _sink(alert, grave, options)


def _sink(alert: Alert, findings: Sequence[Finding], options: JsonObject) -> None:
    options.setdefault("standard", "agent-hooks")
    sink = open_at(alert.to, freshen, **options)
    try:
        receipts = sink.write([Rendered(item.event()) for item in findings])
        left = [item for item in receipts if item.status != "delivered"]
        if left:
            raise SinkError(f"{sink.uri}: {left[0].reason or left[0].status}")
        sink.flush()
    finally:
        sink.close()


def _chat(alert: Alert, findings: Sequence[Finding], options: JsonObject) -> None:
    """One message in the shape that Slack's incoming webhooks take (Mattermost and others too)."""
    url = alert.to.partition(":")[2]
    client = HttpClient("slack", url, **options)
    lines = [f"*{escaped(alert.name)}*: {len(findings)} new"]
    for finding in findings[:SPELT]:
        link = linked(alert, finding)
        title = escaped(finding.title)
        head = f"<{link}|{title}>" if link else title
        lines.append(f"• *{finding.level}* {head} {escaped(where(finding))}")
        if finding.shown:
            lines.append(f"> {escaped(one_line(finding.shown))}")
    lines += rest(findings)
    body = json.dumps({"text": "\n".join(lines)}).encode()
    try:
        receipt = meaning(client.post(body, "application/json"))
    except Unreachable as error:
        raise SinkError(f"slack: {error}") from None
    finally:
        client.close()
    if receipt.status != "delivered":
        raise SinkError(f"slack: {receipt.reason or receipt.status}")


def _mail(alert: Alert, findings: Sequence[Finding], options: JsonObject) -> None:
    import smtplib
    import ssl
    from email.message import EmailMessage

    host, port = options.pop("host", "localhost"), int(options.pop("port", 25))
    user, password = options.pop("user", None), options.pop("password", None)
    secure = bool(options.pop("starttls", password is not None))
    message = EmailMessage()
    message["From"] = options.pop("from", "hookstream@localhost")
    message["To"] = alert.to.partition(":")[2]
    message["Subject"] = one_line(f"[{findings[0].level}] {alert.name}: {len(findings)} new", 150)
    if options:
        raise SinkError(f"mailto: no option {sorted(options)[0]!r}")
    message.set_content(
        "\n".join([*(paragraph(alert, finding) for finding in findings[:SPELT]), *rest(findings)])
    )
    try:
        with smtplib.SMTP(host, port, timeout=20) as server:
            if secure:
                server.starttls(context=ssl.create_default_context())
            if user is not None:
                server.login(user, password or "")
            server.send_message(message)
    except (OSError, smtplib.SMTPException) as error:
        reason = getattr(error, "strerror", None) or type(error).__name__
        raise SinkError(f"mailto: {host}:{port}: {reason}") from None


def paragraph(alert: Alert, one: Finding) -> str:
    lines = [f"{one.level}: {one.title}", f"  {where(one)}"]
    if one.shown:
        lines.append(f"  {one_line(one.shown)}")
    link = linked(alert, one)
    return "\n".join([*lines, *([f"  {link}"] if link else []), ""])


def where(one: Finding) -> str:
    when = one.timestamp.isoformat(sep=" ", timespec="seconds") + "Z" if one.timestamp else ""
    names = (("machine", one.machine_id), ("user", one.user_id), ("session", one.session_id))
    labels = [f"{name} {one_line(value, 60)}" for name, value in names if value]
    return " ".join(part for part in (when, one.tool or "", *labels) if part)


def rest(findings: Sequence[Finding]) -> list[str]:
    more = len(findings) - SPELT
    return [f"and {more} more"] if more > 0 else []


def linked(alert: Alert, one: Finding) -> str:
    """The alert's link with its places filled in, each quoted; or the page of the ui."""
    if alert.ui:
        return f"{alert.ui}{_page(alert, one)}"
    link = alert.link
    for name in PLACES:
        link = link.replace("{" + name + "}", quote(str(getattr(one, name) or ""), safe=""))
    return link


def _page(alert: Alert, one: Finding) -> str:
    """The address of a finding in the ui, or of the question's rows about its session."""
    if alert.question is None:
        return f"/findings?{urlencode({'finding_id': one.finding_id})}"
    places = {"session": one.session_id, "machine": one.machine_id}
    query = urlencode({name: value for name, value in places.items() if value})
    return f"/q/{alert.question}" + (f"?{query}" if query else "")


def one_line(text: str, most: int = 300) -> str:
    shown = "".join(char if char.isprintable() else " " for char in text)
    return shown if len(shown) <= most else shown[: most - 3] + "..."


def escaped(text: str) -> str:
    """The text with a chat's markup escaped."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


TIMES = ("timestamp", "first_at", "started_at", "first_seen")
SHOWN = tuple("command file_path url server host package gap detail target".split())


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
        self.sent = {alert.name: Sent(folder, alert.name) for alert in alerts}
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
        sent = self.sent[alert.name]
        since = datetime.fromtimestamp(now, UTC).replace(tzinfo=None)
        since -= timedelta(seconds=alert.since_s)
        try:
            findings = self._asked(alert, since)
        except NothingToRead:
            findings = []  # a lake without any event yet
        new = {
            finding.finding_id: finding
            for finding in findings
            if finding.finding_id not in sent.ids
        }
        if new:
            send(alert, list(new.values()))
        sent.add(list(new), now)
        return len(new)

    def _asked(self, alert: Alert, since: datetime) -> list[Finding]:
        if alert.question is not None:
            question = alert.question
            level = next(reversed(queries()[question].by), None)
            result = read(
                self.lake,
                lambda stream: ask_question(stream, question, Filters(since=since, by=level)),
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


def _of_row(alert: Alert, row: JsonObject, today: datetime) -> Finding:
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
