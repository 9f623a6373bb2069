"""Strict grammar of output lines: a subset of JSON that every reader can parse.

ASCII, one object, unique keys, depth at most 64, at most 1 MiB, finite numbers, no lone
surrogates, no integer beyond 2^53. A line made here keeps all of this but its length, which
`excess` looks at: `jsons.line` writes nothing else, and the privacy stage allows no value deeper
than `redaction.fields.DEPTH`. `flaw` is for a line from elsewhere, and looks closely only if its
outline could break the rest.
"""

from __future__ import annotations

import json
from typing import Any

MAX_BYTES = 1 << 20  # the newline included
MAX_DEPTH = 64
MAX_INTEGER = 1 << 53


def _outline() -> bytes:
    """A translation that keeps what shows a long number or a control character."""
    table = bytearray(b" " * 256)
    table[:32] = b"!" * 32
    for values, as_ in (
        ("0123456789", "0"),
        (":,[]}", ","),
        ("eE", "e"),
        ("+", "+"),
        ("-", "-"),
        ("NI", "n"),
    ):
        for char in values:
            table[ord(char)] = ord(as_)
    return bytes(table)


OUTLINE = _outline()
_DIGITS = b"," + b"0" * 16
_NEGATIVE = b",-" + b"0" * 16


def excess(line: bytes) -> str | None:
    """The reason why an Event's line, after the privacy stage, may not be written, or None."""
    return f"line longer than {MAX_BYTES} bytes" if len(line) >= MAX_BYTES else None


def flaw(line: bytes) -> str | None:
    """The reason why a line (without its newline) may not be written, or None. Never raises."""
    if len(line) >= MAX_BYTES:
        return f"line longer than {MAX_BYTES} bytes"
    if not line.isascii():
        return "line is not ASCII"
    if not (line.startswith(b'{"') or line == b"{}") or not line.endswith(b"}"):
        return "line is not one JSON object"
    if line != b"{}" and not _is_compact(line):
        return close_look(line)
    outline = line.translate(OUTLINE)
    if b"!" in outline:
        return "line holds a control character"
    if (
        line.count(b"{") + line.count(b"[") > MAX_DEPTH
        or _DIGITS in outline
        or _NEGATIVE in outline
        or b"0e000," in outline  # delimited: not within a hex digest
        or b"0e+000," in outline
        or b",n" in outline
        or b",-n" in outline
        or (b"\\u" in line and b"\\ud" in line.lower())
    ):
        return close_look(line)
    return None


def _is_compact(line: bytes) -> bool:
    """Return whether the first key is followed as a serialiser writes it; Python's own text of a
    dict, used if serialising failed, has a space there."""
    end = line.find(b'"', 2)
    return line[end - 1] != 92 and line[end + 1 : end + 2] == b":" and line[end + 2] != 32


def close_look(line: bytes) -> str | None:
    """The same answer by parsing the entire line."""
    try:
        value = json.loads(
            line, object_pairs_hook=_unique, parse_int=_integer, parse_constant=_constant
        )
    except RecursionError:
        return f"line nests deeper than {MAX_DEPTH}"
    except _Flaw as found:
        return str(found)
    except ValueError:
        return "line is not one JSON object"
    return _walk(value)


class _Flaw(ValueError):
    pass


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    unique = dict(pairs)
    if len(unique) != len(pairs):
        raise _Flaw("line repeats a key")
    return unique


def _integer(digits: str) -> int:
    if len(digits) > 17 or abs(value := int(digits)) > MAX_INTEGER:
        raise _Flaw("line holds an integer beyond 2^53")
    return value


def _constant(word: str) -> Any:
    raise _Flaw(f"line holds {word}")


def _walk(value: Any) -> str | None:
    level = [value]
    for depth in range(1, MAX_DEPTH + 2):
        below: list[Any] = []
        for node in level:
            kind = type(node)
            if kind is dict or kind is list:
                if depth > MAX_DEPTH:
                    return f"line nests deeper than {MAX_DEPTH}"
                below += node if kind is list else [*node.keys(), *node.values()]
            elif kind is str and not node.isascii() and not _whole(node):
                return "line holds a lone surrogate"
            elif kind is float and node in (float("inf"), float("-inf")):
                return "line holds a number that is not finite"
        level = below
    return None


def _whole(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
