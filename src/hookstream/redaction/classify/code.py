"""Classify a value without a format: prose, a piece of code, or random."""

from __future__ import annotations

import re

from hookstream.redaction.classify.random import is_random
from hookstream.redaction.rules.compiled.words.code import COMMON, KEYWORDS

_CHAIN = re.compile(r"[!&*]?[A-Za-z_$][\w$]*(?:(?:\.|->|::|\?\.)[A-Za-z_$#][\w$]*)+[;,]?")
_APPLIED = re.compile(r"(?:await |new )?[A-Za-z_$][\w$.:>?-]*[(\[]")
_CUT = re.compile(r"[\w\s\"'.,:$*&/=\\()\[\]{}-]*")
_BEHIND = re.compile(r"[)\]}](?![)\]}\[({.,;:!?>\s-]|$)")
_INSERTED = re.compile(r"[$#]\{[A-Za-z_@.]|\{\{.*\}\}|\{\{[- ]|\{\{$|_%[sd]$")
_GENERIC = re.compile(r"[A-Za-z_][\w.]*<[\w.<>, |\[\]?]*>[;,]?")
_PATH = re.compile(r"(?:[A-Za-z]:\\|~?/|\.{1,2}/)(?:[\w.@ -]+[/\\])*[\w.@ -]*")
_FILE = re.compile(
    r"[\w./\\-]{1,128}\.(?:pem|key|crt|cer|pub|p12|pfx|jks|json|ya?ml|txt|env|ini|conf|cfg|toml|asc|gpg"
    r"|der|csr|py|js|ts|tsx|sh|sql|xml|properties|md|html|go|rs|java|lock|log|vue|php|rb)"
)
_CLOSES = {"(": ")", "[": "]", "{": "}"}
_CMDLET = re.compile(
    r"(?:Get|Read|New|Set|ConvertTo|ConvertFrom|Invoke|Select|Import|Export|Test|Add)-[A-Z][A-Za-z]+"
)
_URL = re.compile(r"[a-z][a-z0-9+.-]{1,15}://[^\s@]*")
_IMAGE = re.compile(r"(?:sha(?:1|256|384|512)[-:])[A-Za-z0-9+/=]+")


def is_prose(value: str) -> bool:
    """Text for people: several words, some of them the commonest."""
    words = value.split()
    if len(words) < 2:
        return False
    plain = [word.strip(".,;:!?()'\"").lower() for word in words]
    if COMMON.intersection(plain):
        return True
    alphabetic = sum(word.isalpha() for word in plain)
    return len(words) <= 3 and alphabetic == len(words) and value[:1].isupper()


_CHOSEN = re.compile(r"[A-Z][a-z]{2,}[0-9]{2,}\.[A-Za-z0-9]{1,2}")  # Winter2026.x


def is_code(value: str, *, whole: bool = False) -> bool:
    """A name, a call, an index, a path, a URL without a password: where a value comes from.

    `whole`: nothing of it was cut off, so that a bracket which stays open is not of a call.
    """
    if value.lower().strip(";,.") in KEYWORDS:
        return True
    applied = _APPLIED.match(value)
    if applied is not None:
        return _is_applied(value, applied.end(), whole)
    if _CHAIN.fullmatch(value) is not None:
        return not is_random(value.replace(".", "")) and _CHOSEN.fullmatch(value) is None
    if _PATH.fullmatch(value) is not None:
        return not is_random(value.replace("/", "")) or "." in value.rpartition("/")[2]
    if _INSERTED.search(value) is not None or _FILE.fullmatch(value) is not None:
        return True
    if _CMDLET.fullmatch(value) is not None or _GENERIC.fullmatch(value) is not None:
        return True
    return _URL.fullmatch(value) is not None or _IMAGE.fullmatch(value) is not None


def _is_applied(value: str, opened: int, whole: bool) -> bool:
    """A call or an index, perhaps cut off; a password may hold a bracket, seldom in such order."""
    expected = [")" if value[opened - 1] == "(" else "]"]
    for char in value[opened:]:
        if char in _CLOSES:
            expected.append(_CLOSES[char])
        elif char in ")]}" and (not expected or expected.pop() != char):
            return False
    if _BEHIND.search(value, opened) is not None:
        return False
    if expected:
        if value[-1] in "([{,":
            return True
        return not whole and _CUT.fullmatch(value, opened) is not None and not is_random(value)
    return value[-1] in ")];,({" or not is_random(value)
