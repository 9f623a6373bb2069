"""Pages that are read at first glance: durations in words, dense charts, sentences."""

from __future__ import annotations

from datetime import datetime, timedelta
from importlib import resources
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from tests.ui.conftest import client_of
from tests.ui.spending import spending

from hookstream.ui import words
from hookstream.ui.cells import duration, in_column
from hookstream.ui.costpage import cost_page
from hookstream.ui.dense import FEW, dense
from hookstream.ui.filters import PageFilters
from hookstream.ui.overview import overview
from hookstream.ui.session import Scale, _lane

DAY = 86400


@pytest.mark.parametrize(
    ("ms", "shown"),
    [
        (0, "0 ms"), (537, "537 ms"), (1900, "1.9 s"), (12_000, "12 s"), (60_000, "1 m"),
        (1_871_829, "31 m 12 s"), (7_500_000, "2 h 5 m"), (90_061_000, "1 d 1 h"),
    ],
)  # fmt: skip
def test_a_duration_is_said_as_a_person_says_it(ms: int, shown: str) -> None:
    assert duration(ms) == in_column(ms, "duration_ms") == shown
    assert in_column(ms, "count") == f"{ms:,}"
    assert words.label("duration_ms") == "duration"


@pytest.mark.parametrize(
    ("column", "value", "shown"),
    [
        ("finding", "always_approved", "always approved"),
        ("reasons", "no_hooks, no_session_start", "no hooks, no session start"),
        ("gap", "no_session_end", "sessions without an end"), ("gap", None, ""),
        ("command", "a_b", "a_b"), ("finding", "a_\u202eb", "a \\u202eb"),
    ],
)  # fmt: skip
def test_a_code_is_said_in_words(column: str, value: str, shown: str) -> None:
    assert in_column(value, column) == shown


@given(st.dictionaries(st.integers(0, 800).map(lambda n: n * DAY), st.integers(1, 9), min_size=1))
def test_a_chart_leaves_out_few(counts: dict[int, int]) -> None:
    first, last = dense(dict(counts))
    kept = {at for at in counts if first <= at <= last}
    assert {first, last} <= kept
    sides = len(counts) - len(kept)
    assert sum(counts[at] for at in kept) >= (1 - FEW * sides) * sum(counts.values()) - 1e-9


@pytest.mark.long
def test_one_old_day_does_not_stretch_the_charts(tmp_path: Path) -> None:
    new = [
        {"timestamp": f"2026-11-{day}T12:00:00.000Z", "output_tokens": 9_000_000}
        for day in range(10, 25)
    ]
    old = {"timestamp": "2025-01-02T12:00:00.000Z", "output_tokens": 1000, "cwd": "/srv/api"}
    lake = spending(tmp_path / "lake", [old, *new])
    series = cost_page(lake, PageFilters())["series"]
    assert len(series["x"]) == 15
    assert series["left_out"] == {"days": 1, "cost_usd": 0.015}
    page = overview(lake, PageFilters())
    assert page["left_out"] == 1 and page["step_s"] < DAY
    assert sum(events for _, events, _ in page["series"]) == 15
    browser = client_of(lake)
    assert "Not drawn: $0.01 of 1 day far from the rest" in browser.get("/cost").text
    assert "Not drawn: 1 event far from the rest" in browser.get("/").text
    # A session is known by its project.
    assert "api, claude-code, 2025-01-02 12:00:00" in browser.get("/session/s0").text
    lake.close()


def test_the_times_under_a_picture_differ() -> None:
    start = datetime(2026, 11, 21, 16, 29, 1)
    texts = [
        text
        for _, text in Scale(start + timedelta(milliseconds=n) for n in range(0, 900, 90)).ticks()
    ]
    assert texts == ["16:29:01"]


def test_every_gap_that_is_a_finding_has_its_sentence() -> None:
    rule = resources.files("hookstream.rules") / "pack" / "call_capture_gap.yml"
    gaps = yaml.safe_load(rule.read_text("utf-8"))["detection"]["gap"]["gap"]
    assert set(gaps) == set(words.GAP_SENTENCES) <= set(words.GAPS)


def test_agents_whose_ids_begin_alike_have_lanes_of_different_names() -> None:
    names = {_lane(f"general-purpose-call_000{n}1679e{n}", "general-purpose") for n in range(3)}
    assert len(names) == 3 and max(map(len, names)) <= 20  # what the picture shows
