"""No line is lost and none comes twice, whatever rotation does to a followed file."""

from __future__ import annotations

import gzip
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from hookstream.delivery.relatives import original_names

from .stage import before, calls_in, delivery, following, many, read_lines, until

pytestmark = pytest.mark.long


class Log:
    """A followed file and what came out of it."""

    def __init__(self, tmp: Path) -> None:
        self.tmp = tmp
        self.folder = tmp / "logs"
        self.folder.mkdir()
        self.path = self.folder / "agent.jsonl"
        self.next = 0

    def write(self, count: int = 5, path: Path | None = None) -> None:
        with (path or self.path).open("ab") as file:
            file.write(b"".join(many(count, self.next)))
        self.next += count

    @property
    def arrived(self) -> list[int]:
        return calls_in(read_lines(self.tmp / "out" / "agent-hooks.jsonl"))

    def arrives(self) -> None:
        """Every line written so far has arrived, once, in order."""
        until(lambda: len(self.arrived) >= self.next)
        assert self.arrived == list(range(self.next))


def renamed(log: Log) -> None:
    log.path.rename(log.folder / "agent.jsonl.1")


def numbered(log: Log) -> None:
    log.path.rename(log.folder / "agent.000001.jsonl")


def dated(log: Log) -> None:
    log.path.rename(log.folder / "agent.jsonl-20260301")


def copied_and_truncated(log: Log) -> None:
    shutil.copyfile(log.path, log.folder / "agent.jsonl.1")
    os.truncate(log.path, 0)


def compressed(log: Log) -> None:
    data = log.path.read_bytes()
    with gzip.open(log.folder / "agent.jsonl.1.gz", "wb") as file:
        file.write(data)
    log.path.unlink()


def twice_renamed(log: Log) -> None:
    log.path.rename(log.folder / "agent.jsonl.2")
    log.write(4, log.folder / "agent.jsonl.1")


ROTATIONS = [renamed, numbered, dated, copied_and_truncated, compressed, twice_renamed]
rotations = pytest.mark.parametrize("rotate", ROTATIONS, ids=lambda one: one.__name__)
sources = pytest.mark.parametrize("source", ["file", "folder"])


def of(log: Log, source: str) -> list[str]:
    return [str(log.path if source == "file" else log.folder)]


@rotations
@sources
def test_rotation_while_following(
    tmp_path: Path, rotate: Callable[[Log], None], source: str
) -> None:
    log = Log(tmp_path)
    log.write()
    with following(delivery(tmp_path, of(log, source))):
        log.arrives()
        log.write()
        if rotate is compressed:
            log.arrives()  # what is deleted before anybody opens it is gone
        rotate(log)
        log.write(7)
        log.arrives()


@rotations
@sources
def test_rotation_while_nobody_looks(
    tmp_path: Path, rotate: Callable[[Log], None], source: str
) -> None:
    log = Log(tmp_path)
    log.write()
    with following(delivery(tmp_path, of(log, source))):
        log.arrives()
    log.write(6)
    rotate(log)
    log.write(7)
    with following(delivery(tmp_path, of(log, source))):
        log.arrives()


def test_the_writer_goes_on_under_the_old_name(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.write()
    with following(delivery(tmp_path, [str(log.path)])), log.path.open("ab") as old:
        log.arrives()
        renamed(log)
        old.write(b"".join(many(3, log.next)))
        old.flush()
        log.next += 3
        log.arrives()
        log.write(2)
        log.arrives()


def test_a_deleted_file_is_read_to_its_end_and_a_new_one_is_another(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.write()
    with following(delivery(tmp_path, [str(log.path)])), log.path.open("ab") as old:
        log.arrives()
        log.path.unlink()
        old.write(b"".join(many(3, log.next)))
        old.flush()
        log.next += 3
        log.arrives()
        log.write(4)
        log.arrives()


def test_cut_off_and_longer_than_before(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.write(3)
    with following(delivery(tmp_path, [str(log.path)])):
        log.arrives()
    log.path.write_bytes(b"")
    log.write(9)
    with following(delivery(tmp_path, [str(log.path)])):
        log.arrives()


def test_siblings_that_were_there_before_are_not_asked_for(tmp_path: Path) -> None:
    log = Log(tmp_path)
    (log.folder / "agent.jsonl.1").write_bytes(before(999))
    log.write()
    with following(delivery(tmp_path, [str(log.path)])):
        log.arrives()


def test_new_files_and_files_that_come_later(tmp_path: Path) -> None:
    log = Log(tmp_path)
    with following(delivery(tmp_path, [str(log.folder), str(tmp_path / "later.jsonl")])):
        log.write()
        log.arrives()
        log.write(5, log.folder / "other.ndjson")
        log.arrives()
        log.write(5, tmp_path / "later.jsonl")
        log.arrives()


def test_half_a_line_waits(tmp_path: Path) -> None:
    log = Log(tmp_path)
    line = before(0)
    log.path.write_bytes(line[:40])
    with following(delivery(tmp_path, [str(log.path)])) as run:
        until(lambda: run.follower.reader.discovery.tails)
        with log.path.open("ab") as file:
            file.write(line[40:-3])
            file.flush()
            until(lambda: run.follower.reader.discovery.tails[0].waits)
            assert run.follower.reader.totals["read"] == 0
            file.write(line[-3:])
        log.next = 1
        log.arrives()


def test_half_a_line_that_is_taken_back_is_never_seen(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.write(2)
    size = log.path.stat().st_size
    with following(delivery(tmp_path, [str(log.path)])) as run:
        log.arrives()
        with log.path.open("ab") as file:
            file.write(b'{"torn": "')
        until(lambda: run.follower.reader.discovery.tails[0].waits)
        os.truncate(log.path, size)
        log.write(3)
        log.arrives()
        assert run.follower.reader.totals["rejected"] == 0


def test_a_whole_object_without_its_newline_is_taken_once_the_file_rests(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.path.write_bytes(before(0)[:-1])
    with following(delivery(tmp_path, [str(log.path)])):
        log.next = 1
        log.arrives()
        with log.path.open("ab") as file:
            file.write(b"\n")
        log.write(2)
        log.arrives()


def test_an_overlong_line_is_a_rejection_and_what_follows_arrives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hookstream.delivery.tail.LINE_BYTES", 300_000)
    log = Log(tmp_path)
    log.write(1)
    with log.path.open("ab") as file:
        file.write(b"x" * 1_000_000 + b"\n")
    log.write(2)
    with following(delivery(tmp_path, [str(log.path)])):
        log.arrives()
        (refused,) = read_lines(tmp_path / "out" / "rejected.jsonl")
        assert refused["reason"] == "too_long"
        assert refused["length"] == 1_000_000


@pytest.mark.parametrize(
    ("name", "base"),
    [
        ("a.jsonl.1", "a.jsonl"),
        ("a.jsonl.12.gz", "a.jsonl"),
        ("a.jsonl-20260301", "a.jsonl"),
        ("a.jsonl.2026-03-01T10:00:00Z.zst", "a.jsonl"),
        ("a.000001.jsonl", "a.jsonl"),
        ("a-2026-03-01.jsonl.gz", "a.jsonl"),
        ("a.jsonl.gz", "a.jsonl"),
    ],
)
def test_names_of_rotated_files(name: str, base: str) -> None:
    assert base in original_names(name)


def test_other_names_are_no_rotated_files() -> None:
    assert not original_names("a.jsonl")
    assert not original_names("a-b.jsonl")
    assert "a.jsonl" not in original_names("ab.jsonl.1")


@pytest.mark.long
def test_a_packed_file_that_breaks_off_is_said_once_and_read_on_when_it_is_whole(
    tmp_path: Path,
) -> None:
    log = Log(tmp_path)
    data = gzip.compress(b"".join(many(4000)))
    packed = log.folder / "old.jsonl.gz"
    packed.write_bytes(data[: len(data) // 2])
    with following(delivery(tmp_path, [str(log.folder)])) as run:
        rejected = tmp_path / "out" / "rejected.jsonl"
        until(lambda: read_lines(rejected))
        first = len(log.arrived)
        assert 0 < first < 4000
        # Read again only when it has changed.
        (tail,) = run.follower.reader.discovery.tails
        assert tail.seen is not None
        packed.write_bytes(data)
        log.next = 4000
        log.arrives()
        assert [one["reason"] for one in read_lines(rejected)] == ["unreadable: EOFError"]
