"""Merge small Parquet parts of a lake, one partition at a time.

A follower writes a part per minute and partition; queries are faster over few large ones. Order and
rows stay. The large part is written and synced, then a note names the parts it replaces, then it
appears and they are removed: a compaction that breaks off is finished by the next one, or by the
next run that writes there. In between a query finds rows twice, which the `events` view counts
once.

While a run writes to the lake only a follower's parts are touched: those never change.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from hookstream.core.errors import SinkError
from hookstream.core.files import Folder, locked, sync_folder
from hookstream.core.progress import counted
from hookstream.lake import staged
from hookstream.lake.deltalog import DeltaError, DeltaLog, is_table
from hookstream.lake.listing import Parts
from hookstream.lake.partitions import GROUP_BYTES, GROUP_ROWS
from hookstream.lake.parts import RANGE, RUN
from hookstream.lake.rows import part_schema, schema
from hookstream.lake.stores import write_file, writing

TARGET_BYTES = 128 << 20
LOCK = ".compact.lock"
NOTE = ".compact-"
# The folder of a lake's seal (hookstream.seal).
SEAL = ".seal"


@dataclass
class Compacted:
    """The result of a compaction: parts before and after, rows in them, what was left as it is and
    why."""

    before: int = 0
    after: int = 0
    rows: int = 0
    left: list[str] = field(default_factory=list)


def compact(folder: Path, target_bytes: int = TARGET_BYTES) -> Compacted:
    """Merge parts of up to half of `target_bytes` into parts of about that size. SinkError."""
    done = Compacted()
    writer: Folder | None = None
    with locked(folder / LOCK) as free:
        if not free:
            raise SinkError(f"{folder}: another compaction is at work there")
        _finish(folder)
        with contextlib.suppress(SinkError):
            writer = Folder(str(folder))
        try:
            _no_retention(folder, writer)
            listed = Parts(folder)
            done.left += [f"{name}: {why}" for name, why in listed.strays.items()]
            partitions: dict[Path, list[Path]] = {}
            for name in listed.sizes:
                partitions.setdefault((folder / name).parent, []).append(folder / name)
            for paths in counted(partitions.values(), "partitions", len(partitions)):
                for kind in (RANGE, RUN) if writer is not None else (RANGE,):
                    parts = sorted(path for path in paths if kind.match(path.name))
                    for group in _groups(parts, target_bytes):
                        _merge(folder, group, done)
        finally:
            if writer is not None:
                writer.close()
    return done


def _no_retention(folder: Path, writer: Folder | None) -> None:
    """Refuse to merge rows that a retention has yet to remove."""
    if writer is None:
        if next(staged.committed(folder), None) is not None:
            raise SinkError(f"{folder}: a retention run is not finished; run hookstream retain")
    elif not staged.finish(folder):
        raise SinkError(f"{folder}: a retention run broke off; run hookstream retain again")


def recover(folder: Path) -> None:
    """Finish what a compaction left, unless one is running."""
    if next(folder.glob(f"date=*/tool=*/{NOTE}*"), None) is not None:
        with locked(folder / LOCK) as free:
            if free:
                _finish(folder)


@contextlib.contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Keep other compactions out, after finishing an incomplete one. SinkError if one is
    running."""
    with locked(folder / LOCK) as free:
        if not free:
            raise SinkError(f"{folder}: a compaction is at work there")
        _finish(folder)
        yield


def _finish(folder: Path) -> None:
    for note in folder.glob(f"date=*/tool=*/{NOTE}*.json"):
        with contextlib.suppress(ValueError):
            document = json.loads(note.read_bytes())
            if (note.parent / document["whole"]).exists():
                _replace(folder, note, document["whole"], document["parts"])
        note.unlink(missing_ok=True)
    for path in folder.glob(f"date=*/tool=*/{NOTE}*.tmp"):
        path.unlink()


def _replace(folder: Path, note: Path, whole: str, parts: list[str]) -> None:
    parts = [name for name in parts if RANGE.match(name) or RUN.match(name)]
    if is_table(folder):
        key = note.parent.relative_to(folder).as_posix()
        try:
            DeltaLog(folder).swap([f"{key}/{name}" for name in parts], f"{key}/{whole}")
        except DeltaError as error:
            raise SinkError(str(error)) from None
    for name in parts:
        (note.parent / name).unlink(missing_ok=True)
    sync_folder(note.parent)


def superseded(place: Path) -> set[str]:
    """Names of the parts in a partition that a compaction has put together already."""
    found: set[str] = set()
    for note in place.glob(f"{NOTE}*.json"):
        with contextlib.suppress(ValueError, OSError):
            document = json.loads(note.read_bytes())
            if (place / document["whole"]).exists():
                found |= set(document["parts"])
    return found


def _groups(paths: list[Path], target_bytes: int) -> Iterator[list[Path]]:
    """Neighbours that are small, up to the target together, two at least."""
    group: list[Path] = []
    held = 0
    for path in paths:
        size = path.stat().st_size
        small = size <= target_bytes // 2
        if group and (not small or held + size > target_bytes):
            if len(group) > 1:
                yield group
            group, held = [], 0
        if small:
            group.append(path)
            held += size
    if len(group) > 1:
        yield group


def _merge(folder: Path, paths: list[Path], done: Compacted) -> None:
    import pyarrow as pa

    place = paths[0].parent
    paths = [path for path in paths if _is_sound(folder, path, done)]
    if len(paths) < 2:
        return
    temporary = place / f"{NOTE}{os.getpid()}.tmp"
    mark = sha256("\n".join(path.name for path in paths).encode())
    rows = 0

    def write(file: Any) -> None:
        nonlocal rows
        rows = _copy(paths, file, mark)

    try:
        write_file(temporary, write)
    except (OSError, pa.ArrowException) as error:
        raise SinkError(f"{place}: {getattr(error, 'strerror', None) or error}") from None
    name = _name(paths, mark.hexdigest()[:12])
    note = place / f"{NOTE}{name.removesuffix('.parquet')}.json"
    parts = [path.name for path in paths if path.name != name]
    text = json.dumps({"whole": name, "parts": parts}).encode()
    write_file(note, lambda file: file.write(text))
    temporary.rename(place / name)
    sync_folder(place)
    _replace(folder, note, name, parts)
    note.unlink()
    done.before += len(paths)
    done.after += 1
    done.rows += rows


def _name(paths: list[Path], ids: str) -> str:
    first, last = paths[0].name, paths[-1].name
    if (begin := RANGE.match(first)) and (end := RANGE.match(last)):
        return f"part-{begin[1]}-{end[2]}-{ids}.parquet"
    return f"{first.rpartition('-')[0]}-{ids}.parquet"


def _is_sound(folder: Path, path: Path, done: Compacted) -> bool:
    """Return whether it can be read and holds nothing that this version's table lacks."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        found = pq.read_schema(path)
    except (OSError, pa.ArrowException):
        done.left.append(f"{path.relative_to(folder)}: torn")
        return False
    known = schema()
    if any(known.get_field_index(one.name) < 0 for one in found):
        done.left.append(f"{path.relative_to(folder)}: has other columns")
        return False
    if found.names != part_schema().names and (folder / SEAL).is_dir() and not _has_texts(path):
        # Without its text a row is sealed with all of its columns.
        done.left.append(f"{path.relative_to(folder)}: sealed without texts by another version")
        return False
    return True


def _has_texts(path: Path) -> bool:
    """Return whether some row of a part has a rendered text."""
    import pyarrow.parquet as pq

    texts = pq.read_table(path, columns=["agent_hooks", "aarts"], partitioning=None)
    return any(column.null_count < len(texts) for column in texts.columns)


def _copy(paths: list[Path], file: Any, mark: Any) -> int:
    """Copy all rows in order, in row groups like those of a part; return how many."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    rows = 0
    held: list[Any] = []
    held_rows = held_bytes = 0
    with pq.ParquetWriter(file, part_schema(), **writing(part_schema().names)) as writer:

        def cut() -> None:
            nonlocal held_rows, held_bytes
            if held:
                writer.write_table(pa.concat_tables(held).combine_chunks(), GROUP_ROWS)
                held.clear()
                held_rows = held_bytes = 0

        for path in paths:
            with pq.ParquetFile(path) as part:
                for number in range(part.num_row_groups):
                    table = fitted(part.read_row_group(number))
                    for event_id in table.column("event_id").to_pylist():
                        mark.update(f"\n{event_id}".encode() if rows else event_id.encode())
                        rows += 1
                    held.append(table)
                    held_rows += len(table)
                    held_bytes += table.nbytes
                    if held_rows >= GROUP_ROWS or held_bytes >= GROUP_BYTES:
                        cut()
        cut()
    return rows


def fitted(table: Any) -> Any:
    """The table with the columns of this version, empty if an older one had none; an older one
    had `tool` in the file too."""
    import pyarrow as pa

    columns = [
        table.column(one.name).cast(one.type)
        if one.name in table.column_names
        else pa.nulls(len(table), one.type)
        for one in part_schema()
    ]
    return pa.Table.from_arrays(columns, schema=part_schema())
