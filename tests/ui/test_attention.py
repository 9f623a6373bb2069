"""The overview's first lines: each is true, in order, and leads to as many rows as it says."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.ui.conftest import SAMPLES, client_of
from tests.ui.spending import spending
from tests.ui.test_pages import lake_of, record

from hookstream.delivery.job import Job
from hookstream.delivery.run import execute
from hookstream.ui import attention
from hookstream.ui.attention import Attention
from hookstream.ui.filters import PageFilters
from hookstream.ui.lake import BrowsedLake

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowsedLake]:
    """Clients whose samples have bypasses, loops, risk and gaps."""
    folder = tmp_path_factory.mktemp("attention") / "lake"
    sources = [str(SAMPLES / name) for name in ("claude-code", "cursor", "openclaw", "pi")]
    execute(Job(sources, [f"parquet:{folder}"], now="2026-11-26T12:00:00Z"))
    opened = BrowsedLake(folder)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def client(lake: BrowsedLake) -> TestClient:
    return client_of(lake)


def call(number: int, tool_use: str, command: str, event: str = "PreToolUse", **more) -> dict:
    given = {"tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": tool_use}
    second = f"2026-11-21T10:{number // 60:02}:{number % 60:02}Z"
    return record(number, event, second, **given, **more)


def ran(number: int, tool_use: str, command: str) -> list[dict]:
    answer = {"stdout": "", "interrupted": False}
    after = call(number + 1, tool_use, command, "PostToolUse", tool_response=answer)
    return [call(number, tool_use, command), after]


def leads(page: str) -> list[tuple[str, str, str]]:
    """(kind, address, sentence) of each line."""
    found = re.findall(r'<li><span class="tag[^>]*>([^<]+)</span> <span><a href="([^"]+)">([^<]+)<',
                       page)  # fmt: skip
    return [(kind, html.unescape(address), html.unescape(text)) for kind, address, text in found]


def test_every_line_leads_to_the_rows_that_it_counts(client: TestClient) -> None:
    client.get("/findings")  # evaluated once
    found = leads(client.get("/").text)
    assert 3 <= len(found) <= attention.MOST
    counted = 0
    for kind, address, text in found:
        path = address.removeprefix(client.root)
        assert client.get(path).status_code == 200, (kind, path)
        number = re.search(r"([0-9,]+) (?:open finding|denied|call|secret)", text)
        if number and kind not in ("risk", "gap"):
            rows = json.loads(client.get(f"{path}&export=json").content)
            assert len(rows) == int(number[1].replace(",", "")), (path, text)
            counted += 1
    assert counted
    assert "Look at this first" in client.get("/").text.split('class="totals"')[0]


def test_what_is_grave_comes_before_loops_and_doubts(lake: BrowsedLake) -> None:
    kinds = [lead.kind for lead in Attention(lake, PageFilters()).leads(with_findings=False)]
    weights = [lead.weight for lead in Attention(lake, PageFilters()).leads(with_findings=False)]
    assert weights == sorted(weights, reverse=True)
    assert kinds[-1] == "gap" and kinds.count("gap") == 1


def test_the_time_range_and_the_machine_narrow_the_lines(client: TestClient) -> None:
    page = client.get("/?tool=cursor").text
    for _, address, text in leads(page):
        assert "tool=cursor" in address, text
    assert "No events in this range." in client.get("/?until=2000-01-01").text
    assert client.get("/?q=x").status_code == 200


def test_a_quiet_lake_says_that_nothing_stands_out(tmp_path: Path) -> None:
    start = record(0, "SessionStart", "2026-11-21T09:59:59Z", source="startup")
    end = record(9, "SessionEnd", "2026-11-21T10:09:59Z", reason="exit")
    opened = lake_of(tmp_path, [start, *ran(0, "t1", "ls"), end])
    page = client_of(opened).get("/").text
    assert leads(page) == [] and "Nothing stands out" in page
    opened.close()


def test_a_loop_is_a_line(tmp_path: Path) -> None:
    failed = [
        one
        for n in range(5)
        for one in (
            call(10 * n, f"t{n}", "make check"),
            call(10 * n + 1, f"t{n}", "make check", "PostToolUseFailure", error="exit code 2"),
        )
    ]
    opened = lake_of(tmp_path, failed)
    client = client_of(opened)
    found = {kind: (address, text) for kind, address, text in leads(client.get("/").text)}
    address, text = found["loop"]
    assert "it failed 5 times" in text
    rows = json.loads(client.get(f"{address.removeprefix(client.root)}&export=json").content)
    assert [row["attempts"] for row in rows] == [5]
    opened.close()


def test_a_day_that_cost_far_more_than_others_is_a_line(tmp_path: Path) -> None:
    tokens = {10: 100_000, 11: 110_000, 12: 90_000, 13: 1_000_000}
    answers = [
        {"timestamp": f"2026-11-{day}T12:00:00.000Z", "output_tokens": count}
        for day, count in tokens.items()
    ]
    opened = spending(tmp_path / "lake", answers)
    client = client_of(opened)
    found = {kind: (address, text) for kind, address, text in leads(client.get("/").text)}
    address, text = found["cost"]
    assert text == "2026-11-13 cost $15.00, 10 times a usual day"
    rows = json.loads(client.get(f"{address.removeprefix(client.root)}&export=json").content)
    assert {row["date"] for row in rows} == {"2026-11-13"}
    opened.close()
    usual = spending(tmp_path / "usual", answers[:3])
    assert "cost" not in [kind for kind, _, _ in leads(client_of(usual).get("/").text)]
    usual.close()
