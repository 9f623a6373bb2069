"""Evaluate rules over a lake at a path, for the command line, alerts and reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from hookstream.queries.catalog import finest
from hookstream.queries.runner import read
from hookstream.queries.stream import OpenStream
from hookstream.rules.compile import Compiled, compile_rules, named
from hookstream.rules.evaluate import RuleTables, TimeSpan, findings, in_order
from hookstream.rules.findings import Finding
from hookstream.rules.listing import ListedRule, listed
from hookstream.rules.load import LEVELS, load, usual_places
from hookstream.rules.stored import StoredCommandFacts, StoredFindings, folder_of
from hookstream.rules.tuning import DetectOptions, Tuning, load_tuning
from hookstream.tables.history import digest_of
from hookstream.tables.update import freshen


@dataclass
class RuleAnswer:
    """Findings by time, the rules that were asked, and lines for stderr."""

    findings: list[Finding] = field(default_factory=list)
    rules: list[Compiled] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    tuning: Tuning = field(default_factory=Tuning)

    COUNTED: ClassVar = ("level", "title", "findings", "machines", "users", "sessions", "rule")

    def listed(self) -> list[ListedRule]:
        return listed(self.rules, self.tuning)

    def counted(self) -> list[tuple[Any, ...]]:
        """One row per rule and level that found something, the gravest first."""
        counts = Counter((one.level, one.title, one.rule) for one in self.findings)
        made = []
        for (level, title, rule), number in counts.items():
            of = [one for one in self.findings if (one.level, one.title) == (level, title)]
            distinct = [
                len({getattr(one, name) for one in of} - {None, ""})
                for name in ("machine_id", "user_id", "session_id")
            ]
            made.append((level, title, number, *distinct, rule))
        return sorted(made, key=lambda row: (-LEVELS.index(row[0]), -row[2], row[1]))


class QuestionViews(dict[str, str]):
    """SQL of the named questions; `prepare` makes what one is asked of when it is looked up."""

    def __init__(self, given: dict[str, str], prepare: Callable[[str], None]) -> None:
        super().__init__(given)
        self.prepare = prepare

    def __getitem__(self, name: str) -> str:
        text = super().__getitem__(name)
        self.prepare(text)
        return text


def ask(path: Path, asked: DetectOptions) -> RuleAnswer:
    """The answer of the rules over the stream at a path. Raises RuleError and NothingToRead.

    With derived tables, the findings of all rules are stored with the state of the lake: until that
    changes, the answer comes from there, and its `rules` are without SQL.
    """
    places = asked.rules or usual_places()
    rules = load(places)
    folder = None if asked.listing else folder_of(path)
    if folder is None:
        return read(path, lambda stream: of_stream(stream, rules, asked))
    tuning = load_tuning(asked.tuning, rules.rules) if asked.tuning else Tuning()
    stored = StoredFindings(path, folder, places)
    found = stored.read()
    if found is None:
        if asked.only:
            return read(path, lambda stream: of_stream(stream, rules, asked))
        every = _every(path, rules, stored)
        if every.warnings:
            return _narrowed(every.findings, every.rules, every.warnings, asked, tuning)
        found = every.findings
        stored.write(found)
    return _narrowed(found, named(rules, asked.only), [], asked, tuning)


def _every(path: Path, rules: Any, stored: StoredFindings) -> RuleAnswer:
    """The findings of all rules. If an earlier state was asked, rules about single sessions are
    asked of the sessions that were derived since, and keep their findings in the others."""
    freshen(path, at_once=False)
    earlier = stored.earlier()
    if earlier is None:
        return read(path, lambda stream: of_stream(stream, rules, DetectOptions()))
    before, touched = earlier
    again = read(path, lambda stream: of_stream(stream, rules, DetectOptions(), touched))
    rest = read(path, lambda stream: of_stream(stream, rules, DetectOptions(), of_session=False))
    ids = {rule.id for rule in again.rules}
    kept = [
        one
        for one in before
        if one.rule_id in ids and one.session_id and digest_of(one.session_id) not in touched
    ]
    found = in_order([*kept, *again.findings, *rest.findings])
    return RuleAnswer(found, [*again.rules, *rest.rules], [*again.warnings, *rest.warnings])


def _narrowed(
    found: list[Finding],
    rules: list[Compiled],
    warnings: list[str],
    asked: DetectOptions,
    tuning: Tuning,
) -> RuleAnswer:
    """Select the requested findings from those of all rules, untuned."""
    by_id = {rule.id: rule for rule in rules if tuning.level_of(rule) != "off"}
    span = TimeSpan(asked.since, asked.until)
    tuned = (
        tuning.apply(one, by_id[one.rule_id])
        for one in found
        if one.rule_id in by_id and span.holds(one.timestamp)
    )
    least = LEVELS.index(asked.level)
    kept = [one for one in tuned if one is not None and LEVELS.index(one.level) >= least]
    return RuleAnswer(in_order(kept), rules, warnings, tuning)


def of_stream(
    stream: OpenStream,
    rules: Any,
    asked: DetectOptions,
    touched: set[str] | None = None,
    of_session: bool | None = None,
) -> RuleAnswer:
    """The same over an open stream; `rules` is what `load` gave. Stores nothing it found.

    With `touched`, digests of sessions, rules about single sessions are asked of these alone; with
    `of_session` all those rules, or all others.
    """
    # Rules are about calls and about single events.
    stream.name_questions("calls, events")
    stream.filter()
    views = QuestionViews({name: query.sql for name, query in finest().items()}, stream.prepare)
    folder = folder_of(stream.path)
    lake = RuleTables(
        stream.connection, views, StoredCommandFacts(folder) if folder else None, touched
    )
    wanted = of_session if touched is None else True
    compiled = compile_rules(rules, lake.table, asked.only, wanted)
    tuning = load_tuning(asked.tuning, rules.rules) if asked.tuning else Tuning()
    span = TimeSpan(asked.since, asked.until)
    found = [] if asked.listing else findings(lake, compiled, tuning, span)
    least = LEVELS.index(asked.level)
    kept = [one for one in found if LEVELS.index(one.level) >= least]
    return RuleAnswer(kept, compiled, stream.warnings(), tuning)
