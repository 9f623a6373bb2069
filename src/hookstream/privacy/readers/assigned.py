"""Values assigned to a name that says secret, in whatever syntax."""

from __future__ import annotations

import re

from hookstream.privacy import names
from hookstream.privacy.placeholders import is_placeholder
from hookstream.privacy.readers.fit import Style, fits_quoted, is_thought_up
from hookstream.privacy.readers.values import (
    BARE,
    JUDGED,
    LIMIT,
    WIDE,
    line_before,
    line_end,
    name_around,
    quoted,
    trim,
    without_scheme,
)
from hookstream.privacy.sense import is_code, is_prose, is_random

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.privacy.readers.values import Spans

# Signs outside ASCII that point from a name to its value.
ARROWS = frozenset(
    "\u2192 \u21d2 \u2014 \u2013 \uff1a \uff1d \u2190 \u00e8 \u00e9 \u0454 \u306f \u662f \u4e3a "
    "\u300d\u306f\u300c \u300f\u306f\u300e \u300d\u662f\u300c \u300d\uff1a\u300c "
    "\uff1a\u300c \u306f\u300c \u662f\u300c".split()
)


def assigned(text: str, match: re.Match[str]) -> Spans:
    """The value after `name =`, `name:`, `"name": `, `name => `, `<name>` and their kin."""
    name, first = name_around(text, match.start(), match.end())
    weight = names.kind(name)
    if weight == names.NONE or _is_arn(text, first):
        return []
    position = match.end()
    sign = match[1] or ""
    if "|=" in sign or ":*" in sign:  # token ||= "..." and **token:** ...
        sign = sign.strip(" \t|*")
    if not sign.isascii() and sign.strip() not in ARROWS:
        return []
    if sign.endswith(">") and sign.strip() not in ("=>", "->"):
        tagged = text[max(first - 1, 0) : first] in ("<", "/", ":")
        return _element(text, position, name, weight) if tagged else []
    if sign.strip(" ") in ("||", "??") and text[position : position + 1] in ("'", '"', "`"):
        return _default(text, position, name, weight)
    if sign.strip(" ") in ("|", "||", "\t"):
        return _cell(text, position, first, sign, name)
    if text.startswith("[", position) and not text.startswith("[REDACTED", position):
        return _listed(text, position + 1, weight, name)
    value = quoted(text, position)
    if value is not None:
        start, end, _ = value
        if "cookie" in name.lower():
            return _cookies(text, start, end)
        if not fits_quoted(text[start:end], name, weight, sign):
            return _changed(text, value[2], name, weight)
        start = without_scheme(text, start, end)
        spans = [] if is_placeholder(text[start:end]) else [(start, end)]
        return spans + _changed(text, value[2], name, weight)
    if sign.rstrip().endswith(":") and text[position : position + 1] in ("|", ">"):
        return _block(text, position)
    lowered = name.lower()
    if "authorization" in lowered or "cookie" in lowered:
        return _header(text, position, lowered)
    return _bare(text, position, first, name, weight, sign)


def _is_arn(text: str, first: int) -> bool:
    """Whether the name is a part of an Amazon resource name: arn:aws:...:secret:prod/db."""
    return text[first - 1 : first] == ":" and "arn:" in text[max(0, first - 96) : first]


def _bare(text: str, position: int, first: int, name: str, weight: int, sign: str) -> Spans:
    """An unquoted value: a word, or in a file of settings all that stands on the line."""
    stop = line_end(text, position)
    tight = sign in ("=", "?=")
    starts_line = line_before(text, first).strip(" \t-+>#/*'\"\\") == ""
    before = text[first - 1 : first]
    wide = (starts_line and not tight and sign.strip() in (":", "=")) or (
        tight and (starts_line or before in (" ", "\t")) and name.isupper()
    )
    position += 3 if text.startswith("%22", position) else 0
    found = (WIDE if wide else BARE).match(text, position, stop)
    if found is None:
        return []
    start = found.start()
    value = text[start : trim(text, start, found.end())].removesuffix("%22")
    value += _rest(text, start, start + len(value), stop)
    if text[start + len(value) : start + len(value) + 1] == "|" and value.isdigit():
        value += _app_token(text, start + len(value))
    if text[first - 3 : first] == "://" and "@" in value:  # the user of a URL is called so
        value = value.rpartition("@")[0]
    end = start + len(value)
    if not value or is_placeholder(value[:JUDGED]):
        return []
    after = text[end : end + 1]
    ends_line = text[end:stop].strip() in ("", "\\")
    style = Style(name, weight, sign, tight, starts_line, before, after, ends_line)
    return [(start, end)] if style.fits(value[:JUDGED]) else []


_TO = re.compile(r"[ \t]{1,4}(?:->|\u2192|=>)[ \t]{1,4}")


def _changed(text: str, position: int, name: str, weight: int) -> Spans:
    """The new value where a plan shows both: `"old" -> "new"`."""
    to = _TO.match(text, position)
    value = quoted(text, to.end()) if to is not None else None
    if value is None or not fits_quoted(text[value[0] : value[1]], name, weight, "="):
        return []
    return [value[:2]]


def _default(text: str, position: int, name: str, weight: int) -> Spans:
    """The string that stands in where a variable is not set: `process.env.TOKEN || "..."`."""
    value = quoted(text, position)
    if value is None or not fits_quoted(text[value[0] : value[1]], name, weight, "("):
        return []
    return [value[:2]]


_APP_TOKEN = re.compile(r"\|[A-Za-z0-9_-]{20,64}")


def _app_token(text: str, position: int) -> str:
    """What follows the number of an app: `123456789012345|...`."""
    found = _APP_TOKEN.match(text, position)
    return found[0] if found is not None else ""


_MORE = re.compile(r"[,;&|(){}\[\]\\][^\s\"'`<>=:,\x00-\x1f]{4,}")


def _rest(text: str, start: int, end: int, stop: int) -> str:
    """What follows a random value without a blank is part of it: generated ones hold any sign."""
    if text[end : end + 1] == "&" and text[start - 1 : start] == "=":
        word = WIDE.match(text, start, stop)
        if word is not None and "=" not in word[0] and any(char.isdigit() for char in word[0]):
            return text[end : trim(text, end, word.end())]
    more = _MORE.match(text, end, stop)
    if more is None or not is_random(text[start:end]) or not is_random(text[start : more.end()]):
        return ""
    rest = text[end : trim(text, end, more.end())]
    varied = any(char.isdigit() for char in rest) and any(char.isalpha() for char in rest)
    return rest if varied and rest[1:2] not in ("n", "r", "u") else ""


_CELL = re.compile(r"[\"'`]?([^\s|\"'`]{3,512})[\"'`]?[ \t]{0,64}(?=\||\n|\Z)")


def _cell(text: str, position: int, first: int, sign: str, name: str) -> Spans:
    """The next cell of a table's row: `| password | value |`, or apart by a tab."""
    head = line_before(text, first).strip(" \t*`\"'")
    found = _CELL.match(text, position)
    if found is None or is_placeholder(found[1]):
        return []
    if is_code(found[1]) and not is_thought_up(found[1], name):
        return []
    if "||" in sign and not line_before(text, first).lstrip().startswith("|"):
        return []
    if "|" in sign and (not head.endswith("|") or text[found.end() : found.end() + 1] != "|"):
        return []
    if "\t" in sign and head:
        return []
    fits = any(char.isdigit() for char in found[1]) and len(found[1]) >= 4
    fits = fits or is_thought_up(found[1], name)
    return [found.span(1)] if fits or is_random(found[1]) else []


def _element(text: str, position: int, name: str, weight: int) -> Spans:
    """The text of an XML element that closes again, CDATA too."""
    if text.startswith("<![CDATA[", position):
        position += 9
        end = text.find("]]>", position, position + LIMIT)
    else:
        end = text.find("<", position, position + LIMIT)
        end = end if text.startswith("</", end) else -1
    if end < 0:
        return []
    value = text[position:end]
    if not fits_quoted(value.strip(), name, weight, ">"):
        return []
    start = position + len(value) - len(value.lstrip())
    return [(start, start + len(value.strip()))]


def _fits_list(value: str, weight: int) -> bool:
    if is_placeholder(value) or is_code(value):
        return False
    varied = any(char.isdigit() for char in value) and any(char.isalpha() for char in value)
    return is_random(value) or (weight == names.STRONG and varied)


_LISTED = re.compile(r"([^\s\"'`<>,\[\]]{8,512})\]")


def _listed(text: str, position: int, weight: int, name: str) -> Spans:
    """Every string of a list."""
    spans: Spans = []
    for _ in range(64):
        while position < len(text) and text[position] in " \t\r\n,":
            position += 1
        value = quoted(text, position)
        if value is None:
            bare = _LISTED.match(text, position)
            if bare is not None and _fits_list(bare[1], weight):
                spans.append(bare.span(1))
            break
        start, end, position = value
        if fits_quoted(text[start:end], name, weight, ":"):
            spans.append((start, end))
    return spans


def _block(text: str, position: int) -> Spans:
    """A YAML block: the lines below that are indented deeper."""
    newline = text.find("\n", position, position + 16)
    if newline < 0:
        return []
    line = line_before(text, position)
    margin = len(line) - len(line.lstrip(" "))
    spans: Spans = []
    at = newline + 1
    while at < len(text) and at - position < LIMIT:
        end = line_end(text, at)
        line = text[at:end]
        body = line.strip()
        if body and len(line) - len(line.lstrip(" ")) <= margin:
            break
        if body and not is_placeholder(body):
            start = at + line.index(body[0])
            spans.append((start, start + len(body)))
        at = end + 1
    return spans


_HEADER = re.compile(r"[^\n\r\"'`\x00-\x08\x1b<>]+")


def _header(text: str, position: int, name: str) -> Spans:
    """The rest of a header's line, up to the quote that holds it; the scheme's word stays."""
    found = _HEADER.match(text, position, position + LIMIT)
    if found is None:
        return []
    start, end = found.span()
    if "cookie" in name:
        return _cookies(text, start, end)
    signed = text.find("Signature=", start, end)
    start = signed + 10 if signed >= 0 else start
    bare = start
    start = without_scheme(text, start, end)
    while end > start and text[end - 1] in " \t,;)}]\\":
        end -= 1
    value = text[start:end]
    word = value.split(" ", 1)[0]
    if start > bare and "=" not in word[:-2]:
        end = start + len(word)
        value = word
    if is_placeholder(value) or is_code(value) or (is_prose(value) and not is_random(word)):
        return []
    if start == bare and not any(char.isdigit() for char in value) and len(value) < 20:
        return []
    return [(start, end)]


_COOKIE = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]{1,64})=([^;\s,\"']+)")
_ATTRIBUTES = frozenset(
    "path domain expires max-age samesite httponly secure priority partitioned version".split()
)


def _cookies(text: str, start: int, end: int) -> Spans:
    """The values of cookies, not their names nor their attributes."""
    return [
        found.span(2)
        for found in _COOKIE.finditer(text, start, end)
        if found[1].lower() not in _ATTRIBUTES
        and not is_placeholder(found[2])
        and len(found[2]) >= 6
    ]
