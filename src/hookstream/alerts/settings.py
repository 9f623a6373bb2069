"""[[alert]] in the configuration file.

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

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hookstream.configuration.reading import Wrong, read_toml
from hookstream.delivery.settings import SinkReading
from hookstream.queries.catalog import queries
from hookstream.rules.load import LEVELS

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
    options: dict[str, Any] = field(default_factory=dict)


def load_alerts(path: Path) -> list[Alert]:
    """The alerts in a file. Wrong, in one line, for what does not belong there."""
    reading = SinkReading(path)
    tables = reading.take(read_toml(path), "", "alert", list, [])
    if not tables:
        raise Wrong(f"{path}: alert: none given; write at least one [[alert]] with a to")
    alerts = [_alert(reading, one, f"alert[{n}].") for n, one in enumerate(tables)]
    names = [one.name for one in alerts]
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
        rules=tuple(Path(one).expanduser() for one in reading.texts(given, at, "rules")),
        tuning=Path(tuning).expanduser() if tuning else None,
        options=reading.options(given, at),
    )


def _schedule(reading: SinkReading, given: dict[str, Any], at: str) -> tuple[int, int | None]:
    every = reading.take(given, at, "every", str, None)
    clock = reading.take(given, at, "at", str, None)
    if (every is None) == (clock is None):
        raise reading.wrong(f"{at}every", 'say either every = "15m" or at = "07:30"')
    if clock is None:
        return _span(reading, f"{at}every", every), None
    found = CLOCK.match(clock)
    if found is None:
        raise reading.wrong(f"{at}at", f"{clock!r} is not a time of day such as 07:30")
    return 0, int(found[1]) * 60 + int(found[2])


def _span(reading: SinkReading, where: str, text: str) -> int:
    found = SPAN.match(text)
    if found is None or not int(found[1]):
        raise reading.wrong(where, f"{text!r} is not a span such as 15m or 24h")
    return int(found[1]) * SECONDS[found[2]]
