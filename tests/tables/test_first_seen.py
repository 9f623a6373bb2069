"""When something was first seen is said of the whole lake: under every span, from tables and not,
after a compaction, and of what is left when a date is deleted."""

from __future__ import annotations

import random
import shutil
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from tests.queries.history import History, write

from hookstream.core.event import Event
from hookstream.lake.compaction import compact
from hookstream.queries.formats import objects
from hookstream.queries.runner import Filters, ask, moment, open_stream
from hookstream.queries.stream import OpenStream
from hookstream.tables.manifest import folder_of
from hookstream.tables.update import update

pytestmark = pytest.mark.long

DAY_S = 86_400
# question -> the columns that name what was seen, of a group of its rows
NAMES = {
    "secrets": ("rule", "fingerprint"),
    "egress": ("host",),
    "mcp_servers": ("server",),
    "packages": ("manager", "package"),
}
Seen = dict[str, dict[tuple[Any, ...], datetime]]


def story(seed: int, days: int = 5) -> tuple[list[Event], Seen]:
    """Sessions of several days and machines, and when each thing came first."""
    rng = random.Random(seed)
    events: list[Event] = []
    first: Seen = {name: {} for name in NAMES}
    for number in range(3 * days):
        h = History(session=f"s{number}", second=DAY_S * rng.randrange(days) + rng.randrange(9000))
        more = {"machine_id": f"m{number % 2}", "user_id": f"u{number % 2}"}
        which = rng.randrange(6)
        h.ran("c1", f"curl https://h{which}.example/x", **more)
        h.ran("c2", f"npm i p{which}", **more)
        h.ran("c3", None, mcp_server=f"db{which}", **more)
        h.before("c4", "env", secrets=[("aws-access-key", "command", f"f{which}")], **more)
        events += h.events
        things = {
            "egress": ((f"h{which}.example",), 0),
            "packages": (("npm", f"p{which}"), 2),
            "mcp_servers": ((f"db{which}",), 4),
            "secrets": (("aws-access-key", f"f{which}"), 6),
        }
        for question, (thing, place) in things.items():
            at = moment(h.events[place].facts["timestamp"])
            first[question][thing] = min(at, first[question].get(thing, at))
    rng.shuffle(events)
    return events, first


def rows_of(stream: OpenStream, question: str, since: datetime | None) -> list[dict[str, Any]]:
    result = ask(stream, question, Filters(since=since))
    return [dict(zip(result.columns, row, strict=True)) for row in result.rows]


def check(lake: Path, first: Seen) -> None:
    """Every answer says of each thing the time at which it was first seen in the whole lake."""
    with open_stream(lake) as stream:
        check_of(stream, first)


def check_of(stream: OpenStream, first: Seen) -> None:
    begin = min(min(times.values()) for times in first.values())
    for question, names in NAMES.items():
        everything = rows_of(stream, question, None)
        for hours in (0, 20, 47, 90):
            since = begin + timedelta(hours=hours)
            rows = rows_of(stream, question, since)
            found: dict[tuple[Any, ...], datetime] = {}
            for row in rows:
                thing = tuple(row[name] for name in names)
                found[thing] = min(row["first_seen"], found.get(thing, row["first_seen"]))
                assert row["is_new"] == (first[question][thing] >= since)
            for row in everything:
                thing = tuple(row[name] for name in names)
                if thing in found:
                    found[thing] = min(row["first_seen"], found[thing])
            assert found == {thing: first[question][thing] for thing in found}
            assert {t for t, at in first[question].items() if at >= since} <= set(found)


@pytest.mark.long
@pytest.mark.parametrize("seed", [1, 2])
def test_it_is_said_of_the_whole_lake_under_every_span(tmp_path: Path, seed: int) -> None:
    events, first = story(seed)
    half = len(events) // 2
    lake = write(tmp_path / "lake", events[:half], "parquet")
    update(lake)
    write(lake, events[half:], "parquet", tables=False)
    check(lake, first)  # tables, and what they do not cover yet
    assert compact(lake).after > 0
    check(lake, first)
    update(lake)
    check(lake, first)
    shutil.rmtree(folder_of(lake))
    check(lake, first)


def test_what_is_deleted_was_not_seen(tmp_path: Path) -> None:
    events, _ = story(3)
    lake = write(tmp_path / "lake", events, "parquet")
    update(lake)
    oldest = sorted(lake.glob("date=*"))[0]
    left = [e for e in events if e.facts["timestamp"][:10] != oldest.name.removeprefix("date=")]
    shutil.rmtree(oldest)
    only = write(tmp_path / "only", left, "parquet")
    for _ in range(2):  # before a refresh, and after it
        with open_stream(lake) as stream, open_stream(only) as other:
            for question in NAMES:
                assert objects(ask(stream, question)) == objects(ask(other, question))
        update(lake)
