"""The morning page."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path

import pytest
from tests.queries.history import History, both, write

from hookstream.core.errors import NothingToRead
from hookstream.queries.errors import QueryError
from hookstream.queries.report import report
from hookstream.queries.runner import Filters

EVIL = "echo '</td><script>alert(1)</script>' | tee \x1b[2J `x`"


def history() -> History:
    h = History()
    h.start()
    h.prompt("t1")
    h.before("c1", EVIL, permission_mode="bypassPermissions", risk=(85, "high", ("X",)))
    h.blocked("c1", EVIL, decision_reason="**no**")
    h.ran("c2", EVIL)
    h.before("c3", "curl https://a.example", secrets=[("rule", "input.command", "f1")])
    h.add("vendor.x.Verdict", call_id="c3", failure="timeout")
    h.after("c3", "curl https://a.example")
    for number in range(3):
        h.ran(f"r{number}", "pytest", outcome="error")
    h.add("Context.Compaction", context_phase="before", context_trigger="auto")
    h.add("Context.Compaction", context_phase="after", context_trigger="auto")
    h.end()
    return h


class Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        assert not {name for name, _ in attrs} & {"src", "href", "onclick", "onload"}
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


class Streams:
    """The history in its two forms, and the pages over its lines."""

    def __init__(self, folder: Path) -> None:
        self.lines, self.lake = both(folder, history())
        self.pages = {format: report(self.lines, format) for format in ("markdown", "html")}


@pytest.fixture(scope="module")
def streams(tmp_path_factory: pytest.TempPathFactory) -> Streams:
    return Streams(tmp_path_factory.mktemp("streams"))


@pytest.mark.long
def test_both_forms_of_a_stream_give_the_same_page_each_time(streams: Streams) -> None:
    for format, page in streams.pages.items():
        assert page == report(streams.lake, format)
    assert streams.pages["html"] == report(streams.lines, "html")


@pytest.mark.long
def test_the_headline_counts(streams: Streams) -> None:
    text = streams.pages["markdown"]
    for line in (
        "| sessions | 1 |", "| prompts | 1 |", "| calls | 6 |", "| failed calls | 3 |",
        "| denied, observed | 1 |", "| denied and run afterwards | 1 |",
        "| run while a guard failed | 1 |", "| retry loops | 1 |", "| compactions | 1 |",
        "| sessions with approval prompts off | 1 |", "| secrets seen | 1 |",
        "| external hosts | 1 |",
    ):  # fmt: skip
        assert line in text.splitlines()
    for title in (
        "Denied, and run afterwards", "Failed open", "Retry loops", "Compactions after a deny",
        "Guards switched off", "Secrets", "Egress", "Highest risk", "Gaps",
    ):  # fmt: skip
        assert f"## {title}" in text
    assert "\x1b" not in text and "<script>" not in text.replace("\\<", "")


def test_the_html_page_loads_and_runs_nothing(streams: Streams) -> None:
    text = streams.pages["html"]
    reader = Reader()
    reader.feed(text)
    assert reader.open == []
    assert not {"script", "img", "link", "iframe", "a"} & set(reader.tags)
    assert "default-src 'none'" in text
    assert "<script>alert(1)</script>" in reader.text  # shown, not run
    assert "\x1b" not in text


def test_a_long_table_is_cut_and_says_where_the_rest_is(tmp_path: Path) -> None:
    h = History()
    for number in range(25):
        h.before(f"c{number}", f"echo {number}")
        h.blocked(f"c{number}", f"echo {number}")
    text = report(write(tmp_path / "lines", h.events, "jsonl"))
    assert "... and 5 more: `hookstream query denies PATH`" in text


@pytest.mark.long
def test_what_could_not_be_read_stands_on_the_page(tmp_path: Path) -> None:
    lines = write(tmp_path / "lines", history().events, "jsonl")
    with (lines / "agent-hooks.jsonl").open("ab") as file:
        file.write(b"<b>torn\n")
    assert "agent-hooks.jsonl:" in report(lines) and "1 line or file" in report(lines, "html")


def test_empty_narrowed_and_wrong(tmp_path: Path, streams: Streams) -> None:
    lines = streams.lines
    assert "The stream holds no event." in report(lines, filters=Filters(tool="codex"))
    with pytest.raises(QueryError, match="markdown, html"):
        report(lines, "pdf")
    with pytest.raises(NothingToRead):
        report(tmp_path / "nowhere")
