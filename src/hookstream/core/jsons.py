"""JSON parsing and serialization: orjson if installed, else the standard library, same results.

The hook program cannot afford orjson's import, so everything it reaches goes through here.
"""

from __future__ import annotations

import sys

from hookstream.core.limits import SAFE_INTEGER

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

JsonObject = dict[str, "Any"]


def _standard() -> dict[str, Any]:
    import json
    import re

    def encoder(*, sort_keys: bool) -> Callable[[Any], bytes]:
        encode = json.JSONEncoder(
            ensure_ascii=False,
            separators=(",", ":"),
            allow_nan=False,
            check_circular=False,
            sort_keys=sort_keys,
        ).encode
        return lambda value: encode(value).encode("utf-8")

    long_number = re.compile(rb"\d{16}").search

    def strictly(encode: Callable[[Any], bytes]) -> Callable[[Any], bytes]:
        def strict(value: Any) -> bytes:
            data = encode(value)
            # Digits in a text look like a number's here: that costs a second look, no more.
            if long_number(data):
                raise TypeError("may hold an integer beyond 53 bits")
            return data

        return strict

    def refuse(word: str) -> Any:
        raise ValueError(f"{word} is not JSON")

    def finite(digits: str) -> float:
        number = float(digits)
        return number if number - number == 0 else refuse(digits)

    def whole(digits: str) -> int | float:
        if len(digits) < 19:
            return int(digits)
        number = int(digits) if len(digits) < 400 else refuse("a number of too many digits")
        return number if -(2**63) <= number < 2**64 else finite(digits)

    decode = json.JSONDecoder(parse_constant=refuse, parse_float=finite, parse_int=whole).decode
    plain, in_order = encoder(sort_keys=False), encoder(sort_keys=True)

    def loads(data: str | bytes) -> Any:
        text = data if isinstance(data, str) else data.decode("utf-8")
        value = decode(text)
        if "\\u" in text:
            plain(value)  # UnicodeEncodeError, a ValueError, if a surrogate has no partner
        return value

    return {
        "loads": loads,
        "dumps": plain,
        "in_order": in_order,
        "strict": strictly(plain),
        "strict_in_order": strictly(in_order),
    }


def _fast() -> dict[str, Any]:
    from functools import partial

    import orjson

    write = orjson.dumps
    in_order = orjson.OPT_SORT_KEYS
    strict = orjson.OPT_STRICT_INTEGER
    return {
        "loads": orjson.loads,
        "dumps": write,
        "in_order": partial(write, option=in_order),
        "strict": partial(write, option=strict),
        "strict_in_order": partial(write, option=in_order | strict),
    }


def _choose() -> dict[str, Any]:
    if "hookstream.capture.hook.main" in sys.modules:
        return _standard()
    try:
        return _fast()
    except ImportError:
        return _standard()


_chosen = _choose()
loads: Any = _chosen["loads"]
dumps: Callable[[Any], bytes] = _chosen["dumps"]
# As `dumps`; TypeError if a whole number is (or may be) beyond 53 bits.
strict: Callable[[Any], bytes] = _chosen["strict"]
_in_order: Callable[[Any], bytes] = _chosen["in_order"]
_strict_in_order: Callable[[Any], bytes] = _chosen["strict_in_order"]


def canonical(value: Any) -> bytes:
    """Sorted, compact UTF-8 JSON: the bytes digests are taken over."""
    try:
        return _in_order(value)
    except (TypeError, ValueError, RecursionError, UnicodeEncodeError):
        return repr(value).encode("utf-8", "backslashreplace")


def line(value: Any) -> bytes:
    """Sorted, compact ASCII JSON that keeps the written grammar except its length and depth (which
    the privacy stage bounds).

    What the grammar cannot hold is mended: integers beyond 2^53 become text, numbers that are not
    finite null, lone surrogates U+FFFD. Raises RecursionError for a value nested without end.
    """
    try:
        data = _strict_in_order(value)
    except (TypeError, ValueError, UnicodeEncodeError):
        data = _in_order(mended(value))
    return data if data.isascii() else ascii_line(data)


def mended(value: Any) -> Any:
    """The value with what no strict reader takes written otherwise; see `line`."""
    kind = type(value)
    if kind is dict:
        return {mended(str(key)): mended(item) for key, item in value.items()}
    if kind is list or kind is tuple:
        return [mended(item) for item in value]
    if kind is str:
        return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if kind is int:
        return value if abs(value) <= SAFE_INTEGER else str(value)
    if kind is float:
        return value if value - value == 0 else None
    return value if kind is bool or value is None else mended(str(value))


def loads_text(text: str) -> Any:
    """The value of a JSON text, lone surrogates in it as U+FFFD; None if it is not one."""
    head = text.lstrip()[:1]
    if not head or head not in '{["-0123456789tfn':
        return None
    try:
        return loads(text)
    except (ValueError, RecursionError):
        return _loads_mended(text) if "\\u" in text else None


def _loads_mended(text: str) -> Any:
    import json

    def refuse(word: str) -> Any:
        raise ValueError(f"{word} is not JSON")

    try:
        return mended(json.loads(text, parse_constant=refuse))
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


def objects(value: Any) -> list[dict[str, Any]]:
    """The objects of a list; none of anything else."""
    return [item for item in value if type(item) is dict] if type(value) is list else []
