"""A line or document that is not a JSON value: what of it is whole, and the rest, piece by piece.

A client that is killed while it appends leaves a stub, and the next record follows on its line; a
damaged byte costs the record around it. Each whole record of such a line is read as if it were
alone on it, and what is between them is named as lost.
"""

from __future__ import annotations

import json
import re
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from hookstream.core.event import MISSING
from hookstream.core.limits import DEPTH
from hookstream.core.parse import UnreadableLine, bare, parse

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

# An object with a key, as every record is: within a text its quote would be escaped.
BEGINS = re.compile(r'\{\s*"')
# Between two records: blanks, NUL bytes, byte order marks (as read from bytes).
BETWEEN = re.compile("[\\s\0\ufeff\udcfe\udcff]*")
# The signs before a value inside of another object, and the first key of a record.
INSIDE = re.compile(r"[:,\[]\s*\Z")
FIRST = re.compile(r'[\s\0\ufeff]*\{\s*"([^"\\]*)"')
# A member of a document: its key, by which reading continues after a damaged one.
MEMBER = re.compile(r'"([^"\\\n]{1,200})"\s*:\s*')
# Between two values; the end of a list; after an element of one.
JOINTS = re.compile(r"[\s,]*")
LIST_END = re.compile(r'\]\s*(?:,\s*"|\}|\Z)')
FOLLOWED = re.compile(r"\s*(?:,\s*\{|\]|\Z)")
# The most characters of a value that has begun and whose begin is not known for one.
ESCAPE = 6
# Objects without an end that are tried after a damaged element.
TRIES = 512
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


def members(data: bytes) -> tuple[dict[str, Any], list[Piece]]:
    """The members of a damaged document that are whole, with the whole elements of its lists, and
    the pieces that are lost: at least one, at the end where nothing else shows the damage."""
    text = data.decode("utf-8", "surrogateescape")
    value: dict[str, Any] = {}
    spans: list[tuple[int, int]] = []
    at = text.find("{") + 1
    while (at := _joint(text, at)) < len(text) and text[at] != "}":
        key = MEMBER.match(text, at)
        part, after = _decoded(text, key.end()) if key else (MISSING, at)
        is_list = key is not None and text[key.end() : key.end() + 1] == "["
        if key and is_list and LIST_END.match(text, after - 1) is None:
            part, after = _elements(text, key.end() + 1, spans)
        if key and part is not MISSING:
            value[key[1]] = part
            at = after
        else:
            begin, at = at, _next_member(text, at)
            spans.append((begin, at))
    if text[at + 1 :].strip():
        spans.append((at, len(text)))
    lost = [(len(_bytes(text[:begin])), _bytes(text[begin:end])) for begin, end in spans]
    return value, [Piece(place, part, False) for place, part in lost or [(len(data), b"")]]


def _elements(text: str, at: int, spans: list[tuple[int, int]]) -> tuple[list[Any], int]:
    """The whole objects of a list and where it ends. An object after a damaged one is an element if
    it has the keys that all before have, or if nothing but elements follows."""
    values: list[Any] = []
    common: set[str] = set()
    while (at := _joint(text, at)) < len(text) and LIST_END.match(text, at) is None:
        value, after = _decoded(text, at) if text[at] == "{" else (MISSING, at)
        if value is MISSING:
            begin, at = at, _next_element(text, at, common)
            spans.append((begin, at))
        else:
            values.append(value)
            # An object that a damaged byte closed too early says nothing of the others.
            if FOLLOWED.match(text, after):
                common = common & value.keys() if common else set(value)
            at = after
    return values, at + 1


def _next_element(text: str, at: int, common: set[str]) -> int:
    """The begin of the next whole element after a damaged one; the end of the text without any."""
    if _is_cut(text, at):
        return len(text)
    tries = 0
    match = BEGINS.search(text, at + 1)
    while match is not None and tries < TRIES:
        begin = match.start()
        value, after = _decoded(text, begin)
        if value is MISSING:
            tries += 1
            after = begin + 1
        elif FOLLOWED.match(text, after):
            if common and common <= value.keys():
                return begin
            others: list[Any] = []
            if _ends(text, after, "]", others) and _shared(others) <= value.keys():
                return begin
        match = BEGINS.search(text, after)
    closing = (match.start() for match in islice(LIST_END.finditer(text, at), TRIES))
    return next((end for end in closing if _ends(text, end + 1, "}")), len(text))


def _next_member(text: str, at: int) -> int:
    """The begin of the next member after which the document is whole; else the end of the text."""
    key = MEMBER.match(text, at)
    if key and _is_cut(text, key.end()):
        return len(text)
    keys = (match.start() for match in islice(MEMBER.finditer(text, at + 1), TRIES))
    return next((begin for begin in keys if _ends(text, begin, "}")), len(text))


def _shared(values: list[Any]) -> set[str]:
    """The keys that all of some objects have."""
    keys = [set(value) for value in values if type(value) is dict]
    return set.intersection(*keys) if keys else set()


def _ends(text: str, at: int, bracket: str, values: list[Any] | None = None) -> bool:
    """Return whether values follow one another until the list, or the document itself, ends; they
    are added to `values`."""
    while (at := _joint(text, at)) < len(text) and text[at] != bracket:
        key = MEMBER.match(text, at) if bracket == "}" else None
        value, at = _decoded(text, key.end() if key else at)
        if value is MISSING or (bracket == "}" and key is None):
            return False
        if values is not None:
            values.append(value)
    if bracket == "]":
        return at < len(text) and _ends(text, at + 1, "}")
    return at < len(text) and not text[at + 1 :].strip()


def _joint(text: str, at: int) -> int:
    """The end of what is between two values."""
    return JOINTS.match(text, at).end()  # type: ignore[union-attr]


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _is_cut(text: str, at: int) -> bool:
    """Return whether nothing is wrong with a value but that the text ends in it: what is inside of
    it is then no part of the document."""
    try:
        DECODE(text, at)
    except json.JSONDecodeError as error:
        return error.pos >= len(text.rstrip()) - ESCAPE or error.msg.startswith("Unterminated")
    except (ValueError, RecursionError):
        return False
    return False


def _decoded(text: str, at: int) -> tuple[Any, int]:
    """The JSON value at a place, as strict as a line's, and its end; MISSING without one."""
    try:
        _, after = DECODE(text, at)
        return parse(text[at:after].encode("utf-8", "surrogateescape"))[0], after
    except (UnreadableLine, ValueError, RecursionError):
        return MISSING, at


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
