"""Findings of a grown lake: asked again of the sessions that were derived again, equal to asking
all of them."""

from __future__ import annotations

import json
import shutil
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from hookstream.delivery.job import Job
from hookstream.delivery.run import execute
from hookstream.rules import ask as asking
from hookstream.rules.ask import DetectOptions, ask
from hookstream.rules.compile import is_of_session
from hookstream.rules.load import load, names_of, pack
from hookstream.tables import history
from hookstream.tables.update import update

pytestmark = pytest.mark.long

SAMPLES = Path(__file__).parents[2] / "samples"
SOURCES = sorted(
    path
    for vendor in ("claude-code", "cursor", "qwen-code", "opencode")
    for name in ("deny", "compact", "loop", "subagent", "tools")
    if (path := SAMPLES / vendor / f"{name}.jsonl").exists()
)
ROUNDS = 3
Asking = list[set[str] | None]


@pytest.fixture
def grown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, list[Path]]:
    """A lake's place, and what arrives there: a share of every sample's lines in each round."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    assert len(SOURCES) >= 4
    rounds = []
    for number in range(ROUNDS):
        place = tmp_path / f"round-{number}"
        place.mkdir()
        for source in SOURCES[: None if number == 0 else 2]:
            lines = source.read_text("utf-8").splitlines(keepends=True)
            step = -(-len(lines) // ROUNDS)
            share = "".join(lines[number * step : (number + 1) * step])
            (place / f"{source.parent.name}-{source.name}").write_text(share, "utf-8")
        rounds.append(place)
    return tmp_path / "lake", rounds


def arrive(lake: Path, source: Path) -> None:
    execute(Job([str(source)], [f"parquet:{lake}"], now="2026-11-21T12:00:00Z"))
    update(lake)


def rows(lake: Path) -> list[str]:
    return sorted(repr(one.row()) for one in ask(lake, DetectOptions()).findings)


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> Asking:
    """Of each time rules about sessions were asked: of which sessions, None for all."""
    seen: Asking = []
    real = asking.of_stream

    def of_stream(stream: Any, rules: Any, asked: Any, touched: Any = None, **more: Any) -> Any:
        if not more:
            seen.append(touched)
        return real(stream, rules, asked, touched, **more)

    monkeypatch.setattr(asking, "of_stream", of_stream)
    return seen


@pytest.mark.long
def test_a_grown_lake_gives_the_findings_of_a_whole_evaluation(
    grown: tuple[Path, list[Path]], narrow: Asking
) -> None:
    lake, rounds = grown
    stored = lake.with_name("lake.tables")
    arrive(lake, rounds[0])
    before = rows(lake)
    for source in rounds[1:]:
        arrive(lake, source)
        after = rows(lake)
        shutil.rmtree(stored / "findings")
        assert after == rows(lake)
    assert after != before
    assert [touched is None for touched in narrow] == [True, False, True, False, True]


@pytest.mark.long
def test_several_refreshes_between_two_questions_add_up(
    grown: tuple[Path, list[Path]], narrow: Asking
) -> None:
    lake, rounds = grown
    arrive(lake, rounds[0])
    rows(lake)
    for source in rounds[1:]:
        arrive(lake, source)
    after = rows(lake)
    assert narrow[0] is None and narrow[1]
    shutil.rmtree(lake.with_name("lake.tables") / "findings")
    assert after == rows(lake)


def test_after_a_rebuild_or_without_the_history_all_is_asked(
    grown: tuple[Path, list[Path]], narrow: Asking
) -> None:
    lake, rounds = grown
    arrive(lake, rounds[0])
    rows(lake)
    arrive(lake, rounds[1])
    shutil.rmtree(lake.with_name("lake.tables") / history.FOLDER)
    rows(lake)
    assert narrow == [None, None]


def test_what_looks_beyond_a_session_is_asked_of_the_whole_lake() -> None:
    named = {name: one for one in load((pack(),)).rules for name in names_of(one)}
    for name in ("call_forced_push", "corr_deny_then_script", "call_deny_then_bypass"):
        assert is_of_session(named[name]), name
    for name in ("call_host_new", "corr_secret_many_machines", "corr_user_many_machines",
                 "call_silent_machine", "corr_mcp_new_then_secret"):  # fmt: skip
        assert not is_of_session(named[name]), name


def test_a_chain_of_refreshes_is_followed_and_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    states = [{"part": number} for number in range(6)]
    for number, (before, after) in enumerate(pairwise(states)):
        history.note(tmp_path, before, after, [f"s{number}"])
    marks = [history.mark_of(one) for one in states]
    assert history.between(tmp_path, marks[0], marks[5]) == {"s0", "s1", "s2", "s3", "s4"}
    assert history.between(tmp_path, marks[3], marks[5]) == {"s3", "s4"}
    assert history.between(tmp_path, marks[4], marks[4]) == set()
    assert history.between(tmp_path, marks[5], marks[0]) is None
    monkeypatch.setattr(history, "MOST", 2)
    history.note(tmp_path, states[5], states[0], ["s5"])
    assert len(list((tmp_path / history.FOLDER).glob("*.json"))) == 2
    assert history.between(tmp_path, marks[0], marks[5]) is None


def test_the_history_names_no_session(grown: tuple[Path, list[Path]]) -> None:
    lake, rounds = grown
    arrive(lake, rounds[0])
    arrive(lake, rounds[1])
    files = list((lake.with_name("lake.tables") / history.FOLDER).iterdir())
    assert files
    for file in files:
        assert file.stat().st_mode & 0o777 == 0o600
        assert all(len(one) == 32 for one in json.loads(file.read_text()))
