"""What commands print that were asked for a secret."""

from __future__ import annotations

import re

from hookstream.redaction import names
from hookstream.redaction.extract.given import is_given
from hookstream.redaction.placeholders import is_placeholder
from hookstream.redaction.sense import is_code, is_random
from hookstream.redaction.validators import is_uuid

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookstream.redaction.extract.values import Spans

_FAILED = re.compile(r"(?i)error|not|no|fatal|usage|warning|denied|failed|true|false|ok|done|null")
_SIGNS = frozenset("!@#$%^&*+?=~")


def printed(text: str, match: re.Match[str]) -> Spans:
    """The one word of the line below a command at a prompt."""
    start, end = match.span(1)
    value = text[start:end]
    if not is_given(value) or _FAILED.fullmatch(value.rstrip(":.")) is not None or value[-1] == ":":
        return []
    return [(start, end)] if value[0] not in "/#{[" or is_random(value) else []


def varied(text: str, match: re.Match[str]) -> Spans:
    """The same, where other things are printed as well: no plain word, no path, no code."""
    spans = printed(text, match)
    value = match[1]
    if not spans or value.isdigit():
        return []
    if is_random(value) or is_uuid(value):
        return spans
    if is_code(value) or len(value) < 5:
        return []
    digits = any(map(str.isdigit, value))
    letters = any(map(str.isalpha, value))
    signs = any(char in _SIGNS for char in value)
    upper = value.isupper() and len(value) >= 16
    return spans if (letters and (digits or signs)) or upper else []


_STEM = re.compile(r"[\w.-]*")


def of_file(text: str, match: re.Match[str]) -> Spans:
    """What a file holds whose name says secret: a plain word where it says password."""
    path = match[1]
    stem = path.rpartition("/")[2].rpartition("\\")[2]
    stem = re.sub(r"\.(?:txt|key|secret|pw|pass|pwd|dat|asc|enc|token)$", "", stem)
    sure = "secrets/" in path or stem in _FILES or names.is_password(stem)
    if not sure and names.kind(stem.strip(".")) != names.STRONG:
        return []
    start, end = match.span(2)
    value = text[start:end]
    if not is_given(value) or _FAILED.fullmatch(value.rstrip(":.")) is not None or value[-1] == ":":
        return []
    if sure or is_random(value) or is_uuid(value):
        return [(start, end)]
    return [(start, end)] if any(map(str.isdigit, value)) and not is_code(value) else []


_FILES = frozenset(
    ".erlang.cookie node-token .vault-token .vault_pass .vault-pass initialAdminPassword "
    "initial_root_password master.key authtoken.secret admin-secret keyfile".split()
)


def answered(text: str, match: re.Match[str]) -> Spans:
    """What a store answers that was asked for a key whose last part says secret."""
    name = re.split(r"[:/]", match[1].strip("\"'"))[-1]
    start, end = match.span(2)
    value = text[start:end]
    if names.kind(name) != names.STRONG or is_placeholder(value) or value[0] in "([":
        return []
    return [(start, end)] if len(value) >= 4 and not is_code(value) else []


def in_base64(text: str, match: re.Match[str]) -> Spans:
    """What a client sends to log in: base64 of a user and a password, or of one of them."""
    from binascii import Error, a2b_base64

    spans: Spans = []
    for group in range(1, match.re.groups + 1):
        start, end = match.span(group)
        if start < 0:
            continue
        try:
            inner = a2b_base64(text[start:end] + "==").decode()
        except (Error, ValueError):
            continue
        if len(inner) > 2 and inner.replace("\0", "").isprintable():
            spans.append((start, end))
    return spans
