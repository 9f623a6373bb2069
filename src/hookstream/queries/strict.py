"""Lines read strictly: only what one reading can give is an object, whoever reads it.

A torn line, a repeated key, NaN, a lone surrogate or a depth that exhausts a parser makes readers
differ or fail; such a line is left out with its reason and blinds nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from hookstream.core.limits import DEPTH, OUTPUT_LINE_BYTES
from hookstream.core.records import Rejection
from hookstream.core.sources import UNREADABLE, lines


class BrokenLine(ValueError):
    """A line that is not an event; the text says why."""


def read_line(line: bytes) -> dict[str, Any]:
    """The object of a line. Raises BrokenLine: what has more than one reading is not an event."""
    if len(line) >= OUTPUT_LINE_BYTES:
        raise BrokenLine(f"longer than {OUTPUT_LINE_BYTES} bytes")
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise BrokenLine(_why(line, error)) from None
    if type(value) is not dict:
        raise BrokenLine("not an object")
    if line.count(b"{") + line.count(b"[") > DEPTH and _is_deep(value):
        raise BrokenLine(f"nested deeper than {DEPTH}")
    # Written back, an object of unique keys is what it was: only other spellings of the same
    # text (spaces, escapes, 1e1) need the slow look.
    if orjson.dumps(value) != line and _repeats(line):
        raise BrokenLine("a key is repeated")
    return value


def _why(line: bytes, error: ValueError) -> str:
    text = str(error).split(":", 1)[0]
    if line.count(b"{") + line.count(b"[") > DEPTH and "recursion" in text:
        return f"nested deeper than {DEPTH}"
    if line.lstrip()[:1] == b"{" and not line.rstrip().endswith(b"}"):
        return f"torn: {text}"
    return f"not JSON: {text}"


def _is_deep(value: Any) -> bool:
    level = [value]
    for _ in range(DEPTH):
        level = [
            child
            for one in level
            for child in (one.values() if type(one) is dict else one)
            if type(child) is dict or type(child) is list
        ]
        if not level:
            return False
    return True


def _repeats(line: bytes) -> bool:
    found = False

    def unique(pairs: list[tuple[str, Any]]) -> None:
        nonlocal found
        found = found or len({key for key, _ in pairs}) != len(pairs)

    try:
        json.loads(line, object_pairs_hook=unique)
    except (ValueError, RecursionError):
        return True
    return found


def numbered(path: Path | None) -> Iterator[tuple[int, bytes | str]]:
    """(line number from 1, the line or why it cannot be read) of a file, plain, .gz or .zst, or of
    standard input.

    A file that cannot be read further ends in a reason.
    """
    number = 0
    try:
        for number, (_, line) in enumerate(lines(path, str(path)), 1):
            yield number, line.reason if isinstance(line, Rejection) else line
    except UNREADABLE as error:
        yield number + 1, f"the file cannot be read further: {str(error) or type(error).__name__}"
