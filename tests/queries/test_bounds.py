"""A question ends: when its time is over, on Ctrl-C, and without leaving anything behind."""

from __future__ import annotations

import csv
import io
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from tests.queries.history import History, write

from hookstream.queries.bounds import within
from hookstream.queries.errors import QueryError
from hookstream.queries.formats import as_csv
from hookstream.queries.runner import Filters, ask, ask_sql, open_stream
from hookstream.tables import connection

LONG = "select count(*) from range(100000000) a, range(100000000) b where a.range*b.range%7=3"


@pytest.fixture
def lake(tmp_path: Path) -> Path:
    h = History()
    h.prompt("t1")
    h.ran("c1", "=cmd|'/c calc'!A0")
    h.ran("c2", "-rf")
    h.answer()
    return write(tmp_path / "lake", h.events, "parquet")


def hookstream(*words: str, temporary: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "hookstream", *words],
        env={**os.environ, "TMPDIR": str(temporary)},
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def test_ctrl_c_ends_a_question_within_a_second_and_says_so(lake: Path, tmp_path: Path) -> None:
    process = hookstream("query", LONG, str(lake), temporary=tmp_path)
    deadline = time.monotonic() + 30
    while not list(tmp_path.glob("hookstream-query-*")) and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    began = time.monotonic()
    _, error = process.communicate(timeout=20)
    assert time.monotonic() - began < 5  # one, but the machine may be busy
    assert (process.returncode, error) == (130, "hookstream: interrupted\n")
    assert not list(tmp_path.glob("hookstream-query-*"))


def test_a_question_has_a_time_limit(lake: Path, tmp_path: Path) -> None:
    process = hookstream("query", "--timeout", "0.5", LONG, str(lake), temporary=tmp_path)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 2
    assert "no answer within 0.5 s" in error
    assert error.count("\n") == 1


def test_what_a_question_raises_comes_through() -> None:
    def fail() -> None:
        raise QueryError("no")

    with pytest.raises(QueryError, match="no"):
        within(fail)
    assert within(lambda: 5) == 5


@pytest.mark.posix("no locks of this kind on Windows")
def test_folders_of_killed_programs_are_swept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    left = tmp_path / f"{connection.PREFIX}{dead.pid}-x"
    own = tmp_path / f"{connection.PREFIX}{os.getpid()}-x"
    for place in (left, own):
        place.mkdir()
    made = Path(connection.spill_folder())
    assert not left.exists()
    assert own.exists() and made.exists()
    connection.remove_own()
    assert not made.exists()


def test_a_wrong_name_is_answered_with_duckdbs_hint(lake: Path, tmp_path: Path) -> None:
    process = hookstream("query", "select commnd from events", str(lake), temporary=tmp_path)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 2
    assert '"command"' in error
    assert "LINE 1: select commnd from events" in error
    assert "^^^^^^" in error
    assert "Traceback" not in error


def test_a_spreadsheet_executes_no_cell(lake: Path) -> None:
    with open_stream(lake) as stream:
        result = ask_sql(stream, "select command, -5 as number from calls order by command")
    rows = list(csv.reader(io.StringIO(as_csv(result))))
    assert rows[1:] == [["'-rf", "-5"], ["'=cmd|'/c calc'!A0", "-5"]]


@pytest.mark.parametrize(
    "head", ["\n=", " =", "  +", "\u00a0=", "\u200b@", "\uff1d", "\uff0b", "\uff0d", "\uff20"]
)
def test_no_form_of_a_formula_is_executed(lake: Path, head: str) -> None:
    with open_stream(lake) as stream:
        result = ask_sql(stream, f"select '{head}1' as \"=cmd\"")
    rows = list(csv.reader(io.StringIO(as_csv(result))))
    assert rows == [["'=cmd"], [f"'{head}1"]]


def test_sort_turns_a_question_around(lake: Path) -> None:
    with open_stream(lake) as stream:
        rows = ask(stream, "calls", Filters(sort="-command")).rows
        assert [row[9] for row in rows] == ["=cmd|'/c calc'!A0", "-rf"]
        assert ask(stream, "calls", Filters(sort="command"), limit=1).rows[0][9] == "-rf"
        with pytest.raises(QueryError, match="--sort: no column 'x'"):
            ask(stream, "calls", Filters(sort="x"))


def test_machine_and_user_narrow_a_question(tmp_path: Path) -> None:
    h = History()
    for number, (machine, user) in enumerate((("m1", "u1"), ("m2", "u2"))):
        h.session = f"s{number}"
        h.ran(f"c{number}", "ls", machine_id=machine, user_id=user)
    lake = write(tmp_path / "lake", h.events, "parquet")
    for narrowed in (Filters(machine="m2"), Filters(user="u2")):
        with open_stream(lake) as stream:
            assert [row[3] for row in ask(stream, "calls", narrowed).rows] == ["s1"]


def test_first_seen_looks_beyond_since(tmp_path: Path) -> None:
    h = History()
    h.ran("c1", None, mcp_server="old")
    h.second += 86_400
    h.ran("c2", None, mcp_server="old")
    h.ran("c3", None, mcp_server="new")
    lake = write(tmp_path / "lake", h.events, "parquet")
    with open_stream(lake) as stream:
        whole = ask(stream, "mcp_servers")
        since = h.events[2].facts["timestamp"][:10]
        from hookstream.queries.runner import moment

        part = ask(stream, "mcp_servers", Filters(since=moment(since)))
        at = {name: whole.columns.index(name) for name in ("server", "first_seen", "is_new")}
        first = {row[at["server"]]: row[at["first_seen"]] for row in whole.rows}
        assert {row[at["server"]]: row[at["first_seen"]] for row in part.rows} == first
        assert {row[at["server"]]: row[at["is_new"]] for row in part.rows} == {
            "old": False,
            "new": True,
        }
        fresh = ask(stream, "mcp_servers", Filters(new=True))
        assert [row[at["server"]] for row in fresh.rows] == ["new"]
