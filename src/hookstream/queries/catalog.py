"""The questions: one .sql file each. Its first comment line says what it answers.

-- One line: the description that `hookstream queries` shows.
-- time: timestamp      (the column --since and --until look at; without this line they narrow
                         the events the question is asked of)
-- passes: by day      (a row depends on no event of another day: what is asked of a whole lake is
                         asked day by day, and written as it comes)
-- wants: session      (meant for one session; asked of more, a warning says so)
-- by: machine session (a row is about the whole fleet; `--by` asks for one per machine or session.
                         by_machine(COLUMN) in the SQL is then the column, else its only value;
                         names_by_machine(COLUMN) the column, else all values in order)
-- keys: host          (the columns that name what a row of the fleet is about)
-- Notes, as many lines as it needs.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from functools import cache
from importlib import resources

from hookstream.queries.errors import QueryError, UnknownQuery

NAME = re.compile(r"[a-z][a-z0-9_]{0,63}\Z")
# Questions that a message suggests by their descriptions.
MEANT = 2
DIRECTIVE = re.compile(r"(time|shows|passes|wants|by|keys): ([\w ]+)\Z")
# How finely the rows of a question may be told apart, the coarsest first.
LEVELS = ("fleet", "machine", "session")
BY = re.compile(r"\b(names_)?by_(machine|session)\((\w+)\)(?: as \w+)?")
ONLY = "case when min({0}) = max({0}) and count({0}) = count(*) then min({0}) end as {0}"
NAMES = "string_agg(distinct {0}, ', ' order by {0}) as {0}"
# Columns that count what a row of a finer level names.
COUNTED = {
    "machine": {"machines": "machine_id", "users": "user_id"},
    "session": {"machines": "machine_id", "users": "user_id", "sessions": "session_id"},
}


class Query:
    """A question: `sql` is its text, `time` the output column that a span of time is about,
    `shows` the columns of its table in a terminal (empty: all), `own` that a user wrote it,
    `passes` that it may be asked day by day, `wants_session` that it is about one session, `by` how
    finely its rows may be told apart (see LEVELS), `keys` the columns that name what a row of the
    fleet is about."""

    def __init__(self, name: str, text: str, own: bool = False, level: str = LEVELS[0]) -> None:
        self.name = name
        self.own = own
        self.sql = text if own else told_apart(text, level)
        comments: list[str] = []
        for line in text.splitlines():
            if not line.startswith("--"):
                break
            comments.append(line[2:].strip())
        self.description = comments[0] if comments else ""
        said = {found[1]: found[2].split() for line in comments if (found := DIRECTIVE.match(line))}
        self.time: str | None = said["time"][0] if "time" in said else None
        self.passes = "passes" in said
        self.wants_session = said.get("wants") == ["session"]
        self.by: list[str] = said.get("by", [])
        self.keys: list[str] = said.get("keys", [])
        self.shows: list[str] = said.get("shows", [])
        self.shows = finer_names(self.shows, level)
        self.notes = " ".join(line for line in comments[1:] if not DIRECTIVE.match(line))


def finer_names(columns: list[str] | tuple[str, ...], level: str) -> list[str]:
    """The columns of a table, with what they count named where rows are of a finer level."""
    counted = COUNTED.get(level, {})
    return [counted.get(column, column) for column in columns]


def told_apart(text: str, level: str) -> str:
    """The SQL of a question with a row per entity of the fleet, or per machine or session too."""

    def column(call: re.Match[str]) -> str:
        if LEVELS.index(call[2]) <= LEVELS.index(level):
            return call[3]
        return (NAMES if call[1] else ONLY).format(call[3])

    return BY.sub(column, text)


def queries() -> dict[str, Query]:
    """Every question by name, the user's own too, in the order of the names; without those of a
    user that cannot be used (`broken`)."""
    from hookstream.queries import own

    made = shipped()
    more, _ = own.texts(set(made))
    if not more:
        return made
    return dict(
        sorted({**made, **{n: Query(n, text, own=True) for n, text in more.items()}}.items())
    )


def broken() -> dict[str, QueryError]:
    """The user's questions that cannot be used: why, by the names of their files."""
    from hookstream.queries import own

    return own.texts(set(shipped()))[1]


@cache
def texts() -> dict[str, str]:
    """The SQL of the questions that ship, by name."""
    files = resources.files("hookstream.queries").iterdir()
    named = {file.name.partition(".")[::2]: file for file in files}
    return {name: file.read_text("utf-8") for (name, kind), file in sorted(named.items())
            if kind == "sql"}  # fmt: skip


@cache
def shipped() -> dict[str, Query]:
    """The questions that ship."""
    return {name: Query(name, text) for name, text in texts().items()}


@cache
def finer() -> dict[str, Query]:
    """The questions that ship with a row per machine or session: `egress_by_machine` ..."""
    return {
        f"{name}_by_{level}": Query(name, texts()[name], level=level)
        for name, one in shipped().items()
        for level in one.by
    }


def finest() -> dict[str, Query]:
    """Every question with rows of its finest level: what a rule or an alert is about is of one
    machine."""
    return {name: by(one, one.by[-1]) if one.by else one for name, one in queries().items()}


def by(asked: Query, level: str | None) -> Query:
    """The question with rows of a level. Raises QueryError for one that it does not have."""
    if not level or level == LEVELS[0]:
        return asked
    if level not in asked.by:
        known = " or ".join(asked.by)
        why = f"--by is {known}" if known else "its rows are about one thing each"
        raise QueryError(f"--by {level}: {asked.name} has no rows by {level}; {why}")
    return finer()[f"{asked.name}_by_{level}"]


def query(name: str) -> Query:
    """The question of that name, or the only one that begins so. Raises UnknownQuery naming the
    nearest."""
    known = queries()
    if name in known:
        return known[name]
    wrong = broken()
    if name in wrong:
        raise wrong[name]
    begun = [one for one in known if one.startswith(name)]
    if len(begun) == 1:
        return known[begun[0]]
    if begun:
        raise UnknownQuery(f"no query {name!r}, did you mean {' or '.join(begun)}?")
    near = get_close_matches(name, known, 1) or about(name, known)
    if not near:
        raise UnknownQuery(f"no query {name!r}; see `hookstream queries`")
    raise UnknownQuery(f"no query {name!r}, did you mean {' or '.join(map(repr, near))}?")


def about(word: str, known: dict[str, Query]) -> list[str]:
    """The names of up to two questions whose descriptions have a word, the earliest first."""
    places = {
        name: place
        for name, one in known.items()
        if (place := one.description.lower().find(word.lower())) >= 0
    }
    return sorted(places, key=places.__getitem__)[:MEANT]
