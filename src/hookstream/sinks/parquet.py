"""`parquet:DIR` and `parquet:s3://bucket/prefix`: the `events` table as files
date=D/tool=T/part-....parquet.

Columns and types are those of `hookstream.lake.columns`; `date` (the event's UTC date) and `tool`
are in the path only. Rows wait in memory within a bound (`Partitions`); a part is closed when
it has `group_rows` rows or `group_bytes` of JSON text, and by every `flush`. In a folder it appears
only then, so a run that breaks off leaves nothing that a query would see. Names follow from
what a part holds (`parts`): what comes again after a crash is not written twice. A full disk costs
no row: they stay in memory, and `write` answers retry until there is room.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Any

from hookstream.core.errors import SinkError
from hookstream.core.files import create, make_private
from hookstream.lake.compaction import recover
from hookstream.lake.deltalog import is_table
from hookstream.lake.listing import SEALED_LAKE
from hookstream.lake.partitions import GROUP_BYTES, GROUP_ROWS, HELD_BYTES, Partitions
from hookstream.lake.parts import Written, next_number, range_name, run_name, same_start
from hookstream.lake.rows import DATE, PLACE, rows_of, segment_schema
from hookstream.lake.stores import FolderStore, Store, store_at
from hookstream.sinks.base import DELIVERED, Receipt, Sink, rejected, retry
from hookstream.sinks.kinds import Opening, SinkKind, SinkOption, local_folder
from hookstream.standards.rendered import Rendered

WAIT_S = 5.0
# A part per minute and partition.
LAKE_FLUSH_S = 60.0
INBOX_BYTES = 8 << 20
ROWS = "rows.arrow"


BUCKET = (
    SinkOption("endpoint", str, None, "S3 endpoint (https, or http on loopback)."),
    SinkOption("region", str, None, "S3 region."),
    SinkOption("access_key", str, None, "S3 access key; else as AWS tools do.", is_secret=True),
    SinkOption("secret_key", str, None, "S3 secret key.", is_secret=True),
    SinkOption("session_token", str, None, "S3 session token.", is_secret=True),
)
PARTS = (
    SinkOption("group_rows", int, GROUP_ROWS, "Rows of a part."),
    SinkOption("group_bytes", int, GROUP_BYTES, "Bytes of JSON text of a part."),
    SinkOption("held_bytes", int, HELD_BYTES, "Bytes of rows that are buffered in memory."),
    SinkOption("tables", bool, True, "Refresh the lake's derived tables."),
    SinkOption(
        "texts", bool, True, "Write the columns `agent_hooks` and `aarts`, two thirds of a lake."
    ),
)


def open_sink(at: Opening, **options: Any) -> Sink:
    parts = {part.name: options.pop(part.name) for part in PARTS}
    if at.segment is not None:
        return ParquetSegment(at.segment, at.standard)
    if at.folder is not None and is_table(at.folder):
        raise SinkError(
            f"{at.uri}: a Delta table, whose log would miss what is written; use delta:"
        )
    return ParquetSink(at, store_at(at.uri, at.target, options), **parts)


def no_lines(standard: str, options: dict[str, Any]) -> list[str]:
    """Return no names: a lake has no files of lines."""
    return []


KIND = SinkKind(
    name="parquet",
    open=open_sink,
    options=(*PARTS, *BUCKET),
    targets="folder, `s3://bucket/prefix`, `gs://`, `abfs://`",
    delivered="the file is synced and renamed, or the object is put",
    duplicates="none: each row is stored once",
    example="""\
uri = "parquet:lake"
flush_s = 60
""",
    place=local_folder,
    files=no_lines,
    is_lake=True,
    is_queried=True,
    has_segments=True,
    flush_s=LAKE_FLUSH_S,
)


class ParquetSink:
    """Parts of one lake. `held_bytes` bounds the rows in memory, `group_rows` and `group_bytes` (of
    JSON text) a part. `texts` writes the columns agent_hooks and aarts, two thirds of a lake."""

    def __init__(
        self,
        at: Opening,
        store: Store,
        *,
        group_rows: int,
        group_bytes: int,
        held_bytes: int,
        tables: bool,
        texts: bool,
    ) -> None:
        self.uri = at.uri
        self.standard = at.standard
        self.tables = tables
        self.texts = texts
        self._store = store
        self._partitions = Partitions(group_rows, held_bytes, self._write_part, group_bytes)
        self._next: dict[str, int] = {}
        self._replaced: list[tuple[str, str]] = []
        # A sealed part is evidence: no run replaces it, and its rows are not added again.
        self._is_sealed = isinstance(store, FolderStore) and (store.path / SEALED_LAKE).is_dir()
        self._before: dict[str, list[str]] = {}
        self._known = 0
        self._unlike = 0
        self._inbox: list[Any] = []
        self._inbox_bytes = 0
        self._closed = False
        try:
            if isinstance(store, FolderStore):
                recover(store.path)
            self._written = Written(store, store.keys())
        except OSError as error:
            store.close()
            raise SinkError(f"{self.uri}: {error.strerror or error}") from None

    def write(self, batch: list[Rendered]) -> list[Receipt]:
        if not self._partitions.retry():
            return [self._wait()] * len(batch)
        table, flaws = rows_of(batch, self.standard)
        if table is not None:
            try:
                table = self._new(table)
            except OSError as error:
                return [retry(error.strerror or str(error), WAIT_S)] * len(batch)
            self._inbox.append(table)
            self._inbox_bytes += table.nbytes
            # A chunk costs its 110 columns whatever it holds: small ones are put together.
            if len(self._inbox) >= 64 or self._inbox_bytes >= INBOX_BYTES:
                self._sort_in()
        return [rejected(flaws[n]) if n in flaws else DELIVERED for n in range(len(batch))]

    def _new(self, table: Any) -> Any:
        """The rows that no part has: after a crash a follower writes some again."""
        places = table.column(PLACE).to_pylist()
        if places[0] is None or places[0] > self._written.last:
            return table
        keys, ids = table.column(DATE).to_pylist(), table.column("event_id").to_pylist()
        given = zip(keys, places, ids, strict=True)
        return table.filter([not self._written.has(*one) for one in given])

    def _wait(self) -> Receipt:
        return retry(self._partitions.trouble or "", WAIT_S)

    def _sort_in(self) -> None:
        import pyarrow as pa

        if self._inbox:
            table = pa.concat_tables(self._inbox).combine_chunks()
            self._inbox = []
            self._inbox_bytes = 0
            self._partitions.take(table)

    def _write_part(self, key: str, chunks: list[Any]) -> None:
        import pyarrow as pa

        # Page boundaries follow chunks: one chunk a column, or the bytes would depend on batches.
        table = pa.concat_tables(chunks).combine_chunks()
        places = table.column(PLACE)
        ids = table.column("event_id").to_pylist()
        first, last = places[0].as_py(), places[-1].as_py()
        table = table.drop_columns([PLACE, "tool"])
        if not self.texts:
            table = without_texts(table)
        if first is not None:
            self._store.put(key, lambda _: range_name(first, last, ids), table)
            return
        if self._is_sealed:
            table = self._unsealed(key, table)
            ids = table.column("event_id").to_pylist()
        number, old = self._number(key, ids)
        if number is not None and ids:
            made = self._store.put(key, lambda content: run_name(number, ids, content), table)
            self._replaced += [(key, name) for name in old if name != made]

    def _unsealed(self, key: str, table: Any) -> Any:
        """The rows whose event no part of an earlier run has."""
        import pyarrow as pa

        rows = table.select(["event_id", "agent_hooks"]).columns
        new = dict(zip(*(column.to_pylist() for column in rows), strict=True))
        known: set[str] = set()
        for name in self._before.setdefault(key, self._store.names(key)):
            with contextlib.suppress(FileNotFoundError):
                for event_id, text in self._store.texts(key, name).items():
                    if event_id in new and event_id not in known:
                        known.add(event_id)
                        self._unlike += text != new[event_id]
        self._known += len(known)
        if not known:
            return table
        return table.filter(pa.array([one not in known for one in rows[0].to_pylist()]))

    @property
    def lake(self) -> Path | None:
        """The folder whose derived tables a delivery is to refresh."""
        store = self._store
        return store.path if self.tables and isinstance(store, FolderStore) else None

    @property
    def notes(self) -> list[str]:
        """Lines for the user about what was not written, and why."""
        if not self._known:
            return []
        what = f"{self._unlike} of them in another form" if self._unlike else "as they are"
        return [
            f"{self.uri}: {self._known} events are in the sealed lake already ({what}); "
            "what is sealed stays, only other events were added"
        ]

    def _number(self, key: str, ids: list[str]) -> tuple[int | None, list[str]]:
        """A part's number, and the parts that it replaces: those of an earlier run over
        the same source that begin with its first row and have no other. None if one has all
        rows and more."""
        names = self._store.names(key)
        if key not in self._next:
            self._next[key] = next_number(names)
        number = None
        old = []
        for taken, other in [] if self._is_sealed else same_start(ids, names):
            found = self._store.ids(key, other)
            if found[: len(ids)] == ids and len(found) > len(ids):
                return None, []
            if found and ids[: len(found)] == found:
                number = taken
                old.append(other)
        if number is None:
            number = self._next[key]
            self._next[key] += 1
        return number, old

    def adopt(self, folder: str) -> Receipt:
        """Take the rows of a closed segment and remove it."""
        import pyarrow as pa

        if not self._partitions.retry():
            return self._wait()
        self._sort_in()
        path = Path(folder) / ROWS
        with pa.OSFile(str(path)) as file, pa.ipc.open_stream(file) as stream:
            for batch in stream:
                self._partitions.take(pa.Table.from_batches([batch]))
        path.unlink()
        with contextlib.suppress(OSError):
            Path(folder).rmdir()
        return DELIVERED

    def reject(self, lines: list[bytes]) -> None:
        """Ignore rejections: they have no row; the report counts them."""

    def flush(self) -> None:
        self._sort_in()
        self._partitions.cut_all()
        trouble = self._partitions.trouble
        if trouble is None:
            try:
                self._publish()
            except OSError as error:
                trouble = error.strerror or str(error)
        if trouble is not None:
            raise SinkError(f"{self.uri}: {trouble}; the rows are still held in memory")

    def _publish(self) -> None:
        self._store.publish(self._replaced)
        self._replaced = []

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        try:
            self.flush()
        finally:
            self._partitions.drop()
            self._store.close()


def without_texts(table: Any) -> Any:
    """The rows with their two rendered texts null."""
    import pyarrow as pa

    for name in ("agent_hooks", "aarts"):
        at = table.schema.get_field_index(name)
        table = table.set_column(at, table.schema.field(at), pa.nulls(len(table), pa.string()))
    return table


class ParquetSegment:
    """Rows of one worker in the order they came, as an Arrow stream in a private folder."""

    def __init__(self, folder: str, standard: str) -> None:
        import pyarrow as pa

        self.uri = f"parquet:{folder}"
        self.standard = standard
        self._closed = False
        try:
            make_private(Path(folder))
            self._file = os.fdopen(create(Path(folder) / ROWS), "wb")
        except OSError as error:
            raise SinkError(f"{folder}: {error.strerror or error}") from None
        self._stream = pa.ipc.new_stream(self._file, segment_schema())

    def write(self, batch: list[Rendered]) -> list[Receipt]:
        table, flaws = rows_of(batch, self.standard)
        try:
            if table is not None:
                self._stream.write_table(table)
        except OSError as error:
            raise SinkError(f"{self.uri}: {error.strerror or error}") from None
        return [rejected(flaws[n]) if n in flaws else DELIVERED for n in range(len(batch))]

    def reject(self, lines: list[bytes]) -> None:
        """Ignore rejections: they have no row; the report counts them."""

    def flush(self) -> None:
        """Do nothing: a segment is complete only once it is closed."""

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._stream.close()
            self._file.close()
