"""What a killed writer leaves unsealed is no sign of tampering, at whatever step it was killed."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from hookstream.lake.compaction import compact
from hookstream.seal.lines import SealedFile
from hookstream.seal.log import SealLog
from hookstream.seal.parts import SealedLake
from hookstream.seal.sealed import Sealed
from hookstream.seal.verify import verify
from hookstream.sinks import open_sink

from .stage import Stage


class Killed(BaseException):
    """The process ends here."""


def killed(*_: object) -> None:
    raise Killed


def abandon(sink: Sealed) -> None:
    """End the process without sealing what has been flushed."""
    sink.inner.close()
    for stream in sink._streams:
        stream.release()
    time.sleep(0.02)  # a later file has a later time


def leave_unsealed(stage: Stage, count: int = 5) -> None:
    sink = stage.open()
    sink.write(stage.batch(count))
    sink.inner.flush()
    abandon(sink)


def unsealed(stage: Stage) -> int:
    made = verify(stage.folder, against=stage.second, now=stage.clock.now)
    return sum(one.unsealed for one in made)


@pytest.fixture
def lake(tmp_path: Path) -> Stage:
    stage = Stage(tmp_path, "parquet", tables=False)
    stage.write(batches=2)
    return stage


@pytest.mark.parametrize("step", ["_set_aside", "seal"])
def test_a_start_that_is_killed_before_its_first_checkpoint(
    lake: Stage, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = set()
    for _ in range(2):
        sealed = set(lake.folder.rglob("*.parquet"))
        leave_unsealed(lake)
        left |= {path.read_bytes() for path in set(lake.folder.rglob("*.parquet")) - sealed}
        assert unsealed(lake) == 5
        with monkeypatch.context() as patch:
            patch.setattr(SealedLake, step, killed)
            with pytest.raises(Killed):
                lake.open()
        assert unsealed(lake) == (5 if step == "_set_aside" else 0)
        lake.open().close()
        assert unsealed(lake) == 0
    assert {path.read_bytes() for path in (lake.log / "cut").iterdir()} == left


@pytest.mark.parametrize("step", ["_keep", "_state_cut", "checkpoint"])
def test_lines_are_set_aside_by_a_start_that_is_killed(
    tmp_path: Path, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = Stage(tmp_path)
    stage.write()
    for left in range(1, 3):
        with stage.data.open("ab") as file:
            file.write(b'{"left":%d}\n' % left)
        with monkeypatch.context() as patch:
            patch.setattr(SealLog if step == "checkpoint" else SealedFile, step, killed)
            with pytest.raises(Killed):
                stage.open()
        assert unsealed(stage) == (1 if step == "_keep" else 0)
        stage.open().close()
        assert unsealed(stage) == 0
    kept = sorted(path.read_bytes() for path in stage.log.glob("cut-*"))
    assert kept == [b'{"left":1}\n', b'{"left":2}\n']


def test_an_epoch_ends_while_a_part_waits_for_its_flush(tmp_path: Path) -> None:
    stage = Stage(tmp_path, "parquet", tables=False, group_rows=10)
    stage.write(batches=1)
    sink = stage.open()
    sink.write(stage.batch(5))
    sink.flush()
    for _ in range(64):  # the sink sorts rows into parts so many batches at a time
        sink.write(stage.batch(1))
    time.sleep(0.02)
    stage.clock.now += 400
    sink.tick()
    sink.inner.flush()
    abandon(sink)
    assert unsealed(stage) == 64


def test_an_epoch_ends_after_a_flush_that_broke_off(
    lake: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    sink = lake.open()
    sink.write(lake.batch(5))
    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(SealedLake, "seal", killed)
        sink.flush()
    time.sleep(0.02)
    lake.clock.now += 400
    sink.tick()
    abandon(sink)
    assert unsealed(lake) == 0


def test_a_compaction_before_a_checkpoint_and_a_part_behind_it(lake: Stage) -> None:
    compact(lake.folder)
    time.sleep(0.02)
    (lake.log / "checkpoint").touch()
    time.sleep(0.02)
    plain = open_sink(lake.uri, standard=lake.standard, tables=False)
    plain.write(lake.batch(5))
    plain.close()
    assert unsealed(lake) == 5
