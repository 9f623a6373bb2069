"""Compactions have one definition: what the stream derives while it happens is what tables say."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.queries.history import History, write

from hookstream.core.event import Event
from hookstream.delivery.job import Job
from hookstream.delivery.run import execute
from hookstream.detect.compactions import TYPE, CompactionStep, found
from hookstream.detect.detectors import Detectors
from hookstream.queries.formats import objects
from hookstream.queries.runner import ask, open_stream
from hookstream.tables.update import update

pytestmark = pytest.mark.long

SAMPLES = Path(__file__).parents[2] / "samples"
PHASES = {"b": "before", "r": "restarted", "f": "after", "o": None}
Ids = list[tuple[str, ...]]


def story(letters: str, session: str) -> History:
    """One event a letter: a an announcement, q Q a request with few and many messages, t T a
    response to few and many tokens, b r f o phases of a compaction that the client tells of (B F
    a sub-agent's), s e a sub-agent's start and end, p a prompt, E the end."""
    h = History("gemini-cli", session)
    h.prompt("t1")
    for number, letter in enumerate(letters):
        match letter:
            case "a":
                h.add("vendor.gemini-cli.PreCompress", context_trigger="auto")
            case "q" | "Q":
                h.add("Model.Requested", message_count=3 if letter == "q" else 20 + number)
            case "t" | "T":
                h.add("Model.Responded", input_tokens=90 if letter == "t" else 900 + number)
            case "s":
                h.add("Agent.Plan.Start", agent_id="a1")
            case "e":
                h.add("Agent.Plan.End", agent_id="a1")
            case "p":
                h.prompt("t1")
            case "E":
                h.end()
            case _:
                agent = "a1" if letter in "BF" else None
                h.add(TYPE, context_phase=PHASES[letter.lower()], agent_id=agent)
    return h


def seen(events: list[Event]) -> list[Event]:
    """The events with what the stream derives of them."""
    detectors = Detectors()
    return [one for event in events for one in (event, *detectors.see(event))]


def decided(events: list[Event]) -> Ids:
    """The ids of the events of each compaction, by the definition, of a session in its order."""
    steps = [
        CompactionStep(
            n,
            event.facts["event_id"],
            event.type,
            event.facts.get("agent_id", ""),
            event.facts.get("context_phase"),
            event.facts.get("context_trigger"),
            messages=event.facts.get("message_count"),
            tokens=event.facts.get("input_tokens"),
        )
        for n, event in enumerate(events)
    ]
    return [tuple(step.event_id for step in one.steps) for one in found(steps)]


def stored(lake: Path) -> Ids:
    with open_stream(lake) as stream:
        return sorted(tuple(row["evidence"]) for row in objects(ask(stream, "compactions")))


LETTERS = st.text("aaqqQQttTTbrfoBFsepE", max_size=18)
SHRUNK = "aQTaqt"


@pytest.mark.long
@settings(max_examples=10)
@given(
    letters=st.lists(st.one_of(LETTERS, LETTERS.map(SHRUNK.__add__)), min_size=3, max_size=6),
    cut=st.integers(0, 20),
    forgets=st.booleans(),
    seed=st.integers(0, 99),
    built=st.integers(0, 4),
)
def test_stream_and_tables_name_the_same_compactions(
    tmp_path_factory: pytest.TempPathFactory,
    letters: list[str],
    cut: int,
    forgets: bool,
    seed: int,
    built: int,
) -> None:
    lake = tmp_path_factory.mktemp("compactions") / "lake"
    expected: Ids = []
    written: list[Event] = []
    for number, text in enumerate(letters):
        # Any session may be cut off, as a stream is that has only come so far.
        events = story(text, f"s{number}").events[: cut + 2 if number == 0 else None]
        whole = seen(events)
        told = [one.facts["event_id"] for one in whole if one.type == TYPE]
        expected += decided(whole)
        # Every one that the stream names is one to tables, and no other.
        assert sorted(name for row in decided(whole) for name in row) == sorted(told)
        # A stream that was begun anew in between knew less: it has missed some, or made up one.
        written += [*seen(events[:cut]), *seen(events[cut:])] if forgets else whole
    rng = random.Random(seed)
    pieces = [written[n::3] for n in range(3)]
    pieces.append(rng.sample(written, len(written) // 2))
    # Tables that are there are brought up to date by whoever asks.
    for number, piece in enumerate(pieces):
        write(lake, rng.sample(piece, len(piece)), "parquet", tables=False)
        if number == built and piece:
            update(lake)
    assert stored(lake) == sorted(expected)
    update(lake)
    assert stored(lake) == sorted(expected)


def test_a_shrunk_context_is_found_where_no_stage_derived_it(tmp_path: Path) -> None:
    events = story(SHRUNK, "s1").events
    (derived,) = [one for one in seen(events) if one.type == TYPE]
    lake = write(tmp_path / "lake", events, "parquet")
    with open_stream(lake) as stream:
        (row,) = objects(ask(stream, "compactions"))
    assert row["evidence"] == [derived.facts["event_id"]]
    assert (row["tokens_removed"], row["certainty"]) == (
        derived.facts["tokens_removed"],
        "observed",
    )


def test_a_derived_compaction_stands_where_the_model_calls_were_left_out(tmp_path: Path) -> None:
    kept = [one for one in seen(story(SHRUNK, "s1").events) if one.type == TYPE]
    lake = write(tmp_path / "lake", kept, "parquet")
    assert stored(lake) == [(kept[0].facts["event_id"],)]


def test_samples_have_the_compactions_that_the_stream_names(tmp_path: Path) -> None:
    out = tmp_path / "lake"
    execute(Job([str(SAMPLES)], [f"parquet:{out}"]))
    with open_stream(out, "from stream") as stream:
        stream.prepare("from stream")
        named = stream.connection.execute(
            "select event_id from stream where event_type = 'Context.Compaction'"
        ).fetchall()
    ids = [name for row in stored(out) for name in row]
    assert sorted(ids) == sorted(name for (name,) in set(named))
    assert ids
