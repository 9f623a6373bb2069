"""Check that files of lines hold the records of their log, in order and complete.

If outputs are rotated a log covers one file after another, under any later name.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from hookstream.core.progress import counted
from hookstream.seal.chain import BrokenSeal
from hookstream.seal.journal import Statement
from hookstream.seal.layout import files_of, indices
from hookstream.seal.levels import HASH
from hookstream.seal.merkle import record_leaf

CHUNK = 4 << 20
AHEAD = 1000
PACKED = (".gz", ".zst")


def check_lines(
    path: Path,
    statements: Iterable[Statement],
    leaves: bytes,
    overlay: Mapping[Path, Path | None] | None = None,
) -> tuple[int, int]:
    """Check files: (records, lines not sealed yet). BrokenSeal at the first line not as sealed.
    `overlay` names the files that a retention which broke off has yet to put in others' place."""
    overlay = overlay or {}
    try:
        *closed, last = files_of(statements, len(leaves) // HASH)
    except (ValueError, KeyError, TypeError) as error:
        raise BrokenSeal(f"{path}", f"a statement that cannot be: {error}") from None
    files = [one for one in rotated(path) if overlay.get(one, one) is not None]
    count = 0
    for runs in closed:
        meant = array("Q", indices(runs))
        if meant:
            file = _file_of(files, leaves, meant, path, overlay)
            if _check(file, leaves, meant, overlay.get(file)):
                raise BrokenSeal(
                    f"{file}:{len(meant) + 1}", "lines behind the end of a rotated file"
                )
            files.remove(file)
            count += len(meant)
    meant = array("Q", indices(last))
    file, unsealed = path, 0
    if meant and not _begins(path, leaves, meant, overlay) and files:
        # Renamed, and the writer has not said so yet: what the new file holds is not sealed.
        file = next((one for one in files if _begins(one, leaves, meant, overlay)), path)
    if meant:
        unsealed = _check(file, leaves, meant, overlay.get(file))
    files = [one for one in files if one != file]
    if not meant and len(files) == 1 and not path.exists():
        unsealed = sum(1 for _ in lines(files.pop()))
    for left in files:
        raise BrokenSeal(str(left), "no seal covers this file")
    if file != path:
        unsealed += _open_tail(path, 0)
    elif path not in overlay and path.exists():
        unsealed = _open_tail(path, len(meant))
    return count + len(meant), unsealed


def rotated(path: Path) -> list[Path]:
    from hookstream.core.sources import rotated_from

    return sorted(one for one in path.parent.iterdir() if rotated_from(one.name) == path.name)


def _file_of(
    files: list[Path],
    leaves: bytes,
    meant: Sequence[int],
    path: Path,
    overlay: Mapping[Path, Path | None],
) -> Path:
    """The rotated file that begins with the segment's first record."""
    for file in files:
        if _begins(file, leaves, meant, overlay):
            return file
    raise BrokenSeal(f"{path}", f"a rotated file with {len(meant)} records is missing or changed")


def _begins(
    file: Path, leaves: bytes, meant: Sequence[int], overlay: Mapping[Path, Path | None]
) -> bool:
    """Return whether the first line of a file is the first record of a segment."""
    first = leaves[meant[0] * HASH : (meant[0] + 1) * HASH]
    path = overlay.get(file) or file
    return path.exists() and first_leaf(path, file.name) == first


def first_leaf(path: Path, name: str = "") -> bytes | None:
    """The leaf of a file's first line; None if it has none."""
    return next((record_leaf(line) for line in lines(path, name)), None)


def lines(path: Path, name: str = "", start: int = 0) -> Iterator[bytes]:
    """Whole lines of a plain or packed file, which `name` says, from a byte on; what has no newline
    is not one."""
    from hookstream.core.sources import open_bytes

    rest = b""
    with open_bytes(path, name) as file:
        if start and file.seekable():
            file.seek(start)
        elif start:
            while start > 0 and (data := file.read(min(start, CHUNK))):
                start -= len(data)
        while data := file.read(CHUNK):
            *found, rest = (rest + data).split(b"\n")
            yield from found


def line_at(path: Path, place: int) -> bytes:
    """The line that begins at a byte; empty if none does. OSError."""
    if path.suffix in PACKED:
        return next(lines(path, start=place), b"")
    with path.open("rb") as file:
        file.seek(place)
        return file.readline().rstrip(b"\n")


def _check(path: Path, leaves: bytes, meant: Sequence[int], other: Path | None = None) -> int:
    """Compare a file, or the other that is to take its place, with its leaves; how many lines
    follow."""
    if not (other or path).exists():
        raise BrokenSeal(str(path), f"missing, with {len(meant)} records")
    indices = iter(meant)
    number = 0
    rest = lines(other or path, path.name)
    for number, line in enumerate(counted(rest, "records"), 1):
        index = next(indices, None)
        if index is None:
            return 1 + sum(1 for _ in rest)
        if record_leaf(line) != leaves[index * HASH : (index + 1) * HASH]:
            after = next(rest, None)
            raise BrokenSeal(f"{path}:{number}", _what(line, after, leaves, meant, number - 1))
    if number < len(meant):
        raise BrokenSeal(
            f"{path}:{number + 1}", f"cut off: {len(meant) - number} records are missing"
        )
    return 0


def _what(line: bytes, after: bytes | None, leaves: bytes, meant: Sequence[int], at: int) -> str:
    """Return how a record differs from what was sealed, judged by its neighbours."""
    ahead = [leaves[n * HASH : (n + 1) * HASH] for n in meant[at : at + AHEAD]]
    leaf = record_leaf(line)
    if after is not None and record_leaf(after) == ahead[0]:
        moved = leaf in ahead
        return "records in another order" if moved else "a record was inserted"
    if leaf in ahead:
        return f"{ahead.index(leaf)} records were removed"
    return "changed since it was sealed"


def _open_tail(path: Path, sealed: int) -> int:
    """Lines of the open file after the sealed ones."""
    if not path.exists():
        return 0
    torn = path.stat().st_size > 0 and _last_byte(path) != b"\n"
    return max(0, sum(1 for _ in lines(path)) - sealed) + torn


def _last_byte(path: Path) -> bytes:
    with path.open("rb") as file:
        file.seek(-1, 2)
        return file.read(1)
