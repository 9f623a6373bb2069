"""Rotated files that were packed (gzip, zstd): written again without the lines no seal covers."""

from __future__ import annotations

import gzip
import os
import shutil
from itertools import islice
from typing import TYPE_CHECKING, Any

from hookstream.core.files import create, sync, sync_folder
from hookstream.core.sources import UNREADABLE
from hookstream.seal.merkle import record_leaf
from hookstream.seal.segments import lines

if TYPE_CHECKING:
    from pathlib import Path


def open_to_write(path: Path, name: str) -> Any:
    """A file for bytes, packed as `name` says."""
    if name.endswith(".gz"):
        return gzip.open(path, "wb", 6)
    if name.endswith(".zst"):
        import pyarrow as pa

        return pa.output_stream(str(path), compression="zstd")
    return path.open("wb")


def tail_of(path: Path, count: int, leaf: bytes) -> list[bytes]:
    """The lines after the first `count`, the last of which has this leaf; none if it has another,
    or the file cannot be read: verify reports it."""
    rest = lines(path)
    try:
        last = next(islice(rest, count - 1, count), None)
        return list(rest) if last is not None and record_leaf(last) == leaf else []
    except UNREADABLE:
        return []


def cut(path: Path, count: int) -> None:
    """Leave the first `count` lines; a crash leaves the file complete, old or new. OSError."""
    made = path.with_name(f".{path.name}.cut")
    made.unlink(missing_ok=True)  # left by a crash
    os.close(create(made))
    with open_to_write(made, path.name) as file:
        for line in islice(lines(path), count):
            file.write(line + b"\n")
    with made.open("rb") as file:
        sync(file.fileno())
    shutil.copymode(path, made)
    made.replace(path)
    sync_folder(path.parent)
