"""Values in the settings and the output of programs: below a name, after a word for secret."""

from __future__ import annotations

import re

from hookstream.redaction import field_names
from hookstream.redaction.classify.code import is_code
from hookstream.redaction.classify.random import is_random
from hookstream.redaction.extract.fit import fits_password, fits_quoted, is_plain_password
from hookstream.redaction.extract.values import line_before, name_around, trim
from hookstream.redaction.filters.placeholder import is_placeholder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.redaction.extract.values import Spans

_NAME = re.compile(r"[ \t]*(?:- )?[\"']?([A-Za-z0-9_.-]{1,80})[\"']?:[ \t]*\r?")
_ASKS = re.compile(
    r"(?:^|[$>#|&;)] ?)(?:(?:echo|printenv|jq|yq|po?|print|puts|cat|get|\w{2,16} (?:\w{1,16}[ :])?"
    r"(?:get|show|config|output|value|read))[ \t(][^\n]{0,80}|[>)] ?[\w.]{0,40})$"
    r"|(?:>|In \[[0-9]{1,4}\]:) [A-Za-z_][\w.]{0,40}[\[(]?[\"']?$"
)
_SIGNS = frozenset("!@#$%^&*+?")
LINES = 12  # that may stand between a parameter's name and its default


def setting_value(text: str, match: re.Match[str]) -> Spans:
    """The group where it is what people choose: digits, signs, a weak word; no word of prose."""
    start, end = match.span(1)
    end = trim(text, start, end)
    if text.count(":", start, end) == 2:  # host:user:password
        start = text.rindex(":", start, end) + 1
    value = text[start:end]
    if len(value) < 4 or is_placeholder(value) or "://" in value or value[0] in "<$({/-":
        return []
    from hookstream.redaction.classify import human

    if human.is_human_password(value) or is_random(value):
        return [(start, end)]
    if is_code(value) or value.isdigit():
        return []
    varied = any(char.isdigit() or char in _SIGNS for char in value)
    return [(start, end)] if varied and any(char.isalpha() for char in value) else []


def default_value(text: str, match: re.Match[str]) -> Spans:
    """`Default: value` of a parameter whose name stands above, less indented."""
    own = line_before(text, match.start())
    if own.strip(" \t"):
        return []
    margin = len(own)
    at = match.start() - margin - 1
    for _ in range(LINES):
        if at <= 0:
            return []
        line = line_before(text, at)
        named = _NAME.fullmatch(line)
        indent = len(line) - len(line.lstrip(" \t"))
        if line.strip() and indent < margin:
            if named is None or field_names.sensitivity(named[1]) != field_names.STRONG:
                return []
            start, end = match.span(1)
            end = trim(text, start, end)
            while text[start] in "\"'" and end > start + 1 and text[end - 1] == text[start]:
                start, end = start + 1, end - 1
            fits = fits_quoted(text[start:end], named[1], field_names.STRONG, ":")
            return [(start, end)] if fits else []
        at -= len(line) + 1
    return []


def list_item(text: str, match: re.Match[str]) -> Spans:
    """The value in the second column of a listing whose lines are a name and a value."""
    name, first = name_around(text, match.start(), match.end())
    if field_names.sensitivity(name) != field_names.STRONG or line_before(text, first).strip():
        return []
    if match.start(1) - first - len(name) > 64:
        return []
    return setting_value(text, match)


def form_part(text: str, match: re.Match[str]) -> Spans:
    """The body of a part of a form, whose name stands in its head."""
    name, first = name_around(text, match.start(), match.end())
    weight = field_names.sensitivity(name)
    value = match[1]
    if weight == field_names.NONE or not text[:first].endswith('name="'):
        return []
    return [match.span(1)] if fits_quoted(value, name, weight, ":") else []


def displayed_value(text: str, match: re.Match[str]) -> Spans:
    """What a command printed that was asked for a secret: the one word of the next line."""
    name, first = name_around(text, match.start(), match.end())
    if (
        field_names.sensitivity(name) == field_names.STRONG
        and text[first + len(name) :][:2].strip("\"'")[:1] == ":"
    ):
        value = match[1]
        below = text[match.start(1) - 1] in " \t" and fits_quoted(
            value, name, field_names.STRONG, "("
        )
        return [match.span(1)] if below and value[-1] != "," else []
    if (
        field_names.sensitivity(name) != field_names.STRONG
        or _ASKS.search(line_before(text, first)) is None
    ):
        return []
    start, end = match.span(1)
    value = text[start:end]
    if is_placeholder(value):
        return []
    if fits_password(value, name):
        return [(start, end)]
    if text[start - 1] in "\"'" and field_names.is_password(name) and is_plain_password(value):
        return [(start, end)]
    if is_code(value):
        return []
    varied = any(char.isdigit() for char in value) or any(char in _SIGNS for char in value)
    return [(start, end)] if varied and any(char.isalpha() for char in value) else []
