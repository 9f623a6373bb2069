"""Values told by their place in a row, a list or a dump, whose head says which are secrets."""

from __future__ import annotations

import re
from itertools import pairwise

from hookstream.redaction import names
from hookstream.redaction.extract.fit import is_plain_password
from hookstream.redaction.extract.given import is_given
from hookstream.redaction.extract.handed import is_password
from hookstream.redaction.extract.values import line_before, line_end, name_around
from hookstream.redaction.sense import is_random
from hookstream.redaction.validators import is_uuid

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.redaction.extract.values import Spans

ROWS = 64  # rows that are looked at below a head
_RULE = re.compile(r"[-+:|=* \t]+")
_CELLS = re.compile(r"[^\s](?:[^\n ]| (?! ))*")  # apart by two blanks and more


def says(name: str) -> bool:
    """Whether a column of that name holds a secret."""
    return names.kind(name) == names.STRONG or name.lower() in ("pw", "pass", "pwd", "secret")


def fits(value: str, name: str) -> bool:
    """Whether a cell of that column may be one."""
    if not is_given(value) or " " in value or len(value) < 4:
        return False
    if is_random(value) or is_uuid(value):
        return True
    if not names.is_password(name) and name.lower() not in ("pw", "pass"):
        return any(map(str.isdigit, value)) and len(value) >= 8
    plain = value[0] + value[1:].lower() == value and is_plain_password(value.lower())
    return is_password(value) or plain or (value.isdigit() and len(value) >= 6)


def selected(text: str, match: re.Match[str]) -> Spans:
    """The cells of what a database prints for columns that a query names."""
    columns = [
        re.split(r"(?i)\s+as\s+|\.", column.strip())[-1].strip(' `"[]')
        for column in match[1].split(",")
    ]
    wanted = [at for at, name in enumerate(columns) if says(name)]
    spans: Spans = []
    at = match.end()
    for _ in range(ROWS if wanted else 0):
        end = line_end(text, at)
        row = text[at:end]
        if not row.strip() or (end >= len(text) and not row):
            break
        if _RULE.fullmatch(row) is None:
            cells = _cut(row, len(columns))
            if cells is None:
                if spans:
                    break
            else:
                spans += [
                    (at + first, at + last)
                    for number in wanted
                    for first, last in [cells[number]]
                    if fits(row[first:last], columns[number])
                ]
        at = end + 1
    return spans


def _cut(row: str, size: int) -> list[tuple[int, int]] | None:
    """Where the cells of a row stand, if it has so many."""
    for border in ("|", "\t", ","):
        bare = row.strip(" \r")
        inner = row.rstrip(" \r")
        begin = 0
        if border == "|" and bare.startswith("|") and bare.endswith("|"):
            begin = row.index("|") + 1
            inner = inner[:-1]
        parts = inner[begin:].split(border)
        if len(parts) != size or (size == 1 and border != "|"):
            continue
        spans, at = [], begin
        for part in parts:
            value = part.strip(" \"'\r")
            first = at + (part.index(value) if value else 0)
            spans.append((first, first + len(value)))
            at += len(part) + 1
        return spans
    return None


def ruled(text: str, match: re.Match[str]) -> Spans:
    """The cells below a name in a table whose columns are apart by blanks, with a line drawn under
    its head: reStructuredText, sqlcmd, PowerShell."""
    name, first = name_around(text, match.start(), match.end())
    if not says(name):
        return []
    before = line_before(text, first)
    low = first - len(before)
    head = text[low : line_end(text, first)]
    columns = [found.span() for found in _CELLS.finditer(head)]
    number = next((n for n, (a, b) in enumerate(columns) if a <= len(before) < b), -1)
    at = line_end(text, line_end(text, first) + 1) + 1
    spans: Spans = []
    for _ in range(ROWS if number >= 0 and len(columns) > 1 else 0):
        end = line_end(text, at)
        row = text[at:end].rstrip("\r")
        if not row.strip() or _RULE.fullmatch(row) is not None:
            break
        cells = [found.span() for found in _CELLS.finditer(row)]
        if len(cells) != len(columns):
            break
        start, stop = cells[number]
        if fits(row[start:stop], name):
            spans.append((at + start, at + stop))
        at = end + 1
    return spans


def rows(text: str, match: re.Match[str]) -> Spans:
    """The secrets of a file of accounts whose head names its columns: ppp's chap-secrets, Exim's
    passwd.client."""
    head = match[1].strip().lower()
    border = ":" if ":" in head else ""
    titles = head.split(":") if border else head.split()
    number = next((n for n, title in enumerate(titles) if says(title.strip())), -1)
    spans: Spans = []
    at = match.end()
    for _ in range(ROWS if number >= 0 else 0):
        end = line_end(text, at)
        row = text[at:end]
        if not row.strip():
            break
        if not row.lstrip().startswith("#"):
            pattern = _BY_COLON if border else _BY_BLANK
            cells = [found.span() for found in pattern.finditer(row)]
            if len(cells) <= number or len(cells) > len(titles) + 1 or row[0] in " \t":
                break
            start, stop = cells[number]
            if border and number == len(titles) - 1:
                stop = len(row.rstrip())
            while start < stop and row[start] in "\"'" and row[stop - 1] == row[start]:
                start, stop = start + 1, stop - 1
            if is_given(row[start:stop]):
                spans.append((at + start, at + stop))
        at = end + 1
    return spans


_BY_COLON = re.compile(r"[^:\n]+")
_BY_BLANK = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'|[^\s\"']+")
_ACCOUNT = re.compile(
    r"[ \t]{1,24}(?:- )?[\"']?[A-Za-z_][\w.@-]{0,63}:([^\s]{3,256})[ \t\r]*$", re.MULTILINE
)
_KEY = re.compile(r"[ \t]{1,16}[a-z]{2,16}:[ \t]*[|>-]{0,2}[ \t\r]*$", re.MULTILINE)


def accounts(text: str, match: re.Match[str]) -> Spans:
    """`user:password`, a line each, below `chpasswd:` of cloud-init or in a here-document."""
    spans: Spans = []
    at = match.end()
    for _ in range(ROWS):
        end = line_end(text, at)
        found = _ACCOUNT.match(" " + text[at:end])
        if found is not None:
            start, stop = at + found.start(1) - 1, at + found.end(1) - 1
            if text[stop - 1] in "\"'":
                stop -= 1
            if is_given(text[start:stop]) and text[start:stop] != "RANDOM":
                spans.append((start, stop))
        elif spans or _KEY.match(text, at, end) is None:
            break
        at = end + 1
    return spans


def serialized(text: str, match: re.Match[str]) -> Spans:
    """The string of PHP behind its name; its length in bytes says where it ends."""
    if names.kind(match[1]) != names.STRONG:
        return []
    start = match.end()
    size = int(match[2])
    end = start + len(text[start : start + size].encode()[:size].decode(errors="ignore"))
    if text[end : end + 1] not in ('"', "\\"):
        end = text.find('"', start, start + 512)
    return [(start, end)] if end > start and is_given(text[start:end]) else []


_BYTE = re.compile(r"0x[0-9a-fA-F]{1,2}")
_KEYS = (16, 24, 32, 48, 64)


def bytes_of_key(text: str, match: re.Match[str]) -> Spans:
    """The bytes of a key, written one by one: not all alike, not counted up."""
    name = match[1]
    values = [int(byte, 16) for byte in _BYTE.findall(match[2])]
    if not 8 <= len(values) <= 128 or len(set(values)) * 2 < min(len(values), 32):
        return []
    steps = {b - a for a, b in pairwise(values)}
    if len(steps) < 3:
        return []
    sure = names.kind(name) == names.STRONG
    if not sure and not (name.lower() in ("key", "k", "secret") and len(values) in _KEYS):
        return []
    start, end = match.span(2)
    return [(start, start + len(text[start:end].rstrip(" ,\r\n\t")))]


def in_hex(text: str, match: re.Match[str]) -> Spans:
    """A secret in hexadecimal or base64 that is decoded under its name."""
    if not says(match[1].rpartition(".")[2]):
        return []
    return [match.span(2)] if is_given(match[2]) else []


_FIELDS = re.compile(r"([A-Za-z_]\w*(?:[ ]*,[ ]*[A-Za-z_]\w*)*)[ \t]+[\w.*\[\]]+[ \t]*(?:`[^`]*`)?")
_ROW = re.compile(r"\s{0,24}\{([^{}\n]{1,400})\},?")
_ITEM = re.compile(r"\s*(?:([A-Za-z_]\w*):[ ]?)?(\"(?:[^\"\\\n]|\\.)*\"|`[^`\n]*`|[^,\"`]+)(?:,|$)")


def of_struct(text: str, match: re.Match[str]) -> Spans:
    """The passwords in a table of cases in Go: the fields of the struct say which they are."""
    fields: list[str] = []
    for part in re.split(r"[;\n]", match[1]):
        found = _FIELDS.match(part.strip())
        if found is not None:
            fields += [name.strip() for name in found[1].split(",")]
    spans: Spans = []
    at = match.end()
    for _ in range(ROWS if any(map(says, fields)) else 0):
        row = _ROW.match(text, at)
        if row is None:
            break
        for number, item in enumerate(_ITEM.finditer(row[1])):
            name = item[1] or (fields[number] if number < len(fields) else "")
            inner = item[2][1:-1]
            if item[2][:1] in '"`' and says(name) and is_password(inner):
                start = row.start(1) + item.start(2) + 1
                spans.append((start, start + len(inner)))
        at = row.end()
    return spans
