"""The page of costs: its totals, days and parts are those of `usage_costs`, whatever narrows it."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from starlette.testclient import TestClient
from tests.ui.conftest import client_of
from tests.ui.spending import spending

from hookstream.queries.costs import costs
from hookstream.queries.prices import Prices
from hookstream.queries.runner import ask, open_stream
from hookstream.ui.costpage import PARTS, SPLITS, cost_page
from hookstream.ui.filters import PageFilters
from hookstream.ui.lake import BrowsedLake

MODELS = (
    "claude-sonnet-4-5", "claude-opus-4-5", "gpt-5.1-codex", "gemini-2.5-flash", "gpt-5.5",
    "claude-haiku-4-5", "gpt-5", "no <b>such</b> model",
)  # fmt: skip


@pytest.fixture(scope="module")
def spent(tmp_path_factory: pytest.TempPathFactory):
    """Eight models, one without a price, on three days with one between that has nothing."""
    answers = [
        {
            "timestamp": f"2026-11-{day}T{hour:02}:00:00.000Z", "model_id": model,
            "tool": ("claude-code", "codex")[place % 2], "repo": ("/home/dev/api", None)[place % 2],
            "output_tokens": 100_000 * (place + 1), "input_tokens": 1000 * day,
        }
        for day, hour in ((10, 1), (11, 23), (13, 12))
        for place, model in enumerate(MODELS)
    ]  # fmt: skip
    opened = spending(tmp_path_factory.mktemp("spent") / "lake", answers)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def browser(spent: BrowsedLake) -> TestClient:
    return client_of(spent)


@pytest.mark.long
def test_the_total_is_that_of_the_report_and_of_the_question(spent: BrowsedLake) -> None:
    with open_stream(spent.path) as stream:
        rows = costs(stream, Prices())
        usage = ask(stream, "usage")
    place = usage.columns.index("input_tokens")
    totals = cost_page(spent, PageFilters())["totals"]
    assert totals["cost_usd"] == pytest.approx(sum(row["cost_usd"] or 0 for row in rows))
    assert totals["answers"] == 3 * len(MODELS) == sum(row["answers"] for row in rows)
    assert totals["input_tokens"] == sum(row[place] or 0 for row in usage.rows)
    assert (totals["unpriced"], totals["unpriced_models"]) == (3, [MODELS[-1]])


@pytest.mark.long
def test_sessions_costs_add_up_to_the_total_and_are_on_their_pages(spent: BrowsedLake) -> None:
    sessions = {row[0] for row in spent.ask("select distinct session_id from events").rows}
    found = {name: spent.cost_of(name, "", "") for name in sessions}
    totals = cost_page(spent, PageFilters())["totals"]
    assert sum(cost or 0 for cost, _ in found.values()) == pytest.approx(totals["cost_usd"])
    assert sum(unpriced for _, unpriced in found.values()) == totals["unpriced"] == 3
    name, (cost, _) = max(found.items(), key=lambda item: item[1][0] or 0)
    page = client_of(spent).get(f"/session/{name}").text
    assert cost and f"<b>${cost:.2f}</b> cost" in page
    # What narrowed one question narrows no other.
    assert cost_page(spent, PageFilters())["totals"] == totals


@pytest.mark.parametrize("by", SPLITS)
def test_days_and_parts_add_up_to_the_total(spent: BrowsedLake, by: str) -> None:
    made = cost_page(spent, PageFilters(), by)
    total = made["totals"]["cost_usd"]
    series = made["series"]
    assert len(series["x"]) == 4 and len(series["names"]) <= PARTS + 1
    assert sum(map(sum, series["parts"])) == pytest.approx(total, abs=0.01)
    assert [round(sum(part[2] for part in series["parts"]), 4)] == [0]  # the day without tokens
    for split in made["splits"]:
        sums = sum(row["cost_usd"] or 0 for row in split["rows"])
        assert sums == pytest.approx(total), split["column"]
    sums = [sum(part) for part in series["parts"] if part]
    assert sums[:PARTS] == sorted(sums[:PARTS], reverse=True)


@pytest.mark.parametrize(
    ("query", "days"),
    [
        ("", 3),
        ("since=2026-11-11", 2),
        ("since=2026-11-11T22:00:00Z", 2),  # a day counts whole
        ("until=2026-11-11", 1),
        ("until=2026-11-11T00:00:01Z", 2),
        ("date=2026-11-13", 1),
    ],
)
def test_days_count_whole(browser: TestClient, query: str, days: int) -> None:
    rows = json.loads(browser.get(f"/cost?{query}&export=json").content)
    assert len({row["date"] for row in rows}) == days
    page = browser.get(f"/cost?{query}").text
    series = json.loads(re.search(r'id="days">(.+?)</script>', page)[1])
    total = sum(row["cost_usd"] or 0 for row in rows)
    assert sum(map(sum, series["parts"])) == pytest.approx(total, abs=0.01)
    assert f"<b>${total:,.2f}</b> total" in page


def test_a_value_leads_to_its_costs(browser: TestClient) -> None:
    page = browser.get("/cost").text
    assert "no &lt;b&gt;such" in page and "<b>such" not in page
    address = re.search(r'href="([^"]+model_id=claude-opus-4-5[^"]*)"', page)[1]
    narrow = browser.get(address.removeprefix(browser.root)).text
    assert "Remove the filter model_id" in narrow and "gemini-2.5-flash" not in narrow
    table = pq.read_table(
        io.BytesIO(browser.get("/cost?model_id=claude-opus-4-5&export=parquet").content)
    )
    assert table.num_rows == 3
    assert "No tokens in this range" in browser.get("/cost?until=2000-01-01").text


@pytest.mark.long
def test_a_lake_without_prices_says_so(tmp_path: Path) -> None:
    opened = spending(tmp_path / "lake", [{"model_id": "none-such", "output_tokens": 5}])
    page = client_of(opened).get("/cost").text
    assert "<b>unknown</b> total" in page and "Without a price: none-such." in page
    assert "Cost by day" not in page
    opened.close()


def test_every_switch_of_the_page_keeps_how_days_are_split(browser: TestClient) -> None:
    page = browser.get("/cost?by=tool").text
    switches = re.findall(r'<p class="switch.*?</p>', page, re.S)
    links = [link for part in switches for link in re.findall(r'href="([^"]+)"', part)]
    assert len(switches) >= 2 and len(links) >= 6
    assert [link for link in links if "by=tool" not in link] == []


@pytest.mark.long
def test_people_are_added_up_unless_the_smallest_group_is_one(tmp_path: Path) -> None:
    answers = [
        {"user_id": f"user-{n}", "repo": "big" if n < 6 else "small", "output_tokens": 1000}
        for n in range(8)
    ]
    lake = spending(tmp_path / "lake", answers)
    browser = client_of(lake)
    assert "user-3" not in browser.get("/cost").text
    assert "user-3" not in browser.get("/").text
    assert "6</b> people, together" in browser.get("/cost?project=big").text
    few = [browser.get(f"/cost?{narrow}").text for narrow in ("project=small", "user=user-3")]
    assert all("so few people" in page and "total</li>" not in page for page in few)
    lake.smallest_group = 1
    assert "user-3" in browser.get("/cost").text
    assert "total</li>" in browser.get("/cost?user=user-3").text
    lake.close()
