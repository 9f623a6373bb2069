"""The retention policy: by age, by class (content before records), by user; holds keep it."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from hookstream.configuration.reading import Reading, read_toml
from hookstream.core.errors import HookstreamError

if TYPE_CHECKING:
    from hookstream.retention.holds import Hold

KEEP, CONTENT, DROP = range(3)
DAY_S = 86_400
UNITS = {"h": 3600, "d": DAY_S, "w": 7 * DAY_S}
MICROS = 1_000_000


class Facts(NamedTuple):
    """The facts that decide about a record: `at`, its age's beginning (`aged`), in microseconds
    since 1970, None without a time."""

    at: int | None
    session: str | None = None
    user: str | None = None
    machine: str | None = None
    tool: str | None = None


def aged(at: int | None, received: int | None) -> int | None:
    """The time that a record's age begins: the later of its receipt and the time in it, which an
    agent writes; the receipt of one from the future."""
    return at if received is None else received


def seconds(text: str, name: str) -> int:
    """`365d`, `12h`, `8w`. HookstreamError for anything else."""
    match = re.fullmatch(r"(\d{1,6})([hdw])", text)
    if match is None or not int(match[1]):
        raise HookstreamError(f"{name}: {text!r} is not an age; use 365d, 12h or 8w")
    return int(match[1]) * UNITS[match[2]]


@dataclass(frozen=True)
class Policy:
    """Ages in seconds before `now` (seconds since 1970); None keeps forever. `users` are deleted
    whatever the age."""

    now: float
    max_age_s: int | None = None
    content_max_age_s: int | None = None
    users: frozenset[str] = frozenset()
    holds: tuple[Hold, ...] = ()

    def __post_init__(self) -> None:
        ages = (self.content_max_age_s, self.max_age_s)
        if ages[0] is not None and ages[1] is not None and ages[0] > ages[1]:
            raise HookstreamError("content is kept longer than its records: swap the two ages")

    @property
    def border(self) -> int | None:
        """The time before which records are removed."""
        return None if self.max_age_s is None else int((self.now - self.max_age_s) * MICROS)

    @property
    def content_border(self) -> int | None:
        """The time before which records lose their content."""
        if self.content_max_age_s is None:
            return None
        return int((self.now - self.content_max_age_s) * MICROS)

    def decide(self, facts: Facts) -> tuple[int, str]:
        """Return the action for a record, and why; the reason of a KEEP is empty, `held` or
        `undated`."""
        action, why = self._due(facts)
        if action != KEEP and any(hold.covers(facts) for hold in self.holds):
            return KEEP, "held"
        return action, why

    def _due(self, facts: Facts) -> tuple[int, str]:
        if facts.user is not None and facts.user in self.users:
            return DROP, "user"
        border, content = self.border, self.content_border
        if facts.at is None:
            return KEEP, "undated" if border is not None or content is not None else ""
        if border is not None and facts.at < border:
            return DROP, "age"
        if content is not None and facts.at < content:
            return CONTENT, "content"
        return KEEP, ""

    def said(self) -> dict[str, Any]:
        """The policy as a statement has it."""
        fields: dict[str, Any] = {"held": sorted({hold.case for hold in self.holds})}
        for name, value in (("before", self.border), ("content_before", self.content_border)):
            if value is not None:
                fields[name] = value // MICROS
        if self.users:
            fields["users"] = sorted(self.users)
        return fields


@dataclass
class Counts:
    """Records by action: (class, date, user) -> number. Classes: age, content, user,
    held, undated; `kept` is all that stays, content or not; `left` names what is not reached."""

    rows: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    kept: int = 0
    left: list[str] = field(default_factory=list)

    def add(self, why: str, facts: Facts) -> None:
        self.rows[why, day_of(facts.at), facts.user or ""] += 1

    def total(self, *classes: str) -> int:
        return sum(count for (why, _, _), count in self.rows.items() if why in classes)

    def table(self) -> list[dict[str, Any]]:
        return [
            {"class": why, "date": date, "user_id": user or None, "records": count}
            for (why, date, user), count in sorted(self.rows.items())
        ]


def day_of(at: int | None) -> str:
    from datetime import UTC, datetime, timedelta

    if at is None:
        return ""
    return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=at)).date().isoformat()


SETTINGS = "max_age, content_max_age, operator_key_file"


@dataclass(frozen=True)
class RetentionSettings:
    """The table [retention] of the TOML file. Ages in seconds; None keeps forever.

    max_age = "365d"                 records; 12h, 365d, 52w
    content_max_age = "30d"          prompts, answers, outputs: digest and length stay
    operator_key_file = "/run/keys/operator.pem"
    """

    max_age_s: int | None = None
    content_max_age_s: int | None = None
    operator_key_file: str | None = None


def load_settings(path: Path) -> RetentionSettings:
    """Load the retention settings of a file. Wrong, in one line, for what does not belong there."""
    reading = Reading(path)
    table = reading.take(read_toml(path), "", "retention", dict, {})
    records, content = (
        None if text is None else seconds(text, f"{path}: retention.{name}")
        for name in ("max_age", "content_max_age")
        for text in [reading.take(table, "retention.", name, str, None)]
    )
    key = reading.take(table, "retention.", "operator_key_file", str, None)
    reading.nothing_left(table, "retention.", SETTINGS)
    return RetentionSettings(records, content, key and str(Path(key).expanduser()))
