"""Levels, known noise and what is critical: one TOML file next to the rules.

[levels]                          # rule name, id or title -> level, or "off"
"call_forced_push" = "high"
"call_night_session" = "off"

[[known]]                         # findings that are expected
rule = "call_remote_code"         # name, id, title; left out: every rule
machine = "ci-*"                  # machine, user, tool, session, shown: * and ? match
reason = "installers of the build image"
until = 2027-01-31                # left out: for good

[critical]                        # findings there are raised by one level
machines = ["bastion-1"]
users = ["release-bot"]
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from hookstream.rules.load import LEVELS, RuleError, names_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime
    from pathlib import Path

    from hookstream.core.jsons import JsonObject
    from hookstream.rules.compile import Compiled
    from hookstream.rules.findings import Finding


@dataclass(frozen=True)
class DetectOptions:
    """The options of a question. `rules` are files or folders (empty: the shipped pack), `level`
    the least level of interest, `only` names rules, `listing` asks none of them; times are naive
    UTC, `until` excluded."""

    rules: tuple[Path, ...] = ()
    tuning: Path | None = None
    since: datetime | None = None
    until: datetime | None = None
    level: str = "informational"
    only: frozenset[str] = frozenset()
    listing: bool = False


PLACES = {
    "machine": "machine_id",
    "user": "user_id",
    "tool": "tool",
    "session": "session_id",
    "shown": "shown",
}


@dataclass(frozen=True)
class KnownNoise:
    """Noise that is known: what it matches, why, and until when."""

    rule: str
    places: dict[str, str]
    reason: str
    until: date | None

    def covers(self, finding: Finding, names: set[str]) -> bool:
        if self.rule and self.rule not in names:
            return False
        if self.until and finding.timestamp and finding.timestamp.date() > self.until:
            return False
        return all(
            fnmatchcase(str(getattr(finding, PLACES[place]) or ""), pattern)
            for place, pattern in self.places.items()
        )


@dataclass(frozen=True)
class Tuning:
    """The file's content; empty without a file."""

    levels: dict[str, str] = field(default_factory=dict)
    known: tuple[KnownNoise, ...] = ()
    machines: tuple[str, ...] = ()
    users: tuple[str, ...] = ()

    def level_of(self, rule: Compiled) -> str:
        """The level a rule reports with, or "off"."""
        for key in (rule.name, rule.id, rule.title, rule.stem):
            if key in self.levels:
                return self.levels[key]
        return rule.level

    def apply(self, finding: Finding, rule: Compiled) -> Finding | None:
        """The finding at its level, or None if it is known noise."""
        names = {rule.name, rule.id, rule.title, rule.stem}
        if any(one.covers(finding, names) for one in self.known):
            return None
        level = self.level_of(rule)
        if finding.machine_id in self.machines or finding.user_id in self.users:
            level = LEVELS[min(LEVELS.index(level) + 1, len(LEVELS) - 1)]
        return finding if level == finding.level else replace(finding, level=level)


def load_tuning(path: Path, rules: Iterable[Any]) -> Tuning:
    """The tuning in a file. RuleError, in one line, for what does not belong there, and for a rule
    that does not exist."""
    try:
        document = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise RuleError(f"{path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RuleError(f"{path}: {error}") from None
    names = {name for rule in rules for name in names_of(rule)}
    extra = sorted(set(document) - {"levels", "known", "critical"})
    if extra:
        raise RuleError(f"{path}: {extra[0]}: no such table; here may be levels, known, critical")
    critical = _table(path, document, "critical")
    return Tuning(
        _levels(path, _table(path, document, "levels"), names),
        tuple(_known(path, one, names) for one in _list(path, document, "known")),
        tuple(_texts(path, critical, "machines")),
        tuple(_texts(path, critical, "users")),
    )


def _levels(path: Path, given: JsonObject, names: set[str]) -> dict[str, str]:
    for key, level in given.items():
        if key not in names:
            raise RuleError(f"{path}: levels.{key}: no such rule")
        if level not in (*LEVELS, "off"):
            raise RuleError(
                f"{path}: levels.{key}: {level!r} is not one of {', '.join(LEVELS)}, off"
            )
    return given


def _known(path: Path, given: Any, names: set[str]) -> KnownNoise:
    if not isinstance(given, dict):
        raise RuleError(f"{path}: known: needs to be a list of tables")
    for key, value in given.items():
        if key not in (*PLACES, "rule", "reason", "until"):
            raise RuleError(f"{path}: known.{key}: no such key")
        if key != "until" and not isinstance(value, str):
            raise RuleError(f"{path}: known.{key}: needs to be a text")
    rule = given.get("rule", "")
    if rule and rule not in names:
        raise RuleError(f"{path}: known.rule: no rule {rule!r}")
    if not given.get("reason"):
        raise RuleError(f"{path}: known: needs a reason")
    places = {key: given[key] for key in PLACES if key in given}
    if not rule and not places:
        raise RuleError(f"{path}: known: would hide everything; say a rule or a place")
    until = given.get("until")
    until = until.date() if isinstance(until, datetime) else until
    if until is not None and not isinstance(until, date):
        raise RuleError(f"{path}: known.until: needs to be a date such as 2027-01-31")
    return KnownNoise(rule, places, given["reason"], until)


def _table(path: Path, given: JsonObject, name: str) -> JsonObject:
    value = given.get(name, {})
    if not isinstance(value, dict):
        raise RuleError(f"{path}: {name}: needs to be a table")
    return value


def _list(path: Path, given: JsonObject, name: str) -> list[Any]:
    value = given.get(name, [])
    if not isinstance(value, list):
        raise RuleError(f"{path}: {name}: needs to be a list of tables")
    return value


def _texts(path: Path, given: JsonObject, name: str) -> list[str]:
    value = given.get(name, [])
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise RuleError(f"{path}: critical.{name}: needs to be a list of texts")
    return value
