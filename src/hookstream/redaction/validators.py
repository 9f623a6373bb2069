"""Checks a candidate must pass beyond its pattern: check digits, randomness, plain sense."""

from __future__ import annotations

import re

from hookstream.redaction.classify.human import is_password
from hookstream.redaction.classify.random import is_random
from hookstream.redaction.filters.placeholder import is_placeholder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def mixed(value: str) -> bool:
    """A token rather than a word, a name or a row of one sign: four different characters, and
    digits or both cases in its longest part."""
    if is_placeholder(value) or len(set(value)) < 4:
        return False
    body = max(value.replace("-", "_").split("_"), key=len)
    return any(char.isdigit() for char in body) or body.lower() != body != body.upper()


def cased(value: str) -> bool:
    """Digits and letters of both cases: no digest, where one has the token's form."""
    has_digit = any(char.isdigit() for char in value)
    return has_digit and value.lower() != value != value.upper() and not is_placeholder(value)


def not_mask(value: str) -> bool:
    return not is_placeholder(value)


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


def generated(value: str) -> bool:
    """No name: random, or letters with a sign that names do not have."""
    return is_random(value) or (is_password(value) and _OF_NAME.fullmatch(value) is None)


_OF_NAME = re.compile(r"[\w.@+\\-]+")


def digits(value: str) -> bool:
    """Digits, or more characters than a word has: no plain word, no number."""
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


def basic(value: str) -> bool:
    """Base64 of `user:password`."""
    from binascii import Error, a2b_base64

    try:
        text = a2b_base64(value.replace("-", "+").replace("_", "/") + "==").decode("utf-8")
    except (Error, ValueError):
        return False
    return ":" in text and text.isprintable() and len(text) >= 3


def grouped(value: str) -> bool:
    """Groups of letters and digits as WordPress gives out passwords: both cases, few words."""
    groups = value.split()
    odd = sum(
        any(char.isdigit() for char in group) or not (group.islower() or group.istitle())
        for group in groups
    )
    return odd * 2 >= len(groups) and value.lower() != value != value.upper()


def _national(name: str) -> Callable[[str], bool]:
    """A check of `national`, which is loaded when a number may be one: few texts hold any."""

    def check(value: str) -> bool:
        from hookstream.redaction import national

        return national.CHECKS[name](value)

    return check


# The names of `national.CHECKS`; a test holds them equal.
NATIONAL = (
    "aadhaar asmens-kodas at-svnr be-rrn bsn ch-ahv cn-ric cnp codice-fiscale cpf cpr curp dni egn "
    "fodselsnummer hetu hkid ie-pps itin luhn my-number nhs nino nir nric oib personnummer pesel "
    "pt-nif rodne-cislo rrn rut ssn steuer-id tckn tfn thai-id za-id"
).split()
CHECKS: dict[str, Callable[[str], bool]] = {
    "mixed": mixed,
    "cased": cased,
    "entropy": is_random,
    "word": not_mask,
    "jwt": jwt,
    "userinfo": userinfo,
    "digits": digits,
    "generated": generated,
    "connection": connection,
    "code": code,
    "wordlist": wordlist,
    "basic": basic,
    "grouped": grouped,
}
CHECKS |= {name: _national(name) for name in NATIONAL}
