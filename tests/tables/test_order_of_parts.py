"""Tables do not depend on the order in which the rows of a lake lie."""

from __future__ import annotations

import shutil
from pathlib import Path

import duckdb
import pytest
from tests.queries.history import History, write
from tests.tables.test_refresh import rows_of

from hookstream.core.identity import uuid_of
from hookstream.tables.manifest import folder_of
from hookstream.tables.update import update

pytestmark = pytest.mark.long

ROWS = 6


def ids_of_one_place(count: int) -> list[str]:
    """Ids that give events of one sequence number one place."""
    ids = [uuid_of(f"id {n}") for n in range(512 * count)]
    (found,) = duckdb.execute(
        "select list(id) from (select unnest(?) as id) group by hash(id) % 512 "
        "order by count(*) desc limit 1",
        [ids],
    ).fetchone() or ([],)
    assert len(found) >= count
    return list(found[:count])


def tied() -> History:
    """Calls of which several events have the same place and say different things."""
    h = History()
    h.start(machine_id="m1")
    ids = iter(ids_of_one_place(4 * ROWS))
    h.turn = "t0"
    for number in range(ROWS):
        more = {
            "event_id": next(ids), "sequence": 50, "cwd": f"/work/{number}", "repo": f"r{number}",
            "model_id": f"model-{number}", "permission_mode": f"mode-{number}",
            "machine_id": "m1", "mcp_server": f"server-{number}",
            "risk": (7, "low", [f"factor-{number}"]),
        }  # fmt: skip
        h.before("c1", f"make {number % 2}", **more)
        after = {"error_message": f"error {number}", "exit_code": number, "event_id": next(ids)}
        h.after("c1", f"make {number % 2}", ("ok", "error")[number % 2], **{**more, **after})
        reason = {"decision_reason": f"reason {number}", "matched_rule_id": f"rule-{number}"}
        h.blocked("c2", "rm x", **{**more, **reason, "event_id": next(ids)})
        h.asked("c2", "rm x", **{**more, "event_id": next(ids), "turn_id": f"t{number % 3}"})
    h.answer(machine_id="m1")
    return h


@pytest.mark.parametrize("order", ["file_row_number desc", "hash(event_id)"])
def test_the_order_of_rows_changes_no_column(tmp_path: Path, order: str) -> None:
    lake = write(tmp_path / "lake", tied().events, "parquet")
    found = []
    for name, wanted in (("one", "file_row_number"), ("other", order)):
        copy = tmp_path / name
        for part in lake.rglob("*.parquet"):
            to = copy / part.relative_to(lake)
            to.parent.mkdir(parents=True, exist_ok=True)
            duckdb.execute(
                "copy (from read_parquet(?, hive_partitioning = false, file_row_number = true) "
                f"select * exclude (file_row_number) order by {wanted}) to '{to}' (format parquet)",
                [str(part)],
            )
        update(copy)
        found.append(rows_of(folder_of(copy)))
        shutil.rmtree(copy)
    assert len(found[0]["calls"]) >= 2
    assert found[0] == found[1]
