"""Unquoted values after a name that says secret: how far they go, and what they are a part of."""

from __future__ import annotations

import re

from hookstream.redaction import field_names
from hookstream.redaction.classify.human import is_generated
from hookstream.redaction.classify.random import is_random
from hookstream.redaction.extract.fit import fits_bare, fits_password, fitting, is_piece
from hookstream.redaction.extract.values import BARE, JUDGED, WIDE, line_before, line_end, trim
from hookstream.redaction.filters.placeholder import is_placeholder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.redaction.extract.values import Spans


_NO_START = frozenset("\"'`<>$%({[&*|\\")  # quotes, placeholders, references
_NO_END = frozenset("\"'`>,;\\")


def to_line_end(text: str, position: int, stop: int, name: str) -> tuple[int, int] | None:
    """The span of a password up to the end of the line: a phrase of words, or a generated password
    whose quotes and brackets would end it elsewhere. None if it is neither."""
    value = _before_next(text[position:stop].rstrip())
    if _fills(value) or (value.count(" ") > 2 and fits_password(value, name)):
        return position, position + len(value)
    return None


def in_field(text: str, position: int, first: int, stop: int, sign: str) -> tuple[int, int] | None:
    """The span of a generated password that fills its field: it may hold any sign, and ends at the
    same blank, quote or semicolon that precedes the name: ` password=<value> `,
    `'password=<value>'`, `;Pwd=<value>;`."""
    if sign in ("=", ":=", "?="):
        before = text[first - 1 : first]
        if before == ";" and text.count('"', max(0, first - 256), first) % 2 == 0:
            before = ""  # in no string
        border = _BORDERS.get(before)
    else:
        border = _BORDERS[" "] if sign.endswith(": ") else None
    match = border.match(text, position, stop) if border is not None else None
    if match is None:
        return None
    value = _before_next(match[0])
    end = trim(text, position, position + len(value))
    return (position, end) if _fills(text[position:end]) else None


_BORDERS = {
    " ": re.compile(r"[^\s\x00-\x1f]{8,128}"),
    "\t": re.compile(r"[^\s\x00-\x1f]{8,128}"),
    "'": re.compile(r"[^\s'\x00-\x1f]{8,128}(?=')"),
    '"': re.compile(r"[^\s\"\\\x00-\x1f]{8,128}(?=\")"),
    ";": re.compile(r"[^\s;\"\x00-\x1f]{8,128}(?=[;\"]|$)"),  # Pwd=<value>;
    "": re.compile(r"[^\s;\x00-\x1f]{8,128}(?=;|$)"),
}
_NEXT = re.compile(r"[&;,][\w.-]{1,32}[=:]")


def _before_next(value: str) -> str:
    """The value before the next field: `<value>&name=`."""
    further = _NEXT.search(value)
    return value[: further.start()] if further is not None else value


def _fills(value: str) -> bool:
    """A generated password, where a name and a sign alone do not say that a value follows."""
    return value[:1] not in _NO_START and value[-1:] not in _NO_END and is_generated(value)


_FURTHER = re.compile(r"[&;,][\w.-]+=|[)\]},;|\\]$|[(\\]")
_APP_TOKEN = re.compile(r"\|[A-Za-z0-9_-]{20,64}")
_MORE = re.compile(r"[,;|(){}\[\]\\][^\s\"'`<>=:,&\x00-\x1f]{4,}|&[^\s\"'`<>=:,\x00-\x1f]{4,}")
# The default of a field: `Field(default="...")`.
_BY_NAME = re.compile(r"\([^\n\"']{0,80}?\b(?:default|value)[ ]?=[ ]?(?=[\"'])")
_COMPARED = ("==", "===", "!=", "!==")
LEAST = 3  # characters of a value that `fits_bare` takes
_MARGIN = " \t-+>#/*'\"\\["  # may precede a name that begins a line
_TITLE = re.compile(  # `Login Password = ...`, `set DB_PASSWORD=...`
    r"[ \t*>#+-]{0,8}(?:(?:[A-Z][A-Za-z0-9]{0,20} ){1,4}|(?:set|export|local|readonly) )"
)


def bare(text: str, position: int, first: int, name: str, weight: int, sign: str) -> Spans:
    """A word, or in a file of settings the rest of the line.

    `first` is where the name begins, `position` where the sign after it ends.
    """
    stop = line_end(text, position)
    is_default = text[first - 2 : first] == "${"
    tight = sign in ("=", "?=") or is_default
    head = line_before(text, first)
    starts_line = not head.strip(_MARGIN) or _TITLE.fullmatch(head) is not None
    position += 3 if text.startswith("%22", position) else 0
    is_password = field_names.is_password(name)
    if is_password:
        whole = to_line_end(text, position, stop, name) if starts_line else None
        whole = whole or in_field(text, position, first, stop, sign)
        if whole is not None:
            return [whole]
    wide = _is_wide(text, position, first, stop, name, sign, starts_line)
    match = (WIDE if wide else BARE).match(text, position, stop)
    if match is None or (sign.strip() in _COMPARED and not name.isupper()):
        return []
    by_name = _BY_NAME.match(text, match.end())
    if by_name is not None:
        return fitting(text, by_name.end(), name, weight, "=")
    start = match.start()
    stretch = match.end()
    if wide and '"' in head:  # a text within a text continues after its line's end
        newline = text.find("\\n", start, stretch)
        stretch = newline if newline > start else stretch
    value = text[start : trim(text, start, stretch)].removesuffix("%22")
    skipped, value = _inner(text, first, name, sign, value)
    start += skipped
    value = _whole(text, first, start, value, stop)
    end = start + len(value)
    if len(value) < LEAST or is_placeholder(value[:JUDGED]):
        return []
    if len(value) < 12 and text.startswith(("...", "\u2026"), end):  # sk-...
        return []
    after = text[end : end + 1]
    around = text[first - 1 : first] + after
    is_argument = not name.isupper() and any(map(around.__contains__, "(,)"))
    ends_line = text[end:stop].strip() in ("", "\\")
    value = value[:JUDGED]
    fits = not is_piece(value, sign, after) and fits_bare(
        value,
        name,
        weight,
        sign,
        whole=ends_line,
        tight=tight and not is_argument,
        alone=starts_line and ends_line,
    )
    return [(start, end)] if fits else []


def _is_wide(
    text: str, position: int, first: int, stop: int, name: str, sign: str, starts_line: bool
) -> bool:
    """Return whether brackets and commas are part of the value: a line of settings, NAME=value."""
    tight = sign in ("=", "?=")
    if not tight:
        return starts_line and sign.strip() in (":", "=", ":=", "?=", "+=")
    before = text[first - 1 : first]
    if starts_line and field_names.is_password(name):
        word = WIDE.match(text, position, stop)
        if word is not None and _FURTHER.search(word[0]) is None and not text[word.end() : stop]:
            return True
    if name.isupper() and (starts_line or before in (" ", "\t")):
        return True
    if not before or before not in "'\"":
        return False
    word = WIDE.match(text, position, stop)  # 'NAME=value' in quotes
    return word is not None and _FURTHER.search(word[0]) is None


def _inner(text: str, first: int, name: str, sign: str, value: str) -> tuple[int, str]:
    """The secret in the value, and how many characters precede it.

    Stars around it, the user's name and the sign of a default are removed; a message is not a
    secret.
    """
    if value.startswith("**") and value.endswith("**"):
        return 2, value[2:-2]
    paired = name.lower() in ("creds", "credentials", "logins")
    if paired and "/" in value[:32] and "//" not in value:  # user/password
        at = value.index("/") + 1
        return at, value[at:]
    if sign == ":" and text[first - 2 : first] == "${":
        if value[:1] in ("-", "="):  # ${NAME:-value}
            return 1, value[1:]
        if "." not in name:  # ${NAME:?message}
            return 0, ""
    return 0, value


def _whole(text: str, first: int, start: int, value: str, stop: int) -> str:
    """The value with what belongs to it, without the host that follows a URL's user."""
    value += _rest(text, start, start + len(value), stop)
    end = start + len(value)
    if text[end : end + 1] == "|" and value.isdigit():  # 123456789012345|...: an app's number
        further = _APP_TOKEN.match(text, end)
        value += further[0] if further is not None else ""
    if "@" in value and text[first - 3 : first] == "://":  # the user of a URL is called so
        value = value.rpartition("@")[0]
    return value


def _rest(text: str, start: int, end: int, stop: int) -> str:
    """Extend a random value to the next blank: generated ones hold any sign."""
    if text[end : end + 1] == "&" and text[start - 1 : start] in ("=", ":"):
        word = WIDE.match(text, start, stop)
        if word is not None and "=" not in word[0] and any(char.isdigit() for char in word[0]):
            return text[end : trim(text, end, word.end())]
    more = _MORE.match(text, end, stop)
    if more is None or not is_random(text[start:end]) or not is_random(text[start : more.end()]):
        return ""
    rest = text[end : trim(text, end, more.end())]
    varied = any(char.isdigit() for char in rest) and any(char.isalpha() for char in rest)
    return rest if varied and rest[1:2] not in ("n", "r", "u") else ""
