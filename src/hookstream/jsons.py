"""The JSON seam: orjson where it is at hand, else the standard library, with the same answers.

The hook program cannot afford orjson's import, so everything it reaches goes through here.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def _standard() -> tuple[Any, Any, Any]:
    import json

    encode = json.JSONEncoder(
        ensure_ascii=False, separators=(",", ":"), allow_nan=False, check_circular=False
    ).encode
    encode_sorted = json.JSONEncoder(
        ensure_ascii=False,
        separators=(",", ":"),
        allow_nan=False,
        check_circular=False,
        sort_keys=True,
    ).encode

    def refuse(word: str) -> Any:
        raise ValueError(f"{word} is not JSON")

    decode = json.JSONDecoder(parse_constant=refuse).decode
    return (
        lambda data: decode(data if isinstance(data, str) else data.decode("utf-8")),
        lambda value: encode(value).encode("utf-8"),
        lambda value: encode_sorted(value).encode("utf-8"),
    )


def _fast() -> tuple[Any, Any, Any]:
    import orjson

    option = orjson.OPT_SORT_KEYS
    dumps = orjson.dumps
    return orjson.loads, dumps, lambda value: dumps(value, option=option)


def _choose() -> tuple[Any, Any, Any]:
    if "hookstream.capture.hook" in sys.modules:
        return _standard()
    try:
        return _fast()
    except ImportError:
        return _standard()


loads: Any
dumps: Callable[[Any], bytes]
_sorted: Callable[[Any], bytes]
loads, dumps, _sorted = _choose()


def canonical(value: Any) -> bytes:
    """Sorted, compact UTF-8 JSON: the bytes digests are taken over."""
    try:
        data: bytes = _sorted(value)
    except (TypeError, ValueError, RecursionError, UnicodeEncodeError):
        data = repr(value).encode("utf-8", "backslashreplace")
    return data


def loads_text(text: str) -> Any:
    """The value of a JSON text, or None where it is none."""
    head = text.lstrip()[:1]
    if not head or head not in '{["-0123456789tfn':
        return None
    try:
        return loads(text)
    except (ValueError, RecursionError):
        return None


def ascii_line(data: bytes) -> bytes:
    """UTF-8 JSON to ASCII JSON: what is outside is written as \\uXXXX."""
    if data.isascii():
        return data
    out = []
    for char in data.decode("utf-8"):
        point = ord(char)
        if point < 0x80:
            out.append(char)
        elif point < 0x10000:
            out.append(f"\\u{point:04x}")
        else:
            point -= 0x10000
            out.append(f"\\u{0xD800 + (point >> 10):04x}\\u{0xDC00 + (point & 0x3FF):04x}")
    return "".join(out).encode("ascii")
