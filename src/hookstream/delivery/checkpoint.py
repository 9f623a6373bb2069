"""The reader's checkpoint: offsets in every source and in the spool, and pipeline state.

A table of commits in one SQLite file: the first is complete, each further one holds what changed.
When the changes outweigh it, one transaction replaces all with a new complete commit. What a
crash cuts off was never committed, and was never seen.

The head is JSON and holds positions and counts; the body is the encrypted state. A body that cannot
be decrypted (another key, another build) costs the state, never the positions.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from hookstream.core.files import keep_private, sync_folder
from hookstream.core.jsons import JsonObject


def set_aside(path: Path) -> Path | None:
    """Rename what cannot be used, so that it can be looked at; None if there is nothing.

    The files named `.damaged-N` are the count of such events.
    """
    number = 1
    while (other := path.with_name(f"{path.name}.damaged-{number}")).exists():
        number += 1
    try:
        path.rename(other)
        sync_folder(path.parent)
    except OSError:
        return None
    return other


def damaged(folder: Path) -> int:
    """Return how many files were ever set aside below a folder."""
    return sum(1 for _ in folder.rglob("*.damaged-*"))


SCHEMA = """
pragma journal_mode = wal;
pragma synchronous = full;
create table if not exists commits (number integer primary key, head text, body blob);
"""
BUSY_S = 5.0
REWRITE_BYTES = 4 << 20


class DeliveryCheckpoint:
    """Commits in order; `number` is the last one's."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.number = 0
        self._whole = 0  # bytes of the complete commit, and of the changes after it
        self._changes = 0
        self._db: sqlite3.Connection | None = None

    def load(self) -> list[tuple[JsonObject, bytes]]:
        """The commits to apply in order; empty at a first start or if the file is damaged, which
        is then set aside. OSError if it cannot be read."""
        self.close()
        if not self.path.exists():
            return []
        with self.path.open("rb"):
            pass  # a missing permission is not damage
        try:
            self._db = self._connect()
            rows = self._db.execute("select number, head, body from commits order by number")
            found = [(number, json.loads(head), bytes(body)) for number, head, body in rows]
        except (sqlite3.DatabaseError, ValueError, TypeError):
            found = []
        if not found:
            self.close()
            self.set_aside()
            return []
        self.number = found[-1][0]
        sizes = [len(body) for _, _, body in found]
        self._whole, self._changes = sizes[0], sum(sizes[1:])
        return [(head, body) for _, head, body in found]

    def set_aside(self) -> None:
        """Rename a file that cannot be used, and drop SQLite's files next to it."""
        set_aside(self.path)
        for ending in ("-wal", "-shm"):
            with suppress(OSError):
                self.path.with_name(self.path.name + ending).unlink()

    @property
    def is_due(self) -> bool:
        """Return whether the next commit should be a complete one."""
        return self._db is None or self._changes > max(REWRITE_BYTES, self._whole)

    def begin(self, head: JsonObject, body: bytes) -> None:
        """Replace all commits with one complete commit. OSError: they remain."""
        self._commit(head, body, whole=True)
        self._whole, self._changes = len(body), 0

    def add(self, head: JsonObject, body: bytes) -> None:
        """Add a commit, on disk when this returns. OSError: it did not happen."""
        self._commit(head, body, whole=False)
        self._changes += len(body)

    def _commit(self, head: JsonObject, body: bytes, *, whole: bool) -> None:
        text = json.dumps(head, separators=(",", ":"))
        try:
            if self._db is None:
                self._db = self._connect()
            with self._db:
                if whole:
                    self._db.execute("delete from commits")
                self._db.execute(
                    "insert into commits values (?, ?, ?)", (self.number + 1, text, body)
                )
        except sqlite3.Error as error:
            self.close()
            raise OSError(5, f"checkpoint: {error}") from None
        self.number += 1

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            keep_private(self.path), timeout=BUSY_S, check_same_thread=False
        )
        connection.executescript(SCHEMA)
        return connection

    def close(self) -> None:
        if self._db is not None:
            with suppress(sqlite3.Error):
                self._db.close()
            self._db = None


def read_heads(path: Path) -> list[JsonObject]:
    """Read the heads of a checkpoint without changing it."""
    if not path.exists():
        return []
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=BUSY_S)) as db:
            rows = db.execute("select head from commits order by number").fetchall()
        return [json.loads(head) for (head,) in rows]
    except (sqlite3.Error, ValueError):
        return []
