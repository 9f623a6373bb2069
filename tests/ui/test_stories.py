"""Every planted story of a fleet is reached from the first page in at most three clicks."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from benchmarks.fleet.check import found_of, seen
from benchmarks.fleet.generate import fleet, write
from tests.ui.test_browser import browser, find, serving, until  # noqa: F401

from hookstream.delivery.job import Job
from hookstream.delivery.run import execute
from hookstream.tables.update import update
from hookstream.ui.words import GAPS

pytestmark = pytest.mark.browser
MOST_CLICKS = 3
# Kind -> the texts of the links to click, before that of the session or machine itself.
WAYS = {
    "same target": ["Bypasses"],
    "other spelling": ["Bypasses"],
    "script": ["Findings", "each finding"],
    "ran anyway": ["ran anyway"],
    "shared secret": ["Secrets"],
    "own secret": ["Findings", "each finding"],
    "loop": ["Loops"],
    "after compaction": ["Findings", "each finding"],
    "new server": ["payments-prod", "each machine"],
    "rare host": ["Destinations", "each machine"],
}


@pytest.fixture(scope="module")
def planted(tmp_path_factory):
    """(truth, lake, what questions and rules answer) of a small fleet."""
    out = tmp_path_factory.mktemp("fleet")
    made = fleet(developers=40, days=3, events=4000, start="2026-11-18", seed=7)
    write(made, out)
    lake = out / "lake"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(out / "state"))
        execute(Job([str(out / "records")], [f"parquet:{lake}"]))
    update(lake)
    return json.loads((out / "truth.json").read_text()), lake, seen(lake)


def test_questions_and_rules_find_every_story(planted):
    truth, _, found = planted
    for kind, (count, by_question, by_rule) in found_of(truth, found).items():
        assert count == by_question, kind
        assert by_rule == count or kind == "deaf machines", kind


def test_nothing_is_found_in_plain_work(planted):
    truth, _, found = planted
    plain = set(truth["plain"])
    # Which session was the first at a host is chance: it is one, whoever's.
    false = Counter(
        one.title
        for one in found.findings
        if one.session_id in plain and one.rule != "call_host_new"
    )
    assert len(plain) > 20 and not false, false


def test_the_same_seed_gives_the_same_fleet():
    first, again = (fleet(27, 2, 300, "2026-11-18", seed=3) for _ in range(2))
    assert first == again
    assert first.logs != fleet(27, 2, 300, "2026-11-18", seed=4).logs


@pytest.fixture(scope="module")
def pages(browser, planted):  # noqa: F811
    address, process = serving(planted[1])
    browser.get(address)
    yield address.partition("?")[0]
    process.terminate()
    process.wait(10)


def click(browser, text):  # noqa: F811
    """The link with that text; a group may have to be unfolded first, which opens no page."""
    browser.execute_script("for (const d of document.querySelectorAll('details')) d.open = true")
    before = browser.current_url
    links = browser.find_elements("partial link text", text)
    assert links, f"no link {text!r} at {before}"
    browser.execute_script("arguments[0].click()", links[0])
    until(browser, lambda: browser.current_url != before)


@pytest.mark.parametrize("kind", WAYS)
def test_a_story_is_three_clicks_away(browser, pages, planted, kind):  # noqa: F811
    truth, _, found = planted
    stories = [one for one in truth["planted"] if one["kind"] == kind]
    browser.get(pages)
    for text in WAYS[kind]:
        click(browser, text)
    assert len(WAYS[kind]) < MOST_CLICKS
    shown = " ".join(one.get_attribute("href") or "" for one in find(browser, "main a"))
    text = browser.find_element("tag name", "main").text
    for story in stories:
        session, machine = story["session_id"], found.machine_of[story["session_id"]]
        assert f"/session/{session}" in shown or machine in text, story
    sessions = [one for one in find(browser, "main a[href*='/session/']") if one.is_displayed()]
    if sessions:
        sessions[0].click()
        until(browser, lambda: "/session/" in browser.current_url)
        assert find(browser, "svg.story")


@pytest.mark.parametrize(
    ("kind", "gap"), [("silent", "silent_machine"), ("deaf", "no_after_events")]
)
def test_a_machine_is_two_clicks_away(browser, pages, planted, kind, gap):  # noqa: F811
    truth, _, found = planted
    browser.get(pages)
    click(browser, GAPS[gap])
    click(browser, "each machine")
    text = browser.find_element("tag name", "main").text
    for name in truth[kind]:
        assert found.machine_of[truth["session_of"][name]] in text, name
