"""What a sealed writer has set aside is reached by retention, and verify does not need it."""

from __future__ import annotations

from pathlib import Path

import pytest

from hookstream.retention.holds import Hold, write
from hookstream.seal.verify import verify
from hookstream.sinks import open_sink
from seal.retaining import DAY_S, new_operator, retain
from seal.stage import Stage


def with_tail(tmp_path: Path, kind: str) -> Stage:
    """A stream whose writer was killed before it sealed nine records, and started again."""
    stage = Stage(tmp_path, kind, **({"tables": False} if kind == "parquet" else {}))
    stage.write(batches=2, count=9)
    plain = open_sink(stage.uri, standard="agent-hooks", **stage.options)
    plain.write(stage.batch(9))
    plain.close()
    stage.written -= 9
    stage.write(batches=1, count=9)
    return stage


def tail_days(stage: Stage) -> list[str]:
    """The days of the records that were set aside."""
    import pyarrow.parquet as pq

    found = []
    for path in stage.log.glob("cut-*"):
        found += [line.partition(b'"timestamp":"')[2][:10].decode() for line in path.open("rb")]
    for path in stage.log.glob("cut/*"):
        with pq.ParquetFile(path) as file:
            found += [str(at)[:10] for at in file.read(["timestamp"]).column(0).to_pylist()]
    return sorted(set(found))


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_tails_go_by_age_and_held_records_stay(tmp_path: Path, kind: str) -> None:
    stage = with_tail(tmp_path, kind)
    operator = new_operator(tmp_path / "operator.pem")
    assert tail_days(stage) == ["2026-03-01", "2026-03-02", "2026-03-03"]
    retain(stage, operator, max_age_s=9 * DAY_S)
    assert tail_days(stage) == ["2026-03-02", "2026-03-03"]
    session = "5f0c1b1e-0000-4000-8000-000000000001"
    write(stage.folder, [Hold("a case", sessions=(session,))])
    retain(stage, operator, max_age_s=DAY_S)
    assert tail_days(stage) == ["2026-03-02", "2026-03-03"]
    write(stage.folder, [])
    retain(stage, operator, content_max_age_s=DAY_S)
    assert tail_days(stage) == []
    verify(stage.folder, against=stage.second, operators={str(operator.verifier)})


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
def test_tails_go_with_a_user_who_may_be_in_them(tmp_path: Path, kind: str) -> None:
    stage = with_tail(tmp_path, kind)
    operator = new_operator(tmp_path / "operator.pem")
    retain(stage, operator, users=frozenset({"someone"}))
    assert tail_days(stage) == []
    assert verify(stage.folder, against=stage.second)[0].records == 27
