"""Dead letters: records a sink rejected permanently, kept for `hookstream replay`.

One SQLite file per sink, 0600, one row per record. `event` is the rendered Agent Hooks object:
redaction has passed, nothing native is in it. Bounded: if the file is full, the sink waits
instead of losing anything.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from hookstream.core.files import open_append, write_atomic
from hookstream.core.jsons import loads
from hookstream.delivery import checkpoint
from hookstream.standards.agent_hooks_reader import read_agent_hooks
from hookstream.standards.rendered import Rendered

SCHEMA = """create table if not exists dead_letters
(id integer primary key autoincrement, sink text, standard text, reason text, at text, event blob)
"""
LEGACY = "hookstream/dead-letter/1"
MOST_BYTES = 1 << 30
REASON = 300
BUSY_S = 30.0


class Full(OSError):
    """The file of dead letters has reached its bound."""


class DeadLetterRow(NamedTuple):
    """The stored fields of a record; `sink` None: unknown."""

    sink: str | None
    standard: str
    reason: str
    at: str
    event: bytes


class DeadLetter:
    """A kept record, as it is sent again; `item` None: the row does not hold an event."""

    __slots__ = ("id", "item", "row")

    def __init__(self, id: int, row: DeadLetterRow) -> None:
        self.id = id
        self.row = row
        self.item = _event(row.event)

    @property
    def destination(self) -> tuple[str | None, str]:
        return self.row.sink, self.row.standard


def encode(
    uri: str, standard: str, at: str, dead: list[tuple[Rendered, str]]
) -> list[DeadLetterRow]:
    """Encode records, and why the sink refused each, as rows."""
    return [
        DeadLetterRow(uri, standard, " ".join(reason.split())[:REASON], at, item.agent_hooks)
        for item, reason in dead
    ]


def append(path: Path, rows: list[DeadLetterRow], most: int = MOST_BYTES) -> None:
    """Append rows, on disk when this returns. On OSError none of them is kept."""
    if not rows:
        return
    try:
        size = path.stat().st_size
    except FileNotFoundError:
        size = 0
    if size + sum(len(row.event) for row in rows) > most:
        raise Full(28, f"full; send it with hookstream replay {path}")
    while True:
        try:
            with closing(_connect(path)) as db:
                opened = path.stat()
                db.execute("begin immediate")
                db.executemany(
                    "insert into dead_letters (sink, standard, reason, at, event)"
                    " values (?, ?, ?, ?, ?)",
                    rows,
                )
                db.commit()
            if os.path.samestat(opened, path.stat()):
                return
        except FileNotFoundError:
            pass  # a replay has sent all and removed the file meanwhile: once more
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError):
                raise OSError(5, str(error)) from None
            checkpoint.set_aside(path)


def read(path: Path, behind: int = 0, most: int = 1 << 62) -> list[DeadLetter]:
    """The letters after an id, in order. OSError if the file is not one of ours."""
    try:
        with closing(_connect(path)) as db:
            rows = db.execute(
                "select id, sink, standard, reason, at, event from dead_letters"
                " where id > ? order by id limit ?",
                (behind, most),
            )
            return [
                DeadLetter(number, DeadLetterRow(sink, standard, reason, at, bytes(event)))
                for number, sink, standard, reason, at, event in rows
            ]
    except sqlite3.Error as error:
        raise OSError(5, f"{path}: {error}") from None


def remove(path: Path, ids: list[int]) -> None:
    """Drop letters that were sent; the last one takes the file with it. OSError."""
    try:
        with closing(_connect(path)) as db:
            db.execute("begin exclusive")
            db.executemany("delete from dead_letters where id = ?", [(one,) for one in ids])
            empty = db.execute("select 1 from dead_letters limit 1").fetchone() is None
            db.commit()
            if empty:
                db.execute("begin exclusive")
                if db.execute("select 1 from dead_letters limit 1").fetchone() is None:
                    path.unlink(missing_ok=True)
                db.rollback()
    except sqlite3.Error as error:
        raise OSError(5, f"{path}: {error}") from None


def import_lines(path: Path) -> tuple[Path, int]:
    """Convert a file of plain Agent Hooks lines, or of an earlier version's letters, to a file of
    letters next to it; what is neither stays. (The new file, how many lines stay.) OSError."""
    made = path.with_name(f"{path.name}.db")
    rows: list[DeadLetterRow] = []
    rest: list[bytes] = []
    for line in path.read_bytes().splitlines():
        row = _row(line) if line.strip() else None
        if row is not None:
            rows.append(row)
        elif line.strip():
            rest.append(line)
    append(made, rows, most=1 << 62)
    if rest:
        write_atomic(path, b"".join(line + b"\n" for line in rest))
    else:
        path.unlink()
    return made, len(rest)


def _row(line: bytes) -> DeadLetterRow | None:
    try:
        document = loads(line)
        if document.get("schema") != LEGACY:
            return DeadLetterRow(None, "both", "", "", line) if _event(line) is not None else None
        event = line[line.index(b',"event":') + 9 : -1]
        row = DeadLetterRow(
            document["sink"], document["standard"], document["reason"], document["at"], event
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    return row if _event(event) is not None else None


def _event(line: bytes) -> Rendered | None:
    try:
        return Rendered(read_agent_hooks(loads(line)))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def _connect(path: Path) -> sqlite3.Connection:
    os.close(open_append(path))  # 0600, and no link
    connection = sqlite3.connect(path, timeout=BUSY_S, isolation_level=None)
    connection.execute("pragma synchronous = full")
    connection.execute(SCHEMA)
    return connection
