"""Proofs of single events, in files of lines and lakes, and the index that finds them."""

from __future__ import annotations

from pathlib import Path

import pytest

from hookstream.seal import SealError
from hookstream.seal.proof import check, prove
from hookstream.seal.verify import verify
from sinks.events import stream

from . import independent
from .stage import NAME, Stage


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    return Stage(tmp_path)


def test_one_event_is_proved_and_no_other(stage: Stage) -> None:
    stage.write(batches=4, count=300)
    line = stage.data.read_bytes().splitlines()[777]
    made = prove(stage.data, stage.log, stage.lines()[777]["event_id"])
    assert made is not None and made.line == line
    check(made.text, line, made.signer)
    independent.check_proof(made.text, line, str(made.signer))
    with pytest.raises(SealError):
        check(made.text, line[:-1] + b" ", made.signer)
    with pytest.raises(SealError):
        check(made.text.replace("index 7", "index 8"), line, made.signer)
    assert prove(stage.data, stage.log, "00000000-0000-8000-8000-000000000000") is None


def test_an_event_is_proved_through_rotation_and_retention(stage: Stage) -> None:
    from .retaining import DAY_S, new_operator, retain

    stage.write(batches=2, count=30)
    first = stage.lines()[31]["event_id"]  # of the second day: it stays
    stage.data.rename(stage.folder / f"{NAME}.1")
    stage.write(batches=2, count=30)
    second = stage.lines()[10]["event_id"]
    retain(stage, new_operator(stage.tmp / "operator.pem"), max_age_s=9 * DAY_S)
    for event_id in (first, second):
        made = prove(stage.data, stage.log, event_id)
        assert made is not None and event_id.encode() in made.line
        independent.check_proof(made.text, made.line, str(made.signer))


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_the_index_follows_the_stream_and_is_not_trusted(tmp_path: Path, kind: str) -> None:
    """Records that came since, a compaction, and an index that is wrong, cut off or gone."""
    from hookstream.lake.compaction import compact
    from hookstream.seal.index import IDS, PLACES

    stage = Stage(tmp_path, kind, **({"tables": False} if kind == "parquet" else {}))
    data = stage.folder if kind == "parquet" else stage.data
    ids = [str(event.facts["event_id"]) for event in stream(120)]

    def proved(event_id: str) -> None:
        made = prove(data, stage.log, event_id)
        assert made is not None and event_id.encode() in made.line
        independent.check_proof(made.text, made.line, str(made.signer))

    stage.write(count=20)
    proved(ids[33])
    stage.write(count=20)
    for number in (0, 33, 60, 119):
        proved(ids[number])
    if kind == "parquet":
        compact(stage.folder)
        stage.write(batches=1, count=1)
        proved(ids[33])
    for name in (IDS, PLACES):
        path = stage.log / name
        path.write_bytes(path.read_bytes()[::-1])
        proved(ids[33])
        path.write_bytes(path.read_bytes()[:-100])
        proved(ids[119])
        path.unlink()
        proved(ids[60])
    assert verify(stage.folder, against=stage.second)


def test_a_proof_of_a_changed_record_is_refused(stage: Stage) -> None:
    stage.write()
    event_id = stage.lines()[7]["event_id"]
    stage.data.write_bytes(stage.data.read_bytes().replace(b"ls -la /srv/7", b"ls -la /srv/8"))
    assert prove(stage.data, stage.log, event_id) is None
    hashes = stage.log / "level-0"
    hashes.write_bytes(bytes(32) + hashes.read_bytes()[32:])
    with pytest.raises(SealError, match="not signed"):
        prove(stage.data, stage.log, stage.lines()[9]["event_id"])
