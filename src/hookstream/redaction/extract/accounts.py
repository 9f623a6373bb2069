"""Passwords beside the names of accounts: in maps and arrays, in columns of listings and markup."""

from __future__ import annotations

import re

from hookstream.redaction import names
from hookstream.redaction.extract.given import is_given
from hookstream.redaction.extract.handed import beside
from hookstream.redaction.extract.records import ROWS, fits, says
from hookstream.redaction.extract.values import line_end

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.redaction.extract.values import Spans

_PAIR = re.compile(
    r"[\s,(\[]{0,24}[\"']([\w.@-]{1,64})[\"'][ ]?(?:=>|:|,)[ ]?[\"']([^\"'\n]{3,128})[\"'][)\]]?"
)


def of_map(text: str, match: re.Match[str]) -> Spans:
    """The values of a map of users that may be passwords: no roles, names or addresses."""
    spans: Spans = []
    at = match.start() + len(re.split(r"[{(\[]", match[0], maxsplit=1)[0]) + 1
    for _ in range(ROWS):
        found = _PAIR.match(text, at)
        if found is None:
            break
        if not found[1].islower() or found[1] in _FIELDS or names.kind(found[1]) != names.NONE:
            return []
        if _OTHER.fullmatch(found[2]) is None:
            spans += beside(text, found)
        at = found.end()
    return spans


# Keys of a record, not names of users; ids, times and the like.
_FIELDS = frozenset(
    "id uid uuid name username login email mail role roles type kind status state created updated "
    "url href self link title key value host group groups description label first last path".split()
)
_OTHER = re.compile(r"[0-9a-fA-F-]{8,64}|[0-9]{4}-[0-9]{2}.*|[^\s]*[@:/][^\s]*|[\w-]*_[\w-]*")


_ITEM = re.compile(r"\"([^\"\n]{3,128})\"|'([^'\n]{3,128})'")


def of_array(text: str, match: re.Match[str]) -> Spans:
    """Every string of an array."""
    found = (item.span(item.lastindex or 0) for item in _ITEM.finditer(text, *match.span(1)))
    return [(start, end) for start, end in found if is_given(text[start:end])]


_CELLS = re.compile(r"[^\s](?:[^\n ]| (?! ))*")


def headed(text: str, match: re.Match[str]) -> Spans:
    """The cells below a head whose columns are apart by two blanks and more."""
    titles = _CELLS.findall(match[0].rstrip())
    number = next((n for n, title in enumerate(titles) if says(title)), -1)
    spans: Spans = []
    at = match.end()
    for _ in range(ROWS if number >= 0 else 0):
        end = line_end(text, at)
        cells = [found.span() for found in _CELLS.finditer(text[at:end].rstrip())]
        if len(cells) != len(titles):
            break
        first, last = cells[number]
        if fits(text[at + first : at + last], titles[number]):
            spans.append((at + first, at + last))
        at = end + 1
    return spans


def wiki(text: str, match: re.Match[str]) -> Spans:
    """The cells below a head of Jira (`||`) or Textile (`|_.`)."""
    titles = [title.strip(" *_") for title in re.split(r"\|\||\|_\.|\|", match[1])]
    titles = [title for title in titles if title]
    number = next((n for n, title in enumerate(titles) if says(title)), -1)
    spans: Spans = []
    at = match.end()
    for _ in range(ROWS if number >= 0 else 0):
        end = line_end(text, at)
        row = text[at:end].rstrip()
        parts = row.split("|")[1:]
        if not row.startswith("|") or len(parts) <= number:
            break
        value = parts[number].strip(" *{}")
        low = at + 1 + sum(len(part) + 1 for part in parts[:number])
        if value and fits(value, titles[number]):
            start = low + parts[number].index(value)
            spans.append((start, start + len(value)))
        at = end + 1
    return spans


_TITLE = re.compile(r"<th[\s>]", re.IGNORECASE)
_CELL = re.compile(r"<td[^<>]{0,80}>(?:<(?:code|tt|kbd|b)>)?([^<>]{0,256})<", re.IGNORECASE)


def html(text: str, match: re.Match[str]) -> Spans:
    """The cells of a table of HTML in the column whose title says password."""
    row = text.rfind("<tr", max(0, match.start() - 800), match.start())
    number = len(_TITLE.findall(text, max(row, 0), match.start())) if row >= 0 else 0
    spans: Spans = []
    at = text.find("<tr", match.end(), match.end() + 800)
    for _ in range(ROWS):
        if at < 0:
            break
        end = text.find("</tr", at, at + 4096)
        cells = list(_CELL.finditer(text, at, end)) if end > at else []
        if len(cells) <= number:
            break
        start, stop = cells[number].span(1)
        if fits(text[start:stop], "password"):
            spans.append((start, stop))
        at = text.find("<tr", end, end + 200)
    return spans
