"""What a span of time leaves is answered alike with tables and without, and a span that holds all
events leaves the answer as it is."""

from __future__ import annotations

import shutil
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from tests.queries.history import write
from tests.tables.test_refresh import story

from hookstream.queries.catalog import queries
from hookstream.queries.formats import objects
from hookstream.queries.runner import Filters, ask, open_stream
from hookstream.tables.manifest import folder_of
from hookstream.tables.update import update

pytestmark = pytest.mark.long

LONG_AGO = datetime(2000, 1, 1)
# Without a span these say more: `is_new` is about one, and so are places that a span cuts out.
ABOUT_SPANS = ("is_new",)


def answers(lake: Path, **span: Any) -> dict[str, list[dict[str, Any]]]:
    with open_stream(lake) as stream:
        return {name: objects(ask(stream, name, Filters(**span))) for name in queries()}


def without(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {key: value for key, value in row.items() if key not in ABOUT_SPANS}
        for row in rows
        if row.get("gap") != "missing_events"
    ]


@pytest.mark.long
@pytest.mark.parametrize("several", [False, True])
def test_with_and_without_tables(tmp_path: Path, several: bool) -> None:
    events = story(7, several=several)
    lake = write(tmp_path / "lake", events, "parquet")
    update(lake)
    times = sorted(event.facts["timestamp"] for event in events)
    middle = datetime.fromisoformat(str(times[len(times) // 2]).replace("Z", ""))
    spans: list[dict[str, Any]] = [
        {},
        {"since": middle},
        {"since": LONG_AGO},
        {"session": "s1", "until": middle},
    ]
    stored = [answers(lake, **span) for span in spans]
    shutil.rmtree(folder_of(lake))
    assert sum(len(rows) for rows in stored[1].values()) > 10
    assert stored[1] != stored[0]
    for span, found in zip(spans, stored, strict=True):
        assert answers(lake, **span) == found, span
    whole, of_all = stored[0], stored[2]
    for name, rows in whole.items():
        assert without(rows) == without(of_all[name]), name
