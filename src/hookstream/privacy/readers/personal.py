"""Personal data whose extent a pattern cannot say: addresses, account numbers."""

from __future__ import annotations

import re

from hookstream.privacy.checkdigits import IBAN_LENGTHS
from hookstream.privacy.checkdigits import iban as is_iban
from hookstream.privacy.readers.values import line_before
from hookstream.privacy.validators import email as is_address

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.privacy.readers.values import Spans

_LOCAL = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._%+'-")
_REMOTE = re.compile(
    r"\b(?:ssh|scp|sftp|rsync|mosh|ssh-copy-id|ansible)\b(?:[ \t]+[^\s;|&]{1,128}){0,8}[ \t]+$"
)
_ENDS_AUTHORITY = re.compile(r"[\s\"'<>/?#,;]")


def email(text: str, match: re.Match[str]) -> Spans:
    """The address around an @ and a host name."""
    start = match.start()
    floor = max(0, start - 64)
    while start > floor and text[start - 1] in _LOCAL:
        start -= 1
    while start < match.start() and text[start] in ".'%-":
        start += 1
    value = text[start : match.end()]
    if _REMOTE.search(line_before(text, start)) is not None:
        return []  # ssh user@host
    scheme = text.rfind("://", max(0, match.start() - 2048), match.start())
    if scheme >= 0 and _ENDS_AUTHORITY.search(text, scheme + 3, match.start()) is None:
        return []  # the user and password of a URL, whose host this is
    return [(start, match.end())] if start < match.start() and is_address(value) else []


def iban(text: str, match: re.Match[str]) -> Spans:
    """As many characters as the country's numbers have; capitals may follow."""
    size = IBAN_LENGTHS.get(match[0][:2], 0)
    start = end = match.start()
    for char in match[0]:
        if not size:
            break
        end += 1
        size -= char != " "
    return [(start, end)] if size == 0 and is_iban(text[start:end]) else []
