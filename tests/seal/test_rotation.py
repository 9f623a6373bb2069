"""Rotation of a sealed file: whatever its lines are called since, they are found."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from hookstream.seal.chain import BrokenSeal
from hookstream.seal.lines import open_to_write
from hookstream.seal.segments import lines
from hookstream.seal.verify import verify

from .stage import NAME, Stage


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path)


@pytest.mark.parametrize("packed", [False, True])
def test_rotation_of_a_sealed_file(stage: Stage, packed: bool) -> None:
    stage.write()
    rotated = stage.folder / f"{NAME}.1"
    stage.data.rename(rotated)
    stage.write(batches=2)
    if packed:
        rotated.with_name(f"{NAME}.1.gz").write_bytes(gzip.compress(rotated.read_bytes()))
        rotated.unlink()
        rotated = rotated.with_name(f"{NAME}.1.gz")
    (made,) = verify(stage.data, now=stage.clock.now)
    assert made.records == 50
    kept = rotated.read_bytes()
    rotated.unlink()
    with pytest.raises(BrokenSeal, match="missing"):
        verify(stage.data)
    rotated.write_bytes(kept)
    (stage.folder / f"{NAME}.7").write_bytes(b"{}\n")
    with pytest.raises(BrokenSeal, match="no seal covers"):
        verify(stage.data)


def test_a_rotation_that_the_writer_has_not_stated_yet(stage: Stage) -> None:
    """Renamed while it stood still, with a line that no checkpoint covers."""
    stage.write()
    with stage.data.open("ab") as file:
        file.write(b"{}\n")
    stage.data.rename(stage.folder / f"{NAME}.1")
    (made,) = verify(stage.data, now=stage.clock.now)
    assert (made.records, made.unsealed) == (30, 1)
    stage.write(batches=1, count=1)
    (made,) = verify(stage.data, now=stage.clock.now)
    assert (made.records, made.unsealed) == (31, 0)
    (stage.folder / f"{NAME}.1").unlink()
    with pytest.raises(BrokenSeal, match="missing"):
        verify(stage.data)


def test_a_kill_after_the_first_record_of_a_rotated_file(stage: Stage) -> None:
    stage.write(count=1)
    stage.data.rename(stage.folder / f"{NAME}.1")
    sink = stage.open()
    sink.write(stage.batch(1))
    sink.flush()
    sink.inner.write(stage.batch(1))
    sink.inner.flush()
    sink.inner.close()  # no more of it: as after a kill
    for one in sink._streams:
        one.release()
    stage.write(batches=1, count=1)
    (made,) = verify(stage.data, now=stage.clock.now)
    assert (made.records, made.unsealed) == (5, 0)
    assert len(stage.lines()) == 2


@pytest.mark.parametrize("ending", [".gz", ".zst"])
@pytest.mark.parametrize("count", [1, 7])
def test_a_file_that_was_packed_with_lines_no_seal_covers(
    stage: Stage, ending: str, count: int
) -> None:
    """Killed behind a write, then rotated and packed before the next start."""
    stage.write(batches=1, count=count)
    whole = stage.data.read_bytes()
    with stage.data.open("ab") as file:
        file.write(b'{"unsealed":1}\n{"unsealed":2}\n{"torn')
    rotated = stage.folder / f"{NAME}.1{ending}"
    with open_to_write(rotated, rotated.name) as file:
        file.write(stage.data.read_bytes())
    stage.data.unlink()
    stage.write(batches=1, count=2)
    (made,) = verify(stage.data, now=stage.clock.now)
    assert (made.records, made.unsealed) == (count + 2, 0)
    assert b"".join(line + b"\n" for line in lines(rotated)) == whole
    kept = [path.read_bytes() for path in stage.log.glob("cut-*")]
    assert kept == [b'{"unsealed":1}\n{"unsealed":2}\n']


def test_a_packed_file_that_was_changed_is_left_as_it_is(stage: Stage) -> None:
    stage.write(batches=1, count=2)
    first, second = stage.data.read_bytes().splitlines()
    packed = gzip.compress(b"\n".join([first, second + b" ", b"{}", b""]))
    rotated = stage.folder / f"{NAME}.1.gz"
    rotated.write_bytes(packed)
    stage.data.unlink()
    stage.write(batches=1, count=1)
    assert rotated.read_bytes() == packed
    with pytest.raises(BrokenSeal):
        verify(stage.data)
