"""The journal of a log: its statements, each at its index, and the notes that closed epochs.

Statements are leaves of the tree like records; what they say is covered by the next checkpoint.
One JSON object a line, in exactly the form that is written here.

    open      the stream, its first key, the hour           resume   the writer started again
    epoch     300 s with news are over, and the next key    hour     an hour is over, likewise
    close     the writer ended cleanly, likewise            gap      hours in which nothing ran
    rotated   the file was renamed, a new one begins        cut      a tail without checkpoint
    part      a Parquet file and its rows                   replaced parts written again
    operator  whose key signs what is removed               pruned   what retention removed
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from hookstream.core.files import append, open_append
from hookstream.seal import SealError

NAME = "journal"
# These end an epoch: the statement is the last leaf that its key signs.
ENDING = ("epoch", "hour", "close")


def canonical(value: dict[str, Any]) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode("ascii")


def statement_line(index: int, text: bytes) -> bytes:
    return b'{"index":%d,"statement":%s}\n' % (index, text)


def note_line(note: str) -> bytes:
    return canonical({"note": note}) + b"\n"


class Statement:
    """A statement of the sealer, at its index in the tree."""

    __slots__ = ("index", "kind", "said", "text")

    def __init__(self, index: int, text: bytes, said: dict[str, Any]) -> None:
        self.index = index
        self.text = text
        self.said = said
        self.kind = str(said.get("kind", ""))


class Journal:
    """A journal as stored: statements and notes in order; `damage` is why reading ended early,
    with the number of the line (from 1)."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.statements: list[Statement] = []
        self.notes: list[tuple[int, int, str]] = []  # (line number, index before it, note)
        self.damage: tuple[int, str] | None = None
        self._ends: list[tuple[int, int]] = []  # (index of a statement, byte where its line begins)
        self._size = 0
        self._fd = -1

    def load(self) -> None:
        """Load the journal. SealError if the file cannot be read."""
        try:
            data = self.path.read_bytes()
        except OSError as error:
            raise SealError(f"{self.path}: {error.strerror or error}") from None
        for number, line in enumerate(data.split(b"\n")[:-1], 1):
            try:
                self._take(number, line)
            except (ValueError, LookupError, TypeError, RecursionError) as error:
                self.damage = (number, str(error) or "not a line of a journal")
                return
            self._size += len(line) + 1

    def _take(self, number: int, line: bytes) -> None:
        document: dict[str, Any] = json.loads(line)
        if canonical(document) != line:
            raise ValueError("not in the form it was written in")
        if set(document) == {"note"} and type(document["note"]) is str:
            self.notes.append((number, self.statements[-1].index, document["note"]))
            return
        index, said = document["index"], document["statement"]
        if (
            set(document) != {"index", "statement"}
            or type(index) is not int
            or type(said) is not dict
        ):
            raise ValueError("not a line of a journal")
        if self.statements and index <= self.statements[-1].index:
            raise ValueError("a statement out of order")
        self._ends.append((index, self._size))
        self.statements.append(Statement(index, canonical(said), said))

    def begins(self) -> list[int]:
        """The byte where the line of each statement begins, as loaded."""
        return [byte for _, byte in self._ends]

    def cut(self, size: int) -> None:
        """Drop statements at or after leaf `size`, and a torn last line. OSError."""
        end = next((byte for index, byte in self._ends if index >= size), self._size)
        self.statements = [statement for statement in self.statements if statement.index < size]
        self._ends = [one for one in self._ends if one[0] < size]
        os.truncate(self.path, end)
        self._size = end

    def append(self, data: bytes) -> None:
        """Append lines, on disk when this returns. OSError."""
        if self._fd < 0:
            self._fd = open_append(self.path)
        append(self._fd, data)
        self._size += len(data)

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1


def epoch_of(size: int, statements: list[Statement]) -> int:
    """The epoch whose key signs a checkpoint of that size."""
    return sum(statement.kind in ENDING and statement.index + 1 < size for statement in statements)
