"""`delta:`: the parts of a lake under a Delta log, each row once in every version."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet as pq
import pytest

from delivery.session import mixed
from delivery.test_crash import slowly, start, straight
from hookstream.lake.compaction import compact
from hookstream.lake.delta_store import NOTE
from hookstream.lake.deltalog import DeltaError, DeltaLog
from hookstream.lake.stores import FolderStore
from hookstream.queries.runner import open_stream
from hookstream.sinks import SinkError, open_sink

from .events import rendered, stream

deltalake = pytest.importorskip("deltalake")


def rows(lake: Path, version: int | None = None) -> list[str]:
    """Event ids as the log has them; every file it names must be there."""
    table = deltalake.DeltaTable(str(lake), version=version)
    found: list[str] = table.to_pyarrow_table(columns=["event_id"]).column(0).to_pylist()
    return found


def versions(lake: Path) -> range:
    return range(deltalake.DeltaTable(str(lake)).version() + 1)


def put(lake: Path, events: list[Any], start: int | None = None, **options: Any) -> None:
    sink = open_sink(f"delta:{lake}", **options)
    items = rendered(events)
    for n, item in enumerate(items):
        item.position = None if start is None else start + n
    sink.write(items)
    sink.close()


def ids(events: list[Any]) -> list[str]:
    return sorted(event.facts["event_id"] for event in events)


def test_the_library_takes_one_transaction_twice_and_we_do_not(tmp_path: Path) -> None:
    """Why `commit` asks the log first. Should the library refuse it one day, `commit` may go."""
    put(tmp_path, stream(8))
    log = DeltaLog(tmp_path)
    (name, *_) = sorted(log.parts())
    copy = name.replace("part-00000", "part-00077")
    shutil.copy(tmp_path / name, tmp_path / copy)
    version = log.last_transaction()
    before = len(rows(tmp_path))
    log.commit([copy], [], version)
    assert len(rows(tmp_path)) == before
    table = deltalake.DeltaTable(str(tmp_path))
    properties = deltalake.CommitProperties(
        app_transactions=[deltalake.Transaction("hookstream", version)]
    )
    table.create_write_transaction(
        [log._add(copy, True)],
        "append",
        table.schema(),
        ["date", "tool"],
        commit_properties=properties,
    )
    assert len(rows(tmp_path)) > before


def test_two_processes_with_one_transaction_cannot_both_commit(tmp_path: Path) -> None:
    put(tmp_path, stream(8))
    one, other = DeltaLog(tmp_path), DeltaLog(tmp_path)
    (name, *_) = sorted(one.parts())
    copies = [name.replace("part-00000", f"part-0007{n}") for n in range(2)]
    for copy in copies:
        shutil.copy(tmp_path / name, tmp_path / copy)
    version = one.last_transaction() + 1
    assert other.last_transaction() + 1 == version
    one.commit(copies[:1], [], version)
    other.commit(copies[1:], [], version)  # looks, and leaves it
    assert copies[1] not in one.parts()
    stale = DeltaLog(tmp_path)
    stale.last_transaction()
    stale._newest = lambda: stale._table  # type: ignore[method-assign]
    one.commit(copies[1:], [], version + 1)
    with pytest.raises(DeltaError, match="oncurrent"):
        stale.commit(copies[1:], [], version + 1)


def test_duckdb_and_polars_open_it_and_see_the_rows_of_a_lake(tmp_path: Path) -> None:
    polars = pytest.importorskip("polars")
    events = stream(60)
    put(tmp_path / "delta", events)
    sink = open_sink(f"parquet:{tmp_path / 'lake'}")
    sink.write(rendered(events))
    sink.close()
    plain: Counter[tuple[str, str]] = Counter()
    for path in (tmp_path / "lake").rglob("*.parquet"):
        date, tool = path.parts[-3].removeprefix("date="), path.parts[-2].removeprefix("tool=")
        plain[date, tool] += pq.read_metadata(path).num_rows
    dataset = deltalake.DeltaTable(str(tmp_path / "delta")).to_pyarrow_dataset()
    connection = duckdb.connect()
    connection.register("events", dataset)
    by = connection.sql("select cast(date as varchar), tool, count(*) from events group by all")
    assert {(date, tool): n for date, tool, n in by.fetchall()} == plain
    frame = polars.scan_delta(str(tmp_path / "delta")).group_by("date", "tool").len().collect()
    assert {(str(date), tool): n for date, tool, n in frame.rows()} == plain
    whole = polars.scan_delta(str(tmp_path / "delta")).select("event_id", "timestamp").collect()
    assert sorted(whole["event_id"].to_list()) == ids(events)
    assert whole["timestamp"].null_count() == 0


def test_a_lake_that_is_there_gets_a_log(tmp_path: Path) -> None:
    sink = open_sink(f"parquet:{tmp_path}")
    sink.write(rendered(stream(20)))
    sink.close()
    before = {path: path.stat().st_ino for path in tmp_path.rglob("*.parquet")}
    put(tmp_path, stream(20))  # the same source again
    assert sorted(rows(tmp_path)) == ids(stream(20))
    assert before.keys() == {p for p in tmp_path.rglob("*.parquet") if "_delta_log" not in p.parts}
    with pytest.raises(SinkError, match="use delta:"):
        open_sink(f"parquet:{tmp_path}")


def test_a_source_that_has_grown_replaces_its_part_in_one_version(tmp_path: Path) -> None:
    for count in (10, 30, 30, 50):
        put(tmp_path, stream(count))
    assert sorted(rows(tmp_path)) == ids(stream(50))
    for version in versions(tmp_path):
        try:
            found = rows(tmp_path, version)
        except FileNotFoundError:
            continue  # of an older version: its files are gone
        assert len(found) == len(set(found))


class Killed(BaseException):
    pass


@pytest.mark.parametrize("where", ["_write_note", "_rename", "commit", "after", "half"])
def test_a_kill_anywhere_in_a_flush_costs_no_row_and_doubles_none(
    tmp_path: Path, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    import hookstream.lake.delta_store as module

    put(tmp_path, stream(30)[:10], 0)
    events = stream(30)

    def dies(*_: Any, **__: Any) -> None:
        raise Killed

    def dies_after(log: Any, added: Any, removed: Any, version: int) -> None:
        commit(log, added, removed, version)
        raise Killed

    def renames_one(store: FolderStore) -> None:
        temporary, path = store._finished[0]
        temporary.rename(path)
        raise Killed

    commit = DeltaLog.commit
    with monkeypatch.context() as patch:
        if where == "commit":
            patch.setattr(DeltaLog, "commit", dies)
        elif where == "after":
            patch.setattr(DeltaLog, "commit", dies_after)
        elif where == "half":
            patch.setattr(module.DeltaStore, "_rename", renames_one)
        else:
            patch.setattr(module.DeltaStore, where, dies)
        sink = open_sink(f"delta:{tmp_path}")
        items = rendered(events)
        for n, item in enumerate(items):
            item.position = n
        sink.write(items)
        with pytest.raises(Killed):
            sink.flush()
        sink._store.close()  # type: ignore[attr-defined]
    seen = rows(tmp_path)
    assert len(seen) == len(set(seen)) in (10, 30)
    put(tmp_path, events, 0)  # the cursor had not moved: all comes again
    assert sorted(rows(tmp_path)) == ids(events)
    for version in versions(tmp_path):
        found = rows(tmp_path, version)
        assert len(found) == len(set(found))
    assert not (tmp_path / NOTE).exists()


@pytest.mark.long
def test_kill_nine_of_a_follower_leaves_every_row_once_in_every_version(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.touch()
    writing = slowly(log, mixed(6, 40), 4)
    for _ in range(5):
        process = start(tmp_path, log, "--delta")
        try:
            process.wait(random.uniform(0.6, 1.2))
            raise AssertionError(process.communicate()[1])
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
    writing.join()
    process = start(tmp_path, log, "--delta", "--once")
    assert process.communicate(timeout=60)[1] == b""
    lake = tmp_path / "lake"
    assert sorted(rows(lake)) == sorted(straight(tmp_path, log))
    for version in versions(lake):
        found = rows(lake, version)
        assert len(found) == len(set(found))


@pytest.mark.parametrize("killed", [False, True])
def test_a_compaction_changes_the_log_and_no_row(
    tmp_path: Path, killed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for n in range(4):
        put(tmp_path, stream(40)[10 * n : 10 * n + 10], 10 * n)
    if killed:
        with monkeypatch.context() as patch:
            patch.setattr(DeltaLog, "swap", lambda *_: (_ for _ in ()).throw(Killed))
            with pytest.raises(Killed):
                compact(tmp_path)
        assert sorted(rows(tmp_path)) == ids(stream(40))
        put(tmp_path, stream(44)[40:], 40)
    else:
        assert compact(tmp_path).before > 4
    assert sorted(rows(tmp_path)) == ids(stream(44 if killed else 40))
    log = (tmp_path / "_delta_log").glob("*.json")
    removed = [
        json.loads(line)["remove"]
        for path in log
        for line in path.read_text().splitlines()
        if line.startswith('{"remove"')
    ]
    assert removed
    assert not any(one["dataChange"] for one in removed)


def test_what_the_log_does_not_name_is_no_answer(tmp_path: Path) -> None:
    """Another engine may put files together and leave the old ones until they are vacuumed."""
    for n in range(3):
        put(tmp_path, stream(40)[10 * n : 10 * n + 10], 10 * n)
    deltalake.DeltaTable(str(tmp_path)).optimize.compact()
    deltalake.DeltaTable(str(tmp_path)).create_checkpoint()
    put(tmp_path, stream(40)[30:], 30)
    assert sorted(rows(tmp_path)) == ids(stream(40))
    on_disk = [p for p in tmp_path.rglob("*.parquet") if "_delta_log" not in p.parts]
    assert sum(pq.read_metadata(path).num_rows for path in on_disk) > 40
    with open_stream(tmp_path) as opened:
        found = opened.connection.execute("select count(*), count(tool) from events").fetchone()
    assert found == (40, 40)


def test_what_the_user_can_mend_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(SinkError, match="folder"):
        open_sink("delta:s3://bucket/lake")
    monkeypatch.setitem(__import__("sys").modules, "deltalake", None)
    with pytest.raises(SinkError, match=r"pip install '\.\[delta\]'"):
        open_sink(f"delta:{tmp_path / 'lake'}")
