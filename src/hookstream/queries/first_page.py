"""The part of a whole lake that a page must read."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from hookstream.queries.catalog import Query
    from hookstream.queries.runner import Filters
    from hookstream.queries.stream import OpenStream


def ends(
    stream: OpenStream, asked: Query, filters: Filters, limit: int | None, until: datetime | None
) -> Iterator[datetime | None]:
    """Until when events are asked: the first day's may fill a page of what comes day by day."""
    by_day = asked.passes and not (filters.session or filters.sort or filters.new)
    end = stream.end_of_first_day(filters.since) if by_day and limit is not None else None
    if end is not None and (until is None or end < until):
        yield end
    yield until
