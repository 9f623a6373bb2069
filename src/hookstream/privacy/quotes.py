"""Where a quoted secret really ends: patterns stop at a quote that the language has escaped."""

from __future__ import annotations

import re

MOST = 256  # characters that a value may go on
# What may follow a quote that ends a value; another character, and it was doubled or escaped.
_REST = re.compile(r"[#<>(){}\[\]|^~$%!*+`\"'\\][^\s\"'\x00-\x1f]{0,63}")
_WORD = re.compile(r"[^\s\x00-\x1f]{2,63}(?=\s|\Z)")
_FIELD = re.compile(r"[\w\"']\s?[:=]\s?[\"'\w]|[\"'>)\]},;]$")


def end_of(text: str, start: int, end: int) -> int:
    """The end of the value whose quote opens before `start`, where a rule has it end at `end`:
    behind `'\\''` of shells, `''` of SQL, `\\'` of programs, and signs that no rule foresaw."""
    quote = text[start - 1 : start]
    if not quote or quote not in "'\"":
        return _unquoted(text, start, end)
    if text[start - 2 : start - 1] == "\\":
        quote = "\\" + quote
    stop = min(len(text), start + MOST)
    while True:
        at = _goes_on(text, end, quote)
        close = text.find(quote, at, stop) if at else -1
        if close < 0 or text.find("\n", end, close) >= 0:
            return end
        end = close


def _unquoted(text: str, start: int, end: int) -> int:
    """A bare word that a quote broke off, where no string stands open on the line: it goes on to
    its blank."""
    quote = text[end : end + 1]
    if not quote or quote not in "'\"`" or text[start - 1] not in " \t":
        return end
    if quote in text[text.rfind("\n", max(0, start - MOST), start) + 1 : start]:
        return end
    rest = _WORD.match(text, end + 1)
    if rest is None or _FIELD.search(rest[0]) is not None:
        return end
    varied = any(map(str.isdigit, text[start : rest.end()]))
    return rest.end() if varied and any(map(str.isalnum, rest[0])) else end


def _goes_on(text: str, end: int, quote: str) -> int:
    """From where on the closing quote is to be looked for; 0 where it stands at `end`."""
    size = len(quote)
    if size == 1 and text.startswith("\\" + quote, end):
        return end + 2
    if not text.startswith(quote, end):
        rest = _REST.match(text, end) if size == 1 else None
        return end if rest is not None and text[rest.end() : rest.end() + 1] == quote else 0
    if size == 1 and text[end - 1] == "\\" and text[end - 2] != "\\":
        return end + 1
    if text.startswith("'\\''", end):
        return end + 4
    doubled = (
        text.startswith(quote, end + size) and text[end + 2 * size : end + 2 * size + 1].isalnum()
    )
    return end + 2 * size if doubled else 0
