"""Questions without a time range are answered by what is stored, whoever told of the events."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.queries.history import History, hollow, write

from hookstream.queries.errors import QueryError
from hookstream.queries.formats import objects
from hookstream.queries.runner import Filters, ask, ask_sql, moment, open_stream
from hookstream.tables.update import update

pytestmark = pytest.mark.long

QUESTIONS = ("coverage", "gaps", "risky_modes", "unmapped", "usage")


def answer(lake: Path, question: str, **filters: object) -> list[dict[str, object]]:
    with open_stream(lake) as stream:
        return objects(ask(stream, question, Filters(**filters)))  # type: ignore[arg-type]


def test_several_witnesses_cost_a_question_no_look_at_the_events(tmp_path: Path) -> None:
    h = History(session="s1")
    h.start()
    h.ran("c1", "make")
    seen, files = h.events, History(session="s1")
    files.ran("c1", "make")
    for number, event in enumerate(files.events):
        event.facts["witness"] = "transcript"
        event.facts["event_id"] = f"t{number}"
    lake = write(tmp_path / "lake", seen + files.events, "parquet")
    plain = {question: answer(lake, question) for question in QUESTIONS}
    update(lake)
    for part in lake.rglob("*.parquet"):
        hollow(part)
    assert plain["coverage"]
    assert {question: answer(lake, question) for question in QUESTIONS} == plain
    with open_stream(lake) as stream:
        assert ask_sql(stream, "select count(*) from coverage").rows == [(len(plain["coverage"]),)]
    # A span is about the events.
    with pytest.raises(QueryError):
        answer(lake, "coverage", since=moment("2026-11-21"))


def test_a_sub_agent_of_a_sub_agent_belongs_to_the_session_at_the_top(tmp_path: Path) -> None:
    hooks = History(session="leaf")
    hooks.ran("c1", "make")
    events = hooks.events
    # Each file tells of its session's sub-agent; the hooks give both sessions of their own.
    for session, agent in (("top", "middle"), ("middle", "leaf")):
        file = History(session=session, second=10)
        file.prompt()
        file.ran("c1" if agent == "leaf" else "c0", "make", agent_id=agent)
        for event in file.events:
            event.facts |= {"witness": "transcript", "event_id": f"{session}-{len(events)}"}
            events = [*events, event]
    lake = write(tmp_path / "lake", events, "parquet")
    for _ in range(2):
        (session,) = answer(lake, "sessions")
        assert (session["session_id"], session["witnesses"]) == ("top", ["hook", "transcript"])
        told = {(row["call_id"], tuple(row["witnesses"])) for row in answer(lake, "calls")}
        assert told == {("c0", ("transcript",)), ("c1", ("hook", "transcript"))}
        assert sum(int(row["events"]) for row in answer(lake, "coverage")) == len(events)
        update(lake)


def test_what_only_files_tell_of_a_sub_agent_stays_its_session(tmp_path: Path) -> None:
    files = []
    for session in ("top", "leaf"):
        h = History(session=session)
        h.ran("c1", "make", agent_id="leaf")
        for event in h.events:
            event.facts["witness"] = "transcript"
        files += h.events
    lake = write(tmp_path / "lake", files, "parquet")
    for _ in range(2):
        found = {str(row["session_id"]) for row in answer(lake, "sessions")}
        assert found == {"top", "leaf"}
        with open_stream(lake) as stream:
            told = ask_sql(stream, "select session_id, told_as from derived.capture order by all")
        assert told.rows == [("leaf", "leaf"), ("top", "top")]
        update(lake)


def test_a_stream_that_was_asked_without_a_span_answers_with_one(tmp_path: Path) -> None:
    h = History(session="s1")
    h.start()
    h.ran("c1", "make")
    lake = write(tmp_path / "lake", h.events, "parquet")
    update(lake)
    sql = "select count(*) from coverage"
    later = Filters(since=moment("2099-01-01"))
    with open_stream(lake) as stream:
        assert ask_sql(stream, sql).rows != [(0,)]
        assert ask_sql(stream, sql, later).rows == [(0,)]
        assert ask(stream, "coverage", later).rows == []
        assert ask_sql(stream, sql).rows != [(0,)]
