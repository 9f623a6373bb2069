"""`parquet:` has every row once, wherever its follower dies and whatever it sends again."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import duckdb
import pytest

from hookstream.delivery.cursor import Cursor
from hookstream.delivery.follow import Plan
from hookstream.lake.compaction import compact
from hookstream.sinks import open_sink

from .session import mixed
from .stage import Following, delivery, many, until
from .test_crash import slowly, start, straight


def ids(lake: Path) -> list[str]:
    source = f"read_parquet('{lake}/**/*.parquet')"
    return [row[0] for row in duckdb.sql(f"select event_id from {source}").fetchall()]


@pytest.mark.long
def test_kill_nine_of_a_follower_leaves_every_row_once(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.touch()
    writing = slowly(log, mixed(6, 40), 6)
    for number in range(12):
        process = start(tmp_path, log, "--lake")
        try:
            process.wait(random.uniform(0.4, 1.0))
            raise AssertionError(process.communicate()[1])
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
        if number == 6 and list(tmp_path.rglob("lake/**/*.parquet")):
            compact(tmp_path / "lake")
    writing.join()
    process = start(tmp_path, log, "--lake", "--once")
    assert process.communicate(timeout=60)[1] == b""
    found = ids(tmp_path / "lake")
    assert sorted(found) == sorted(straight(tmp_path, log))


def lake(tmp: Path) -> Plan:
    uri = f"parquet:{tmp / 'lake'}"
    return Plan(uri, lambda: open_sink(uri), flush_s=0.1)


@pytest.mark.parametrize("lost", ["cursor", "everything"])
def test_rows_that_are_sent_again_are_not_written_again(tmp_path: Path, lost: str) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"".join(many(700)))
    for _ in range(2):
        run = Following(delivery(tmp_path, [str(log)], [lake(tmp_path)]))
        until(lambda run=run: run.follower.senders[0].is_done and run.follower.spool.end.offset)
        run.stop()
        names = ["sinks"] if lost == "cursor" else ["sinks", "spool", "state.db"]
        for name in names:
            (tmp_path / "state" / name).rename(tmp_path / "state" / f"{name}.{random.random()}")
    found = ids(tmp_path / "lake")
    assert len(found) == len(set(found)) == 700


def test_another_stream_with_the_same_places_loses_nothing(tmp_path: Path) -> None:
    for number in range(2):
        log = tmp_path / f"{number}.jsonl"
        log.write_bytes(b"".join(many(300, 1000 * number)))
        place = tmp_path / str(number)
        place.mkdir()
        run = Following(delivery(place, [str(log)], [lake(tmp_path)]))
        until(lambda run=run: run.follower.senders[0].is_done and run.follower.spool.end.offset)
        run.stop()
    found = ids(tmp_path / "lake")
    assert len(found) == len(set(found)) == 600


@pytest.mark.long
def test_a_single_delivery_of_history_makes_large_parts(tmp_path: Path) -> None:
    """With `once` parts are cut by size, not by the little time there is."""
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"".join(many(6_000)))
    uri = f"parquet:{tmp_path / 'lake'}"
    plan = Plan(uri, lambda: open_sink(uri))
    run = Following(delivery(tmp_path, [str(log)], [plan], once=True))
    run.thread.join(60)
    assert len(ids(tmp_path / "lake")) == 6_000
    assert len(list((tmp_path / "lake").rglob("*.parquet"))) == 1


def test_a_cursor_is_the_last_thing_that_moves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"".join(many(100)))

    def full(cursor: Cursor) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Cursor, "save", full)
        run = Following(delivery(tmp_path, [str(log)], [lake(tmp_path)]))
        until(lambda: (tmp_path / "lake").exists() and list(tmp_path.rglob("lake/**/*.parquet")))
        run.stop()
    run = Following(delivery(tmp_path, [str(log)], [lake(tmp_path)]))
    until(lambda: run.follower.senders[0].is_done)
    run.stop()
    assert sorted(ids(tmp_path / "lake")) == sorted(straight(tmp_path, log))
