"""Generated passwords that fill a field: they may hold any sign, what surrounds the field ends
them."""

from __future__ import annotations

import re

from hookstream.redaction.classify.human import is_generated
from hookstream.redaction.extract.fit import fits_password
from hookstream.redaction.extract.values import trim

_NO_START = frozenset("\"'`<>$%({[&*|\\")  # quotes, placeholders, references
_NO_END = frozenset("\"'`>,;\\")


def to_line_end(text: str, position: int, stop: int, name: str) -> tuple[int, int] | None:
    """A password to the line's end where it is a phrase of words, or holds quotes and brackets
    that would end it elsewhere."""
    value = _before_next(text[position:stop].rstrip())
    if _fills(value) or (value.count(" ") > 2 and fits_password(value, name)):
        return position, position + len(value)
    return None


def in_field(text: str, position: int, first: int, stop: int, sign: str) -> tuple[int, int] | None:
    """A generated password up to the blank, the quote or the semicolon that ends its field as the
    like before the name has begun it: ` password=<value> `, `'password=<value>'`, `;Pwd=<value>;`.
    """
    if sign in ("=", ":=", "?="):
        before = text[first - 1 : first]
        if before == ";" and text.count('"', max(0, first - 256), first) % 2 == 0:
            before = ""  # in no string
        border = _BORDERS.get(before)
    else:
        border = _BORDERS[" "] if sign.endswith(": ") else None
    found = border.match(text, position, stop) if border is not None else None
    if found is None:
        return None
    value = _before_next(found[0])
    end = trim(text, position, position + len(value))
    return (position, end) if _fills(text[position:end]) else None


_BORDERS = {
    " ": re.compile(r"[^\s\x00-\x1f]{8,128}"),
    "\t": re.compile(r"[^\s\x00-\x1f]{8,128}"),
    "'": re.compile(r"[^\s'\x00-\x1f]{8,128}(?=')"),
    '"': re.compile(r"[^\s\"\\\x00-\x1f]{8,128}(?=\")"),
    ";": re.compile(r"[^\s;\"\x00-\x1f]{8,128}(?=[;\"]|$)"),  # Pwd=<value>;
    "": re.compile(r"[^\s;\x00-\x1f]{8,128}(?=;|$)"),
}
_NEXT = re.compile(r"[&;,][\w.-]{1,32}[=:]")


def _before_next(value: str) -> str:
    """The value before the next field: `<value>&name=`."""
    further = _NEXT.search(value)
    return value[: further.start()] if further is not None else value


def _fills(value: str) -> bool:
    """A generated password, where a name and a sign alone do not say that a value follows."""
    return value[:1] not in _NO_START and value[-1:] not in _NO_END and is_generated(value)
