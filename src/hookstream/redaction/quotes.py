"""The true end of a secret: patterns stop at a quote that the language has escaped, or that is a
part of a generated password."""

from __future__ import annotations

import re

MOST = 256  # characters by which a value may continue
# A quote within single quotes of a shell.
_IDIOMS = ("'\\''", "'\"'\"'")
# Signs that no rule foresaw, up to the quote that ends the value.
_REST = re.compile(r"[#<>(){}\[\]|^~$%!*+`\"'\\][^\s\"'\x00-\x1f]{0,63}")
_INNER = re.compile(r"[^\s,;\\\"'][^\s\"']{0,63}\\?[\"']")
_TO_QUOTE = re.compile(r"[^\s']{1,64}(?=')")
_WORD = re.compile(r"[^\s\x00-\x1f]{2,63}(?=\s|\Z)")
_FIELD = re.compile(r"[\w\"']\s?[:=]\s?[\"'\w]|[\"'>)\]},;]$")
_BEFORE = frozenset(" \t=:")  # before a bare word


def end_of(text: str, start: int, end: int) -> int:
    """The end of the value at `start`, if a rule has it end at `end`: after `'\\''` of shells, `''`
    of SQL, `\\'` of programs, and signs that no rule foresaw."""
    quote = text[start - 1 : start]
    if not quote or quote not in "'\"":
        return _end_of_word(text, start, end)
    if text[start - 2 : start - 1] == "\\":
        quote = "\\" + quote
    stop = min(len(text), start + MOST)
    while True:
        at = _goes_on(text, end, quote)
        close = text.find(quote, at, stop) if at else -1
        if close < 0 or text.find("\n", end, close) >= 0:
            return end
        end = close


def _goes_on(text: str, end: int, quote: str) -> int:
    """The place from which to look for the closing quote; 0 if it is at `end`."""
    size = len(quote)
    if size == 1 and text.startswith("\\" + quote, end):
        return end + 2
    if not text.startswith(quote, end):
        rest = _REST.match(text, end) if size == 1 else None
        return end if rest is not None and text[rest.end() : rest.end() + 1] == quote else 0
    if size == 1 and text[end - 1] == "\\" and text[end - 2] != "\\":
        return end + 1
    for idiom in _IDIOMS:
        if text.startswith(idiom, end):
            return end + len(idiom)
    behind = end + 2 * size
    doubled = text.startswith(quote, end + size) and _INNER.match(text, behind) is not None
    return behind if doubled else 0


def _end_of_word(text: str, start: int, end: int) -> int:
    """Extend a bare word that a quote broke off to its blank, or to the quote that is open on its
    line."""
    quote = text[end : end + 1]
    if not quote or quote not in "'\"`" or text[start - 1 : start] not in _BEFORE:
        return end
    before = text[text.rfind("\n", max(0, start - MOST), start) + 1 : start]
    open_quote = next((sign for sign in "'\"`" if before.count(sign) % 2), "")
    if open_quote == quote:
        idiom = next((sign for sign in _IDIOMS if text.startswith(sign, end)), "")
        rest = _TO_QUOTE.match(text, end + len(idiom)) if idiom else None
        return rest.end() if rest is not None else end
    rest = _WORD.match(text, end + 1)
    if rest is None:
        return end
    close = rest[0].find(open_quote) if open_quote else len(rest[0])
    further = rest[0][:close]
    if close < 0 or _FIELD.search(further) is not None:
        return end
    varied = any(map(str.isdigit, text[start:end] + further))
    return end + 1 + close if varied and any(map(str.isalnum, further)) else end
