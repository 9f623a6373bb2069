"""The user's own questions: `.sql` files in a folder, named like the shipped ones.

    ~/.config/hookstream/questions/NAME.sql    or $HOOKSTREAM_QUESTIONS

The first comment line says what one answers; `-- time: COLUMN` and `-- shows: ...` as in the
shipped ones. Each is one SELECT, over `events`, `stream` and every question by its name.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path

from hookstream.core.folders import config_folder
from hookstream.queries import guard
from hookstream.queries.errors import QueryError, RefusedSQL

NAME = re.compile(r"[a-z][a-z0-9_]{0,63}\Z")
LARGEST = 1 << 20
# How DuckDB shows where in the SQL it is.
LINE = re.compile(r"^LINE (\d+): (.*)$", re.MULTILINE)
KEYWORDS = (
    "select from where group by order having limit with join left right full on using union all "
    "distinct case when then else end and or not is null in like between as over partition"
).split()


def folder() -> Path:
    """The folder of the user's questions; it need not exist."""
    value = os.environ.get("HOOKSTREAM_QUESTIONS")
    if value:
        return Path(value).expanduser()
    return Path(config_folder() or "", "questions")


def file_of(name: str) -> Path:
    """The file of an own question."""
    return folder() / f"{name}.sql"


def texts(taken: set[str]) -> tuple[dict[str, str], dict[str, QueryError]]:
    """SQL of every own question by name, and by the file's stem why another cannot be used: a name
    that is not a name or is `taken`, or what is not one SELECT."""
    place = folder()
    fields: dict[str, str] = {}
    broken: dict[str, QueryError] = {}
    if not place.is_dir():
        return fields, broken
    for file in sorted(place.glob("*.sql")):
        name = file.stem
        try:
            if NAME.match(name) is None:
                raise QueryError(f"{file}: a question's name is lower-case letters, digits and _")
            if name in taken:
                raise QueryError(f"{file}: {name} is a question already; give yours another name")
            fields[name] = read(file)
        except QueryError as error:
            broken[name] = error
    return fields, broken


def read(file: Path) -> str:
    """The SQL in a file, checked. QueryError."""
    text = ""
    try:
        if file.stat().st_size > LARGEST:
            raise QueryError(f"{file}: larger than {LARGEST} bytes")
        text = file.read_text("utf-8")
        guard.check(text)
    except OSError as error:
        raise QueryError(f"{file}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise QueryError(f"{file}: not UTF-8") from None
    except RefusedSQL as error:
        raise located(file, text, error) from None
    return text


def located(file: Path, text: str, error: QueryError, names: Iterable[str] = ()) -> QueryError:
    """An error of DuckDB in a question's file, with its line and what may have been meant; `names`
    are those of the questions."""
    if str(error).startswith(f"{file}:"):  # it has been
        return error
    shown = LINE.search(error.hint)
    where = str(file)
    meant = ""
    if shown is not None:
        lines = text.splitlines()
        same = [number for number, line in enumerate(lines, 1) if line.strip() == shown[2].strip()]
        number = same[0] if same else int(shown[1])
        where = f"{file}:{number}"
        meant = _meant(str(error), error.hint, shown[2], names)
    made = type(error)(f"{where}: {error}{meant}")
    made.hint = error.hint
    made.unreadable, made.out_of_memory = error.unreadable, error.out_of_memory
    return made


def _meant(message: str, hint: str, line: str, names: Iterable[str]) -> str:
    """The name or word that is nearest to what DuckDB does not know."""
    table = re.search(r"Table with name (\w+) does not exist", message)
    if table is not None:
        near = get_close_matches(table[1], ["events", "stream", *names], 1)
        return f"; did you mean {near[0]}?" if near else ""
    if "did you mean" in f"{message} {hint}".lower():
        match = re.search(r"did you mean \"?([\w.]+)", f"{message} {hint}", re.IGNORECASE)
        return "" if match is None or match[0] in message else f"; did you mean {match[1]}?"
    unknown = re.search(r'(?:column|near) "(\w+)"', message)
    candidates = re.findall(r'"([\w.]+)"', hint.partition("Candidate bindings:")[2])
    if unknown is not None and candidates:
        near = get_close_matches(unknown[1], candidates, 1) or candidates[:1]
        return f"; did you mean {near[0]}?"
    for word in re.findall(r"[a-z]+", line.lower()):
        near = get_close_matches(word, KEYWORDS, 1, 0.75)
        if near and word not in KEYWORDS:
            return f"; did you mean {near[0]}?"
    return ""
