"""The SQL page: examples run, an error has its place and what was meant, answers have charts, and
questions are remembered next to the lake."""

from __future__ import annotations

import html
import json
import re
from datetime import date, datetime
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

import pytest
from starlette.testclient import TestClient
from tests.ui.conftest import client_of
from tests.ui.test_pages import lake_of, record

from hookstream.ui.casebook import MOST_QUESTIONS
from hookstream.ui.lake import Answer, BrowsedLake
from hookstream.ui.sqlpage import EXAMPLES, MOST_BARS, MOST_PARTS, chart_of


def asked(client: TestClient, sql: str) -> str:
    return client.get(f"/sql?sql={quote(sql)}").text


def mark(page: str) -> str:
    return html.unescape(re.search(r"<mark>([^<]*)</mark>", page)[1])


def fixed(page: str) -> str:
    link = re.search(r'Did you mean <a href="([^"]+)"', page)
    return parse_qs(urlsplit(html.unescape(link[1])).query)["sql"][0]


@pytest.mark.parametrize(("title", "sql"), EXAMPLES)
def test_every_example_is_on_the_page_and_runs(client: TestClient, title: str, sql: str) -> None:
    assert f">{title}</a>" in client.get("/sql").text
    answer = client.get(f"/sql?sql={quote(sql)}")
    assert answer.status_code == 200, answer.text


LONG = f"select {', '.join(f'tool as t{n}' for n in range(60))}, "
WRONG = (
    ("select tol from denies", 1, "tol", "select tool from denies"),
    ("select\n  d.comand\nfrom denies d", 2, "comand", "select\n  d.command\nfrom denies d"),
    ("select tool\nfrom denis", 2, "denis", "select tool\nfrom denies"),
    ("selec tool from denies", 1, "selec", "select tool from denies"),
    ("select 1 from denies whre tool = 'x'", 1, "whre", "select 1 from denies where tool = 'x'"),
    ("select cuont(*) from denies", 1, "cuont", "select count(*) from denies"),
    (f"{LONG}tol from denies", 1, "tol", f"{LONG}tool from denies"),  # DuckDB draws a part of it
    ("select 'tol' as a, tol from denies", 1, "tol", "select 'tol' as a, tool from denies"),
)  # fmt: skip


@pytest.mark.parametrize(("sql", "line", "word", "right"), WRONG)
def test_an_error_has_its_place_and_what_was_meant(
    client: TestClient, sql: str, line: int, word: str, right: str
) -> None:
    page = asked(client, sql)
    assert mark(page) == word and f'<p class="quiet">Line {line}, column ' in page
    column = int(re.search(r"Line \d+, column (\d+)", page)[1])
    assert sql.split("\n")[line - 1][column - 1 :].startswith(word)
    assert f'data-line="{line}" data-column="{column}" data-length="{len(word)}"' in page
    assert fixed(page) == right
    assert client.get(f"/sql?sql={quote(right)}").status_code == 200


@pytest.mark.parametrize(
    "sql",
    ["drop table events", "select 1; select 2", "select * from '/etc/passwd'", "select ∞, '\u202e",
     "select <script>alert(1)</script> from denies", "select \"</pre><b>x\" from denies", "\x00"],
)  # fmt: skip
def test_any_other_error_is_one_line_without_markup(client: TestClient, sql: str) -> None:
    answer = client.get(f"/sql?sql={quote(sql)}")
    assert answer.status_code == 400 and 'role="alert"' in answer.text
    assert "<script>alert" not in answer.text and "<b>x" not in answer.text
    assert "Traceback" not in answer.text and "root:" not in answer.text


def answer_of(kinds: dict[str, str], rows: list[tuple]) -> Answer:
    return Answer(list(kinds), list(kinds.values()), rows, 1.0)


def test_a_number_over_time_is_drawn_in_parts() -> None:
    kinds = {"day": "DATE", "tool": "VARCHAR", "n": "BIGINT", "m": "DOUBLE"}
    rows = [(date(2026, 11, day), f"t{t}", t + 1, float("nan")) for day in (1, 3) for t in range(9)]
    chart = chart_of(answer_of(kinds, rows))
    assert chart is not None and chart.series is not None and chart.numbers == ("n", "m")
    assert chart.series["x"] == [1793491200, 1793664000]
    assert chart.series["names"] == [*(f"t{n}" for n in range(8, 8 - MOST_PARTS, -1)), "other"]
    assert [sum(parts) for parts in zip(*chart.series["parts"], strict=True)] == [45, 45]
    other = chart_of(answer_of(kinds, rows), "m")
    assert other is not None and other.series is not None and other.shown == "m"
    assert {n for part in other.series["parts"] for n in part} == {0.0}


@pytest.mark.parametrize(
    ("kinds", "rows"),
    [
        ({"tool": "VARCHAR"}, [("a",), ("b",)]),
        ({"n": "BIGINT"}, [(1,), (2,)]),
        ({"tool": "VARCHAR", "n": "BIGINT"}, [("a", 1)]),
        ({"at": "TIMESTAMP", "n": "BIGINT"}, [(datetime(2026, 11, 1), 1)] * 2),  # twice at a time
        ({"n": "VARCHAR", "m": "STRUCT(a INTEGER)"}, [("a", {"a": 1})] * 2),
    ],
)
def test_an_answer_without_a_time_or_category_and_a_number_has_no_chart(
    kinds: dict[str, str], rows: list[tuple]
) -> None:
    assert chart_of(answer_of(kinds, rows)) is None


def test_a_category_is_drawn_without_script(client: TestClient) -> None:
    page = asked(client, "select * from (values ('<i>a', 3), (null, -6)) as v(name, n)")
    assert re.findall(r'<rect width="([0-9.]+)"', page) == ["50.00", "100.00"]
    assert "&lt;i&gt;a</dt>" in page and ">none</dt>" in page and "<i>a" not in page
    many = chart_of(answer_of({"a": "VARCHAR", "n": "INTEGER"}, [(str(n), n) for n in range(99)]))
    assert many is not None and len(many.bars) == MOST_BARS


@pytest.mark.long
def test_questions_are_remembered_next_to_the_lake_and_forgotten(tmp_path: Path) -> None:
    opened = lake_of(tmp_path, [record(0, "SessionStart", "2026-11-02T08:00:00Z")])
    client = client_of(opened)
    for n in (*range(MOST_QUESTIONS + 2), 5):
        opened.casebook.remember(f"select {n}")
    asked(client, "select 'mine'")
    asked(client, "select nothing")
    found = [sql for sql, _ in opened.casebook.questions()]
    assert found[:2] == ["select 'mine'", "select 5"] and len(found) == MOST_QUESTIONS
    again = client_of(BrowsedLake(opened.path)).get("/sql").text
    assert "select &#39;mine&#39;" in again and "select nothing" not in again
    client.get("/sql?sql=select+7&export=csv")
    assert opened.casebook.questions()[0][0] != "select 7"
    client.post("/sql", data={"forget": "all"})
    assert opened.casebook.questions() == []
    opened.close()


def test_an_answer_is_given_where_nothing_can_be_written(
    client: TestClient, lake: BrowsedLake, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(lake.casebook, "path", tmp_path / "file" / "findings.sqlite")
    assert client.get("/sql?sql=select+1").status_code == 200


def test_costs_are_a_table_of_the_page(client: TestClient) -> None:
    rows = json.loads(client.get("/sql?sql=from+usage_costs&export=json").content)
    page = client.get("/sql").text
    assert rows and "usage_costs <span" in page
    assert set(re.findall(r"<code>(\w+)</code>", page)) >= set(rows[0])
