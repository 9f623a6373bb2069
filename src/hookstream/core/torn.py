"""A line that is not a JSON value: the objects on it that are whole, and the rest, piece by piece.

A client that is killed while it appends leaves a stub, and the next record follows on its line; a
damaged byte costs the record around it. Each whole record of such a line is read as if it were
alone on it, and what is between them is named as lost.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NamedTuple

from hookstream.core.limits import DEPTH
from hookstream.core.parse import bare

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

# An object with a key, as every record is: within a text its quote would be escaped.
BEGINS = re.compile(r'\{\s*"')
# Between two records: blanks, NUL bytes, byte order marks (as read from bytes).
BETWEEN = re.compile("[\\s\0\ufeff\udcfe\udcff]*")
# The signs before a value inside of another object, and the first key of a record.
INSIDE = re.compile(r"[:,\[]\s*\Z")
FIRST = re.compile(r'[\s\0\ufeff]*\{\s*"([^"\\]*)"')
# Reading stops before an object and after it.
DECODE = json.JSONDecoder(strict=False).raw_decode


class Piece(NamedTuple):
    """Bytes of a line from a place on: a whole record, or what is lost."""

    place: int
    data: bytes
    is_whole: bool


def pieces(line: bytes, firsts: Collection[str] = ()) -> list[Piece]:
    """The records of a torn line and what is between them, in order; one piece if it has none.
    `firsts` are keys that records of the source begin with."""
    text = line.decode("utf-8", "surrogateescape")
    parts: list[tuple[str, bool]] = []
    end = 0
    for begin, after in _records(text, firsts):
        parts += [(text[end:begin], False), (text[begin:after], True)]
        end = after
    parts.append((text[end:], False))
    result, place = [], 0
    for part, is_whole in parts:
        data = part.encode("utf-8", "surrogateescape")
        if bare(data):
            result.append(Piece(place, data, is_whole))
        place += len(data)
    return result


def _records(text: str, firsts: Collection[str]) -> Iterator[tuple[int, int]]:
    """Begin and end of each object that another one or the end of the line follows: what is inside
    of another object has something else after it. Where the stub before it ends in the middle of
    an object, it may be a part of that: a record begins as others do, or has the key that the stub
    begins with.

    An object that is not closed is tried no more than DEPTH times before reading continues where it
    broke off, so that a line costs at most that many tries.
    """
    at = opened = end = 0
    while (match := BEGINS.search(text, at)) is not None:
        begin = match.start()
        try:
            value, after = DECODE(text, begin)
        except json.JSONDecodeError as error:
            opened += 1
            at = begin + 1 if opened <= DEPTH else max(begin + 1, error.pos - 8)
            continue
        except (RecursionError, ValueError):
            at = begin + 1
            continue
        at = after
        following = BETWEEN.match(text, after).end()  # type: ignore[union-attr]
        if following < len(text) and not BEGINS.match(text, following):
            continue
        if INSIDE.search(text, max(end, begin - 8), begin) is not None:
            first = FIRST.match(text, end)
            if first is not None and first[1] not in value and next(iter(value)) not in firsts:
                continue
        opened, end = 0, after
        yield begin, after
