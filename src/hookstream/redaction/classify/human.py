"""Passwords that people think up (plain words, phrases, words with a year or a sign), and values
that may be a password where one is expected, whoever or whatever generated it."""

from __future__ import annotations

import re
from itertools import pairwise

from hookstream.redaction.classify.code import is_code
from hookstream.redaction.classify.random import is_random
from hookstream.redaction.filters.placeholder import is_placeholder
from hookstream.redaction.rules.compiled.words.code import COMMON, IDENTIFIERS
from hookstream.redaction.rules.compiled.words.passwords import COUNTED, SAID, SAID_ENDS, WEAK

# Per first letter the second ones that hardly ever follow it, counted over ten thousand words of
# manuals; pairs that German, French, Polish or Hungarian have are left out.
_SELDOM = dict(
    zip(
        "bcdfghijklmnpqrstuvwxyz",
        (
            "qx gjwx qx jqx jqvx bcfhjkpqvxz ijwy bfghjklmnqrtvwxyz bcjkmqx jqx fjqrvx qx jmqvwx "
            "abcdefghijklmnopqrstvwxyz jqx jx jqx jkquvwy bdfghjkmnpqtuvwxyz bdfgjkmpqtvwxyz "
            "bfghjklnqruvwxyz dfhjkquvx bcdfghjkmnpqrsvxy"
        ).split(),
        strict=True,
    )
)
_VOWEL_LETTERS = frozenset("aeiouy")


def is_gibberish(value: str) -> bool:
    """`pvifwpdsati`: seven letters and more of one case, in pairs that no word has."""
    if len(value) < 7 or not value.isalpha() or not value.isascii():
        return False
    lowered = value.lower()
    if value not in (lowered, value.upper()):
        return False
    odd = sum(second in _SELDOM.get(first, "") for first, second in pairwise(lowered))
    if odd >= 2:
        return True
    vowels = sum(char in _VOWEL_LETTERS for char in lowered)
    return odd == 1 and vowels * 5 < len(value)


_HUMPS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_VOWELS = frozenset("aeiouyAEIOUY")
_PARTS = re.compile(
    r"[A-Za-z][a-z]{2,11}([-_. ])[A-Za-z][a-z]{2,11}(?:\1[A-Za-z][a-z]{2,11}){1,10}"
)
_STAGE = re.compile(r"[A-Za-z]{4,16}[-_.](?:prod|dev|stage|staging|live|local|test|qa|root|admin)")
_NUMBERED = re.compile(r"([A-Za-z]{2,32}?)(?:[-_.!@#$*]?[0-9]{0,6}[!?.*#$]{0,3})")


def is_weak(value: str) -> bool:
    """A word of the lists of leaked passwords, perhaps with digits after it."""
    match = _NUMBERED.fullmatch(value)
    if match is None or match[1].lower() not in WEAK:
        return False
    return len(match[1]) < len(value) or match[1].lower() not in SAID


def is_phrase(value: str) -> bool:
    """Words joined by one sign, none of which programs or sentences are made of: three or more,
    four where capitals or blanks could make it a title."""
    match = _PARTS.fullmatch(value)
    if match is None or not (value == value.lower() or value.title() == value):
        return False
    words = value.lower().split(match[1])
    least = 3 if value == value.lower() and match[1] != " " else 4
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


SIGNS = frozenset("!@#$%^&*+~")
_UNIT = re.compile(
    r"(?i)v?[0-9][0-9.,]*[a-z%]{0,3}|[a-z]{1,12}[-_]?[0-9]{1,3}|[0-9]{1,4}[-x][a-z]{2,12}"
    # python3.12, img0042.png; what begins with a capital and counts on is a password: Copper911.x
    r"|[a-z]+[0-9]{1,2}[.,][a-z0-9.]*|(?-i:[a-z]+[0-9]{3,}[.,][a-z0-9.]*)"
)
_NUMBERED_WORD = re.compile(r"([a-z]{2,12})[-_]?[0-9][0-9-]{0,8}[a-z]{0,2}")


def is_password(value: str, *, plain: bool = False) -> bool:
    """Not prose, code or a port: made up by people, random, or digits and signs among letters.
    `plain`: only a password can be here, so that a plain word is one too."""
    if len(value) < 4 or value[0] in "/<({$" or " " in value or "://" in value:
        return False
    if value.startswith(("url(", "data:")):
        return False
    if is_placeholder(value) or "[REDACTED" in value:
        return False
    if is_human_password(value) or is_random(value) or (plain and is_plain_word(value)):
        return True
    if value.isdigit():
        return 6 <= len(value) <= 16
    has_more = any(char.isdigit() or char in SIGNS for char in value)
    has_letters = any(char.isalpha() for char in value)
    return has_more and has_letters and not is_unit(value) and not is_code(value)


_SIGN = re.compile(r"[^A-Za-z0-9\s]")


def is_chosen(value: str) -> bool:
    """Letters of both cases, two digits and a sign in eight characters or more: what a site asks
    people for, and hardly anything else is."""
    if not 8 <= len(value) <= 64 or not is_password(value) or value.count("/") or "@" in value:
        return False
    return (
        value.lower() != value != value.upper()
        and sum(map(str.isdigit, value)) > 1
        and _SIGN.search(value[1:]) is not None
        and not is_unit(value)
    )


def is_unit(value: str) -> bool:
    """A quantity, a version, a step or the name of an algorithm: digits, and no secret."""
    named = _NUMBERED_WORD.fullmatch(value.lower())
    return _UNIT.fullmatch(value) is not None or (named is not None and named[1] in COUNTED)
