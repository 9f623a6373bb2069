"""Secrets as people write them to one another: `the password is ...`."""

from __future__ import annotations

import re

from hookstream.redaction import field_names
from hookstream.redaction.classify.code import is_code
from hookstream.redaction.classify.human import is_chosen, is_human_password, is_password
from hookstream.redaction.classify.random import is_random, is_uuid
from hookstream.redaction.extract.assignment import ARROWS
from hookstream.redaction.extract.values import name_around, trim
from hookstream.redaction.filters.placeholder import is_placeholder
from hookstream.redaction.quotes import end_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.redaction.extract.values import Spans

# Words for secrets that no person thinks up; what follows them must look random.
_OTHER = tuple(
    "key token secret pin credential credentials ssel api sleutel nyckel nyckeln kkel kkelen gle "
    "glen avain kulcs cr\u00e8te priv\u00e9e chiave llave chave "
    "segreta secreta privada".split()
)
# Keys and codes that people think up.
_SPOKEN = ("wifi", "wlan", "wpa", "pre", "psk", "shared")
# After these a plain word is taken for a password: no list holds all that may describe one
# elsewhere.
_POINTING = (":", "=", "=>", "->", "is", "was", "to", "lautet")


def prose(text: str, match: re.Match[str]) -> Spans:
    """A value in a sentence: digits among letters or signs, a word that people take as password.

    The groups are the word that says secret, what links it to the value, a quote, the value.
    """
    for _ in range(3):  # PIN password is ...: the second word is the one
        if match[4].lower() not in _WORDS:
            break
        again = match.re.match(text, match.start(4))
        if again is None:
            return []
        match = again
    start, end = match.span(4)
    word, link = match[1].lower().lstrip("_"), _link(match[2])
    begin = match.start(1) + len(match[1]) - len(word)
    if text[begin - 1 : begin] in ("-", "_") and word.isascii():  # cache-key: the end of a name
        name, _ = name_around(text, begin, match.start(2))
        if field_names.sensitivity(name) == field_names.NONE:
            return []
    if text[begin - 7 : begin].lower() == "public ":
        return []
    if not link.isascii() and link not in ARROWS and not link.endswith("r"):  # är
        return []
    end = _clause_end(text, start, end_of(text, start, end), bool(match[3]))
    further = _NEW_LINE.search(text, start, end)
    end = further.start() if further is not None else end
    value = text[start:end]
    if not _may_be(value) or "</" in value:  # Key</td><td>...</td>
        return []
    if not link and _NAMED.match(value) is not None:
        return []
    if _MADE.search(match[2]) is not None and not is_password(value):  # password reset: failed
        return []
    user = _USER.match(value) if word.startswith("cred") else None
    if user is not None:  # credentials are admin:...
        start += user.end()
        value = text[start:end]
    closed = bool(match[3]) or _ENDS.match(text, end) is not None
    return [(start, end)] if _fits(value, word, link, bool(match[3]), closed) else []


def value_before_word(text: str, match: re.Match[str]) -> Spans:
    """A value before the word: `use ... as the db password`."""
    start, end = match.span(2)
    end = _clause_end(text, start, end, bool(match[1]))
    value = text[start:end]
    return [(start, end)] if is_password(value, plain=match[3].lower() == "as") else []


_NEW_LINE = re.compile(r"(?<=.{8})\\{1,4}[nr](?=[\w\[#-]{2})")  # of a text in a text
_MADE = re.compile(r" (?:created|generated|issued|reset|rotated|renewed|updated|below)\b")
_NAMED = re.compile(r"[A-Za-z_]{2,24}=")  # the next argument
_USER = re.compile(r"[A-Za-z][\w.@-]{1,32}[:/](?=[^/])")


_WORDS = frozenset("password passphrase passcode passwort token secret".split())
_ENDS = re.compile(r"[.,;!?)\]]*(?:\s*$|[ \t]*\r?\n|[.,;!?)](?:\s|$)|[\"'`*])")
_LINK = re.compile(r"(?:[:=]|=>|->|[^\x00-\x7f]{1,3})$")


def _link(group: str) -> str:
    """The link between a word and its value: the last of the text between them."""
    group = group.strip(" ,\t\u00a0\u202f")
    match = _LINK.search(group)
    if match is not None:
        return match[0]
    return group.rpartition(" ")[2]


def _clause_end(text: str, start: int, end: int, is_quoted: bool) -> int:
    """The end of the value: before the signs that end a clause, or the stars around it."""
    end = trim(text, start, end)
    while end > start and text[end - 1] in "!?" and not is_quoted:
        end -= 1
    return end - 2 if text[start:end].endswith("**") else end


def _may_be(value: str) -> bool:
    if len(value) < 5 or is_placeholder(value) or "://" in value or value[0] in "/~<$-=|([{":
        return False
    return value[0] not in "!%*#@&" or is_human_password(value)


def foreign_prose(text: str, match: re.Match[str]) -> Spans:
    """The first ASCII word after a word for secret in another script, if it looks like one."""
    start, end = match.span(1)
    for closing in "\"'`)]>":
        cut = text.find(closing, start, end)
        end = cut if cut > start else end
    end = trim(text, start, end)
    value = text[start:end]
    if len(value) < 5:
        return []
    is_last = _ends_sentence(text, match.start(), start, end)
    return [(start, end)] if is_password(value, plain=is_last) else []


# Signs and particles that a value follows.
_POINTS = tuple(
    ": = \uff1a \u306f \u662f \u4e3a \u70ba \uc740 \ub294 \u2014 \u300c \u300e \u201c".split()
)


def _ends_sentence(text: str, first: int, start: int, end: int) -> bool:
    """Return whether a sign or a particle points at a word, and the sentence ends with it."""
    pointed = text[first:start].rstrip(" \"'`(*").endswith(_POINTS)
    rest = text[end : end + 2].lstrip(" \"'`)*.")
    return pointed and (not rest or not rest[0].isascii() or rest[0] in "\r\n")


def _fits(value: str, word: str, link: str, is_quoted: bool, closed: bool) -> bool:
    """Return whether a value that `link` joins to `word` is a secret."""
    if is_random(value) and (link or word not in ("key", "pin")):
        return not is_code(value, whole=True)
    if word == "pass" and not link:  # tests pass
        return False
    if is_uuid(value):
        return bool(link) and word.endswith(("token", "secret", "api key", "access key"))
    if word == "pin" and value.isdigit():
        return bool(link) or 6 <= len(value) <= 8
    strong = not word.endswith(_OTHER) or word.startswith(_SPOKEN)
    if strong and (is_human_password(value) or is_chosen(value)):
        return True
    if not link or (link in ("-", ",") and not is_quoted):
        return False
    if (("key" in word or "token" in word) and not is_quoted) or value.count("/") > 1:
        return False
    return is_password(value, plain=strong and closed and link in _POINTING)
