"""The pages in a real Chromium: keyboard, themes, filters, the back button, hostile values, axe.

`make test-browser`; skipped with the reason where Chromium or its driver is not installed.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from datetime import datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from tests.ui.hostile import write_lake

from hookstream.ui.pages import NAVIGATION, page_of

pytestmark = pytest.mark.browser
ARGUMENTS = """--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run
--disable-background-networking --disable-component-update --disable-sync
--window-size=1400,1000""".split()
AXE = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
KEYS = [key for key, _ in NAVIGATION]
# Pages that the navigation does not name: an editor, an error, a chart by category.
FURTHER = [
    "rules/new",
    "rule/call_forced_push",
    "sql?sql=select+tol%0Afrom+denies",
    "sql?sql=select+tool%2C+count(*)+as+n%2C+2+as+m+from+calls+group+by+all",
]


@pytest.fixture(scope="module")
def browser():
    selenium = pytest.importorskip("selenium.webdriver")
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if chromium is None or driver is None:
        pytest.skip("chromium and chromium-driver are not installed (Debian packages)")
    options = selenium.ChromeOptions()
    options.binary_location = chromium
    for argument in ARGUMENTS:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
    opened = selenium.Chrome(options=options, service=selenium.ChromeService(driver))
    yield opened
    opened.quit()


def serving(lake: Path | None, home: Path | None = None):
    """The real command over a lake, or over a home's own: (address, process)."""
    words = [str(lake)] if lake is not None else []
    at_home = {"HOME": str(home), "XDG_STATE_HOME": f"{home}/state"} if home is not None else {}
    process = subprocess.Popen(
        [sys.executable, "-m", "hookstream", "ui", *words, "--no-browser"],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1", **at_home},
    )
    assert process.stdout is not None
    return process.stdout.readline().strip(), process


@pytest.fixture(scope="module")
def pages(browser, lake_path):
    address, process = serving(lake_path)
    browser.get(address)
    yield address.partition("?")[0]
    process.terminate()
    assert process.wait(10) in (0, -15, 143)


@pytest.fixture(scope="module")
def hostile(browser, tmp_path_factory):
    folder = tmp_path_factory.mktemp("hostile") / "lake"
    write_lake(folder, 1000)
    address, process = serving(folder)
    browser.get(address)
    yield address.partition("?")[0]
    process.terminate()
    process.wait(10)


def complaints(browser) -> list[str]:
    """What the console says, but for answers that a test asks to fail."""
    return [
        entry["message"]
        for entry in browser.get_log("browser")
        if "Failed to load resource" not in entry["message"]
    ]


def requested(browser) -> set[str]:
    """The addresses that were asked for since the last look."""
    found = set()
    for entry in browser.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            found.add(message["params"]["request"]["url"])
    return found


def until(browser, condition) -> None:
    """Waits for what a key press or click has started."""
    from selenium.webdriver.support.wait import WebDriverWait

    WebDriverWait(browser, 15).until(lambda _: condition())


def find(browser, css: str):
    return browser.find_elements("css selector", css)


@pytest.mark.parametrize("key", KEYS)
def test_a_page_is_drawn_without_complaint_and_asks_only_this_server(browser, pages, key):
    requested(browser)
    browser.get(f"{pages}{key}")
    assert complaints(browser) == []
    assert {url for url in requested(browser) if not url.startswith((pages, "data:"))} == set()
    assert find(browser, "h1")[0].text


def test_a_drag_across_the_chart_zooms_and_back_returns(browser, pages):
    from selenium.webdriver import ActionChains

    browser.get(pages)
    chart = find(browser, "#chart .u-over")[0]
    drag = ActionChains(browser).move_to_element_with_offset(chart, -200, 0).click_and_hold()
    drag.move_by_offset(300, 0).release().perform()
    until(browser, lambda: "since=" in browser.current_url and "until=" in browser.current_url)
    browser.back()
    until(browser, lambda: "since=" not in browser.current_url)
    until(browser, lambda: find(browser, "#chart canvas"))


def test_a_filter_is_in_the_address_and_can_be_taken_away(browser, pages):
    browser.get(f"{pages}denies")
    rows = len(find(browser, "tbody tr"))
    field = find(browser, "input[name=q]")[0]
    field.send_keys("curl\n")
    until(browser, lambda: "q=curl" in browser.current_url)
    assert 0 < len(find(browser, ".scroll tbody tr")) < rows
    browser.back()
    until(browser, lambda: "q=curl" not in browser.current_url)
    assert len(find(browser, "tbody tr")) == rows
    browser.get(f"{pages}denies?tool=claude-code")
    find(browser, ".chip")[0].click()
    until(browser, lambda: "tool=" not in browser.current_url)


def test_the_whole_way_by_keyboard(browser, pages):
    from selenium.webdriver import ActionChains, Keys

    browser.get(f"{pages}denies")
    ActionChains(browser).send_keys(Keys.TAB).perform()
    assert browser.switch_to.active_element.text == "Skip to content"
    browser.switch_to.active_element.send_keys(Keys.ENTER)
    for _ in range(60):
        ActionChains(browser).send_keys(Keys.TAB).perform()
        link = browser.switch_to.active_element.get_attribute("href") or ""
        if "/session/" in link:
            break
    browser.switch_to.active_element.send_keys(Keys.ENTER)
    until(browser, lambda: "/session/" in browser.current_url)
    until(browser, lambda: find(browser, "svg.story a rect"))


def test_the_theme_is_switched_and_kept(browser, pages):
    browser.get(pages)
    back = "return getComputedStyle(document.body).backgroundColor"
    first = browser.execute_script(back)
    find(browser, "#theme")[0].click()
    second = browser.execute_script(back)
    assert first != second
    browser.get(f"{pages}denies")
    assert browser.execute_script(back) == second
    find(browser, "#theme")[0].click()
    assert browser.execute_script(back) == first


def test_the_sql_page_completes_and_runs(browser, pages):
    from selenium.webdriver import ActionChains, Keys

    browser.get(f"{pages}sql")
    find(browser, ".CodeMirror")[0].click()
    ActionChains(browser).send_keys("select * from denies where denies.decision_re").perform()
    ActionChains(browser).key_down(Keys.CONTROL).send_keys(" ").key_up(Keys.CONTROL).perform()
    words = "Why, in the decider's words."
    until(browser, lambda: any(words in one.text for one in find(browser, ".CodeMirror-hint")))
    ActionChains(browser).send_keys(Keys.ESCAPE).key_down(Keys.CONTROL).send_keys("a").key_up(
        Keys.CONTROL
    ).send_keys("select count(*) as n from eve").perform()
    ActionChains(browser).key_down(Keys.CONTROL).send_keys(" ").key_up(Keys.CONTROL).perform()
    until(browser, lambda: "events" in [one.text for one in find(browser, ".CodeMirror-hint b")])
    hint = next(one for one in find(browser, ".CodeMirror-hint") if one.text.startswith("events"))
    assert hint.is_displayed() and "Every event of the stream" in hint.text
    ActionChains(browser).send_keys(Keys.ENTER).perform()
    ActionChains(browser).key_down(Keys.CONTROL).send_keys(Keys.ENTER).key_up(
        Keys.CONTROL
    ).perform()
    until(browser, lambda: [one.text for one in find(browser, ".scroll thead th")] == ["n"])


def test_the_place_of_an_error_is_marked_in_the_editor(browser, pages):
    browser.get(f"{pages}sql?sql=select+tol%0Afrom+denies")
    assert [one.text for one in find(browser, ".CodeMirror .cm-wrong")] == ["tol"]
    find(browser, ".mistake a")[0].click()
    until(browser, lambda: find(browser, ".scroll thead th"))
    assert find(browser, ".scroll thead th")[0].text == "tool"


def test_an_answer_over_time_is_drawn(browser, pages):
    sql = "select+cast(first_at+as+date)+as+day%2C+tool%2C+count(*)+as+n+from+calls+group+by+all"
    browser.get(f"{pages}sql?sql={sql}+union+all+select+date+'2026-11-20'%2C+'cursor'%2C+9")
    until(browser, lambda: find(browser, ".bars canvas"))
    labels = [one.text for one in find(browser, ".bars .u-label")]
    assert any(label.startswith("cursor") for label in labels), labels
    assert complaints(browser) == []


@pytest.mark.parametrize("key", ["q", *(key for key, _ in NAVIGATION if page_of(key) is not None)])
def test_a_thousand_hostile_values_run_nothing(browser, hostile, key):
    requested(browser)
    browser.get(f"{hostile}{key}")
    for _ in range(12):
        assert browser.execute_script("return window.pwned") is None
        assert not find(browser, "#pwned")
        assert complaints(browser) == []
        further = find(browser, "a[rel=next]")
        if not further:
            break
        browser.get(further[0].get_attribute("href"))
    assert {url for url in requested(browser) if not url.startswith((hostile, "data:"))} == set()


def test_hostile_sessions_and_events_run_nothing(browser, hostile):
    browser.get(f"{hostile}denies")
    links = [one.get_attribute("href") for one in find(browser, "td a")][:40]
    assert links
    for link in links:
        browser.get(link)
        assert browser.execute_script("return window.pwned") is None
        assert complaints(browser) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("key", KEYS + FURTHER)
def test_axe_finds_no_serious_violation(browser, pages, key, theme):
    if not AXE.exists():
        pytest.skip("axe-core is not installed: npm install --no-save axe-core")
    browser.get(f"{pages}{key}")
    browser.execute_script(f"localStorage.setItem('theme', '{theme}')")
    browser.refresh()
    browser.execute_script(AXE.read_text("utf-8"))
    found = browser.execute_async_script(
        "const done = arguments[0]; axe.run({exclude: ['.CodeMirror']}).then(r => done("
        "r.violations.filter(v => ['serious', 'critical'].includes(v.impact))"
        ".map(v => [v.id, v.nodes[0].html.slice(0, 200), v.nodes[0].failureSummary])))"
    )
    browser.execute_script("localStorage.removeItem('theme')")
    assert found == []


def test_groups_are_folded_above_the_rows_of_a_narrow_window(browser, pages):
    folded = "return !document.querySelector('details.groups').open"
    try:
        for width, is_folded in ((700, True), (1200, True), (1600, False)):
            browser.set_window_size(width, 1000)
            browser.get(pages + "denies")
            assert browser.execute_script(folded) is is_folded, width
    finally:
        browser.set_window_size(1400, 1000)


def test_a_click_on_a_row_opens_its_session_at_that_call(browser, pages):
    browser.get(f"{pages}denies?tool=claude-code")
    row = find(browser, ".list tbody tr")[0]
    reason = row.find_elements("css selector", "td[data-label='ran anyway']")[0]
    reason.click()
    until(browser, lambda: "/session/" in browser.current_url and "at=" in browser.current_url)
    here = find(browser, "tr.here")
    assert here and here[0].get_attribute("id") == "at"
    place = "const b = document.getElementById('at').getBoundingClientRect();"
    shown = f"{place} return b.top >= 0 && b.bottom <= innerHeight"
    until(browser, lambda: browser.execute_script(shown))


def test_times_are_of_the_browsers_zone_where_the_page_asks_for_them(browser, pages):
    first = "return document.querySelector('.list time').textContent"
    browser.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": "Asia/Tokyo"})
    try:
        browser.get(f"{pages}denies")
        utc = browser.execute_script(first)
        find(browser, ".switch a[href*='tz=local']")[0].click()
        until(browser, lambda: "tz=local" in browser.current_url)
        local = browser.execute_script(first)
        hours = datetime.fromisoformat(local) - datetime.fromisoformat(utc)
        assert hours == timedelta(hours=9)
        assert "Asia/Tokyo" in find(browser, ".zone")[0].text
    finally:
        browser.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": ""})


FORMS = {
    "findings": "/findings",
    "denies": "/saved",
    "saved": "/saved",
    "secrets": "/secrets",
    "rules/new": "/rules/edit",
    "sql?sql=select+1": "/sql",
}


@pytest.mark.parametrize(("key", "action"), FORMS.items())
def test_a_browser_may_send_every_form(browser, pages, key, action):
    """Browsers decide what Origin they send: a test client does not show what is refused."""
    if key == "saved":  # a search to remove
        test_a_browser_may_send_every_form(browser, pages, "denies", "/saved")
    browser.get(f"{pages}{key}")
    until(browser, lambda: find(browser, f"form[method=post][action$='{action}']"))
    filled = """const form = [...document.querySelectorAll("form[method=post]")]
        .find((one) => one.getAttribute("action").endsWith(arguments[0]));
        for (const one of form.querySelectorAll("input[required]")) one.value = "x";
        document.body.dataset.sent = "yes"; form.requestSubmit();"""
    browser.execute_script(filled, action)
    until(browser, lambda: not find(browser, "body[data-sent]") and find(browser, "h1"))
    assert "Requests of other sites" not in find(browser, "body")[0].text


def test_newer_files_of_ones_own_are_read_by_a_click(browser, tmp_path):
    data = Path(__file__).parents[1] / "transcripts" / "data" / "claude-code"
    home = next(path for path in sorted(data.glob("*/home")) if any(path.rglob("*.jsonl")))
    shutil.copytree(home, tmp_path, dirs_exist_ok=True)
    for path in tmp_path.rglob("*"):
        os.utime(path)
    address, process = serving(None, tmp_path)
    try:
        file = next(tmp_path.rglob("*.jsonl"))
        shutil.copy(file, file.with_name("11111111-2222-4333-8444-555555555555.jsonl"))
        browser.get(address)
        browser.get(f"{browser.current_url}sessions?sort=tool")
        (button,) = find(browser, "form[action$='/renewed'] button")
        assert button.text == "Read it"
        button.click()
        until(browser, lambda: "/renewed" in browser.current_url)
        until(browser, lambda: browser.current_url.endswith("/sessions?sort=tool"))
        assert not find(browser, "form[action$='/renewed']")
    finally:
        process.terminate()
        process.wait(10)


def test_every_page_with_a_form_is_among_those_sent(browser, pages):
    actions = set()
    for key in KEYS + FURTHER:
        browser.get(f"{pages}{key}")
        actions |= {form.get_attribute("action") for form in find(browser, "form[method=post]")}
    paths = {"/" + urlsplit(action).path.split("/", 2)[2] for action in actions}
    assert paths == set(FORMS.values())


CUT = """return [...document.querySelectorAll(".scroll.list:not([data-whole])")]
    .filter((list) => list.scrollWidth > list.clientWidth + 1).length"""


def screen(browser, width: int, height: int, is_phone: bool = False) -> None:
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": is_phone}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


def phone(browser, is_one: bool = True) -> None:
    if is_one:
        screen(browser, 390, 844, True)
    else:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.parametrize("key", KEYS)
def test_no_column_is_cut_on_a_laptop(browser, pages, key):
    screen(browser, 1280, 900)
    try:
        browser.get(f"{pages}{key}")
        assert browser.execute_script(CUT) == 0
    finally:
        phone(browser, False)


def test_a_row_shows_the_columns_without_room_when_asked(browser, pages):
    screen(browser, 1000, 900)
    try:
        browser.get(f"{pages}denies?tool=claude-code")
        names = find(browser, "th.more")[0].get_attribute("title").split(", ")
        assert "session" in names
        assert "what" not in names
        button = find(browser, ".list td.more button")[0]
        button.click()
        assert button.get_attribute("aria-expanded") == "true"
        assert {name.text for name in find(browser, "tr.more dt")} <= set(names)
        link = find(browser, "tr.more dd a[href*='/session/']")
        assert link
        assert link[0].is_displayed()
        button.click()
        assert not find(browser, "tr.more")
        # More room shows more, and columns that somebody chose all stay.
        screen(browser, 2000, 900)
        until(browser, lambda: not find(browser, "th.more"))
        screen(browser, 900, 900)
        browser.get(f"{pages}denies?columns=timestamp,what,decision_reason,session_id,event_id")
        assert not find(browser, "th.more")
    finally:
        phone(browser, False)


@pytest.mark.parametrize("key", KEYS + FURTHER)
def test_a_page_fits_a_phone_and_begins_above_the_fold(browser, pages, key):
    phone(browser)
    try:
        browser.get(f"{pages}{key}")
        wide = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert browser.execute_script(wide) <= 0
        assert browser.execute_script(CUT) == 0
        content = find(browser, ".list tbody tr, main .scroll, main .card, main article, main dl")
        if content:
            assert content[0].rect["y"] < 700
    finally:
        phone(browser, False)


def test_what_comes_first_fits_one_screen_and_the_rest_is_behind_a_button(browser, pages):
    tall = "return document.documentElement.scrollHeight / innerHeight"
    for key in ("denies", "q/timeline", "inventory"):
        browser.get(f"{pages}{key}")
        assert browser.execute_script(tall) <= 1.02, key
        assert not find(browser, ".unfold")
    phone(browser)
    try:
        browser.get(f"{pages}rules")
        every = len(find(browser, ".list tbody tr"))
        assert browser.execute_script(tall) <= 1.5
        few = len(find(browser, ".list tbody tr:not(.folded)"))
        (button,) = find(browser, ".unfold")
        assert button.text == f"Show {every - few} more"
        button.click()
        assert not find(browser, ".folded, .unfold")
    finally:
        phone(browser, False)


def test_a_dark_page_prints_light_and_whole_without_what_a_click_does(browser, pages):
    displays = """return [...arguments].map(name => {
        const element = document.querySelector(name);
        return element === null ? 'absent' : getComputedStyle(element).display })"""
    browser.get(f"{pages}denies")
    browser.execute_script("localStorage.setItem('theme', 'dark')")
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        browser.get(f"{pages}denies")
        shown = browser.execute_script(displays, "header", "div.bar", ".switch", ".exports", "form")
        assert set(shown) == {"none"}
        list_style = "return getComputedStyle(document.querySelector('.scroll'))"
        assert browser.execute_script(f"{list_style}.maxHeight") == "none"
        ink = "return getComputedStyle(document.body).color"
        assert browser.execute_script(ink) == "rgb(23, 32, 43)"
        find(browser, ".list tbody a[href*='/session/']")
        browser.get(browser.execute_script(
            "return document.querySelector('.list a[href*=\"/session/\"]').href"
        ))  # fmt: skip
        assert browser.execute_script(displays, "svg.story a rect") != ["none"]
    finally:
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
        browser.execute_script("localStorage.removeItem('theme')")


def test_a_shared_session_opens_and_prints_without_a_network(browser, lake_path, tmp_path):
    from hookstream.ui.lake import BrowsedLake
    from hookstream.ui.share import share

    lake = BrowsedLake(lake_path)
    session = lake.one("select session_id from denies where call_id is not null limit 1")
    file = tmp_path / "session.html"
    file.write_text(share(lake, session))
    lake.close()
    browser.execute_cdp_cmd("Network.enable", {})
    browser.execute_cdp_cmd(
        "Network.emulateNetworkConditions",
        {"offline": True, "latency": 0, "downloadThroughput": 0, "uploadThroughput": 0},
    )
    try:
        complaints(browser), requested(browser)
        browser.get(file.as_uri())
        assert "Evidence" in browser.page_source and complaints(browser) == []
        assert {urlsplit(one).scheme for one in requested(browser)} <= {"file", "data"}
        wide = "return document.documentElement.scrollWidth > innerWidth"
        assert not browser.execute_script(wide)
        link = browser.find_element("css selector", 'td a[href^="#e-"]')
        link.click()
        assert browser.execute_script("return document.querySelector(':target') !== null")
        printed = browser.execute_cdp_cmd("Page.printToPDF", {"printBackground": False})
        assert len(printed["data"]) > 10_000
    finally:
        browser.execute_cdp_cmd("Network.disable", {})
