"""Values of OTLP JSON: attributes, ids, times. What is not as the mapping says gives nothing."""

from __future__ import annotations

import re
from functools import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Values inside each other (arrays and key-value lists).
DEPTH = 16
HEX = re.compile(r"[0-9a-fA-F]{16}(?:[0-9a-fA-F]{16})?")
PLAIN = ("stringValue", "boolValue", "bytesValue")


def value_of(value: Any, depth: int = 0) -> Any:
    """An AnyValue as a plain value. 64-bit integers are texts in OTLP JSON."""
    if type(value) is not dict or depth > DEPTH:
        return None
    for name in PLAIN:
        if name in value:
            return value[name]
    if "intValue" in value:
        return whole(value["intValue"])
    if "doubleValue" in value:
        number = value["doubleValue"]
        return number if type(number) in (int, float) else None
    for name in ("arrayValue", "kvlistValue"):
        if name in value:
            held = value[name]
            parts = held.get("values") if type(held) is dict else None
            if type(parts) is not list:
                return [] if name == "arrayValue" else {}
            if name == "kvlistValue":
                return attributes_of(parts, depth + 1)
            return [value_of(part, depth + 1) for part in parts]
    return None


def attributes_of(pairs: Any, depth: int = 0) -> dict[str, Any]:
    """A list of {key, value} as a dict; the first of equal keys stays."""
    attributes: dict[str, Any] = {}
    for pair in pairs if type(pairs) is list else ():
        if type(pair) is dict and type(pair.get("key")) is str:
            value = value_of(pair.get("value"), depth)
            if value is not None:
                attributes.setdefault(pair["key"], value)
    return attributes


def whole(value: Any) -> int | None:
    """A whole number, as a number or as its digits."""
    if type(value) is int:
        return value
    if type(value) is str and len(value) < 21 and value.lstrip("-").isdecimal():
        return int(value)
    return None


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
