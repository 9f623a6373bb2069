"""A question about a fleet has one row per server, host, tool, package, mode or gap, whatever the
number of machines; `by="machine"` has those that it counts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.queries.history import History, write

from hookstream.queries.catalog import finer, queries
from hookstream.queries.errors import QueryError
from hookstream.queries.formats import objects
from hookstream.queries.mcp import answer
from hookstream.queries.runner import Filters, ask, ask_sql, open_stream

FLEET = sorted(name for name, one in queries().items() if one.keys)
# Of these, all rows are counts of calls or events that a machine has.
SUMMED = {
    "egress": "calls", "mcp_servers": "calls", "tools": "calls", "packages": "calls",
    "sensitive_files": "calls", "coverage": "events", "inventory": "events",
}  # fmt: skip
MACHINES = 4
USES = st.lists(
    st.tuples(st.integers(0, MACHINES - 1), st.sampled_from(["codex", "claude-code"]),
              st.integers(0, 2)), min_size=1, max_size=12,
)  # fmt: skip
Uses = list[tuple[int, str, int]]


def lake_of(folder: Path, uses: Uses) -> Path:
    """A lake of sessions that reach a host, install a package and call a server."""
    events = []
    for number, (machine, tool, which) in enumerate(uses):
        history = History(tool, f"s{number}", second=60 * number)
        who = {
            "machine_id": f"m{machine}",
            "user_id": f"u{machine}",
            "tool_version": f"1.{which}",
            "permission_mode": "bypassPermissions",
        }
        history.start(**who)
        history.ran("c1", f"curl https://h{which}.example/x", **who)
        history.ran("c2", f"npm i p{which}", **who)
        history.ran("c3", None, mcp_server=f"db{which}", action_native=f"mcp__db{which}__q", **who)
        history.before("c4", f"cat .env.{which}", **who)
        events += history.events
    return write(folder, events, "parquet")


def rows(lake: Path, question: str, by: str | None = None, **more: Any) -> list[dict[str, Any]]:
    with open_stream(lake) as stream:
        return objects(ask(stream, question, Filters(by=by, **more)))


@pytest.mark.long
@settings(max_examples=5, deadline=None)
@given(USES)
def test_a_row_of_the_fleet_is_the_sum_of_its_machines(
    tmp_path_factory: pytest.TempPathFactory, uses: Uses
) -> None:
    lake = lake_of(tmp_path_factory.mktemp("fleet"), uses)
    asked: dict[tuple[str, str | None], list[dict[str, Any]]] = {}
    with open_stream(lake) as stream:
        for question in FLEET:
            for by in (None, "machine"):
                asked[question, by] = objects(ask(stream, question, Filters(by=by)))
    # What permissions finds depends on how often all were asked.
    for question in set(FLEET) - {"permissions"}:
        keys = queries()[question].keys
        fleet = {tuple(row[key] for key in keys): row for row in asked[question, None]}
        assert len(fleet) == len(asked[question, None]), question
        machines: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
        for row in asked[question, "machine"]:
            machines.setdefault(tuple(row[key] for key in keys), []).append(row)
        assert machines.keys() == fleet.keys(), question
        for key, row in fleet.items():
            parts = machines[key]
            assert row["machines"] == len({part["machine_id"] for part in parts}), question
            assert row["first_seen"] == min(part["first_seen"] for part in parts), question
            assert row["last_seen"] == max(part["last_seen"] for part in parts), question
            if counted := SUMMED.get(question):
                assert row[counted] == sum(part[counted] for part in parts), question
            if row["machines"] > 1:
                assert row["machine_id"] is None, question
            else:
                assert row["machine_id"] == parts[0]["machine_id"], question


@pytest.mark.parametrize("question", FLEET)
@pytest.mark.long
def test_more_machines_make_no_more_rows(tmp_path: Path, question: str) -> None:
    one = lake_of(tmp_path / "one", [(0, "codex", 0)])
    many = lake_of(tmp_path / "many", [(machine, "codex", 0) for machine in range(9)])
    assert len(rows(many, question)) == len(rows(one, question))


@pytest.mark.long
def test_what_was_seen_first_last_is_on_top(tmp_path: Path) -> None:
    lake = lake_of(tmp_path, [(0, "codex", 0), (1, "codex", 0), (1, "codex", 1)])
    assert [(row["server"], row["machines"]) for row in rows(lake, "mcp_servers")] == [
        ("db1", 1),
        ("db0", 2),
    ]
    versions = [row for row in rows(lake, "inventory") if row["kind"] == "client"]
    assert [(row["version"], row["machines"]) for row in versions] == [("1.1", 1), ("1.0", 2)]
    new = rows(lake, "egress", since=max(row["first_seen"] for row in rows(lake, "egress")))
    assert [row["host"] for row in new if row["is_new"]] == ["h1.example"]


@pytest.mark.long
def test_every_door_tells_rows_apart(tmp_path: Path) -> None:
    lake = lake_of(tmp_path, [(0, "codex", 0), (1, "codex", 0)])
    assert [row["machines"] for row in answer(lake, "egress", "", "", "", 9)] == [2]
    assert len(answer(lake, "egress", "", "", "", 9, "machine")) == 2
    with open_stream(lake) as stream:
        sql = "select host, machine_id from egress_by_machine order by all"
        assert [row[1] for row in ask_sql(stream, sql).rows] == ["m0", "m1"]
        with pytest.raises(QueryError, match="no rows by hour; --by is machine"):
            ask(stream, "egress", Filters(by="hour"))
        with pytest.raises(QueryError, match="its rows are about one thing each"):
            ask(stream, "denies", Filters(by="machine"))
    assert {row["session_id"] for row in rows(lake, "risky_modes", "session")} == {"s0", "s1"}
    assert "egress_by_machine" in finer()
