"""A client's SQLite database, read without a lock and without a trace next to it.

While the client writes, the newest rows are in the write-ahead log: the database is opened read
only with it, or, if the client has ended and SQLite would have to create its shared memory again,
as a private copy. Without a log nothing is being written, and it is opened as a file that does not
change. So SQLite makes no files in the client's folder. Text that is not UTF-8 is mended. Of a file
that is cut or damaged the rows that can be reached are read, into memory.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from collections.abc import Iterator

HEADER = b"SQLite format 3\0"
HEADER_BYTES = 100
BUSY_S = 2.0
# How large a damaged database may be, and how many of a table's rows it may lack one by one.
SALVAGE_BYTES = 256 << 20
SALVAGE_TRIES = 10_000
# How often a database is copied that its client is writing.
COPIES = 3
READING = frozenset(
    (
        sqlite3.SQLITE_SELECT,
        sqlite3.SQLITE_READ,
        sqlite3.SQLITE_FUNCTION,
        sqlite3.SQLITE_RECURSIVE,
        sqlite3.SQLITE_PRAGMA,
    )
)
# Functions that run or point to code; the authorizer gets the name as its third argument.
LOADING = ("load_extension", "fts3_tokenizer")
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
        connection.set_authorizer(allow_reading)
        # Newer clients use it in their schema; an older library has none.
        connection.create_function("octet_length", 1, octet_length, deterministic=True)
        connection.set_progress_handler(lambda: 1, STEPS)
    except BaseException:
        connection.close()
        raise
    return connection


def allow_reading(action: int, name: str | None, *context: str | None) -> int:
    """Allow statements, the client's schema included, to read, and nothing else.

    `trusted_schema = 0` says the same, and an older library then refuses the whole database whose
    indices use json_extract.
    """
    is_harmless = action in READING and (context[:1] or (None,))[0] not in LOADING
    return sqlite3.SQLITE_OK if is_harmless else sqlite3.SQLITE_DENY


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
    return path.stat().st_size < _size(head)


def _size(head: bytes) -> int:
    """The bytes that a database has by its header."""
    page = int.from_bytes(head[16:18], "big")
    return int.from_bytes(head[28:32], "big") * (65536 if page == 1 else page)


def salvaged(path: Path, tables: frozenset[str]) -> sqlite3.Connection:
    """The rows of tables that can be reached in a cut or damaged database, in a database in memory.
    Raises sqlite3.Error or OSError where nothing can."""
    if path.stat().st_size > SALVAGE_BYTES:
        raise sqlite3.DatabaseError("too large to be salvaged")
    data = bytearray(path.read_bytes())
    data += bytes(max(0, min(_size(bytes(data[:HEADER_BYTES])), SALVAGE_BYTES) - len(data)))
    data[18:20] = b"\1\1"  # without a write-ahead log
    result = sqlite3.connect(":memory:")
    with closing(sqlite3.connect(":memory:")) as damaged:
        damaged.deserialize(bytes(data))
        damaged.text_factory = lambda value: value.decode("utf-8", "replace")
        damaged.create_function("octet_length", 1, octet_length, deterministic=True)
        for table in sorted(tables):
            columns = [row[1] for row in damaged.execute(f'pragma table_info("{table}")')]
            names = ", ".join(f'"{column}"' for column in columns)
            marks = ", ".join("?" * len(columns))
            result.execute(f'create table "{table}" ({names})')
            rows = _reachable(damaged, table)
            result.executemany(f'insert into "{table}" values ({marks})', rows)  # noqa: S608
    return result


def _reachable(damaged: sqlite3.Connection, table: str) -> Iterator[tuple[object, ...]]:
    """The rows of a table in their order, without those on pages that cannot be read. A damaged
    tree leads back to rows that were read: each is taken once."""
    last = 0
    select = f'select rowid, * from "{table}" where rowid > ? order by rowid'  # noqa: S608
    for _ in range(SALVAGE_TRIES):
        try:
            for row in damaged.execute(select, (last,)):
                if row[0] > last:
                    last = row[0]
                    yield row[1:]
            return
        except sqlite3.DatabaseError:
            last += 1


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
