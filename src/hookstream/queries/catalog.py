"""The questions: one .sql file each. Its first comment line says what it answers.

-- One line: the description that `hookstream queries` shows.
-- time: timestamp      (the column --since and --until look at; without this line they narrow
                         the events the question is asked of)
-- passes: by day      (a row depends on no event of another day: what is asked of a whole lake is
                         asked day by day, and written as it comes)
-- wants: session      (meant for one session; asked of more, a warning says so)
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
DIRECTIVE = re.compile(r"(time|shows|passes|wants): ([\w ]+)\Z")


class Query:
    """A question: `sql` is its text, `time` the output column that a span of time is about,
    `shows` the columns of its table in a terminal (empty: all), `own` that a user wrote it,
    `passes` that it may be asked day by day, `wants_session` that it is about one session."""

    __slots__ = (
        "description",
        "name",
        "notes",
        "own",
        "passes",
        "shows",
        "sql",
        "time",
        "wants_session",
    )

    def __init__(self, name: str, text: str, own: bool = False) -> None:
        self.name = name
        self.own = own
        self.sql = text
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
        self.shows: list[str] = said.get("shows", [])
        self.notes = " ".join(line for line in comments[1:] if not DIRECTIVE.match(line))


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
def shipped() -> dict[str, Query]:
    """The questions that ship."""
    made = {}
    for file in resources.files("hookstream.queries").iterdir():
        name, dot, kind = file.name.partition(".")
        if dot and kind == "sql":
            made[name] = Query(name, file.read_text("utf-8"))
    return dict(sorted(made.items()))


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
