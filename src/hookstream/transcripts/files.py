"""One session file to Records: its client by its first records, then each record of a known
form."""

from __future__ import annotations

import re
import sqlite3
import time
from contextlib import closing
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookstream.core.jsons import JsonObject, canonical
from hookstream.core.parse import UnreadableLine, bare, parse
from hookstream.core.records import TORN, BrokenOff, Rejection, lost
from hookstream.core.sources import UNREADABLE, lines, open_bytes
from hookstream.core.times import to_iso
from hookstream.core.torn import members, pieces
from hookstream.core.yamls import mapping
from hookstream.normalizers.steps import BadRow, record_of
from hookstream.transcripts.clients import by_name, by_record, by_tables, files_of, is_newer
from hookstream.transcripts.database import (
    HEADER,
    connect,
    is_cut,
    is_database,
    salvaged,
    tables_of,
)
from hookstream.transcripts.shape import shaped

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

    from hookstream.core.records import Record
    from hookstream.core.torn import Piece
    from hookstream.pipeline.stages import Given

HEAD_BYTES = 65536
# Records looked at to identify a file's client: the first may be of a kind that several have.
HEAD_RECORDS = 8
# Keys that a file's records begin with: they tell a record on a torn line from a part of one.
FIRSTS = 32
BESIDE_BYTES = 1 << 20
# One client's event log has another ending; a client that puts a file aside adds its own.
LINES = re.compile(r"(?i)\.(?:jsonl|ndjson)(?:\.[^/\\]+)?\Z|n8nEventLog(?:-\d+)?\.log\Z").search


def client_of(path: Path) -> str | None:
    """The client of a session file, None for any other file."""
    try:
        with open_bytes(path) as file:
            head = file.read(HEAD_BYTES)
    except UNREADABLE:
        return None
    if is_database(head):
        names = (name for name in by_name(str(path)) if files_of(name).tables)
        return by_tables(tables_of(path)) or next(names, None)
    head = bare(head)
    if LINES(path.name) is None:
        return _of_document(path) if is_document(path) else None
    values = (value for line in head.split(b"\n") for _, _, value in values_of(line))
    is_of_objects = False
    for value in islice(values, HEAD_RECORDS):
        if isinstance(value, str):
            continue
        is_of_objects = True
        if "payload" in value and "vendor" in value:
            return None  # capture records; no client is asked, so none is imported
        client = by_record(value, str(path))
        if client is not None:
            return client
    return _by_name(path, head, is_of_objects)


def is_document(path: Path) -> bool:
    """Return whether a file without lines is read as a document: any that is named .json."""
    return path.name.endswith(".json") or bool(by_name(str(path)))


def _by_name(path: Path, head: bytes, is_of_objects: bool) -> str | None:
    """The client that keeps its files under such a path: of a file without the record that says it,
    or whose first is longer than what is looked at, where its first bytes are the client's."""
    for client in by_name(str(path)):
        is_bulk = files_of(client).skipped(head) is not None or head.startswith(b'{"timestamp":"')
        if is_of_objects or is_bulk:
            return client
    return None


def _of_document(path: Path) -> str | None:
    try:
        value, _ = load(path)
    except (UnreadableLine, OSError):
        return None
    return by_record(value, str(path))


def values_of(
    line: bytes, firsts: Collection[str] = ()
) -> Iterator[tuple[int, bytes, JsonObject | str]]:
    """Place, bytes and value of each record on a line, or the reason for none: a torn line holds
    several. `firsts` are keys that records of the file begin with."""
    try:
        if not bare(line) and b"\0" not in line:
            return
        value, _ = parse(bare(line))
        if type(value) is not dict:
            raise UnreadableLine("not_an_object")
        yield 0, line, value
    except UnreadableLine as refusal:
        parts = pieces(line, firsts) if str(refusal) in TORN else []
        if not any(part.is_whole for part in parts):
            yield 0, line, str(refusal)
            return
        for part in parts:
            if part.is_whole:
                yield from ((part.place, data, value) for _, data, value in values_of(part.data))
            else:
                yield part.place, part.data, str(refusal)


class SessionFile:
    """An open reading of one session file: `take` a line and get its content.

    `source` names the file in records; a file next to it is read only if the client keeps a
    sub-agent's description there.
    """

    def __init__(self, path: Path, client: str, source: str) -> None:
        self.path = path
        self.client = client
        self.source = source
        self.files = files_of(client)
        self.version: str | None = None
        self.firsts: set[str] = set()
        self.reader = self.files.reader(str(path), self._beside)
        # Records without times are of the time at which their file was written.
        # A document or a database has the newest state of each record.
        self.is_rewritten = LINES(path.name) is None
        self.written_at = written_at(path) if self.files.is_untimed else None

    def take(self, line: bytes | Rejection, offset: int) -> Iterator[Given]:
        """A line's Records, reasons why it has no Record, or its rejection."""
        if isinstance(line, Rejection):
            yield line
            return
        for place, data, value in values_of(line, self.firsts):
            bulk = self.files.skipped(bare(data[:256]))
            if isinstance(value, str):
                yield lost(data, value, self.source, offset + place)
                continue
            if value and len(self.firsts) < FIRSTS:
                self.firsts.add(next(iter(value)))
            if bulk is not None:
                yield bulk
            else:
                yield from self.read(value, offset + place)

    def read(self, value: JsonObject, offset: int) -> Iterator[Given]:
        """A record's content. A value of another type than the client's costs what it says: what
        the reader said before it met that stays, and the record is counted as lost."""
        if shaped(value):
            yield "session file: a value of another type"
        steps = []
        try:
            for step in self.reader.read(value):
                steps.append(step)
        except Exception as error:
            yield lost(canonical(value), f"odd: {type(error).__name__}", self.source, offset)
        version = self.reader.version
        if version != self.version and version is not None:
            self.version = version
            newer = is_newer(self.client, version)
            if newer is not None:
                yield newer
        yield from map(self._given, steps, [offset] * len(steps))

    def row(self, row: JsonObject | BadRow, number: int) -> Iterator[Given]:
        """The content of a row of a database or of a part of a document."""
        if isinstance(row, BadRow):
            yield lost(row.data, row.reason, self.source, number)
        else:
            yield from self.read(row, number)

    def finish(self, offset: int) -> Iterator[Given]:
        steps = []
        try:
            for step in self.reader.finish():
                steps.append(step)
        except Exception as error:
            yield lost(b"", f"odd: {type(error).__name__}", self.source, offset)
        yield from map(self._given, steps, [offset] * len(steps))

    def _given(self, step: Any, offset: int) -> Record | str:
        return record_of(
            step,
            self.client,
            self.reader.version,
            (self.source, offset),
            getattr(self.reader, "witness", "transcript"),
            self.written_at,
            self.is_rewritten,
        )

    def _beside(self, ending: str) -> Any:
        """The JSON of the file with this ending, or the JSON or YAML of the one that a slash and
        its name say."""
        name = self.path.name.partition(".jsonl")[0]
        name = ending[1:] if ending.startswith("/") else f"{name}{ending}"
        try:
            other = self.path.parent / name
            info = other.stat()
        except OSError:
            return None
        return None if info.st_size > BESIDE_BYTES else _parsed(other, info.st_mtime_ns)


@lru_cache(maxsize=4)
def _parsed(path: Path, mtime_ns: int) -> Any:
    """An index of many sessions is parsed once for all of them."""
    try:
        data = bare(path.read_bytes())
        return mapping(data) if path.suffix == ".yaml" else parse(data)[0]
    except (OSError, ValueError, UnreadableLine):
        return None


def written_at(path: Path) -> str | None:
    try:
        return to_iso(int(path.stat().st_mtime * 1000))
    except OSError:
        return None


def given(path: Path, client: str, source: str, since_ms: int = 0) -> Iterator[Given]:
    """Everything a session file says, in its order. Raises what a source raises that cannot be
    read."""
    file = SessionFile(path, client, source)
    offset = 0
    if file.files.tables and is_rows(path):
        yield from _rows(file, since_ms)
        return
    if LINES(path.name) is None:
        try:
            value, pieces = load(path)
        except UnreadableLine as refusal:
            yield Rejection(str(refusal), path.stat().st_size, "", source, 0)
            return
        for place, data, _ in pieces:
            yield lost(data, "not_json", source, place)
        spread = file.files.spread
        parts = records(value, file.files.elements) if spread is None else spread(path, value)
        for offset, part in enumerate(parts):
            yield from file.row(part, offset)
    else:
        for offset, line in lines(path, source):
            yield from file.take(line, offset)
    yield from file.finish(offset)


def is_rows(path: Path) -> bool:
    with path.open("rb") as file:
        return is_database(file.read(len(HEADER)))


def _rows(file: SessionFile, since_ms: int) -> Iterator[Given]:
    """The rows of a database; one that is cut, damaged or of an unknown form gives the rows that
    can be read, and a rejection that names it."""
    number = 0
    path = file.path
    damage: Exception | None = CutShort() if is_cut(path) else None
    if damage is None:
        try:
            with closing(connect(path)) as database:
                for number, row in enumerate(file.files.rows(database, since_ms)):
                    yield from file.row(row, number)
        except (sqlite3.Error, UnicodeDecodeError) as error:
            damage = error
    if damage is not None:
        place = path.stat().st_size if isinstance(damage, CutShort) else number
        yield BrokenOff(damage, file.source, place, str(path))
        yield from _salvaged(file, since_ms)
    yield from file.finish(number)


class CutShort(Exception):
    """A database is shorter than its header says."""


def _salvaged(file: SessionFile, since_ms: int) -> Iterator[Given]:
    """The content of the rows that can be reached, from the beginning: an event that was read
    before the damage comes again under its id."""
    file.reader = file.files.reader(str(file.path))
    try:
        with closing(salvaged(file.path, file.files.tables)) as database:
            for number, row in enumerate(file.files.rows(database, since_ms)):
                yield from file.row(row, number)
    except (sqlite3.Error, UnicodeDecodeError):
        return


# A JSON document that a client rewrites completely may be read while it is being written: a cut one
# is tried again. Of one that is damaged, what is whole is read, and the rest is named.
DOCUMENT_BYTES = 256 << 20
TRIES = 3
WAIT_S = 0.05


def load(path: Path) -> tuple[JsonObject, list[Piece]]:
    """The document, and the pieces of it that are lost. Raises UnreadableLine with the reason,
    OSError."""
    if path.stat().st_size > DOCUMENT_BYTES:
        raise UnreadableLine("too_long")
    for left in range(TRIES - 1, -1, -1):
        data = path.read_bytes()
        try:
            value, _ = parse(bare(data))
        except UnreadableLine as refusal:
            if left:
                time.sleep(WAIT_S)
                continue
            if str(refusal) not in TORN:
                raise
            value, pieces = members(data)
            if not value:
                raise
            return value, pieces
        if type(value) is dict:
            return value, []
        raise UnreadableLine("not_an_object")
    raise UnreadableLine("not_json")


def records(value: JsonObject, elements: str) -> Iterator[JsonObject]:
    """The head without its list, then the list's objects one by one."""
    head = {name: one for name, one in value.items() if name != elements}
    yield head
    listed = value.get(elements)
    for one in listed if type(listed) is list else ():
        if type(one) is dict:
            yield one
