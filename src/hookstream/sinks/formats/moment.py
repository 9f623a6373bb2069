"""An event's timestamp as numbers; ValueError if missing, for formats that require one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from hookstream.core.times import micros

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def millis(text: str | None) -> int:
    """Milliseconds since 1970. ValueError if the text is not a time."""
    found = micros(text)
    if found is None:
        raise ValueError("the event has no time that can be read")
    return found // 1000


def plain(text: str | None) -> str:
    """RFC 3339 in UTC with at most microseconds and a Z. ValueError if the text is not a time."""
    found = micros(text)
    if found is None:
        raise ValueError("the event has no time that can be read")
    at = _EPOCH + timedelta(microseconds=found)
    return at.isoformat(timespec="milliseconds" if found % 1000 == 0 else "microseconds").replace(
        "+00:00", "Z"
    )
