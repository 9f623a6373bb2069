"""A sealed stream: written by the real sinks, verified, proved, and through kills and rotation."""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path

import pytest

from hookstream.seal import SealError
from hookstream.seal.chain import BrokenSeal
from hookstream.seal.merkle import Tree, inclusion, range_root, verify_inclusion
from hookstream.seal.note import Verifier
from hookstream.seal.sealed import key_path
from hookstream.seal.verify import verify
from hookstream.sinks import SinkError

from . import independent
from .stage import NAME, Stage


def leaf_hash(entry: bytes) -> bytes:
    return sha256(b"\0" + entry).digest()


VECTOR = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657"]
VECTOR += ["606162636465666768696a6b6c6d6e6f"]


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path)


def test_the_tree_is_that_of_rfc_6962() -> None:
    leaves = [leaf_hash(bytes.fromhex(one)) for one in VECTOR]
    root = "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"
    assert range_root(leaves).hex() == root
    for size in range(1, 40):
        leaves = [leaf_hash(bytes([n])) for n in range(size)]
        tree = Tree()
        tree.extend(leaves)
        assert tree.root() == independent.root_of(leaves)
        for index in range(size):
            proof = inclusion(index, size, lambda a, b: range_root(leaves[a:b]))  # noqa: B023
            assert verify_inclusion(leaves[index], index, size, proof, tree.root())
            assert not verify_inclusion(leaf_hash(b"x"), index, size, proof, tree.root())


def test_verifier_keys_and_signatures_are_those_of_the_specification() -> None:
    key = "example.com/foo+530d903a+AZpQ7FxYtrUf+gYQgn+ws3TSOn8PYYg7NVSmlzqBL4ys"
    with pytest.raises(SealError):
        Verifier.parse(key.replace("530d", "530e"))


def test_an_untouched_stream_is_whole(stage: Stage) -> None:
    stage.write()
    stage.write()
    (made,) = verify(stage.data, against=stage.second, now=stage.clock.now)
    assert (made.records, made.unsealed) == (60, 0)
    assert made.compared >= 4
    assert made.doubts == ["the first key was not given"]
    key = (stage.log / "vkey").read_text().strip()
    (made,) = verify(stage.data, key, stage.second, now=stage.clock.now)
    assert made.doubts == []


def test_a_verifier_of_nothing_but_the_published_formats_accepts_it(stage: Stage) -> None:
    stage.write()
    stage.write(batches=4, count=300)
    assert independent.check_stream(stage.data, stage.log) >= 4


def test_hours_follow_one_another_also_when_nothing_happens(stage: Stage) -> None:
    sink = stage.open()
    for _ in range(3):
        stage.clock.now += 3600
        sink.tick()
    sink.close()
    stage.clock.now += 5 * 3600  # the machine slept
    stage.write(batches=1)
    (made,) = verify(stage.data, now=stage.clock.now)
    assert (made.hours, made.gaps) == (4, 1)
    assert "nothing ran in 4 hours" in made.doubts
    (made,) = verify(stage.data, now=stage.clock.now + 9 * 3600)
    assert "nothing sealed for 9 hours" in made.doubts


def test_the_key_of_a_closed_epoch_is_gone(stage: Stage) -> None:
    stage.write(batches=3, step_s=400)
    key_file = key_path(stage.sealing.keys, stage.folder, NAME)
    first = key_file.read_bytes()
    stage.write(batches=3, step_s=400)
    assert key_file.read_bytes() != first
    assert os.stat(key_file).st_mode & 0o77 == 0


def test_a_tail_that_no_checkpoint_covers_is_set_aside(stage: Stage) -> None:
    stage.write()
    with stage.data.open("ab") as file:
        file.write(b'{"forged":1}\n{"torn')
    (made,) = verify(stage.data, now=stage.clock.now)
    assert made.unsealed == 2
    stage.write(batches=1)
    (made,) = verify(stage.data, now=stage.clock.now)
    assert (made.records, made.unsealed) == (40, 0)
    assert len(stage.lines()) == 40
    (aside,) = stage.log.glob("cut-*")
    assert aside.read_bytes() == b'{"forged":1}\n{"torn'


def test_a_lake_without_texts_is_sealed_by_its_columns(tmp_path: Path) -> None:
    from hookstream.seal.parts import leaves_of

    stage = Stage(tmp_path, "parquet", texts=False, tables=False)
    stage.write(batches=2)
    assert verify(stage.folder, against=stage.second)[0].records == 20
    leaves = [
        one for path in stage.folder.glob("date=*/tool=*/*.parquet") for one in leaves_of(path)
    ]
    assert len(set(leaves)) == 20


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_hashes_that_a_power_cut_took_are_made_again(tmp_path: Path, kind: str) -> None:
    stage = Stage(tmp_path, kind)
    stage.write(batches=2, count=300)
    hashes = stage.log / "level-0"
    whole = hashes.read_bytes()
    hashes.write_bytes(whole[:3000])
    with pytest.raises(BrokenSeal, match="level-0"):
        verify(stage.folder)
    stage.write(batches=1)
    assert verify(stage.folder, against=stage.second)[0].records
    assert hashes.read_bytes()[: len(whole)] == whole


def test_a_folder_that_is_sealed_stays_so(stage: Stage) -> None:
    from hookstream.seal.sealed import open_sealed
    from hookstream.sinks import open_sink

    stage.write()
    sink = open_sealed(
        stage.uri, lambda: open_sink(stage.uri), None, stage.sealing.keys, "agent-hooks"
    )
    sink.write(stage.batch(5))
    sink.close()
    assert verify(stage.data)[0].records == 35
    for key in stage.sealing.keys.iterdir():
        key.unlink()
    with pytest.raises(SinkError, match="key"):
        stage.open()


def test_files_that_were_there_are_sealed_as_they_are_found(stage: Stage) -> None:
    from hookstream.sinks import open_sink

    plain = open_sink(stage.uri, standard="agent-hooks")
    plain.write(stage.batch(7))
    plain.close()
    stage.write(batches=1)
    assert verify(stage.data)[0].records == 17


def test_a_lake_is_sealed_through_compaction(tmp_path: Path) -> None:
    from hookstream.lake.compaction import compact

    stage = Stage(tmp_path, "parquet")
    stage.write(batches=4)
    assert verify(stage.folder, against=stage.second)[0].records == 40
    assert compact(stage.folder, 128 << 20).after >= 1
    verify(stage.folder)  # not stated yet: all rows are there
    stage.write(batches=2)
    (made,) = verify(stage.folder, against=stage.second)
    assert made.unsealed == 0
    part = sorted(stage.folder.glob("date=*/tool=*/*.parquet"))[0]
    kept = part.read_bytes()
    part.unlink()
    with pytest.raises(BrokenSeal, match="missing"):
        verify(stage.folder)
    part.write_bytes(kept[:-9] + b"x" + kept[-8:])
    with pytest.raises(BrokenSeal, match=part.name):
        verify(stage.folder)
    part.write_bytes(kept)
    foreign = part.with_name("part-foreign.parquet")
    foreign.write_bytes(kept)
    os.utime(foreign, (1, 1))
    with pytest.raises(BrokenSeal, match="no seal covers"):
        verify(stage.folder)


def test_a_column_that_a_compaction_did_not_write(tmp_path: Path) -> None:
    """The JSON of a row stays and a column is changed: the sealer must not take that over."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    stage = Stage(tmp_path, "parquet", tables=False)
    stage.write(batches=1)
    path = sorted(stage.folder.glob("date=*/tool=*/*.parquet"))[0]
    with pq.ParquetFile(path) as file:
        table = file.read()
    at = table.schema.get_field_index("command")
    changed = table.set_column(at, "command", pa.array(["true"] * len(table), pa.string()))
    path.unlink()
    pq.write_table(changed, path.with_name("part-00009-000000000000-000000000000.parquet"))
    with pytest.raises(BrokenSeal, match="not as its columns were"):
        verify(stage.folder)
    stage.write(batches=1)
    with pytest.raises(BrokenSeal, match="missing"):
        verify(stage.folder)


def test_a_statement_that_a_lake_lacks(tmp_path: Path) -> None:
    stage = Stage(tmp_path, "parquet", tables=False)
    stage.write(batches=1)
    stage.write(batches=1)
    journal = stage.log / "journal"
    lines = journal.read_bytes().splitlines(keepends=True)
    (resume,) = [line for line in lines if b'"resume"' in line]
    journal.write_bytes(b"".join(line for line in lines if line != resume))
    with pytest.raises(BrokenSeal, match="missing"):
        verify(stage.folder)


def test_a_state_that_was_put_back_is_not_sealed_on(stage: Stage, tmp_path: Path) -> None:
    import shutil

    stage.write()
    for name in ("out", "keys"):
        shutil.copytree(tmp_path / name, tmp_path / "backup" / name)
    stage.write()
    for name in ("out", "keys"):
        shutil.rmtree(tmp_path / name)
        shutil.copytree(tmp_path / "backup" / name, tmp_path / name)
    assert verify(stage.data, now=stage.clock.now)
    with pytest.raises(BrokenSeal, match="rolled back"):
        verify(stage.data, against=stage.second)
    with pytest.raises(SinkError, match="older state"):
        stage.open()


def test_two_copies_that_went_on_are_a_fork(stage: Stage, tmp_path: Path) -> None:
    import shutil

    stage.write()
    for name in ("out", "keys"):
        shutil.copytree(tmp_path / name, tmp_path / "copy" / name)
    stage.write()
    other = Stage(tmp_path / "copy")
    other.clock.now = stage.clock.now
    for name in (NAME, "rejected.jsonl"):
        key = key_path(other.sealing.keys, stage.folder, name)
        key.rename(key_path(other.sealing.keys, other.folder, name))
    other.written = 500
    other.write(batches=5)
    with pytest.raises(BrokenSeal, match=r"fork|rolled back"):
        verify(other.data, against=stage.second)


def test_a_program_that_cannot_seal_writes_no_sealed_folder(tmp_path: Path) -> None:
    from hookstream.cli.demo import samples
    from hookstream.delivery.job import Job
    from hookstream.delivery.run import execute

    source = str(samples() / "codex" / "deny.jsonl")
    (tmp_path / "out" / ".seal").mkdir(parents=True)
    with pytest.raises(SinkError, match="seal: this program cannot"):
        execute(Job([source], [f"jsonl:{tmp_path / 'out'}"]))
    with pytest.raises(SinkError, match="seal: this program cannot"):
        execute(Job([source], [f"jsonl:{tmp_path / 'new'}"], seal=True))
    assert not (tmp_path / "new").exists()
