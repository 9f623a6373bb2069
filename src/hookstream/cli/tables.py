"""tables: what questions read instead of deriving it again."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Annotated

import typer

from hookstream.cli.places import local
from hookstream.cli.progress import bar
from hookstream.core.files import write_private
from hookstream.core.logs import say


def tables(
    lake: Annotated[Path, typer.Argument(help="A folder of Parquet files that `run` wrote.")],
    rebuild: Annotated[bool, typer.Option(help="Derive everything again.")] = False,
    report: Annotated[Path | None, typer.Option(help="Write what was done as JSON.")] = None,
    loop_failures: Annotated[
        int | None, typer.Option(min=2, help="Failed attempts that are a retry loop (3).")
    ] = None,
    loop_unchanged: Annotated[
        int | None, typer.Option(min=2, help="Equal successes that are a retry loop (8).")
    ] = None,
) -> None:
    """Build or refresh a lake's derived tables. They are next to it, in LAKE.tables."""
    from hookstream.tables.files import counts
    from hookstream.tables.manifest import folder_of
    from hookstream.tables.update import update

    began = time.monotonic()
    place = local(lake)
    with bar("batches"):
        made = update(
            place,
            rebuild=rebuild,
            loop_failures=loop_failures,
            loop_unchanged=loop_unchanged,
            to_the_byte=True,
        )
    elapsed = time.monotonic() - began
    if made.damaged:
        say(f"hookstream: {folder_of(place)}: damaged: {made.damaged}")
    for name in made.left:
        say(f"hookstream: left out: {name}")
    say(
        f"{folder_of(place)}: {made.how}, {made.sessions} sessions of {made.dates} dates derived, "
        f"{made.parts} parts covered, {elapsed:.1f} s",
    )
    if report is not None:
        rows = counts(folder_of(place))
        fields = {**made.__dict__, "rows": rows, "elapsed_s": round(elapsed, 3)}
        text = json.dumps(fields, indent=1)
        write_private(report, text + "\n")
