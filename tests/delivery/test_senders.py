"""Every sink gets every record at its own pace, whatever the far end answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hookstream.core.records import read_record
from hookstream.core.shown import shown
from hookstream.delivery import attempt as attempts
from hookstream.delivery import dead_letters, state
from hookstream.delivery.attempt import ASKED_S, MOST_S, Backoff, attempt
from hookstream.delivery.follow import Plan
from hookstream.delivery.job import make_pipeline
from hookstream.sinks import open_sink
from hookstream.sinks.base import DELIVERED, NEVER, Receipt, SinkError, retry
from hookstream.standards.rendered import Rendered

from .far import Answer, Far, serving
from .stage import (
    Within,
    calls_in,
    deliver_once,
    delivery,
    faulty,
    following,
    jsonl,
    letters_in,
    many,
    read_lines,
    until,
)

pytestmark = pytest.mark.long


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same waits, a tenth as long."""
    monkeypatch.setattr(attempts, "FIRST_S", 0.02)
    monkeypatch.setattr(Backoff.__init__, "__defaults__", (0.02, MOST_S))


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"".join(many(300)))
    return path


def arrived(folder: Path) -> list[int]:
    return calls_in(read_lines(folder / "agent-hooks.jsonl"))


ALL = list(range(300))


@pytest.mark.parametrize(
    "script", ["retry=0,retry=0.01", "short=7,short=0,short=3", "flush", "slow=0.2", "ok"]
)
def test_what_a_sink_does_not_take_comes_again_in_order(
    tmp_path: Path, log: Path, script: str
) -> None:
    deliver_once(delivery(tmp_path, [str(log)], [faulty(script, tmp_path / "out")]))
    assert arrived(tmp_path / "out") == ALL


def test_an_answer_that_is_lost_gives_duplicates_that_have_the_same_id(
    tmp_path: Path, log: Path
) -> None:
    deliver_once(delivery(tmp_path, [str(log)], [faulty("lost", tmp_path / "out")]))
    lines = read_lines(tmp_path / "out" / "agent-hooks.jsonl")
    assert len(lines) > 300
    assert {line["event_id"]: 0 for line in lines}.keys() == {
        line["event_id"] for line in lines[-300:]
    }


def test_one_refused_record_is_a_dead_letter_and_the_rest_arrives(
    tmp_path: Path, log: Path
) -> None:
    given = delivery(tmp_path, [str(log)], [faulty("reject=3", tmp_path / "out")])
    deliver_once(given)
    assert arrived(tmp_path / "out") == [n for n in ALL if n != 3]
    (path,) = (given.folder / "dead").iterdir()
    (letter,) = dead_letters.read(path)
    assert (letter.row.sink, letter.row.reason) == (given.plans[0].uri, "scripted")
    assert calls_in(letters_in(path)) == [3]
    assert path.stat().st_mode & 0o077 == 0
    (shown,) = state.read(given.folder)["sinks"].values()
    assert (shown["delivered"], shown["dead"], shown["undelivered"]) == (299, 1, 0)


class Raising:
    """A sink with a fault of its own: it raises at certain calls."""

    uri = "raising:"

    def __init__(self, poison: set[int]) -> None:
        self.poison = poison
        self.taken: list[int] = []

    def write(self, batch: list[Rendered]) -> list[Receipt]:
        numbers = [int(item.event.facts["call_id"][6:]) for item in batch]
        if self.poison & set(numbers):
            raise RuntimeError("a bug")
        self.taken += numbers
        return [DELIVERED] * len(batch)

    def reject(self, lines: list[bytes]) -> None: ...

    def flush(self) -> None: ...

    def close(self) -> None: ...


def test_the_record_at_which_a_sink_raises_is_found_by_halving(tmp_path: Path, log: Path) -> None:
    sink = Raising({0, 17, 18, 299})
    given = delivery(tmp_path, [str(log)], [Plan("raising:", lambda: sink)])
    deliver_once(given)
    assert sink.taken == [n for n in ALL if n not in sink.poison]
    (path,) = (given.folder / "dead").iterdir()
    assert calls_in(letters_in(path)) == sorted(sink.poison)


def test_a_sink_that_always_raises_refuses_nothing(tmp_path: Path, log: Path) -> None:
    sink = Raising(set(ALL))
    given = delivery(tmp_path, [str(log)], [Plan("raising:", lambda: sink), jsonl(tmp_path / "o")])
    deliver_once(given)
    assert arrived(tmp_path / "o") == ALL
    assert not list((given.folder / "dead").iterdir())
    sink.poison = set()
    deliver_once(given)
    assert sink.taken == ALL


def test_a_sink_that_takes_no_more_ends_and_holds_nobody(tmp_path: Path, log: Path) -> None:
    class Gone(Raising):
        def write(self, batch: list[Rendered]) -> list[Receipt]:
            return [retry("its reader has gone", NEVER)] * len(batch)

    plans = [Plan("gone:", lambda: Gone(set())), jsonl(tmp_path / "out")]
    with following(delivery(tmp_path, [str(log)], plans)) as run:
        until(lambda: arrived(tmp_path / "out") == ALL)
        assert [sender.ended for sender in run.follower.senders] == [True, False]
        assert run.stop().waiting == {"gone:": 300}


def test_a_dead_sink_delays_no_other_and_has_everything_once_it_lives(
    tmp_path: Path, log: Path, within: Within
) -> None:
    alive = False
    with serving(Far(lambda ids: 200 if alive else "stall")) as far:
        plans = [far.plan, jsonl(tmp_path / "a"), jsonl(tmp_path / "b")]
        given = delivery(tmp_path, [str(log)], plans)
        with following(given) as run:
            with within(3):
                until(lambda: arrived(tmp_path / "a") == ALL == arrived(tmp_path / "b"))
            for n in range(300, 310):
                with within(1.0):
                    with log.open("ab") as file:
                        file.write(b"".join(many(1, n)))
                    until(lambda: len(arrived(tmp_path / "a")) == n + 1)  # noqa: B023
            until(lambda: state.read(given.folder)["sinks"][shown(far.plan.uri)].get("last_error"))
            sink = state.read(given.folder)["sinks"][shown(far.plan.uri)]
            assert sink["undelivered"] == 310
            assert sink["oldest_undelivered_s"] > 0
            assert state.read(given.folder)["running"]
            alive = True
            until(lambda: len(set(far.ids)) == 310)
            until(lambda: run.follower.senders[0].is_done)
        assert not state.read(given.folder)["running"]


def failing(first: list[Answer]) -> Any:
    script = list(first)
    return lambda ids: script.pop(0) if script else 200


@pytest.mark.parametrize(
    "script",
    [
        [500, 503, 502],
        [(429, "0"), (503, "0")],
        [(429, "-5"), (429, "soon"), (503, "Wed, 21 Oct 1015 07:28:00 GMT")],
        ["reset", "reset"],
        ["half"],
        ["stall"],
        ["taken", "taken"],
    ],
    ids=str,
)
def test_far_ends_that_misbehave(tmp_path: Path, log: Path, script: list[Answer]) -> None:
    with serving(Far(failing(script))) as far:
        plans = [far.plan, jsonl(tmp_path / "out")]
        with following(delivery(tmp_path, [str(log)], plans)):
            until(lambda: len(set(far.ids)) == 300)
    order = list(dict.fromkeys(far.ids))
    assert order == [one["event_id"] for one in read_lines(tmp_path / "out" / "agent-hooks.jsonl")]
    assert all(len(bodies) == 1 for bodies in far.bodies.values())
    if "taken" not in script:
        assert len(far.ids) == 300


def test_an_absurd_retry_after_is_bounded() -> None:
    for asked in (1e9, 10.0**300, float("nan"), -1e9):
        assert Backoff().wait(asked) <= max(ASKED_S, MOST_S)
    assert Backoff().wait(float("inf")) == NEVER
    assert Backoff().wait(20.0) >= 20.0


def test_waits_grow_to_their_cap_and_differ() -> None:
    backoff = Backoff(0.2, 60.0)
    waits = [backoff.wait() for _ in range(2000)]
    assert waits[0] <= 0.2
    assert max(waits) <= 60.0
    assert min(waits[20:]) >= 30.0
    assert len(set(waits[20:])) > 1000


def test_one_poison_record_of_a_far_end(tmp_path: Path, log: Path) -> None:
    poison: list[str] = []

    def answer(ids: list[str]) -> Answer:
        poison[:] = poison or [ids[41]]
        return 400 if poison[0] in ids else 200

    with serving(Far(answer)) as far:
        given = delivery(tmp_path, [str(log)], [far.plan])
        with following(given):
            until(lambda: len(far.ids) == 299)
        (path,) = (given.folder / "dead").iterdir()
        assert [one["event_id"] for one in letters_in(path)] == poison


def test_a_full_spool_makes_the_reader_wait_and_loses_nothing(
    tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hookstream.delivery.tail.CHUNK", 8192)
    alive = False
    sizes = []
    with serving(Far(lambda ids: 200 if alive else 503)) as far:
        given = delivery(
            tmp_path,
            [str(log)],
            [far.plan],
            spool_bytes=60_000,
            segment_bytes=10_000,
            commit_records=10,
        )
        with following(given) as run:
            until(lambda: run.follower.reader.trouble)
            sizes.append(state.read(given.folder)["spool_bytes"])
            alive = True
            until(lambda: len(set(far.ids)) == 300)
    assert sizes[0] < 120_000


def test_attempt_counts_what_became_of_each_record(tmp_path: Path) -> None:

    from .stage import job_in

    pipeline = make_pipeline(job_in(tmp_path))
    items = []
    for n, line in enumerate(many(6)):
        taken: Any = pipeline.take(read_record(line, "s", n))  # type: ignore[arg-type]
        items += [Rendered(event) for event in taken]
    made = attempt(open_sink(f"faulty:short=4:jsonl:{tmp_path / 'o'}"), items)
    assert (made.delivered, len(made.again), len(made.dead)) == (4, 2, 0)
    assert made.again == items[4:]


def test_a_sink_that_comes_later_begins_where_the_spool_does(tmp_path: Path, log: Path) -> None:
    deliver_once(delivery(tmp_path, [str(log)], [jsonl(tmp_path / "a")]))
    deliver_once(delivery(tmp_path, [str(log)], [jsonl(tmp_path / "a"), jsonl(tmp_path / "b")]))
    assert arrived(tmp_path / "a") == arrived(tmp_path / "b") == ALL


class Unkept:
    """A sink that takes all and keeps nothing: no flush succeeds."""

    uri = "unkept:"

    def write(self, batch: list[Rendered]) -> list[Receipt]:
        return [DELIVERED] * len(batch)

    def reject(self, lines: list[bytes]) -> None: ...

    def flush(self) -> None:
        raise SinkError("not acknowledged")

    def close(self) -> None: ...


def test_a_record_counts_once_the_sink_keeps_it(tmp_path: Path, log: Path) -> None:
    given = delivery(tmp_path, [str(log)], [Plan("unkept:", Unkept)])
    with following(given) as run:
        (sender,) = run.follower.senders
        until(lambda: sender.cursor.said.get("failures"))  # opened anew, and all sent again
    assert sender.cursor.counts["delivered"] == 0
    assert state.read(given.folder)["sinks"]["unkept:"]["delivered"] == 0
    assert state.read(given.folder)["sinks"]["unkept:"]["undelivered"] == 300
