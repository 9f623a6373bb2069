"""One session file to Records: told apart by its first records, read as far as it is known."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookstream.normalizers.steps import record_of
from hookstream.parse import Refused, parse
from hookstream.records import Rejection
from hookstream.sources import UNREADABLE, lines, open_bytes
from hookstream.transcripts.clients import by_name, by_record, by_tables, is_newer, module_of
from hookstream.transcripts.database import connect, is_database, tables_of
from hookstream.transcripts.documents import load, records

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hookstream.batch import Given
    from hookstream.records import Record

HEAD_BYTES = 65536
# Records looked at to tell whose a file is: the first may be of a kind that several have.
HEAD_RECORDS = 8
BESIDE_BYTES = 1 << 20
LINES = (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz", ".jsonl.zst", ".ndjson.zst")


def client_of(path: Path) -> str | None:
    """Whose session file this is, None for any other file."""
    try:
        with open_bytes(path) as file:
            head = file.read(HEAD_BYTES)
    except UNREADABLE:
        return None
    if is_database(head):
        return by_tables(tables_of(path))
    if not path.name.endswith(LINES):
        return _of_document(path) if by_name(str(path)) else None
    for line in islice(filter(None, map(bytes.strip, head.split(b"\n"))), HEAD_RECORDS):
        try:
            value, _ = parse(line)
        except Refused:
            continue
        client = by_record(value)
        if client is not None:
            return client
        if type(value) is dict and "payload" in value and "vendor" in value:
            return None  # capture records
    return _by_bulk(path, head)


def _by_bulk(path: Path, head: bytes) -> str | None:
    """A first record longer than what is looked at: the path and its first bytes decide."""
    for client in by_name(str(path)):
        if module_of(client).skipped(head) is not None or head.startswith(b'{"timestamp":"'):
            return client
    return None


def _of_document(path: Path) -> str | None:
    try:
        value = load(path)
    except (Refused, OSError):
        return None
    return by_record(value)


class SessionFile:
    """An open reading of one session file: `take` a line and get what it says.

    `source` names the file in records; what lies beside it is read only where the client keeps a
    sub-agent's description there.
    """

    def __init__(self, path: Path, client: str, source: str) -> None:
        self.path = path
        self.client = client
        self.source = source
        self.module = module_of(client)
        self.version: str | None = None
        self.reader = self.module.Reader(str(path), self._beside)

    def take(self, line: bytes | Rejection, offset: int) -> Iterator[Given]:
        """What one line says: Records, reasons why there is none, or its rejection."""
        if isinstance(line, Rejection):
            yield line
            return
        bulk = self.module.skipped(line[:256])
        if bulk is not None:
            yield bulk
            return
        if not line.strip():
            return
        try:
            value, _ = parse(line.strip())
            if type(value) is not dict:
                raise Refused("not_an_object")
        except Refused as refusal:
            digest = sha256(line).hexdigest()
            yield Rejection(str(refusal), len(line), digest, self.source, offset)
            return
        yield from self.read(value, offset)

    def read(self, value: dict[str, Any], offset: int) -> Iterator[Given]:
        """What one record says. A fault of ours costs this record, and is counted."""
        try:
            steps = list(self.reader.read(value))
        except Exception as error:
            yield Rejection(f"internal: {type(error).__name__}", 0, "", self.source, offset)
            return
        version = self.reader.version
        if version != self.version and version is not None:
            self.version = version
            newer = is_newer(self.client, version)
            if newer is not None:
                yield newer
        yield from map(self._given, steps, [offset] * len(steps))

    def finish(self, offset: int) -> Iterator[Given]:
        steps = list(self.reader.finish())
        yield from map(self._given, steps, [offset] * len(steps))

    def _given(self, step: Any, offset: int) -> Record | str:
        return record_of(step, self.client, self.reader.version, (self.source, offset))

    def _beside(self, ending: str) -> Any:
        name = self.path.name.partition(".jsonl")[0]
        other = self.path.with_name(f"{name}{ending}")
        try:
            if other.stat().st_size > BESIDE_BYTES:
                return None
            return parse(other.read_bytes())[0]
        except (OSError, Refused):
            return None


def given(path: Path, client: str, source: str, since_ms: int = 0) -> Iterator[Given]:
    """Everything a session file says, in its order. Raises what a source raises that cannot be
    read."""
    file = SessionFile(path, client, source)
    offset = 0
    if hasattr(file.module, "TABLES") and not path.name.endswith(LINES):
        yield from _rows(file, since_ms)
        return
    if path.name.endswith(".json"):
        try:
            value = load(path)
        except Refused as refusal:
            yield Rejection(str(refusal), path.stat().st_size, "", source, 0)
            return
        elements = getattr(file.module, "ELEMENTS", "messages")
        for offset, one in enumerate(records(value, elements)):
            yield from file.read(one, offset)
    else:
        for offset, line in lines(path, source):
            yield from file.take(line, offset)
    yield from file.finish(offset)


def _rows(file: SessionFile, since_ms: int) -> Iterator[Given]:
    """The rows of a database; one that is damaged or of an unknown form is read as far as it is
    known, and says so."""
    number = 0
    try:
        with closing(connect(file.path)) as database:
            for number, row in enumerate(file.module.rows(database, since_ms)):
                yield from file.read(row, number)
    except (sqlite3.Error, UnicodeDecodeError) as error:
        reason = f"unreadable: {type(error).__name__}"
        yield Rejection(reason, 0, "", file.source, number)
    yield from file.finish(number)
