"""Passwords that people think up: plain words, phrases, words with a year or a sign."""

from __future__ import annotations

import re

from hookstream.redaction.classify.code import is_code
from hookstream.redaction.classify.gibberish import is_gibberish
from hookstream.redaction.rules.compiled.words.code import COMMON, IDENTIFIERS
from hookstream.redaction.rules.compiled.words.passwords import (
    COUNTED,
    SAID,
    SAID_ENDS,
    WEAK,
)

_HUMPS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_VOWELS = frozenset("aeiouyAEIOUY")
_PARTS = re.compile(
    r"[A-Za-z][a-z]{2,11}([-_. ])[A-Za-z][a-z]{2,11}(?:\1[A-Za-z][a-z]{2,11}){1,10}"
)
_STAGE = re.compile(r"[A-Za-z]{4,16}[-_.](?:prod|dev|stage|staging|live|local|test|qa|root|admin)")
_NUMBERED = re.compile(r"([A-Za-z]{2,32}?)(?:[-_.!@#$*]?[0-9]{0,6}[!?.*#$]{0,3})")


def is_weak(value: str) -> bool:
    """A word of the lists of leaked passwords, perhaps with digits after it."""
    found = _NUMBERED.fullmatch(value)
    if found is None or found[1].lower() not in WEAK:
        return False
    return len(found[1]) < len(value) or found[1].lower() not in SAID


def is_phrase(value: str) -> bool:
    """Words joined by one sign, none of which programs or sentences are made of: three or more,
    four where capitals or blanks could make it a title."""
    found = _PARTS.fullmatch(value)
    if found is None or not (value == value.lower() or value.title() == value):
        return False
    words = value.lower().split(found[1])
    least = 3 if value == value.lower() and found[1] != " " else 4
    return len(set(words)) >= least and not any(
        word in IDENTIFIERS or word in SAID or word in COMMON for word in words
    )


def is_human_password(value: str) -> bool:
    """A weak word, a phrase, a word with a year or the name of a stage, letters out of order."""
    return (
        is_weak(value)
        or is_phrase(value)
        or (value[:1].isupper() and _STAGE.fullmatch(value) is not None)
        or is_numbered_words(value)
        or is_gibberish(value)
        or is_generated(value)
    )


_SIGNS = frozenset("!@#$%^&*()[]{}<>?|~+;=`\"'\\")


def is_generated(value: str) -> bool:
    """`R5Q)$17wF()YP`: digits, both cases and signs, and less than half of it in syllables."""
    if not 8 <= len(value) <= 128 or " " in value or not _SIGNS.intersection(value[1:-1]):
        return False
    if not any(map(str.isdigit, value)) or value.lower() == value or value.upper() == value:
        return False
    letters = sum(map(str.isalpha, value))
    humps = (hump for hump in _HUMPS.findall(value) if len(hump) > 3)
    spoken = sum(len(hump) for hump in humps if _VOWELS.intersection(hump))
    return spoken * 2 <= letters and not is_code(value, whole=True)


_WORDS = re.compile(
    r"[!@#]?[A-Za-z]{2,16}(?:[-_.@#]?[A-Za-z]{2,16}){0,3}[-_.@#!]?[0-9]{1,4}[!?#.]{0,2}"
)


def is_numbered_words(value: str) -> bool:
    """`martin_2015`, `orbit-staple76`: words with a number after them, no step and no version."""
    if len(value) < 6 or _WORDS.fullmatch(value) is None:
        return False
    words = [word.lower() for word in _HUMPS.findall(value)]
    if any(word in COUNTED or word in SAID for word in words):
        return False
    return not all(word in IDENTIFIERS or len(word) < 3 for word in words)


def is_plain_word(value: str) -> bool:
    """A plain word that ends a phrase about a password, and does not describe one."""
    if not value.isalpha() or not value.isascii() or len(value) < 6 or value != value.lower():
        return False
    return value not in SAID and not value.endswith(SAID_ENDS) and not is_code(value)
