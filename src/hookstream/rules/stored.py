"""Findings of rules, and facts of commands, stored next to a lake's derived tables.

    LAKE.tables/commands/MARK-DIGEST.parquet   facts of each distinct command, read once
    LAKE.tables/findings/RULES-PARTS-DIGEST.parquet   findings of rules over a state of the lake

A mark is a digest of what the rows depend on: the code that reads commands; the rules and how
tables are made; the parts of the lake. DIGEST is of the file's bytes. Without tables nothing is
stored. Whatever cannot be read, was changed or cannot be written is computed again.
"""

from __future__ import annotations

import contextlib
from functools import cache
from hashlib import sha256
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookstream.core.files import make_private, write_atomic
from hookstream.lake.listing import parts_of
from hookstream.rules.findings import Finding
from hookstream.rules.load import files_in
from hookstream.tables import history, manifest

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pyarrow as pa

LISTS = ("events", "tags", "atlas", "owasp")
TEXTS = tuple("rule_id title level machine_id user_id tool session_id event_id shown rule".split())
# States whose findings are kept: rule sets asked in turn do not evict each other.
MOST_STATES = 4
MOST_PARTS = 8


@cache
def reading_mark() -> str:
    """A digest of the code that reads commands."""
    digest = sha256()
    for package, pattern in (("hookstream.shell", ".py"), ("hookstream.rules", "commands.py")):
        for name, data in sorted(_sources(resources.files(package), pattern)):
            digest.update(name.encode() + b"\0" + data)
    return digest.hexdigest()[:16]


def _sources(folder: Any, ending: str) -> Iterable[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _sources(entry, ending)
        elif entry.name.endswith(ending):
            yield entry.name, entry.read_bytes()


def folder_of(path: Path) -> Path | None:
    """The folder of the tables next to a lake; None if it does not exist."""
    if not path.is_dir():
        return None
    folder = manifest.folder_of(path)
    return folder if manifest.read(folder) is not None else None


class StoredCommandFacts:
    """Facts of commands in `folder`, a Parquet part for each time that new ones were read."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "commands"

    def read(self) -> pa.Table | None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        try:
            parts = [data for part in self._parts() if (data := _as_written(part)) is not None]
            tables = [pq.read_table(pa.BufferReader(data)) for data in parts]
            return pa.concat_tables(tables) if tables else None
        except (OSError, pa.ArrowException):
            return None

    def add(self, facts: pa.Table) -> None:
        """Store more facts. Those of another version are removed, many parts become one."""
        import pyarrow as pa

        parts = self._parts()
        if len(parts) >= MOST_PARTS:
            data = self.read()
            facts = facts if data is None else pa.concat_tables([data, facts])
        else:
            parts = []
        old = [part for part in self.folder.glob("*.parquet") if not self._is_mine(part)]
        made = _write(self.folder, reading_mark(), facts)
        if made is not None:
            _remove(part for part in (*parts, *old) if part != made)

    def _parts(self) -> list[Path]:
        return sorted(part for part in self.folder.glob("*.parquet") if self._is_mine(part))

    def _is_mine(self, part: Path) -> bool:
        return part.name.startswith(f"{reading_mark()}-")


class StoredFindings:
    """Findings of the rules in some files over a lake as it is now, before any tuning."""

    def __init__(self, lake: Path, folder: Path, places: Iterable[Path]) -> None:
        digest = sha256(f"{manifest.version()} {reading_mark()}".encode())
        for file in (*files_in(places), Path(__file__).with_name("first_seen.sql")):
            digest.update(file.name.encode() + b"\0" + file.read_bytes())
        self.folder = folder
        self.rules = digest.hexdigest()[:16]
        self.parts = history.mark_of(parts_of(lake.resolve()))
        self.place = folder / "findings"
        self.stem = f"{self.rules}-{self.parts}"

    def earlier(self) -> tuple[list[Finding], set[str]] | None:
        """The findings over an earlier state, and digests of the sessions derived since; None if
        not known."""
        with contextlib.suppress(OSError):
            states = self.place.glob(f"{self.rules}-*.parquet")
            for state in sorted(states, key=lambda file: -file.stat().st_mtime_ns):
                before = state.stem.split("-")[1]
                touched = history.between(self.folder, before, self.parts)
                data = None if touched is None else self.read(state)
                if touched is not None and data is not None:
                    return data, touched
        return None

    def read(self, state: Path | None = None) -> list[Finding] | None:
        """The findings of this state, or of the one in a file; None if they are not stored."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        states = [state] if state is not None else self.place.glob(f"{self.stem}-*.parquet")
        try:
            found = [data for file in states if (data := _as_written(file)) is not None]
            if not found:
                return None
            rows = pq.read_table(pa.BufferReader(found[0])).to_pylist()
            return [
                Finding(**{**row, **{name: tuple(row[name]) for name in LISTS}}) for row in rows
            ]
        except (OSError, pa.ArrowException, TypeError, KeyError):
            return None

    def write(self, found: list[Finding]) -> None:
        import pyarrow as pa

        fields = [
            *((name, pa.string()) for name in TEXTS),
            ("timestamp", pa.timestamp("us")),
            *((name, pa.list_(pa.string())) for name in LISTS),
        ]
        columns = {name: [getattr(one, name) for one in found] for name, _ in fields}
        made = _write(self.place, self.stem, pa.table(columns, schema=pa.schema(fields)))
        if made is not None:
            with contextlib.suppress(OSError):
                states = sorted(
                    self.place.glob("*.parquet"), key=lambda file: -file.stat().st_mtime_ns
                )
                _remove(states[MOST_STATES:])


def _write(folder: Path, stem: str, rows: pa.Table) -> Path | None:
    """The file of the rows, whose name ends in a digest of its bytes; None if it cannot be
    written."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        buffer = pa.BufferOutputStream()
        pq.write_table(rows, buffer, compression="zstd")
        data = bytes(buffer.getvalue())
        make_private(folder)
        path = folder / f"{stem}-{_digest(data)}.parquet"
        write_atomic(path, data)
    except (OSError, pa.ArrowException):
        return None
    return path


def _as_written(file: Path) -> bytes | None:
    """The bytes of a file; None if they are not what its name says. OSError."""
    data = file.read_bytes()
    return data if file.stem.endswith(f"-{_digest(data)}") else None


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()[:16]


def _remove(files: Iterable[Path]) -> None:
    for file in files:
        with contextlib.suppress(OSError):
            file.unlink()
