"""Bytes to Record: one line becomes a payload with vendor and receipt time, or a Rejection."""

from __future__ import annotations

import re
from hashlib import sha256

from hookstream.jsons import dumps, loads
from hookstream.limits import DEPTH, LINE_BYTES, SAFE_INTEGER
from hookstream.times import to_iso

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

BOM = b"\xef\xbb\xbf"
BIG_INTEGER = re.compile(rb".?[:,\[\s](-?\d{16,400})", re.DOTALL)
LONG_DIGITS = b"0" * 16
DIGITS = bytes(48 if 48 <= byte <= 57 else 0 for byte in range(256))
# A line's brackets alone, square ones as braces.
BRACKETS = bytes.maketrans(b"[]", b"{}")
NO_BRACKETS = bytes(byte for byte in range(256) if byte not in b"{}[]")
ANSI = re.compile(rb"\x1b?\[\d{1,3}(?:;\d{1,3})*m")
# Log lines that carry a JSON object behind a prefix of their own.
EMBEDDED = b'{"event":"prisma_airs'


class Record:
    """One native payload and what is known of its delivery.

    `kind` is "payload", "agent-hooks" or "aarts" (an envelope or hookstream's wrapper of one).
    `source` and `offset` (bytes) say where the line stands; they name an event only when nothing
    else does. `marks` names what had to be mended to read it.
    """

    __slots__ = (
        "argv",
        "client_version",
        "env",
        "kind",
        "marks",
        "native_event",
        "offset",
        "payload",
        "received_at",
        "source",
        "vendor",
    )

    def __init__(
        self,
        payload: dict[str, Any],
        vendor: str | None = None,
        native_event: str | None = None,
        received_at: str | None = None,
        client_version: str | None = None,
        env: dict[str, Any] | None = None,
        argv: list[Any] | None = None,
        source: str = "",
        offset: int = 0,
        kind: str = "payload",
    ) -> None:
        self.payload = payload
        self.vendor = vendor
        self.native_event = native_event
        self.received_at = received_at
        self.client_version = client_version
        self.env = env
        self.argv = argv
        self.source = source
        self.offset = offset
        self.kind = kind
        self.marks: tuple[str, ...] = ()


class Rejection:
    """A line that is no event: why, how long, which bytes (digest), where. Never its content."""

    __slots__ = ("digest", "length", "offset", "reason", "source")

    def __init__(self, reason: str, length: int, digest: str, source: str, offset: int) -> None:
        self.reason = reason
        self.length = length
        self.digest = digest
        self.source = source
        self.offset = offset

    def record(self) -> dict[str, Any]:
        """The rejection as it is written: schema hookstream/rejection/1."""
        return {
            "schema": "hookstream/rejection/1",
            "reason": self.reason,
            "length": self.length,
            "sha256": self.digest,
            "source": self.source,
            "offset": self.offset,
        }


class Refused(Exception):
    """A line cannot be read; the text is the rejection's reason."""


def read_record(data: bytes, source: str = "", offset: int = 0) -> Record | Rejection | None:
    """One line to its Record, to a Rejection, or None for a blank line."""
    line = data.strip()
    while line.startswith(BOM):
        line = line[3:].lstrip()
    if not line:
        return None
    try:
        if len(line) > LINE_BYTES:
            raise Refused("too_long")
        value, marks = parse(line)
        if type(value) is not dict:
            raise Refused("not_an_object")
        record = _record(value)
    except Refused as refusal:
        return Rejection(str(refusal), len(data), sha256(data).hexdigest(), source, offset)
    record.source = source
    record.offset = offset
    record.marks = marks
    return record


def parse(line: bytes) -> tuple[Any, tuple[str, ...]]:
    """The JSON value of a line and the marks of what had to be mended. Raises Refused."""
    try:
        value = loads(line)
    except (ValueError, RecursionError):
        return _mended(line)
    brackets = line.translate(BRACKETS, NO_BRACKETS)
    if len(brackets) > 2 * DEPTH and may_be_deep(brackets) and type(value) in (dict, list):
        check_depth(value)
    # A key that stands twice is gone from the value: written again, it has fewer colons. Whole
    # numbers beyond 64 bits were read as floats. Both are rare, and seen by the careful parser.
    if line.count(b":") != dumps(value).count(b":") or has_big_integer(line):
        return _careful(line)
    return value, ()


def may_be_deep(brackets: bytes) -> bool:
    """Whether nesting may pass the limit; brackets inside texts can only make it seem deeper.

    Each round removes the innermost pairs, so the rounds count the depth.
    """
    for _ in range(DEPTH - 8):
        shorter = brackets.replace(b"{}", b"")
        if len(shorter) == len(brackets):
            return len(brackets) > 8
        brackets = shorter
    return bool(brackets)


def has_big_integer(line: bytes) -> bool:
    """A number (not a text) of so many digits that a double may not hold it."""
    digits = line.translate(DIGITS)
    start = digits.find(LONG_DIGITS)
    while start >= 0:
        number = BIG_INTEGER.match(line, max(0, start - 2))
        if number is not None and abs(int(number[1])) > SAFE_INTEGER:
            return True
        end = start + len(LONG_DIGITS)
        while digits[end : end + 1] == b"0":
            end += 1
        start = digits.find(LONG_DIGITS, end)
    return False


def check_depth(value: Any, depth: int = 0) -> None:
    """Refused where objects and lists are nested beyond the limit."""
    if depth > DEPTH:
        raise Refused("too_deep")
    for below in value.values() if type(value) is dict else value:
        kind = type(below)
        if kind is dict or kind is list:
            check_depth(below, depth + 1)


def _careful(line: bytes) -> tuple[Any, tuple[str, ...]]:
    """The standard library's parser, which sees repeated keys and whole integers."""
    import json

    marks: set[str] = set()

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(items)
        if len(made) != len(items):
            marks.add("duplicate_key")
        return made

    def whole(digits: str) -> Any:
        if len(digits) < 16 or (len(digits) < 20 and abs(int(digits)) <= SAFE_INTEGER):
            return int(digits)
        marks.add("big_integer")
        return digits

    def refuse(word: str) -> Any:
        raise Refused("not_finite")

    def finite(digits: str) -> float:
        number = float(digits)
        if number - number != 0:
            raise Refused("not_finite")
        return number

    text = line.decode("utf-8", "strict")
    try:
        value = json.loads(
            text,
            object_pairs_hook=pairs,
            parse_int=whole,
            parse_float=finite,
            parse_constant=refuse,
        )
    except RecursionError:
        raise Refused("too_deep") from None
    except ValueError:
        raise Refused("not_json") from None
    if type(value) is dict or type(value) is list:
        check_depth(value)
    if "\\u" in text:
        value = _without_surrogates(value, marks)
    return value, tuple(sorted(marks))


def _without_surrogates(value: Any, marks: set[str]) -> Any:
    """Lone surrogates become U+FFFD: no text with one can be written."""
    if type(value) is str:
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            marks.add("lone_surrogate")
            return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        return value
    if type(value) is list:
        return [_without_surrogates(one, marks) for one in value]
    if type(value) is dict:
        return {
            _without_surrogates(key, marks): _without_surrogates(one, marks)
            for key, one in value.items()
        }
    return value


def _mended(line: bytes) -> tuple[Any, tuple[str, ...]]:
    """What the fast parser refused: a reason, or a value that can be had with a mark."""
    start = line.find(EMBEDDED)
    if start > 0:
        end = line.rfind(b"}")
        return _careful(ANSI.sub(b"", line[start : end + 1]))
    if line[:2] in (b"\xff\xfe", b"\xfe\xff") or line[1:2] == b"\0" or line[:1] == b"\0":
        raise Refused("not_utf8")
    try:
        line.decode("utf-8")
    except UnicodeDecodeError:
        raise Refused("not_utf8") from None
    if b"\0" in line:
        raise Refused("control_character")
    return _careful(line)


def _text(value: Any) -> str | None:
    return value if type(value) is str and value else None


def _record(value: dict[str, Any]) -> Record:
    """What kind of object it is: a capture record, one of the standards, or a bare payload."""
    if "payload" in value and ("vendor" in value or "native_event" in value or "argv" in value):
        payload = value["payload"]
        if type(payload) is str:
            payload, _ = parse(payload.encode("utf-8", "replace"))
        if type(payload) is not dict:
            raise Refused("not_an_object")
        env, argv = value.get("env"), value.get("argv")
        record = Record(
            payload,
            _text(value.get("vendor")),
            _text(value.get("native_event")),
            _text(value.get("received_at")),
            _text(value.get("client_version")),
            env if type(env) is dict else None,
            argv if type(argv) is list else None,
        )
        if record.received_at is not None:
            record.received_at = to_iso(record.received_at)
    else:
        record = Record(value)
    payload = record.payload
    if "spec_version" in payload and "event_type" in payload:
        record.kind = "agent-hooks"
    elif "aarts_version" in payload or ("aarts" in payload and "hookstream" in payload):
        record.kind = "aarts"
    return record
