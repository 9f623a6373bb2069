"""A client's SQLite database, read without a lock and without a trace next to it.

While the client writes, the newest rows are in the write-ahead log: the database is opened read
only with it, or, if the client has ended and SQLite would have to create its shared memory again,
as a private copy. Without a log nothing is being written, and it is opened as a file that does not
change. So SQLite makes no files in the client's folder. Text that is not UTF-8 is mended.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from urllib.parse import quote

HEADER = b"SQLite format 3\0"
HEADER_BYTES = 100
BUSY_S = 2.0
# How often a database is copied that its client is writing.
COPIES = 3
# Steps of SQLite's machine between two looks at whether a file makes it run for ever.
STEPS = 200_000_000


def is_database(head: bytes) -> bool:
    return head.startswith(HEADER)


class PrivateCopy(sqlite3.Connection):
    """A connection to a copy in a folder of ours, which is removed with it."""

    folder: TemporaryDirectory[str] | None = None

    def close(self) -> None:
        super().close()
        if self.folder is not None:
            self.folder.cleanup()


def connect(path: Path) -> sqlite3.Connection:
    """A read-only connection. Raises sqlite3.Error or OSError."""
    log = path.with_name(f"{path.name}-wal")
    is_written = False
    with suppress(OSError):
        is_written = log.stat().st_size > 0
    folder = None
    if is_written and not path.with_name(f"{path.name}-shm").exists():
        # SQLite would make that file in the client's folder.
        folder = _copied(path, log)
        path = Path(folder.name) / "copy"
    mode = "mode=ro" if is_written else "mode=ro&immutable=1"
    uri = f"file:{quote(str(path.resolve()))}?{mode}"
    connection = sqlite3.connect(uri, uri=True, timeout=BUSY_S, factory=PrivateCopy)
    connection.folder = folder
    try:
        connection.text_factory = lambda data: data.decode("utf-8", "replace")
        connection.execute("pragma query_only = 1")
        connection.execute("pragma trusted_schema = 0")
        # Newer clients use it in their schema; an older library has none.
        connection.create_function("octet_length", 1, octet_length, deterministic=True)
        connection.set_progress_handler(lambda: 1, STEPS)
    except BaseException:
        connection.close()
        raise
    return connection


def _copied(path: Path, log: Path) -> TemporaryDirectory[str]:
    """A copy of a database and its log, neither changed meanwhile if that can be had. OSError."""
    folder = TemporaryDirectory(prefix="hookstream-database-")
    try:
        for _ in range(COPIES):
            before = _stamps(path, log)
            copyfile(log, Path(folder.name) / "copy-wal")
            copyfile(path, Path(folder.name) / "copy")
            if _stamps(path, log) == before:
                break
    except BaseException:
        folder.cleanup()
        raise
    return folder


def _stamps(*paths: Path) -> list[tuple[int, int]]:
    return [(info.st_size, info.st_mtime_ns) for info in map(os.stat, paths)]


def is_cut(path: Path) -> bool:
    """Return whether a database at rest is shorter than its header says. SQLite takes what is
    missing of the last page for zeros, and says nothing. Raises OSError."""
    log = path.with_name(f"{path.name}-wal")
    with path.open("rb") as file:
        head = file.read(HEADER_BYTES)
    if log.exists() or len(head) < HEADER_BYTES or head[24:28] != head[92:96]:
        return False  # being written, or by a version that keeps no count
    page = int.from_bytes(head[16:18], "big")
    pages = int.from_bytes(head[28:32], "big")
    return path.stat().st_size < pages * (65536 if page == 1 else page)


def octet_length(value: object) -> int | None:
    if value is None:
        return None
    return len(value if isinstance(value, bytes) else str(value).encode("utf-8", "replace"))


def tables_of(path: Path) -> set[str]:
    """The names of the tables, an empty set if the file cannot be read as a database."""
    try:
        with closing(connect(path)) as connection:
            found = connection.execute("select name from sqlite_master where type = 'table'")
            return {name for (name,) in found if type(name) is str}
    except (sqlite3.Error, OSError):
        return set()
