"""Whether files of lines hold the records of their log, in order and whole.

A log covers one file after another where outputs are rotated: each `rotated` statement ends the
file that is open, wherever its name went since.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookstream.seal.chain import Broken
from hookstream.seal.levels import HASH
from hookstream.seal.merkle import record_leaf

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from hookstream.seal.journal import Statement

CHUNK = 4 << 20
AHEAD = 1000


def check_lines(
    path: Path, statements: Iterable[Statement], leaves: bytes, records: list[int]
) -> int:
    """Broken at the first line that is not what was sealed; else the lines not sealed yet."""
    bounds = [int(one.said["records"]) for one in statements if one.kind == "rotated"]
    files = _rotated(path)
    first = 0
    for end in [*bounds, len(records)]:
        meant = records[first:end]
        is_open = end == len(records)
        if meant:
            file = path if is_open else _file_of(files, leaves, meant, path)
            unsealed = _check(file, leaves, meant)
            if unsealed and not is_open:
                raise Broken(f"{file}:{len(meant) + 1}", "lines behind the end of a rotated file")
            if not is_open and file in files:
                files.remove(file)
        first = end
    for left in files:
        raise Broken(str(left), "no seal covers this file")
    return _open_tail(path, len(records) - (bounds[-1] if bounds else 0))


def _rotated(path: Path) -> list[Path]:
    from hookstream.sources import rotated_from

    return sorted(one for one in path.parent.iterdir() if rotated_from(one.name) == path.name)


def _file_of(files: list[Path], leaves: bytes, meant: list[int], path: Path) -> Path:
    """The rotated file that begins with the segment's first record."""
    first = leaves[meant[0] * HASH : (meant[0] + 1) * HASH]
    for file in files:
        for line in lines(file):
            if record_leaf(line) == first:
                return file
            break
    raise Broken(f"{path}", f"a rotated file with {len(meant)} records is missing or changed")


def lines(path: Path) -> Iterator[bytes]:
    """Whole lines of a plain or packed file; what has no newline is not one."""
    from hookstream.sources import open_bytes

    rest = b""
    with open_bytes(path) as file:
        while data := file.read(CHUNK):
            *found, rest = (rest + data).split(b"\n")
            yield from found


def _check(path: Path, leaves: bytes, meant: list[int]) -> int:
    """Compare a file with its leaves; how many lines follow."""
    if not path.exists():
        raise Broken(str(path), f"missing, with {len(meant)} records")
    indices = iter(meant)
    number = 0
    rest = lines(path)
    for number, line in enumerate(rest, 1):
        index = next(indices, None)
        if index is None:
            return 1 + sum(1 for _ in rest)
        if record_leaf(line) != leaves[index * HASH : (index + 1) * HASH]:
            after = next(rest, None)
            raise Broken(f"{path}:{number}", _what(line, after, leaves, meant, number - 1))
    if number < len(meant):
        raise Broken(f"{path}:{number + 1}", f"cut off: {len(meant) - number} records are missing")
    return 0


def _what(line: bytes, after: bytes | None, leaves: bytes, meant: list[int], at: int) -> str:
    """What became of a record, as far as its neighbours tell."""
    ahead = [leaves[n * HASH : (n + 1) * HASH] for n in meant[at : at + AHEAD]]
    leaf = record_leaf(line)
    if after is not None and record_leaf(after) == ahead[0]:
        moved = leaf in ahead
        return "records in another order" if moved else "a record was inserted"
    if leaf in ahead:
        return f"{ahead.index(leaf)} records were removed"
    return "changed since it was sealed"


def _open_tail(path: Path, sealed: int) -> int:
    """Lines of the open file behind the sealed ones."""
    if not path.exists():
        return 0
    torn = path.stat().st_size > 0 and _last_byte(path) != b"\n"
    return max(0, sum(1 for _ in lines(path)) - sealed) + torn


def _last_byte(path: Path) -> bytes:
    with path.open("rb") as file:
        file.seek(-1, 2)
        return file.read(1)
