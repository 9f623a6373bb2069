"""Rules to SQL: a collection becomes `Compiled` rules in a fixed order."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, Any

from hookstream.rules.correlate import Base, correlation, single
from hookstream.rules.load import COMPILE_S, RuleError, RuleErrors, located, names_of, path_of, stem
from hookstream.rules.pipeline import pipeline, table_of, unknown_of
from hookstream.rules.possible import impossible
from hookstream.rules.schema import OF_SESSION

if TYPE_CHECKING:
    from collections.abc import Callable

    from sigma.collection import SigmaCollection

    from hookstream.rules.backend import DuckDB
    from hookstream.rules.schema import RuleTable


@dataclass(frozen=True)
class Compiled:
    """A rule ready to run. `rows` is its SQL, `where` its condition and `table` the table of a
    rule about single rows; `feeds` says which clients feed it: all, names, or what their tables
    have."""

    id: str
    name: str
    title: str
    level: str
    tags: tuple[str, ...]
    description: str
    falsepositives: tuple[str, ...]
    feeds: tuple[str | tuple[str, str], ...]
    rows: str
    table: str
    where: str
    file: str
    atlas: tuple[str, ...] = ()
    owasp: tuple[str, ...] = ()

    @property
    def stem(self) -> str:
        """The name of its file."""
        return stem(self.file)

    @property
    def clients(self) -> tuple[str, ...]:
        """The clients whose facts feed it (empty: any)."""
        from hookstream.normalizers.documented import clients_with

        names = tuple(part for part in self.feeds if isinstance(part, str))
        wanted = dict(part for part in self.feeds if isinstance(part, tuple))
        return clients_with(**wanted) if wanted or names == ("all",) else names


def compile_rules(
    rules: SigmaCollection,
    tables: Callable[[str], RuleTable | None],
    only: frozenset[str] = frozenset(),
    of_session: bool | None = None,
) -> list[Compiled]:
    """Every rule that reports, by title. `tables` gives the table of a service, or None; `only`
    names rules by name, id, title or file (empty: all), `of_session` those that look at no more
    than one session at a time, or the others (None: all).

    RuleErrors names all rules that cannot be converted.
    """
    compiler = Compiler(tables)
    errors: list[RuleError] = []
    made = []
    for rule in rules.rules:
        if only and not only & names_of(rule):
            continue
        try:
            if of_session is not None and is_of_session(rule) is not of_session:
                continue
            one = compiled_of(compiler, rule)
            if one is not None:
                made.append(one)
        except RuleError as error:
            errors.append(error)
    if errors:
        raise RuleErrors(errors)
    return sorted(made, key=lambda one: (one.title, one.id))


def is_of_session(rule: Any) -> bool:
    """Return whether what a rule finds in a session depends on that session alone."""
    from sigma.correlations import SigmaCorrelationRule

    if not isinstance(rule, SigmaCorrelationRule):
        return table_of(rule) in OF_SESSION
    grouped = {"machine_id", "session_id"} <= set(rule.group_by or [])
    return grouped and all(is_of_session(reference.rule) for reference in rule.rules or [])


def correlations(rules: SigmaCollection) -> frozenset[str]:
    """Ids of the correlation rules that report."""
    from sigma.correlations import SigmaCorrelationRule

    return frozenset(
        str(rule.id or rule.name)
        for rule in rules.rules
        if isinstance(rule, SigmaCorrelationRule) and _reports(rule)
    )


def compiled_of(compiler: Compiler, rule: Any) -> Compiled | None:
    """The rule, compiled; None if it only serves others. RuleError, located."""
    base = compiler.base(rule)
    return _compiled(rule, base) if _reports(rule) else None


def named(rules: SigmaCollection, only: frozenset[str] = frozenset()) -> list[Compiled]:
    """The rules that report, as `compile_rules` gives them but without SQL and table."""
    made = [
        _compiled(rule, Base(None, ""))
        for rule in rules.rules
        if _reports(rule) and (not only or only & names_of(rule))
    ]
    return sorted(made, key=lambda one: (one.title, one.id))


class Compiler:
    """A compiler that converts each rule once, what it refers to first."""

    def __init__(self, tables: Callable[[str], RuleTable | None]) -> None:
        from hookstream.rules.backend import DuckDB

        self.tables = tables
        self.backend: DuckDB = DuckDB(processing_pipeline=pipeline())
        self.backend.until = monotonic() + COMPILE_S
        self.bases: dict[int, Base] = {}

    def base(self, rule: Any) -> Base:
        """Convert a rule. RuleError, located, if it cannot be converted."""
        known = self.bases.get(id(rule))
        if known is None:
            known = self.bases[id(rule)] = self._convert(rule)
        return known

    def _convert(self, rule: Any) -> Base:
        from sigma.correlations import SigmaCorrelationRule
        from sigma.exceptions import SigmaError

        try:
            if isinstance(rule, SigmaCorrelationRule):
                return self._correlation(rule)
            return self._single(rule)
        except SigmaError as error:
            raise located(rule, error) from None
        except RecursionError:
            raise RuleError(f"{path_of(rule)}: {rule.title!r} is nested too deep") from None

    def _single(self, rule: Any) -> Base:
        from sigma.conversion.state import ConversionState

        from hookstream.rules.backend import Unsupported

        name = table_of(rule)
        table = self.tables(name)
        if table is None:
            raise Unsupported(f"logsource: no table {name!r} here")
        self.backend.about(table, rule.logsource.product or "", unknown_of(rule))
        self.backend.init_processing_pipeline()
        self.backend.last_processing_pipeline.apply(rule)
        conditions = []
        for condition in rule.detection.parsed_condition:
            if (reason := impossible(condition.parsed)) is not None:
                raise Unsupported(reason)
            conditions.append(
                self.backend.whole(
                    self.backend.convert_condition(condition.parsed, ConversionState())
                )
            )
        return Base(table, "(" + " or ".join(conditions) + ")")

    def _correlation(self, rule: Any) -> Base:
        references = rule.rules or []
        bases = [self.base(reference.rule) for reference in references]
        names = [reference.reference for reference in references]
        rows = correlation(rule, bases, names)
        groups = {group: f"g{number}" for number, group in enumerate(rule.group_by or [])}
        return Base(None, "", rows, groups)


def _reports(rule: Any) -> bool:
    """Return whether a rule reports: not if others build on it, unless `alone: true`."""
    own = rule.custom_attributes.get("hookstream")
    return bool(rule._output) or (isinstance(own, dict) and own.get("alone") is True)


def _compiled(rule: Any, base: Base) -> Compiled:
    own = rule.custom_attributes.get("hookstream")
    own = own if isinstance(own, dict) else {}
    return Compiled(
        id=str(rule.id or rule.name),
        name=str(rule.name or stem(path_of(rule))),
        title=str(rule.title),
        level=rule.level.name.lower() if rule.level else "medium",
        tags=tuple(f"{tag.namespace}.{tag.name}" for tag in rule.tags),
        description=str(rule.description or ""),
        falsepositives=tuple(str(falsepositive) for falsepositive in rule.falsepositives),
        feeds=_feeds(own.get("clients")),
        rows=single(base),
        table=base.table.name if base.table else "",
        where=base.where,
        file=path_of(rule),
        atlas=_words(own, "atlas"),
        owasp=_words(own, "owasp"),
    )


def _feeds(said: Any) -> tuple[Any, ...]:
    if isinstance(said, dict):
        return tuple((str(key), str(value)) for key, value in said.items())
    return tuple(map(str, said)) if isinstance(said, list) else ("all",) if said == "all" else ()


def _words(own: dict[str, Any], name: str) -> tuple[str, ...]:
    value = own.get(name)
    return tuple(str(word) for word in value) if isinstance(value, list) else ()
