"""One line's bytes to a JSON value, or why not: what a lenient reader would let pass is refused
(depth) or mended and marked (repeated keys, surrogates, numbers too big or not finite: these
become texts).
"""

from __future__ import annotations

import re

from hookstream.core.jsons import loads, strict
from hookstream.core.limits import DEPTH, SAFE_INTEGER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# 2^63 has 19 digits: what is shorter has been read as a whole number.
BIG_INTEGER = re.compile(rb"[:,\[\s](-?\d{19,400})")
LONG_DIGITS = b"0" * 19
# A line's numbers: what may precede one as a comma, digits and signs as zeros, the rest as x.
NUMBERS = bytes(
    48 if byte in b"0123456789-" else 44 if byte in b":,[ \t\r\n" else 120 for byte in range(256)
)
# A line's brackets (square ones as braces), colons, digits and dashes (which part the digits of
# ids and dates).
OUTLINE = bytes.maketrans(b"[]123456789", b"{}000000000")
NO_OUTLINE = bytes(byte for byte in range(256) if byte not in b"{}[]:-0123456789")
ANSI = re.compile(rb"\x1b?\[\d{1,3}(?:;\d{1,3})*m")
# What may surround a value without being a part of it.
BLANK = b" \t\r\n\0"
BOM = b"\xef\xbb\xbf"
# The marks of UTF-16, as PowerShell's `>` writes it.
WIDE = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
UTF_32 = b"\0\0"  # after the same two bytes in its mark
# Log lines that carry a JSON object after a prefix.
EMBEDDED = b'{"event":"prisma_airs'


class UnreadableLine(Exception):
    """A line cannot be read; the text is the rejection's reason."""


def bare(line: bytes) -> bytes:
    """A line without the blanks, NUL bytes and byte order marks around it; UTF-16 as UTF-8."""
    if line[:1] == b"{" and line[-1:] == b"}":
        return line
    if is_wide(line):
        line = narrow(line[2:], WIDE[line[:2]])
    line = line.strip(BLANK)
    while line.startswith(BOM):
        line = line[3:].lstrip(BLANK)
    return line


def is_wide(data: bytes) -> bool:
    """Return whether UTF-16 begins with its mark: of damage no letter with a NUL byte follows."""
    return data[:2] in WIDE and data[2:4] != UTF_32 and b"\0" in data[2:8]


def narrow(data: bytes, encoding: str) -> bytes:
    """UTF-16 as UTF-8; other bytes as they are."""
    try:
        return data[: len(data) & ~1].decode(encoding).encode()
    except UnicodeDecodeError:
        return data


def parse(line: bytes) -> tuple[Any, tuple[str, ...]]:
    """The JSON value of a line and the marks of what had to be mended. Raises UnreadableLine."""
    value, marks = glance(line)
    if marks is None:
        return (value, ()) if is_whole(line, value) else _careful(line)
    return value, marks


def glance(line: bytes) -> tuple[Any, tuple[str, ...] | None]:
    """As `parse`, but without marks where `is_whole` has not yet said that nothing was lost."""
    try:
        return loads(line), None
    except (ValueError, RecursionError):
        return _mended(line)


def is_whole(line: bytes, value: Any) -> bool:
    """Return whether the fast parser has lost nothing of a line: no repeated key, no digit of a
    whole number. Raises UnreadableLine where the value is nested too deep."""
    outline = line.translate(OUTLINE, NO_OUTLINE)
    if outline.count(b"{") > DEPTH and may_be_deep(outline) and type(value) in (dict, list):
        check_depth(value)
    try:
        written = strict(value)
    except (TypeError, ValueError):  # a whole number that a double cannot hold
        return False
    # A duplicate key is missing from the value: written again, it has fewer colons. Whole numbers
    # beyond 64 bits were read as floats. Both are rare, and seen by the careful parser.
    return written == line or not (
        outline.count(b":") != written.count(b":")
        or (LONG_DIGITS in outline and has_big_integer(line))
    )


def may_be_deep(outline: bytes) -> bool:
    """Return whether nesting may pass the limit; brackets inside texts can only make it seem
    deeper.

    Each round removes the innermost pairs, so the rounds count the depth.
    """
    brackets = outline.translate(None, b":-0")
    for level in range(DEPTH - 8):
        if level + len(brackets) // 2 < DEPTH - 8:
            return False
        shorter = brackets.replace(b"{}", b"")
        if len(shorter) == len(brackets):
            return len(brackets) > 8
        brackets = shorter
    return bool(brackets)


def has_big_integer(line: bytes) -> bool:
    """A number with too many digits for a double (or what looks like one within a text)."""
    if b"," + LONG_DIGITS not in line.translate(NUMBERS):
        return False
    return any(abs(int(digits)) > SAFE_INTEGER for digits in BIG_INTEGER.findall(line))


def check_depth(value: Any, depth: int = 0) -> None:
    """UnreadableLine where objects and lists are nested beyond the limit."""
    if depth > DEPTH:
        raise UnreadableLine("too_deep")
    for below in value.values() if type(value) is dict else value:
        kind = type(below)
        if kind is dict or kind is list:
            check_depth(below, depth + 1)


def _careful(line: bytes) -> tuple[Any, tuple[str, ...]]:
    """The standard library's parser, which sees repeated keys and whole integers."""
    import json

    marks: set[str] = set()

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        unique = dict(items)
        if len(unique) != len(items):
            marks.add("duplicate_key")
        return unique

    def whole(digits: str) -> Any:
        if len(digits) < 16 or (len(digits) < 20 and abs(int(digits)) <= SAFE_INTEGER):
            return int(digits)
        marks.add("big_integer")
        return digits

    def finite(digits: str) -> Any:
        number = float(digits)
        if number - number == 0:
            return number
        marks.add("not_finite")
        return digits

    text = line.decode("utf-8", "strict")
    try:
        value = json.loads(
            text,
            object_pairs_hook=pairs,
            parse_int=whole,
            parse_float=finite,
            parse_constant=finite,
        )
    except RecursionError:
        raise UnreadableLine("too_deep") from None
    except ValueError:
        raise UnreadableLine("not_json") from None
    if type(value) is dict or type(value) is list:
        check_depth(value)
    if "\\u" in text:
        value = _without_surrogates(value, marks)
    return value, tuple(sorted(marks))


def _without_surrogates(value: Any, marks: set[str]) -> Any:
    """Lone surrogates become U+FFFD: no text with one can be written."""
    if type(value) is str:
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            marks.add("lone_surrogate")
            return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        return value
    if type(value) is list:
        return [_without_surrogates(item, marks) for item in value]
    if type(value) is dict:
        return {
            _without_surrogates(key, marks): _without_surrogates(item, marks)
            for key, item in value.items()
        }
    return value


def _mended(line: bytes) -> tuple[Any, tuple[str, ...]]:
    """Handle a line that the fast parser refused: a reason, or a value that can be read with a
    mark.
    """
    start = line.find(EMBEDDED)
    if start > 0:
        end = line.rfind(b"}")
        return _careful(ANSI.sub(b"", line[start : end + 1]))
    if line[:2] in (b"\xff\xfe", b"\xfe\xff") or line[1:2] == b"\0" or line[:1] == b"\0":
        raise UnreadableLine("not_utf8")
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        raise UnreadableLine("not_utf8") from None
    if b"\0" in line:
        raise UnreadableLine("control_character")
    return _careful(line)
