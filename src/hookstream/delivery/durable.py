"""Damaged files are renamed and counted."""

from __future__ import annotations

from pathlib import Path

from hookstream.core.files import sync_folder


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
