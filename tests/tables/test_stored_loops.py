"""Retry loops have one definition: the stream, tables and any threshold agree."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.queries.history import History, write

from hookstream.core.event import Event
from hookstream.delivery.job import Job
from hookstream.delivery.run import execute
from hookstream.detect.attempts import Thresholds
from hookstream.detect.detectors import Detectors
from hookstream.queries.formats import objects
from hookstream.queries.runner import Filters, ask, open_stream
from hookstream.tables.update import update

pytestmark = pytest.mark.long

SAMPLES = Path(__file__).parents[2] / "samples"
WORDS = {"e": "error", "t": "timeout", "c": "cancelled", "o": "ok"}
Row = dict[str, Any]


def story(letters: str, session: str) -> History:
    """One step a letter: e error, t timeout, d denied, f denied and then an error, c cancelled, o
    ok, n ok with a new output, u nothing after it, p a prompt, E the end; upper-case O and D are of
    another command."""
    h = History(session=session)
    h.prompt("t1")
    for number, letter in enumerate(letters):
        call, command = f"c{number}", "make" if letter in "OD" else "ls"
        if letter == "p":
            h.prompt("t1")
        elif letter == "E":
            h.end()
        else:
            h.before(call, command)
            if letter in "dDf":
                h.blocked(call, command)
                if letter == "f":
                    h.after(call, command, "error")
            elif letter == "n":
                h.after(call, command, "ok", output_hash=f"sha256:{number}")
            elif letter != "u":
                h.after(call, command, WORDS[letter.lower()], output_hash="sha256:same")
    return h


def detected(events: list[Event], thresholds: Thresholds) -> set[tuple[Any, ...]]:
    """(session, fingerprint, whether it was aborted) of the loops that the stream names."""
    detectors = Detectors(thresholds)
    found = set()
    for event in events:
        for made in detectors.see(event):
            if made.type in ("Retry.Loop.Detected", "Retry.Loop.Aborted"):
                facts = made.facts
                aborted = made.type == "Retry.Loop.Aborted"
                found.add((facts["session_id"], facts["action_fingerprint"], aborted))
    return found


def stored(rows: list[Row]) -> set[tuple[Any, ...]]:
    """The same of rows."""
    found = {(row["session_id"], row["fingerprint"], False) for row in rows}
    return found | {(r["session_id"], r["fingerprint"], True) for r in rows if r["aborted"]}


def loops(lake: Path, threshold: int | None = None) -> list[Row]:
    with open_stream(lake) as stream:
        return objects(ask(stream, "retry_loops", Filters(threshold=threshold)))


@pytest.mark.long
@settings(max_examples=8)
@given(
    letters=st.lists(st.text("eeeddfoootncupOD", max_size=14), min_size=3, max_size=6),
    ends=st.booleans(),
    threshold=st.integers(2, 4),
    seed=st.integers(0, 99),
    built=st.integers(0, 4),
)
def test_stream_and_tables_name_the_same_loops(
    tmp_path_factory: pytest.TempPathFactory,
    letters: list[str],
    ends: bool,
    threshold: int,
    seed: int,
    built: int,
) -> None:
    lake = tmp_path_factory.mktemp("loops") / "lake"
    histories = [story(text + "E" * ends, f"s{n}") for n, text in enumerate(letters)]
    expected = set()
    for h in histories:
        expected |= detected(h.events, Thresholds(failures=threshold))
    # To tables it is all one in what order, in which parts and how often events come.
    events = [event for h in histories for event in h.events]
    rng = random.Random(seed)
    pieces = [events[n::3] for n in range(3)]
    pieces.append(rng.sample(events, len(events) // 2))
    # Tables that are there are brought up to date by whoever asks.
    for number, piece in enumerate(pieces):
        write(lake, rng.sample(piece, len(piece)), "parquet", tables=False)
        if number == built and piece:
            update(lake)
    assert stored(loops(lake, threshold)) == expected
    update(lake, loop_failures=threshold)
    assert stored(loops(lake)) == expected
    assert stored(loops(lake, threshold)) == expected


@pytest.mark.long
def test_samples_have_the_loops_that_the_stream_names(tmp_path: Path) -> None:
    for threshold in (2, 3):
        out = tmp_path / str(threshold)
        job = Job([str(SAMPLES)], [f"parquet:{out}"], loop_threshold=threshold)
        execute(job)
        with open_stream(out) as stream:
            named = stream.connection.execute(
                "select distinct session_id, action_fingerprint from events "
                "where event_type = 'Retry.Loop.Detected' and derived"
            ).fetchall()
        rows = loops(out, threshold)
        assert {(row["session_id"], row["fingerprint"]) for row in rows} == set(named)
    assert rows
