"""`compact`: the same rows in fewer files, whatever breaks off, while a follower writes too."""

from __future__ import annotations

import json
import os
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.sinks.events import rendered, shell, stream

from hookstream.core.files import locked
from hookstream.lake import compaction
from hookstream.lake.compaction import compact, recover
from hookstream.lake.rows import part_schema
from hookstream.sinks import SinkError, open_sink
from hookstream.standards.rendered import Rendered


def rows(folder: Path) -> list[tuple[object, ...]]:
    source = f"read_parquet('{folder}/**/*.parquet', hive_partitioning=true, union_by_name=true)"
    return duckdb.sql(f"select * from {source} order by event_id").fetchall()


def parts(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.parquet"))


def runs(folder: Path, count: int = 6, each: int = 20) -> None:
    for n in range(count):
        sink = open_sink(f"parquet:{folder}")
        sink.write(rendered([shell(each * n + i) for i in range(each)]))
        sink.close()


def placed(first: int, count: int) -> list[Rendered]:
    return [Rendered(shell(n), position=n) for n in range(first, first + count)]


def follower(folder: Path, flushes: int = 6) -> object:
    """A sink as a follower leaves it: a part a flush."""
    sink = open_sink(f"parquet:{folder}")
    for n in range(flushes):
        sink.write(placed(10 * n, 10))
        sink.flush()
    return sink


def test_rows_stay_and_files_become_few(tmp_path: Path) -> None:
    runs(tmp_path)
    before = rows(tmp_path)
    done = compact(tmp_path)
    assert (done.before, done.after, done.rows) == (6, 1, 120)
    assert rows(tmp_path) == before
    (path,) = parts(tmp_path)
    assert pq.read_schema(path).equals(part_schema())
    assert not list(tmp_path.rglob(f"{compaction.NOTE}*"))
    assert compact(tmp_path).before == 0


def test_large_parts_are_left_alone(tmp_path: Path) -> None:
    runs(tmp_path, 4)
    largest = max(path.stat().st_size for path in parts(tmp_path))
    assert compact(tmp_path, largest).before == 0
    assert compact(tmp_path, 2 * largest + 1).after == 2


@pytest.mark.posix("no locks of this kind on Windows")
def test_while_a_follower_writes(tmp_path: Path) -> None:
    runs(tmp_path, 2)
    sink = follower(tmp_path)
    before = rows(tmp_path)
    done = compact(tmp_path)
    assert (done.before, done.after) == (6, 1)  # the runs' parts may still be replaced
    assert rows(tmp_path) == before
    sink.write(placed(60, 5))  # type: ignore[attr-defined]
    sink.close()  # type: ignore[attr-defined]
    assert len(rows(tmp_path)) == len(before) + 5


def test_a_follower_knows_its_rows_in_a_compacted_part(tmp_path: Path) -> None:
    follower(tmp_path).close()  # type: ignore[attr-defined]
    again = open_sink(f"parquet:{tmp_path}")
    compact(tmp_path)
    again.write(placed(25, 50))
    again.close()
    found = [row[0] for row in rows(tmp_path)]
    assert len(found) == len(set(found)) == 75


@pytest.mark.parametrize("step", ["write", "note", "rename", "first", "unlink"])
def test_a_compaction_that_breaks_off_is_finished(
    tmp_path: Path, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException): ...

    follower(tmp_path).close()  # type: ignore[attr-defined]
    before = rows(tmp_path)
    real = {"file": compaction.write_file, "rename": Path.rename, "unlink": Path.unlink}
    calls = {"file": 0, "unlink": 0}

    def file(path: Path, write: object) -> None:
        calls["file"] += 1
        if step == "write" and calls["file"] == 1:
            path.write_bytes(b"half")
            raise Killed
        if step == "note" and calls["file"] == 2:
            path.write_bytes(b'{"whole": "pa')
            raise Killed
        real["file"](path, write)

    def rename(path: Path, target: Path) -> Path:
        if step == "rename":
            raise Killed
        return real["rename"](path, target)

    def unlink(path: Path, missing_ok: bool = False) -> None:
        calls["unlink"] += 1
        if (step, calls["unlink"]) in (("first", 1), ("unlink", 3)):
            raise Killed
        real["unlink"](path, missing_ok)

    with monkeypatch.context() as patch:
        patch.setattr(compaction, "write_file", file)
        patch.setattr(Path, "rename", rename)
        patch.setattr(Path, "unlink", unlink)
        with pytest.raises(Killed):
            compact(tmp_path)
    recover(tmp_path)
    assert rows(tmp_path) == before
    compact(tmp_path)
    assert rows(tmp_path) == before
    assert len(parts(tmp_path)) == 1
    assert not list(tmp_path.rglob(f"{compaction.NOTE}*"))


def test_the_next_run_finishes_what_broke_off(tmp_path: Path) -> None:
    follower(tmp_path, 2).close()  # type: ignore[attr-defined]
    first, second = parts(tmp_path)
    whole = first.with_name("part-000000000000-000000000099-0123456789ab.parquet")
    pq.write_table(
        pa.concat_tables([pq.ParquetFile(path).read() for path in (first, second)]), whole
    )
    note = {"whole": whole.name, "parts": [first.name, second.name, "../../escape.parquet"]}
    first.with_name(f"{compaction.NOTE}x.json").write_text(json.dumps(note))
    open_sink(f"parquet:{tmp_path}").close()
    assert parts(tmp_path) == [whole]


def test_torn_parts_and_other_columns_are_left_and_named(tmp_path: Path) -> None:
    runs(tmp_path, 5, 3)
    paths = parts(tmp_path)
    paths[0].write_bytes(b"PAR1")
    table = pq.ParquetFile(paths[1]).read()
    pq.write_table(table.append_column("later", pa.array([1] * len(table))), paths[1])
    pq.write_table(pq.ParquetFile(paths[2]).read().drop_columns(["secrets"]), paths[2])
    done = compact(tmp_path)
    assert (done.before, done.after, done.rows) == (3, 1, 9)
    assert [one.rpartition(": ")[2] for one in done.left] == ["torn", "has other columns"]


@pytest.mark.posix("no locks of this kind on Windows")
def test_two_compactions_do_not_meet(tmp_path: Path) -> None:
    runs(tmp_path, 2)
    with locked(tmp_path / compaction.LOCK), pytest.raises(SinkError, match="another compaction"):
        compact(tmp_path)


def test_parts_of_partitions_stay_apart(tmp_path: Path) -> None:
    for n in range(3):
        sink = open_sink(f"parquet:{tmp_path}")
        sink.write(rendered(stream(40)[n::3]))
        sink.close()
    before = {os.path.dirname(path) for path in parts(tmp_path)}
    compact(tmp_path)
    assert {os.path.dirname(path) for path in parts(tmp_path)} == before
