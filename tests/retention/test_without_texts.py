"""A sealed lake without texts stays whole: compacted, by age, and compacted after that."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from hookstream.lake.compaction import compact
from hookstream.seal.verify import verify
from hookstream.sinks import parquet
from hookstream.standards.rendered import Rendered
from seal.retaining import DAY_S, new_operator, retain
from seal.stage import Stage


def parts(stage: Stage) -> list[Path]:
    return sorted(stage.folder.glob("date=*/tool=*/*.parquet"))


@pytest.mark.parametrize("compacts", ["before", "after", "both"])
@pytest.mark.long
def test_it_survives_compaction_and_retention(tmp_path: Path, compacts: str) -> None:
    operator = new_operator(tmp_path / "operator.pem")
    stage = Stage(tmp_path, "parquet", texts=False, tables=False)
    for _ in range(2):
        stage.write(batches=3, count=10)
    assert all(
        pq.ParquetFile(part).read(["agent_hooks"]).column(0).null_count
        == pq.read_metadata(part).num_rows
        for part in parts(stage)
    )
    keys = {str(operator.verifier)}

    def check(pruned: int) -> None:
        (made,) = verify(stage.folder, against=stage.second, now=stage.clock.now, operators=keys)
        assert (made.pruned, made.unsealed) == (pruned, 0)

    check(0)
    if compacts != "after":
        compact(stage.folder, 128 << 20)
        check(0)
    dates = {part.parent.parent.name for part in parts(stage)}
    gone = retain(stage, operator, max_age_s=9 * DAY_S).total("age")
    assert gone
    assert {part.parent.parent.name for part in parts(stage)} < dates
    check(gone)
    if compacts != "before":
        compact(stage.folder, 128 << 20)
        check(gone)
    stage.write(batches=1, count=10)
    check(gone)


class OfTwoUsers(Stage):
    """A stage whose records are of two users in turn."""

    def batch(self, count: int) -> list[Rendered]:
        made = super().batch(count)
        for number, one in enumerate(made):
            one.event.facts["user_id"] = f"user-{number // 3 % 2}"
        return made


def of_two_versions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Stage:
    """A lake whose older parts lack a column."""
    stage = OfTwoUsers(tmp_path, "parquet", texts=False, tables=False)
    whole = parquet.without_texts
    with monkeypatch.context() as older:
        older.setattr(
            parquet, "without_texts", lambda table: whole(table).drop_columns(["capture_scope"])
        )
        stage.write(batches=2, count=10)
    stage.write(batches=2, count=10)
    return stage


def test_parts_of_an_older_version_stay_as_they_were_sealed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage = of_two_versions(tmp_path, monkeypatch)
    (before,) = verify(stage.folder, against=stage.second, now=stage.clock.now)
    done = compact(stage.folder, 128 << 20)
    assert done.after and all("by another version" in why for why in done.left) and done.left
    (made,) = verify(stage.folder, against=stage.second, now=stage.clock.now)
    assert (made.records, made.unsealed) == (before.records, 0)


def test_rows_of_an_older_version_that_stay_are_those_that_were_sealed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    operator = new_operator(tmp_path / "operator.pem")
    stage = of_two_versions(tmp_path, monkeypatch)
    gone = retain(stage, operator, users=frozenset({"user-0"})).total("user")
    left = sum(pq.read_metadata(part).num_rows for part in parts(stage))
    assert gone and left
    (made,) = verify(stage.folder, against=stage.second, operators={str(operator.verifier)})
    assert (made.pruned, made.unsealed) == (gone, 0)
