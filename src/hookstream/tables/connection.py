"""A DuckDB connection with bounds, and the lock that closes it to everything but the stream."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import time
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from hookstream.core.interrupt import LEAVING
from hookstream.core.processes import is_running

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    import duckdb


PREFIX = "hookstream-query-"


def spill_folder() -> str:
    """A fresh folder named after this process, once those of dead ones are removed."""
    sweep()
    folder = tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-")
    if LEAVING.is_set():  # those of before are being removed by now
        shutil.rmtree(folder, ignore_errors=True)
    return folder


def close(connection: duckdb.DuckDBPyConnection, folder: str) -> None:
    """Close a connection and remove the folder it spilled to."""
    import duckdb

    # One that was interrupted may still be running.
    with contextlib.suppress(duckdb.Error):
        connection.close()
    shutil.rmtree(folder, ignore_errors=True)


def remove_own() -> None:
    """Remove the folders of this process; a thread that is still writing may fill one again."""
    for _ in range(5):
        places = list(Path(tempfile.gettempdir()).glob(f"{PREFIX}{os.getpid()}-*"))
        for place in places:
            shutil.rmtree(place, ignore_errors=True)
        if not places:
            return
        time.sleep(0.03)


def sweep() -> None:
    """Remove the folders whose process no longer runs."""
    for place in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        owner = place.name.removeprefix(PREFIX).partition("-")[0]
        if owner.isdigit() and not is_running(int(owner)):
            shutil.rmtree(place, ignore_errors=True)


T = TypeVar("T")

THREADS = 8
MEMORY_BYTES = 8 << 30
SPILL = "16GB"
# What a caller allows for the connections made meanwhile.
allowed: ContextVar[int] = ContextVar("allowed", default=MEMORY_BYTES)


@contextmanager
def memory_of(limit: int) -> Iterator[None]:
    """Limit connections made inside to N bytes, or fewer if fewer are allowed; they spill the
    rest."""
    token = allowed.set(min(limit, allowed.get()))
    try:
        yield
    finally:
        allowed.reset(token)


def within_memory(limit: int, work: Callable[[], T]) -> T:
    """Return the result of `work` with at most N bytes; if it needs more, with what is
    available.
    """
    import duckdb

    try:
        with memory_of(limit):
            return work()
    except Exception as error:
        # What a query raises is not an error of DuckDB's, but has the same message.
        lacked = getattr(error, "out_of_memory", False)
        if not lacked and not isinstance(error, duckdb.OutOfMemoryException):
            raise
    return work()


def connect(spill: str, threads: int = THREADS) -> duckdb.DuckDBPyConnection:
    """A separate connection of at most N threads; what memory cannot hold goes to the private
    folder `spill`."""
    import duckdb

    connection = duckdb.connect(
        config={
            # No Python variable of ours is a table.
            "python_enable_replacements": "false",
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
            "allow_community_extensions": "false",
            "allow_persistent_secrets": "false",
            "threads": str(min(threads, os.cpu_count() or 1)),
            "memory_limit": f"{_memory()}B",
            "temp_directory": spill,
            "max_temp_directory_size": SPILL,
        }
    )
    for setting in (
        "TimeZone = 'UTC'",
        # Every view names the parts again: their footers need not be read each time.
        "parquet_metadata_cache = true",
        # Progress is counted for whoever asks; DuckDB shows none itself.
        "enable_progress_bar = true",
        "enable_progress_bar_print = false",
    ):
        connection.execute(f"set {setting}")
    return connection


def _memory() -> int:
    """Half of the machine's memory, at most what is allowed."""
    return max(1 << 28, min(allowed.get(), share_of_memory(2)))


def share_of_memory(parts: int) -> int:
    """The machine's memory, divided."""
    try:
        whole = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        whole = 4 << 30
    return whole // parts


def lock(
    connection: duckdb.DuckDBPyConnection, files: Iterable[str], folders: Iterable[str]
) -> None:
    """From here on only these files and the contents of these folders can be reached, and nothing
    can be set."""
    connection.execute("set allowed_directories = ?", [list(folders)])
    connection.execute("set allowed_paths = ?", [list(files)])
    connection.execute("set enable_external_access = false")
    connection.execute("set lock_configuration = true")


# Statements of builds and refreshes, in `sql/steps/NAME.sql`, with `{words}` to fill in.


@cache
def steps() -> dict[str, str]:
    """step -> its statements"""
    folder = resources.files("hookstream.tables").joinpath("sql/steps")
    return {file.name.removesuffix(".sql"): file.read_text("utf-8") for file in folder.iterdir()}


def step_text(name: str, **words: object) -> str:
    """The SQL of a step, its words filled in."""
    return steps()[name].format(**words)


def run_step(
    connection: duckdb.DuckDBPyConnection, name: str, **words: object
) -> duckdb.DuckDBPyConnection:
    """Execute the statements of a step; the connection then has the rows of the last one."""
    return connection.execute(step_text(name, **words))
