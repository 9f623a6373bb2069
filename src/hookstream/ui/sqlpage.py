"""The SQL page: examples, where a question is wrong and what was meant, a chart of an answer."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from difflib import get_close_matches
from itertools import pairwise
from math import isfinite
from typing import TYPE_CHECKING, Any

from hookstream.queries.errors import QueryError

if TYPE_CHECKING:
    from hookstream.ui.lake import Answer

    Tables = dict[str, list[tuple[str, str]]]

# Title and question, as a link on the page.
EXAMPLES = (
    (
        "Denies by day",
        'select cast("timestamp" as date) as day, count(*) as denies\n'
        "from denies\ngroup by day\norder by day",
    ),
    (
        "Who denies most",
        "select coalesce(decided_by, 'unknown') as decider, count(*) as denies\n"
        "from denies\ngroup by all\norder by denies desc",
    ),
    (
        "Calls by day and client",
        "select cast(first_at as date) as day, tool, count(*) as calls\n"
        "from calls\ngroup by all\norder by day",
    ),
    (
        "Slowest commands",
        "select command, count(*) as calls, round(max(duration_ms)) as slowest_ms\n"
        "from calls\nwhere command is not null and duration_ms is not null\n"
        "group by command\norder by slowest_ms desc\nlimit 20",
    ),
    (
        "Commands that fail most",
        "select command_words, count(*) as calls, count(*) filter (outcome = 'error') as failed\n"
        "from calls\nwhere command_words is not null\ngroup by command_words\n"
        "having failed > 0\norder by failed desc\nlimit 20",
    ),
    (
        "Cost by model",
        "select model_id, round(sum(cost_usd), 2) as usd\nfrom usage_costs\n"
        "where cost_usd is not null\ngroup by model_id\norder by usd desc",
    ),
    (
        "Hosts by number of machines",
        "select host, count(distinct machine_id) as machines, sum(calls) as calls\n"
        "from egress\ngroup by host\norder by machines, calls desc",
    ),
    (
        "Sessions of the highest risk",
        "select session_id, tool, max_risk, denies, failures, started_at\nfrom sessions\n"
        "where max_risk is not null\norder by max_risk desc\nlimit 20",
    ),
)
# Words that a typing error at the place of a syntax error may have meant.
KEYWORDS = tuple(
    (
        "select from where group order by having limit join left using union distinct between "
        "filter partition over qualify with values case when then else end interval exclude "
        "describe null desc asc"
    ).split()
)
DRAWN = re.compile(r"LINE (\d+): (.*)")
WORD = re.compile(r"\w+")
NAMED = re.compile(r"""(?:with name|column named) "?([^\s"]+)""")
QUOTED = re.compile(r'"([^"]+)"')
# How like a name, or a keyword, must be.
NEAR, LIKE, MOST_MEANT = 0.6, 0.75, 4
# What a chart shows: this many categories, and parts of a bar over time.
MOST_BARS, MOST_PARTS, OTHER = 24, 5, "other"
NUMBERS = re.compile(r"(TINY|SMALL|BIG|HUGE|U)*INT(EGER)?|U?BIGINT|DOUBLE|FLOAT|DECIMAL.*")
TIMES = ("TIMESTAMP", "DATE")


@dataclass(frozen=True)
class Mistake:
    """An error in a question: `line` and `column` (both from 1, 0: unknown) and the `word` there;
    `meant` are names that may have been meant, `fixed` the question with the first of them."""

    text: str
    line: int = 0
    column: int = 0
    word: str = ""
    meant: tuple[str, ...] = ()
    fixed: str = ""

    def pieces(self, sql: str) -> list[tuple[int, str, str, str]]:
        """(number, before, marked, after) of the line of the error and those next to it."""
        lines = sql.splitlines()
        made = []
        for number in range(max(1, self.line - 2), min(len(lines), self.line + 2) + 1):
            text = lines[number - 1]
            at = self.column - 1
            if number != self.line or not self.column:
                made.append((number, text, "", ""))
            else:
                end = at + max(1, len(self.word))
                made.append((number, text[:at], text[at:end], text[end:]))
        return made


def mistake_of(sql: str, error: Exception, tables: Tables) -> Mistake:
    """Find the place of an error in a question, and what was meant there."""
    text = str(error)
    hint = error.hint if isinstance(error, QueryError) else ""
    line, column = _place(sql, hint)
    if not column:
        return Mistake(text, line)
    written = sql.split("\n")[line - 1]
    column, word = _wrong(text, written, column)
    meant = tuple(_meant(text, hint, word, sql, tables))
    if not meant and text.startswith("Parser Error"):
        # The word before may be the wrong one: `from denies whre x` is an error at x.
        before = list(WORD.finditer(written, 0, column - 1))[-1:]
        for one in before:
            if near := get_close_matches(one[0].lower(), KEYWORDS, 1, LIKE):
                column, word, meant = one.start() + 1, one[0], tuple(near)
    lines = sql.split("\n")
    fixed = ""
    if meant and word:
        lines[line - 1] = written[: column - 1] + meant[0] + written[column - 1 + len(word) :]
        fixed = "\n".join(lines)
    return Mistake(text, line, column, word, meant, fixed)


def _place(sql: str, hint: str) -> tuple[int, int]:
    """The line and column that DuckDB's drawing shows, of which it may have cut the ends."""
    lines = hint.split("\n")
    for drawn, carets in pairwise(lines):
        match = DRAWN.match(drawn)
        if match is None or "^" not in carets:
            continue
        number = int(match[1])
        given = sql.split("\n")
        if not 0 < number <= len(given):
            return 0, 0
        part = match[2]
        cut = 3 if part.startswith("...") else 0
        at = given[number - 1].find(part[cut:].removesuffix("..."))
        offset = carets.index("^") - match.start(2) - cut
        return (number, at + offset + 1) if at >= 0 and offset >= 0 else (number, 0)
    return 0, 0


def _wrong(text: str, written: str, column: int) -> tuple[int, str]:
    """The column and the name of what the error is about, in the line as it is written."""
    named = NAMED.search(text) or QUOTED.search(text)
    name = named[1] if named else ""
    at = written.lower().find(name.lower(), column - 1) if name else -1
    if at >= 0:
        return at + 1, written[at : at + len(name)]
    word = WORD.match(written, column - 1)
    return column, word[0] if word else ""


def _meant(text: str, hint: str, word: str, sql: str, tables: Tables) -> list[str]:
    """Names like the one that does not exist, the likest first."""
    listed = [name.rpartition(".")[2] for name in QUOTED.findall(hint.partition("LINE ")[0])]
    wrong = word.lower()
    if "Table with name" in text:
        return get_close_matches(wrong, list(tables), MOST_MEANT, NEAR)
    if "Referenced column" in text or "does not have a column" in text:
        used = [name for name in tables if re.search(rf"\b{re.escape(name)}\b", sql)]
        known = [column for name in used for column, _ in tables[name]]
        every = list(dict.fromkeys([*known, *listed]))
        return get_close_matches(wrong, every, MOST_MEANT, NEAR) or listed[:MOST_MEANT]
    if "Function with name" in text:
        return listed[:MOST_MEANT]
    if text.startswith("Parser Error"):
        return [match for match in get_close_matches(wrong, KEYWORDS, 1, LIKE) if match != wrong]
    return []


@dataclass(frozen=True)
class AnswerChart:
    """A chart of an answer: of a number over time (`series`: x, names, parts) or by category
    (`bars`: value, number). `numbers` are the columns that can be shown, `shown` the one that
    is."""

    numbers: tuple[str, ...]
    shown: str
    over: str
    series: dict[str, Any] | None = None
    bars: tuple[tuple[Any, float], ...] = ()


def chart_of(answer: Answer, wanted: str = "") -> AnswerChart | None:
    """The chart of an answer that has a time or a category and a number; None for any other."""
    kinds = dict(zip(answer.columns, answer.types, strict=True))
    numbers = tuple(
        name for name, kind in kinds.items() if NUMBERS.fullmatch(kind) and not name.endswith("_id")
    )
    if not numbers or len(answer.rows) < 2 or len(kinds) != len(answer.columns):
        return None
    shown = wanted if wanted in numbers else numbers[0]
    times = [name for name, kind in kinds.items() if kind.startswith(TIMES)]
    texts = [name for name, kind in kinds.items() if kind == "VARCHAR" or kind.startswith("ENUM")]
    rows = answer.dicts()
    if times:
        series = _series(rows, times[0], texts[0] if texts else None, shown)
        if series is not None:
            return AnswerChart(numbers, shown, times[0], series)
    if texts:
        bars = [(row[texts[0]], _number(row[shown])) for row in rows[:MOST_BARS]]
        return AnswerChart(numbers, shown, texts[0], None, tuple(bars))
    return None


def _series(
    rows: Iterable[dict[str, Any]], over: str, by: str | None, shown: str
) -> dict[str, Any] | None:
    """The number at each time, in parts; None where a time has it twice."""
    cells: dict[tuple[int, str], float] = {}
    for row in rows:
        at = row[over]
        if at is None:
            continue
        if not isinstance(at, datetime):
            at = datetime.combine(at, time.min) if isinstance(at, date) else None
        if at is None:
            return None
        key = int(at.replace(tzinfo=at.tzinfo or UTC).timestamp()), str(row[by]) if by else shown
        if key in cells:
            return None
        cells[key] = _number(row[shown])
    x = sorted({at for at, _ in cells})
    if len(x) < 2:
        return None
    sums: dict[str, float] = {}
    for (_, name), number in cells.items():
        sums[name] = sums.get(name, 0.0) + abs(number)
    names = sorted(sums, key=lambda name: (-sums[name], name))
    if len(names) > MOST_PARTS + 1:
        names = [*names[:MOST_PARTS], OTHER]
    parts = {name: dict.fromkeys(x, 0.0) for name in names}
    for (at, name), number in cells.items():
        parts[name if name in parts else OTHER][at] += number
    return {"names": names, "x": x, "parts": [[parts[name][at] for at in x] for name in names]}


def _number(value: Any) -> float:
    """A value that can be drawn: zero for none and for what is not finite."""
    number = 0.0 if value is None else float(value)
    return number if isfinite(number) else 0.0
