"""Read input lines from files, folders, globs and standard input; plain, .gz or .zst."""

from __future__ import annotations

import json
import os
import re
import sys
import zlib
from contextlib import suppress
from hashlib import sha256
from itertools import chain, islice
from pathlib import Path
from typing import IO, TYPE_CHECKING

from hookstream.core.clients import DOCUMENTS
from hookstream.core.errors import HookstreamError, NothingToRead
from hookstream.core.files import NOT_PLAIN, NotPlain
from hookstream.core.limits import CHUNK_BYTES, FILES, LINE_BYTES
from hookstream.core.owners import is_link_in_fleet
from hookstream.core.parse import WIDE, bare, is_wide, narrow
from hookstream.core.records import Rejection, lost
from hookstream.core.times import to_iso

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

ENDINGS = (".jsonl", ".ndjson", ".jsonl.gz", ".ndjson.gz", ".jsonl.zst", ".ndjson.zst")
# Telemetry that a client writes into a separate file.
_OUTFILE = re.compile(r"(?:telemetry[\w-]*|n8nEventLog(?:-\d+)?)\.log\Z")
# Session files under other names: a client's database or document, or lines that it put aside.
SESSION = re.compile(rf"[/\\](?:{'|'.join(DOCUMENTS)})$").search
# Files of projects, of which some are forks of others, and the time in a record.
PROJECT = re.compile(r"[/\\]projects[/\\][^/\\]+[/\\][^/\\]+\.jsonl$").search
MOMENT = re.compile(rb'"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[0-9TZ:.+-]{0,20})"')
NANOS = re.compile(rb'imeUnixNano"\s*:\s*"?(\d{16,19})\b')
ENDS_BYTES = 8192
# What a source raises that cannot be read, or that breaks off or is damaged in its compressed form.
UNREADABLE = (OSError, EOFError, ValueError, zlib.error)
# hookstream's own output that is not input: rejections, and the expected output of a sample.
NOT_INPUT = ("rejected.jsonl", ".expected.jsonl")
AARTS = "aarts.jsonl"
# How our own lines of that standard begin, and what comes after every time.
AARTS_LINE, AFTER = b'{"aarts":', "}"


# `hooks.jsonl.1`, `hooks.jsonl-20260301.gz`: what rotation makes of a log's name.
_ROTATED = re.compile(r"(?i)(.+\.(?:jsonl|ndjson))[._-](\d[\dTZ:_-]*)(?:\.gz|\.zst)?\Z")


# The text between two elements of an array.
BETWEEN = re.compile(r"[\s,]*")


def rotated_from(name: str) -> str | None:
    """The name that a rotated file had; None for any other file."""
    match = _ROTATED.match(name)
    return match[1] if match else None


def unread_beside(files: list[Path | None]) -> list[Path]:
    """Rotated files next to those that are read, which a source of one file does not name."""
    named = {path for path in files if path is not None}
    return sorted(
        other
        for folder in {path.parent for path in named}
        if os.access(folder, os.R_OK)
        for other in folder.iterdir()
        if (base := rotated_from(other.name)) and folder / base in named and other not in named
    )


def go_on() -> None:
    """Called for each name that is looked at, so that a caller can stop meanwhile."""


def find(sources: list[str], check: Callable[[], None] = go_on) -> list[Path | None]:
    """Every file the sources name, in order and once; None means standard input.

    A folder gives its *.jsonl and *.ndjson files (also .gz, .zst), sorted by path, each after those
    that rotation has renamed (*.jsonl.1), the oldest first; what has such a name and is not a plain
    file is named by whoever opens it. No symbolic link below a fleet's folder
    is followed. Raises NothingToRead naming the first source that gives none, HookstreamError for
    one with more files than FILES, and what `check` raises.
    """
    paths: dict[Path | None, None] = {}
    for source in sources:
        if source == "-":
            if sys.stdin is None:
                raise NothingToRead("-: standard input is closed")
            paths[None] = None
            continue
        path = Path(source)
        if path.is_dir():
            files = inside(path, check)
        elif path.exists():
            files = [path]
            if not path.is_file():
                raise NothingToRead(f"{source}: {NOT_PLAIN}; a pipe is read as -")
            if is_link_in_fleet(path):
                raise NothingToRead(f"{source}: a link in a fleet's folder is not followed")
        elif any(mark in source for mark in "*?["):
            files = _globbed(source, check)
        else:
            raise NothingToRead(f"{source}: no such file or folder")
        if not files:
            raise NothingToRead(f"{source}: no *.jsonl or *.ndjson file in it")
        if len(files) > FILES:
            raise HookstreamError(f"{source}: more than {FILES} files; name fewer at once")
        paths.update(dict.fromkeys(files))
    return _told_once(paths)


def each_once(paths: Iterable[Path | None]) -> list[Path | None]:
    """The paths without other names of a file among them."""
    files: dict[object, Path | None] = {}
    for path in paths:
        key: object = path
        with suppress(OSError):
            key = path and (path.stat().st_dev, path.stat().st_ino)
        files.setdefault(key, path)
    return list(files.values())


def _told_once(paths: Iterable[Path | None]) -> list[Path | None]:
    """The files without those of AARTS lines whose events are all in files of Agent Hooks lines of
    their folder, if these are read too: each event would be there twice."""
    files = list(paths)
    if not any(path is not None and _base(path) == AARTS for path in files):
        return files
    read = {os.path.realpath(path) for path in files if path is not None}
    folders = {path.parent for path in files if path is not None and _base(path) == AARTS}
    told = {folder for folder in folders if _tells_all(folder, read)}
    return [
        path for path in files if path is None or path.parent not in told or _base(path) != AARTS
    ]


def _tells_all(folder: Path, read: set[str]) -> bool:
    """Return whether a folder has files of Agent Hooks lines, all of them among those `read`."""
    streams = [os.path.realpath(path) for path in folder.glob("agent-hooks*") if is_input(path)]
    return bool(streams) and read.issuperset(streams)


def _base(path: Path) -> str:
    return (rotated_from(path.name) or path.name).lower()


def inside(folder: Path, check: Callable[[], None] = go_on) -> list[Path]:
    """The files of a folder that a run reads, in order."""
    files = []
    for path in folder.rglob("*"):
        check()
        if not is_input(path) or path.is_dir():
            continue
        if not (path.is_symlink() and is_link_in_fleet(path)):
            files.append(path)
    paths = []
    for path in [*files, *closed(folder, check)]:
        check()
        if not _base(path).endswith(NOT_INPUT):
            paths.append(path)
    return sorted(filter(None, _told_once(paths)), key=_age_order)


def _age_order(path: Path) -> tuple[str, int, str, int, str]:
    """By path, rotated files before the one they were: dates ascending, then numbers descending.

    Session files of one folder by the time they were begun: a fork repeats its parent's records,
    and what is read first is kept.
    """
    if PROJECT(str(path)) is not None:
        return f"{path.parent}{os.sep}", 2, " ".join(span_of(path)), 0, path.name
    match = _ROTATED.match(path.name)
    if match is None:
        return str(path), 2, "", 0, ""
    base, mark = str(path.with_name(match[1])), match[2]
    if mark.isdecimal() and len(mark) < 6:
        return base, 1, "", -int(mark), path.name
    return base, 0, mark, 0, path.name


def span_of(path: Path) -> tuple[str, str]:
    """The first and the last time in a session file, by which files are read in one order on every
    machine: the times at which they were written change when they are copied. Of files that begin
    alike the parent ends first."""
    try:
        with plain(path).open("rb") as file:
            first = MOMENT.search(file.read(ENDS_BYTES))
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - ENDS_BYTES))
            last = MOMENT.findall(file.read())[-1:]
    except (*UNREADABLE, NotPlain):
        return "", ""
    return first[1].decode() if first else "", last[0].decode() if last else ""


def began(path: Path) -> str:
    """The first time in a log, by which logs are read in one order; empty where it has none. Our
    AARTS lines are last: Agent Hooks lines of the same events say more."""
    try:
        with open_bytes(path) as file:
            head = file.read(ENDS_BYTES)
    except (*UNREADABLE, NotPlain):
        return ""
    if head.startswith(AARTS_LINE):
        return AFTER
    first, nanos = MOMENT.search(head), NANOS.search(head)
    if nanos is not None and (first is None or nanos.start() < first.start()):
        return to_iso(int(nanos[1]) // 1_000_000) or ""
    return first[1].decode() if first else ""


def is_lines(name: str) -> bool:
    """Return whether a name is that of a file of lines, in any case, as some systems write it."""
    return name.lower().endswith(ENDINGS)


def is_input(path: Path) -> bool:
    """Return whether a file in a folder is a source, or one that rotation has renamed."""
    return is_read(path) or rotated_from(path.name) is not None


def is_read(path: Path) -> bool:
    """Return whether a file in a folder is a source: lines, or a client's session file or telemetry
    by its name."""
    name = path.name
    if _OUTFILE.match(name):
        return True
    return is_lines(name) or SESSION(str(path)) is not None


def closed(folder: Path, check: Callable[[], None] = go_on) -> list[Path]:
    """Folders at and below this one that may not be listed: read like files, they become
    rejections, so that what could be read is not taken for everything."""
    complete_files: list[Path] = []

    def note(error: OSError) -> None:
        if isinstance(error, PermissionError) and isinstance(error.filename, str):
            complete_files.append(Path(error.filename))

    for _ in os.walk(folder, onerror=note):
        check()
    return complete_files


def _globbed(pattern: str, check: Callable[[], None] = go_on) -> list[Path]:
    from glob import iglob

    # Path.glob cannot take an absolute pattern.
    named = [Path(name) for name in sorted(iglob(pattern, recursive=True))]  # noqa: PTH207
    files = [path for path in named if path.is_file() and not is_link_in_fleet(path)]
    # As a shell would hand them over, unless the pattern meant files.
    return files or [file for path in named if path.is_dir() for file in inside(path, check)]


def plain(path: Path) -> Path:
    """The path of a plain file, or of a link to one. OSError for what may never end or wait for a
    writer, and is read once: a pipe, a device, a socket."""
    if path.exists() and not path.is_file() and not path.is_dir():
        raise NotPlain(path)
    return path


def open_bytes(path: Path | None, name: str = "") -> IO[bytes]:
    """The source's bytes, decompressed as its name says, or another `name`. Raises OSError."""
    if path is None:
        return sys.stdin.buffer
    name = (name or plain(path).name).lower()
    if name.endswith(".gz"):
        import gzip

        return gzip.open(path, "rb")  # type: ignore[return-value]
    if name.endswith(".zst"):
        import pyarrow as pa

        stream: IO[bytes] = pa.input_stream(str(path), compression="zstd")
        return stream
    return path.open("rb")


def name_of(path: Path | None) -> str:
    """A short name for a source that depends on its first bytes only, not on where it is stored.
    OSError."""
    if path is None:
        return "stdin"
    with plain(path).open("rb") as file:
        return sha256(file.read(65536)).hexdigest()[:16]


# A newline of UTF-16 before what a line of JSON begins with, or the end.
NEWLINES = {
    "utf-16-le": re.compile(rb"\n\0(?=(?:[{\[\s]\0)|\Z)"),
    "utf-16-be": re.compile(rb"\0\n(?=(?:\0[{\[\s])|\Z)"),
}


# A line that holds a bracket alone, with what may surround it.
SHORT = 64
# Lines at the beginning of a source that say whose sessions it holds.
HEAD = 64


def head_of(path: Path) -> list[bytes]:
    """The first lines of a file; none of one that cannot be read, which its reader reports."""
    head: list[bytes] = []
    with suppress(*UNREADABLE):
        for _, line in islice(lines(path, ""), HEAD):
            if isinstance(line, bytes):
                head.append(line)
    return head


def lines(path: Path | None, source: str) -> Iterator[tuple[int, bytes | Rejection]]:
    """(byte offset, line without its newline) of a source; one over the limit is a Rejection.

    A line ends at a newline byte only; the last one needs none. Objects that are written over
    several lines (the telemetry files of some clients) count as a line each.
    """
    plain = physical(path, source)
    first = next(plain, None)
    if first is None:
        return
    if isinstance(first[1], bytes) and bare(first[1]).startswith(b"["):
        yield from elements(first, plain)
        return
    yield from objects(chain((first,), plain))


def objects(
    given: Iterator[tuple[int, bytes | Rejection]],
) -> Iterator[tuple[int, bytes | Rejection]]:
    """Lines as they are, and objects of indented JSON, each from a line `{` to a line `}` or the
    next `{`, as one line each."""
    begin, length = 0, 0
    held: list[bytes] = []
    for offset, line in given:
        if isinstance(line, Rejection):
            yield offset, line
            continue
        if len(line) < SHORT and not line[:1].isspace() and bare(line) == b"{":
            if held:
                yield begin, b" ".join(held)
            begin, length, held = offset, 1, [b"{"]
            continue
        if not held:
            yield offset, line
            continue
        held.append(line)
        length += len(line)
        if line.rstrip() == b"}" or length > LINE_BYTES:
            yield begin, b" ".join(held)
            held = []
    if held:
        yield begin, b" ".join(held)


def elements(
    first: tuple[int, bytes | Rejection], rest: Iterator[tuple[int, bytes | Rejection]]
) -> Iterator[tuple[int, bytes | Rejection]]:
    """The elements of a JSON array (a batch of CloudEvents) as a line each, then what follows it.

    The array is on the first line, or is all that the source holds (at most LINE_BYTES). What is
    no array stays the lines it is.
    """
    pieces = _elements(first)
    if pieces is not None:
        yield from pieces
        yield from rest
        return
    held, length = [first], len(first[1]) if isinstance(first[1], bytes) else 0
    for offset, line in rest:
        held.append((offset, line))
        length += len(line) + 1 if isinstance(line, bytes) else LINE_BYTES
        if length > LINE_BYTES:
            break
    else:
        parts = [line for _, line in held if isinstance(line, bytes)]
        pieces = _elements((first[0], b"\n".join(parts))) if len(parts) == len(held) else None
    yield from held if pieces is None else pieces
    yield from rest


def _elements(given: tuple[int, bytes | Rejection]) -> list[tuple[int, bytes | Rejection]] | None:
    """(byte offset, element) of an array, with the bytes as they are; None if it is not an
    array.
    """
    offset, data = given
    if not isinstance(data, bytes):
        return None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None
    offset += len(data) - len(text.encode())
    decode = json.JSONDecoder().raw_decode
    pieces: list[tuple[int, bytes | Rejection]] = []
    at, before = text.index("[") + 1, 0
    try:
        while (at := BETWEEN.match(text, at).end()) < len(text) and text[at] != "]":  # type: ignore[union-attr]
            offset += len(text[before:at].encode())
            before = at
            value, at = decode(text, at)
            if type(value) is not dict:
                return None
            pieces.append((offset, text[before:at].replace("\n", " ").encode()))
    except (ValueError, RecursionError):
        return None
    return pieces if text[at:].strip() == "]" else None


def physical(path: Path | None, source: str) -> Iterator[tuple[int, bytes | Rejection]]:
    """(byte offset, line without its newline) of a source."""
    with open_bytes(path) as file:
        offset = 0
        held = b""
        read = _reader(file, path)
        while chunk := read(CHUNK_BYTES):
            if offset == 0 and not held and is_wide(chunk):
                yield from _wide(read, chunk, source)
                return
            parts = chunk.split(b"\n")
            parts[0] = held + parts[0]
            held = parts.pop()
            for line in parts:
                yield offset, line
                offset += len(line) + 1
            if len(held) > LINE_BYTES:
                end, rejection, rest = _skip(read, held, source, offset)
                yield offset, rejection
                offset = end
                *parts, held = rest.split(b"\n")
                for line in parts:
                    yield offset, line
                    offset += len(line) + 1
        if held:
            yield offset, held


def _wide(
    read: Callable[[int], bytes], held: bytes, source: str
) -> Iterator[tuple[int, bytes | Rejection]]:
    """The lines of UTF-16 as UTF-8, each with its offset in the file. A newline counts wherever a
    line follows that begins as lines do: a lost byte moves those after it."""
    encoding = WIDE[held[:2]]
    newline = NEWLINES[encoding]
    offset, at = 0, 2
    while chunk := read(CHUNK_BYTES):
        offset, held, at = offset + at, held[at:] + chunk, 0
        while (match := newline.search(held, at)) is not None and match.end() + 2 < len(held):
            yield offset + at, narrow(held[at : match.start()], encoding)
            at = match.end()
        if len(held) - at > LINE_BYTES:
            yield offset + at, lost(held[at:], "too_long", source, offset + at)
            at = len(held)
    for line in newline.split(held[at:]):
        if line:
            yield offset + at, narrow(line, encoding)
        at += len(line) + 2


def _reader(file: IO[bytes], path: Path | None) -> Callable[[int], bytes]:
    """A reader of the next bytes of a file: all that is there before it reports that it broke off.

    Of a pipe: a read that waits for more would not see Ctrl-C either. Of a .gz: a read that fills
    its chunk throws away what came before the damage.
    """
    if path is None or path.name.lower().endswith(".gz"):
        return file.read1  # type: ignore[attr-defined, no-any-return]
    return file.read


def _skip(
    read: Callable[[int], bytes], held: bytes, source: str, offset: int
) -> tuple[int, Rejection, bytes]:
    """Read on to the end of an overlong line without holding it."""
    digest = sha256(held)
    length = len(held)
    rest = b""
    while chunk := read(CHUNK_BYTES):
        cut = chunk.find(b"\n")
        if cut >= 0:
            digest.update(chunk[:cut])
            length += cut
            rest = chunk[cut + 1 :]
            break
        digest.update(chunk)
        length += len(chunk)
    rejection = Rejection("too_long", length, digest.hexdigest(), source, offset)
    return offset + length + 1, rejection, rest
