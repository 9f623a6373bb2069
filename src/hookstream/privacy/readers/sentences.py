"""Secrets as people write them to one another: `the password is ...`."""

from __future__ import annotations

import re

from hookstream.privacy import names
from hookstream.privacy.placeholders import is_placeholder
from hookstream.privacy.readers.assigned import ARROWS
from hookstream.privacy.readers.values import name_around, trim
from hookstream.privacy.sense import is_code, is_random

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.privacy.readers.values import Spans

# What has digits and is no secret: quantities, versions, steps, algorithms.
_UNITS = re.compile(
    r"(?i)v?[0-9][0-9.,]*[a-z%]{0,3}|[a-z]{1,12}[-_]?[0-9]{1,3}|[0-9]{1,4}[-x][a-z]{2,12}"
    r"|(?:sha|md|utf|base|rs|hs|es|ps)-?[0-9]{1,3}|[a-z]+[0-9]+[.,][a-z0-9.]*"
)
_ALGORITHMS = ("base64", "sha", "oauth", "utf", "md5", "argon", "pbkdf")
_STRONG = ("pass", "kenn", "mot", "contra", "senha", "pwd")


def prose(text: str, match: re.Match[str]) -> Spans:
    """A value in a sentence: digits among letters or signs; plain words and numbers stay.

    The groups are the word that says secret, what links it to the value, a quote, the value.
    """
    start, end = match.span(4)
    end = trim(text, start, end)
    while end > start and text[end - 1] in "!?" and not match[3]:
        end -= 1
    value = text[start:end]
    if len(value) < 5 or is_placeholder(value) or "://" in value or value[0] in "/~<$-=|([{":
        return []
    if value[0] in "%*#@&" and not is_varied(value):
        return []
    word, link = match[1].lower().lstrip("_"), match[2].strip(" ,")
    begin = match.end(1) - len(word)
    if text[begin - 1 : begin] in ("-", "_"):  # cache-key: the end of a name
        name, _ = name_around(text, begin, match.start(2))
        if names.kind(name) == names.NONE:
            return []
    if value.endswith("**"):
        end -= 2
        value = text[start:end]
    if not link.isascii() and link not in ARROWS:
        return []
    return [(start, end)] if _fits(value, word, link, bool(match[3])) else []


def foreign(text: str, match: re.Match[str]) -> Spans:
    """The first ASCII word after a word for secret in another script, if it looks like one."""
    start, end = match.span(1)
    for closing in "\"'`)]>":
        cut = text.find(closing, start, end)
        end = cut if cut > start else end
    end = trim(text, start, end)
    value = text[start:end]
    if len(value) < 5 or is_placeholder(value) or "://" in value or is_code(value):
        return []
    letters = any(char.isalpha() for char in value)
    digits = any(char.isdigit() for char in value)
    signs = any(char in "!@#$%^&*+?=" for char in value)
    fits = is_random(value) or (
        (letters and (digits or signs) and not _UNITS.fullmatch(value))
        or (value.isdigit() and len(value) >= 6)
    )
    return [(start, end)] if fits else []


def _fits(value: str, word: str, link: str, is_quoted: bool) -> bool:
    if is_random(value) and (link or word not in ("key", "pin")):
        return not is_code(value)
    if "(" in value or is_code(value) or value.count("/") > 1:
        return False
    strong = word.startswith(_STRONG) or "passw" in word
    if not link or (link == "-" and not is_quoted):
        return strong and is_varied(value)
    if ("key" in word or "token" in word) and not is_quoted:
        return False
    if strong and value.isdigit():
        return 6 <= len(value) <= 12
    if any(char.isdigit() for char in value):
        letters = sum(char.isalpha() for char in value)
        return letters >= 2 and (strong or not _UNITS.fullmatch(value))
    return len(value) >= 6 and any(char in value for char in "!@#$%^&*+")


def is_varied(value: str) -> bool:
    """Digits, letters, and signs or both cases, and no name of an algorithm."""
    lowered = value.lower()
    if len(value) < 8 or any(word in lowered for word in _ALGORITHMS):
        return False
    signs = any(not char.isalnum() and char not in "-_.,/:" for char in value)
    cased = lowered != value != value.upper()
    digits = any(char.isdigit() for char in value)
    return digits and (signs or cased) and any(char.isalpha() for char in value)
