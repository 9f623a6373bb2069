"""Secrets of several lines: private keys, manifests."""

from __future__ import annotations

import re

from hookstream.redaction.extract.values import line_before, line_end
from hookstream.redaction.filters.placeholder import is_placeholder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookstream.redaction.extract.values import Spans

_BASE64 = re.compile(r"[A-Za-z0-9+/=]{20}")
_MATERIAL = re.compile(r"[A-Za-z0-9+/=\s\\:,.\"'()-]*")
KEY_LIMIT = 16384  # characters a private key may have

_HEAD = re.compile(r"(?<![A-Za-z])\\{0,3}[\"']?(?:stringData|data)\\{0,3}[\"']?:[ \t]*(\{|\n|\\n)")
_TEXTS = re.compile(_HEAD.pattern.replace("(?:stringData|data)", "stringData"))
_FIELD = re.compile(
    r"[ \t]{1,16}[\"']?[A-Za-z0-9_.-]{1,128}[\"']?:[ \t]{0,8}[\"']?"
    r"([^\s\"'{}\[\]|>][^\n\"']{1,4096})"
)
_JSON_FIELD = re.compile(
    r"\\{0,3}\"[A-Za-z0-9_.-]{1,128}\\{0,3}\":[ ]?\\{0,3}\"([^\"\n\\]{2,4096})"
)


def pem(text: str, match: re.Match[str]) -> Spans:
    """A private key from its BEGIN line to its END line, or to the end of the material."""
    start, after = match.span()
    end = text.find("-----END", after, after + KEY_LIMIT)
    found = _BASE64.search(text, after, end if 0 <= end < after + 512 else after + 512)
    if found is None:
        return []
    if end >= 0:
        close = text.find("-----", end + 8, end + 96)
        return [(start, close + 5 if close >= 0 else end + 8)]
    material = _MATERIAL.match(text, after, after + KEY_LIMIT)
    return [(start, max(found.end(), material.end() if material is not None else 0))]


def putty(text: str, match: re.Match[str]) -> Spans:
    """The private lines of a PuTTY key file."""
    start = text.find("Private-Lines:", match.end(), match.end() + 8192)
    if start < 0:
        return []
    end = text.find("Private-MAC:", start, start + 8192)
    end = end if end >= 0 else min(len(text), start + 4096)
    return [(start + 14, end)] if "[REDACTED:" not in text[start:end] else []


_LINES = re.compile(
    r"[A-Za-z0-9+/]*={0,2}(?:(?:\\{1,4}[rn]|[\s\"',+>|-]){1,12}[A-Za-z0-9+/]{16,}={0,2})*"
    r"(?:(?:\\{1,4}[rn]|[\s\"',+>|-]){1,12}[A-Za-z0-9+/]{1,15}={1,2})?"
)


def body(text: str, match: re.Match[str]) -> Spans:
    """The lines of a key whose BEGIN line is missing."""
    lines = _LINES.match(text, match.end(), match.end() + KEY_LIMIT)
    return [(match.start(), lines.end() if lines is not None else match.end())]


def kubernetes(text: str, match: re.Match[str], inner: Any) -> tuple[Spans, int]:
    """Every value under `data:` and `stringData:` of a manifest of kind Secret, and its end."""
    begin = max(0, match.start() - 65536)
    end = min(len(text), match.end() + 65536)
    for border in ("\n---", "\x1f"):
        begin = max(begin, text.rfind(border, begin, match.start()))
        found = text.find(border, match.end(), end)
        end = end if found < 0 else found
    spans: Spans = []
    heads = _HEAD if match[0][:1] in "kKpP" else _TEXTS
    for head in heads.finditer(text, begin, end):
        if head[1] == "{":
            close = text.find("}", head.end(), end)
            stop = end if close < 0 else close
            spans += [
                found.span(1)
                for found in _JSON_FIELD.finditer(text, head.end(), stop)
                if not is_placeholder(found[1])
            ]
        else:
            spans += _fields(text, head.end(), end)
    return spans, end


def _fields(text: str, at: int, end: int) -> Spans:
    spans: Spans = []
    while at < end:
        field = _FIELD.match(text, at, end)
        if field is None:
            header = _BLOCK.match(text, at, end)
            if header is None:
                break
            lines, at = scalar(text, header.end(), end)
            spans += lines
            continue
        if not is_placeholder(field[1]):
            spans.append((field.start(1), field.start(1) + len(field[1].rstrip())))
        newline = text.find("\n", field.end(), end)
        at = end if newline < 0 else newline + 1
    return spans


_BLOCK = re.compile(r"[ \t]{1,16}[\"']?[A-Za-z0-9_.-]{1,128}[\"']?:[ \t]{1,8}(?=[|>])")
LIMIT = 2048  # characters of a block that are read


def scalar(text: str, position: int, stop: int) -> tuple[Spans, int]:
    """The lines of a YAML block whose sign is at a position, those that are indented deeper than
    its name, and where it ends."""
    newline = text.find("\n", position, min(stop, position + 16))
    if newline < 0:
        return [], stop
    line = line_before(text, position)
    margin = len(line) - len(line.lstrip(" "))
    spans: Spans = []
    at = newline + 1
    while at < stop and at - position < LIMIT:
        end = min(stop, line_end(text, at))
        line = text[at:end]
        value = line.strip()
        if value and len(line) - len(line.lstrip(" ")) <= margin:
            break
        if value and not is_placeholder(value):
            start = at + line.index(value[0])
            spans.append((start, start + len(value)))
        at = end + 1
    return spans, at


_ENDED = re.compile(r"\r?\n|(?:\\{1,4}[rn])+")
# A line of a key, perhaps after a number, a file's name or the sign of a change.
_LINE = re.compile(
    r"(?:[^\n]{0,80}?[^A-Za-z0-9+/\n=]|[+-]?)(?:[A-Za-z0-9+/]{16,}={0,2}|[A-Za-z0-9+/]{1,15}={1,2}"
    r"|=[A-Za-z0-9+/]{4})[\s\"',|>.\\]*"
)
_NO_MATERIAL = re.compile(r"[\s\"',|>.+\w:/-]{0,80}")


def pem_end(text: str, match: re.Match[str]) -> Spans:
    """The last lines of a private key where BEGIN was cut off."""
    end = match.start()
    floor = max(0, end - 4096, text.rfind("-----", max(0, end - KEY_LIMIT), end) + 5)
    if text.rfind("-----BEGIN", max(0, end - KEY_LIMIT), end) > text.rfind(
        "-----END", max(0, end - KEY_LIMIT), end
    ):
        return []
    lines = _ENDED.split(text[floor:end])
    if _NO_MATERIAL.fullmatch(lines[-1]) is None:
        return []
    ends = [ending.start() for ending in _ENDED.finditer(text, floor, end)]
    start = end
    for number in range(len(lines) - 1, -1, -1):
        line = lines[number]
        first = floor if number == 0 else ends[number - 1]
        is_last = number == len(lines) - 1
        if _LINE.fullmatch(line) is not None:
            start = first + _width_of_break(text, first, end) if number else first
        elif not is_last and line.strip():
            break
    return [(start, end)] if _BASE64.search(text, start, end) is not None else []


def _width_of_break(text: str, at: int, end: int) -> int:
    match = _ENDED.match(text, at, end)
    return len(match[0]) if match is not None else 0


# What 64 bytes are where they open nothing: the digest of a file, a signature, a nonce.
_PUBLIC = re.compile(
    r"(?i)sha-?[235]|integrity|digest|hash|checksum|(?:\b|_)sig|signature|signed|nonce|public|pubkey"
    r"|proof|challenge|etag|\block\b|verify|cosign|\bcert"
)
_OPENS = re.compile(r"(?i)key|secret|account|credential|password|token")


def key_bytes(text: str, match: re.Match[str]) -> Spans:
    """64 random bytes in base64 after a word for what opens something and none for a digest."""
    start, end = match.span(1)
    before = text[max(0, start - 120) : start]
    if _PUBLIC.search(before) is not None or _OPENS.search(before) is None:
        return []
    return [] if is_placeholder(text[start:end]) else [(start, end)]
