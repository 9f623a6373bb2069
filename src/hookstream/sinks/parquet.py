"""`parquet:DIR`: the `events` table as files DIR/date=D/tool=T/part-NNNNN.parquet.

Columns and types are those of `hookstream.columns`; `date` (the event's UTC date) stands in the
path only, `tool` in both. Rows wait in memory within a bound (`Partitions`); a part is written
under a temporary name, synced, and renamed by `flush`, so a run that breaks off leaves nothing
behind that a query would see. A full disk costs no row: they stay in memory, and `write` answers
retry until there is room. Parts of earlier runs are kept; a new one takes the next number.
"""

from __future__ import annotations

import contextlib
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookstream.sinks.base import DELIVERED, SinkError, rejected, retry
from hookstream.sinks.files import Folder, create, make_private, sync, sync_folder
from hookstream.sinks.partitions import GROUP_ROWS, HELD_BYTES, Partitions
from hookstream.sinks.tables import rows_of, segment_schema

if TYPE_CHECKING:
    from hookstream.sinks.base import Receipt, Rendered

WAIT_S = 5.0
INBOX_BYTES = 8 << 20
ROWS = "rows.arrow"
_PART = re.compile(r"part-(\d{5,})\.parquet\Z")
# Long texts that never repeat: a dictionary of them is thrown away anyway.
_PLAIN = ("event_id", "agent_hooks", "aarts")


def open_sink(
    uri: str,
    target: str,
    *,
    standard: str,
    group_rows: int = GROUP_ROWS,
    held_bytes: int = HELD_BYTES,
) -> ParquetSink:
    return ParquetSink(uri, target, standard, group_rows, held_bytes)


def open_segment(
    target: str,
    folder: str,
    *,
    standard: str,
    group_rows: int = GROUP_ROWS,
    held_bytes: int = HELD_BYTES,
) -> ParquetSegment:
    return ParquetSegment(folder, standard)


class ParquetSink:
    """Parts of one folder. `held_bytes` bounds the rows in memory, `group_rows` a part."""

    def __init__(
        self, uri: str, target: str, standard: str, group_rows: int, held_bytes: int
    ) -> None:
        self.uri = uri
        self.standard = standard
        self._partitions = Partitions(group_rows, held_bytes, self._write_part)
        self._folder = Folder(target)
        self._next: dict[str, int] = {}
        self._finished: list[tuple[Path, Path]] = []
        self._inbox: list[Any] = []
        self._inbox_bytes = 0
        self._closed = False
        try:
            self._look()
        except OSError as error:
            self._folder.close()
            raise SinkError(f"{target}: {error.strerror or error}") from None

    def _look(self) -> None:
        """Parts of earlier runs are counted on; what a crash left half written goes."""
        for path in self._folder.path.glob("date=*/tool=*/part-*"):
            found = _PART.match(path.name)
            if found:
                key = path.parent.relative_to(self._folder.path).as_posix()
                self._next[key] = max(self._next.get(key, 0), int(found[1]) + 1)
            elif path.suffix == ".tmp":
                path.unlink()

    def write(self, batch: list[Rendered]) -> list[Receipt]:
        if not self._partitions.retry():
            return [self._wait()] * len(batch)
        table, flaws = rows_of(batch, self.standard)
        if table is not None:
            self._inbox.append(table)
            self._inbox_bytes += table.nbytes
            # A chunk costs its 110 columns whatever it holds: small ones are put together.
            if len(self._inbox) >= 64 or self._inbox_bytes >= INBOX_BYTES:
                self._sort_in()
        return [rejected(flaws[n]) if n in flaws else DELIVERED for n in range(len(batch))]

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
        number = self._next.get(key, 0)
        path = self._folder.path / key / f"part-{number:05d}.parquet"
        temporary = path.with_suffix(".parquet.tmp")
        make_private(path.parent)
        write_file(temporary, chunks)
        self._next[key] = number + 1
        self._finished.append((temporary, path))

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
        """Rejections have no row; the report counts them."""

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
        folders = {path.parent for _, path in self._finished}
        for temporary, path in self._finished:
            if temporary.exists():  # not yet renamed by a flush that broke off
                temporary.rename(path)
        for folder in sorted(folders | {folder.parent for folder in folders}):
            sync_folder(folder)
        if folders:
            sync_folder(self._folder.path)
        self._finished = []

    def close(self) -> None:
        if self._closed:
            return
        self._closed = True
        try:
            self.flush()
        finally:
            self._partitions.drop()
            self._folder.close()


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
        """Rejections have no row; the report counts them."""

    def flush(self) -> None:
        """A segment is complete only once it is closed."""

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._stream.close()
            self._file.close()


def write_file(path: Path, chunks: list[Any]) -> None:
    """One row group in one new file, synced. OSError, and then there is no file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    # Page boundaries follow chunks: one chunk a column, or the bytes would depend on batches.
    table = pa.concat_tables(chunks).combine_chunks()
    fd = create(path)
    try:
        with os.fdopen(fd, "wb") as file:
            pq.write_table(
                table,
                file,
                compression="zstd",
                row_group_size=len(table),
                use_dictionary=[name for name in table.column_names if name not in _PLAIN],
            )
            file.flush()
            sync(file.fileno())
    except BaseException:
        path.unlink(missing_ok=True)
        raise
