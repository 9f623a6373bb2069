"""Letters as no language and no program joins them: what a generator or a keyboard gives."""

from __future__ import annotations

from itertools import pairwise

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
_VOWELS = frozenset("aeiouy")


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
    vowels = sum(char in _VOWELS for char in lowered)
    return odd == 1 and vowels * 5 < len(value)
