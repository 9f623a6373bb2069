"""`ui` without a lake makes a private one of the session files and the log of this machine."""

from __future__ import annotations

import gzip
import os
import shutil
import stat
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from tests.same_process import hookstream

from hookstream.cli.next_steps import session_files
from hookstream.cli.own_lake import (
    first_lake,
    newer_than,
    newest_of,
    own_lake,
    own_renewal,
)
from hookstream.core.errors import NothingToRead
from hookstream.queries.runner import ask, open_stream
from hookstream.ui.app import create_app
from hookstream.ui.casebook import Casebook
from hookstream.ui.lake import BrowsedLake
from hookstream.ui.server import open_lake, show_newer

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
HOME = ROOT / "tests" / "transcripts" / "data" / "claude-code"
LOG = ROOT / "samples" / "cursor"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "home"
    place.mkdir()
    for name in [name for name in os.environ if name.startswith("XDG_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(place))
    return place


def with_session_files(home: Path) -> None:
    scenario = next(path for path in sorted(HOME.glob("*/home")) if any(path.rglob("*.jsonl")))
    shutil.copytree(scenario, home, dirs_exist_ok=True)
    for path in home.rglob("*"):
        os.utime(path)  # of today: older ones are not read


def tools_of(lake: Path) -> set[str]:
    with open_stream(lake) as stream:
        answer = ask(stream, "sessions")
    return {str(row[answer.columns.index("tool")]) for row in answer.rows}


def test_session_files_and_log_are_one_lake(home: Path) -> None:
    with_session_files(home)
    log = home / ".local/state/hookstream/log/agent-hooks.jsonl"
    assert hookstream("run", LOG, "--to", f"jsonl:{home / 'cursor'}").returncode == 0
    log.parent.mkdir(parents=True)
    shutil.copy(home / "cursor" / "agent-hooks.jsonl", log)
    lake, line = own_lake()
    assert tools_of(lake) == {"claude-code", "cursor"}
    assert "session files of claude-code; the capture log" in line
    assert stat.S_IMODE(lake.parent.stat().st_mode) == 0o700
    assert {stat.S_IMODE(p.stat().st_mode) for p in lake.rglob("*.parquet")} == {0o600}


def test_a_rotated_log_is_read_and_old_lakes_go(home: Path) -> None:
    assert hookstream("run", LOG, "--to", f"jsonl:{home / 'cursor'}").returncode == 0
    folder = home / ".local/state/hookstream/log"
    folder.mkdir(parents=True)
    lines = (home / "cursor" / "agent-hooks.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "agent-hooks.20261121T080000Z.jsonl.gz").write_bytes(gzip.compress(b"".join(lines)))
    for count in (1, 2, 3):
        (folder / "agent-hooks.jsonl").write_bytes(b"".join(lines[:count]))
        lake, _ = own_lake()
        (lake.with_suffix(".tables")).mkdir(exist_ok=True)
    with open_stream(lake) as stream:
        assert ask(stream, "timeline").rows
    kept = sorted(path.name for path in lake.parent.iterdir())
    assert len(kept) == 6 and lake.name in kept  # two lakes, their tables, what they are made of


def test_it_is_made_again_only_when_a_file_has_changed(home: Path) -> None:
    with_session_files(home)
    first, _ = own_lake()
    stamp = first.stat().st_mtime_ns
    assert own_lake()[0] == first and first.stat().st_mtime_ns == stamp
    path = next(path for path in home.rglob("*.jsonl") if ".claude" in path.parts)
    with path.open("ab") as file:
        file.write(b"\n")
    second, _ = own_lake()
    assert second != first and second.is_dir() and first.is_dir()


def test_what_an_analyst_wrote_stays_when_the_lake_is_made_again(home: Path) -> None:
    with_session_files(home)
    path = next(path for path in home.rglob("*.jsonl") if ".claude" in path.parts)
    lake, _ = own_lake()
    Casebook(lake).save_search("denies of today", "/denies?since=24h")
    for _ in range(3):
        before, lake = lake, _after_a_change(path)
        assert Casebook(lake).address("denies of today") == "/denies?since=24h"
    notes = sorted(lake.parent.glob("*.sqlite"))
    assert notes == sorted((Casebook(before).path, Casebook(lake).path))


def test_newer_files_are_counted_and_read_while_pages_are_open(home: Path) -> None:
    with_session_files(home)
    lake, _ = own_lake()
    assert newer_than(lake) == 0
    renewal = own_renewal()
    app = create_app(BrowsedLake(lake), "t", 8600, renewal=renewal)
    show_newer(app, renewal, open_lake)
    browser = TestClient(app, base_url="http://127.0.0.1:8600")
    assert "since this lake was made" not in browser.get("/?token=t").text
    path = next(path for path in home.rglob("*.jsonl") if ".claude" in path.parts)
    shutil.copy(path, path.with_name("11111111-2222-4333-8444-555555555555.jsonl"))
    assert newer_than(lake) == 1
    os.utime(path, (4e9, 4e9))  # in the future: once in a lake it is not newer than that
    assert newer_than(lake) == 2
    renewal.forget()
    root = app.state.session.root
    assert "2 files have been written since this lake was made" in browser.get(root + "/calls").text
    asked = {"back": "/calls?tool=claude-code"}
    answer = browser.post(root + "/renewed", data=asked, follow_redirects=False)
    waiting = browser.get(answer.headers["location"])
    assert "are being read" in waiting.text and 'http-equiv="refresh"' in waiting.text
    renewal.wait()
    after = browser.get(answer.headers["location"])
    assert str(after.url).endswith("/calls?tool=claude-code")
    assert "since this lake was made" not in after.text
    assert app.state.pages.lake.path == own_lake()[0] != lake
    assert newer_than(app.state.pages.lake.path) == 0
    assert app.state.pages.lake.path.with_suffix(".tables").is_dir()  # derived once, not by reader
    app.state.pages.close()


@pytest.mark.parametrize(
    "words", [("query", "sessions", "--format", "csv"), ("report",), ("detect", "--summary")]
)
def test_questions_without_a_lake_are_asked_of_ones_own(home: Path, words: tuple[str, ...]) -> None:
    with_session_files(home)
    done = hookstream(*words)
    assert done.returncode == 0, done.stderr
    assert b"your own lake: " in done.stderr
    if words[0] == "query":
        assert b"claude-code" in done.stdout
    lake = own_lake()[0]
    assert hookstream(*words[:2], lake, *words[2:]).stdout == done.stdout or words[0] != "query"


def test_a_question_without_a_lake_and_without_files_says_what_to_do(home: Path) -> None:
    done = hookstream("query", "denies")
    assert done.returncode == 2 and done.stdout == b""
    assert b"run hookstream install, or name a lake" in done.stderr


def test_newer_files_that_cannot_be_read_are_said_and_the_pages_stay(home: Path) -> None:
    with_session_files(home)
    lake, _ = own_lake()
    renewal = own_renewal()
    shutil.rmtree(home / ".claude")
    renewal.start()
    renewal.wait()
    assert renewal.problem.startswith("no session files of the last 30 days")
    assert lake.is_dir()


def _after_a_change(path: Path) -> Path:
    with path.open("ab") as file:
        file.write(b"\n")
    return own_lake()[0]


def test_a_machine_with_nothing_gets_one_line(home: Path) -> None:
    with pytest.raises(NothingToRead, match="run hookstream install, or name a lake"):
        own_lake()
    assert not list((home / ".local").rglob("lake-*"))


def test_hookstream_alone_counts_the_files_that_the_lake_is_made_of(home: Path) -> None:
    with_session_files(home)
    log = home / ".local/state/hookstream/log/agent-hooks.20261121T080000Z.jsonl.gz"
    assert hookstream("run", LOG, "--to", f"jsonl:{home / 'cursor'}").returncode == 0
    log.parent.mkdir(parents=True)
    log.write_bytes(gzip.compress((home / "cursor" / "agent-hooks.jsonl").read_bytes()))
    count = own_lake()[1].split(" ")[0]
    told = hookstream().stdout.decode()
    assert f"On this machine: {count} session file" in told and "; a capture log" in told


def test_pages_begin_with_the_newest_sessions_and_fill_up(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_session_files(home)
    main = next(path for path in home.rglob("*.jsonl") if ".claude" in path.parts)
    for number in range(4):
        other = f"11111111-2222-4333-8444-{number:012}"
        text = main.read_text().replace(main.stem, other)
        main.with_name(f"{other}.jsonl").write_text(text)
    files = session_files()
    newest = max(files, key=lambda file: file.mtime)
    monkeypatch.setattr("hookstream.cli.own_lake.FIRST_BYTES", newest.size)
    monkeypatch.setattr("hookstream.cli.own_lake.FIRST_FILES", 1)
    lake, line, is_whole = first_lake()
    assert not is_whole and f"{len(files)} files are being read" in line
    assert newer_than(lake) == len(files) - 1
    renewal = own_renewal(at_once=True)
    app = create_app(BrowsedLake(lake), "t", 8600, renewal=renewal)
    show_newer(app, renewal, open_lake)
    browser = TestClient(app, base_url="http://127.0.0.1:8600")
    root = app.state.session.root
    gate = home / "gate"
    wait = f'while [ ! -e "{gate}" ]; do sleep 0.1; done; exec "$@"'
    renewal.command = ("sh", "-c", wait, "sh", *renewal.command)
    renewal.start()
    page = browser.get("/?token=t").text
    gate.touch()
    assert "These are the newest sessions" in page and 'data-seconds="3"' in page
    renewal.wait()
    assert not renewal.problem and not renewal.at_once
    after = browser.get(root + "/sessions").text
    assert "newest sessions" not in after and "refresh.js" not in after
    assert app.state.pages.lake.path == own_lake()[0] != lake
    assert first_lake()[::2] == (own_lake()[0], True)
    app.state.pages.close()


def test_pages_begin_with_one_session_before_the_rules_are_compiled(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where every file is long, the smallest; one without an event leaves it to the whole."""
    with_session_files(home)
    main = next(path for path in home.rglob("*.jsonl") if ".claude" in path.parts)
    empty = main.with_name("11111111-2222-4333-8444-555555555555.jsonl")
    empty.write_text("{}\n")
    monkeypatch.setattr("hookstream.cli.own_lake.FIRST_BYTES", 1)
    files = session_files()
    assert newest_of(files) == [min(files, key=lambda file: file.size)]
    assert first_lake()[::2] == (own_lake()[0], True)
    empty.write_text(main.read_text().replace(main.stem, empty.stem))
    monkeypatch.setattr("hookstream.redaction.hyperscan_engine.HyperscanEngine", None)
    lake, _, is_whole = first_lake()
    assert not is_whole
    assert newer_than(lake) == len(session_files()) - 1


def test_few_files_are_read_at_once(home: Path) -> None:
    with_session_files(home)
    assert first_lake()[::2] == (own_lake()[0], True)
