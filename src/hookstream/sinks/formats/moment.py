"""An event's timestamp as numbers; ValueError if missing, for formats that require one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

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
    at = micros(text)
    if at is None:
        raise ValueError("the event has no time that can be read")
    return iso(at)


def begin_and_end(facts: dict[str, Any]) -> tuple[str, str]:
    """When an event began and ended, as `plain` has it: its time, and its duration before."""
    end = micros(facts["timestamp"])
    if end is None:
        raise ValueError("the event has no time that can be read")
    return iso(end - int(facts.get("duration_ms") or 0) * 1000), iso(end)


def iso(at: int) -> str:
    """Microseconds since 1970 as RFC 3339 in UTC."""
    return (
        (_EPOCH + timedelta(microseconds=at))
        .isoformat(timespec="milliseconds" if at % 1000 == 0 else "microseconds")
        .replace("+00:00", "Z")
    )
