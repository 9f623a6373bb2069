"""The sessions that a build derives at a time: all of some dates, or a share of those of one
date.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

# This number takes about a gigabyte.
EVENTS = 500_000


@dataclass(frozen=True)
class SessionBatch:
    """Sessions that began from the date `first` to `last`, whose events end by `over`; of them the
    share number `share` of `shares`."""

    number: int
    first: str
    last: str
    over: str
    share: int = 0
    shares: int = 1


def plan(dates: Iterable[tuple[str, int, str]], limit: int | None = None) -> list[SessionBatch]:
    """Batches of about `limit` events (EVENTS) for rows in order: date, events, date of the last
    event."""
    limit = limit or EVENTS
    made: list[SessionBatch] = []
    first, last, over, held = "", "", "", 0
    for date, events, until in dates:
        if held and held + events > limit:
            made.append(SessionBatch(len(made), first, last, over))
            held = 0
        shares = -(-events // limit)
        if shares > 1:
            made += [
                SessionBatch(len(made) + n, date, date, until, n, shares) for n in range(shares)
            ]
            continue
        if not held:
            first, over = date, until
        last, over, held = date, max(over, until), held + events
    if held:
        made.append(SessionBatch(len(made), first, last, over))
    return made
