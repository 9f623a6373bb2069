"""Values assigned to a name that says secret, in whatever syntax."""

from __future__ import annotations

import re

from hookstream.redaction import field_names
from hookstream.redaction.classify.code import is_code, is_prose
from hookstream.redaction.classify.human import is_password
from hookstream.redaction.classify.random import is_random
from hookstream.redaction.extract.bare import bare
from hookstream.redaction.extract.block import scalar
from hookstream.redaction.extract.fit import fits_quoted, fitting, fitting_element
from hookstream.redaction.extract.values import (
    LIMIT,
    line_before,
    name_around,
    quoted,
    without_scheme,
)
from hookstream.redaction.filters.placeholder import is_placeholder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.redaction.extract.values import Spans


_HEADER = re.compile(r"[^\n\r\"'`\x00-\x08\x1b<>]+")

_FURTHER = re.compile(r"(?i)\bcookies?: ")


def header(text: str, position: int, name: str) -> Spans:
    """The rest of a header's line, up to the quote that holds it; the scheme's word stays."""
    stop = min(len(text), position + LIMIT)
    if "cookie" in name:  # a further one on the line is read from its own place
        further = _FURTHER.search(text, position, stop)
        stop = further.start() if further is not None else stop
    match = _HEADER.match(text, position, stop)
    if match is None:
        return []
    start, end = match.span()
    if "cookie" in name:
        return cookies(text, start, end)
    signed = text.find("Signature=", start, end)
    start = signed + 10 if signed >= 0 else start
    scheme_start = start
    start = without_scheme(text, start, end)
    while end > start and text[end - 1] in " \t,;)}]\\":
        end -= 1
    value = text[start:end]
    word = value.split(" ", 1)[0]
    if start > scheme_start and "=" not in word[:-2]:
        end = start + len(word)
        value = word
    if (value.isalpha() and len(value) < 8) or value[:1] in ("(", "!"):  # Basic realm
        return []
    if is_placeholder(value) or is_code(value) or (is_prose(value) and not is_random(word)):
        return []
    if start == scheme_start and not any(char.isdigit() for char in value) and len(value) < 20:
        return []
    return [(start, end)]


_COOKIE = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]{1,64})=([^;\s,\"']+)")
_ATTRIBUTES = frozenset(
    "path domain expires max-age samesite httponly secure priority partitioned version".split()
)


def cookies(text: str, start: int, end: int) -> Spans:
    """The values of cookies, not their names nor their attributes."""
    return [
        cookie.span(2)
        for cookie in _COOKIE.finditer(text, start, end)
        if cookie[1].lower() not in _ATTRIBUTES
        and not is_placeholder(cookie[2])
        and len(cookie[2]) >= 6
    ]


# Signs outside ASCII that point from a name to its value.
ARROWS = frozenset(
    "\u2192 \u21d2 \u2014 \u2013 \uff1a \uff1d \u2190 \u00e8 \u00e9 \u0454 \u306f \u662f \u4e3a "
    "\u2254 \u27f5 \u300d\u306f\u300c \u300f\u306f\u300e \u300d\u662f\u300c \u300d\uff1a\u300c "
    "\uff1a\u300c \u306f\u300c \u662f\u300c".split()
)


# Operators that assign as `:=` does: `.=`, `??=`, `<-`.
_ASSIGNING = re.compile(r"[.:?|&/*<>~^+]{1,3}=(?!=)|=:|:-|<{1,2}[-~]|~>|=~|<=>")


def assignment(text: str, match: re.Match[str]) -> Spans:
    """The value after `name =`, `name:`, `"name": `, `name => `, `<name>` and their kin."""
    name, first = name_around(text, match.start(), match.end())
    weight = field_names.sensitivity(name)
    sign = _ASSIGNING.sub(":=", match[1] or "", count=1)
    if weight == field_names.NONE or _is_arn(text, first) or _SETTINGS.match(text, match.end()):
        return []
    if not sign.isascii() and sign.strip() not in ARROWS:
        return []
    position = match.end()
    if text[position : position + 1] in _QUOTES and _is_label(text, first, position):
        return []
    if sign.endswith(">") and sign.strip() not in ("=>", "->"):
        return _element(text, position, name, weight)
    bars = sign.strip(" ")
    if bars in ("|", "||", "\t"):
        return _cell(text, position, first, sign, name)
    if text.startswith("[", position) and not text.startswith(("[REDACTED", "[]byte("), position):
        return _listed(text, position + 1, weight, name)
    value = quoted(text, _opening(text, position))
    if value is not None:
        return _quoted(text, value, name, weight, sign)
    tagged = _TAGGED.match(text, position)
    position = tagged.end() if tagged is not None else position
    return _unquoted(text, position, first, name, weight, sign)


_QUOTES = ("'", '"', "`")
_LABEL = re.compile(r"(?:^|[\s:=(\[{,?])([\"'`])(?:[A-Za-z]{1,16} ){0,4}\Z")
_AFTER_LABEL = re.compile(r"[\s,;:)\]}+]|\Z")


def _is_label(text: str, first: int, position: int) -> bool:
    """Return whether the quote at a position closes a text that is shown: `"New password:"`."""
    label = _LABEL.search(line_before(text, first))
    is_closed = label is not None and label[1] == text[position]
    return is_closed and _AFTER_LABEL.match(text, position + 1) is not None


# A connection string: its own names say which of its values is a secret.
_SETTINGS = re.compile(
    r"(?i)\\{0,7}[\"']?(?:server|data source|endpoint|defaultendpointsprotocol|accountendpoint"
    r"|driver|user id|uid|provider|network address|blobendpoint|initial catalog|hostname|host"
    r"|database)=[^;=\n]{1,256};[A-Za-z ]{2,32}="
)
_TAGGED = re.compile(
    r"(?:(?:&|!!|!(?=str|unsafe|binary))[A-Za-z][\w-]{0,40}[ ]){1,2}"
)  # `&anchor` and `!!str` of YAML


def _opening(text: str, position: int) -> int:
    """The start of a quoted value: after the type YAML gives it, or in the braces around it."""
    tagged = _TAGGED.match(text, position)
    position = tagged.end() if tagged is not None else position
    inner = _INNER.match(text, position)
    return inner.end() if inner is not None else position


_COMMAND = re.compile(r"[a-z][\w./-]{1,80}[ ]")  # NAME=`command argument`


def _quoted(text: str, value: tuple[int, int, int], name: str, weight: int, sign: str) -> Spans:
    """A quoted value, and the new one if a plan shows both."""
    start, end, after = value
    if _is_cookie(name):
        return cookies(text, start, end)
    if text[start - 1] == "`" and sign in ("=", "?=") and _COMMAND.match(text, start, end):
        return []
    changed = _changed(text, after, name, weight)
    if not fits_quoted(text[start:end], name, weight, sign):
        return changed
    start = without_scheme(text, start, end)
    return changed if is_placeholder(text[start:end]) else [(start, end), *changed]


def _unquoted(text: str, position: int, first: int, name: str, weight: int, sign: str) -> Spans:
    """A block of YAML, a header's value, a word."""
    if sign.rstrip().endswith(":") and text[position : position + 1] in ("|", ">"):
        return scalar(text, position, len(text))[0]
    lowered = name.lower()
    if "authorization" in lowered or _is_cookie(name):
        return header(text, position, lowered)
    return bare(text, position, first, name, weight, sign)


_INNER = re.compile(
    r"\([ \t]{0,4}\r?\n[ \t]{0,16}(?=[\"'])"
    r"|\([ \t]{0,4}(?=(?P<only>[\"'])[^\"'\n]{1,512}(?P=only)[ \t]{0,4}\))"
    r"|\{(?=(?P<braced>[\"'`])[^\"'`\n]{0,512}(?P=braced)\})"
    r"|\{[ \t\r\n]{0,32}(?:\"[a-z]{1,12}\": ?\"[a-z]{1,12}\", ?)?"
    r"\\{0,3}[\"'](?:value|defaultValue|default|example|S|string_value|stringValue)\\{0,3}[\"']"
    r"[ ]?:[ ]{0,2}(?=\\{0,3}[\"'])"
)


def _is_arn(text: str, first: int) -> bool:
    """Return whether the name is a part of an Amazon resource name or of a reference to a store:
    arn:aws:...:secret:prod/db, {{resolve:secretsmanager:db:SecretString:password}}."""
    before = text[max(0, first - 96) : first]
    return before[-1:] == ":" and ("arn:" in before or "{{resolve:" in before)


def _is_cookie(name: str) -> bool:
    return name.lower().endswith(("cookie", "cookies"))


_TO = re.compile(r"[ \t]{1,4}(?:->|\u2192|=>)[ \t]{1,4}")


def _changed(text: str, position: int, name: str, weight: int) -> Spans:
    """The new value if a plan shows both: `"old" -> "new"`."""
    to = _TO.match(text, position)
    return fitting(text, to.end(), name, weight, "=") if to is not None else []


_CELL = re.compile(r"[\"'`]?([^\s|\"'`]{3,512})[\"'`]?[ \t]{0,64}(?=\||\n|\Z)")


def _cell(text: str, position: int, first: int, sign: str, name: str) -> Spans:
    """The next cell of a table's row: `| password | value |`, or apart by a tab."""
    head = line_before(text, first).strip(" \t*`\"'")
    match = _CELL.match(text, position)
    if match is None:
        return []
    closed = text[match.end() : match.end() + 1] == "|"
    if "||" in sign and not line_before(text, first).lstrip().startswith("|"):
        return []
    if "|" in sign and not head and not closed:
        if "[ RECORD " not in text[max(first - 512, 0) : first]:  # psql -x
            return []
    elif "|" in sign and not (head.endswith("|") and closed):
        return []
    if "\t" in sign and head:
        return []
    is_number = match[1].isdigit() and len(head) < 2  # no | 7 | password | 12345678 |
    return [match.span(1)] if is_number or is_password(match[1]) else []


def _element(text: str, position: int, name: str, weight: int) -> Spans:
    """The text of an XML element that closes again, CDATA too."""
    for tag in ("<value>", "<string>"):
        position += len(tag) if text.startswith(tag, position) else 0
    if text.startswith("<![CDATA[", position):
        position += 9
        end = text.find("]]>", position, position + LIMIT)
    else:
        end = text.find("<", position, position + LIMIT)
        end = end if text.startswith("</", end) else -1
    if end < 0:
        return []
    return fitting_element(text, position, end, name, weight)


_CHECKED = frozenset(("required", "nullable", "sometimes", "confirmed", "string"))
_LISTED = re.compile(r"\[?([^\s\"'`<>,\[\]]{8,512})\]")


def _listed(text: str, position: int, weight: int, name: str) -> Spans:
    """Every string of a list."""
    spans: Spans = []
    for _ in range(64):
        while position < len(text) and text[position] in " \t\r\n,":
            position += 1
        value = quoted(text, position)
        if value is None:
            bare = _LISTED.match(text, position)
            if bare is not None and weight == field_names.STRONG and is_password(bare[1]):
                spans.append(bare.span(1))
            break
        start, end, position = value
        if text[start:end] in _CHECKED:  # ["required", "string", "min:8"]
            return []
        if fits_quoted(text[start:end], name, weight, ":"):
            spans.append((start, end))
    return spans
