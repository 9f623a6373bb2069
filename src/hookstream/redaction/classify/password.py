"""Values that may be a password in a place for one, whoever or whatever made it."""

from __future__ import annotations

import re

from hookstream.redaction.classify.code import is_code
from hookstream.redaction.classify.human import is_human_password, is_plain_word
from hookstream.redaction.classify.random import is_random
from hookstream.redaction.filters.placeholder import is_placeholder
from hookstream.redaction.rules.compiled.words.passwords import COUNTED

SIGNS = frozenset("!@#$%^&*+~")
_UNIT = re.compile(
    r"(?i)v?[0-9][0-9.,]*[a-z%]{0,3}|[a-z]{1,12}[-_]?[0-9]{1,3}|[0-9]{1,4}[-x][a-z]{2,12}"
    # python3.12, img0042.png; what begins with a capital and counts on is a password: Copper911.x
    r"|[a-z]+[0-9]{1,2}[.,][a-z0-9.]*|(?-i:[a-z]+[0-9]{3,}[.,][a-z0-9.]*)"
)
_NUMBERED = re.compile(r"([a-z]{2,12})[-_]?[0-9][0-9-]{0,8}[a-z]{0,2}")


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
    named = _NUMBERED.fullmatch(value.lower())
    return _UNIT.fullmatch(value) is not None or (named is not None and named[1] in COUNTED)
