"""The first page of what comes day by day is read from the first day's parts."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.queries.history import History, hollow, write

from hookstream.queries.errors import QueryError
from hookstream.queries.formats import objects
from hookstream.queries.runner import Filters, ask, moment, open_stream
from hookstream.tables.update import update

pytestmark = pytest.mark.long


def three_days(folder: Path) -> Path:
    events = []
    for day in range(3):
        h = History(session=f"s{day}", second=day * 86_400)
        h.start(machine_id=f"m{day}")
        for number in range(3):
            h.before(f"c{number}", machine_id=f"m{day}")
        events += h.events
    lake = write(folder / "lake", events, "parquet")
    update(lake)
    return lake


def page(lake: Path, limit: int | None, **filters: object) -> list[dict[str, object]]:
    with open_stream(lake) as stream:
        return objects(ask(stream, "timeline", Filters(**filters), limit=limit))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "filters",
    [
        {},
        {"machine": "m1"},
        {"session": "s2"},
        {"since": moment("2026-11-22T08:00:02Z")},
        {"until": moment("2026-11-21T08:00:03Z")},
        {"since": moment("2026-11-22"), "until": moment("2026-11-23")},
        {"sort": "-timestamp"},
    ],
)
def test_a_page_is_the_beginning_of_all(tmp_path: Path, filters: dict[str, object]) -> None:
    lake = three_days(tmp_path)
    whole = page(lake, None, **filters)
    assert whole
    for limit in range(len(whole) + 2):
        assert page(lake, limit, **filters) == whole[:limit]


def test_a_page_of_the_first_day_opens_no_other_part(tmp_path: Path) -> None:
    lake = three_days(tmp_path)
    whole = page(lake, None)
    for part in lake.glob("date=2026-11-2[23]/**/*.parquet"):
        hollow(part)
    assert page(lake, 3) == whole[:3]
    with pytest.raises(QueryError):
        page(lake, 5)
