"""Private temporary folders of questions and builds; those of programs that were killed go too."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

PREFIX = "hookstream-query-"


def spill_folder() -> str:
    """A fresh folder named after this process, once those of dead ones are removed."""
    sweep()
    return tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-")


def remove_own() -> None:
    """Remove the folders of this process."""
    for place in Path(tempfile.gettempdir()).glob(f"{PREFIX}{os.getpid()}-*"):
        shutil.rmtree(place, ignore_errors=True)


def sweep() -> None:
    """Remove the folders whose process no longer runs."""
    for place in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        owner = place.name.removeprefix(PREFIX).partition("-")[0]
        if owner.isdigit() and not _is_running(int(owner)):
            shutil.rmtree(place, ignore_errors=True)


def _is_running(process: int) -> bool:
    if os.name != "posix":
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass
    return True
