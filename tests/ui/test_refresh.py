"""Pages that load themselves again: chosen in the address, carried by links, never under a form."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.ui.conftest import client_of
from tests.ui.test_pages import lake_of, record

from hookstream.delivery.job import Job
from hookstream.delivery.run import execute
from hookstream.ui.filters import PageFilters

META = '<noscript><meta http-equiv="refresh" content="30"></noscript>'


@pytest.mark.parametrize("page", ["", "cost", "denies", "findings", "sessions", "q/errors"])
def test_a_live_page_is_loaded_again_and_its_links_carry_it(client: TestClient, page: str) -> None:
    text = client.get(f"/{page}?refresh=30").text
    assert META in text and 'refresh.js" defer data-seconds="30"' in text
    assert f'href="{client.root}/sessions?refresh=30"' in text
    plain = client.get(f"/{page}").text
    assert "http-equiv" not in plain and "refresh.js" not in plain
    switch = re.search(r'<p class="switch live".*?</p>', text, re.DOTALL)[0]
    off, half, five = (html.unescape(one) for one in re.findall(r'href="([^"]*)"', switch))
    assert "refresh=" not in off and "refresh=30" in half and "refresh=300" in five
    assert re.search(r'refresh=30" aria-current="true"', switch)


@pytest.mark.parametrize(
    "page", ["sql?", "sql?sql=select+1&", "rules?", "rules/new?", "saved?", "denies?since=never&",
             "nothing?"]
)  # fmt: skip
def test_a_page_with_a_form_to_fill_is_not(client: TestClient, page: str) -> None:
    text = client.get(f"/{page}refresh=30").text
    assert "http-equiv" not in text and "refresh.js" not in text


@pytest.mark.parametrize(
    ("given", "seconds"),
    [("30", 30), ("1", 5), ("99999", 3600), ("0", 0), ("-5", 0), ("", 0), ("x", 0), ("²", 0),
     ('30"><script>', 0), ("9" * 5000, 0)],
)  # fmt: skip
def test_seconds_are_bounded(client: TestClient, given: str, seconds: int) -> None:
    assert PageFilters.read({"refresh": given}).refresh == seconds
    text = client.get("/", params={"refresh": given}).text
    assert (f'content="{seconds}"' in text) is bool(seconds)


@pytest.mark.long
def test_a_page_loaded_again_has_what_arrived(tmp_path: Path) -> None:
    opened = lake_of(tmp_path, [record(0, "SessionStart", "2026-11-02T08:00:00Z")])
    client = client_of(opened)
    assert "<b>1</b> event<" in client.get("/?refresh=5").text
    more = tmp_path / "more.jsonl"
    more.write_text(json.dumps(record(1, "SessionStart", "2026-11-02T09:00:00Z")) + "\n")
    execute(Job([str(more)], [f"parquet:{opened.path}"], now="2026-11-21T12:00:00Z"))
    for reader in opened._readers:
        reader._checked_s = -1e9  # ten seconds later
    assert "<b>2</b> events" in client.get("/?refresh=5").text
    opened.close()
