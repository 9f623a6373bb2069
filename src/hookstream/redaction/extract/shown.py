"""Secrets where something shows them: below a sentence, beside a notice, in a list, in a call."""

from __future__ import annotations

import re

from hookstream.redaction import names
from hookstream.redaction.extract.handed import is_thought_up
from hookstream.redaction.extract.headers import cookies
from hookstream.redaction.extract.values import (
    SCHEMES,
    line_before,
    line_end,
    name_around,
    quoted,
    trim,
)
from hookstream.redaction.placeholders import is_placeholder
from hookstream.redaction.sense import is_code, is_random
from hookstream.redaction.validators import grouped as is_grouped
from hookstream.redaction.validators import is_uuid, jumbled, wordlist

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.redaction.extract.values import Spans

# What says that the value is another thing than the secret.
_OTHERS = re.compile(
    r"(?i)\b(?:hash(?:es)?|sha-?[0-9]+|md5|digest|checksum|commit|revision|fingerprint|public|cert"
    r"|certificate|etag|versions?|ids?|urls?|paths?|files?|names?|thumbprint|format|pattern|regex"
    r"|example|looks? like|command|run|running|called|type|cache|primary|foreign|partition|sort"
    r"|idempotency|dedupe?|object|lookup|trace|request|row|artifact|cursor|next|page|continuation"
    r"|encrypted|sealed|wrapped|host|signature|signed by)\b"
)
_DIGEST = re.compile(r"(?i)(?:sha-?[0-9]{1,3}|md5|h1|digest|sum)[\"']?[:=-]?\s?\Z")
_DIGESTED = re.compile(r"(?i)fingerprint|thumbprint|hash|digest|checksum|public|encrypted")
# A digest or a UUID, which may be an id as well.
_PLAIN = re.compile(r"[0-9a-f-]{16,128}|[0-9A-F-]{16,128}")
_WORD = re.compile(r"[^\s\"'`<>\\]+")
_GROUPED = re.compile(r"(?:[A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4}(?![A-Za-z0-9 ])")
_PHRASE = re.compile(r"(?:[a-z]{3,8} ){11,23}[a-z]{3,8}(?=[\s\"'`.\\]|\Z)")
_REST = re.compile(r"[\"'`*.,;!]{0,3}[ \t]*(?:\r?\n|\\{1,3}[nr\"]|[\"'}\]]|\Z)")


def is_opaque(value: str) -> bool:
    """Whether a word alone on its line can only be a token: random, a UUID, or short and mixed."""
    if is_placeholder(value) or "://" in value or is_code(value):
        return False
    if is_random(value) or is_uuid(value.lower()):
        return True
    body = value.rstrip("=")
    if len(body) >= 32 and not body.strip("0123456789abcdefghijklmnopqrstuvwxyz") and "=" in value:
        return True
    return 10 <= len(value) < 64 and jumbled(value) and _PARTS.fullmatch(value) is None


_POINTS = re.compile(r"(?i)[:?]|\b(?:below|follows|here)\b")


def _is_meant(text: str, match: re.Match[str], said: str) -> bool:
    """Whether a digest or a UUID below is the secret: the sentence points there, a service is
    named in it, or it ends with a variable's name."""
    head = text[match.start() : match.start(1)]
    if _POINTS.search(head) is not None or names.is_service(said):
        return True
    return names.kind(name_around(text, match.start(), match.start(1))[0]) == names.STRONG


# file.name-1.2, some/path, key=value: words of code that mix their signs as well.
_PARTS = re.compile(r"[\w@-]+(?:[./:@=][\w@-]*)+|[A-Za-z]+(?:[_-][A-Za-z]+)*(?:[_-]?[0-9]{1,4})?")


def announced(text: str, match: re.Match[str]) -> Spans:
    """The value alone on the line below a sentence that says what it is."""
    start = match.start(1)
    said = line_before(text, match.start()) + text[match.start() : text.find(":", match.start())]
    if _OTHERS.search(said) is not None or (match.start() and text[match.start() - 1].isalnum()):
        return []
    for several, fits in ((_PHRASE, wordlist), (_GROUPED, is_grouped)):
        found = several.match(text, start)
        if found is not None and fits(found[0]):
            return [found.span()]
    found = _WORD.match(text, start)
    if found is None or _REST.match(text, found.end()) is None:
        return []
    end = trim(text, start, found.end())
    value = text[start:end]
    spoken = names.is_password(match[0][:12].split(" ")[0].strip(":"))
    if _PLAIN.fullmatch(value) is not None and not _is_meant(text, match, said):
        return []
    fits_word = spoken and len(value) >= 6 and is_thought_up(value) and not is_code(value)
    return [(start, end)] if fits_word or is_opaque(value) else []


def output(text: str, match: re.Match[str]) -> Spans:
    """The word alone on the line below the command that prints it."""
    end = trim(text, *match.span(1))
    value = text[match.start(1) : end]
    if _REST.match(text, end) is None:
        return []
    fits = is_opaque(value) or (is_thought_up(value) and not is_code(value))
    return [(match.start(1), end)] if fits else []


_LABEL = re.compile(r"[ \t>|*]{0,8}(?:[A-Za-z][A-Za-z ]{1,40}:[ \t]{1,8})?[`\"']?")


def shown_once(text: str, match: re.Match[str]) -> Spans:
    """Words alone on their line, two lines above and two below a notice that they show no more."""
    spans: Spans = []
    plain = "clipboard" not in match[0].lower()
    begin = end = match.start()
    for _ in range(4):
        end = begin - 1
        if end <= 0:
            break
        begin = text.rfind("\n", max(0, end - 512), end) + 1
        if begin < match.start() and text[begin:end].strip():
            spans += _alone(text, begin, plain)
    at = match.end()
    for _ in range(4):
        at = line_end(text, at) + 1
        if at >= len(text):
            break
        spans += _alone(text, at, plain)
    return spans


def _alone(text: str, begin: int, plain: bool) -> Spans:
    """The word of a line that has no other; a digest or a UUID where `plain` ones may be meant."""
    label = _LABEL.match(text, begin)
    found = _WORD.match(text, label.end()) if label is not None else None
    if found is None or _REST.match(text, found.end()) is None:
        return []
    end = trim(text, found.start(), found.end())
    value = text[found.start() : end]
    if not plain and _PLAIN.fullmatch(value) is not None:
        return []
    return [(found.start(), end)] if is_opaque(value) else []


def concealed(text: str, match: re.Match[str]) -> Spans:
    """The value of a field that its store conceals."""
    value = quoted(text, match.end())
    if value is None or value[1] - value[0] < 3 or is_placeholder(text[value[0] : value[1]]):
        return []
    return [value[:2]]


def first_item(text: str, match: re.Match[str]) -> Spans:
    """The first item of the list below a header's name, without the scheme's word."""
    name, _ = name_around(text, match.start(), match.end())
    if names.kind(name) == names.NONE:
        return []
    start, end = match.end(), line_end(text, match.end())
    while start < end and text[start] in "\"'":
        start += 1
    while end > start and text[end - 1] in " \t\r\"'":
        end -= 1
    if "cookie" in name.lower():
        return cookies(text, start, end)
    scheme = SCHEMES.match(text, start, end)
    start = scheme.end() if scheme is not None else start
    value = text[start:end]
    if " " in value or not value or is_placeholder(value):
        return []
    fits = is_opaque(value) or (scheme is not None and any(map(str.isdigit, value)))
    return [(start, end)] if fits else []


_NUMBERED = re.compile(
    r"(?:[0-9]{1,2}[ \t]{0,2}[.:)]?[ \t]{1,3}[a-z]{3,8}[\s,|]{1,8}){11,23}"
    r"[0-9]{1,2}[ \t]{0,2}[.:)]?[ \t]{1,3}[a-z]{3,8}\b"
)


def numbered(text: str, match: re.Match[str]) -> Spans:
    """The words of a phrase with their numbers, twelve or more."""
    found = _NUMBERED.match(text, match.start(1))
    return [found.span()] if found is not None and wordlist(found[0]) else []


_ARGUMENT = re.compile(
    r"[ \t\r\n]{0,24}(?:[A-Za-z_]\w{0,24} ?[=:] ?)?[rbfu&]?[\"'`]([^\s\"'`]{0,512})[\"'`]"
)


_CLIENT = re.compile(
    r"(?i)(?:client|api|sdk)[.:>a-z_-]{0,12}!?\(|[.:](?:init|configure|authenticate)"
)


def constructed(text: str, match: re.Match[str]) -> Spans:
    """Random strings and UUIDs among the first two arguments of a client's constructor, or of a
    call named after a service."""
    head = line_before(text, match.start())[-48:] + match[0]
    called = head.rpartition(" ")[2] if "require(" not in match[0] else match[0]
    service = names.is_service(called)
    if _CLIENT.search(match[0]) is None and not service:
        return []
    spans: Spans = []
    at = match.end()
    for _ in range(2):
        found = _ARGUMENT.match(text, at)
        if found is None:
            break
        plain = _PLAIN.fullmatch(found[1]) is not None
        if len(found[1]) >= 16 and _is_token(found[1]) and (service or not plain):
            spans.append(found.span(1))
        if text[found.end() : found.end() + 1] != ",":
            break
        at = found.end() + 1
    return spans


def _is_token(value: str) -> bool:
    random = is_random(value) or is_uuid(value.lower())
    return random and not is_placeholder(value) and not is_code(value)


def said(text: str, match: re.Match[str]) -> Spans:
    """A token behind the words for it, unless others say that it is something else."""
    start, end = match.start(2), trim(text, *match.span(2))
    if _OTHERS.search(match[1].replace("\\n", " ")) is not None or text[start - 1] in "/-.":
        return []
    if _DIGESTED.search(line_before(text, match.start())[-80:]) is not None:
        return []
    if _DIGEST.search(text, max(0, start - 12), start) is not None:
        return []
    return [(start, end)] if _is_token(text[start:end]) else []


def opaque(text: str, match: re.Match[str]) -> Spans:
    """The first group, if it can only be a token."""
    start, end = match.start(1), trim(text, *match.span(1))
    return [(start, end)] if is_opaque(text[start:end]) else []


def of_service(text: str, match: re.Match[str]) -> Spans:
    """The first group, if a service's name stands before the bracket."""
    before = line_before(text, match.start()).rstrip("\"' \\=>:")
    if not names.is_service(before[-24:]) or not _is_token(match[1]):
        return []
    return [match.span(1)]


_LAST = re.compile(r"[^\s\"'`<>()]{10,512}\Z")


def subject_token(text: str, match: re.Match[str]) -> Spans:
    """The token before `is the ... key`."""
    found = _LAST.search(text, max(0, match.start() - 512), match.start())
    if found is None or _OTHERS.search(match[0]) is not None or not is_opaque(found[0]):
        return []
    return [found.span()]


def piped(text: str, match: re.Match[str]) -> Spans:
    """A random string handed to a pipe, no digest and no UUID."""
    value = match[1]
    return [match.span(1)] if is_opaque(value) and _PLAIN.fullmatch(value) is None else []
