"""Random values: what no human writes."""

from __future__ import annotations

from itertools import pairwise
from math import log2

from hookstream.redaction.filters.placeholder import is_placeholder


def entropy(value: str) -> float:
    """Shannon entropy in bits a character."""
    total = len(value)
    if not total:
        return 0.0
    return -sum(n / total * log2(n / total) for n in map(value.count, set(value)))


def is_random(value: str) -> bool:
    """A value that no human writes: 16 or more characters, mixed, of high entropy, no path, no
    words.
    """
    size = len(value)
    if size < 16 or is_placeholder(value) or " " in value:
        return False
    digits = sum(char.isdigit() for char in value)
    upper = sum(char.isupper() for char in value)
    lower = sum(char.islower() for char in value)
    if not digits or not (upper or lower):
        return bool(upper and lower and size >= 24 and changes_often(value, 2.5))
    if is_uuid(value) or value.startswith(("sha1-", "sha256-", "sha384-", "sha512-", "sha256:")):
        return False
    bits = entropy(value)
    if digits + upper + lower == size and is_hex(value):
        return bits > 2.6
    if bits > 3.1 and (digits >= 2 or bits > 3.8):
        return changes_often(value)
    return bits > 1.9 and changes_often(value, 3)


def changes_often(value: str, every: float = 6) -> bool:
    """Cases and digits change often within the words: no identifier, no path, no version."""
    if "+" in value or value[-1] == "=":  # base64, where / parts nothing
        value = value.replace("/", "")
    parts = [
        part
        for part in value.replace("-", " ")
        .replace("_", " ")
        .replace("/", " ")
        .replace(".", " ")
        .split()
        if part
    ]
    longest = max(parts, key=len, default="")
    classes = [class_of(char) for char in longest]
    changes = sum(a != b for a, b in pairwise(classes))
    return len(longest) >= 12 and changes >= max(3, len(longest) / every)


def class_of(char: str) -> int:
    return 0 if char.isdigit() else 1 if char.isupper() else 2


def is_hex(value: str) -> bool:
    return value.strip("0123456789abcdef") == "" or value.strip("0123456789ABCDEF") == ""


def is_uuid(value: str) -> bool:
    return (
        len(value) == 36
        and value[8] == value[13] == value[18] == value[23] == "-"
        and is_hex(value.replace("-", "").lower())
    )
