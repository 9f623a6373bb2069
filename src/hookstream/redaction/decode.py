"""Looks into encodings: decodes the run around a hint and asks the scanner about the text."""

from __future__ import annotations

import re
from binascii import Error, a2b_base64, unhexlify
from bisect import bisect_left

from hookstream.redaction.extract.block import kubernetes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Spans = list[tuple[int, int]]
    Inner = Callable[[str], list[tuple[int, int, str]]]
    Decoder = Callable[[str, re.Match[str], Inner], tuple[Spans, int]]

LIMIT = 65536  # characters of a run that are looked at

_BASE64 = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_")
_HEX = frozenset("0123456789abcdefABCDEF")
_URL_SAFE = str.maketrans("-_", "+/")


def _run(text: str, start: int, end: int, alphabet: frozenset[str]) -> tuple[int, int]:
    floor, ceiling = max(0, start - LIMIT), min(len(text), end + LIMIT)
    while start > floor and text[start - 1] in alphabet:
        start -= 1
    while end < ceiling and text[end] in alphabet:
        end += 1
    return start, end


def _is_text(data: str) -> bool:
    sample = data[:512]
    printable = sum(char.isprintable() or char in "\r\n\t" for char in sample)
    return len(sample) >= 8 and printable >= len(sample) * 0.9


def base64(text: str, match: re.Match[str], inner: Inner) -> tuple[Spans, int]:
    """The groups of a base64 run that hold a secret once decoded, and where the run ends."""
    start, end = _run(text, match.start(), match.end(), _BASE64)
    if end - start < 16:
        return [], end
    run = text[start:end].translate(_URL_SAFE)
    for shift in range(4):
        part = run[shift:]
        part = part[: len(part) - (len(part) % 4 == 1)]
        try:
            data = a2b_base64(part + "=" * (-len(part) % 4)).decode("latin-1")
        except (Error, ValueError):
            continue
        if not _is_text(data):
            continue
        spans: Spans = []
        for first, last, _ in inner(data):
            low = start + shift + first // 3 * 4
            high = min(end, start + shift + -(-last // 3) * 4)
            while high == end and text[high : high + 1] == "=":
                high += 1
                end = high
            spans.append((low, high))
        if spans:
            return spans, end
    return [], end


def hexadecimal(text: str, match: re.Match[str], inner: Inner) -> tuple[Spans, int]:
    """The digits of a hexadecimal run that hold a secret once decoded."""
    start, end = _run(text, match.start(), match.end(), _HEX)
    start += (match.start() - start) % 2
    end -= (end - start) % 2
    try:
        data = unhexlify(text[start:end]).decode("latin-1")
    except (Error, ValueError):
        return [], end
    if not _is_text(data):
        return [], end
    return [(start + first * 2, start + last * 2) for first, last, _ in inner(data)], end


def percent(text: str, match: re.Match[str], inner: Inner) -> tuple[Spans, int]:
    """The part of a URL-encoded word that is a secret once decoded."""
    if match.end() - match.start() < 6:  # too short for a secret after the sign
        return [], match.end()
    start = match.start()
    floor = max(0, start - 4096)
    while start > floor and text[start - 1] not in " \t\r\n\"'<>`":
        start -= 1
    decoded, codes = _unquoted(text[start : match.end()])
    # A place in the decoded text is two characters further on for each code before it.
    return [
        (start + first + 2 * bisect_left(codes, first), start + last + 2 * bisect_left(codes, last))
        for first, last, _ in inner(decoded)
    ], match.end()


def _unquoted(run: str) -> tuple[str, list[int]]:
    """The run with its codes decoded, and where in it the decoded characters are."""
    head, *pieces = run.split("%")
    parts = [head]
    codes: list[int] = []
    size = len(head)
    meanings = _meanings()
    for piece in pieces:
        meaning = meanings.get(piece[:2])
        if meaning is None:
            part = "%" + piece
        else:
            codes.append(size)
            part = meaning + piece[2:]
        parts.append(part)
        size += len(part)
    return "".join(parts), codes


# Of each pair of digits, once a code comes up.
_known: dict[str, str] = {}


def _meanings() -> dict[str, str]:
    if not _known:
        digits = "0123456789abcdefABCDEF"
        _known.update({high + low: chr(int(high + low, 16)) for high in digits for low in digits})
    return _known


WINDOW = 4096  # characters on either side of a program that decodes
DEEPEST = 3
_RUN = re.compile(r"[A-Za-z0-9+/_-]{24,65536}={0,6}")
_BASE32 = re.compile(r"(?:[A-Z2-7]{8})+(?:[A-Z2-7]{2,7}={1,6})?")


def nested(text: str, match: re.Match[str], inner: Inner) -> tuple[Spans, int]:
    """The runs next to a program that decodes which hold a secret a few encodings deep."""
    start, end = max(0, match.start() - WINDOW), min(len(text), match.end() + WINDOW)
    return [
        run.span() for run in _RUN.finditer(text, start, end) if any(map(inner, _layers(run[0])))
    ], end


def _layers(run: str) -> Iterator[str]:
    """The texts that a run is once it is decoded, and again while it is encoded."""
    for _ in range(DEEPEST):
        data = _decoded(run)
        text = _text_of(data) if data is not None else ""
        if not _is_text(text):
            return
        yield text
        run = "".join(text.split())


def _decoded(run: str) -> bytes | None:
    try:
        if _BASE32.fullmatch(run) is not None:
            from base64 import b32decode

            return b32decode(run)
        run = run.rstrip("=").translate(_URL_SAFE)
        return a2b_base64(run + "=" * (-len(run) % 4))
    except (Error, ValueError):
        return None


def _text_of(data: bytes) -> str:
    """Bytes as text: unpacked, and as the two-byte letters of PowerShell."""
    if data[:2] == b"\x1f\x8b" or data[:1] == b"\x78":
        import zlib

        try:
            data = zlib.decompressobj(47).decompress(data, LIMIT)
        except zlib.error:
            return ""
    if len(data) > 8 and data[1:64:2].count(0) * 4 > len(data[1:64:2]) * 3:
        return data.decode("utf-16-le", "replace")
    return data.decode("latin-1")


# Each takes a whole run or document at once and says where it ends.
DECODERS: dict[str, Decoder] = {
    "kubernetes": kubernetes,
    "base64": base64,
    "hex": hexadecimal,
    "percent": percent,
    "nested": nested,
}
