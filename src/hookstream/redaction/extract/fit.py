"""Values under a secret's name that are one: nearly any string, but no code and no prose."""

from __future__ import annotations

import re

from hookstream.redaction import field_names
from hookstream.redaction.classify import human
from hookstream.redaction.classify.code import is_code, is_prose
from hookstream.redaction.classify.human import is_password
from hookstream.redaction.classify.random import is_random, is_uuid
from hookstream.redaction.extract.values import quoted
from hookstream.redaction.filters.placeholder import is_placeholder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.redaction.extract.values import Spans


def fits_quoted(value: str, name: str, weight: int, sign: str) -> bool:
    """A quoted value: `sign` is "(" where it is the argument of a call, "[(" where it may be no
    more than the next of a list of strings."""
    if len(value) < 3 or is_placeholder(value) or stands_in(value, name):
        return False
    if weight == field_names.WEAK:
        return is_random(value) or (len(value) >= 32 and value.isalnum() and not value.isalpha())
    if sign and not sign.strip() and "passw" not in name.lower():
        if name.isupper() and field_names.is_password(name):
            return is_password(value)
        return is_random(value) or is_uuid(value)
    if "(" in sign:
        return fits_password(value, name) or (len(value) >= 8 and is_password(value))
    if " " in value.strip():
        return not is_prose(value)
    return not is_code(value, whole=True) or fits_password(value, name)


def fitting(text: str, position: int, name: str, weight: int, sign: str) -> Spans:
    """The quoted value at a position, if it fits the name."""
    value = quoted(text, position)
    if value is None or not fits_quoted(text[value[0] : value[1]], name, weight, sign):
        return []
    return [value[:2]]


def fitting_element(text: str, start: int, end: int, name: str, weight: int) -> Spans:
    """The text of an XML element without the blanks around it, if it fits the name."""
    value = text[start:end].strip()
    if not fits_quoted(value, name, weight, ">"):
        return []
    start = text.index(value, start)
    return [(start, start + len(value))]


_COMMANDS = re.compile(
    r"(?:cat|echo|node|npm|npx|yarn|pnpm|python[0-9]?|bash|sh|tsx|bun|deno|php|pass|op|vault|aws|gcloud|kubectl|openssl|head|curl|security|gh|az|date|pwgen"
    r"|base64) [^\n]*|`[a-z][^`\n]*`"
)
_PICTURE = re.compile(
    r"(?i)(?:your|enter|insert|replace)[_-][a-z_-]+|\([a-z -]+\)|.*(?:\.{3}|\u2026)"
)


# What a store of secrets calls one, the pairs that say where one is, what follows an empty value,
# what a pattern replaces.
_POINTER = re.compile(
    r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*-(?:secrets?|credentials?|creds|tls|token|password)"
    r"|(?:[a-z][a-z_-]*/){1,5}[a-z][a-z0-9_-]*|[a-z][\w.-]*:/[\w./-]+|(?:String|Int|ID|Boolean|Float)[!?]|[a-z]{2,16}=[^,=]+,[a-z]{2,16}=.*|\.\*.*|\$\w+/"
)


def stands_in(value: str, name: str) -> bool:
    """A picture of a value: `YOUR_JWT_SECRET`, `(known after apply)`, `sk-...`, `cat token.txt`."""
    if value.lower() == name.lower() or _COMMANDS.fullmatch(value) is not None:
        return True
    if _POINTER.fullmatch(value) is not None and not is_random(value):
        return True
    plain = name.lower() in ("secret", "secrets", "credential", "credentials")
    if (
        plain
        and value.replace("_", "").isalpha()
        and field_names.sensitivity(value) == field_names.STRONG
    ):
        return True
    return _PICTURE.fullmatch(value) is not None


def fits_password(value: str, name: str) -> bool:
    """Return whether people would take that for a password, and the name says it is one."""
    if not field_names.is_password(name):
        if name.lower().endswith("secret") and human.is_weak(value):
            return True
        return sum(not char.isalpha() for char in value) > 2 and human.is_phrase(value)
    return human.is_human_password(value)


_FIELD = re.compile(r"[a-z_]{2,16}=")


def is_piece(value: str, sign: str, after: str) -> bool:
    """A piece of code: a call, an operator, a variable compared, the next field. `after` is the
    character after the value."""
    if after == "(" or (after in ("[", "{") and not is_random(value)):
        return True
    if value[0] in "=~(" or value[-1] in "[({":
        return True
    if value[0] == "!" and not any(char.isdigit() for char in value):
        return True
    if value.replace("_", "").isalpha() and sign.strip() in ("==", "===", "!=", "!=="):
        return True
    return sign.endswith(" ") and "=" in sign and _FIELD.match(value) is not None  # pw= host=db


def fits_bare(
    value: str, name: str, weight: int, sign: str, *, whole: bool, tight: bool, alone: bool
) -> bool:
    """An unquoted value. `whole`: its line ends with it. `tight`: after `=` without blanks, and no
    argument of a call. `alone`: its line holds nothing but the name and the value."""
    if stands_in(value, name):
        return False
    if is_random(value):
        return not is_code(value, whole=whole)
    if weight == field_names.WEAK:
        return False
    if fits_password(value, name):
        return True
    if is_code(value, whole=whole) or (not sign.isascii() and value.isalpha()):
        return False
    of_token = "token" in name.lower()
    if value.isdigit():
        return len(value) >= 4 and not of_token
    if value.replace("_", "").isalpha():
        is_attribute = name.startswith(("self.", "this.")) or ("=" in sign and of_token)
        is_word = alone and value.isalpha() and value.islower() and not is_attribute
        return len(value) >= 4 and (tight or is_word)
    return len(value) >= (3 if tight or alone else 6)
