"""Findings: filters and pages in the address, statuses, new parts; saved searches."""

import html
import json
import re
import shutil
import threading
from urllib.parse import quote, urlencode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.ui.conftest import client_of

from hookstream.delivery.job import Job
from hookstream.delivery.run import execute
from hookstream.ui.casebook import Casebook
from hookstream.ui.lake import BrowsedLake

pytestmark = pytest.mark.long


@pytest.fixture
def own(lake_path, tmp_path):
    """A lake that a test may change: (path, client)."""
    path = tmp_path / "lake"
    shutil.copytree(lake_path, path)
    opened = BrowsedLake(path)
    yield path, client_of(opened)
    opened.close()


def rows(client, **filters) -> list[dict]:
    return json.loads(client.get(f"/findings?{urlencode({**filters, 'export': 'json'})}").content)


@pytest.mark.long
def test_findings_are_narrowed_by_what_the_address_says(client):
    whole = rows(client)
    assert len(whole) >= 2
    one = whole[0]
    assert rows(client, finding_id=one["finding_id"]) == [one]
    for name, column in (("tool", "tool"), ("machine", "machine_id"), ("title", "title")):
        found = rows(client, **{name: one[column]})
        assert found == [row for row in whole if row[column] == one[column]]
    assert rows(client, until="2000-01-01") == []
    assert rows(client, since="2000-01-01") == whole
    times = [row["timestamp"] for row in rows(client, sort="timestamp")]
    assert times == sorted(times)
    page = client.get(f"/findings?{urlencode({'level': one['level']})}").text
    assert f"level = {one['level']}" in page
    assert client.get("/findings?since=soon").status_code == 400


@pytest.mark.long
def test_a_status_is_set_and_leads_back_to_the_same_filters(own):
    _, client = own
    one = rows(client)[0]
    back = f"?{urlencode({'level': one['level']})}"
    form = {"finding_id": one["finding_id"], "status": "suppressed", "reason": "a drill",
            "expires": "2999-01-01", "back": back}  # fmt: skip
    answer = client.post("/findings", data=form, follow_redirects=False)
    assert answer.headers["location"] == f"{client.root}/findings{back}"
    assert [row["finding_id"] for row in rows(client, status="suppressed")] == [one["finding_id"]]
    client.post("/findings", data={**form, "expires": "2020-01-01"})
    assert rows(client, status="suppressed") == []
    hostile = client.post(
        "/findings", data={**form, "back": "//attacker.example/"}, follow_redirects=False
    )
    assert hostile.headers["location"].startswith(f"{client.root}/findings")


@pytest.mark.long
def test_new_parts_are_evaluated_while_the_page_shows_the_state_before(own, monkeypatch):
    path, client = own
    before = rows(client)
    free = threading.Event()
    from hookstream.rules import ask as asking

    real = asking.ask

    def slow(*given):
        assert free.wait(60)
        return real(*given)

    monkeypatch.setattr(asking, "ask", slow)
    part = next(path.rglob("*.parquet"))
    shutil.copy(part, part.with_name("part-again.parquet"))
    page = client.get("/findings")
    assert page.status_code == 200 and "newer events are being evaluated" in page.text
    assert rows(client) == before
    free.set()
    for thread in threading.enumerate():
        if thread.name == "rules":
            thread.join(60)
    assert "newer events" not in client.get("/findings").text


def test_a_lake_that_cannot_be_read_is_said(own, monkeypatch):
    _, client = own
    from hookstream.core.errors import HookstreamError
    from hookstream.rules import ask as asking

    def fail(*_):
        raise HookstreamError("no rule can be asked")

    monkeypatch.setattr(asking, "ask", fail)
    answer = client.get("/findings")
    assert answer.status_code == 400 and "no rule can be asked" in answer.text


def test_a_search_is_saved_opened_and_removed(own):
    path, client = own
    address = "/denies?tool=claude-code&page=3&token=x"
    assert client.post("/saved", data={"name": "my  denies", "address": address}).status_code == 200
    listed = client.get("/saved").text
    link = re.search(rf'href="{client.root}(/saved/[^"]+)"', listed)[1]
    answer = client.get(link, follow_redirects=False)
    assert answer.status_code == 303
    assert answer.headers["location"] == f"{client.root}/denies?tool=claude-code"
    assert path.with_name("lake.findings.sqlite").stat().st_mode & 0o777 == 0o600
    client.post("/saved", data={"remove": "my denies"})
    assert "my denies" not in client.get("/saved").text
    assert client.get(f"/saved/{quote('my denies')}").status_code == 404


@pytest.mark.long
@pytest.mark.parametrize(
    "address",
    ["https://attacker.example/", "//attacker.example/", "/\\attacker.example", "javascript:1",
     "", "denies", "/saved/x", "http://[", "/" + "a" * 9000],
)  # fmt: skip
def test_only_pages_of_ours_are_saved(own, address):
    _, client = own
    answer = client.post("/saved", data={"name": "x", "address": address})
    assert answer.status_code == 400 and 'role="alert"' in answer.text
    assert client.post("/saved", data={"name": " ", "address": "/denies"}).status_code == 400


@pytest.mark.long
def test_a_lake_is_opened_where_one_stands(own, monkeypatch):
    path, _ = own
    monkeypatch.chdir(path)
    here = BrowsedLake(type(path)())
    client = client_of(here)
    assert client.get("/findings").status_code == 200
    assert "<title>Findings · lake" in client.get("/findings").text
    here.close()


def test_a_secret_is_open_rotated_or_used_after_it(tmp_path):
    token = "ghp_" + "aB3dE6gH9kL2mN5pQ8sT1vW4yZ7cF0jR3uX6"[:36]
    records = [
        {
            "vendor": "claude-code", "native_event": "PreToolUse", "machine": "m",
            "received_at": f"2026-11-{day}T10:00:00Z",
            "payload": {"session_id": f"s{day}", "hook_event_name": "PreToolUse",
                        "tool_name": "Bash", "tool_use_id": "t1",
                        "tool_input": {"command": f"curl -H 'x: {token}' https://h.example/"}},
        }
        for day in (20, 21)
    ]  # fmt: skip
    source = tmp_path / "captured.jsonl"
    source.write_text("".join(json.dumps(one) + "\n" for one in records))
    execute(Job([str(source)], [f"parquet:{tmp_path / 'lake'}"]))
    opened = BrowsedLake(tmp_path / "lake")
    client = client_of(opened)

    def states() -> set[str]:
        return {row["state"] for row in json.loads(client.get("/secrets?export=json").content)}

    (fingerprint,) = {
        row["fingerprint"] for row in json.loads(client.get("/secrets?export=json").content)
    }
    assert states() == {"open"}
    for on, state in (("2026-11-21", "rotated"), ("2026-11-20", "used after rotation"),
                      ("", "open")):  # fmt: skip
        form = {"fingerprint": fingerprint, "rotated_on": on}
        assert client.post("/secrets", data=form).status_code == 200
        assert states() == {state}
    assert client.post("/secrets", data={"fingerprint": "f", "rotated_on": "x"}).status_code == 400
    assert client.post("/secrets", data={"rotated_on": "2026-11-21"}).status_code == 400
    opened.close()


def test_the_sql_of_findings_gives_the_rows_of_the_page(client):
    filters = {"level": rows(client)[0]["level"], "q": "denied", "since": "2000-01-01"}
    page = client.get(f"/findings?{urlencode(filters)}").text
    sql = html.unescape(re.search(r"<code>(select \* from \(\nselect.+?)</code>", page, re.S)[1])
    again = json.loads(client.get(f"/sql?{urlencode({'sql': sql, 'export': 'json'})}").content)
    assert again and again == rows(client, **filters)


def test_a_status_is_in_the_table_that_sql_asks(own):
    _, client = own
    one = rows(client)[0]
    form = {"finding_id": one["finding_id"], "status": "known", "reason": "a drill"}
    client.post("/findings", data=form)
    sql = "select finding_id, reason from findings where status = 'known'"
    answer = client.get(f"/sql?{urlencode({'sql': sql, 'export': 'json'})}")
    assert json.loads(answer.content) == [{"finding_id": one["finding_id"], "reason": "a drill"}]


def test_a_finding_leads_to_its_rule(client):
    titles = {one["rule"]: one["title"] for one in rows(client)}
    assert len(titles) >= 2  # the findings of one of them have no user
    for rule, title in titles.items():
        page = client.get(f"/rule/{rule}").text
        assert title in page and "falsepositives:" in page, rule
    assert client.get("/rule/no_such_rule").status_code == 404


def one_group(client) -> tuple[dict[str, str], list[dict]]:
    """The form of the group of the first finding, and its findings."""
    whole = rows(client)
    names = ("rule", "level", "title", "shown")
    first = whole[0]
    same = [row for row in whole if all(row[name] == first[name] for name in names)]
    return {**{name: first[name] or "" for name in names}, "was": "open"}, same


def test_equal_findings_are_one_decision_that_can_be_undone(own):
    path, client = own
    form, same = one_group(client)
    page = client.get("/findings").text
    assert page.count('<article class="finding') == len(
        {(r["rule"], r["level"], r["title"], r["shown"], r["status"]) for r in rows(client)}
    )
    decided = client.post("/findings", data={**form, "status": "known", "reason": "a drill"})
    assert decided.status_code == 200
    ids = {row["finding_id"] for row in same}
    assert {row["finding_id"] for row in rows(client, status="known")} == ids
    (decision,) = Casebook(path).decisions(5)
    assert (decision.findings, decision.status, decision.reason) == (len(ids), "known", "a drill")
    assert 'name="undo"' in client.get("/findings").text
    client.post("/findings", data={"undo": str(decision.number)})
    assert rows(client, status="known") == [] and Casebook(path).decisions(5) == []
    assert client.post("/findings", data={"undo": "7"}).status_code == 400
    assert client.post("/findings", data={"status": "known"}).status_code == 400


def test_a_group_is_what_the_filters_leave_of_it(own):
    _, client = own
    form, same = one_group(client)
    back = f"?{urlencode({'finding_id': same[0]['finding_id']})}"
    client.post("/findings", data={**form, "status": "known", "back": back})
    assert [row["finding_id"] for row in rows(client, status="known")] == [same[0]["finding_id"]]


DECISIONS = st.lists(
    st.tuples(st.sets(st.sampled_from("abcd"), min_size=1), st.sampled_from(["known", "open"])),
    max_size=6,
)


@settings(max_examples=20)
@given(DECISIONS, st.randoms())
def test_what_is_undone_was_never_decided(tmp_path_factory, taken, random):
    folder = tmp_path_factory.mktemp("book")
    book, other = Casebook(folder / "lake"), Casebook(folder / "other")
    for number, (ids, status) in enumerate(taken):
        book.decide(sorted(ids), status, f"reason {number}")
    undone = [n for n in range(len(taken)) if random.random() < 0.5]
    random.shuffle(undone)
    for number in undone:
        book.undo(str(number + 1))
    for number, (ids, status) in enumerate(taken):
        if number not in undone:
            other.decide(sorted(ids), status, f"reason {number}")
    assert book.statuses() == other.statuses()
