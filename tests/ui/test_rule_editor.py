"""A rule is written, checked with its cases, tried on the lake and saved in one's own folder."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.same_process import text_of
from tests.ui.conftest import client_of

from hookstream.rules.load import usual_places
from hookstream.rules.tuning import DetectOptions
from hookstream.ui.lake import BrowsedLake

pytestmark = pytest.mark.long

RULE = """title: Refused <b>Shell</b>
id: 3e0e2b0e-8f43-4a0b-8f3f-0a2b8a2e7c77
status: experimental
description: A shell command was refused.
logsource: {product: hookstream, service: calls}
detection:
  call: {outcome: denied, action_category: shell}
  condition: call
level: medium
"""
CASES = """hits:
  - calls: [{command: ls, outcome: denied}]
misses:
  - calls: [{command: ls}]
"""


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    (tmp_path / "mine").mkdir()
    return tmp_path / "mine"


@pytest.fixture
def browser(lake_path: Path, mine: Path) -> Iterator[TestClient]:
    opened = BrowsedLake(lake_path)  # its findings are not those of others
    yield client_of(opened, DetectOptions((mine,)))
    opened.close()


def sent(client: TestClient, do: str, rule: str = RULE, cases: str = CASES, **more: str):
    form = {"name": "refused_shell", "rule": rule.replace("\n", "\r\n"), "cases": cases, "do": do}
    return client.post("/rules/edit", data=form | more)


def problems(page: str) -> list[str]:
    found = re.findall(r"<li>(<b>\w+</b>.*?)</li>", page)
    return [html.unescape(re.sub(r"</?b>", "", one)) for one in found]


def test_a_rule_is_tried_on_the_lake_and_nothing_is_written(
    browser: TestClient, mine: Path, lake: BrowsedLake
) -> None:
    page = sent(browser, "try").text
    want = lake.one("select count(*) from calls where outcome = 'denied' and command is not null")
    assert want and f"{want} findings in this lake" in page
    assert "2 cases passed" in page and len(re.findall(r'class="time"><a href', page)) == want
    assert "<b>Shell" not in page and "outcome: denied, action_category" in page
    assert list(mine.iterdir()) == []


def test_a_saved_rule_is_the_command_line_s_and_in_the_list(
    browser: TestClient, mine: Path, lake: BrowsedLake
) -> None:
    assert sent(browser, "save").url.path == f"{browser.root}/rule/refused_shell"
    assert (mine / "refused_shell.yml").read_text() == RULE
    assert (mine / "refused_shell.cases.yml").read_text() == CASES
    assert text_of("detect", "--test", "--rules", mine).returncode == 0
    found = json.loads(text_of("detect", lake.path, "--rules", mine, "--format", "json").stdout)
    browser.get("/rules")
    again = json.loads(browser.get("/findings?export=json").content)
    while browser.app.state.pages.hits.is_stale:
        again = json.loads(browser.get("/findings?export=json").content)
    assert found and {one["finding_id"] for one in again} == {one["finding_id"] for one in found}
    rows = browser.get("/rules").text.partition("<tbody>")[2].split("<tr>")[1:]
    assert (
        all(f">{text}</td>" in rows[0] for text in ("own", "on", "yes"))
        and f">{len(found)}</a>" in rows[0]
    )
    assert (
        all(">shipped</td>" in row and ">not asked</td>" in row for row in rows[1:])
        and len(rows) > 60
    )


def test_an_own_rule_is_edited_and_a_change_from_elsewhere_is_not_lost(
    browser: TestClient, mine: Path
) -> None:
    sent(browser, "save")
    page = browser.get("/rules/edit/refused_shell").text
    mark = re.search(r'name="mark" value="(\w+)"', page)[1]
    other = RULE.replace("level: medium", "level: high")
    kept = {"edited": "refused_shell", "mark": mark, "name": "ignored"}
    assert sent(browser, "save", other, "", **kept).url.path.endswith("/rule/refused_shell")
    assert (mine / "refused_shell.yml").read_text() == other
    assert not (mine / "refused_shell.cases.yml").exists()
    late = sent(browser, "save", RULE, **kept)
    assert "has changed since; open it again" in late.text and late.status_code == 400
    assert (mine / "refused_shell.yml").read_text() == other
    assert [path.name for path in mine.iterdir()] == ["refused_shell.yml"]


@pytest.mark.parametrize(
    ("rule", "cases", "problem"),
    [
        (RULE.replace("outcome", "outcom"), CASES, "rule, line 7: no field 'outcom'"),
        (RULE, CASES.replace("hits", "hit"), "cases, line 1: 'hit': no such key"),
        (RULE, CASES.replace("misses", "hits2"), "cases, line 3: 'hits2'"),
        (RULE, "hits:\n  - calls: [{command: ls}]\n", "cases, line 2: must be found, and is not"),
        ("title: [", CASES, "rule, line 1: "),
        ("a rule", "", "rule, line 1: a rule is a mapping"),
        (RULE.replace("calls}", "no_such}"), "", "rule, line "),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_by_line_and_the_form_is_kept(
    browser: TestClient, mine: Path, rule: str, cases: str, problem: str
) -> None:
    for do in ("try", "save"):
        answer = sent(browser, do, rule, cases)
        assert answer.status_code == 400, do
        found = problems(answer.text)
        assert any(one.startswith(problem) for one in found), found
        assert html.escape(rule.splitlines()[0]) in answer.text and "/tmp" not in answer.text
    assert list(mine.iterdir()) == []


@pytest.mark.parametrize("name", ["", "A", "../x", "a/b", "x" * 70, "pack.yml"])
def test_a_name_is_a_file_s_in_the_folder(browser: TestClient, mine: Path, name: str) -> None:
    answer = sent(browser, "save", name=name)
    assert answer.status_code == 400 and "a rule needs a name" in answer.text
    assert sent(browser, "try", name=name).status_code == 200
    assert list(mine.iterdir()) == [] and len(list(mine.parent.iterdir())) == 1


def test_a_taken_id_names_the_draft_and_no_folder_of_the_check(
    browser: TestClient, mine: Path
) -> None:
    (mine / "first.yml").write_text(RULE)
    (told,) = problems(sent(browser, "try").text)
    assert "refused_shell.yml" in told or "first.yml" in told
    assert "hookstream-rule-" not in told


def test_existing_and_shipped_rules_are_not_overwritten(browser: TestClient, mine: Path) -> None:
    sent(browser, "save")
    another = RULE.replace("7c77", "7c78")
    assert "already exists" in sent(browser, "save", another).text
    for name in ("call_forced_push", "nothing"):
        assert sent(browser, "save", edited=name).status_code == 400
        assert browser.get(f"/rules/edit/{name}").status_code == 400
    same = sent(browser, "try", name="other")
    assert "is also in" in same.text  # the id of a rule is unique


def test_with_shipped_rules_alone_a_rule_is_tried_and_not_saved(lake_path: Path) -> None:
    opened = BrowsedLake(lake_path)
    client = client_of(opened, DetectOptions((Path("pack"),)))
    page = sent(client, "try").text
    assert "findings in this lake" in page and 'value="save"' not in page
    assert "start with hookstream ui LAKE --rules DIR" in sent(client, "save").text
    opened.close()


def test_without_a_folder_a_rule_is_saved_in_ones_own_and_asked_from_then_on(
    lake_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    opened = BrowsedLake(lake_path)
    client = client_of(opened)
    assert sent(client, "save").url.path == f"{client.root}/rule/refused_shell"
    file = tmp_path / "hookstream" / "rules" / "refused_shell.yml"
    assert file.is_file() and file.parent.stat().st_mode & 0o777 == 0o700
    places = [str(place) for place in usual_places()]
    assert places == [str(file.parent), "pack"]
    listed = json.loads(text_of("detect", "--list", "--format", "json").stdout)
    origins = {row["origin"] for row in listed}
    assert {"own", "shipped"} <= origins
    opened.close()


def test_a_new_rule_begins_with_a_call_that_it_finds(browser: TestClient) -> None:
    deny = json.loads(browser.get("/denies?tool=claude-code&export=json").content)[0]
    event = browser.get(f"/event/{deny['event_id']}").text
    for address in ("/rules/new", re.search(r'href="([^"]+/rules/new\?call=[^"]+)"', event)[1]):
        page = browser.get(address.removeprefix(browser.root)).text
        rule, cases = (
            html.unescape(re.search(rf'name="{name}"[^>]*>\n?([^<]*)</textarea>', page)[1])
            for name in ("rule", "cases")
        )
        tried = sent(browser, "try", rule, cases).text
        assert "The rule is right" in tried, problems(tried)
        assert not tried.count("0 findings in this lake")
    assert browser.get("/rules/new?call=nothing").status_code == 400
