"""Kept records are sent again; what is refused again stays, what a crash interrupts too."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hookstream.delivery import dead_letters
from hookstream.delivery.replay import files_in, replay
from hookstream.sinks import Sink, SinkError, open_sink

from .stage import calls_in, deliver_once, delivery, faulty, jsonl, letters_in, many, read_lines


@pytest.fixture
def dead(tmp_path: Path) -> Path:
    """A file with the letters of calls 3 and, from the next batch, none."""
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"".join(many(40)))
    given = delivery(tmp_path, [str(log)], [faulty("reject", tmp_path / "first")])
    deliver_once(given)
    (path,) = files_in(given.folder)
    assert len(letters_in(path)) == 40
    return path


def sent(folder: Path) -> list[int]:
    return calls_in(read_lines(folder / "agent-hooks.jsonl"))


def test_everything_is_sent_in_order_and_the_file_goes(tmp_path: Path, dead: Path) -> None:
    expected = letters_in(dead)
    done = replay([dead], lambda uri, standard: open_sink(f"jsonl:{tmp_path / 'again'}"))
    assert (done.sent, done.kept) == (40, 0)
    assert read_lines(tmp_path / "again" / "agent-hooks.jsonl") == expected
    assert not list(dead.parent.iterdir())


def test_what_is_refused_again_stays(tmp_path: Path, dead: Path) -> None:
    done = replay(
        [dead], lambda uri, standard: open_sink(f"faulty:reject=5:jsonl:{tmp_path / 'again'}")
    )
    assert (done.sent, done.kept) == (39, 1)
    assert calls_in(letters_in(dead)) == [5]


def test_a_sink_that_cannot_be_opened_costs_nothing(tmp_path: Path, dead: Path) -> None:
    before = letters_in(dead)

    def fail(uri: str | None, standard: str) -> object:
        raise SinkError("not now")

    with pytest.raises(SinkError):
        replay([dead], fail)  # type: ignore[arg-type]
    assert letters_in(dead) == before


def test_a_flush_that_fails_keeps_the_batch(tmp_path: Path, dead: Path) -> None:
    done = replay(
        [dead], lambda uri, standard: open_sink(f"faulty:flush:jsonl:{tmp_path / 'again'}")
    )
    assert (done.sent, done.kept) == (0, 40)
    assert len(letters_in(dead)) == 40


def test_what_comes_while_it_is_sent_is_not_lost(tmp_path: Path, dead: Path) -> None:
    """A follower goes on writing letters; the file goes only when none is left."""
    more = [one.row for one in dead_letters.read(dead)][:1]

    def open_and_add(uri: str | None, standard: str) -> Sink:
        dead_letters.append(dead, more)
        return open_sink(f"jsonl:{tmp_path / 'again'}")

    done = replay([dead], open_and_add)
    assert (done.sent, done.kept) == (41, 0)
    assert sorted(set(sent(tmp_path / "again"))) == list(range(40))
    assert not dead.exists()
    dead_letters.append(dead, more)
    assert len(letters_in(dead)) == 1


def test_letters_of_an_earlier_version_are_sent(tmp_path: Path, dead: Path) -> None:
    old = tmp_path / "old.jsonl"
    head = {"schema": "hookstream/dead-letter/1", "sink": "jsonl:x", "standard": "both"}
    head |= {"reason": "no", "at": "2026-03-01T12:00:00Z"}
    lines = [
        json.dumps({**head, "event": one}).replace(', "event": ', ',"event":')
        for one in letters_in(dead)
    ]
    old.write_text("\n".join([*lines, "no record"]) + "\n")
    done = replay([old], lambda uri, standard: open_sink(f"jsonl:{tmp_path / 'again'}"))
    assert (done.sent, done.kept, done.unreadable) == (40, 0, 1)
    assert old.read_bytes() == b"no record\n"
    assert sent(tmp_path / "again") == list(range(40))


def test_plain_lines_of_a_stream_can_be_sent(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"".join(many(10)))
    deliver_once(delivery(tmp_path, [str(log)], [jsonl(tmp_path / "out")]))
    copy = tmp_path / "copy.jsonl"
    copy.write_bytes((tmp_path / "out" / "agent-hooks.jsonl").read_bytes())
    done = replay([copy], lambda uri, standard: open_sink(f"jsonl:{tmp_path / 'again'}"))
    assert done.sent == 10
    for name in ("agent-hooks.jsonl", "aarts.jsonl"):
        assert (tmp_path / "again" / name).read_bytes() == (tmp_path / "out" / name).read_bytes()
