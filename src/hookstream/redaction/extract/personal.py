"""Personal data whose extent or sense a pattern cannot say: addresses, phones, cards, accounts.

Digits are everywhere in what an agent handles, so what surrounds them decides: a part of an id, a
path, a fraction, a dump or a version is not a person's number.
"""

from __future__ import annotations

import re

from hookstream.redaction.checkdigits import IBAN_LENGTHS, luhn
from hookstream.redaction.checkdigits import iban as is_iban
from hookstream.redaction.checkdigits import phone as is_phone
from hookstream.redaction.extract.values import line_before, line_end

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.redaction.extract.values import Spans

_LOCAL = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._%+'-")
_REMOTE = re.compile(
    r"\b(?:ssh|scp|sftp|rsync|mosh|ssh-copy-id|ansible)\b(?:[ \t]+[^\s;|&]{1,128}){0,8}[ \t]+\Z"
)
_MESSAGE = re.compile(r"(?i)\b(?:message-id|in-reply-to|references):[^\n]{0,100}<[^<>\s]*\Z")
_ENDS_AUTHORITY = re.compile(r"[\s\"'<>/?#,;]")
# After `user@host`: a path there, a refusal, the rest of a prompt, a call of code.
_HOST_GOES_ON = re.compile(
    r":(?:[/~]|[\w.-]{1,64}/|[ ]Permission denied \()|\(|[ ][^\]\n]{1,64}\][#$]"
)


def email(text: str, match: re.Match[str]) -> Spans:
    """The address around an @ and a host name."""
    start, end = match.span()
    floor = max(0, start - 64)
    while start > floor and text[start - 1] in _LOCAL:
        start -= 1
    while start < match.start() and text[start] in ".'%-+":
        start += 1
    if text.startswith("<gt>", end) and text[end - 1] == "E":
        end -= 1  # E<lt>bob@example.comE<gt>: Perl's documentation
    value = text[start:end]
    if _REMOTE.search(line_before(text, start)) is not None:
        return []  # ssh user@host
    if _MESSAGE.search(text, max(0, start - 120), start) is not None:
        return []  # the id of a message, which looks like an address
    goes_on = _HOST_GOES_ON.match(text, end)
    if goes_on is not None and (goes_on[0][0] != " " or text[start - 1 : start] == "["):
        return []
    scheme = text.rfind("://", max(0, match.start() - 2048), match.start())
    if scheme >= 0 and _ENDS_AUTHORITY.search(text, scheme + 3, match.start()) is None:
        return []  # the user and password of a URL, whose host this is
    from hookstream.redaction.mail import is_of_person  # few texts have an address

    return [(start, end)] if start < match.start() and is_of_person(value) else []


_AT = re.compile(r"(?i)&#(?:64|x40);|&commat;|\\u0040|[ ]?[\[({<][ ]?at[ ]?[\])}>][ ]?|[ ]at[ ]")
_DOT = re.compile(r"(?i)[ ]?[\[({<][ ]?dot[ ]?[\])}>][ ]?|[ ]dot[ ]")


def spelt_email(text: str, match: re.Match[str]) -> Spans:
    """An address whose signs are words: `name [at] host dot org`."""
    from hookstream.redaction.mail import is_of_person

    address = _AT.sub("@", _DOT.sub(".", match[0]))
    return [match.span()] if is_of_person(address) else []


# What a number is joined to when it is a part of something longer.
_JOINED_BEFORE = re.compile(r"([A-Za-z]*)[A-Za-z0-9_]*[-./]\Z|[\w)\]]\Z")
_JOINED_AFTER = re.compile(r"[-.]?\w")
_CARD_WORDS = frozenset("card cards cc pan visa mc mastercard amex discover jcb number no".split())
_GROUP_BEFORE = re.compile(r"(?<![0-9A-Za-z])[0-9A-Fa-f]{4} \Z")
_GROUP_AFTER = re.compile(r" (?!20[2-4][0-9]\b)[0-9A-Fa-f]{4}(?![0-9A-Za-z])")
_COUNTED = re.compile(
    r"(?:id|ids|hash|seed|nonce|offset|size|bytes|time|stamp|ts|ns|us|span|trace|seq|count"
    r"|version|build|serial)\\{0,3}[\"']?[ ]?[:=][ ]?\\{0,3}[\"']?\Z",
    re.IGNORECASE,
)


def card(text: str, match: re.Match[str]) -> Spans:
    """A payment card's number by itself; a code of three digits may follow."""
    start, end = match.span()
    value = match[0]
    signs = set(value) - set("0123456789")
    if len(signs) > 1:
        return []
    if not luhn(value):
        short = value[:-4]
        if not signs or not luhn(short) or len(short) < 16:
            return []
        end -= 4
    before = text[max(0, start - 64) : start]
    joined = _JOINED_BEFORE.search(before)
    if joined is not None and (joined[1] or "").lower() not in _CARD_WORDS:
        return []
    if _JOINED_AFTER.match(text, end) is not None or _COUNTED.search(before) is not None:
        return []
    if " " in signs and _in_dump(before, text, end):
        return []
    return [(start, end)]


def _in_dump(before: str, text: str, end: int) -> bool:
    """Return whether more groups of four digits adjoin these: a dump, a fingerprint, a table."""
    return _GROUP_BEFORE.search(before) is not None or _GROUP_AFTER.match(text, end) is not None


_QUAD = re.compile(r"\+?[0-9]{1,3}(?:\.[0-9]{1,3}){3}")
_DATE = re.compile(r"\+?(?:19|20)[0-9]{2}([-./]?)(?:0[1-9]|1[0-2])\1(?:0[1-9]|[12][0-9]|3[01])")
_BEFORE_PHONE = re.compile(r"[\w.\-/^*%)\]}]\Z")
_TRUNK = re.compile(r"(?:^|[^\w.-])\+?1[-. ]\Z")


def phone(text: str, match: re.Match[str]) -> Spans:
    """A number of E.164 or of North America that is not part of a version, a sum or a list."""
    start, end = match.span(1) if match.re.groups else match.span()
    value = text[start:end].replace("%20", " ")
    before = text[max(0, start - 8) : start]
    if not match.re.groups and value[0] != "(":
        if _BEFORE_PHONE.search(before) is not None and _TRUNK.search(before) is None:
            return []
        if _JOINED_AFTER.match(text, end) is not None:
            return []
    if _QUAD.fullmatch(value) is not None or _DATE.match(value) is not None:
        return []
    return [(start, end)] if is_phone(value) else []


_HEX_GROUPS = re.compile(r"(?:[0-9A-F]{4} ){3,}[0-9A-F]{1,4}")


def iban(text: str, match: re.Match[str]) -> Spans:
    """As many characters as the country's numbers have; words in capitals may follow."""
    group = match.lastindex or 0
    size = IBAN_LENGTHS.get(match[group][:2].upper(), 0)
    start = end = match.start(group)
    for char in match[group]:
        if not size:
            break
        end += 1
        size -= char not in " .-"
    value = text[start:end]
    if size or not is_iban(value) or text[end : end + 1].isalnum():
        return []
    if text[start - 1 : start] in ("+", "/", "=", "-") and " " not in value:
        joined = _JOINED_BEFORE.search(text[max(0, start - 64) : start])
        if joined is not None and not (joined[1] or "").lower().endswith(("iban", "account")):
            return []  # a piece of a base64 text or of an id
    if _HEX_GROUPS.fullmatch(value) and _in_dump(text[max(0, start - 8) : start], text, end):
        return []  # a fingerprint
    return [(start, end)]


# Words that say what else a number is: `part no. 219-09-9999`.
_OTHER = re.compile(
    r"(?i)\b(?:order|part|ticket|invoice|model|sku|serial|version|build|case|ref|tracking|item"
    r"|product|art|lot|batch|page|line|release)\b[\w .:#=\"'-]{0,12}\Z"
)
_DIGITS_BEFORE = re.compile(r"\b[0-9A-Fa-f]{0,7}[0-9][0-9A-Fa-f]{0,7} \Z")
_DIGITS_AFTER = re.compile(r" [0-9A-Fa-f]{0,7}[0-9][0-9A-Fa-f]{0,7}\b")
_LONGER = frozenset("_-/+\\@#%$")  # what joins a number to something longer


def number(text: str, match: re.Match[str]) -> Spans:
    """The match, if it is a number by itself: no part of a path, an id, a dump or a version, and no
    word before it says what else it is."""
    start, end = match.span()
    before, after = text[start - 1 : start], text[end : end + 1]
    if before in _LONGER or after in _LONGER or before == ".":
        return []
    if after == "." and text[end + 1 : end + 2].isdigit():
        return []
    if " " in match[0] and (
        _DIGITS_BEFORE.search(text, max(0, start - 9), start) or _DIGITS_AFTER.match(text, end)
    ):
        return []
    return [] if _OTHER.search(line_before(text, start)) is not None else [(start, end)]


# Words that say whose or what number it is, on its line.
_IDENTITY = re.compile(
    r"(?i)(?:\b|_)(?:ssns?|itin|social|taxpayer|tin|aadhaa?r|uidai|identity|national|citizen|passport"
    r"|patient|employee|applicant|born|dob)(?:\b|_)"
)
_AHEAD = 60  # characters after a number that may say so
_CELL = frozenset("\"'`,;|\t\n\r()[]{}<>\x1f")


def weak_number(text: str, match: re.Match[str]) -> Spans:
    """As `number`, for numbers with few check digits: a value or a cell by itself, or a line that
    has a word for identity."""
    spans = number(text, match)
    if not spans:
        return []
    start, end = spans[0]
    before = text[max(0, start - 2) : start].rstrip(" ")[-1:]
    after = text[end : end + 2].lstrip(" ")[:1]
    if (not before or before in _CELL or before in ":=") and (not after or after in _CELL):
        return spans
    ahead = text[end : min(line_end(text, end), end + _AHEAD)]
    label = _IDENTITY.search(line_before(text, start)) or _IDENTITY.search(ahead)
    return spans if label is not None else []
