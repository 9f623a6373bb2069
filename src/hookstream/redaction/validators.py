"""Checks a candidate must pass beyond its pattern: check digits, randomness, plain sense."""

from __future__ import annotations

import re
from itertools import pairwise

from hookstream.redaction.checkdigits import cpf, dni, nir, phone_lengths, ssn, verhoeff
from hookstream.redaction.classify.random import class_of, is_random
from hookstream.redaction.filters.placeholder import is_placeholder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def mixed(value: str) -> bool:
    """Digits and letters both, and not too regular: a token rather than a word or a number."""
    if is_placeholder(value):
        return False
    has_digit = any(char.isdigit() for char in value)
    has_letter = any(char.isalpha() for char in value)
    return has_digit and has_letter and len(set(value)) > 3


def not_mask(value: str) -> bool:
    return not is_placeholder(value)


def phone(value: str) -> bool:
    """7 to 15 digits, not all the same; after `+` those of a country (E.164).

    Without blanks or dashes a sum can look the same, so there the country's lengths decide.
    """
    digits = "".join(char for char in value if char.isdigit())
    if not 8 <= len(digits) <= 15 or len(set(digits)) < 3:
        return False
    if value[0] != "+":
        return True
    lengths = phone_lengths()
    code = next((digits[:n] for n in (1, 2, 3) if digits[:n] in lengths), "")
    if code in ("1", "7"):
        return len(digits) == 11 and (code == "7" or digits[1] > "1")
    least, most = lengths.get(code, (99, 0))
    return bool(code) and (value[1:] != digits or least <= len(digits) - len(code) <= most)


def email(value: str) -> bool:
    """An address of a person; see mail.py."""
    from hookstream.redaction.mail import is_of_person  # few texts have an address

    return is_of_person(value)


def jwt(value: str) -> bool:
    """Its first part is base64url of a JSON object."""
    from binascii import Error, a2b_base64

    head = value.split(".", 1)[0]
    try:
        text = a2b_base64(head.replace("-", "+").replace("_", "/") + "===")
    except (Error, ValueError):
        return False
    last = value.rpartition(".")[2]
    return text.startswith(b"{") and last not in ("signature", "sig", "SIGNATURE", "xxx")


def userinfo(value: str) -> bool:
    """A password with odd characters in a URL: not a port and a path."""
    head = value.split("/", 1)[0]
    if value.lower() in ("pass", "passwd", "pw", "pwd"):  # user:pass@host
        return False
    return not is_placeholder(value) and not head.isdigit() and "://" not in value


def parameter(value: str) -> bool:
    """A query parameter's value that is no plain word or number."""
    if is_placeholder(value) or value.isdigit():
        return False
    return any(char.isdigit() for char in value) or len(value) >= 20


# What sudo writes to its log: "; PWD=/srv/scheduler ; USER=root"
_FOLDER = re.compile(r"~?(?:/[\w.-]{1,80}){1,12}/?|[~/]")


def connection(value: str) -> bool:
    value = value.strip()
    if _FOLDER.fullmatch(value) is not None:
        return False
    return len(value) >= 3 and not is_placeholder(value) and not value.endswith(("(", "()"))


def pair(value: str) -> bool:
    """Beside a user's name: digits with letters, and a sign or both cases; no version, no file."""
    letters = [char for char in value if char.isalpha()]
    varied = any(not char.isalnum() for char in value) or len({c.isupper() for c in letters}) > 1
    return (
        not is_placeholder(value)
        and any(char.isdigit() for char in value)
        and len(letters) > 1
        and (varied or is_random(value))
        and "." not in value[-6:]
    )


def netrc(value: str) -> bool:
    return not is_placeholder(value)


def wordlist(value: str) -> bool:
    """Twelve or more words as BIP 39 has them: no articles, few repeated."""
    words = value.lower().split()
    return len(set(words)) >= 8 and _NO_PHRASE.isdisjoint(words)


# Common words that the list of BIP 39 lacks; it has `that`, `this` and `you`.
_NO_PHRASE = frozenset(
    "the and for are has was not but its our from into have your with does been were which "
    "their would could should".split()
)


def code(value: str) -> bool:
    """A code to type in: no year, no round number, no HTTP status."""
    return len(value) >= 4 and value[:2] not in ("19", "20") and not value.endswith("000")


def bearer(value: str) -> bool:
    return not is_placeholder(value) and (any(char.isdigit() for char in value) or len(value) >= 24)


def basic(value: str) -> bool:
    """Base64 of `user:password`."""
    from binascii import Error, a2b_base64

    try:
        text = a2b_base64(value.replace("-", "+").replace("_", "/") + "==").decode("utf-8")
    except (Error, ValueError):
        return False
    return ":" in text and text.isprintable() and len(text) >= 3


def pgpass(value: str) -> bool:
    return not is_placeholder(value) and any(char.isdigit() for char in value)


def ssws(value: str) -> bool:
    """Okta tokens begin with 00 and mix cases and digits."""
    return mixed(value) and value.lower() != value and value.upper() != value


def plausible(value: str) -> bool:
    """Random enough to be no identifier: digits, or both cases, in its longest part."""
    body = max(value.replace("-", "_").split("_"), key=len)
    return any(char.isdigit() for char in body) or (body.lower() != body != body.upper())


_HUMPS = re.compile(r"[A-Z][a-z]{2,}|[a-z]{4,}|[A-Z]{4,}")


def jumbled(value: str) -> bool:
    """A short token: letters of both cases, digits or signs in turn, and no row of words.

    For values too short for `random`, where something else says that a token stands here.
    """
    if is_placeholder(value) or len(set(value)) < 6:
        return False
    kinds = [3 if char in "_.-" else class_of(char) for char in value]
    changes = sum(a != b for a, b in pairwise(kinds))
    return changes >= len(value) // 4 and sum(map(len, _HUMPS.findall(value))) * 4 < len(value) * 3


def grouped(value: str) -> bool:
    """Groups of letters and digits as WordPress gives out passwords: both cases, few words."""
    groups = value.split()
    odd = sum(
        any(char.isdigit() for char in group) or not (group.islower() or group.istitle())
        for group in groups
    )
    return odd * 2 >= len(groups) and value.lower() != value != value.upper()


CHECKS: dict[str, Callable[[str], bool]] = {
    "mixed": mixed,
    "entropy": is_random,
    "word": not_mask,
    "jwt": jwt,
    "ssn": ssn,
    "userinfo": userinfo,
    "parameter": parameter,
    "connection": connection,
    "netrc": netrc,
    "pair": pair,
    "bearer": bearer,
    "code": code,
    "wordlist": wordlist,
    "basic": basic,
    "pgpass": pgpass,
    "ssws": ssws,
    "plausible": plausible,
    "verhoeff": verhoeff,
    "jumbled": jumbled,
    "grouped": grouped,
    "cpf": cpf,
    "dni": dni,
    "nir": nir,
}
