"""Every byte of a lake is hostile: no page, export or error turns it into markup."""

import re
from html.parser import HTMLParser

import pytest
from tests.ui.conftest import client_of
from tests.ui.hostile import strings, write_lake

from hookstream.ui.cells import text_of
from hookstream.ui.lake import BrowsedLake
from hookstream.ui.pages import NAVIGATION, page_of

KEYS = [key for key, _ in NAVIGATION if page_of(key) is not None]


class Marks(HTMLParser):
    """The elements and attributes of a page that a value of the lake could have made."""

    def __init__(self) -> None:
        super().__init__()
        self.scripts: list[str] = []
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        if tag == "script":
            self.scripts.append(given.get("src") or given.get("type") or "inline")
        if tag in ("img", "base", "meta", "iframe", "object") and "charset" not in given:
            self.found += [tag] if given.get("name") not in ("viewport", "color-scheme") else []
        self.found += [name for name in given if name.startswith("on") or name == "style"]
        for name in ("href", "action", "src"):
            value = given.get(name)
            if value is not None and not re.match(r"[/#]|data:,$", value):
                self.found.append(f"{name}={value[:40]}")
            if value is not None and value.startswith("//"):
                self.found.append(value)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("hostile") / "lake"
    write_lake(folder, 300)
    lake = BrowsedLake(folder)
    yield client_of(lake)
    lake.close()


@pytest.mark.long
@pytest.mark.parametrize(
    "path", ["", "sql", "cost", "rules", "q", "search?page=2", "search?q=%3Cscript%3E", *KEYS]
)
def test_no_value_becomes_markup(hostile, path):
    answer = hostile.get(f"/{path}")
    assert answer.status_code == 200
    marks = Marks()
    marks.feed(answer.text)
    assert marks.found == []
    assert all(
        source.startswith(f"{hostile.root}/static/") or source == "application/json"
        for source in marks.scripts
    )


@pytest.mark.long
def test_hostile_filters_and_names_come_back_as_text(hostile):
    for text in strings(25):
        for path, name in (
            ("/search", "q"),
            ("/denies", "user"),
            ("/sql", "sql"),
            ("/gaps", "gap"),
            ("/denies", "sort"),
            ("/denies", "columns"),
            ("/denies", "facet"),
            ("/denies", "since"),
            ("/denies", "command__contains"),
            ("/denies", text),
            ("/denies", f"{text}__not"),
            ("/q/calls", "add_column"),
        ):
            more = {"add_operator": "contains", "add_value": text}
            answer = hostile.get(path, params={name: text, **more})
            assert answer.status_code in (200, 400)
            marks = Marks()
            marks.feed(answer.text)
            assert marks.found == []


def test_what_cannot_be_seen_is_shown_as_an_escape():
    assert text_of("a\u202eb") == "a\\u202eb"
    assert text_of("a\x1b[31mb") == "a\\x1b[31mb"
    assert text_of("line\nline") == "line\\nline"
