"""Detection of tokens that are a piece of a digest, of encoded bytes or of a name.

Among a million base64 characters some spell the beginning of a token. What surrounds them decides:
the name and the length of a digest, or further random characters joined to it without a break.
"""

from __future__ import annotations

import re

from hookstream.redaction.classify.random import is_random

# Random characters next to a token that make it a piece of something longer, if it begins with a
# word of two or three letters, and if it begins with a longer one: those occur less.
FEW, MANY = 16, 200
MOST = 256  # characters that are looked at on either side

_FILE = re.compile(
    r"\.(?:png|jpe?g|gif|svg|ico|webp|avif|bmp|mp[34]|webm|woff2?|ttf|[cm]?[jt]sx?|s?css|map|html?|vue"
    r"|pyc?|rb|go|rs|java|kt|swift|c|cpp|h|cs|php|md|pdf|wasm)(?![\w-])"
)
_NAMED = re.compile(r"(?:\b(?:def|func|function|fn)[ ]\w{0,64}|\w)\Z")
_CALLED = re.compile(r"\w{0,64}[ ]?\(")
_TEST = re.compile(r"::test_\w{0,64}\Z")
_HEX = re.compile(r"[0-9a-fA-F]{8,}")


def is_name(text: str, start: int, end: int) -> bool:
    """Return whether the region is a piece of a function's name, or of a file's with a digest."""
    before = max(0, start - 80)
    if _CALLED.match(text, end) is not None:
        return _NAMED.search(text, before, start) is not None
    if _FILE.match(text, end) is not None:
        piece = max(re.split(r"[_-]", text[start:end]), key=len)
        return _HEX.fullmatch(piece) is not None
    return _TEST.search(text, before, start) is not None


_DIGEST = re.compile(r"(?i:sha-?(?:1|224|256|384|512)[-=:]|\bh1:)[\"']?([A-Za-z0-9+/_-]*)\Z")
_BODY = re.compile(r"[A-Za-z0-9+/_-]*")
# Base64 of 20, 28, 32, 48 and 64 bytes without its padding.
_SIZES = frozenset((27, 38, 43, 64, 86))
_BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def is_embedded(text: str, start: int, end: int, least: int) -> bool:
    """Return whether the region is a piece of a digest in base64, or of a run with `least` more of
    it.
    """
    digest = _DIGEST.search(text[max(0, start - 100) : start])
    if digest is not None:
        rest = _BODY.match(text, end)
        size = len(digest[1]) + end - start + (len(rest[0]) if rest is not None else 0)
        if size in _SIZES:
            return True
    before = text[max(0, start - MOST) : start]
    after = text[end : end + MOST]
    return _is_bytes(before[len(before.rstrip(_BASE64)) :], least) or _is_bytes(
        after[: len(after) - len(after.lstrip(_BASE64))], least
    )


def _is_bytes(run: str, least: int) -> bool:
    """Return whether a run is base64 of bytes and no path: one piece of it is long, and all is
    random.
    """
    if len(run) < least:
        return False
    piece = max(re.split(r"[+/]", run), key=len)
    return len(piece) >= FEW // 2 and (is_random(run.replace("/", "")) or is_random(piece))
