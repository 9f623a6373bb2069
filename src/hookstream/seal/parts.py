"""Sealing of a lake: the rows of each part are leaves, a row's being its JSON line, and a statement
names the part, its digest and its rows.

A part that is written again (compaction, a longer part of a rerun) is sealed as a new one, and a
`replaced` statement says which are gone: only if their rows are all in new parts.
"""

from __future__ import annotations

import json
from collections import Counter
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from hookstream.core.files import make_private
from hookstream.lake import listing as lister
from hookstream.lake import staged
from hookstream.lake.rows import tool_in
from hookstream.seal import SealError
from hookstream.seal.columns import TEXTS, UNREADABLE, Rows, digest, explains, filled
from hookstream.seal.log import SealedStore
from hookstream.seal.merkle import record_leaf, record_leaves

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from hookstream.seal.journal import Statement
    from hookstream.seal.log import SealLog
    from hookstream.seal.operator import Operator


def state_pruned(log: SealLog, operator: Operator, leaves: list[bytes], **said: Any) -> None:
    """Seal the leaves of new lines and the statement over what went; SealError. It is on disk and
    with the second places as soon as these can be reached."""
    if leaves:
        log.add(leaves)
    fields = {"kind": "pruned", "time": int(log.clock()), **said}
    log.state(**operator.sign(log.origin, log.size, fields))
    log.checkpoint()


def finish_pruning(log: SealLog, folder: Path) -> bool:
    """Finish the change of files that the last statement commits, drop one that was never stated;
    return whether there was one to finish. OSError."""
    data = staged.read(folder / staged.PLACE / log.folder.name)
    if data is None or not data[2]:
        return False
    made, digest, _ = data
    last = [statement for statement in log.journal.statements if statement.kind == "pruned"][-1:]
    if last and last[0].said.get("commit") == digest:
        made.finish()
        return True
    made.discard()
    return False


CHUNK = 4 << 20
ROWS = 1024


class SealedPart(NamedTuple):
    """A sealed part: the digest of the file, its leaves, the digest of its columns."""

    digest: str
    first: int
    rows: int
    columns: str | None = None


def parts_of(statements: Iterable[Statement]) -> dict[str, SealedPart]:
    """The parts that should be there. KeyError, TypeError if a statement says no such thing."""
    parts: dict[str, SealedPart] = {}
    for statement in statements:
        if statement.kind == "part":
            said = statement.said
            parts[said["path"]] = part_of(said)
        elif statement.kind in ("replaced", "pruned"):
            for path in statement.said["parts"]:
                parts.pop(path, None)
    return parts


def part_of(said: dict[str, Any]) -> SealedPart:
    """A part as its statement has it. KeyError, TypeError, ValueError."""
    columns = said.get("columns")
    return SealedPart(
        str(said["sha256"]),
        int(said["first"]),
        int(said["rows"]),
        None if columns is None else str(columns),
    )


def leaves_of(path: Path, place: Path | None = None) -> list[bytes]:
    """The leaves of a file, one per row; `place` is where a staged file will be. SealError if the
    file does not hold a lake's rows."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            return _leaves_in(file, file.read(TEXTS), (place or path).parent.name)
    except (OSError, pa.ArrowException, LookupError, ValueError, TypeError) as error:
        raise SealError(f"{path}: cannot be read: {type(error).__name__}") from None


def hashed(path: Path, place: Path | None = None) -> tuple[list[bytes], str]:
    """`leaves_of` and the digest of the other columns, read once. SealError."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            # A thread for each column of a small part costs more than the column.
            table = file.read([*TEXTS, *filled(file)], use_threads=False)
            return _leaves_in(file, table, (place or path).parent.name), digest(table)
    except (OSError, pa.ArrowException, LookupError, ValueError, TypeError) as error:
        raise SealError(f"{path}: cannot be read: {type(error).__name__}") from None


def _leaves_in(file: Any, table: Any, folder: str) -> list[bytes]:
    """The leaves of an open part whose texts are in `table`."""
    events, envelopes = (table.column(name) for name in TEXTS)
    if len(table) and events.null_count == envelopes.null_count == len(table):
        tool = {"tool": tool_in(folder)}  # older parts have it as a column
        return [record_leaf(_canonical({**tool, **row})) for row in file.read().to_pylist()]
    texts = zip(events.to_pylist(), envelopes.to_pylist(), strict=True)
    return record_leaves((event or envelope or "").encode("utf-8") for event, envelope in texts)


def ids_of(path: Path) -> list[str | None]:
    """The event ids of a part, in order; none if it is not a part. FileNotFoundError."""
    from hookstream.lake.stores import ids_in

    return list(ids_in(str(path)))


def text_of(path: Path, row: int) -> bytes:
    """The text that is hashed for one row of a part. SealError, OSError, IndexError."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path, memory_map=True) as file:
            for batch in file.iter_batches(ROWS, columns=TEXTS):
                if row < len(batch):
                    event, envelope = (column[row].as_py() for column in batch.columns)
                    if event is None and envelope is None:
                        tool = {"tool": tool_in(path.parent.name)}
                        return _canonical({**tool, **file.read().slice(row, 1).to_pylist()[0]})
                    return str(event or envelope).encode("utf-8")
                row -= len(batch)
    except (pa.ArrowException, LookupError, ValueError, TypeError) as error:
        raise SealError(f"{path}: cannot be read: {type(error).__name__}") from None
    raise SealError(f"{path}: has no such row")


def _canonical(row: dict[str, Any]) -> bytes:
    """The text for a row of a lake that is written without its texts: all of its columns."""
    return json.dumps(row, sort_keys=True, separators=(",", ":"), default=str).encode("ascii")


def digest_of(path: Path) -> str:
    found = sha256()
    with path.open("rb") as file:
        while data := file.read(CHUNK):
            found.update(data)
    return found.hexdigest()


def found_in(lake: Path) -> set[str]:
    return set(lister.parts_of(lake))


class SealedLake(SealedStore):
    """One lake and its log."""

    def __init__(self, path: Path, log: SealLog) -> None:
        super().__init__(path, log)
        self._known: dict[str, SealedPart] = {}

    def recover(self) -> None:
        """Set aside parts that no checkpoint covers."""
        from hookstream.lake.compaction import recover

        recover(self.path)
        self.log.open(self._leaves, stream="lake", found=len(found_in(self.path)))
        if self.log.is_new:
            self.seal()  # what is there before any run is sealed as it is found
            return
        finish_pruning(self.log, self.path)
        self._known = parts_of(self.log.journal.statements)
        found = found_in(self.path)
        lost = self._rows(name for name in self._known if name not in found)
        for name in sorted(found - set(self._known)):
            if not lost or not Counter(leaves_of(self.path / name)) <= lost:
                self._set_aside(name)
        self.seal()  # what is left is a compaction; the first checkpoint since the log was opened

    def _leaves(self) -> Iterator[bytes]:
        """The leaves of all rows, if every part that was ever sealed is there."""
        for statement in self.log.journal.statements:
            if statement.kind == "part" and (self.path / statement.said["path"]).exists():
                yield from leaves_of(self.path / statement.said["path"])

    def _rows(self, names: Iterable[str]) -> Counter[bytes]:
        """The leaves of sealed parts."""
        counter: Counter[bytes] = Counter()
        for name in names:
            part = self._known[name]
            counter.update(self.log.levels.read(0, part.first, part.rows))
        return counter

    def _sealed(self, name: str) -> Rows:
        part = self._known[name]
        return Rows(name, self.log.levels.read(0, part.first, part.rows), part.columns)

    def _set_aside(self, name: str) -> None:
        make_private(self.log.folder / "cut")
        aside = self.log.aside("cut/")
        digest = digest_of(self.path / name)
        (self.path / name).rename(aside)
        self.log.state("cut", path=name, sha256=digest)

    def seal(self) -> None:
        """Seal the parts that have come, and state which have been replaced."""
        found = found_in(self.path)
        gone = [name for name in self._known if name not in found]
        try:
            fresh = [Rows(name, self._add(name), None) for name in sorted(found - set(self._known))]
            same = gone and explains(self.path, map(self._sealed, gone), fresh)
        except UNREADABLE as error:
            raise SealError(f"{self.path}: a part cannot be read: {error}") from None
        except OSError as error:
            raise SealError(f"{self.path}: {error.strerror or error}") from None
        if same:
            self.log.state("replaced", parts=sorted(gone))
            for name in gone:
                del self._known[name]
        self.log.checkpoint()

    def tick(self) -> None:
        """End an epoch or an hour whose time is over. Its checkpoint covers the parts that a flush
        has shown before it broke off: with none they would seem to have been put there."""
        if self.log.is_due():
            self.seal()
        self.log.tick()

    def _add(self, name: str) -> list[bytes]:
        path = self.path / name
        leaves, columns = hashed(path)
        self.state_part(name, path, leaves, columns)
        return leaves

    def state_part(self, name: str, path: Path, leaves: list[bytes], columns: str) -> int:
        """Seal the rows of a part that is there, or will be; return its first leaf."""
        part = SealedPart(digest_of(path), self.log.size, len(leaves), columns)
        self._known[name] = part
        self.log.add(leaves)
        self.log.state(
            "part",
            path=name,
            sha256=part.digest,
            first=part.first,
            rows=part.rows,
            columns=part.columns,
        )
        return part.first

    def first_of(self, name: str, digest: str) -> int:
        """The first leaf of a sealed part. SealError if it is not that part."""
        part = self._known.get(name)
        if part is None or part.digest != digest:
            raise SealError(f"{self.path / name}: not what was sealed; see hookstream verify")
        return part.first
