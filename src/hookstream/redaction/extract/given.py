"""Values in places that leave no doubt: whatever stands there is the secret, be it a plain word."""

from __future__ import annotations

import re

from hookstream.redaction import names
from hookstream.redaction.extract.values import line_before, line_end, trim
from hookstream.redaction.placeholders import is_placeholder
from hookstream.redaction.secret_options import OPTIONS_OF
from hookstream.redaction.sense import is_code, is_random

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.redaction.extract.values import Spans

LONGEST = 256  # characters a value in quotes may have
_BARE = re.compile(r"[^\s\"'`|;&<>\x1f][^\s\"'`|;&<>\x1f]{0,255}")
_OPENING = re.compile(r"[@rbL]?(\\{0,3})([\"'`])")


def is_given(value: str) -> bool:
    """Whether a value may be a secret where one stands for sure: no variable, mask or remark."""
    if len(value) < 3 or is_placeholder(value) or value.startswith(("[REDACTED", "--", "$(")):
        return False
    from hookstream.redaction.extract.passwords import is_said

    return not is_said(value) and any(map(str.isalnum, value))


def given(text: str, match: re.Match[str]) -> Spans:
    """Every group of the match, without quotes around it."""
    spans: Spans = []
    for group in range(1, match.re.groups + 1):
        start, end = match.span(group)
        if start < 0 or end - start < 3:
            continue
        if text[start] in "\"'`" and text[end - 1] == text[start]:
            start, end = start + 1, _closing(text, start + 1, text[start], end)
        elif text[start] in "\"'":
            start += 1
        if is_given(text[start:end]):
            spans.append((start, end))
    return spans


def told(text: str, match: re.Match[str]) -> Spans:
    """The groups, without the signs that end a clause."""
    return [(start, trim(text, start, end)) for start, end in given(text, match)]


def taken(text: str, match: re.Match[str]) -> Spans:
    """The word of a command that stands after the match, in quotes or bare."""
    return word_at(text, match.end())


def word_at(text: str, at: int) -> Spans:
    """The shell word at a position, if it is given as a value."""
    opening = _OPENING.match(text, at)
    if opening is not None:
        start = opening.end()
        if opening[1]:
            end = text.find(opening[1] + opening[2], start, start + LONGEST)
        else:
            end = _closing(text, start, opening[2], -1)
        if end < 0 or "\n" in text[start:end]:
            return []
        return [(start, end)] if is_given(text[start:end]) else []
    found = _BARE.match(text, at)
    if found is None or found[0][0] in "-@(":
        return []
    start, end = found.start(), trim(text, found.start(), found.end())
    while end > start and text[end - 1] in "\\)":
        end -= 1
    return [(start, end)] if is_given(text[start:end]) else []


def _closing(text: str, start: int, quote: str, known: int) -> int:
    """Where the string ends: behind quotes that are escaped, as `\\"` or as `'\\''` of a shell."""
    at, stop = start, min(len(text), start + LONGEST)
    while True:
        at = text.find(quote, at, stop)
        if at < 0:
            return known - 1 if known > 0 else -1
        if quote == "'" and text.startswith("\\''", at + 1):
            at += 4
            continue
        back = at
        while quote == '"' and back > start and text[back - 1] == "\\":
            back -= 1
        if (at - back) % 2 == 0:
            return at
        at += 1


_compiled: dict[str, re.Pattern[str]] = {}
_ENDS = (" | ", " && ", "; ", " || ")


def options(text: str, match: re.Match[str]) -> Spans:
    """The secrets among the options of a command, as many as it takes."""
    name = match[1]
    begun = (key for key in OPTIONS_OF if key[-1] == "*" and name.startswith(key[:-1]))
    places = OPTIONS_OF.get(name) or OPTIONS_OF.get(next(begun, ""), "")
    if not places:
        return []
    pattern = _compiled.get(places)
    if pattern is None:
        words = "|".join(re.escape(word) for word in places.split())
        pattern = _compiled[places] = re.compile(rf"[ \t](?:{words})(?:[ =]|(?<=:))")
    end = line_end(text, match.end(1))
    for sign in _ENDS:
        found = text.find(sign, match.end(1), end)
        end = found if found >= 0 else end
    spans: Spans = []
    for place in pattern.finditer(text, match.end(1), end):
        spans += [span for span in word_at(text, place.end()) if not _is_public(text, *span)]
    return spans


def _is_public(text: str, start: int, end: int) -> bool:
    """What SNMP calls everybody's, and what is no value but a file or a place."""
    value = text[start:end]
    return value in ("public", "private") or value[0] in "/@" or value.startswith(("env:", "file:"))


def named(text: str, match: re.Match[str]) -> Spans:
    """The second group, where the first is a name that says secret."""
    if names.kind(re.split(r"[:/]", match[1])[-1]) != names.STRONG:
        return []
    start, end = match.span(2)
    return [(start, end)] if is_given(text[start:end]) else []


_FOR_USER = re.compile(
    r"(?i)\b(?:u|usr|user|user_?name|login|name|email|mail)\b[^\n]{0,12}(?:[=(]|eq)[^\n]{0,60}$"
    r"|[\"'][^\"'\n]{1,60}[\"']\.equals\((?:u|usr|user|user_?name|login|name|email)\w{0,8}\)[^\n]{0,12}$"
)
_OPENS = re.compile(r"(?i)grant|access|auth|log_?in|unlock|admin|welcome|correct|success|passw")


def compared(text: str, match: re.Match[str]) -> Spans:
    """A string that something is compared with: a name for a password, or one beside a user's."""
    name, group = (match[1], 2) if match[1] else (match[4], 3)
    if not name and match.re.groups > 4:
        name, group = match[5], 6
    start, end = match.span(group)
    value = text[start:end]
    if not is_given(value) or is_code(value) or " " in value.strip():
        return []
    tail = name.rpartition(".")[2].rpartition(">")[2].strip("*&()[]0123456789")
    if tail == "p":
        fits = _FOR_USER.search(line_before(text, match.start())) is not None
    elif tail in ("pw", "pass") or (names.is_password(tail) and names.kind(tail) == names.STRONG):
        from hookstream.redaction.extract.fit import is_plain_password
        from hookstream.redaction.extract.handed import is_password

        fits = is_password(value) or is_plain_password(value)
    else:
        fits = "cmp" in match[0] and _OPENS.search(text, match.end(), match.end() + 120) is not None
        fits = fits and (is_random(value) or (value.isalnum() and len(value) > 5))
    return [(start, end)] if fits else []


def changed(text: str, match: re.Match[str]) -> Spans:
    """The old password and the new one: `changed the password from ... to ...`."""
    from hookstream.redaction.extract.handed import is_password
    from hookstream.redaction.extract.passwords import is_word_of_code

    spans = [(start, trim(text, start, end)) for start, end in given(text, match)]
    values = [text[start:end] for start, end in spans]
    if len(values) < 2 or any(is_code(v) or is_word_of_code(v) or len(v) < 4 for v in values):
        return []
    if any(map(is_password, values)):
        return spans
    return spans if all(value.isalpha() and len(value) > 5 for value in values) else []


_MARKUP = re.compile(r"(?m)^h[1-6]\. |^\|\||\{(?:code|noformat|panel)\b")


def in_braces(text: str, match: re.Match[str]) -> Spans:
    """`Password: {{...}}` in the markup of Jira, where braces are for code and not for a variable.

    Elsewhere they hold variables, so that only what can be none counts.
    """
    start, end = match.span(1)
    value = text[start:end]
    if not is_given(value) or names.kind(value) != names.NONE:
        return []
    if _MARKUP.search(text, max(0, start - 400), start) is not None:
        return [(start, end)]
    odd = any(char in "!@#$%^&*+?" for char in value) and any(map(str.isdigit, value))
    return [(start, end)] if odd or is_random(value) else []


def user_of_url(text: str, match: re.Match[str]) -> Spans:
    """A token as the only user of an address; none of Sentry, whose keys are public."""
    after = text[match.end() : match.end() + 64]
    host, _, path = after.partition("/")
    if "sentry" in after or path[:6].rstrip("\"' \n,;)").isdigit():
        return []
    return [match.span(1)] if host else []


_PROSE = re.compile(r"[ \t]+[a-z]{1,16}[ \t]+[a-z]{1,16}")


def directive(text: str, match: re.Match[str]) -> Spans:
    """The value of a directive: no community that is everybody's, no sentence about the word."""
    start, end = match.span(1)
    value = text[start:end]
    if value in ("public", "private", "none", "no") or not is_given(value):
        return []
    if value.islower() and value.isalpha() and _PROSE.match(text, end) is not None:
        return []
    return [(start, end)]


def keyed_link(text: str, match: re.Match[str]) -> Spans:
    """The word among the variables of a directive, which is no variable itself."""
    start, end = match.span(1)
    return [(start, end)] if text[start - 1] == " " and is_given(text[start:end]) else []


def salt(text: str, match: re.Match[str]) -> Spans:
    """Random characters of every kind, blanks and quotes among them."""
    value = match[1]
    signs = sum(not char.isalnum() and char != " " for char in value)
    return [match.span(1)] if signs > 2 and any(map(str.isdigit, value)) else []


def section_key(text: str, match: re.Match[str]) -> Spans:
    """A key below the name of what it is for; of sessions and cookies it may be a mere name."""
    from hookstream.redaction.extract.handed import is_password

    start, end = match.start(1) + 1, match.end(1) - 1
    value = text[start:end]
    if not is_given(value) or is_code(value):
        return []
    if match[0][:6].lower() in ("cookie", "sessio") and not is_password(value):
        return []
    return [(start, end)]


_SCHEME = frozenset(
    "hs256 hs384 hs512 rs256 es256 utf-8 utf8 ascii sha256 sha1 md5 hex base64".split()
)


def keyed(text: str, match: re.Match[str]) -> Spans:
    """The string that a call takes as a key or a passphrase, and a second one beside it."""
    spans = []
    for start, end in given(text, match):
        value = text[start:end]
        prose = " " in value and (len(value.split()) < 3 or (value[:1].isupper() and "." in value))
        if value.lower() in _SCHEME or prose or "%s" in value or value.endswith(":"):
            continue
        spans.append((start, end))
    if spans and match[0].startswith("BearerTokens"):
        further = _NEXT.match(text, spans[0][1])
        spans += [further.span(1)] if further is not None and is_given(further[1]) else []
    return spans


_NEXT = re.compile(r"\", ?(?:refreshToken = )?\"([^\"\n]{3,4096})\"")


def typed(text: str, match: re.Match[str]) -> Spans:
    """What is typed into a field, where the field's name says password."""
    head = match[0][: match.start(1) - match.start()].lower()
    if not any(word in head for word in ("pass", "pwd", "kennwort", "contrase", "senha", "pw")):
        return []
    return given(text, match)


def at_host(text: str, match: re.Match[str]) -> Spans:
    """The password of user:password@host; no path and no port behind a host's name."""
    start, end = match.span(1)
    behind = text[end : end + 1]
    value = text[start:end]
    return [(start, end)] if behind == "@" and is_given(value) and not value.isdigit() else []
