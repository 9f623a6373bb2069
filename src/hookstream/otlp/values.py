"""Values of OTLP JSON: attributes, ids, times, in every form that proto3's mapping allows.

The only reader of its numbers: what is not as the mapping says gives nothing, and costs itself.
"""

from __future__ import annotations

import re
from functools import lru_cache
from math import isfinite
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

# Values inside each other (arrays and key-value lists).
DEPTH = 16
HEX = re.compile(r"[0-9a-fA-F]{16}(?:[0-9a-fA-F]{16})?")
WHOLE = re.compile(r"-?[0-9]{1,20}")
NUMBER = re.compile(r"-?[0-9]{1,40}(?:\.[0-9]{1,40})?(?:[eE][+-]?[0-9]{1,3})?")
# What an odd value may raise: it costs its item, not the export.
UNREADABLE_ITEM = (
    ValueError,
    TypeError,
    LookupError,
    AttributeError,
    OverflowError,
    RecursionError,
)


def value_of(value: Any, depth: int = 0, lost: list[str] | None = None) -> Any:
    """An AnyValue as a plain value. 64-bit integers are texts in OTLP JSON. What cannot be read is
    None, and its kind is added to `lost`."""
    if type(value) is not dict or depth > DEPTH:
        return None
    for name, read in READERS.items():
        if name in value:
            plain = read(value[name])
            if plain is None and value[name] is not None and lost is not None:
                lost.append(name)
            return plain
    for name in ("arrayValue", "kvlistValue"):
        if name in value:
            held = value[name]
            parts = held.get("values") if type(held) is dict else None
            if type(parts) is not list:
                return [] if name == "arrayValue" else {}
            if name == "kvlistValue":
                return attributes_of(parts, depth + 1, lost)
            return [value_of(part, depth + 1, lost) for part in parts]
    return None


def attributes_of(pairs: Any, depth: int = 0, lost: list[str] | None = None) -> dict[str, Any]:
    """A list of {key, value} as a dict; the first of equal keys stays."""
    attributes: dict[str, Any] = {}
    for pair in pairs if type(pairs) is list else ():
        if type(pair) is dict and type(pair.get("key")) is str:
            value = value_of(pair.get("value"), depth, lost)
            if value is not None:
                attributes.setdefault(pair["key"], value)
    return attributes


def whole(value: Any) -> int | None:
    """A whole number: a number or its text, also as `1000.0` or `1e3`."""
    if type(value) is int:
        return value
    if type(value) is str and WHOLE.fullmatch(value):
        return int(value)
    number = double(value)
    return int(number) if number is not None and number == int(number) else None


def double(value: Any) -> float | int | None:
    """A number or its text; the three that JSON has no number for are not kept."""
    if type(value) is str:
        if NUMBER.fullmatch(value) is None:
            return None
        value = float(value)
    return value if type(value) is int or (type(value) is float and isfinite(value)) else None


def text(value: Any) -> str | None:
    return value if type(value) is str else None


READERS: dict[str, Callable[[Any], Any]] = {
    "stringValue": text,
    "boolValue": lambda value: value if type(value) is bool else None,
    "bytesValue": text,
    "intValue": whole,
    "doubleValue": double,
}


def code(value: Any, names: tuple[str, ...]) -> int:
    """An enum, by its number or its name; 0, which means unset, for any other value."""
    if type(value) is str and value in names:
        return names.index(value)
    number = whole(value)
    return number if number is not None and 0 < number < len(names) else 0


def nanos(value: Any) -> int:
    """Nanoseconds since 1970, 0 if unknown."""
    number = whole(value)
    return number if number is not None and 0 < number < 1 << 63 else 0


def hex_id(value: Any) -> str:
    """A trace or span id: lower-case hex; empty if missing (all zeros counts as missing)."""
    if type(value) is not str or HEX.fullmatch(value) is None or not value.strip("0"):
        return ""
    return value.lower()


def iso(moment: int) -> str | None:
    """Nanoseconds since 1970 as RFC 3339 text with microseconds; None for 0."""
    if not moment:
        return None
    seconds, below = divmod(moment, 1_000_000_000)
    text = _second(seconds)
    return text and f"{text}.{below // 1000:06d}Z"


@lru_cache(4096)
def _second(seconds: int) -> str | None:
    from datetime import UTC, datetime

    try:
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S")
    except (ValueError, OverflowError, OSError):
        return None
