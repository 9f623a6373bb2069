"""Values apart from their names: in a column below, in the next element or line, or before."""

from __future__ import annotations

import re

from hookstream.redaction import field_names
from hookstream.redaction.classify.human import is_chosen, is_password
from hookstream.redaction.classify.random import is_random
from hookstream.redaction.extract.fit import fits_quoted, fitting_element
from hookstream.redaction.extract.values import line_before, line_end, name_around

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.redaction.extract.values import Spans

ROWS = 64  # rows of a table that are looked at below its head
_HEAD = re.compile(r"[ \t\"'`*]*[A-Za-z][\w .()\"'`*-]{0,40}[ \t]*")
_FIELD = re.compile(r"[a-z][a-z0-9_]*")  # as databases call their columns
_RULE = re.compile(r"[-+:|= \t]+")


def xml_element(text: str, match: re.Match[str]) -> Spans:
    """The text of the element after the one that holds the name."""
    name, _ = name_around(text, match.start(), match.end())
    weight = field_names.sensitivity(name)
    start = match.end()
    end = text.find("</", start, start + 2048)
    if weight == field_names.NONE or is_random(name) or end < 0 or text.find("<", start, end) >= 0:
        return []
    return fitting_element(text, start, end, name, weight)


def value_before_name(text: str, match: re.Match[str]) -> Spans:
    """A quoted value before its name."""
    weight = field_names.sensitivity(match[2])
    sign = "=" if match[0][:1] in "vV" else "("  # value="..." name="...", else a comparison
    return [match.span(1)] if weight and fits_quoted(match[1], match[2], weight, sign) else []


_LABEL = re.compile(r"[-#*>\s\[\"'`]{0,8}(?:[A-Za-z][A-Za-z'_.-]{0,24}[ ]){0,4}[A-Za-z_.-]{0,24}")


def line_below(text: str, match: re.Match[str]) -> Spans:
    """The value on the line below its label, which is all that its own line has."""
    label = text[match.start() : match.start(1)].partition("\n")[0]
    if _LABEL.fullmatch(line_before(text, match.start())) is None:
        return []
    name = label.strip(" \t\r:=>|+-\"'`*]").replace(" ", "_")
    for ending in ("_is", "_value", "_string", "_here", "_below"):
        name = name.removesuffix(ending)
    whole, _ = name_around(text, match.start(), match.start() + len(label))
    weight = max(map(field_names.sensitivity, (name, whole, name.removesuffix("s"))))
    if weight != field_names.STRONG:
        return []
    start, end = match.span(1)
    value = text[start:end]
    pointed = label.rstrip().endswith((":", "=")) and field_names.is_password(name)
    return [(start, end)] if is_random(value) or (pointed and is_chosen(value)) else []


def table_column(text: str, match: re.Match[str]) -> Spans:
    """The cells below a name that heads a column, in a table whose rows have as many cells."""
    name, first = name_around(text, match.start(), match.end())
    if field_names.sensitivity(name) == field_names.NONE:
        return []
    before = line_before(text, first)
    stop = line_end(text, first)
    head = before + text[first:stop].rstrip("\r")
    border = next((sign for sign in ("|", "\t", ";", ",") if sign in head), "")
    cells = head.split(border) if border else []
    number = before.count(border) if border else 0
    if not 2 <= len(cells) <= 64 or not all(
        _HEAD.fullmatch(cell) for cell in cells if cell.strip()
    ):
        return []
    if sum(bool(cell.strip()) for cell in cells) < 2:  # a list, one item per line
        return []
    above = line_before(text, first - len(before) - 1) if first > len(before) else ""
    if _is_row(above, border, len(cells), number):
        return []
    titles = [cell.strip() for cell in cells if cell.strip()]
    is_plain = all(map(_FIELD.fullmatch, titles)) and not all(map(field_names.sensitivity, titles))
    spans: Spans = []
    at = stop + 1
    for _ in range(ROWS):
        end = line_end(text, at)
        row = text[at:end]
        parts = _parts(row, border)
        if len(parts) != len(cells):
            if not spans and _RULE.fullmatch(row):  # ----+----
                at = end + 1
                continue
            break
        if not _RULE.fullmatch(row):
            low = at + sum(len(part) + 1 for part in parts[:number])
            spans += _cell(parts[number], low, field_names.is_password(name), is_plain)
        at = end + 1
    return spans


def _parts(row: str, border: str) -> list[str]:
    """The cells of a row; a border in quotes parts none, as CSV has it."""
    parts = row.split(border)
    if '"' not in row or border not in ",;":
        return parts
    cells: list[str] = []
    for part in parts:
        if cells and cells[-1].count('"') % 2:
            cells[-1] += border + part
        else:
            cells.append(part)
    return cells


def _is_row(above: str, border: str, size: int, number: int) -> bool:
    """Return whether the line above has a name that says secret in the same column: that is the
    head.

    A text whose every line looks like a head would else have 64 rows read for each of them.
    """
    cells = above.split(border)
    return (
        len(cells) == size
        and field_names.sensitivity(cells[number].strip(" \t\r\"'`*")) != field_names.NONE
    )


def _cell(part: str, low: int, of_password: bool, is_plain: bool) -> Spans:
    value = part.strip(" \t\r\"'`*")
    start = low + part.index(value)
    fits = is_password(value, plain=of_password and is_plain)
    return [(start, start + len(value))] if fits else []


_ASKS = re.compile(
    r"(?:^|[$>#|&;)] ?)(?:(?:echo|printenv|jq|yq|po?|print|puts|cat|get|\w{2,16} (?:\w{1,16}[ :])?"
    r"(?:get|show|config|output|value|read))[ \t(][^\n]{0,80}|[>)] ?[\w.]{0,40})$"
    r"|(?:>|In \[[0-9]{1,4}\]:) [A-Za-z_][\w.]{0,40}[\[(]?[\"']?$"
)


def displayed_value(text: str, match: re.Match[str]) -> Spans:
    """The output of a command that was asked for a secret: the one word of the next line."""
    name, first = name_around(text, match.start(), match.end())
    if field_names.sensitivity(name) != field_names.STRONG:
        return []
    start, end = match.span(1)
    value = match[1]
    if text[first + len(name) :][:2].strip("\"'")[:1] == ":":  # a field, its value below
        if text[start - 1] not in " \t" or value[-1] == ",":
            return []
        fits = fits_quoted(value, name, field_names.STRONG, "(")
    elif _ASKS.search(line_before(text, first)) is None:
        return []
    else:
        is_quoted = text[start - 1] in "\"'" and field_names.is_password(name)
        fits = is_password(value, plain=is_quoted)
    return [(start, end)] if fits else []
