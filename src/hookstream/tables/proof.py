"""Proof that stored tables are what the events of their lake give.

They are derived once more, into a private temporary folder, and compared row by row; what a
question would derive on top of them, for parts that came or went since, is derived as well. That
costs what a build costs.
"""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import replace
from pathlib import Path

from hookstream.core.files import make_private
from hookstream.lake.damage import unreadable
from hookstream.lake.listing import parts_of
from hookstream.tables import manifest
from hookstream.tables.build import Build
from hookstream.tables.connection import run_step, within_memory
from hookstream.tables.manifest import BESIDE, Lake, TablesManifest, folder_of, listed
from hookstream.tables.refresh import Refresh
from hookstream.tables.relations import TABLES
from hookstream.tables.update import MEMORY_BYTES, connected


def disproof(lake: Path) -> str:
    """The first table that is not what the events give; empty if all are, or no question reads
    them. HookstreamError, duckdb.Error."""
    folder = folder_of(lake)
    data = manifest.read(folder)
    if data is None:
        return ""
    whole = Lake.at(lake, parts_of(lake.resolve()))
    flaws = unreadable(whole.files(part for part in whole.parts if part not in data.parts))
    names = zip(whole.parts, whole.files(), strict=True)
    parts = {part: whole.parts[part] for part, file in names if file not in flaws}
    with tempfile.TemporaryDirectory(prefix="hookstream-proof-") as place:
        return within_memory(
            MEMORY_BYTES, lambda: _differs(Lake.at(lake, parts), data, Path(place))
        )


def _differs(lake: Lake, known: TablesManifest, place: Path) -> str:
    stored, derived = place / "stored", place / "derived"
    folder = lake.tables
    if known.parts == lake.parts:
        stored = folder
    else:
        for table in (*TABLES, *BESIDE):
            shutil.copytree(folder / table, stored / table)
        with connected() as connection:
            if Refresh(connection, replace(lake, tables=stored)).refresh(known) is None:
                return ""  # a question derives everything, too
    make_private(derived)
    with connected() as connection:
        build = Build(connection, replace(lake, tables=derived))
        build.rebuild(known.loop_failures, known.loop_unchanged)
    with connected() as connection:
        for table in (*TABLES, *BESIDE):
            sides = {}
            for side, of in (("stored", stored), ("derived", derived)):
                connection.execute(f"set variable {side} = ?", [listed(of / table)])
                scan = f"read_parquet(getvariable('{side}'), hive_partitioning = false)"
                names = sorted(
                    row[0] for row in connection.execute(f"describe from {scan}").fetchall()
                )
                columns = ", ".join(f'"{name}"' for name in names)
                sides[side] = f"(select {columns} from {scan})", names
            if sides["stored"][1] != sides["derived"][1]:
                return f"{folder / table}: other columns than its events give"
            rows = {side: text for side, (text, _) in sides.items()}
            (count,) = run_step(connection, "row_differences", **rows).fetchone() or (0,)
            if count:
                return f"{folder / table}: {count} rows differ from what the events give"
    return ""
