"""A question ends at its limit whatever it computes, and makes no page wait."""

from __future__ import annotations

import contextlib
import http.cookiejar
import json
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path
from urllib.parse import quote

import pytest
from tests.ui.conftest import client_of

from hookstream.queries.errors import QueryError
from hookstream.ui.lake import BrowsedLake
from hookstream.ui.questions import FreeQuestions

pytestmark = pytest.mark.long

# One row of one call: DuckDB looks for an interrupt only when it is done.
HUGE = "select length(repeat('x', 2000000000) || repeat('y', 1000000000))"
LONG = (
    "select count(*) from range(100000000) a, range(100000000) b where hash(a.range, b.range) = 7"
)


@pytest.fixture
def questions(lake_path: Path):
    made = FreeQuestions(lake_path, None)
    yield made
    made.close()


@pytest.mark.parametrize("sql", [HUGE, LONG])
def test_a_question_ends_at_its_limit(questions, monkeypatch, sql: str) -> None:
    monkeypatch.setattr("hookstream.ui.questions.TIMEOUT_S", 1.0)
    questions.warm()
    began = time.monotonic()
    with pytest.raises(QueryError, match=r"stopped after 1 s|memory"):
        questions.ask(sql)
    assert time.monotonic() - began < 4
    assert questions.ask("select 1").rows == [(1,)], "the next one is answered"


def test_answers_are_those_of_the_lake(questions, lake: BrowsedLake) -> None:
    for sql in (
        "select * from calls",
        "select * from gaps",
        "from permissions",
        "select [1], {a: 1}",
    ):
        one, other = questions.ask(sql), lake.ask(sql)
        assert (one.columns, one.types, one.rows) == (other.columns, other.types, other.rows)
    for sql in ("drop table x", "select nothing", "select * from read_csv('/etc/passwd')"):
        with pytest.raises(QueryError):
            questions.ask(sql)


def test_a_result_that_is_too_large_is_refused(questions, monkeypatch) -> None:
    with pytest.raises(QueryError, match="more than 1000000 rows"):
        questions.ask("select 1 from range(1000002)")
    with pytest.raises(QueryError, match=r"256 MiB|memory"):
        questions.ask("select repeat('x', 300000000)")
    assert len(questions.ask("from range(10)", limit=4).rows) == 5


def test_pages_are_answered_while_questions_run(lake_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("hookstream.ui.questions.TIMEOUT_S", 6.0)
    opened = BrowsedLake(lake_path)
    client = client_of(opened)
    client.get("/sql?sql=select+1")
    asking = [
        threading.Thread(target=client.get, args=(f"/sql?sql={quote(sql)}",))
        for sql in (HUGE, LONG, LONG)
    ]
    for thread in asking:
        thread.start()
    time.sleep(0.3)
    for path in ("/denies", "/sessions", "/", "/sql"):
        began = time.monotonic()
        assert client.get(path).status_code == 200
        assert time.monotonic() - began < 5
    assert any(thread.is_alive() for thread in asking)
    for thread in asking:
        thread.join()
    client.app.state.pages.questions.close()
    opened.close()


def test_a_page_waits_for_no_other_pages_question(lake_path: Path, monkeypatch) -> None:
    """One reader is held; the others answer, and who finds none free is told so."""
    monkeypatch.setattr("hookstream.ui.lake.TIMEOUT_S", 0.5)
    opened = BrowsedLake(lake_path, readers=2)
    with opened._reader():
        assert opened.one("select 1") == 1
        with opened._reader(), pytest.raises(QueryError, match="too many questions"):
            opened.one("select 1")
    assert opened.one("select 1") == 1
    opened.close()


def test_rows_of_an_answer_are_bounded(lake_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("hookstream.ui.lake.MOST_ROWS", 10)
    opened = BrowsedLake(lake_path, readers=1)
    assert len(opened.ask("from range(10)").rows) == 10
    with pytest.raises(QueryError, match="more than 10 rows"):
        opened.ask("from range(11)")
    assert len(opened.ask("from range(99)", limit=20).rows) == 20
    opened.close()


def test_a_changed_finding_is_seen_by_every_reader(lake_path: Path, tmp_path: Path) -> None:
    rows = [1]
    opened = BrowsedLake(lake_path, readers=2)
    opened.own["mine"] = lambda con: con.execute(
        f"create or replace temp table mine as select {len(rows)} as n"
    )
    sql = "select n from mine"
    with opened._reader() as one, opened._reader() as two:
        both = [one.ask(sql, (), 9, None, None, None, None) for one in (one, two)]
    rows.append(2)
    opened.changed("mine")
    with opened._reader() as one, opened._reader() as two:
        again = [one.ask(sql, (), 9, None, None, None, None) for one in (one, two)]
    assert [json.dumps([a.rows for a in some]) for some in (both, again)] == [
        "[[[1]], [[1]]]",
        "[[[2]], [[2]]]",
    ]
    opened.close()


@pytest.mark.long
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_the_application_ends_at_once_while_a_question_is_computed(lake_path, name: str) -> None:
    command = [sys.executable, "-m", "hookstream", "ui", str(lake_path), "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        jar = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        browser = urllib.request.build_opener(jar)
        with browser.open(process.stdout.readline().decode().strip()) as page:
            base = page.geturl()
        browser.open(f"{base}sql?sql=select+1").close()

        def ask() -> None:
            with contextlib.suppress(OSError):
                browser.open(f"{base}sql?sql={quote(HUGE)}", timeout=60).close()

        asking = threading.Thread(target=ask)
        asking.start()
        time.sleep(1)
        began = time.monotonic()
        process.send_signal(getattr(signal, name))
        process.wait(20)
        assert time.monotonic() - began < 3
        asking.join()
        assert b"Traceback" not in process.stderr.read()
