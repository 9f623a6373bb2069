"""Copied and truncated at the worst moments: between two looks, and while the file is read."""

from __future__ import annotations

import gzip
import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hookstream.delivery.follow import Follower
from hookstream.delivery.spool_reader import SpoolReader
from hookstream.delivery.tail import Line, Tail

from .stage import calls_in, delivery, many


class Log:
    """A followed file, looked at only when the test says so."""

    def __init__(self, tmp: Path) -> None:
        self.path = tmp / "agent.jsonl"
        self.copies = self.next = 0
        self.path.touch()
        self.follower = Follower(delivery(tmp, [str(self.path)]))
        self.reading = SpoolReader(self.follower.spool, self.follower.senders[0].cursor.done)
        self.arrived: list[int] = []
        self.look()

    def write(self, count: int = 5) -> None:
        with self.path.open("ab") as file:
            file.write(b"".join(many(count, self.next)))
        self.next += count

    def copy(self) -> Path:
        self.copies += 1
        return Path(shutil.copyfile(self.path, f"{self.path}.{self.copies}"))

    def cut_off(self) -> None:
        os.truncate(self.path, 0)

    def look(self, names: bool = True) -> None:
        """Reads what there is; looks at the names before, or only where something is odd."""
        self.follower.reader._scan_at = 0.0 if names else float("inf")
        self.follower.reader.step()
        while items := self.reading.read(1000, 1 << 20):
            self.arrived += calls_in([json.loads(one.line) for one in items])

    def end(self) -> None:
        self.follower.reader.close()
        self.follower.senders[0]._drop()
        self.follower._lock.close()

    def is_whole(self) -> None:
        self.look(names=False)
        for _ in range(3):
            self.look()
        assert self.arrived == list(range(self.next))


@pytest.fixture
def log(tmp_path: Path) -> Iterator[Log]:
    log = Log(tmp_path)
    yield log
    log.end()


def test_twice_between_two_looks(log: Log) -> None:
    log.write()
    log.look()
    for _ in range(2):
        log.write()
        log.copy()
        log.cut_off()
    log.write(3)
    log.is_whole()


def test_again_before_its_new_beginning_was_read(log: Log) -> None:
    log.write()
    log.look()
    log.copy()
    log.cut_off()
    log.look()
    log.write(4)
    log.copy()
    log.cut_off()
    log.write(3)
    log.is_whole()


@pytest.mark.parametrize("more", [0, 4])
@pytest.mark.parametrize("read", [True, False], ids=["read", "unread"])
def test_a_look_between_copy_and_truncation(log: Log, read: bool, more: int) -> None:
    log.write(6)
    if read:
        log.look()
    log.write(more)
    log.copy()
    log.look()
    log.cut_off()
    log.write(3)
    log.is_whole()


@pytest.mark.parametrize("share", [0.0, 0.3])
def test_a_look_at_half_a_copy(log: Log, share: float) -> None:
    log.write(20)
    log.look()
    log.write(2)
    data = log.path.read_bytes()
    copy = Path(f"{log.path}.1")
    copy.write_bytes(data[: int(len(data) * share)])
    log.look()
    log.look()
    copy.write_bytes(data)
    log.cut_off()
    log.write(3)
    log.is_whole()


def test_a_look_at_half_a_copy_of_what_nobody_has_read(log: Log) -> None:
    log.write()
    log.look()
    log.copy()
    log.cut_off()
    log.look()
    log.write(20)
    data = log.path.read_bytes()
    copy = Path(f"{log.path}.2")
    copy.write_bytes(data[: len(data) // 3])
    log.follower.reader.discovery.scan()
    copy.write_bytes(data)
    log.cut_off()
    log.write(3)
    log.is_whole()


@pytest.mark.parametrize("share", [0.0, 0.5])
def test_a_look_while_it_is_compressed(log: Log, share: float) -> None:
    log.write(300)
    log.look()
    old = log.path.rename(f"{log.path}.1")
    log.write(3)
    packed = Path(f"{old}.gz")
    data = gzip.compress(old.read_bytes())
    packed.write_bytes(data[: int(len(data) * share)])
    log.look()
    log.look()
    packed.write_bytes(data)
    log.look()
    old.unlink()
    log.write(2)
    log.is_whole()


def at_a_chunk(log: Log, monkeypatch: pytest.MonkeyPatch, act: Callable[[], None]) -> None:
    """Acts once when lines have been read that are not taken yet."""
    real, done = Tail.chunks, []

    def chunks(tail: Tail) -> Iterator[list[Line]]:
        for lines in real(tail):
            if not done:
                done.append(True)
                act()
            yield lines

    monkeypatch.setattr(Tail, "chunks", chunks)


def renewed(log: Log) -> None:
    """The file has been cut off and nothing was read since."""
    log.write()
    log.look()
    log.copy()
    log.cut_off()
    log.look()
    log.write(4)


def test_copied_while_its_new_beginning_is_read(log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
    renewed(log)
    at_a_chunk(log, monkeypatch, log.copy)
    log.look()
    log.cut_off()
    log.write(3)
    log.is_whole()


def test_copied_and_cut_off_while_its_new_beginning_is_read(
    log: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    renewed(log)

    def act() -> None:
        log.write(2)
        log.copy()
        log.cut_off()
        log.write(3)

    at_a_chunk(log, monkeypatch, act)
    log.is_whole()


def test_the_original_goes_while_nobody_looks_and_its_copy_was_seen(tmp_path: Path) -> None:
    log = Log(tmp_path)
    log.write()
    log.look()
    log.write(2)
    log.copy()
    log.follower.reader.discovery.scan()  # the copy is known, what was written last not yet read
    log.follower.reader._dirty = True
    log.follower.reader.commit()
    log.end()
    log.path.unlink()
    log.follower = Follower(delivery(tmp_path, [str(log.path)]))
    log.reading = SpoolReader(log.follower.spool, log.reading.at)
    log.is_whole()
    log.end()
