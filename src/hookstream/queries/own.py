"""The user's own questions: `.sql` files in a folder, named like the shipped ones.

    ~/.config/hookstream/questions/NAME.sql    or $HOOKSTREAM_QUESTIONS

The first comment line says what one answers; `-- time: COLUMN` and `-- shows: ...` as in the
shipped ones. Each is one SELECT, over `events`, `stream` and every question by its name.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from hookstream.queries import guard
from hookstream.queries.errors import QueryError, RefusedSQL

NAME = re.compile(r"[a-z][a-z0-9_]{0,63}\Z")
LARGEST = 1 << 20


def folder() -> Path:
    """Where the user's questions lie; it need not exist."""
    given = os.environ.get("HOOKSTREAM_QUESTIONS")
    if given:
        return Path(given).expanduser()
    base = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(base) / "hookstream" / "questions"


def texts(taken: set[str]) -> dict[str, str]:
    """name -> SQL of every own question. QueryError, in one line, for one that cannot be used: a
    name that is no name or is `taken`, or what is not one SELECT."""
    place = folder()
    if not place.is_dir():
        return {}
    made = {}
    for file in sorted(place.glob("*.sql")):
        name = file.stem
        if NAME.match(name) is None:
            raise QueryError(f"{file}: a question's name is lower-case letters, digits and _")
        if name in taken:
            raise QueryError(f"{file}: {name} is a question already; give yours another name")
        made[name] = read(file)
    return made


def read(file: Path) -> str:
    """The SQL in a file, checked. QueryError."""
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
        raise QueryError(f"{file}: {error}") from None
    return text
