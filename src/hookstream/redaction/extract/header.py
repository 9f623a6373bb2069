"""The values of headers and cookies."""

from __future__ import annotations

import re

from hookstream.redaction.classify.code import is_code, is_prose
from hookstream.redaction.classify.random import is_random
from hookstream.redaction.extract.values import LIMIT, without_scheme
from hookstream.redaction.filters.placeholder import is_placeholder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.redaction.extract.values import Spans

_HEADER = re.compile(r"[^\n\r\"'`\x00-\x08\x1b<>]+")

_FURTHER = re.compile(r"(?i)\bcookies?: ")


def header(text: str, position: int, name: str) -> Spans:
    """The rest of a header's line, up to the quote that holds it; the scheme's word stays."""
    stop = min(len(text), position + LIMIT)
    if "cookie" in name:  # a further one on the line is read from its own place
        further = _FURTHER.search(text, position, stop)
        stop = further.start() if further is not None else stop
    found = _HEADER.match(text, position, stop)
    if found is None:
        return []
    start, end = found.span()
    if "cookie" in name:
        return cookies(text, start, end)
    signed = text.find("Signature=", start, end)
    start = signed + 10 if signed >= 0 else start
    bare = start
    start = without_scheme(text, start, end)
    while end > start and text[end - 1] in " \t,;)}]\\":
        end -= 1
    value = text[start:end]
    word = value.split(" ", 1)[0]
    if start > bare and "=" not in word[:-2]:
        end = start + len(word)
        value = word
    if (value.isalpha() and len(value) < 8) or value[:1] in ("(", "!"):  # Basic realm
        return []
    if is_placeholder(value) or is_code(value) or (is_prose(value) and not is_random(word)):
        return []
    if start == bare and not any(char.isdigit() for char in value) and len(value) < 20:
        return []
    return [(start, end)]


_COOKIE = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]{1,64})=([^;\s,\"']+)")
_ATTRIBUTES = frozenset(
    "path domain expires max-age samesite httponly secure priority partitioned version".split()
)


def cookies(text: str, start: int, end: int) -> Spans:
    """The values of cookies, not their names nor their attributes."""
    return [
        found.span(2)
        for found in _COOKIE.finditer(text, start, end)
        if found[1].lower() not in _ATTRIBUTES
        and not is_placeholder(found[2])
        and len(found[2]) >= 6
    ]
