"""Private temporary folders of questions and builds; those of programs that were killed go too."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from hookstream.core.processes import is_running

if TYPE_CHECKING:
    import duckdb

PREFIX = "hookstream-query-"


def spill_folder() -> str:
    """A fresh folder named after this process, once those of dead ones are removed."""
    sweep()
    return tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-")


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
