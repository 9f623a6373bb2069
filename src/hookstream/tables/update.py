"""Tables brought up to date: by the command, and by a sink that has written to a lake."""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from hookstream.core.errors import HookstreamError, NothingToRead
from hookstream.lake.damage import damaged, unreadable
from hookstream.lake.listing import Parts, parts_of
from hookstream.tables import manifest
from hookstream.tables.build import Build
from hookstream.tables.connection import close, connect, spill_folder, within_memory
from hookstream.tables.events import NoEvents
from hookstream.tables.files import Made
from hookstream.tables.manifest import Lake, folder_of, locked
from hookstream.tables.refresh import Refresh
from hookstream.tables.relations import LOOP_FAILURES, LOOP_UNCHANGED

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    import duckdb

    from hookstream.tables.manifest import TablesManifest

# A lake of fewer rows answers as fast without tables.
WORTH_ROWS = 50_000
# Memory of a build or refresh, if that is enough for it; the rest is spilled.
MEMORY_BYTES = 5 << 28
# Two take a quarter more CPU to group a batch's strings, and save a tenth of the time.
THREADS = 1


def freshen(lake: Path, at_once: bool) -> Made | None:
    """`update` for a sink: where there are tables, where `at_once`, or where the lake is large
    enough for them. None if there was nothing to do or it could not be done: questions derive
    what tables lack."""
    import duckdb
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        if not at_once and manifest.read(folder_of(lake)) is None:
            rows = sum(pq.read_metadata(lake / part).num_rows for part in parts_of(lake))
            if rows < WORTH_ROWS:
                return None
        return update(lake)
    except (HookstreamError, OSError, duckdb.Error, pa.ArrowException):
        return None


def update(
    lake: Path,
    *,
    rebuild: bool = False,
    loop_failures: int | None = None,
    loop_unchanged: int | None = None,
    to_the_byte: bool = False,
) -> Made:
    """Bring the tables of a lake up to date; damaged ones are built again. `to_the_byte` looks for
    damage in every byte of theirs. Raises NothingToRead and HookstreamError."""
    if not lake.is_dir():
        raise NothingToRead(f"{lake}: no folder; tables are kept beside a folder of Parquet files")
    listed = Parts(lake)
    if not listed.sizes and not listed.strays:
        raise NothingToRead(f"{lake}: no *.parquet in it")
    folder = folder_of(lake)
    with locked(folder) as free:
        if not free:
            raise HookstreamError(f"{folder}: another refresh is at work there")
        known, flaw = manifest.look(folder, to_the_byte=to_the_byte, ours=True)
        if rebuild:
            known = None
        if known is not None and (
            (loop_failures or known.loop_failures, loop_unchanged or known.loop_unchanged)
            != (known.loop_failures, known.loop_unchanged)
        ):
            known = None
        thresholds = (loop_failures or LOOP_FAILURES, loop_unchanged or LOOP_UNCHANGED)
        made = _of_what_can_be_read(lake, listed, known, thresholds)
        made.damaged = flaw
        return made


def _of_what_can_be_read(
    lake: Path,
    listed: Parts,
    known: TablesManifest | None,
    thresholds: tuple[int, int],
) -> Made:
    """The tables of the parts that are not damaged; `left` names those that are."""
    import duckdb

    paths = {
        str(lake / part): part
        for part, size in listed.sizes.items()
        if known is None or not known.covers(part, size)
    }
    flaws = {paths[file]: why for file, why in unreadable(paths).items()}
    while True:
        parts = {part: size for part, size in listed.sizes.items() if part not in flaws}
        left = [f"{name}: {why}" for name, why in sorted((listed.strays | flaws).items())]
        if not parts:
            raise NothingToRead(f"{lake}: Parquet, but nothing of it can be read: {left[0]}")
        try:
            made = within_memory(
                MEMORY_BYTES, partial(_made, Lake.at(lake, parts), known, thresholds)
            )
        except NoEvents as lack:
            raise NothingToRead(f"{lake}: Parquet, but no events (no column {lack})") from None
        except duckdb.Error as error:
            more = damaged(str(lake / part) for part in parts)
            if not more:
                raise HookstreamError(f"{lake}: {str(error).splitlines()[0]}") from None
            flaws |= {part: more[file] for part in parts if (file := str(lake / part)) in more}
            known = None
        else:
            made.left = left
            return made


def _made(
    lake: Lake,
    known: TablesManifest | None,
    thresholds: tuple[int, int],
) -> Made:
    """A refresh, or a build if nothing is known or it costs less."""
    if known is not None:
        with connected() as connection:
            made = Refresh(connection, lake).refresh(known)
        if made is not None:
            return made
    with connected() as connection:
        return Build(connection, lake).rebuild(*thresholds)


@contextmanager
def connected() -> Iterator[duckdb.DuckDBPyConnection]:
    spill = spill_folder()
    connection = connect(spill, THREADS)
    # Of a lake of thousands of parts it would hold half of the memory.
    connection.execute("set parquet_metadata_cache = false")
    try:
        yield connection
    finally:
        close(connection, spill)
