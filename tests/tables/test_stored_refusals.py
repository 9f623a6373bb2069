"""Refusals have one definition: what the stream says while it goes on is what tables say."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.queries.history import BEGIN, at, write

from hookstream.core.event import Event
from hookstream.core.records import Record
from hookstream.delivery.job import Job
from hookstream.delivery.run import execute
from hookstream.normalizers import compiled, normalize
from hookstream.queries.formats import objects
from hookstream.queries.runner import ask, open_stream
from hookstream.sessions import Sessions, refusals
from hookstream.tables.update import update

pytestmark = pytest.mark.long

SAMPLES = Path(__file__).parents[2] / "samples"
OWN_WORDS = "Permission to use {tool} has been denied."
Payloads = list[dict[str, Any]]
Calls = set[tuple[str, str]]


def story(letters: str, session: str) -> Payloads:
    """What hooks send, a call a letter: o it ran, e it failed, b only its batch tells of it, w the
    batch names the refusal in the client's words, l its after event comes behind the batch, u
    nothing comes; upper-case ones are of a tool whose failures do not say so."""
    told: Payloads = []
    for number, letter in enumerate(letters):
        tool = "Read" if letter.isupper() else "Bash"
        given = {"file_path": f"/w/{number}"} if letter.isupper() else {"command": f"run {number}"}
        call = {"tool_name": tool, "tool_input": given, "tool_use_id": f"c{number}"}
        text = OWN_WORDS.format(tool=tool) if letter in "wW" else "some text"
        batch = {
            "hook_event_name": "PostToolBatch",
            "tool_calls": [{**call, "tool_response": text}],
        }
        after = {"hook_event_name": "PostToolUse", **call, "tool_response": {"stdout": "x"}}
        failed = {"hook_event_name": "PostToolUseFailure", **call, "error": "no such file"}
        told.append({"hook_event_name": "PreToolUse", **call})
        told += {
            "o": [after, batch], "e": [failed, batch], "b": [batch], "w": [batch],
            "l": [batch, after], "u": [],
        }[letter.lower()]  # fmt: skip
    return [{"session_id": session, "cwd": "/w", **payload} for payload in told]


def completed(payloads: Payloads) -> list[Event]:
    """The events of a stream, in its order."""
    sessions = Sessions()
    made: list[Event] = []
    for second, payload in enumerate(payloads):
        record = Record(payload, "claude-code", payload["hook_event_name"], at(second))
        events = normalize(record, compiled("claude-code"), at(0))
        assert isinstance(events, list)
        made += [known for event in events for known in sessions.complete(event)]
    for event in made:
        event.input = None
        for name in ("output", "raw"):
            event.facts.pop(name, None)
    return made


def refused(events: list[Event]) -> Calls:
    """The calls that the stream names as refused, but for those of which an after event came."""
    ran = {
        (e.facts["session_id"], e.facts["call_id"])
        for e in events
        if e.type == "Action.After" and e.facts.get("reported_by") != "batch"
    }
    named = {
        (e.facts["session_id"], e.facts["call_id"]) for e in events if e.type == "Policy.Blocked"
    }
    return named - ran


def stored(lake: Path) -> Calls:
    with open_stream(lake) as stream:
        rows = objects(ask(stream, "denies"))
    return {
        (r["session_id"], r["call_id"])
        for r in rows
        if r["certainty"] == "observed" and r["subject"] == "action"
    }


@pytest.mark.long
@settings(max_examples=10)
@given(
    letters=st.lists(st.text("oebwluOEBWLU", max_size=8), min_size=1, max_size=3),
    cut=st.integers(0, 30),
    seed=st.integers(0, 99),
    built=st.integers(0, 4),
)
def test_stream_and_tables_name_the_same_refusals(
    tmp_path_factory: pytest.TempPathFactory, letters: list[str], cut: int, seed: int, built: int
) -> None:
    lake = tmp_path_factory.mktemp("refusals") / "lake"
    rng = random.Random(seed)
    events: list[Event] = []
    for number, text in enumerate(letters):
        # Each session is a source; any may be cut off, as a stream is that has only come so far.
        payloads = story(text, f"s{number}")
        events += completed(payloads[: cut if number == 0 else None])
    pieces = [events[n::3] for n in range(3)]
    pieces.append(rng.sample(events, len(events) // 2))
    # Tables that are there are brought up to date by whoever asks.
    for number, piece in enumerate(pieces):
        write(lake, rng.sample(piece, len(piece)), "parquet", tables=False)
        if number == built and piece:
            update(lake)
    if not events:
        return
    assert stored(lake) == refused(events)
    update(lake)
    assert stored(lake) == refused(events)


def test_a_refusal_that_only_silence_showed_is_none_once_an_after_event_comes(
    tmp_path: Path,
) -> None:
    events = completed(story("ol", "s1"))
    (blocked,) = [one for one in events if one.type == "Policy.Blocked"]
    assert blocked.facts["decision_evidence"].endswith(refusals.EXCLUDED)
    lake = write(tmp_path / "lake", events, "parquet")
    with open_stream(lake) as stream:
        calls = {row["call_id"]: row for row in objects(ask(stream, "calls"))}
    assert (calls["c1"]["outcome"], calls["c1"]["decision"]) == ("ok", None)
    assert stored(lake) == set()


def test_the_cases_are_those_of_the_function() -> None:
    found = {case[:-1]: case[-1] for case in refusals.cases()}
    assert set(found.values()) == {"observed", "inferred"}
    assert found[False, False, True, True, False, False, False] == "observed"
    assert (False, False, True, False, True, True, False) not in found


def test_samples_have_the_refusals_that_the_stream_names(tmp_path: Path) -> None:
    out = tmp_path / "lake"
    execute(Job([str(SAMPLES)], [f"parquet:{out}"], now=BEGIN.isoformat()))
    with open_stream(out, "from stream") as stream:
        stream.prepare("from stream")
        named = stream.connection.execute(
            "select distinct session_id, call_id from stream where call_id is not null and "
            "(event_type = 'Policy.Blocked' or decision = 'deny' or outcome = 'denied') and "
            "subject = 'action' and certainty is distinct from 'inferred'"
        ).fetchall()
    found = stored(out)
    assert found
    assert {one for one in found if one[1] is not None} == set(named)
