"""A session's timeline, and a time, read the parts that can hold them, whoever told of them."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from tests.queries.history import History, hollow, write

from hookstream.queries.errors import QueryError
from hookstream.queries.formats import objects
from hookstream.queries.runner import Filters, ask, ask_sql, moment, open_stream
from hookstream.tables import manifest
from hookstream.tables.update import update
from hookstream.ui.lake import BrowsedLake

pytestmark = pytest.mark.long


def told_twice(folder: Path) -> Path:
    """A session a day, told by hooks and by its file. A call of the second day's sub-agent is told
    in its parent's file, and by hooks of its own the day after."""
    events = []
    for day in range(4):
        for witness in ("hook", "transcript"):
            h = History(session=f"s{day}", second=day * 86_400)
            h.start()
            h.ran(f"c{day}", "make")
            if day == 1 and witness == "transcript":
                h.ran("inner", "ls", agent_id="sub")
            events += told(h, witness)
    h = History(session="sub", second=2 * 86_400)
    h.ran("inner", "ls")
    events += told(h, "hook")
    lake = write(folder / "lake", events, "parquet")
    update(lake)
    known = manifest.read(manifest.folder_of(lake))
    assert known is not None and known.several
    return lake


def told(h: History, witness: str) -> list[object]:
    for number, event in enumerate(h.events):
        event.facts["witness"] = witness
        event.facts["event_id"] = f"{event.facts['session_id']}-{witness}-{number}"
    return list(h.events)


def timeline(lake: Path, **filters: object) -> list[dict[str, object]]:
    with open_stream(lake) as stream:
        return objects(ask(stream, "timeline", Filters(**filters)))  # type: ignore[arg-type]


def without_tables(lake: Path, **filters: object) -> list[dict[str, object]]:
    beside = lake.with_name(f"{lake.name}.tables")
    beside.rename(beside.with_suffix(".away"))
    try:
        return timeline(lake, **filters)
    finally:
        beside.with_suffix(".away").rename(beside)


def damage(lake: Path, *days: int) -> None:
    """Not the first day's: the first part tells the columns of all."""
    for day in days:
        for part in lake.glob(f"date=2026-11-{21 + day}/**/*.parquet"):
            hollow(part)


def test_a_session_told_twice_reads_its_own_parts(tmp_path: Path) -> None:
    lake = told_twice(tmp_path)
    plain = without_tables(lake, session="s0")
    damage(lake, 1, 2, 3)
    assert timeline(lake, session="s0") == plain


def test_a_session_told_twice_reads_the_parts_of_its_sub_agents(tmp_path: Path) -> None:
    lake = told_twice(tmp_path)
    plain = {one: without_tables(lake, session=one) for one in ("s1", "sub")}
    damage(lake, 3)
    assert {one: timeline(lake, session=one) for one in plain} == plain
    damage(lake, 2)
    with pytest.raises(QueryError):
        timeline(lake, session="s1")


def test_one_stream_asked_of_other_sessions_answers_as_asked_alone(tmp_path: Path) -> None:
    lake = told_twice(tmp_path)
    asked = [{"session": "s3"}, {"session": "s1"}, {}, {"since": moment("2026-11-24")}]
    plain = [without_tables(lake, **filters) for filters in asked]
    with open_stream(lake) as stream:
        found = [objects(ask(stream, "timeline", Filters(**one))) for one in asked]  # type: ignore[arg-type]
    assert found == plain
    for filters in (
        {"until": moment("2026-11-22T08:00:02Z")},
        {"since": moment("2026-11-22"), "until": moment("2026-11-24")},
    ):
        assert timeline(lake, **filters) == without_tables(lake, **filters)


def told_alone(folder: Path) -> Path:
    """A session a day, told by hooks alone."""
    events = []
    for day in range(4):
        h = History(session=f"s{day}", second=day * 86_400)
        h.start()
        h.ran(f"c{day}", "make")
        events += told(h, "hook")
    lake = write(folder / "lake", events, "parquet")
    update(lake)
    return lake


def test_views_bound_over_one_part_read_all_parts(tmp_path: Path) -> None:
    lake = told_alone(tmp_path)
    count = "select count(*) from events"
    with open_stream(lake) as stream:
        assert ask_sql(stream, count).rows == [(12,)]
    with open_stream(lake) as stream:
        assert len(ask(stream, "timeline", Filters(session="s2")).rows) == 3
        assert ask_sql(stream, count).rows == [(12,)]
        # What is made without a question of its own, as rules do.
        stream.name_questions("calls, events")
        stream.filter()
        stream.prepare("derived.calls")
        assert stream.connection.execute(count).fetchall() == [(12,)]
    with open_stream(lake) as stream:
        # What is no table beside the lake is made of events, before it is known of which.
        stream.prepare("from base.actions")
        stream.filter()
        made = stream.connection.execute("select count(*) from base.actions").fetchall()
        assert made == [(4,)]


@pytest.mark.parametrize("name", ["coverage", "usage", "gaps", "risky_modes"])
@pytest.mark.parametrize("lake_of", [told_alone, told_twice])
def test_sums_of_a_time_are_those_of_its_events(
    tmp_path: Path, lake_of: Callable[[Path], Path], name: str
) -> None:
    lake = lake_of(tmp_path)
    filters = Filters(since=moment("2026-11-22"), until=moment("2026-11-24"))
    with open_stream(lake) as stream:
        ask(stream, "timeline", Filters(session="s3"))
        found = objects(ask(stream, name, filters))
    beside = lake.with_name(f"{lake.name}.tables")
    shutil.rmtree(beside)
    with open_stream(lake) as stream:
        assert objects(ask(stream, name, filters)) == found


@pytest.mark.parametrize("kinds", [("hook",), ("hook", "transcript")])
def test_a_page_of_some_dates_opens_no_other_part(tmp_path: Path, kinds: tuple[str, ...]) -> None:
    events = []
    for day in range(3):
        for kind in kinds:
            h = History(session=f"s{day}", second=day * 86_400)
            h.start()
            h.ran(f"c{day}", "make")
            events += told(h, kind)
    lake = write(tmp_path / "lake", events, "parquet")
    update(lake)
    damage(lake, 1)
    last = date(2026, 11, 23)
    count = "select count(*) from events"
    pages = BrowsedLake(lake)
    assert pages.ask(count, dates=(last, last)).rows == [(3 * len(kinds),)]
    assert pages.ask(count, dates=(last, date(2026, 12, 1)), client="claude-code").rows
    assert pages.ask(count).rows == [(6 * len(kinds),)]  # without the damaged one, which is named
