"""Instants: every native spelling to RFC 3339 in UTC with a Z, and back to milliseconds."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def to_iso(value: Any) -> str | None:
    """ISO text, epoch seconds, milliseconds or nanoseconds (number or digits) -> RFC 3339 UTC.

    Text of 20 to 30 characters that ends in Z is taken as it is after a look at its shape.
    Returns None for anything else: an instant is never invented.
    """
    if type(value) is str:
        if 20 <= len(value) <= 30 and value[-1] == "Z" and _plain(value):
            return value
        if value.isascii() and value.isdigit() and len(value) <= 19:
            return _from_number(int(value))
        return _from_text(value)
    if type(value) is int or type(value) is float:
        return _from_number(value)
    return None


def _plain(value: str) -> bool:
    return (
        value[4] == "-"
        and value[7] == "-"
        and value[10] == "T"
        and value[13] == ":"
        and value[16] == ":"
        and value.isascii()
        and value[:4].isdigit()
        and value[5:7].isdigit()
        and "01" <= value[5:7] <= "12"
        and "01" <= value[8:10] <= "28"
        and value[11:13].isdigit()
        and value[11:13] < "24"
        and value[14:16].isdigit()
        and value[14:16] < "60"
        and value[17:19].isdigit()
        and value[17:19] < "60"
        and (len(value) == 20 or (value[19] == "." and value[20:-1].isdigit()))
    )


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
    """Seconds, milliseconds, microseconds or nanoseconds since 1970, told apart by size."""
    from datetime import UTC, datetime

    if not 0 < value < 1e20:
        return None
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
