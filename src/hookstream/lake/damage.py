"""Parts of a lake that cannot be read, or hold no events: each is left out and named."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    import duckdb

MAGIC = b"PAR1"
NEEDED = ("event_id", "event_type", "timestamp", "session_id")
COLUMNS = """
select file_name, list(name) filter (list_contains($2, name)) from parquet_schema($1)
group by file_name
"""


def is_whole(file: Path) -> str | None:
    """The reason why a Parquet file cannot be read, by its first and last bytes, or None."""
    try:
        with file.open("rb") as stream:
            head = stream.read(4)
            size = stream.seek(0, 2)
            stream.seek(max(0, size - 4))
            tail = stream.read(4)
    except OSError as error:
        return error.strerror or type(error).__name__
    if size < 12 or head != MAGIC or tail != MAGIC:
        return "torn: not a whole Parquet file"
    return None


def unreadable(
    files: Iterable[str], reader: duckdb.DuckDBPyConnection | None = None
) -> dict[str, str]:
    """The files whose head, tail or footer cannot be read, or that lack a column of every event,
    each with the reason. Footers are read, rows are not, by `reader` if there is one open."""
    import duckdb

    flaws: dict[str, str] = {}
    sound = []
    for file in files:
        reason = is_whole(Path(file))
        if reason is None:
            sound.append(file)
        else:
            flaws[file] = reason
    if not sound:
        return flaws
    with nullcontext(reader) if reader else duckdb.connect() as connection:
        try:
            rows = connection.execute(COLUMNS, [sound, NEEDED]).fetchall()
        except duckdb.Error:
            rows = []
            for file in sound:
                try:
                    rows += connection.execute(COLUMNS, [[file], NEEDED]).fetchall()
                except duckdb.Error as error:
                    flaws[file] = said(error)
    for file, names in rows:
        lacks = next((name for name in NEEDED if name not in (names or ())), None)
        if lacks is not None:
            flaws[file] = f"holds no events (no column {lacks})"
    return flaws


def damaged(files: Iterable[str]) -> dict[str, str]:
    """The Parquet files that cannot be read to their end, each with the reason: all rows are
    read."""
    import duckdb

    flaws: dict[str, str] = {}
    with duckdb.connect() as connection:
        for file in files:
            if (reason := is_whole(Path(file))) is not None:
                flaws[file] = reason
                continue
            try:
                connection.execute(
                    "select bit_xor(hash(part)) from read_parquet(?) as part", [file]
                ).fetchall()
            except duckdb.Error as error:
                flaws[file] = said(error)
    return flaws


def said(error: Exception) -> str:
    """Return one line of DuckDB's error about a file, without its name."""
    line = str(error).strip().split("\n", 1)[0].rpartition('": ')[2]
    text = "".join(char if char.isprintable() else "?" for char in line)
    return f"damaged: {text[:120].strip()}"
