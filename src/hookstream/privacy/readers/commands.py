"""Values handed to commands and calls: options, here-strings, stores of secrets."""

from __future__ import annotations

import re

from hookstream.privacy import names
from hookstream.privacy.placeholders import is_placeholder
from hookstream.privacy.readers.fit import fits_quoted
from hookstream.privacy.readers.values import (
    line_end,
    name_around,
    quoted,
    trim,
    without_scheme,
)
from hookstream.privacy.sense import is_code, is_random

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.privacy.readers.values import Spans

_WORD = re.compile(
    r"\\{0,3}(?:\"([^\"\n]{1,1024}?)\\{0,3}\"|'([^'\n]{1,1024})'"
    r"|([^\s\"'`<>|;&()\\\x00-\x1f][^\s\"'`<>|;&\x00-\x1f]{0,1023}))"
)
_PAIR = re.compile(
    r"([A-Za-z_][A-Za-z0-9_.-]{0,127})="
    r"([^\s\"'`;&|]{2,1024}|\"[^\"\n]{2,1024}\"|'[^'\n]{2,1024}')"
)
_BODY = re.compile(r"(?:--(?:body|value|secret-string)|-b|-v)[ =]{1,2}")
_LOOKING_UP = ("get", "rea", "loa", "fet", "has", "del", "fin")


def argument(text: str, match: re.Match[str]) -> Spans:
    """The shell word that stands after the match."""
    found = _WORD.match(text, match.end())
    if found is None:
        return []
    group = found.lastindex or 0
    start, end = found.span(group)
    if group == 3:
        end = trim(text, start, end)
    while end > start and text[end - 1] == "\\":
        end -= 1
    value = text[start:end]
    if len(value) < 2 or is_placeholder(value) or value.startswith("-"):
        return []
    if group == 3 and (is_code(value) or (_is_word(value) and "--" not in match[0])):
        return []
    return [(start, end)]


def _is_word(value: str) -> bool:
    return value.isalpha() and (value.islower() or value.istitle())


def flagged(text: str, match: re.Match[str]) -> Spans:
    """The word after a variable, where the name of that says secret."""
    return _by_name(text, match, match[1])


def _by_name(text: str, match: re.Match[str], name: str) -> Spans:
    weight = names.kind(name)
    if weight == names.NONE:
        return []
    spans = argument(text, match)
    if weight == names.WEAK:
        return [(start, end) for start, end in spans if is_random(text[start:end])]
    return spans


_OPTION = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-")
_BEFORE_OPTION = frozenset(" \t\r\n\"'`=([,|;&\\")


def option(text: str, match: re.Match[str]) -> Spans:
    """The word after `--some-secret`, where the whole option's name says secret."""
    first, last = match.start(), match.start()
    while first > 0 and text[first - 1] in _OPTION and match.start() - first < 64:
        first -= 1
    while last < match.end() and text[last] in _OPTION:
        last += 1
    if text[first] != "-" or (first > 0 and text[first - 1] not in _BEFORE_OPTION):
        return []
    return _by_name(text, match, text[first:last].strip("-"))


def called(text: str, match: re.Match[str]) -> Spans:
    """The string handed to a call that sets a secret, or put beside its name."""
    name, _ = name_around(text, match.start(), match.end())
    weight = names.kind(name)
    if weight == names.NONE or name[:3].lower() in _LOOKING_UP:
        return []
    start = match.end()
    while text[start - 1 : start] in ('"', "'", "`", "\\"):
        start -= 1
    value = quoted(text, start)
    if value is None:
        return []
    first, end, _ = value
    first = without_scheme(text, first, end)
    return [(first, end)] if fits_quoted(text[first:end], name, weight, "(") else []


def stored(text: str, match: re.Match[str]) -> Spans:
    """What a command hands to a store of secrets: NAME=value pairs, `--body value`, a last word."""
    end = line_end(text, match.end())
    command = match[0].lower()
    always = "secret" in command or "vault" in command
    spans: Spans = []
    for pair in _PAIR.finditer(text, match.end(), end):
        start, stop = pair.span(2)
        if text[start] in "\"'":
            start, stop = start + 1, stop - 1
        value = text[start:stop]
        if is_placeholder(value) or text[pair.start() - 1] == "-":
            continue
        if always or names.kind(pair[1]) == names.STRONG or is_random(value):
            spans.append((start, stop))
    body = _BODY.search(text, match.end(), end)
    if body is not None:
        spans += argument(text, body)
    if not spans and command.startswith(("aws configure", "npm config", "pulumi")):
        spans = _last_word(text, match[0], match.end(), end)
    return spans


def _last_word(text: str, command: str, start: int, end: int) -> Spans:
    """`set NAME value`: the value, if the name says secret or the value looks random."""
    words = [found.span() for found in re.finditer(r"[^\s\"']+", text[start:end])]
    if not words:
        return []
    first, last = words[-1][0] + start, words[-1][1] + start
    value = text[first:last]
    before = text[start + words[-2][0] : start + words[-2][1]] if len(words) > 1 else command
    name = before.split()[-1]
    if is_placeholder(value) or not (names.kind(name) == names.STRONG or is_random(value)):
        return []
    return [(first, last)]
