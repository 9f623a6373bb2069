"""Values handed to commands and calls: options, here-strings, stores of secrets."""

from __future__ import annotations

import re

from hookstream.redaction import field_names
from hookstream.redaction.classify.code import is_code
from hookstream.redaction.classify.random import is_random, is_uuid
from hookstream.redaction.extract.fit import fits_quoted, stands_in
from hookstream.redaction.extract.values import (
    line_end,
    name_around,
    quoted,
    trim,
    unquoted,
    without_scheme,
)
from hookstream.redaction.filters.placeholder import is_placeholder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.redaction.extract.values import Spans

_WORD = re.compile(
    r"[\\@]{0,3}(?:\"([^\"\n]{1,1024}?)\\{0,3}\"|'([^'\n]{1,1024})'"
    r"|([^\s\"'`<>|;&()\\\x00-\x1f][^\s\"'`<>|;&\x00-\x1f]{0,1023}))"
)
_PAIR = re.compile(
    r"([A-Za-z_][A-Za-z0-9_.-]{0,127})="
    r"([^\s\"'`;&|]{2,1024}|\"[^\"\n]{2,1024}\"|'[^'\n]{2,1024}')"
)
_BODY = re.compile(r"(?:--(?:body|value|data|secret-string)|-v)[ =]{1,2}|[ ]-b[ =]{0,2}")
_ONE_COOKIE = re.compile(r"[A-Za-z_][\w.-]{0,63}=")
_LOOKING_UP = re.compile(r"(?:\w+[.>:-]+)*(?:get|read|load|fetch|has|delete|find)(?=[A-Z_(]|$)")


# Values put into a store of secrets next to them.
_PLAIN_NAMES = frozenset(
    "host hostname port user username name url uri endpoint region env environment ttl db database "
    "dbname driver engine cas mount address type backend secrets_backend".split()
)


def argument(text: str, match: re.Match[str]) -> Spans:
    """The shell word after the match."""
    word = _WORD.match(text, match.end())
    if word is None:
        return []
    group = word.lastindex or 0
    start, end = word.span(group)
    if group == 3:
        end = trim(text, start, end)
    while end > start and text[end - 1] == "\\":
        end -= 1
    if "chpasswd" in match[0]:  # user:password
        start = text.find(":", start, end) + 1 or start
    value = text[start:end]
    if len(value) < 2 or is_placeholder(value) or value.startswith("-"):
        return []
    is_other = is_code(value) if group == 3 else stands_in(value, "")
    return [] if is_other else [(start, end)]


def named_flag(text: str, match: re.Match[str]) -> Spans:
    """The word after a variable whose name says secret."""
    spans = _by_name(text, match, match[1])
    if not spans and match[1].isupper() and "PASS" in match[1]:
        value = _PLAIN.match(text, match.end())
        return [value.span(1)] if value is not None and not is_placeholder(value[1]) else []
    return spans


_PLAIN = re.compile(r"([a-z]{6,64})[ \t]*(?:$|\r?\n|;)")


_PART = re.compile(r"[^\r\n\x1f]{1,1024}")
_SPELT_END = re.compile(r"\\{1,15}[rn]")


def form_part(text: str, match: re.Match[str]) -> Spans:
    """The line below the header of a form's part whose name says secret."""
    weight = field_names.sensitivity(match[1])
    line = _PART.match(text, match.end())
    if weight == field_names.NONE or line is None:
        return []
    value = line[0]
    if match[0].endswith("n"):  # the ends of lines are spelt out
        value = _SPELT_END.split(value, maxsplit=1)[0]
    if is_placeholder(value) or (weight == field_names.WEAK and not is_random(value)):
        return []
    return [(line.start(), line.start() + len(value))]


def _by_name(text: str, match: re.Match[str], name: str) -> Spans:
    weight = field_names.sensitivity(name)
    if weight == field_names.NONE:
        return []
    spans = argument(text, match)
    if weight == field_names.WEAK:
        return [(start, end) for start, end in spans if is_random(text[start:end])]
    return spans


_BEFORE_OPTION = frozenset(" \t\r\n\"'`=([,|;&\\")


def option(text: str, match: re.Match[str]) -> Spans:
    """The word after `--some-secret`, if the complete option's name says secret."""
    name, first = name_around(text, match.start(), match.end())
    if text[first] != "-" or (first > 0 and text[first - 1] not in _BEFORE_OPTION):
        return []
    if "," in match[0] and text[match.end() : match.end() + 1] not in ("'", '"', "\\"):
        return []  # add_argument("--token", default=...)
    spans = _by_name(text, match, name)
    if spans and name.endswith(("auth", "creds")):  # user:password
        spans = [_behind_user(text, *span) for span in spans]
    if name == "secret-id":  # of AppRole a secret, of other stores a name
        return [
            span for span in spans if is_random(text[slice(*span)]) or is_uuid(text[slice(*span)])
        ]
    if name == "secret":  # config set --secret dbPassword value
        return [s for s in spans if not field_names.sensitivity(text[slice(*s)])]
    return spans


def _behind_user(text: str, start: int, end: int) -> tuple[int, int]:
    user, colon, password = text[start:end].partition(":")
    return (end - len(password), end) if colon and password and user.isalnum() else (start, end)


# withPassword("..."), password.equals("...")
_METHOD = re.compile(r"^with(?=[A-Z])|\.(?:set|equals|eq|assign|update|setValue|next|put|of)$")
_LISTED = re.compile(r"[\"'],\s{0,6}[\"']\Z")  # the name itself is in a list of strings


def named_call(text: str, match: re.Match[str]) -> Spans:
    """The string handed to a call that sets a secret, or put next to its name."""
    name, first = name_around(text, match.start(), match.end())
    name = _METHOD.sub("", name)
    weight = field_names.sensitivity(name)
    if weight == field_names.NONE or _LOOKING_UP.match(name) is not None:
        return []
    if text[first - 10 : first] == 'resource "':  # of Terraform: a kind and a name
        return []
    start = match.end()
    while text[start - 1 : start] in ('"', "'", "`", "\\"):
        start -= 1
    value = quoted(text, start)
    if value is None:
        return []
    name_at = first
    first, end, after = value
    if text[after : after + 1] == ":" and text[first - 1 : first] == '"':  # the next key of JSON
        return []
    pair = _ONE_COOKIE.match(text, first, end) if "cookie" in name.lower() else None
    first = pair.end() if pair is not None else first
    first = without_scheme(text, first, end)
    listed = match[1].strip() == "," and _LISTED.search(text, max(0, name_at - 8), name_at)
    sign = ("[(" if listed else "(") if match[1].strip() else " "
    return [(first, end)] if fits_quoted(text[first:end], name, weight, sign) else []


# Of a role or a release: durations, counts, versions.
_SETTING = re.compile(r"(?:[a-z0-9]+_)*(?:ttl|uses|period|version|etag|backend|region|interval)")


def store_write(text: str, match: re.Match[str]) -> Spans:
    """Values that a command hands to a store of secrets: NAME=value pairs, `--body value`, a last
    word.
    """
    end = line_end(text, match.end())
    command = match[0].lower()
    always = "secret" in command or "vault" in command
    spans: Spans = []
    for pair in _PAIR.finditer(text, match.end(), end):
        start, stop = unquoted(text, *pair.span(2))
        value = text[start:stop]
        if (
            is_placeholder(value)
            or text[pair.start() - 1] == "-"
            or pair[1].lower() in _PLAIN_NAMES
            or _SETTING.fullmatch(pair[1].lower()) is not None
        ):
            continue
        if always or field_names.sensitivity(pair[1]) == field_names.STRONG or is_random(value):
            spans.append((start, stop))
    body = _BODY.search(text, match.end(), end)
    if body is not None:
        spans += argument(text, body)
    if not spans and command.startswith(("aws configure", "npm config", "pulumi")):
        spans = _last_word(text, match[0], match.end(), end)
    return spans


_NO_QUOTES = str.maketrans("\"'", "  ")


def _last_word(text: str, command: str, start: int, end: int) -> Spans:
    """`set NAME value`: the value, if the name says secret or the value looks random."""
    line = text[start:end].translate(_NO_QUOTES)
    words = line.split()
    if not words:
        return []
    last = start + len(line.rstrip())
    first, value = last - len(words[-1]), words[-1]
    name = words[-2] if len(words) > 1 else command.split()[-1]
    if is_placeholder(value) or not (
        field_names.sensitivity(name) == field_names.STRONG or is_random(value)
    ):
        return []
    return [(first, last)]
