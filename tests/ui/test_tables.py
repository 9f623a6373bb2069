"""Lists as tables: columns, filters, order, groups, times and links, all in the address."""

from __future__ import annotations

import csv
import html
import io
import json
import re
from collections import Counter
from urllib.parse import quote, urlencode

import pytest

from hookstream.queries.catalog import shipped
from hookstream.queries.errors import QueryStopped
from hookstream.ui import listing as listing_module
from hookstream.ui.cells import marked
from hookstream.ui.filters import OPERATORS, PageFilters
from hookstream.ui.listing import Relation, listing
from hookstream.ui.pages import NAVIGATION, PAGES, decisive, groups, page_of


def exported(client, address: str) -> list[dict]:
    answer = client.get(f"{address}{'&' if '?' in address else '?'}export=json")
    assert answer.status_code == 200, answer.text
    return json.loads(answer.content)


def headings(page: str) -> list[str]:
    return re.findall(r'<th scope="col"[^>]*title="(\w+)', page)


def chips(page: str) -> list[str]:
    return re.findall(r'aria-label="Remove the filter ([^"]+)"', page)


def test_every_question_has_a_page_in_the_navigation_and_the_index(client):
    keys = {key for _, entries in groups() for key, _, _ in entries}
    asked = {page.question for key in keys if (page := page_of(key)) is not None}
    assert set(shipped()) <= asked, "add to NAVIGATION of ui/pages.py"
    assert keys == {key for key, _ in NAVIGATION}
    page = html.unescape(client.get("/q").text)
    for _, entries in groups():
        for key, title, description in entries:
            assert description, key
            assert f'href="{client.root}/{key}" title="{description}"' in page, key
            if key != "q":
                assert f'<dt><a href="{client.root}/{key}">{title}</a></dt>' in page, key


@pytest.mark.parametrize("key", [key for key, _ in NAVIGATION if key.startswith("q/")])
def test_every_question_answers_sorted_and_exported(client, key):
    page = client.get(f"/{key}")
    assert page.status_code == 200, page.text
    rows = exported(client, f"/{key}")
    time = page_of(key).time
    if rows and time:
        times = [row[time] for row in rows]
        assert times == sorted(times, reverse=True)
        assert 'aria-sort="descending"' in page.text


def test_own_questions_are_in_the_navigation(client, tmp_path, monkeypatch):
    (tmp_path / "mine.sql").write_text(
        "-- Calls by <client>.\nselect tool, count(*) as n from calls group by 1\n"
    )
    monkeypatch.setenv("HOOKSTREAM_QUESTIONS", str(tmp_path))
    page = client.get("/q").text
    assert "Own questions" in page and "Calls by &lt;client&gt;." in page
    assert exported(client, "/q/mine?sort=-n")[0]["n"] > 0


def test_decisive_columns_come_first_and_as_the_terminal_declares_them(lake):
    made = listing(lake, page_of("denies"), PageFilters())
    assert made.decisive[:8] == [
        "timestamp", "tool", "user_id", "what", "decided_by", "matched_rule_id",
        "decision_reason", "executed_afterwards",
    ]  # fmt: skip
    for name, asked in shipped().items():
        key = next((k for k, page in PAGES.items() if page.question == name), f"q/{name}")
        page = page_of(key)
        columns = Relation(lake, page, PageFilters()).columns
        shown = decisive(page, columns)
        if not page.shows and asked.shows:
            rest = [c for c in asked.shows if c not in ("command", "file_path", asked.time)]
            assert set(rest) <= set(shown), name
        if asked.time is not None:
            assert shown[:2] == [asked.time, "tool"], name


def test_columns_are_chosen_by_a_form_and_kept_in_every_link(client):
    page = client.get("/denies?columns=tool&columns=command&tool=claude-code").text
    assert headings(page) == ["tool", "command"]
    kept = [link for link in re.findall(r'href="([^"]+/denies\?[^"]*)"', page)
            if "Back to" not in link]  # fmt: skip
    assert sum("columns=tool%2Ccommand" in link for link in kept) > 10
    assert len(re.findall(r'name="columns" value="\w+" checked', page)) == 2
    assert headings(client.get("/denies?columns=command,tool").text) == ["command", "tool"]


def test_exports_have_the_columns_chosen_in_their_order(client):
    for kind in ("csv", "json", "parquet"):
        answer = client.get(f"/denies?columns=decided_by,tool&export={kind}")
        assert answer.status_code == 200
        if kind == "csv":
            names = next(csv.reader(io.StringIO(answer.text)))
        elif kind == "json":
            names = list(json.loads(answer.content)[0])
        else:
            import pyarrow.parquet as pq

            names = pq.read_table(io.BytesIO(answer.content)).column_names
        assert names == ["decided_by", "tool"]
    assert len(exported(client, "/denies")[0]) > 20


def test_filters_on_any_column_are_those_of_python(client):
    rows = exported(client, "/q/calls")
    holds = {
        "action_name=shell": lambda r: r["action_name"] == "shell",
        "action_name__not=shell": lambda r: r["action_name"] != "shell",
        "command__contains=CURL": lambda r: "curl" in (r["command"] or "").lower(),
        "command__starts=rm": lambda r: (r["command"] or "").startswith("rm"),
        "duration_ms__gte=10": lambda r: r["duration_ms"] is not None and r["duration_ms"] >= 10,
        "duration_ms__lte=10": lambda r: r["duration_ms"] is not None and r["duration_ms"] <= 10,
        "decision__empty=1": lambda r: not r["decision"],
        "decision__filled=1": lambda r: bool(r["decision"]),
        "first_at__gte=2026-11-21": lambda r: r["first_at"] >= "2026-11-21",
    }
    assert {name.rpartition("__")[2] for name in holds if "__" in name.partition("=")[0]}
    for query, hold in holds.items():
        found = exported(client, f"/q/calls?{query}")
        want = [row for row in rows if hold(row)]
        assert len(found) == len(want), query
        assert {row["call_id"] for row in found} == {row["call_id"] for row in want}, query


def test_every_operator_is_offered_and_a_filter_is_added_by_a_form(client):
    page = client.get("/q/calls").text
    assert re.findall(
        r'<option value="(\w+)">', page.split('id="operator"')[1].split("</select>")[0]
    ) == list(OPERATORS)
    form = {
        "add_column": "command",
        "add_operator": "contains",
        "add_value": "curl",
        "tool": "claude-code",
    }
    answer = client.get(f"/q/calls?{urlencode(form)}")
    assert answer.url.query.decode() == "tool=claude-code&command__contains=curl"
    assert chips(answer.text) == ["tool = claude-code", "command contains curl"]
    removed = re.search(
        r'class="chip" href="([^"]+)" aria-label="Remove the filter command', answer.text
    )
    assert removed[1].endswith("/q/calls?tool=claude-code")


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("since=yesterday", "invalid time &#39;yesterday&#39;"),
        ("sort=toool", "no column &#39;toool&#39; to sort by; did you mean tool?"),
        ("toool=x", "no column &#39;toool&#39; to filter by; did you mean tool?"),
        ("columns=comand", "no column &#39;comand&#39; to show; did you mean command?"),
        ("facet=decided", "no column &#39;decided&#39; to group by; did you mean decided_by?"),
        ("risk_score__gte=high", "risk_score is a number, and &#39;high&#39; is not"),
        ("until=2026-13-01", "invalid time &#39;2026-13-01&#39;"),
    ],
)
def test_a_bad_filter_keeps_the_form_and_names_the_nearest(client, query, text):
    answer = client.get(f"/denies?q=curl&tool=cursor&{query}")
    assert answer.status_code == 400
    assert text in html.unescape(answer.text).replace("'", "&#39;"), answer.text
    assert 'name="q" type="search" value="curl"' in answer.text
    assert "tool = cursor" in chips(answer.text)
    name, _, value = query.partition("=")
    assert f'name="{name}" value="{value}"' in answer.text


def test_a_bad_value_stays_in_the_form_that_adds_it(client):
    form = {"add_column": "duration_ms", "add_operator": "gte", "add_value": "long"}
    answer = client.get(f"/q/calls?{urlencode(form)}")
    assert answer.status_code == 400 and "duration_ms is a number" in answer.text
    assert '<option value="duration_ms" selected>' in answer.text
    assert '<option value="gte" selected>' in answer.text and 'value="long"' in answer.text
    assert '<details class="tools" open>' in answer.text and "<tbody>" in answer.text


def test_an_empty_answer_names_the_nearest_value_and_the_newest_row(client):
    page = client.get("/denies?tool=claud").text
    assert "no tool 'claud'; did you mean claude-code?" in html.unescape(page)
    page = client.get("/denies?decided_by=clasifier&since=2030-01-01").text
    assert "the newest is of 20" in page and "no decided_by 'clasifier'" in html.unescape(page)


def test_a_heading_sorts_texts_upwards_numbers_downwards_and_turns(client):
    page = client.get("/q/calls").text
    links = dict(re.findall(r'title="(\w+)[^"]*"><a href="[^"]*sort=([^"&]+)', page))
    assert links["first_at"] == "first_at" and links["tool"] == "tool"
    page = client.get("/q/calls?sort=tool").text
    assert re.search(r'aria-sort="ascending" title="tool', page)
    assert (
        dict(re.findall(r'title="(\w+)[^"]*"><a href="[^"]*sort=([^"&]+)', page))["tool"] == "-tool"
    )
    rows = exported(client, "/q/calls?sort=-tool")
    assert [row["tool"] for row in rows] == sorted((row["tool"] for row in rows), reverse=True)


def test_columns_with_few_values_are_facets_and_any_column_can_be_one(client, lake):
    rows = exported(client, "/q/calls")
    made = listing(lake, page_of("q/calls"), PageFilters(facets=("repo",)))
    assert {"outcome", "action_name", "repo", "tool"} <= set(made.groups)
    assert not {"command", "what", "call_id", "session_id"} & set(made.groups)
    for column, counted in made.groups.items():
        want = Counter(row[column] for row in rows)
        assert dict(counted) == dict(want.most_common()) or len(want) > len(counted), column
    page = client.get("/q/calls?facet=repo").text
    link = re.search(r'<a href="[^"]*(\?[^"]*outcome=denied[^"]*)"', page)
    found = exported(client, f"/q/calls{html.unescape(link[1])}")
    assert len(found) == dict(made.groups["outcome"])["denied"]
    assert "facet=repo" in link[1]


def test_a_value_that_is_missing_is_a_facet_too(client):
    page = client.get("/search").text
    link = re.search(r'href="[^"]*(\?[^"]*risk_level__empty=1[^"]*)"', page)
    found = exported(client, f"/search{html.unescape(link[1])}")
    assert found and all(row["risk_level"] is None for row in found)


def test_groups_that_take_too_long_leave_the_rows(lake, client, monkeypatch):
    def stopped(*_):
        raise QueryStopped("stopped after 5 s; narrow the time range")

    monkeypatch.setattr(listing_module.Relation, "counted", stopped)
    page = client.get("/denies").text
    assert "Groups took too long" in page and "<tbody>" in page
    assert f"<b>{len(exported(client, '/denies'))}</b> rows" in page


def test_groups_are_stopped_at_their_limit(lake, monkeypatch):
    with pytest.raises(QueryStopped):
        lake.ask("select count(*) from range(100000000) a, range(100000000) b"
                 " where hash(a.range, b.range) = 7", timeout_s=0.2)  # fmt: skip


def test_time_buttons_and_the_zone_are_links(client):
    page = client.get("/denies?tool=cursor").text
    for span in ("1h", "24h", "7d", "30d"):
        assert f'href="{client.root}/denies?since={span}&amp;tool=cursor">{span}</a>' in page
    page = client.get("/denies?since=7d&tz=local").text
    assert 'aria-current="true">7d</a>' in page and '<body data-zone="local">' in page
    assert "need JavaScript" in page and "need JavaScript" not in client.get("/denies").text
    assert re.search(r'/findings\?since=7d&amp;tz=local"', page)


def test_a_row_opens_its_session_at_that_call(client):
    deny = exported(client, "/denies?tool=claude-code")[0]
    page = client.get("/denies?tool=claude-code").text
    link = html.unescape(re.search(r'<a class="open" href="([^"]+)"', page)[1])
    assert f"/session/{quote(deny['session_id'], safe='')}" in link
    assert f"at={deny['event_id']}#at" in link
    session = client.get(link.removeprefix(client.root)).text
    assert session.count('id="at"') == 1 and '<tr class="here" id="at">' in session


def test_a_call_far_down_a_long_session_is_on_the_page_that_opens(client, monkeypatch):
    monkeypatch.setattr("hookstream.ui.app.SESSION_ROWS", 2)
    call = exported(client, "/q/calls?tool=claude-code")
    sessions = Counter(row["session_id"] for row in call)
    session, count = sessions.most_common(1)[0]
    assert count > 4
    last = next(row for row in call if row["session_id"] == session)
    query = urlencode(
        {"machine": last["machine_id"], "tool": last["tool"], "at": last["evidence"][0]}
    )
    page = client.get(f"/session/{quote(session, safe='')}?{query}").text
    assert '<tr class="here" id="at">' in page


def test_what_was_sought_is_marked_and_hostile_text_stays_text(client):
    page = client.get("/search?q=CURL").text
    assert re.search(r"<mark>curl</mark>", page)
    assert str(marked("a <b>", "<b>")) == "a <mark>&lt;b&gt;</mark>"
    assert str(marked("a<script>" + "x" * 900 + "Needle", "needle")).endswith("<mark>Needle</mark>")
    assert "<script" not in str(marked("<script>x", "x"))
    assert str(marked("a|b", "|")) == "a<mark>|</mark>b"


def test_a_reserved_name_of_a_column_is_still_filtered(client, tmp_path, monkeypatch):
    (tmp_path / "pages.sql").write_text(
        "-- P.\nselect tool as page, count(*) as sort from calls group by 1\n"
    )
    monkeypatch.setenv("HOOKSTREAM_QUESTIONS", str(tmp_path))
    rows = exported(client, "/q/pages?page__is=cursor")
    assert [row["page"] for row in rows] == ["cursor"]
    assert "page__is=cursor" in client.get("/q/pages?facet=page").text


@pytest.mark.long
def test_findings_keep_their_form_too(client):
    answer = client.get("/findings?since=never&q=x")
    assert answer.status_code == 400 and 'value="never"' in answer.text
    assert exported(client, "/findings?columns=level,title")[:1] == [] or list(
        exported(client, "/findings?columns=level,title")[0]
    ) == ["level", "title"]
