"""Pages of a lake whose tables, or findings, are still being derived."""

import shutil
import threading

import pytest
from tests.ui.conftest import client_of

from hookstream.tables import update
from hookstream.tables.manifest import folder_of
from hookstream.ui import freshness
from hookstream.ui.freshness import TablesWork
from hookstream.ui.lake import BrowsedLake


@pytest.fixture
def own(lake_path, tmp_path):
    """A lake without tables that is worth some."""
    path = tmp_path / "lake"
    shutil.copytree(lake_path, path)
    shutil.rmtree(folder_of(path), ignore_errors=True)
    lake = BrowsedLake(path)
    yield lake
    lake.close()


@pytest.fixture
def held(monkeypatch):
    """Builds and refreshes wait for this event."""
    free = threading.Event()
    real = update.freshen
    monkeypatch.setattr(update, "WORTH_ROWS", 1)

    def slow(*given, **named):
        assert free.wait(600)
        return real(*given, **named)

    monkeypatch.setattr(freshness, "freshen", slow)
    yield free
    free.set()


@pytest.mark.long
def test_pages_say_that_the_first_tables_are_being_built(own, held, capsys):
    work = TablesWork(own)
    work.start(patience_s=0)
    client = client_of(own, tables=work)
    for page in ("/", "/denies", "/findings", "/rules", "/cost", "/session/any"):
        answer = client.get(page)
        assert answer.status_code == 200, page
        assert "tables of this lake are being built" in answer.text, page
        assert 'http-equiv="refresh"' in answer.text
    assert "being built" not in client.get("/search").text
    held.set()
    work.wait()
    assert "tables built" in capsys.readouterr().err
    for page in ("/", "/denies", "/findings"):
        text = client.get(page).text
        assert "being" not in text.partition("<h1>")[2].partition("<p class")[0]
        assert "are being built" not in text
    assert "findings" in client.get("/findings").text


@pytest.mark.long
def test_pages_answer_while_tables_are_refreshed_and_say_so(own, held):
    held.set()
    TablesWork(own).start(patience_s=60)
    assert (folder_of(own.path) / "manifest.json").exists()
    held.clear()
    work = TablesWork(own)
    work.start(patience_s=0)
    client = client_of(own, tables=work)
    text = client.get("/denies").text
    assert "being added to the tables" in text
    assert "denies" in text and "/session/" in text
    held.set()
    work.wait()
    assert "being added to the tables" not in client.get("/denies").text


@pytest.mark.long
def test_a_page_does_not_wait_for_all_rules(own, monkeypatch):
    from hookstream.rules import ask as asking

    free = threading.Event()
    real = asking.ask

    def slow(*given):
        assert free.wait(600)
        return real(*given)

    monkeypatch.setattr(asking, "ask", slow)
    client = client_of(own)
    hits = client.app.state.pages.hits
    hits.patience_s = 0.01
    for page in ("/findings", "/rules"):
        answer = client.get(page)
        assert "The rules are being asked" in answer.text
        assert 'http-equiv="refresh"' in answer.text
    free.set()
    hits.ready()
    assert hits.progress[1], "rules report how far they are"
    assert "being asked" not in client.get("/findings").text
    assert client.get("/findings?export=json").json()
