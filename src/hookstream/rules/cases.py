"""Test cases of rules: `NAME.cases.yml` next to `NAME.yml`, asked of a lake in memory.

hits:                             # each must be found
  - calls:                        # a table that rules are about, and its rows
      - command: git push --force # columns of the table; `at` is the row's minute
misses:                           # none may be found
  - calls: [{command: git push}]
"""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookstream.core.progress import step
from hookstream.rules.compile import compile_rules
from hookstream.rules.evaluate import RuleTables, findings
from hookstream.rules.load import (
    CASES,
    LARGEST,
    RuleError,
    RuleErrors,
    cases_of,
    files_in,
    load,
    stem,
)
from hookstream.rules.schema import TIMES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from yaml import Node

    from hookstream.rules.compile import Compiled

KINDS = ("hits", "misses")
START = "2026-11-22 10:00:00"
# What rows have that does not matter to a case.
WHO = {"machine_id": "m", "user_id": "u", "tool": "claude-code", "session_id": "s"}


@dataclass(frozen=True)
class Case:
    """Rows by table that a rule must find (`hits`) or must not (`misses`), and where it says so."""

    file: Path
    line: int
    kind: str
    tables: dict[str, list[dict[str, Any]]]


@dataclass(frozen=True)
class Tested:
    """`failures` has `FILE:LINE: reason` of each case that failed, `without` the rule files that
    have no cases, `files` how many have some."""

    cases: int
    files: int
    failures: tuple[str, ...]
    without: tuple[str, ...]


class CaseLake:
    """A lake in memory, its tables with the columns that they have in a real one, for the rows of
    one case after the other."""

    def __init__(self) -> None:
        import duckdb

        from hookstream.queries.catalog import finest
        from hookstream.queries.runner import open_stream
        from hookstream.rules.ask import QuestionViews

        self._folder = tempfile.TemporaryDirectory(prefix="hookstream-cases-")
        (Path(self._folder.name) / "agent-hooks.jsonl").touch()
        self._real = open_stream(self._folder.name)
        self._real.name_questions("calls, events")
        self._real.filter()
        views = {name: query.sql for name, query in finest().items()}
        self._known = RuleTables(self._real.connection, QuestionViews(views, self._real.prepare))
        self.columns: dict[str, dict[str, str]] = {}
        self.connection = duckdb.connect()
        self.lake = RuleTables(self.connection)

    def __enter__(self) -> CaseLake:
        return self

    def __exit__(self, *gone: object) -> None:
        self.close()

    def close(self) -> None:
        self.connection.close()
        self._real.close()
        self._folder.cleanup()

    def has(self, table: str) -> bool:
        """Return whether rules can be about such a table; it is made when it is first named."""
        if table in self.columns:
            return True
        found = self._known.table(table)
        if found is None:
            return False
        # What rules see beyond the table's own columns is made of these.
        held = self._known.columns_of("calls") if table == "calls" else found.columns
        declared = ", ".join(f'"{name}" {kind}' for name, kind in held.items())
        self.connection.execute(f'create table "{table}" ({declared})')
        self.columns[table] = dict(held)
        return True

    def table(self, name: str) -> Any:
        """The table of a service as rules see it; None if it does not exist."""
        return self.lake.table(name) if self.has(name) else None

    def fill(self, tables: dict[str, list[dict[str, Any]]]) -> RuleTables:
        """Replace all rows. `at` is a row's minute: its place in the list, if it has none."""
        self.has("calls")
        for name in self.columns:
            self.connection.execute(f'delete from "{name}"')
        for name, rows in tables.items():
            for number, given in enumerate(rows):
                self._insert(name, number, given)
        self.lake.forget()
        self.lake.table("calls")
        return self.lake

    def _insert(self, name: str, number: int, given: dict[str, Any]) -> None:
        if not self.has(name):
            raise RuleError(f"no table {name!r}")
        row = {**WHO, **given}
        seconds = round(row.pop("at", number) * 60, 3)
        if name == "calls":
            row.setdefault("sequence", number)
            row.setdefault("evidence", [f"e{number}"])
            if "command" in row:
                row.setdefault("action_category", "shell")
        else:
            row.setdefault("event_id", f"e{number}")
        columns = self.columns[name]
        row = {key: value for key, value in row.items() if key in columns or key in given}
        row.pop("at", None)
        time = next((one for one in TIMES if one in columns and one not in row), None)
        names = ", ".join(f'"{key}"' for key in (*row, *filter(None, [time])))
        values = ["?"] * len(row)
        if time:
            values.append(f"timestamp '{START}' + to_milliseconds({int(seconds * 1000)})")
        self.connection.execute(
            f'insert into "{name}" ({names}) values ({", ".join(values)})',
            [json.loads(json.dumps(value, default=str)) for value in row.values()],
        )


def run_cases(places: Iterable[Path], others: Iterable[Path] = ()) -> Tested:
    """Ask each rule at the places for its cases. `others` are files of rules that these may name,
    whose cases are not asked. RuleErrors names all that is wrong in files."""
    places, others = list(places), list(others)
    rules = load([*places, *others])
    ours = {str(file) for file in files_in(places)}
    only = frozenset(map(stem, ours)) if others else frozenset()
    with CaseLake() as lake:
        by_file: dict[str, list[Compiled]] = {}
        for one in compile_rules(rules, lake.table, only):
            if one.file in ours:
                by_file.setdefault(one.file, []).append(one)
        read, errors = {}, []
        for file in map(Path, by_file):
            if (beside := cases_of(file)).exists():
                try:
                    read[file] = read_cases(beside, lake)
                except RuleErrors as several:
                    errors += several.errors
        errors += [_without_rule(file) for file in _strays(places, by_file)]
        if errors:
            raise RuleErrors(errors)
        failures: list[str] = []
        total = sum(map(len, read.values()))
        done = 0
        for file, cases in read.items():
            for case in cases:
                failures += _failed(lake, case, by_file[str(file)])
                done += 1
                step(done, total)
    without = sorted(Path(file).name for file in by_file if Path(file) not in read)
    return Tested(total, len(read), tuple(failures), tuple(without))


def _strays(places: Iterable[Path], files: Iterable[str]) -> Iterator[Path]:
    """Case files below the folders that are next to no rule that reports."""
    known = {cases_of(Path(file)) for file in files}
    for place in places:
        below = sorted(place.rglob(f"*{CASES}")) if place.is_dir() else []
        yield from (file for file in below if file not in known)


def _without_rule(file: Path) -> RuleError:
    rule = file.name.removesuffix(CASES) + ".yml"
    return RuleError(f"{file}:1: {rule} next to it holds no rule that reports")


def _failed(lake: CaseLake, case: Case, rules: list[Compiled]) -> Iterator[str]:
    import duckdb

    try:
        filled = lake.fill(case.tables)
    except (duckdb.Error, TypeError) as error:
        reason = str(error).splitlines()[0][:200]
        yield f"{case.file}:{case.line}: cannot be a row: {reason}"
        return
    found = findings(filled, rules)
    if case.kind == "hits" and not found:
        yield f"{case.file}:{case.line}: must be found, and is not"
    elif case.kind == "misses" and found:
        shown = f": {found[0].shown}" if found[0].shown else ""
        yield f"{case.file}:{case.line}: must not be found, and is{shown}"


def read_cases(file: Path, lake: CaseLake) -> list[Case]:
    """The cases in a file. RuleErrors names every key that does not belong there, by its line."""
    import yaml

    try:
        if file.stat().st_size > LARGEST:
            raise RuleErrors([RuleError(f"{file}: larger than {LARGEST} bytes")])
        text = file.read_text("utf-8")
        top = yaml.compose(text, Loader=yaml.SafeLoader)
        given = yaml.safe_load(text)
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8"
        raise RuleErrors([RuleError(f"{file}: {reason}")]) from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or "no YAML"
        line = mark.line + 1 if mark else 1
        raise RuleErrors([RuleError(f"{file}:{line}: {problem}")]) from None
    except (RecursionError, ValueError):
        raise RuleErrors([RuleError(f"{file}:1: no YAML that can be read")]) from None
    checked = _Checked(file, lake)
    lines = checked.top(top)
    if checked.errors:
        raise RuleErrors(checked.errors)
    return [
        Case(file, line, kind, case)
        for kind in KINDS
        for line, case in zip(lines.get(kind, []), given.get(kind) or [], strict=True)
    ]


class _Checked:
    """The errors of a file of cases, found in its nodes because these know their lines."""

    def __init__(self, file: Path, lake: CaseLake) -> None:
        self.file = file
        self.lake = lake
        self.errors: list[RuleError] = []

    def wrong(self, node: Node | None, reason: str) -> None:
        line = node.start_mark.line + 1 if node is not None else 1
        self.errors.append(RuleError(f"{self.file}:{line}: {reason}"))

    def top(self, node: Node | None) -> dict[str, list[int]]:
        """The lines of the cases, by kind."""
        lines: dict[str, list[int]] = {}
        for key, cases in self.pairs(node, "a file of cases has hits and misses"):
            if self.is_known(key, KINDS, "key"):
                lines[key.value] = []
                for case in self.items(cases, f"{key.value} is a list of cases"):
                    lines[key.value].append(case.start_mark.line + 1)
                    self.case(case)
        if not self.errors and not any(lines.values()):
            self.wrong(node, "no case: hits and misses are lists of them")
        return lines

    def case(self, node: Node) -> None:
        for table, rows in self.pairs(node, "a case is a mapping of tables to rows"):
            if not self.lake.has(table.value):
                self.wrong(table, f"{table.value!r} is not a table that rules are about")
                continue
            columns = (*self.lake.columns[table.value], "at")
            for row in self.items(rows, f"{table.value} is a list of rows"):
                for column, value in self.pairs(row, "a row is a mapping of columns to values"):
                    self.is_known(column, columns, f"column of {table.value}")
                    if column.value == "at" and not value.tag.endswith((":int", ":float")):
                        self.wrong(value, "at is a number of minutes")

    def is_known(self, key: Node, known: Iterable[str], what: str) -> bool:
        known = list(known)
        if key.value in known:
            return True
        near = get_close_matches(str(key.value), known, 1)
        self.wrong(
            key, f"{key.value!r}: no such {what}" + (f"; did you mean {near[0]}?" if near else "")
        )
        return False

    def pairs(self, node: Node | None, what: str) -> list[tuple[Node, Node]]:
        import yaml

        if not isinstance(node, yaml.MappingNode):
            self.wrong(node, what)
            return []
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                self.wrong(key, "a key is a text")
        return [pair for pair in node.value if isinstance(pair[0], yaml.ScalarNode)]

    def items(self, node: Node, what: str) -> list[Node]:
        import yaml

        if not isinstance(node, yaml.SequenceNode):
            self.wrong(node, what)
            return []
        return list(node.value)
