"""Normalize timestamps to RFC 3339 in UTC (Z), and convert them to milliseconds."""

from __future__ import annotations

import re

# The ordinal of 1 January 1970.
EPOCH = 719163

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


# RFC 3339 in UTC on a day every month has; everything else is parsed.
PLAIN = re.compile(
    r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])"
    r"T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?Z",
    re.ASCII,
)


def to_iso(value: Any) -> str | None:
    """ISO text, epoch seconds, milliseconds or nanoseconds (number or digits) -> RFC 3339 UTC.

    Text that already is RFC 3339 in UTC stays as it is.
    Returns None for anything else: an instant is never invented.
    """
    if type(value) is str:
        if PLAIN.fullmatch(value) is not None:
            return value
        if value.isascii() and value.isdigit() and len(value) <= 19:
            return _from_number(int(value))
        return _from_text(value)
    if type(value) is int or type(value) is float:
        return _from_number(value)
    return None


def _from_text(value: str) -> str | None:
    from datetime import UTC, datetime

    try:
        moment = datetime.fromisoformat(value)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    except (ValueError, OverflowError):
        return None


def _from_number(value: float) -> str | None:
    """Seconds, milliseconds, microseconds or nanoseconds since 1970, distinguished by size."""
    if type(value) is int and 100_000_000_000 <= value < 100_000_000_000_000:
        return _from_milliseconds(value)
    if not 0 < value < 1e20:
        return None
    from datetime import UTC, datetime

    seconds = value
    for limit, scale in ((1e17, 1e9), (1e14, 1e6), (1e11, 1e3)):
        if value >= limit:
            seconds = value / scale
            break
    try:
        moment = datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


# Day since 1970 -> its date; a stream has few days.
_dates: dict[int, str] = {}


def _from_milliseconds(value: int) -> str:
    """The most common form of vendors: a whole number of milliseconds, of 1973 to 5138."""
    seconds, ms = divmod(value, 1000)
    day, second = divmod(seconds, 86400)
    date = _dates.get(day)
    if date is None:
        from datetime import date as calendar

        if len(_dates) > 1000:
            _dates.clear()
        date = _dates[day] = calendar.fromordinal(EPOCH + day).isoformat()
    minute, second = divmod(second, 60)
    hour, minute = divmod(minute, 60)
    return f"{date}T{hour:02}:{minute:02}:{second:02}.{ms:03}Z"


def to_ms(value: str | None) -> float | None:
    """RFC 3339 text -> milliseconds since 1970, or None."""
    if not value:
        return None
    from datetime import UTC, datetime

    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return moment.timestamp() * 1000.0


def micros(value: str | None) -> int | None:
    """RFC 3339 text -> whole microseconds since 1970 (finer digits are cut), or None."""
    from datetime import UTC, datetime, timedelta

    try:
        moment = datetime.fromisoformat(value or "")
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        return (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1)
    except (ValueError, OverflowError):
        return None


def system_clock() -> str:
    """The time of the machine's clock, RFC 3339 in UTC."""
    from datetime import UTC, datetime

    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
