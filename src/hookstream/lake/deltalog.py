"""A Delta Lake log over Parquet parts that are there already (extra `delta`, package `deltalake`).

The log names parts and their partition values (`date`, `tool`); no row is written a second time.
A commit carries a transaction id: the writer's
version, which it notes before it renames parts (`delta_store`). Two processes that commit one
version at once: the library refuses the second. It takes the same version when it comes later,
so the log is asked first.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from hookstream.core.errors import HookstreamError, extra
from hookstream.core.files import make_private
from hookstream.lake.columns import NO_PARTITION

LOG = "_delta_log"
APP = "hookstream"
COMPACT = "hookstream/compact"
KEEP = {"delta.logRetentionDuration": "interval 30 days"}


class DeltaError(HookstreamError):
    """The log cannot be read or written; the text is one line a user can act on."""


def is_table(folder: Path) -> bool:
    return (folder / LOG).is_dir()


def committed(lake: Path, files: Iterable[Path]) -> list[Path]:
    """The files except those below a Delta table whose log does not name them, in their order.
    HookstreamError if there is such a table and the package is not installed."""
    files = list(files)
    known: dict[Path, set[Path] | None] = {}

    def live(folder: Path) -> set[Path] | None:
        """The files in the log of the Delta table that holds the folder; None without a table."""
        if folder not in known:
            if is_table(folder):
                known[folder] = {folder / name for name in DeltaLog(folder).parts()}
            else:
                known[folder] = None if folder in (lake, folder.parent) else live(folder.parent)
        return known[folder]

    paths = []
    for file in files:
        named = live(file.parent)
        if LOG not in file.parts and (named is None or file in named):
            paths.append(file)
    return paths


class DeltaLog:
    """The log of one table. DeltaError, also where the package is missing."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._table: Any = None
        try:
            import deltalake  # noqa: F401
        except ImportError:
            raise DeltaError(f"{folder}: a Delta table {extra('delta')}") from None

    def parts(self) -> dict[str, int]:
        """The parts that the newest version names: path below the folder -> size in bytes."""
        table = self._newest()
        if table is None:
            return {}
        # Without statistics: a table of an engine that writes some has hundreds of columns here.
        actions = table.get_add_actions(flatten=False)
        paths = [unquote(path) for path in _column(actions, "path")]
        return dict(zip(paths, _column(actions, "size_bytes"), strict=True))

    def last_transaction(self, app: str = APP) -> int:
        """The version of the application's last transaction; -1 before the first."""
        table = self._newest()
        found = None if table is None else table.transaction_version(app)
        return -1 if found is None else int(found)

    def create(self, parts: Callable[[], list[str]]) -> None:
        """Begin the log with the parts that are there, unless it has begun. DeltaError."""
        from deltalake.transaction import create_table_with_add_actions

        if self._newest() is None:
            with self._errors():
                make_private(self.folder / LOG)
                create_table_with_add_actions(
                    str(self.folder),
                    _schema(),
                    [self._add(path, True) for path in parts()],
                    partition_by=["date", "tool"],
                    name="hookstream events",
                    configuration=KEEP,
                    commit_properties=_transaction(APP, 0),
                )
            self._make_private()

    def commit(self, added: Iterable[str], removed: Iterable[str], version: int) -> None:
        """One transaction, unless the log has one of this version or a later one. DeltaError."""
        if self.last_transaction() >= version:
            return
        named = self.parts()
        actions: list[Any] = [self._add(path, True) for path in added if path not in named]
        actions += [_remove(path, named[path], True) for path in removed if path in named]
        if actions:
            self._write(actions, _transaction(APP, version))

    def swap(self, removed: Iterable[str], added: str) -> None:
        """Name one part for several with the same rows, where the log names these. DeltaError."""
        version = self.last_transaction(COMPACT) + 1
        named = self.parts()
        gone = [path for path in removed if path in named]
        if gone:
            actions = [self._add(added, False)] if added not in named else []
            actions += [_remove(path, named[path], False) for path in gone]
            self._write(actions, _transaction(COMPACT, version))

    def _write(self, actions: list[Any], properties: Any) -> None:
        with self._errors():
            self._widen()
            self._table.create_write_transaction(
                actions, "append", _schema(), ["date", "tool"], commit_properties=properties
            )
        self._make_private()

    def _add(self, path: str, changed: bool) -> Any:
        import pyarrow.parquet as pq
        from deltalake.transaction import AddAction

        info = (self.folder / path).stat()
        rows = pq.read_metadata(self.folder / path).num_rows
        return AddAction(
            path,
            info.st_size,
            _values(path),
            info.st_mtime_ns // 1_000_000,
            changed,
            json.dumps({"numRecords": rows}),
        )

    def _make_private(self) -> None:
        """The newest versions for their owner alone, as the parts are: the library obeys umask."""
        for path in sorted((self.folder / LOG).glob("*.json"))[-2:]:
            path.chmod(0o600)

    def _widen(self) -> None:
        """Columns that a newer version of hookstream writes are added to the table."""
        have = {field.name for field in self._table.schema().fields}
        more = [field for field in _schema().fields if field.name not in have]
        if more:
            self._table.alter.add_columns(more)

    def _newest(self) -> Any:
        """The table at its newest version; None if it does not exist yet. DeltaError."""
        from deltalake import DeltaTable

        with self._errors():
            if self._table is not None:
                self._table.update_incremental()
            elif is_table(self.folder) and DeltaTable.is_deltatable(str(self.folder)):
                self._table = DeltaTable(str(self.folder))
        return self._table

    @contextmanager
    def _errors(self) -> Iterator[None]:
        from deltalake.exceptions import DeltaError as LibraryError

        try:
            yield
        except (LibraryError, OSError) as error:
            said = " ".join(str(error).split())[:200]
            raise DeltaError(f"{self.folder / LOG}: {said}") from None


def _transaction(app: str, version: int) -> Any:
    from deltalake import CommitProperties, Transaction

    return CommitProperties(app_transactions=[Transaction(app, version)])


@cache
def _schema() -> Any:
    import pyarrow as pa
    from deltalake import Schema

    from hookstream.lake.rows import part_schema

    columns = [*part_schema(), ("date", pa.date32()), ("tool", pa.string())]
    return Schema.from_arrow(pa.schema(columns))


def _values(path: str) -> dict[str, str | None]:
    """The partition values in a part's path."""
    values: dict[str, str | None] = {}
    for folder in path.split("/")[:-1]:
        name, _, value = folder.partition("=")
        values[name] = None if value == NO_PARTITION else unquote(value)
    return values


def _remove(path: str, size: int, changed: bool) -> Any:
    import time

    from deltalake.transaction import RemoveAction

    return RemoveAction(path, changed, int(time.time() * 1000), size, _values(path))


def _column(actions: Any, name: str) -> list[Any]:
    import pyarrow as pa

    found: list[Any] = pa.table(actions).column(name).to_pylist()
    return found
