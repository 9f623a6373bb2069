"""Who keeps the tables: a delivery, a run over a lake that has them, the command."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from tests.queries.history import History, write

from hookstream.cli.app import run_app
from hookstream.core.errors import HookstreamError
from hookstream.delivery.credentials import open_at
from hookstream.lake.listing import parts_of
from hookstream.queries.formats import objects
from hookstream.queries.runner import ask, open_stream
from hookstream.sinks import open_sink
from hookstream.standards.rendered import Rendered
from hookstream.tables import connection, manifest
from hookstream.tables.files import counts
from hookstream.tables.manifest import folder_of
from hookstream.tables.update import freshen, update

pytestmark = pytest.mark.long


def history(session: str) -> History:
    h = History(session=session)
    h.prompt("t1")
    h.ran("c1")
    h.answer()
    return h


def is_current(lake: Path) -> bool:
    found = manifest.read(folder_of(lake))
    return found is not None and found.parts == parts_of(lake)


def test_a_small_lake_has_no_tables_until_somebody_builds_them(tmp_path: Path) -> None:
    lake = write(tmp_path / "lake", history("s1").events, "parquet")
    assert not folder_of(lake).exists()
    update(lake)
    assert is_current(lake)
    write(lake, history("s2").events, "parquet")
    assert is_current(lake)


@pytest.mark.parametrize("tables", [True, False])
def test_a_delivery_keeps_them_fresh(
    tmp_path: Path, tables: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hookstream.delivery.lakes.REFRESH_S", -1.0)
    sink = open_at(f"parquet:{tmp_path / 'lake'}", freshen, standard="both", tables=tables)
    sink.write([Rendered(event, n) for n, event in enumerate(history("s1").events)])
    sink.flush()
    sink.close()
    assert is_current(tmp_path / "lake") is tables


def test_tables_that_take_more_memory_than_is_meant_are_given_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = 4 << 20
    tried: list[int] = []

    def memory() -> int:
        tried.append(connection.allowed.get())
        return tried[-1] if tried[-1] == few else 1 << 30

    monkeypatch.setattr(connection, "_memory", memory)
    monkeypatch.setattr("hookstream.tables.update.MEMORY_BYTES", few)
    lake = write(tmp_path / "lake", history("s1").events, "parquet")
    update(lake)
    assert is_current(lake)
    assert tried[0] == few and tried[-1] != few


def test_a_lake_without_texts(tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    sink = open_sink(f"parquet:{tmp_path / 'lake'}", standard="both", texts=False)
    sink.write([Rendered(event) for event in history("s1").events])
    sink.close()
    (file,) = (tmp_path / "lake").rglob("*.parquet")
    table = pq.ParquetFile(file).read()
    for name in ("agent_hooks", "aarts"):
        assert table.column(name).null_count == len(table)
    assert table.column("event_type").null_count == 0


def test_the_command_says_what_it_did(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lake = write(tmp_path / "lake", history("s1").events, "parquet")
    for expected in ("built", "current"):
        report = tmp_path / "report.json"
        argv = ["hookstream", "tables", str(lake), "--report", str(report)]
        monkeypatch.setattr("sys.argv", argv)
        assert run_app() == 0
        assert f": {expected}, " in capsys.readouterr().err
        assert json.loads(report.read_text())["how"] == expected
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "x.parquet").write_bytes(b"PAR1 no more PAR1")
    for wrong in (tmp_path / "none", tmp_path / "other"):
        monkeypatch.setattr("sys.argv", ["hookstream", "tables", str(wrong)])
        assert run_app() == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_a_folder_of_several_lakes_is_read_without_their_tables(tmp_path: Path) -> None:
    for name in ("a", "b"):
        update(write(tmp_path / name, history(name).events, "parquet"))
    with open_stream(tmp_path) as stream:
        assert len(ask(stream, "sessions").rows) == 2


def test_loops_are_counted_from_the_threshold_that_is_set(tmp_path: Path) -> None:
    h = History()
    h.prompt("t1")
    for number in range(2):
        h.ran(f"c{number}", "make", outcome="error")
    lake = write(tmp_path / "lake", h.events, "parquet")
    for failures, expected in ((2, 1), (3, 0)):
        update(lake, loop_failures=failures)
        with open_stream(lake) as stream:
            assert len(ask(stream, "retry_loops").rows) == expected


def test_a_damaged_table_is_named_with_what_to_do(tmp_path: Path) -> None:
    lake = write(tmp_path / "lake", history("s1").events, "parquet")
    update(lake)
    (file,) = (folder_of(lake) / "calls").rglob("*.parquet")
    assert counts(folder_of(lake))["calls"] == 1
    file.write_bytes(b"PAR1 no more PAR1")
    with pytest.raises(HookstreamError, match=r"part-.*hookstream tables"):
        counts(folder_of(lake))


@pytest.mark.long
def test_compaction_keeps_tables_right(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(3):
        write(tmp_path / "lake", history(f"s{number}").events, "parquet")
    update(tmp_path / "lake")
    monkeypatch.setattr("sys.argv", ["hookstream", "compact", str(tmp_path / "lake")])
    assert run_app() == 0
    assert len(parts_of(tmp_path / "lake")) == 1
    assert is_current(tmp_path / "lake")
    with open_stream(tmp_path / "lake") as stream:
        assert len(ask(stream, "calls").rows) == 3


def test_a_date_that_is_deleted_goes_with_its_sessions(tmp_path: Path) -> None:
    late = History(session="late", second=86_400)
    late.prompt("t1")
    late.ran("c1")
    lake = write(tmp_path / "lake", [*history("s1").events, *late.events], "parquet")
    update(lake)
    shutil.rmtree(lake / "date=2026-11-21")
    for _ in range(2):
        with open_stream(lake) as stream:
            assert [row[1] for row in ask(stream, "sessions").rows] == ["late"]
        update(lake)
    assert is_current(lake)


def test_what_a_deleted_date_showed_of_a_machine_is_not_known_any_more(tmp_path: Path) -> None:
    more = {"machine_id": "m1"}
    shown = History(session="s1")
    shown.prompt("t1")
    shown.ran("c1", **more)
    silent = History(session="s2", second=86_400)
    silent.start(**more)
    silent.turn = "t1"
    silent.before("c2", **more)
    silent.answer(**more)
    lake = write(tmp_path / "lake", [*shown.events, *silent.events], "parquet")
    update(lake)
    with open_stream(lake) as stream:
        assert [row["session_id"] for row in objects(ask(stream, "denies"))] == ["s2"]
    shutil.rmtree(lake / "date=2026-11-21")
    for _ in range(3):
        with open_stream(lake) as stream:
            assert ask(stream, "denies").rows == []
            assert {row["session_id"] for row in objects(ask(stream, "calls"))} == {"s2"}
        update(lake)
    shutil.rmtree(folder_of(lake))
    with open_stream(lake) as stream:
        assert ask(stream, "denies").rows == []


@pytest.mark.long
def test_a_session_that_went_on_after_a_deleted_date_is_derived_of_what_is_left(
    tmp_path: Path,
) -> None:
    h = History()
    h.prompt("t1")
    h.ran("c1")
    h.second += 86_400
    h.ran("c2")
    lake = write(tmp_path / "lake", h.events, "parquet")
    update(lake)
    shutil.rmtree(lake / "date=2026-11-21")
    for _ in range(2):
        with open_stream(lake) as stream:
            (session,) = objects(ask(stream, "sessions"))
            (call,) = objects(ask(stream, "calls"))
        assert (session["actions"], session["is_cut"], call["call_id"]) == (1, True, "c2")
        update(lake)
    assert is_current(lake)


@pytest.mark.long
def test_parts_of_a_date_that_are_deleted_beside_new_ones_take_their_calls_along(
    tmp_path: Path,
) -> None:
    lake = write(tmp_path / "lake", history("s1").events, "parquet")
    (old,) = lake.rglob("*.parquet")
    write(lake, history("s2").events, "parquet")
    update(lake)
    old.unlink()
    write(lake, history("s3").events, "parquet", tables=False)
    for _ in range(2):
        with open_stream(lake) as stream:
            assert {row["session_id"] for row in objects(ask(stream, "calls"))} == {"s2", "s3"}
        update(lake)


@pytest.mark.long
def test_very_long_names_do_no_harm(tmp_path: Path) -> None:
    long = "n\u00e4me'/../\\ =" * 6000
    h = History(session=long)
    h.prompt("t1")
    more = {"action_native": long, "action_name": "other", "mcp_server": long, "machine_id": long}
    h.ran("c1", f"curl https://{'h' * 5000}.example", **more)
    h.before(long, long, **more)
    h.blocked(long, long, **more)
    lake = write(tmp_path / "lake", h.events, "parquet")
    asked = ("calls", "denies", "sessions", "mcp_servers", "egress", "tools")
    found = []
    for _ in range(2):  # derived, then from tables
        with open_stream(lake) as stream:
            found.append({name: objects(ask(stream, name)) for name in asked})
        update(lake)
    assert found[0] == found[1]
    assert len(found[0]["calls"]) == 2
    assert found[0]["denies"][0]["session_id"].startswith("n\u00e4me")
    write(lake, history("s2").events, "parquet")
    update(lake)
    assert is_current(lake)
