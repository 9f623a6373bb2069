"""Generated passwords that fill a field: any sign may stand in them, what surrounds the field ends
them."""

from __future__ import annotations

import re

from hookstream.redaction.classify.code import is_code
from hookstream.redaction.classify.human import is_generated
from hookstream.redaction.extract.fit import fits_password

_NO_START = frozenset("\"'`<>$%({[&*|\\")  # quotes, placeholders, references
_PARAMETER = re.compile(r"&[\w.-]{1,32}=")


def to_line_end(
    text: str, position: int, stop: int, name: str, tight: bool
) -> tuple[int, int] | None:
    """A password to the line's end where it is a phrase of words, or holds quotes and brackets
    that would end it elsewhere."""
    value = text[position:stop].rstrip()
    next_one = _PARAMETER.search(value)
    value = value[: next_one.start()] if next_one is not None else value
    if _fills(value, tight) or (value.count(" ") > 2 and fits_password(value, name)):
        return position, position + len(value)
    return None


def in_field(text: str, position: int, first: int, stop: int, sign: str) -> tuple[int, int] | None:
    """A generated password up to the blank, the quote or the semicolon that ends its field as the
    like before the name has begun it: ` password=<value> `, `'password=<value>'`, `;Pwd=<value>;`.
    """
    before = text[first - 1 : first]
    tight = sign in ("=", ":=", "?=")
    if before == ";" and text.count('"', max(0, first - 256), first) % 2 == 0:
        before = ""
    border = _BORDERS.get(before) if tight else _BORDERS[" "] if sign.endswith(": ") else None
    found = border.match(text, position, stop) if border is not None else None
    if found is None:
        return None
    value = found[0]
    further = _NEXT.search(value)
    value = value[: further.start()] if further is not None else value
    if value[-1:] in ")]}" and value.count(value[-1]) > value.count(_OPENERS[value[-1]]):
        value = value[:-1]
    return (position, position + len(value)) if _fills(value, tight=True) else None


_BORDERS = {
    " ": re.compile(r"[^\s\x00-\x1f]{8,128}"),
    "\t": re.compile(r"[^\s\x00-\x1f]{8,128}"),
    "'": re.compile(r"[^\s'\x00-\x1f]{8,128}(?=')"),
    '"': re.compile(r"[^\s\"\\\x00-\x1f]{8,128}(?=\")"),
    ";": re.compile(r"[^\s;\"\x00-\x1f]{8,128}(?=[;\"]|$)"),  # Pwd=<value>; within a string
    "": re.compile(r"[^\s;\x00-\x1f]{8,128}(?=;|$)"),  # and in none
}
_NEXT = re.compile(r"[&;,][\w.-]{1,32}[=:]")
_OPENERS = {")": "(", "]": "[", "}": "{"}


def _fills(value: str, tight: bool) -> bool:
    """Letters, digits and signs without a blank: where a name and a sign alone do not say that a
    value follows, a quote or an angle among them, for which no other reader takes it."""
    if not 8 <= len(value) <= 128 or value[0] in _NO_START or value[-1] in "\"'`>,;\\":
        return False
    if not tight and not any(map(value.__contains__, "<>\"'`")):
        return False
    if " " in value or not any(map(str.isdigit, value)) or is_code(value, whole=True):
        return False
    signs = sum(not char.isalnum() for char in value)
    if signs < 3:
        return value.lower() != value != value.upper()
    return not tight or is_generated(value)
